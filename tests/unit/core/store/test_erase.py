"""Forgetting for good leaves no byte of the text in any file of the vault, and a receipt."""

import pytest

from reverie.domain.changes import PERSON
from reverie.domain.memory import LinkKind, MemoryFilter, MemoryLink, Provenance, State
from reverie.store.memory_writes import link

SECRET = "Xylophonist Quetzalcoatl hides the marzipan"
WORDS = [b"ylophonist", b"uetzalcoatl", b"marzipan", b"zweitfassung"]


def found_in(folder):
    return {
        (path.name, word)
        for path in folder.rglob("*")
        if path.is_file()
        for word in WORDS
        if word in path.read_bytes().lower()
    }


@pytest.fixture
def secret(database, tmp_path, add_insight):
    """A memory with everything that can hold a copy of its text: versions, tags, an insight, a file, a backup."""
    copy = tmp_path / "inbox" / "default" / "processed" / "secret.txt"
    copy.parent.mkdir(parents=True)
    copy.write_text(SECRET, encoding="utf-8")
    for n in range(300):
        database.memories.add(f"an ordinary memory, number {n}")
    memory = database.memories.add(
        SECRET,
        tags=["marzipan"],
        provenance=Provenance(source="secret.txt", file="inbox/default/processed/secret.txt"),
    )
    database.memories.update(memory.id, content=SECRET + " in its zweitfassung.", summary=SECRET)
    other = database.memories.add("harmless neighbour")
    database.writer.run("link", lambda tx: link(tx, [MemoryLink(memory.id, other.id, LinkKind.CONNECTED)]))
    add_insight(f"Seen: {SECRET} in its zweitfassung.", [memory.id, other.id])
    backups = tmp_path / "backups"
    backups.mkdir()
    (backups / "vault-old.db").write_text(SECRET, encoding="utf-8")
    return memory


def test_no_byte_is_left_in_any_file(database, secret, tmp_path):
    assert found_in(tmp_path)
    database.memories.trash(secret.id)
    receipt = database.eraser.empty_trash()
    assert found_in(tmp_path) == set()
    assert (receipt.memories, receipt.insights) == (1, 1)
    assert receipt.images >= 3
    assert set(receipt.files) == {"secret.txt", "vault-old.db"}
    assert receipt.left == ()
    assert database.memories.count() == 301


def test_after_an_undone_addition_its_images_can_be_forgotten_too(database, tmp_path):
    memory = database.memories.add(SECRET)
    database.memories.trash(memory.id)
    database.history.undo()
    database.memories.trash(memory.id)
    database.eraser.empty_trash()
    assert found_in(tmp_path) == set()


def test_a_line_in_the_log_stays_and_cannot_be_undone(database, secret):
    database.memories.trash(secret.id)
    database.eraser.empty_trash()
    line = database.history.list(limit=1)[0]
    assert (line.kind, line.author, line.detail["memories"]) == ("empty trash", PERSON, 1)
    assert database.history.undoable().kind != "empty trash"


def test_only_what_is_in_the_trash_goes(database, secret):
    before = database.memories.count(MemoryFilter(states=tuple(State)))
    receipt = database.eraser.empty_trash()
    assert receipt.memories == 0
    assert database.memories.count(MemoryFilter(states=tuple(State))) == before


def test_a_file_outside_the_vault_is_never_touched(database, tmp_path_factory):
    outside = tmp_path_factory.mktemp("elsewhere") / "mine.txt"
    outside.write_text(SECRET, encoding="utf-8")
    memory = database.memories.add(SECRET, provenance=Provenance(source="mine.txt", file=str(outside)))
    database.memories.trash(memory.id)
    database.eraser.empty_trash()
    assert outside.read_text(encoding="utf-8") == SECRET


def test_what_a_forgotten_memory_replaced_is_forgotten_with_it(database, tmp_path):
    old = database.memories.add(SECRET)
    new = database.memories.add(SECRET + " in its zweitfassung.")
    links = [MemoryLink(old.id, new.id, LinkKind.REPLACED_BY)]
    database.writer.run("link", lambda tx: link(tx, links))
    database.memories.update(old.id, state="superseded")
    database.memories.trash(new.id)
    assert database.eraser.empty_trash().memories == 2
    assert found_in(tmp_path) == set()
