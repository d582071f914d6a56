"""Every changeset can be shown and undone; undo lasts across restarts and never destroys later work."""

import pytest

from reverie.domain.changes import Act
from reverie.domain.memory import MemoryFilter, State
from reverie.errors import Conflict, NotFound
from reverie.store import rewrite


@pytest.fixture(autouse=True, params=["in one transaction", "as a large act"])
def size(request, monkeypatch):
    """Whatever is true of small acts is true of those that are worked out before their transaction."""
    if request.param == "as a large act":
        monkeypatch.setattr(rewrite, "DIRECT_ROWS", 0)


def snapshot(database):
    """All tracked rows, as text."""
    from reverie.store.tables import TRACKED

    with database.readers.read() as connection:
        return {
            table.name: [
                tuple(row) for row in connection.execute(table.select().order_by(*table.primary_key))
            ]
            for table in TRACKED
        }


def test_nothing_to_undo_or_redo_says_so(database):
    with pytest.raises(NotFound, match="nothing to undo"):
        database.history.undo()
    with pytest.raises(NotFound, match="nothing to redo"):
        database.history.redo()


def test_undo_and_redo_walk_back_and_forth(database):
    memory = database.memories.add("one")
    states = [snapshot(database)]
    for text in ("two", "three"):
        database.memories.update(memory.id, content=text)
        states.append(snapshot(database))
    for expected in states[1::-1]:
        database.history.undo()
        assert snapshot(database) == expected
    for expected in states[1:]:
        database.history.redo()
        assert snapshot(database) == expected
    with pytest.raises(NotFound):
        database.history.redo()


def test_undo_lasts_across_a_restart(database, reopen):
    memory = database.memories.add("one")
    database.memories.update(memory.id, content="two")
    database.close()
    again = reopen()
    assert again.history.undoable().kind == "edit memory"
    again.history.undo()
    assert again.memories.get(memory.id).content == "one"
    again.close()
    later = reopen()
    later.history.redo()
    assert later.memories.get(memory.id).content == "two"


def test_a_new_act_clears_redo(database):
    memory = database.memories.add("one")
    database.memories.update(memory.id, content="two")
    database.history.undo()
    database.memories.add("other")
    assert database.history.redoable() is None


def test_undo_takes_the_persons_act_not_an_agents(database):
    mine = database.memories.add("mine")
    theirs = database.memories.add("theirs", author="agent:claude")
    database.history.undo()
    assert database.memories.ids() == [theirs.id]
    database.history.undo(author="agent:claude")
    assert database.memories.ids() == []
    assert mine.id not in database.memories.ids(MemoryFilter(states=tuple(State)))


def test_a_changeset_can_be_undone_by_its_number_but_once(database):
    database.memories.add("first")
    number = database.history.list()[0].id
    database.memories.add("second")
    database.history.undo(number)
    assert [memory.content for memory in database.memories.list()] == ["second"]
    with pytest.raises(Conflict, match="already"):
        database.history.undo(number)
    with pytest.raises(NotFound):
        database.history.undo(999)


def test_a_later_flag_does_not_stand_in_the_way(database):
    memory = database.memories.add("one")
    database.memories.update(memory.id, content="two")
    database.memories.update(memory.id, author="dream:1", is_consolidated=True)
    database.history.undo()
    after = database.memories.get(memory.id)
    assert (after.content, after.is_consolidated) == ("one", True)
    database.history.undo()
    assert database.memories.count() == 0


def test_a_later_change_of_the_same_column_is_a_conflict_and_nothing_is_written(database):
    memory = database.memories.add("one")
    database.memories.update(memory.id, content="two")
    database.memories.update(memory.id, content="agent's", author="agent:a")
    before = snapshot(database)
    with pytest.raises(Conflict) as caught:
        database.history.undo()
    assert caught.value.rows == (("memories", memory.id),)
    assert snapshot(database) == before


def test_a_taken_key_is_a_conflict(database):
    old = database.memories.add("dark", key="theme")
    database.memories.trash(old.id)
    database.memories.add("light", key="theme", author="agent:a")
    with pytest.raises(Conflict):
        database.history.undo()


def test_everything_after_a_point_is_undone_as_one_act(database):
    database.memories.add("kept")
    here = database.history.list()[0].id
    expected = snapshot(database)
    for n in range(3):
        database.memories.add(f"later {n}", author="agent:a" if n % 2 else "person")
    assert database.history.preview_to(here) == 3
    database.history.undo_to(here)
    assert snapshot(database) == expected
    assert database.history.preview_to(here) == 0
    database.history.redo()
    assert database.memories.count() == 4


def test_a_base_made_by_an_undone_act_stays_while_others_use_it(database):
    database.memories.add("first", kb="new")
    database.memories.add("second", kb="new", author="agent:a")
    database.history.undo()
    assert [memory.kb for memory in database.memories.list()] == ["new"]


def test_bulk_statements_cascades_and_replace_are_caught(database):
    first, second = database.memories.add("one"), database.memories.add("two")
    from reverie.domain.memory import LinkKind, MemoryLink
    from reverie.store.memory_writes import link

    database.writer.run("link", lambda tx: link(tx, [MemoryLink(first.id, second.id, LinkKind.CONNECTED)]))
    before = snapshot(database)

    def act(tx):
        tx.connection.exec_driver_sql("UPDATE memories SET importance = 0.1")
        tx.connection.exec_driver_sql("DELETE FROM memories WHERE id = ?", (second.id,))
        tx.connection.exec_driver_sql(
            "INSERT OR REPLACE INTO memories SELECT * FROM memories WHERE id = ?", (first.id,)
        )

    database.writer.run("bulk", act)
    assert database.memories.links(first.id) == []
    database.history.undo()
    assert snapshot(database) == before


