"""Whatever is done can be undone back to the empty vault and redone, with restarts in the middle."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from tests.unit.core.store.test_history import snapshot

from reverie.domain.memory import LinkKind, MemoryFilter, MemoryLink, State
from reverie.errors import Conflict
from reverie.store import rewrite
from reverie.store.database import Database
from reverie.store.memory_writes import link

EVERY = MemoryFilter(states=tuple(State), expired=None)
texts = st.text(min_size=1, max_size=30).filter(lambda text: text.strip())


class Undoing(RuleBasedStateMachine):
    """Keeps a picture of all tracked rows after each standing act of the person."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.database = self._open()
        self.pictures = [snapshot(self.database)]
        self.undone = []

    def _open(self):
        folder = Path(self.folder.name)
        return Database(folder / "vault.db", folder)

    def _ids(self):
        return self.database.memories.ids(EVERY)

    def _acted(self):
        picture = snapshot(self.database)
        if picture != self.pictures[-1]:
            self.pictures.append(picture)
            self.undone.clear()

    @rule(text=texts, tags=st.lists(texts, max_size=2), key=st.none() | st.sampled_from("ab"))
    def add(self, text, tags, key):
        try:
            self.database.memories.add(text, tags=tags, key=key)
        except Conflict:
            return
        self._acted()

    @precondition(lambda self: self._ids())
    @rule(data=st.data(), text=texts)
    def edit(self, data, text):
        memory_id = data.draw(st.sampled_from(self._ids()))
        self.database.memories.update(memory_id, content=text, importance=0.3)
        self._acted()

    @precondition(lambda self: self._ids())
    @rule(data=st.data())
    def trash(self, data):
        self.database.memories.trash(data.draw(st.sampled_from(self._ids())))
        self._acted()

    @precondition(lambda self: self._ids())
    @rule(data=st.data())
    def restore(self, data):
        try:
            self.database.memories.restore(data.draw(st.sampled_from(self._ids())))
        except Conflict:
            return
        self._acted()

    @precondition(lambda self: len(self._ids()) > 1)
    @rule(data=st.data())
    def connect(self, data):
        one, two = data.draw(st.lists(st.sampled_from(self._ids()), min_size=2, max_size=2))
        links = [MemoryLink(one, two, LinkKind.CONNECTED)]
        self.database.writer.run("connect", lambda tx: link(tx, links))
        self._acted()

    @precondition(lambda self: len(self.pictures) > 1)
    @rule()
    def undo(self):
        self.database.history.undo()
        self.undone.append(self.pictures.pop())

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self):
        self.database.history.redo()
        self.pictures.append(self.undone.pop())

    @rule()
    def restart(self):
        self.database.close()
        self.database = self._open()

    @invariant()
    def rows_are_as_pictured(self):
        assert snapshot(self.database) == self.pictures[-1]

    @invariant()
    def derived_tables_follow(self):
        with self.database.readers.read() as connection:
            tags = connection.exec_driver_sql("SELECT count(*) FROM memory_tags").scalar_one()
            wanted = connection.exec_driver_sql(
                "SELECT count(*) FROM (SELECT DISTINCT m.seq, fold_free.value FROM memories m, json_each(m.tags) fold_free)"
            ).scalar_one()
            assert tags == wanted

    def teardown(self):
        while len(self.pictures) > 1:
            self.undo()
        self.rows_are_as_pictured()
        assert self._ids() == []
        self.database.close()
        self.folder.cleanup()


def few_or_many(examples: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=20,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


class UndoingAsLargeActs(Undoing):
    """The same, as it is done with very many rows."""

    def __init__(self):
        self.direct, rewrite.DIRECT_ROWS = rewrite.DIRECT_ROWS, 0
        super().__init__()

    def teardown(self):
        try:
            super().teardown()
        finally:
            rewrite.DIRECT_ROWS = self.direct


class TestUndoing(Undoing.TestCase):
    settings = few_or_many(6)


class TestUndoingAsLargeActs(UndoingAsLargeActs.TestCase):
    settings = few_or_many(6)


@pytest.mark.slow
@pytest.mark.timeout(1800)
class TestUndoingAtLength(Undoing.TestCase):
    settings = few_or_many(200)


@pytest.mark.slow
@pytest.mark.timeout(1800)
class TestUndoingAsLargeActsAtLength(UndoingAsLargeActs.TestCase):
    settings = few_or_many(200)
