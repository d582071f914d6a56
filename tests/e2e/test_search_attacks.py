"""Search under attack: many threads and processes, kills, vanished folders, texts and queries of any size."""

import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from reverie import Vault
from reverie.errors import UserError

CORE = str(Path(__file__).parents[2] / "core")


def start(script, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": CORE},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def contents(hits):
    return [hit.memory.content for hit in hits]


WRITES_AND_SEARCHES = """
import sys
from reverie import Vault
path, name = sys.argv[1:]
with Vault.open(path) as vault:
    for n in range(40):
        memory = vault.memories.add(f"zeppelin {name}x{n}")
        assert vault.search(f"{name}x{n}", mode="keyword")[0].memory.id == memory.id, n
        if n % 4 == 0:
            vault.memories.trash(memory.id)
            assert vault.search(f"{name}x{n}", mode="keyword") == [], n
        vault.search("zeppelin", mode=("hybrid" if n % 10 == 0 else "keyword"))
"""


def test_two_processes_that_write_and_search_see_all_that_they_wrote(tmp_path):
    path = tmp_path / "vault"
    with Vault.open(path) as vault:
        processes = [start(WRITES_AND_SEARCHES, path, name) for name in ("one", "two")]
        while any(process.poll() is None for process in processes):
            vault.search("zeppelin", mode="keyword")
            time.sleep(0.05)
        for process in processes:
            _out, problems = process.communicate(timeout=100)
            assert (process.returncode, problems) == (0, "")
        assert len(vault.search("zeppelin", mode="keyword", limit=100)) == 60


WRITES_SNAPSHOTS = """
import sys
from reverie import Vault
from reverie.search import finders
finders._SMALL = 0
with Vault.open(sys.argv[1]) as vault:
    vault.search("zeppelin", mode="keyword")
    vault.conversations.search("zeppelin", mode="keyword")
    print("ready", flush=True)
    while True:
        for name, index in list(vault._finders._indexes.items()):
            vault._finders._save(name, index)
"""


def test_a_kill_while_a_snapshot_is_written_changes_no_answer(tmp_path):
    path = tmp_path / "vault"
    with Vault.open(path) as vault:
        vault.memories.add_many([{"content": f"zeppelin number {n} over Linz"} for n in range(400)])
        vault.conversations.append("s", "user", "zeppelin")
        expected = contents(vault.search("zeppelin 77", mode="keyword"))
    for number in range(4):
        process = start(WRITES_SNAPSHOTS, path)
        with process:
            assert process.stdout.readline().strip() == "ready"
            time.sleep(0.02 + 0.013 * number)
            process.send_signal(signal.SIGKILL)
        with Vault.open(path) as vault:
            assert contents(vault.search("zeppelin 77", mode="keyword")) == expected
            memory = vault.memories.add("dirigible")
            assert vault.search("dirigible", mode="keyword")[0].memory.id == memory.id
            vault.undo()


def test_threads_that_search_while_others_write(tmp_path):
    done = threading.Event()
    with Vault.open(tmp_path / "vault") as vault:
        vault.memories.add("zeppelin number none")

        def search(number):
            mode = ("keyword", "hybrid", "semantic")[number % 3]
            while not done.is_set():
                hits = vault.search("zeppelin number", mode=mode, limit=5)
                assert mode == "semantic" or hits
                vault.conversations.search("zeppelin")

        def write(name):
            for n in range(25):
                memory = vault.memories.add(f"zeppelin number {name}x{n}")
                vault.conversations.append(name, "user", f"zeppelin {n}")
                assert vault.search(f"{name}x{n}", mode="keyword")[0].memory.id == memory.id
                vault.memories.update(memory.id, content=f"zeppelin number {name}y{n}")
                assert f"zeppelin number {name}x{n}" not in contents(
                    vault.search(f"{name}x{n}", mode="keyword")
                )

        with ThreadPoolExecutor(10) as pool:
            searching = [pool.submit(search, n) for n in range(8)]
            try:
                for writing in [pool.submit(write, name) for name in ("one", "two")]:
                    writing.result()
            finally:
                done.set()
            for each in searching:
                each.result()
        vault.index.wait()
        assert len(vault.search("zeppelin", limit=500)) == 51


def test_snapshots_that_take_an_indexs_place_hide_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("reverie.search.finders._SMALL", 0)
    done = threading.Event()
    with Vault.open(tmp_path / "vault") as vault:
        vault.memories.add("zeppelin")
        vault.search("zeppelin", mode="keyword")

        def save():
            while not done.is_set():
                for name, index in list(vault._finders._indexes.items()):
                    vault._finders._save(name, index)

        thread = threading.Thread(target=save)
        thread.start()
        try:
            for n in range(60):
                memory = vault.memories.add(f"zeppelin x{n}")
                assert vault.search(f"x{n}", mode="keyword")[0].memory.id == memory.id
        finally:
            done.set()
            thread.join()


class TestAnySize:
    def test_a_memory_of_two_million_characters(self, tmp_path):
        with Vault.open(tmp_path / "vault") as vault:
            for unit in ("lorem ipsum dolor ", "x"):
                vault.memories.add((unit * 2_000_000)[:1_999_000] + f" zeppelin{len(unit)} end")
                hits = vault.search(f"zeppelin{len(unit)}", mode="keyword")
                assert len(hits) == 1
                assert vault.search('"lorem  ipsum"', mode="keyword", limit=1)

    def test_a_hundred_thousand_long_words(self, tmp_path):
        words = [f"{n:05}" + "qwertzuiop" * 5 for n in range(100_000)]
        with Vault.open(tmp_path / "vault") as vault:
            vault.memories.add_many(
                [{"content": " ".join(words[n : n + 1_000])} for n in range(0, len(words), 1_000)]
            )
            for n in (0, 51_234, 99_999):
                assert len(vault.search(words[n], mode="keyword")) == 1
                assert len(vault.search(words[n][:9], mode="keyword", prefix=True)) == 1
            assert vault.search("wertz", mode="keyword")

    @pytest.mark.parametrize(
        "unit", ["zeppelin ", "设备", "a-", '"', '"zeppelin" ', "last May 2023 ", "🎉", "\0"]
    )
    def test_a_query_of_a_hundred_thousand_characters(self, tmp_path, unit):
        with Vault.open(tmp_path / "vault") as vault:
            vault.memories.add("zeppelin 设备 in May 2023")
            for mode in ("keyword", "hybrid"):
                vault.search(unit * (100_000 // len(unit)), mode=mode)
                vault.search(unit * (100_000 // len(unit)), mode=mode, prefix=True)


def test_the_folder_of_indexes_is_deleted_under_two_vaults(tmp_path, monkeypatch):
    monkeypatch.setattr("reverie.search.finders._SMALL", 0)
    path = tmp_path / "vault"
    with Vault.open(path) as vault:
        vault.memories.add_many([{"content": f"zeppelin {n}"} for n in range(50)])
        vault.search("zeppelin", mode="keyword")
        vault._finders.tidy()
        with Vault.open(path) as other:
            assert len(other.search("zeppelin", mode="keyword", limit=99)) == 50
            shutil.rmtree(path / "index")
            for each in (vault, other):
                each.memories.add("one more zeppelin")
                each._finders.tidy()
            for each in (vault, other):
                assert len(each.search("zeppelin", mode="keyword", limit=99)) == 51


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user who can be kept from writing")
def test_a_vault_in_a_folder_that_cannot_be_written(tmp_path):
    """Is searched while SQLite's own files stand beside it; else it says what is wrong, and not that it is damaged."""
    path = tmp_path / "vault"
    with Vault.open(path) as vault:
        vault.memories.add("zeppelin")
        with read_only(path), Vault.open(path) as other:
            assert contents(other.search("zeppelin", mode="keyword")) == ["zeppelin"]
    with sqlite3.connect(path / "vault.db") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with read_only(path), pytest.raises(UserError, match="nothing can be written"):
        Vault.open(path)


@contextmanager
def read_only(path):
    places = [path, *path.rglob("*")]
    for place in places:
        place.chmod(place.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    try:
        yield
    finally:
        for place in places:
            place.chmod(place.stat().st_mode | stat.S_IWUSR)
