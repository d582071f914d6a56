"""Whatever was done with a text before: once it is forgotten, no byte of it is left in any file of the vault."""

import pytest
from tests.unit.core.store.test_erase import SECRET, WORDS, found_in
from tests.unit.core.store.test_history import snapshot

from reverie import Vault
from reverie.domain.clock import to_micros
from reverie.domain.dream import Proposal, ProposalKind
from reverie.domain.ids import ProposalId, new_id
from reverie.domain.memory import LinkKind, MemoryFilter, MemoryLink, State
from reverie.domain.records import memory_record
from reverie.errors import Conflict, NotFound
from reverie.store.memory_writes import link
from reverie.transfer.export import export
from reverie.transfer.restore import import_json

EVERY = MemoryFilter(states=tuple(State), expired=None)
LONGER = SECRET + " in its zweitfassung."


def forget(vault):
    """Moves every memory that holds the text to the trash, and empties it."""
    held = [memory.id for memory in vault.memories.list(EVERY, limit=1000) if "marzipan" in memory.content]
    vault.memories.trash(*held)
    return vault.eraser.empty_trash()


def dream(database, *steps):
    """Applies steps (kind, content, memories) as one dream; returns its changeset."""
    run = database.dreams.start("default", "builtin")
    made = []
    for kind, content, sources in steps:
        now = database.memories.get_many([memory.id for memory in sources])
        after = {"id": new_id(), "content": content}
        if kind is ProposalKind.MERGE:
            after = {**memory_record(now[0]), **after, "key": None}
        versions = {memory.id: to_micros(memory.updated_at) for memory in now}
        made.append(
            Proposal(ProposalId(new_id()), run.id, kind, content, content, tuple(versions), versions, after)
        )
    return database.dreams.apply(run.id, made, {}, "").operation


def added_undone_added_again(database, _folder):
    database.memories.add(SECRET, tags=["marzipan"])
    database.history.undo()
    database.memories.add(SECRET)


def added_undone_redone(database, _folder):
    database.memories.add(SECRET)
    database.history.undo()
    database.history.redo()


def edited_before_and_the_edit_undone(database, _folder):
    memory = database.memories.add("harmless")
    database.memories.update(memory.id, content=SECRET)
    database.memories.update(memory.id, content=LONGER)
    database.history.undo()


def added_undone_and_an_edit_of_another_says_the_same(database, _folder):
    database.memories.add(SECRET)
    database.history.undo()
    memory = database.memories.add("harmless")
    database.memories.update(memory.id, content=SECRET)
    database.memories.update(memory.id, content="harmless, with marzipan")


def in_the_past_of_one_that_stays(database, _folder):
    other = database.memories.add(SECRET)
    database.memories.update(other.id, content="harmless")
    database.memories.add(SECRET)


def merged_by_a_dream_that_was_undone(database, _folder):
    first, second = database.memories.add(SECRET), database.memories.add("harmless")
    merge = dream(database, (ProposalKind.MERGE, f"harmless and {LONGER}", [first, second]))
    database.history.undo(merge)


def merged_twice_and_undone(database, _folder):
    first, second = database.memories.add(SECRET), database.memories.add("harmless")
    merge = dream(database, (ProposalKind.MERGE, f"harmless and {LONGER}", [first, second]))
    (merged,) = [memory for memory in database.memories.list() if "zweit" in memory.content]
    third = database.memories.add("something else")
    again = dream(database, (ProposalKind.MERGE, f"all of it: {LONGER}", [merged, third]))
    database.history.undo(again)
    database.history.undo(merge)


def merged_by_a_dream(database, _folder):
    first, second = database.memories.add(SECRET), database.memories.add("harmless")
    dream(database, (ProposalKind.MERGE, f"harmless and {LONGER}", [first, second]))


def quoted_by_a_dream_that_was_undone(database, _folder):
    first, second = database.memories.add(SECRET), database.memories.add("harmless")
    step = (ProposalKind.INSIGHT, f"Both know: {LONGER}", [first, second])
    database.history.undo(dream(database, step))
    database.history.undo(dream(database, step))
    dream(database, step)


def quoted_of_what_was_undone_itself(database, _folder):
    first, second = database.memories.add(SECRET), database.memories.add("harmless")
    dream(database, (ProposalKind.INSIGHT, f"Both know: {LONGER}", [first, second]))
    database.history.undo_to(0)
    database.memories.add(SECRET)


def imported_undone_imported_again(database, folder):
    database.memories.add(SECRET)
    export(database.dumps, folder.parent / "dump.json", "json")
    database.history.undo()
    report = import_json(database.dumps, folder.parent / "dump.json")
    database.history.undo(author=f"import:{report.id}")
    import_json(database.dumps, folder.parent / "dump.json")


