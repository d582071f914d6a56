"""The vectors' worker hands its work on when its process ends."""

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from reverie import Vault


class Slow:
    """An embedder that takes a moment and tells when it is at work."""

    name = "slow"
    dimensions = 4

    def __init__(self) -> None:
        self.at_work = threading.Event()

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.at_work.set()
        time.sleep(0.2)
        return np.full((len(texts), 4), 0.5, dtype=np.float32)


def test_process_that_ends_at_work_lets_the_next_go_on_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow()
    monkeypatch.setattr("reverie.vault._load_embedder", lambda: slow)
    monkeypatch.setattr("reverie.store.leases.HOLDER", "first process")
    with Vault.open(tmp_path) as vault:
        vault.memories.add("one")
        assert slow.at_work.wait(10)

    monkeypatch.setattr("reverie.store.leases.HOLDER", "second process")
    with Vault.open(tmp_path) as vault:
        vault.memories.add("two")
        assert vault.index.wait(10)  # a lease lasts longer


class Failing(Slow):
    def embed(self, texts: Sequence[str]) -> np.ndarray:
        raise ZeroDivisionError


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_whoever_waits_is_told_where_an_embedder_failed_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reverie.vault._load_embedder", Failing)
    with Vault.open(tmp_path) as vault:
        vault.memories.add("one")
        assert not vault.index.wait()
        assert vault.search("one", mode="keyword")
