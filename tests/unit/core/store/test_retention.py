"""What the retention settings remove by themselves, and that they remove nothing else."""

import pytest
from sqlalchemy import select, update

from reverie.domain.changes import PERSON
from reverie.domain.memory import LinkKind, MemoryFilter, MemoryLink, Provenance, State
from reverie.domain.receipt import RetentionReport
from reverie.errors import Cancelled, Conflict, NotFound
from reverie.store import leases, retention, slices
from reverie.store.memory_writes import link
from reverie.store.tables import changes, memories, operations

DAY = 24 * 3600 * 1_000_000
SECRET = "Xylophonist Quetzalcoatl hides the marzipan"
WORDS = [b"ylophonist", b"uetzalcoatl", b"marzipan"]


def found_in(folder):
    return {
        path.name
        for path in folder.rglob("*")
        if path.is_file() and any(word in path.read_bytes().lower() for word in WORDS)
    }


def age(database, days, *tables):
    """As if all that has happened so far had happened ``days`` earlier."""

    def act(connection):
        connection.exec_driver_sql("DELETE FROM temp.current_operation")
        for table in tables or ("operations.at", "memories.updated_at", "insights.updated_at"):
            name, column = table.split(".")
            connection.exec_driver_sql(f"UPDATE {name} SET {column} = {column} - ?", (days * DAY,))

    database.writer.derive([], act)


def everything(database):
    return set(database.memories.ids(MemoryFilter(states=tuple(State))))


def images(database):
    with database.readers.read() as connection:
        return list(connection.execute(select(changes.c.operation_id)).scalars())


def lines(database):
    return [(each.kind, each.author) for each in database.history.list()]


@pytest.fixture
def trashed(database):
    """(lies in the trash for 31 days, for 29 days, is not in it)"""
    old, young, live = (database.memories.add(text).id for text in (SECRET, "younger", "alive"))
    database.memories.trash(old)
    age(database, 2)
    database.memories.trash(young)
    age(database, 29)
    return old, young, live


def test_nothing_is_removed_where_both_are_off(database, trashed):
    before = lines(database), images(database)
    assert database.retention.apply(0, 0) == RetentionReport()
    assert everything(database) == set(trashed)
    assert (lines(database), images(database)) == before


def test_what_lay_longer_in_the_trash_is_erased_and_told_in_the_log(database, trashed):
    _old, young, live = trashed
    report = database.retention.apply(30, 0)
    assert report.trash.memories == 1
    assert everything(database) == {young, live}
    line = database.history.list(limit=1)[0]
    assert (line.kind, line.author, line.detail["memories"]) == ("empty trash", "retention", 1)
    assert database.history.undoable().author == PERSON


def test_no_byte_of_it_is_left_as_after_emptying_the_trash_by_hand(database, tmp_path, add_insight):
    copy = tmp_path / "inbox" / "secret.txt"
    copy.parent.mkdir()
    copy.write_text(SECRET, encoding="utf-8")
    backup = tmp_path / "backups" / "old.db"
    backup.parent.mkdir()
    backup.write_text(SECRET, encoding="utf-8")
    memory = database.memories.add(
        SECRET, provenance=Provenance(source="secret.txt", file="inbox/secret.txt"), tags=["marzipan"]
    )
    add_insight(f"Seen: {SECRET}", [memory.id])
    database.memories.trash(memory.id)
    age(database, 31)
    report = database.retention.apply(30, 0)
    assert found_in(tmp_path) == set()
    assert (report.trash.memories, report.trash.insights, report.trash.left) == (1, 1, ())
    assert set(report.trash.files) == {"secret.txt", "old.db"}


def test_an_insight_goes_by_its_own_time(database, add_insight):
    memory = database.memories.add("what it stands on")
    old, young = (add_insight(text, [memory.id]) for text in ("an old claim", "a younger claim"))
    database.insights.trash(old)
    age(database, 2)
    database.insights.trash(young)
    age(database, 29)
    assert database.retention.apply(30, 0).trash.insights == 1
    assert [each.id for each in database.insights.get_many([old, young])] == [young]


