"""Forgotten for good is forgotten by the indexes as well, whoever holds them, on disk and in every snapshot to come."""

import json

import numpy as np
import pytest

from reverie import Vault
from reverie.search import finders, snapshot

SECRET = "Xylophonist Quetzalcoatl hides the marzipan"
WORDS = [b"ylophonist", b"uetzalcoatl", b"marzipan"]


def left(folder):
    """Files of the vault that hold a byte of it, folded, plain, or as JSON."""
    return {
        path.name
        for path in folder.rglob("*")
        if path.is_file() and any(word in path.read_bytes().lower() for word in WORDS)
    }


def vectors_left(folder, vector):
    wanted = vector.astype("<f2").tobytes()
    return {path.name for path in folder.rglob("*") if path.is_file() and wanted in path.read_bytes()}


@pytest.fixture
def vault(tmp_path, by_words, small_snapshots):
    with Vault.open(tmp_path / "vault") as vault:
        vault.memories.add_many([{"content": f"an ordinary note {n}"} for n in range(40)])
        yield vault


@pytest.fixture
def secret(vault):
    memory = vault.memories.add(SECRET, tags=["marzipan"], summary=SECRET)
    vault.index.wait()
    assert vault.search(SECRET)
    vault._finders.tidy()
    assert {"forms.json"} <= left(vault.path / "index")
    return memory


def snapshots(vault):
    return {folder.name.rsplit("-", 1)[0] for folder in (vault.path / "index").glob("*-*")}


def test_no_file_holds_a_byte_of_it(vault, secret, by_words):
    vector = by_words.embed([SECRET])[0]
    assert vectors_left(vault.path, vector)
    vault.memories.trash(secret.id)
    vault.empty_trash()
    assert left(vault.path) == set()
    assert vectors_left(vault.path, vector) == set()
    assert vault.search(SECRET, mode="keyword") == []


def test_nor_a_snapshot_that_comes_after_by_any_vault_that_held_it(vault, secret, by_words):
    vector = by_words.embed([SECRET])[0]
    with Vault.open(vault.path) as other:
        assert other.search(SECRET)
        vault.memories.trash(secret.id)
        vault.empty_trash()
        for each in (other, vault):
            each.memories.add("one more ordinary note")
            each.index.wait()
            each.search("ordinary")
            each._finders.tidy()
            assert {"words-memory"} < snapshots(each)
            assert left(vault.path) == set()
            assert vectors_left(vault.path, vector) == set()
        assert other.search(SECRET, mode="keyword") == []


def test_a_snapshot_that_was_being_written_meanwhile_is_not_kept(vault, secret, monkeypatch):
    """Another process read the rows before, and is done after."""
    with Vault.open(vault.path) as other:
        other.search(SECRET)
        save = snapshot.save

        def slow(folder, name, frozen):
            if vault.memories.count() == 41:
                vault.memories.trash(secret.id)
                vault.empty_trash()
            return save(folder, name, frozen)

        with other._database.readers.read() as connection:
            connection.exec_driver_sql("SELECT 1")
        vault._database.writer.derive(
            [], lambda c: c.exec_driver_sql("DELETE FROM settings WHERE name LIKE 'snap%'")
        )
        monkeypatch.setattr(finders.snapshot, "save", slow)
        other._finders.tidy()
        monkeypatch.undo()
        assert vault.memories.count() == 40
        assert left(vault.path / "index") == set()
    assert left(vault.path) == set()


def test_an_edited_text_leaves_the_next_snapshot(vault, secret):
    vault.memories.update(secret.id, content="nothing of it", summary="", tags=[])
    vault.search("nothing")
    vault._database.writer.derive(
        [], lambda c: c.exec_driver_sql("DELETE FROM settings WHERE name LIKE 'snap%'")
    )
    vault._finders.tidy()
    assert left(vault.path / "index") == set()


def test_what_is_left_is_whole(vault, secret):
    vault.memories.trash(secret.id)
    vault.empty_trash()
    vault.search("ordinary")
    vault._finders.tidy()
    (words,) = (vault.path / "index").glob("words-memory-*")
    assert len(np.load(words / "seq.npy")) == 40
    assert "ordinary" in json.loads((words / "forms.json").read_text(encoding="utf-8"))
