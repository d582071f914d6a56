"""``kill -9`` at random moments of an ingest and of a dream loses nothing and makes nothing twice.

The suite has a small version; ``-m slow`` kills 50 times each.
"""

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from reverie import Vault
from reverie.domain.inbox import ItemState
from reverie.domain.memory import MemoryFilter, State
from reverie.resources import resource

EVERY = MemoryFilter(states=tuple(State), expired=None)

INGEST = """
import sys
from reverie import Vault
with Vault.open(sys.argv[1]) as vault:
    print("ready", flush=True)
    vault.inbox.run()
    vault.index.wait()
"""
DREAM = """
import sys
from reverie import Vault
with Vault.open(sys.argv[1]) as vault:
    print("ready", flush=True)
    vault.dream()
"""


def run_and_kill(script, vault, after):
    """Start the script on the vault and kill it ``after`` seconds after it began its work (None: let it end)."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(vault)], stdout=subprocess.PIPE, env=environment(), text=True
    )
    with process:
        assert process.stdout.readline().strip() == "ready"
        if after is None:
            assert process.wait(timeout=100) == 0
            return
        time.sleep(after)
        process.kill()


def environment():
    import os

    paths = [str(Path(__file__).parents[2] / name) for name in ("core", "gui")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def fill_inbox(vault_path):
    """Files in the inbox of the default base, put there by hand; returns how many."""
    inbox = vault_path / "inbox" / "default"
    inbox.mkdir(parents=True)
    import os

    files = [
        path
        for path in sorted(resource("samples").iterdir())
        if path.suffix in {".md", ".txt", ".csv", ".json"}
    ]
    for path in files:
        target = inbox / path.name
        target.write_bytes(path.read_bytes())
        os.utime(target, (1, 1))  # still long enough to be taken up
    return len(files)


def contents(vault):
    return Counter(memory.content for memory in vault.memories.get_many(vault.memories.ids(EVERY)))


def settle(vault_path):
    """Let claims of the dead run out at once."""
    import sqlite3

    with sqlite3.connect(vault_path / "vault.db") as connection:
        connection.execute("UPDATE inbox_items SET claimed_until = 0 WHERE claimed_until IS NOT NULL")
        connection.execute("UPDATE dream_runs SET claimed_until = 0 WHERE claimed_until IS NOT NULL")
        connection.execute("DELETE FROM leases")
    connection.close()


def check_sound(vault):
    with vault._database.readers.read() as connection:
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
        assert (
            connection.exec_driver_sql("SELECT count(*) FROM memories WHERE state = 'staged'").scalar_one()
            == 0
        )


def kill_ingests(tmp_path, times, seed):
    reference = tmp_path / "reference"
    count = fill_inbox(reference)
    started = time.monotonic()
    run_and_kill(INGEST, reference, None)
    span = time.monotonic() - started
    with Vault.open(reference) as vault:
        expected = contents(vault)
    chance = random.Random(seed)
    left, vault_path = 0, tmp_path / "none"
    for number in range(times):
        if left == 0:  # everything is in: begin a new vault
            vault_path = tmp_path / f"killed{number}"
            fill_inbox(vault_path)
        run_and_kill(INGEST, vault_path, chance.uniform(0, span / 3))
        settle(vault_path)
        with Vault.open(vault_path) as vault:
            check_sound(vault)
            found = contents(vault)
            assert not found - expected, "made twice, or half made"
            left = count - sum(item.state is ItemState.DONE for item in vault.inbox.items())
    run_and_kill(INGEST, vault_path, None)
    with Vault.open(vault_path) as vault:
        assert contents(vault) == expected
        assert vault.index.pending() == 0
        assert all(item.state is ItemState.DONE for item in vault.inbox.items())
    inbox = vault_path / "inbox" / "default"
    assert [path.name for path in inbox.iterdir() if path.is_file()] == []
    assert len(list((inbox / "processed").iterdir())) == count


def fill_for_dream(vault_path):
    with Vault.open(vault_path) as vault:
        topics = [
            "the harbour bridge is closed on Mondays",
            "Priya wants weekly summaries",
            "the boiler needs water",
        ]
        records = [{"content": f"Note {n}: {topics[n % 3]}, said on day {n}."} for n in range(45)]
        records += [{"content": "Tomas disputed invoice 2041.", "tags": ["a"], "key": "k1"}]
        records += [{"content": f"The  staging cluster runs Postgres 16.2{end}"} for end in ("", ".", "!")]
        vault.memories.add_many(records)
        vault.index.wait()


def kill_dreams(tmp_path, times, seed):
    import shutil

    original = tmp_path / "original"
    fill_for_dream(original)
    reference = tmp_path / "reference"
    shutil.copytree(original, reference)
    started = time.monotonic()
    run_and_kill(DREAM, reference, None)
    span = time.monotonic() - started

    def outcome(vault):
        live = sorted(memory.content for memory in vault.memories.list(limit=500))
        insights = sorted(insight.content for insight in vault.insights.list(limit=500))
        return live, insights, vault.memories.count(MemoryFilter(consolidated=False))

    with Vault.open(original) as vault:
        everything = contents(vault)
    with Vault.open(reference) as vault:
        expected, after = outcome(vault), contents(vault)
    chance = random.Random(seed)
    vault_path = reference
    for number in range(times):
        with Vault.open(vault_path) as vault:
            if outcome(vault) == expected:
                vault_path = tmp_path / f"killed{number}"
                shutil.copytree(original, vault_path)
        run_and_kill(DREAM, vault_path, chance.uniform(0, span))
        settle(vault_path)
        with Vault.open(vault_path) as vault:
            check_sound(vault)
            assert not everything - contents(vault), "lost"
    run_and_kill(DREAM, vault_path, None)
    with Vault.open(vault_path) as vault:
        assert outcome(vault) == expected
        assert contents(vault) == after


@pytest.mark.timeout(300)
def test_a_killed_ingest_loses_nothing_and_makes_nothing_twice(tmp_path):
    kill_ingests(tmp_path, times=3, seed=1)


@pytest.mark.timeout(300)
def test_a_killed_dream_loses_nothing_and_makes_nothing_twice(tmp_path):
    kill_dreams(tmp_path, times=3, seed=2)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_fifty_killed_ingests(tmp_path):
    kill_ingests(tmp_path, times=50, seed=3)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_fifty_killed_dreams(tmp_path):
    kill_dreams(tmp_path, times=50, seed=4)
