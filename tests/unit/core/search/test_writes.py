"""Every way of writing is followed by the indexes, by words at once and by meaning when the vectors are made."""

import json

import pytest

from reverie import Vault
from reverie.domain.clock import now
from reverie.domain.ids import new_id
from reverie.domain.insight import Insight
from reverie.store import insights

WORDS = "zeppelin over the harbour"


def add(vault):
    vault.memories.add(WORDS)


def add_many(vault):
    vault.memories.add_many([{"content": f"{WORDS}, number {n}"} for n in range(3)])


def add_staged(vault):
    vault.memories.add_many([{"content": f"{WORDS}, number {n}"} for n in range(450)])


def update(vault):
    vault.memories.update(vault.memories.add("something else").id, content=WORDS)


def update_many(vault):
    made = vault.memories.add_many([{"content": f"{WORDS}, number {n}"} for n in range(3)])
    vault.memories.update_many([memory.id for memory in made], tags=["more"], category="notes")


def set_key(vault):
    vault.memories.update(vault.memories.add("something else").id, key=WORDS)


def ingest(vault):
    file = vault.path / "note.md"
    file.write_text(f"# Note\n\nThere was a {WORDS}.", encoding="utf-8")
    (item,) = vault.ingest(file)
    assert item.state == "done"


def import_(vault):
    file = vault.path / "dump.json"
    memory = {"id": new_id(), "content": WORDS, "created_at": "2026-01-01T00:00:00Z"}
    file.write_text(json.dumps({"format": "reverie", "version": 1, "memories": [memory]}), encoding="utf-8")
    vault.import_(file)


def undo(vault):
    memory = vault.memories.add(WORDS)
    vault.memories.update(memory.id, content="something else")
    vault.undo()


def redo(vault):
    vault.memories.add(WORDS)
    vault.undo()
    assert vault.search(WORDS, mode="keyword") == []
    vault.redo()


def restore(vault):
    memory = vault.memories.add(WORDS)
    vault.memories.trash(memory.id)
    assert vault.search(WORDS, mode="keyword") == []
    vault.memories.restore(memory.id)


def restore_version(vault):
    memory = vault.memories.add(WORDS)
    (first,) = vault.memories.history(memory.id)
    vault.memories.update(memory.id, content="something else")
    vault.memories.restore_version(memory.id, first.changeset.id)


def dream(vault):
    """Merges what says the same."""
    vault.memories.add_many([{"content": f"There is a {WORDS}{end}"} for end in (".", "!", " .")])
    vault.index.wait()
    vault.dream()
    assert vault.memories.count() < 3


def append(vault):
    vault.conversations.append("s", "user", WORDS)


def append_many(vault):
    vault.conversations.append_many("s", [{"role": "user", "content": f"{WORDS} {n}"} for n in range(3)])


def append_staged(vault):
    vault.conversations.append_many("s", [{"role": "user", "content": f"{WORDS} {n}"} for n in range(450)])


def edit_message(vault):
    vault.conversations.update(vault.conversations.append("s", "user", "something else").id, content=WORDS)


def name_speaker(vault):
    vault.conversations.update(vault.conversations.append("s", "user", "something else").id, name=WORDS)


def redo_message(vault):
    vault.conversations.append("s", "user", WORDS)
    vault.undo()
    assert vault.conversations.search(WORDS, mode="keyword") == []
    vault.redo()


def insight(vault):
    """As a dream writes it."""
    memory = vault.memories.add("something else")
    made = Insight(new_id(), "default", WORDS, (memory.id,), now())
    vault._database.writer.run("dream", lambda tx: insights.insert_exactly(tx, [made]), author="dream:1")


@pytest.mark.parametrize(
    ("write", "kind"),
    [
        *(
            (write, "memories")
            for write in (
                add, add_many, add_staged, update, update_many, set_key, ingest, import_, undo, redo, restore,
                restore_version, dream,
            )
        ),
        *(
            (write, "messages")
            for write in (append, append_many, append_staged, edit_message, name_speaker, redo_message)
        ),
        (insight, "insights"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_watched", [False, True])
def test_a_write_makes_index_rows_and_a_vector(tmp_path, by_words, write, kind, is_watched):
    """is_watched: the indexes were there before, in this process and in another vault of the same file."""
    with Vault.open(tmp_path / "vault") as vault, Vault.open(tmp_path / "vault") as other:

        def found(where, mode):
            search = {
                "memories": where.search,
                "messages": where.conversations.search,
                "insights": where.insights.search,
            }[kind]
            return {hit.record.id for hit in search(WORDS, mode=mode, limit=1_000)}

        if is_watched:
            assert not found(vault, "hybrid") | found(other, "hybrid")
        write(vault)
        by_word = found(vault, "keyword")
        assert by_word
        assert found(other, "keyword") == by_word
        vault.index.wait()
        assert vault.index.pending() == 0
        assert found(vault, "semantic") >= by_word
        assert found(other, "semantic") >= by_word
        with vault._database.readers.read() as connection:
            lacking = f"""SELECT count(*) FROM {kind} t WHERE NOT EXISTS (SELECT 1 FROM embeddings e
                WHERE e.kind = ? AND e.seq = t.seq AND e.model = ?)"""
            kind_name = {"memories": "memory", "messages": "message", "insights": "insight"}[kind]
            assert connection.exec_driver_sql(lacking, (kind_name, by_words.name)).scalar() == 0


def test_an_insight_of_a_dream_is_found(tmp_path, by_words):
    with Vault.open(tmp_path / "vault") as vault:
        vault.memories.add_many(
            [{"content": f"Ada flew the zeppelin on day {n}, it rained in Linz."} for n in range(12)]
        )
        vault.index.wait()
        vault.dream()
        made = vault.insights.list()
        assert made
        for each in made:
            assert vault.insights.search(each.content, mode="keyword")[0].record.id == each.id
        vault.index.wait()
        assert vault.insights.search(made[0].content, mode="semantic")[0].record.id == made[0].id