def test_an_act_that_changes_nothing_leaves_no_line(database):
    database.writer.run("nothing", lambda tx: None)
    assert database.history.list() == []


def test_an_act_that_fails_leaves_nothing(database):
    def act(tx):
        tx.connection.exec_driver_sql("UPDATE knowledge_bases SET name = 'broken'")
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        database.writer.run("broken", act)
    assert [base.name for base in database.knowledge_bases.list()] == ["default"]
    database.memories.add("writes go on")


def test_a_conflict_lists_just_the_rows_that_stand_in_the_way(database):
    ids = [database.memories.add(f"n{n}").id for n in range(5)]
    database.memories.update_many(ids, importance=0.9)
    database.memories.update(ids[3], importance=0.1, author="agent:a")
    with pytest.raises(Conflict) as caught:
        database.history.undo()
    assert caught.value.rows == (("memories", ids[3]),)


def test_a_large_act_is_one_line_and_is_undone_whole_from_a_memory_of_it(database):
    made = database.memories.add_many({"content": f"note {n}"} for n in range(900))
    (line,) = database.history.list()
    assert len(line.rows["memories"].added) == 900
    (version,) = database.memories.history(made[850].id)
    assert version.changeset.id == line.id
    database.history.undo(version.changeset.id)
    assert database.memories.count() == 0


def test_lines_are_listed_by_author_and_by_kind_of_author(database):
    for author in ("person", "dream:1", "dream:2", "dreamer"):
        database.memories.add(f"by {author}", author=author)
    assert [line.author for line in database.history.list(author="dream:")] == ["dream:2", "dream:1"]
    assert [line.author for line in database.history.list(author="dreamer")] == ["dreamer"]


def test_everything_can_be_undone_to_the_empty_vault(database):
    memory = database.memories.add("one")
    database.memories.update(memory.id, content="two", author="agent:a")
    database.history.undo_to(0)
    assert database.memories.count() == 0
    database.history.redo()
    assert database.memories.get(memory.id).content == "two"


def test_a_fraction_of_any_length_comes_back_and_stands_in_no_way(database):
    memory = database.memories.add("a third", importance=1 / 3)
    database.memories.update(memory.id, importance=2 / 3)
    database.history.undo()
    assert database.memories.get(memory.id).importance == 1 / 3
    database.history.undo()
    assert database.memories.count() == 0
    database.history.redo()
    assert database.memories.get(memory.id).importance == 1 / 3


def test_writes_that_are_parts_of_one_act_are_one_line_and_one_undo(database):
    memory = database.memories.add("one", tags=["a"])
    typing = Act()
    for text in ("one t", "one tw", "one two"):
        database.memories.update(memory.id, content=text, part_of=typing)

    edited, made = database.history.list()
    assert (edited.kind, made.kind) == ("edit memory", "add memory")
    newest, _first = database.memories.history(memory.id)
    assert (newest.change.before["content"], newest.change.after["content"]) == ("one", "one two")
    database.history.undo()
    assert database.memories.get(memory.id).content == "one"
    database.history.redo()
    assert database.memories.get(memory.id).content == "one two"


def test_an_act_that_begins_with_a_new_memory_is_undone_with_it(database):
    typing = Act()
    memory = database.memories.add("one", part_of=typing)
    database.memories.update(memory.id, content="one two", part_of=typing)
    database.history.undo()
    assert database.memories.count() == 0
    database.history.redo()
    assert database.memories.get(memory.id).content == "one two"


@pytest.mark.parametrize("between", ["another act", "an undo", "nothing that was changed"])
def test_an_act_goes_on_only_while_it_stands_and_is_the_last(database, between):
    memory = database.memories.add("one")
    typing = Act()
    database.memories.update(memory.id, content="one two", part_of=typing)
    if between == "another act":
        database.memories.update(memory.id, tags=["a"])
    elif between == "an undo":
        database.history.undo()
    else:
        database.memories.update(memory.id, content="one two")
        database.memories.update(memory.id, content="one two", part_of=typing)
    before = database.memories.get(memory.id)
    lines = len(database.history.list())

    database.memories.update(memory.id, content="one two three", part_of=typing)

    joined = between == "nothing that was changed"
    assert len(database.history.list()) == lines + (not joined)
    database.history.undo()
    now = database.memories.get(memory.id)
    assert (now.content, now.tags) == ("one" if joined else before.content, before.tags)


def test_an_agents_write_between_is_not_part_of_the_act(database):
    memory, other = database.memories.add("one"), database.memories.add("other")
    typing = Act()
    database.memories.update(memory.id, content="one two", part_of=typing)
    database.memories.update(other.id, content="another", author="agent:claude")
    database.memories.update(memory.id, content="one two three", part_of=typing)
    database.history.undo()
    assert [database.memories.get(each.id).content for each in (memory, other)] == ["one", "another"]


def test_a_changeset_is_found_by_any_operation_in_it(database):
    memory = database.memories.add("one")
    typing = Act()
    for text in ("one t", "one two"):
        database.memories.update(memory.id, content=text, part_of=typing)
    (line, _made) = database.history.list()
    assert database.history.get(line.id + 1).id == database.history.get(line.id).id == line.id


def test_a_version_of_a_memory_is_that_at_the_end_of_its_act(database):
    memory = database.memories.add("one")
    typing = Act()
    for text in ("one t", "one two"):
        database.memories.update(memory.id, content=text, part_of=typing)
    database.memories.update(memory.id, content="three")
    _last, typed, _made = database.memories.history(memory.id)
    assert database.memories.restore_version(memory.id, typed.changeset.id).content == "one two"
