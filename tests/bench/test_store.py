"""How fast the store writes, opens, lists and finds."""

import shutil
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from reverie import Vault
from reverie.domain.memory import MemoryFilter, Sort

pytestmark = [pytest.mark.bench, pytest.mark.timeout(1800)]

Vaults = Callable[[int], Path]
Texts = Callable[..., Iterator[str]]


def test_ten_thousand_in_one_call(
    vaults: Vaults, make_texts: Texts, tmp_path: Path, table: Any, size: int
) -> None:
    copy = shutil.copytree(vaults(size), tmp_path / "vault")
    records = [{"content": text} for text in make_texts(10_000, seed=11)]
    with Vault.open(copy) as vault:
        start = time.perf_counter()
        vault.memories.add_many(records)
        table.add("adding 10,000 memories in one call", size, time.perf_counter() - start, "s", 3.0)


def test_one_add(vaults: Vaults, tmp_path: Path, table: Any, size: int) -> None:
    copy = shutil.copytree(vaults(size), tmp_path / "vault")
    number = count()
    with Vault.open(copy) as vault:
        vault.memories.add("the first one warms up")
        median = table.median_ms(lambda: vault.memories.add(f"Ada moved meeting number {next(number)}"), 200)
        table.add("one add, p50 of 200", size, median, "ms", 5.0)


def test_opening(vaults: Vaults, table: Any, size: int) -> None:
    def once() -> None:
        Vault.open(folder).close()

    folder = vaults(size)
    once()
    table.add("opening and closing a vault, p50 of 5", size, table.median_ms(once, 5) / 1000, "s", 0.3)


def test_ordered_ids(vaults: Vaults, table: Any, size: int) -> None:
    with Vault.open(vaults(size)) as vault:
        assert len(vault.memories.ids(MemoryFilter(), Sort.NEWEST)) == size
        median = table.median_ms(lambda: vault.memories.ids(MemoryFilter(), Sort.NEWEST), 5)
        table.add("all ids in order, p50 of 5", size, median / 1000, "s", 0.3)


@pytest.mark.parametrize("mode", ["keyword", "hybrid"])
def test_searching(vaults: Vaults, make_texts: Texts, table: Any, size: int, mode: str) -> None:
    queries = iter(make_texts(40, seed=23))
    with Vault.open(vaults(size)) as vault:
        vault.search("Ada ordered the printer", mode=mode)  # type: ignore[arg-type]
        median = table.median_ms(lambda: vault.search(next(queries)[:60], mode=mode), 20)  # type: ignore[arg-type]
        table.add(f"{mode} search, p50 of 20", size, median, "ms")
