"""A snapshot makes a search start faster and changes no answer, whatever becomes of its files."""

import json
import os
import shutil
import sqlite3
from datetime import timedelta

import numpy as np
import pytest

from reverie import Vault
from reverie.search import finders, snapshot
from reverie.search.documents import KINDS
from reverie.search.keyword_index import KeywordIndex
from reverie.search.snapshot import Snapshot
from reverie.store.texts import SELECTS, Changed

QUESTIONS = ["harbour", "hiking", "设备", "bo said", "self-healing", "zeppelin", "mentions nothing"]


def fill(vault):
    vault.memories.add_many(
        [{"content": f"The harbour report {n}, Ada hikes. self-healing 设备清单"} for n in range(30)]
    )
    for n in range(20):
        vault.conversations.append("s", "user", f"harbour talk {n}", name="Bo" if n % 2 else "Ada")
    vault.index.wait()


def answers(vault):
    found = []
    for question in QUESTIONS:
        for search in (vault.search, vault.conversations.search):
            found += [(hit.record.id, round(hit.score, 4), hit.why) for hit in search(question, limit=20)]
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory, bag_of_words):
    """A vault with snapshots of all that it searches, and what it answers."""
    path = tmp_path_factory.mktemp("snapshot") / "vault"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reverie.vault._load_embedder", lambda: bag_of_words)
        patch.setattr(finders, "_SMALL", 0)
        with Vault.open(path) as vault:
            fill(vault)
            expected = answers(vault)
    assert len(list((path / "index").iterdir())) == 4
    return path, expected


@pytest.fixture
def path(made, tmp_path, by_words, small_snapshots):
    return shutil.copytree(made[0], tmp_path / "vault")


@pytest.fixture
def expected(made):
    return made[1]


def damaged_files(path):
    return sorted(file for file in (path / "index").rglob("*") if file.is_file())


def test_answers_are_the_same_with_it_and_without_it(path, expected):
    shutil.rmtree(path / "index")
    with Vault.open(path) as vault:
        assert answers(vault) == expected


def cut(file):
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def empty(file):
    file.write_bytes(b"")


def zero(file):
    file.write_bytes(b"\0" * file.stat().st_size)


def flip(file):
    content = bytearray(file.read_bytes())
    content[-1] ^= 0xFF
    file.write_bytes(content)


def remove(file):
    file.unlink()


@pytest.mark.parametrize("harm", [cut, empty, zero, flip, remove])
def test_a_damaged_file_is_noticed(path, expected, harm):
    for file in damaged_files(path):
        copy = file.read_bytes()
        harm(file)
        folder = file.parent
        name, token = folder.name.rsplit("-", 1)
        assert snapshot.load(path / "index", name, token) is None, file
        file.write_bytes(copy)
    for file in damaged_files(path):
        harm(file)
    with Vault.open(path) as vault:
        assert answers(vault) == expected


@pytest.mark.parametrize(
    "about", ["[]", "null", "{}", '{"version": 2}', '{"version": 2, "sums": [], "arrays": {}}', "[" * 100_000]
)
def test_an_odd_table_of_contents_is_none(tmp_path, about):
    (tmp_path / "words-1").mkdir()
    (tmp_path / "words-1" / "about.json").write_text(about, encoding="utf-8")
    assert snapshot.load(tmp_path, "words", "1") is None


def test_one_of_another_version_is_left_alone(path, expected, monkeypatch):
    monkeypatch.setattr(snapshot, "VERSION", snapshot.VERSION + 1)
    with Vault.open(path) as vault:
        assert answers(vault) == expected


def test_one_of_something_else_under_its_name_is_no_index(path, expected):
    names = {folder.name.rsplit("-", 1)[0]: folder for folder in (path / "index").iterdir()}
    for one, other in (("words-memory", "words-message"), ("words-message", "vectors-")):
        target = names[one]
        source = next(folder for name, folder in names.items() if name.startswith(other))
        shutil.rmtree(target)
        if other == "vectors-":
            shutil.copytree(source, target)
    with Vault.open(path) as vault:
        assert answers(vault) == expected


def test_it_is_not_taken_for_an_older_copy_of_the_database(path, expected, tmp_path):
    copy = tmp_path / "copy.db"
    with sqlite3.connect(path / "vault.db") as source, sqlite3.connect(copy) as target:
        source.backup(target)
    target.close()
    source.close()
    with Vault.open(path) as vault:
        vault.memories.add_many([{"content": f"a newer harbour {n}"} for n in range(60)])
        vault.index.wait()
        vault.search("harbour")
        vault._finders.tidy()
    for file in path.glob("vault.db*"):
        file.unlink()
    shutil.copy(copy, path / "vault.db")
    with Vault.open(path) as vault:
        assert answers(vault) == expected
        vault.memories.add("the restored zeppelin")
        assert vault.search("zeppelin", mode="keyword")


def test_what_was_written_after_it_is_there(path):
    with Vault.open(path) as vault:
        memory = vault.memories.add("a zeppelin over the harbour")
        vault.index.wait()
    with Vault.open(path) as vault:
        for mode in ("keyword", "semantic"):
            assert vault.search("a zeppelin over the harbour", mode=mode)[0].memory.id == memory.id
        vault.memories.update(memory.id, content="a dirigible")
    with Vault.open(path) as vault:
        assert vault.search("zeppelin", mode="keyword") == []