def test_what_was_put_back_into_the_trash_lately_counts_from_then(database):
    """A redo brings the row's old instant back with it; the log tells when it really came there."""
    memory = database.memories.add(SECRET)
    database.memories.trash(memory.id)
    database.history.undo()
    age(database, 40)
    database.history.redo()
    age(database, 40, "memories.updated_at")
    assert database.retention.apply(30, 0).trash.memories == 0
    age(database, 31)
    assert database.retention.apply(30, 0).trash.memories == 1


def test_what_came_back_meanwhile_stays_with_what_it_had_replaced(database, monkeypatch):
    source, merged, other = (database.memories.add(text).id for text in ("source", "merged", "other"))
    links = [MemoryLink(source, merged, LinkKind.REPLACED_BY)]
    database.writer.run("link", lambda tx: link(tx, links))
    database.memories.update(source, state="superseded")
    database.memories.trash(merged, other)
    age(database, 31)
    listed = database.eraser._erase_memories

    def restored_in_between(*args):
        database.memories.restore(merged)
        return listed(*args)

    monkeypatch.setattr(database.eraser, "_erase_memories", restored_in_between)
    assert database.retention.apply(30, 0).trash.memories == 1
    assert everything(database) == {source, merged}
    assert database.memories.get(source).state is State.SUPERSEDED


def test_old_changes_can_no_longer_be_undone_and_their_lines_stay(database, tmp_path):
    memory = database.memories.add("one", metadata={"note": SECRET})
    database.memories.update(memory.id, content="harmless", metadata={})
    first, second = (each.id for each in reversed(database.history.list()))
    age(database, 31)
    database.memories.update(memory.id, content="harmless still")
    third = database.history.list()[0].id

    report = database.retention.apply(0, 30)

    assert (report.changesets, report.images) == (2, 2)
    assert set(images(database)) == {third}
    assert [each.id for each in database.history.list()][1:] == [third, second, first]
    line = database.history.list(limit=1)[0]
    assert (line.kind, line.author, line.detail) == (
        "prune history",
        "retention",
        {"changesets": 2, "images": 2},
    )
    assert database.history.get(first).detail["pruned"] is True
    assert database.history.get(first).rows == {}
    assert found_in(tmp_path) == set()
    assert database.memories.get(memory.id).content == "harmless still"
    database.history.undo()
    assert database.memories.get(memory.id).content == "harmless"
    with pytest.raises(NotFound, match="nothing to undo"):
        database.history.undo()
    for number in (first, second, line.id):
        with pytest.raises(Conflict, match="nothing is kept"):
            database.history.undo(number)


def test_an_old_undo_can_no_longer_be_done_again(database):
    memory = database.memories.add("one")
    database.memories.update(memory.id, content="two")
    database.history.undo()
    age(database, 31)
    database.retention.apply(0, 30)
    assert database.history.redoable() is None
    with pytest.raises(NotFound):
        database.history.redo()


def test_going_back_to_before_what_is_kept_is_refused_whole(database):
    memory = database.memories.add("one")
    database.memories.update(memory.id, content="two")
    first, second = (each.id for each in reversed(database.history.list()))
    age(database, 31)
    database.memories.update(memory.id, content="three")
    database.retention.apply(0, 30)
    with pytest.raises(Conflict, match="so far"):
        database.history.preview_to(first)
    with pytest.raises(Conflict, match="so far"):
        database.history.undo_to(first)
    with pytest.raises(NotFound, match="not kept"):
        database.memories.restore_version(memory.id, first)
    assert database.memories.get(memory.id).content == "three"
    assert database.history.preview_to(second) == 1
    database.history.undo_to(second)
    assert database.memories.get(memory.id).content == "two"


