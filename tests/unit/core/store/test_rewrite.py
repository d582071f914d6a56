"""Large changes of what is there: seen whole or not at all, by readers and after a crash."""

import os
import subprocess
import sys
import threading

import pytest
from tests.unit.core.store.test_history import snapshot

from reverie.domain.memory import LinkKind, MemoryFilter, MemoryLink, State
from reverie.errors import Conflict, NotFound
from reverie.store import rewrite
from reverie.store.memory_writes import link

EVERY = MemoryFilter(states=tuple(State), expired=None)
ROWS = 1200

# A process that dies as a large act reaches a certain function.
DIES = """
import os, sys
from pathlib import Path
from reverie.store import rewrite
from reverie.store.database import Database
from reverie.store.staging import Stage

folder, act, place = sys.argv[1:]
rewrite.DIRECT_ROWS = 0
setattr(*{"before": (Stage, "show"), "after": (rewrite, "discard")}[place], lambda *_, **__: os._exit(9))
database = Database(Path(folder) / "vault.db", Path(folder))
exec(act)
"""


@pytest.fixture(autouse=True)
def large(monkeypatch):
    monkeypatch.setattr(rewrite, "DIRECT_ROWS", 100)


@pytest.fixture
def ids(database):
    return [m.id for m in database.memories.add_many({"content": f"note {n}"} for n in range(ROWS))]


ACTS = {
    "trash": lambda database, ids: database.memories.trash(*ids),
    "pin": lambda database, ids: database.memories.update_many(ids, pinned=True, importance=0.9),
    "tag": lambda database, ids: database.memories.update_many(ids, add_tags=["Garden"], remove_tags=["no"]),
    "move": lambda database, ids: database.memories.update_many(ids, category="a/b"),
    "undo": lambda database, ids: database.history.undo(),
}


@pytest.mark.parametrize("name", ACTS)
def test_is_one_changeset_that_is_undone_and_redone(name, database, ids):
    before = snapshot(database)
    ACTS[name](database, ids)
    after = snapshot(database)
    assert after["memories"] != before["memories"]
    line = database.history.list(limit=1)[0]
    touched = line.rows["memories"]
    assert len(touched.changed) + len(touched.removed) == ROWS
    database.history.redo() if name == "undo" else database.history.undo()
    assert snapshot(database) == before
    database.history.undo() if name == "undo" else database.history.redo()
    assert snapshot(database) == after


@pytest.mark.parametrize("name", ACTS)
def test_readers_see_all_of_it_or_nothing(name, database, ids):
    seen, done = set(), threading.Event()
    tagged = MemoryFilter(tags=("garden",))
    pinned, moved = MemoryFilter(pinned=True), MemoryFilter(category="a")

    def look():
        while not done.is_set():
            with database.readers.read():
                seen.add(tuple(map(database.memories.count, (MemoryFilter(), pinned, tagged, moved))))

    thread = threading.Thread(target=look)
    thread.start()
    ACTS[name](database, ids)
    done.set()
    thread.join()
    assert all(set(counts) <= {0, ROWS} for counts in seen)


def test_derived_tables_follow(database, ids):
    database.memories.update_many(ids, add_tags=["Garden"])
    assert database.memories.tags() == ["Garden"]
    database.history.undo()
    assert database.memories.tags() == []
    database.history.undo()
    with database.readers.read() as connection:
        for table in ("memory_tags", "dirty", "staged_ranges"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() == 0


def test_only_what_differs_is_changed_and_counted(database, ids):
    database.memories.trash(*ids[:300])
    assert database.memories.trash(*ids) == ROWS - 300
    assert database.memories.restore(*ids) == ROWS
    assert database.memories.restore(*ids) == 0
    assert database.memories.update_many(ids, muted=False)[0].muted is False
    kinds = [line.kind for line in database.history.list()]
    assert kinds == ["restore memories", "delete memories", "delete memories", "add memories"]


def test_an_unknown_id_or_a_taken_key_writes_nothing(database, ids):
    before = snapshot(database)
    with pytest.raises(NotFound):
        database.memories.trash(*ids, "unknown")
    with pytest.raises(Conflict):
        database.memories.update_many(ids, key="the same for all")
    assert snapshot(database) == before
    assert len(database.history.list()) == 1


def test_what_has_changed_since_stands_in_the_way_and_nothing_is_written(database, ids):
    database.memories.update_many(ids, importance=0.9)
    database.memories.update(ids[7], importance=0.1, author="agent:a")
    before = snapshot(database)
    with pytest.raises(Conflict) as caught:
        database.history.undo()
    assert caught.value.rows == (("memories", ids[7]),)
    assert snapshot(database) == before


def test_links_to_what_is_undone_come_back_with_it(database, ids):
    links = [MemoryLink(ids[0], ids[1], LinkKind.CONNECTED)]
    database.writer.run("link", lambda tx: link(tx, links), author="agent:a")
    before = snapshot(database)
    database.history.undo()
    assert database.memories.count(EVERY) == 0
    database.history.redo()
    assert snapshot(database) == before


@pytest.mark.parametrize(
    "act", ["database.memories.trash(*database.memories.ids())", "database.history.undo()"]
)
def test_a_crash_before_the_last_step_leaves_nothing_of_it(act, database, reopen, ids, tmp_path):
    before, lines = snapshot(database), _lines(database)
    database.close()
    _die(tmp_path, act, "before")
    again = reopen()
    _expire_leases(again)
    assert snapshot(again) == before
    again.close()
    later = reopen()
    assert snapshot(later) == before
    assert [line.kind for line in later.history.list()] == ["add memories"]
    assert _lines(later) == lines
    later.history.undo()
    assert later.memories.count(EVERY) == 0


def test_a_crash_after_it_leaves_all_of_it(database, reopen, ids, tmp_path):
    before = snapshot(database)
    database.close()
    _die(tmp_path, "database.history.undo()", "after")
    again = reopen()
    assert again.memories.count(EVERY) == 0
    assert snapshot(again)["memories"] == []
    again.history.redo()
    assert snapshot(again) == before


def _lines(database):
    with database.readers.read() as connection:
        return [
            connection.exec_driver_sql(f"SELECT count(*) FROM {t}").scalar_one()
            for t in ("operations", "changes")
        ]


def _die(folder, act, place):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    died = subprocess.run(
        [sys.executable, "-c", DIES, str(folder), act, place], capture_output=True, text=True, env=environment
    )
    assert died.returncode == 9, died.stderr


def _expire_leases(database):
    database.writer.derive(
        [], lambda connection: connection.exec_driver_sql("UPDATE leases SET expires_at = 0")
    )