def test_a_folder_that_vanishes_under_a_running_vault_does_no_harm(path, expected):
    with Vault.open(path) as vault:
        assert answers(vault) == expected
        shutil.rmtree(path / "index")
        assert answers(vault) == expected
        vault.memories.add("zeppelin")
        assert vault.search("zeppelin", mode="keyword")
        vault._finders.tidy()
    with Vault.open(path) as vault:
        assert vault.search("zeppelin", mode="keyword")


def test_a_folder_that_cannot_be_written_is_tried_once(tmp_path, by_words, small_snapshots):
    path = tmp_path / "vault"
    path.mkdir()
    (path / "index").write_text("no folder", encoding="utf-8")
    with Vault.open(path) as vault:
        fill(vault)
        expected = answers(vault)
        vault._finders.tidy()
        vault._finders.tidy()
        assert answers(vault) == expected
    assert (path / "index").read_text(encoding="utf-8") == "no folder"


class TestWhatAKilledProcessLeaves:
    @pytest.fixture
    def left(self, path):
        index = path / "index"
        token = next(folder for folder in index.glob("words-memory-*"))
        half = index / ".words-memory-0123456789abcdef-99"
        whole = index / "words-memory-0123456789abcdef"
        for place in (half, whole):
            shutil.copytree(token, place)
        (half / "about.json").unlink()
        return half, whole

    def test_does_no_harm(self, path, expected, left):
        with Vault.open(path) as vault:
            assert answers(vault) == expected

    def test_is_kept_for_a_while_then_removed(self, path, left):
        """It may be that of a process that is at it."""
        for is_old in (False, True):
            if is_old:
                for place in left:
                    os.utime(place, (1, 1))
            with Vault.open(path) as vault:
                vault.search("harbour")
            assert [place.exists() for place in left] == [not is_old] * 2


def test_saving_drops_older_ones_of_that_name_and_no_others(tmp_path):
    one = Snapshot(1, {"seq": np.arange(3)}, {"words": ["a", "\n", "\U0001f389"]})
    first = snapshot.save(tmp_path, "words-memory", one)
    other = snapshot.save(tmp_path, "words-message", one)
    second = snapshot.save(tmp_path, "words-memory", one)
    assert snapshot.load(tmp_path, "words-memory", first) is None
    for name, token in (("words-message", other), ("words-memory", second)):
        found = snapshot.load(tmp_path, name, token)
        assert found.rev == 1
        assert found.arrays["seq"].tolist() == [0, 1, 2]
        assert found.lists == one.lists
    snapshot.sweep(tmp_path, second, "words-memory", timedelta(0))
    assert len(list(tmp_path.iterdir())) == 2


def test_it_holds_no_name_and_no_word_of_what_is_gone(tmp_path, by_words, small_snapshots):
    path = tmp_path / "vault"
    with Vault.open(path) as vault:
        fill(vault)
        vault.conversations.append("xylophone", "user", "marzipan", name="Quetzalcoatl")
        assert vault.conversations.search("marzipan", mode="keyword")
        vault.undo()
        vault.conversations.search("marzipan", mode="keyword")
        vault._finders.tidy()
    lists = [
        json.loads(file.read_text(encoding="utf-8"))
        for file in (path / "index").glob("words-*/*.json")
        if file.name != "about.json"
    ]
    assert lists
    assert not {"xylophone", "marzipan", "Quetzalcoatl", "quetzalcoatl"} & {
        word for each in lists for word in each
    }


class Broken:
    """Texts of a store of which reading fails once, half way."""

    def __init__(self, rows):
        self.rows = rows
        self.is_broken = True

    def everything(self, _kind):
        yield Changed(1, self.rows[:1])
        if self.is_broken:
            self.is_broken = False
            raise OSError("unplugged")
        yield Changed(1, self.rows[1:])

    def since(self, _kind, rev):
        return Changed(rev)


def test_a_read_that_failed_half_way_is_begun_anew(path):
    with Vault.open(path) as vault, vault._database.readers.read() as connection:
        rows = connection.execute(SELECTS["memory"]).all()
    index = KeywordIndex(KINDS["memory"], Broken(rows))
    with pytest.raises(OSError, match="unplugged"):
        index.catch_up()
    index.catch_up()
    assert index.size == len(rows)


def test_one_of_another_version_is_made_anew_by_whoever_searched(path, expected, monkeypatch):
    monkeypatch.setattr(snapshot, "VERSION", snapshot.VERSION + 1)
    with Vault.open(path) as vault:
        assert answers(vault) == expected
    for place in (path / "index").iterdir():
        name, _dash, token = place.name.rpartition("-")
        assert snapshot.load(path / "index", name, token) is not None


@pytest.mark.parametrize("act", ["INSERT", "DELETE"])
def test_what_a_program_without_our_triggers_wrote_since_is_found(path, act):
    with sqlite3.connect(path / "vault.db") as other:
        if act == "DELETE":
            other.execute("DELETE FROM memories WHERE seq > 1")
        else:
            columns = ", ".join(
                row[1]
                for row in other.execute("PRAGMA table_info(memories)")
                if row[1] not in ("seq", "id", "content")
            )
            other.execute(
                f"INSERT INTO memories (id, content, {columns})"
                f" SELECT 'f00000000000', 'a zeppelin from elsewhere', {columns} FROM memories LIMIT 1"
            )
    other.close()
    with Vault.open(path) as vault:
        if act == "DELETE":
            assert len(vault.search("harbour", limit=20, mode="keyword")) == 1
        else:
            assert [hit.memory.id for hit in vault.search("zeppelin", mode="keyword")] == ["f00000000000"]