def test_a_changeset_of_several_operations_goes_whole_or_not_at_all(database):
    first = database.writer.run("import", lambda tx: (_insert(tx, "a"), tx.operation)[1])
    age(database, 2)
    database.writer.run("import", lambda tx: _insert(tx, "b"), group=first)
    age(database, 29)
    assert database.retention.apply(0, 30).changesets == 0
    age(database, 2)
    assert database.retention.apply(0, 30).images == 2
    assert images(database) == []


def _insert(tx, name):
    row = {"id": name * 12, "kb_id": 1, "content": name, "created_at": tx.at, "updated_at": tx.at}
    tx.connection.execute(memories.insert().values(**row))


def test_a_changeset_that_is_being_removed_is_never_undone_by_half(database, monkeypatch):
    database.memories.add_many([{"content": f"memory {n}"} for n in range(60)])
    number = database.history.list()[0].id
    age(database, 31)
    monkeypatch.setattr(slices, "SLICE_S", 0)
    halves = []

    def look():
        left = len(images(database))
        if 0 < left < 60:
            halves.append(left)
            assert database.history.undoable() is None
            with pytest.raises(Conflict, match="nothing is kept"):
                database.history.undo(number)
        return False

    database.retention.apply(0, 30, look)
    assert halves
    assert images(database) == []


def test_a_stop_leaves_a_line_of_what_went_and_the_next_turn_does_the_rest(database, monkeypatch):
    database.memories.add_many([{"content": f"memory {n}"} for n in range(60)])
    age(database, 31)
    monkeypatch.setattr(slices, "SLICE_S", 0)
    answers = iter([False, False, True])
    with pytest.raises(Cancelled):
        database.retention.apply(0, 30, lambda: next(answers))
    assert len(images(database)) == 60 - retention._STEP
    assert database.history.list()[0].detail == {"changesets": 1, "images": retention._STEP}
    report = database.retention.apply(0, 30)
    assert (report.changesets, report.images) == (0, 60 - retention._STEP)
    assert images(database) == []


def test_what_goes_is_cut_into_short_transactions(database, monkeypatch):
    ids = [each.id for each in database.memories.add_many([{"content": f"memory {n}"} for n in range(60)])]
    database.memories.trash(*ids)
    age(database, 31)
    monkeypatch.setattr(slices, "SLICE_S", 0)
    sizes = []
    derive = database.writer.derive

    def counted(names, act, **options):
        before = len(everything(database)), len(images(database))
        result = derive(names, act, **options)
        sizes.append((before[0] - len(everything(database)), before[1] - len(images(database))))
        return result

    monkeypatch.setattr(database.writer, "derive", counted)
    database.retention.apply(30, 0)
    assert everything(database) == set()
    assert max(rows for rows, _images in sizes) == 10


def test_one_process_at_a_time(database, trashed):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leases, "HOLDER", "another process")
        assert database.leases.take("retention")
    assert database.retention.apply(30, 30) == RetentionReport()
    assert everything(database) == set(trashed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leases, "HOLDER", "another process")
        database.leases.release("retention")
    assert database.retention.apply(30, 30).trash.memories == 1
    with database.readers.read() as connection:
        assert not leases.is_held(connection, "retention")


def test_a_second_turn_finds_nothing_and_writes_no_line(database, trashed):
    database.retention.apply(30, 30)
    before = lines(database)
    database.retention.apply(30, 30)
    assert lines(database) == before


def test_the_person_emptying_the_trash_still_takes_all_of_it(database, trashed):
    assert database.eraser.empty_trash().memories == 2
    assert database.history.list(limit=1)[0].author == PERSON


def test_a_clock_that_once_was_wrong_takes_nothing_else_along(database):
    for n in range(3):
        database.memories.add(f"memory {n}")
    wrong = database.history.list()[1].id

    def set_back(connection):
        connection.execute(update(operations).where(operations.c.id == wrong).values(at=0))

    database.writer.derive([], set_back)
    assert database.retention.apply(0, 30).changesets == 1
    assert wrong not in images(database)
    assert len(images(database)) == 2
