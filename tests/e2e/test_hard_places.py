"""A full disk, folders that can't be written, a vault that is closed at work: a clear word, and nothing lost."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reverie import Vault
from reverie.domain.inbox import ItemState
from reverie.errors import Cancelled, ReverieError, UserError

resource = pytest.importorskip("resource", reason="limits on the size of files are of Unix")

PROSE = "The harbour bridge is closed on Mondays. Use the ferry instead, it leaves at eight. "


@contextmanager
def full_disk(free: int, *files: Path) -> Iterator[None]:
    """No file may grow beyond ``free`` bytes, or that much beyond the largest of ``files``."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = max((file.stat().st_size for file in files if file.exists()), default=0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + free, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "vault"


def contents(vault: Vault) -> list[str]:
    return [memory.content for memory in vault.memories.list(limit=500)]


def test_a_new_vault_on_a_full_disk_is_not_called_damaged(folder: Path) -> None:
    with full_disk(2000), pytest.raises(UserError) as raised:
        Vault.open(folder)
    assert "disk" in raised.value.title
    assert raised.value.retryable
    with Vault.open(folder) as vault:
        assert contents(vault) == []


def test_a_file_that_finds_no_room_is_failed_and_read_on_retry(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text(PROSE * 10_000, encoding="utf-8")
    with Vault.open(folder) as vault:
        with full_disk(100_000, vault.file, vault.file.with_name(f"{vault.file.name}-wal")):
            (item,) = vault.ingest(path)
        assert (item.state, item.retryable) == (ItemState.FAILED, True)
        assert "disk is full" in item.reason
        assert [file.name for file in vault.inbox.folder_of("default").iterdir()] == []
        (item,) = vault.ingest(path)
        assert item.state is ItemState.DONE


def test_memories_that_find_no_room_are_all_left_out_and_come_later_once(
    folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("\n\n".join(f"Note {n}. {PROSE * 12}" for n in range(150)), encoding="utf-8")
    with Vault.open(folder) as vault:
        log = vault.file.with_name(vault.file.name + "-wal")
        with full_disk(path.stat().st_size // 2, vault.file, log, path):
            try:
                (item,) = vault.ingest(path)
                told = item.reason
            except UserError as error:  # not even the item's state found room
                told = error.title
        assert "disk" in told.lower()
        assert contents(vault) == []
    with Vault.open(folder) as vault:
        (item,) = vault.inbox.items()
        if item.state is ItemState.READING:  # until the claim of the failed try runs out
            vault._database.inbox.change(item.id, state=ItemState.WAITING)
        vault.inbox.retry(item.id)
        vault.inbox.run()
        assert vault.inbox.get(item.id).state is ItemState.DONE
        found = contents(vault)
    assert len(found) == len(set(found))
    assert {f"Note {n}." for n in range(150)} <= {text[: text.index(".") + 1] for text in found}


def test_closing_a_vault_stops_what_it_reads_and_leaves_it_waiting(folder: Path, tmp_path: Path) -> None:
    paths = []
    for n in range(30):
        paths.append(tmp_path / f"{n}.txt")
        paths[-1].write_text(f"File {n} tells of the harbour. {PROSE}", encoding="utf-8")
    begun, told = threading.Event(), list[BaseException]()
    vault = Vault.open(folder)

    def read() -> None:
        try:
            vault.ingest(paths, progress=lambda done, total, name: begun.set() if done else None)
        except ReverieError as error:
            told.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    assert begun.wait(30)
    vault.close()
    thread.join(30)
    assert not thread.is_alive()
    assert not told or isinstance(told[0], Cancelled)
    with pytest.raises(UserError, match="closed"):
        vault.ingest(paths[0])
    with Vault.open(folder) as again:
        states = {item.state for item in again.inbox.items()}
        assert states <= {ItemState.DONE, ItemState.WAITING}
        again.inbox.run()
        assert len(contents(again)) == 30


def run(*arguments: str, **options: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "reverie", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        command, env=environment, stderr=subprocess.PIPE, encoding="utf-8", check=False, **options
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_an_answer_that_can_not_be_written_is_no_bug(folder: Path) -> None:
    with Vault.open(folder) as vault:
        vault.memories.add("Ada likes the ferry")
    with open("/dev/full", "w") as full:
        done = run("history", "--json", "--vault", str(folder), stdout=full)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "No space left" in done.stderr


def test_with_its_output_closed_a_verb_does_its_work(folder: Path) -> None:
    done = run("add", "Ada likes the ferry", "--vault", str(folder), preexec_fn=lambda: os.close(1))
    assert done.returncode == 0, done.stderr
    with Vault.open(folder) as vault:
        assert contents(vault) == ["Ada likes the ferry"]
