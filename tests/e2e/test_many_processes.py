"""Any number of processes work on one vault at once; each sees the others' changes within a second."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

from reverie import Vault

ROOT = Path(__file__).parents[2]

WRITER = """
import sys
from reverie import Vault
path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Vault.open(path) as vault:
    for n in range(count):
        vault.memories.add(f"{name} wrote number {n}", author=f"agent:{name}")
"""


def start(script, *arguments):
    paths = os.pathsep.join(str(ROOT / name) for name in ("core", "gui"))
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": paths},
        stderr=subprocess.PIPE,
        text=True,
    )


def test_four_writers_lose_nothing_and_none_is_locked_out(tmp_path):
    path = tmp_path / "vault"
    with Vault.open(path) as vault:
        processes = [start(WRITER, path, f"p{n}", 40) for n in range(3)]
        for n in range(40):
            vault.memories.add(f"here wrote number {n}")
        for process in processes:
            _out, problems = process.communicate(timeout=100)
            assert (process.returncode, problems) == (0, "")
        assert vault.memories.count() == 160
        authors = {changeset.author for changeset in vault.history.list(limit=500)}
        assert authors == {"person", "agent:p0", "agent:p1", "agent:p2"}


def test_many_at_once_open_a_vault_that_is_not_there_yet(tmp_path):
    path = tmp_path / "vault"
    processes = [start(WRITER, path, f"p{n}", 2) for n in range(4)]
    for process in processes:
        _out, problems = process.communicate(timeout=100)
        assert (process.returncode, problems) == (0, "")
    with Vault.open(path) as vault:
        assert vault.memories.count() == 8


def test_another_process_is_heard_of_within_a_second(tmp_path):
    path = tmp_path / "vault"
    with Vault.open(path) as here, Vault.open(path) as there:
        heard = threading.Event()
        events = []

        def listen(changes):
            events.append(changes)
            if changes.author == "agent:there":
                heard.set()

        here.events.subscribe(listen)
        time.sleep(0.3)  # the watcher has taken its first look
        memory = there.memories.add("news from elsewhere", author="agent:there")
        assert heard.wait(5)  # within a second on a free machine: the watcher looks ten times a second
        (changes,) = [changes for changes in events if changes.author == "agent:there"]
        assert changes.rows["memories"].added == (memory.id,)
        assert here.memories.get(memory.id) == memory


def test_a_read_takes_no_write_lock(tmp_path):
    path = tmp_path / "vault"
    with Vault.open(path) as vault:
        vault.memories.add("something to read")
        vault.index.wait()
        blocker = vault._database.writer
        entered, leave = threading.Event(), threading.Event()

        def hold(tx):
            entered.set()
            leave.wait(30)

        thread = threading.Thread(target=lambda: blocker.run("hold", hold))
        thread.start()
        assert entered.wait(5)
        try:
            assert vault.memories.count() == 1
            assert vault.search("something")
            assert vault.memories.facets().total == 1
            with Vault.open(path) as other:
                assert other.memories.count() == 1
            assert thread.is_alive(), "something waited until the lock was given up"
        finally:
            leave.set()
            thread.join()