def added_many_and_undone(database, _folder):
    database.memories.add_many([{"content": SECRET}, *({"content": f"n {n}"} for n in range(450))])
    database.history.undo()
    database.memories.add(SECRET)


HISTORIES = [
    added_undone_added_again,
    added_undone_redone,
    edited_before_and_the_edit_undone,
    added_undone_and_an_edit_of_another_says_the_same,
    in_the_past_of_one_that_stays,
    merged_by_a_dream_that_was_undone,
    merged_twice_and_undone,
    merged_by_a_dream,
    quoted_by_a_dream_that_was_undone,
    quoted_of_what_was_undone_itself,
    imported_undone_imported_again,
    added_many_and_undone,
]


@pytest.mark.parametrize("history", HISTORIES, ids=lambda history: history.__name__)
def test_no_byte_is_left_after(history, database, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    history(database, folder)
    database.memories.add("a neighbour that stays")
    assert found_in(tmp_path)
    assert forget(database).left == ()
    (tmp_path / "dump.json").unlink(missing_ok=True)  # the person's own, outside the vault
    assert found_in(tmp_path) == set()
    assert "a neighbour that stays" in [memory.content for memory in database.memories.list()]


@pytest.mark.parametrize("history", HISTORIES, ids=lambda history: history.__name__)
def test_nothing_of_it_comes_back_by_undo_or_redo(history, database, tmp_path):
    """Each changeset is undone whole or refused in words; what was refused wrote nothing."""
    folder = tmp_path / "files"
    folder.mkdir()
    history(database, folder)
    forget(database)
    for line in database.history.list():
        before = snapshot(database)
        try:
            database.history.undo(line.id)
        except Conflict:
            assert snapshot(database) == before
    assert not any(word in str(snapshot(database)).lower().encode() for word in WORDS)


def test_one_that_stays_keeps_its_text_and_its_other_versions(database):
    other = database.memories.add(SECRET, kb="elsewhere")
    database.memories.update(other.id, importance=0.9)
    mine = database.memories.add(SECRET)
    database.memories.trash(mine.id)
    database.eraser.empty_trash()
    assert database.memories.get(other.id).content == SECRET
    database.history.undo(database.memories.history(other.id)[0].changeset.id)
    assert database.memories.get(other.id).importance == 0.5


def test_a_past_version_that_was_forgotten_is_not_made_up_again(database):
    other = database.memories.add(SECRET)
    first = database.history.list()[0].id
    database.memories.update(other.id, content="in between")
    second = database.history.list()[0].id
    database.memories.update(other.id, content="now")
    database.memories.trash(database.memories.add(SECRET).id)
    database.eraser.empty_trash()
    assert len(database.memories.history(other.id)) == 3
    assert database.memories.restore_version(other.id, second).content == "in between"
    with pytest.raises(NotFound, match="not kept"):
        database.memories.restore_version(other.id, first)


def test_a_mere_connection_to_it_is_no_echo(database):
    mine, friend = database.memories.add(SECRET), database.memories.add("a friend", author="agent:a")
    links = [MemoryLink(mine.id, friend.id, LinkKind.CONNECTED)]
    database.writer.run("link", lambda tx: link(tx, links), author="agent:b")
    database.history.undo(author="agent:b")
    database.history.undo(author="agent:a")
    forget(database)
    friends, links = [line.id for line in database.history.list() if line.kind == "undo"]
    database.history.undo(friends)
    assert database.memories.get(friend.id).content == "a friend"
    with pytest.raises(Conflict):
        database.history.undo(links)


class TestAFile:
    @pytest.fixture
    def vault(self, tmp_path):
        with Vault.open(tmp_path / "vault") as vault:
            yield vault

    @pytest.fixture
    def file(self, tmp_path):
        path = tmp_path / "notes.txt"
        path.write_text(SECRET + "\n", encoding="utf-8")
        return path

    def forget(self, vault):
        vault.memories.trash(*vault.memories.ids())
        return vault.empty_trash()

    def test_taken_in_undone_and_taken_in_again_leaves_no_copy(self, vault, file):
        vault.ingest(file)
        vault.undo(vault.history.list()[0].id)
        vault.ingest(file)
        assert len(list(vault.path.rglob("notes*.txt"))) == 2
        self.forget(vault)
        assert found_in(vault.path) == set()

    def test_that_told_again_what_was_known_leaves_no_copy(self, vault, file):
        vault.memories.add(SECRET)
        vault.ingest(file)
        self.forget(vault)
        assert found_in(vault.path) == set()
