"""What the timings share: vaults of three sizes, made once, and the table at the end."""

import json
import os
import random
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from tests.bench.locomo import Conversation, conversations

from reverie import Vault

SIZES = (1_000, 10_000, 100_000)
_CHUNK = 10_000
_WORDS = [
    "meeting",
    "invoice",
    "printer",
    "window",
    "train",
    "garden",
    "server",
    "release",
    "birthday",
    "coffee",
    "budget",
    "holiday",
    "report",
    "battery",
    "customer",
    "contract",
    "kitchen",
    "library",
    "doctor",
    "museum",
    "harbour",
    "ticket",
    "password",
    "bicycle",
    "weather",
    "concert",
    "recipe",
    "deadline",
    "feedback",
    "network",
    "keyboard",
    "mountain",
    "passport",
    "insurance",
    "electrician",
    "neighbour",
    "schedule",
    "delivery",
]
_NAMES = ["Ada", "Tomas", "Ines", "Priya", "Jonas", "Mara", "Ewan", "Lucia", "Henrik", "Yuki", "Omar", "Vera"]
_VERBS = [
    "asked",
    "promised",
    "ordered",
    "repaired",
    "cancelled",
    "moved",
    "finished",
    "forgot",
    "paid",
    "described",
    "tested",
    "sold",
]


@dataclass(frozen=True)
class Row:
    what: str
    size: int | None
    measured: str
    limit: str
    within: bool | None


_rows: list[Row] = []
_sheets: dict[str, list[list[str]]] = {}


class Table:
    """Takes what was measured; a row over its limit fails the test that measured it, after all are printed."""

    def add(
        self, what: str, size: int | None, value: float, unit: str, limit: float | None = None, note: str = ""
    ) -> None:
        within = None if limit is None else value <= limit
        shown = f"{value:.3g} {unit}" + (f" ({note})" if note else "")
        _rows.append(Row(what, size, shown, "" if limit is None else f"{limit:g} {unit}", within))
        assert within is not False, f"{what}: {shown}, and {limit:g} {unit} is the limit"

    def least(
        self, what: str, value: float, unit: str, limit: float, size: int | None = None, note: str = ""
    ) -> None:
        """For what is better the more it is."""
        shown = f"{value:.3g} {unit}" + (f" ({note})" if note else "")
        _rows.append(Row(what, size, shown, f"{limit:g} {unit} or more", value >= limit))
        assert value >= limit, f"{what}: {shown}, and {limit:g} {unit} is the least"

    def sheet(self, title: str, header: Sequence[str], rows: Mapping[str, Sequence[str]]) -> None:
        """Several values a row, with no limits."""
        _sheets[title] = [["", *header], *([name, *cells] for name, cells in rows.items())]

    @staticmethod
    def median_ms(act: Callable[[], object], times: int) -> float:
        """The median of several runs, in milliseconds."""
        spans = []
        for _ in range(times):
            start = time.perf_counter()
            act()
            spans.append(time.perf_counter() - start)
        return statistics.median(spans) * 1000


@pytest.fixture(scope="session")
def talks() -> list[Conversation]:
    """LoCoMo's conversations, or none where REVERIE_BENCH_DATA names no folder."""
    folder = os.environ.get("REVERIE_BENCH_DATA")
    return conversations(Path(folder)) if folder else []


@pytest.fixture(scope="session")
def table() -> Table:
    return Table()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for title, lines in _sheets.items():
        terminalreporter.section(title)
        _print(terminalreporter, lines)
    if not _rows:
        return
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    terminalreporter.section(f"timings ({os.cpu_count()} cores{load})")
    header = Row("what", None, "measured", "limit", None)
    cells = [
        (
            row.what,
            f"{row.size:,}" if row.size else "",
            row.measured,
            row.limit,
            {True: "ok", False: "OVER", None: ""}[row.within],
        )
        for row in [header, *_rows]
    ]
    _print(terminalreporter, cells)


def _print(terminalreporter: pytest.TerminalReporter, lines: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        terminalreporter.write_line(
            "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each timing that asks for a ``size`` runs with all of its module's ``SIZES``, or of these."""
    if "size" in metafunc.fixturenames:
        metafunc.parametrize("size", getattr(metafunc.module, "SIZES", SIZES))


@pytest.fixture(scope="session")
def make_texts() -> Callable[..., Iterator[str]]:
    return texts


def texts(count: int, seed: int = 7) -> Iterator[str]:
    """Texts of one to four sentences, the same each time. ``REVERIE_BENCH_DATA`` names a folder
    whose JSON and text files give the sentences instead."""
    choose = random.Random(seed)
    sentences = _given_sentences()
    for number in range(count):
        parts = [
            choose.choice(sentences) if sentences else _sentence(choose) for _ in range(choose.randint(1, 4))
        ]
        yield f"{' '.join(parts)} No. {number}."


def _sentence(choose: random.Random) -> str:
    words = " ".join(choose.choices(_WORDS, k=choose.randint(4, 9)))
    return f"{choose.choice(_NAMES)} {choose.choice(_VERBS)} the {words} on {choose.randint(1, 28)} March."


def _given_sentences() -> list[str]:
    named = os.environ.get("REVERIE_BENCH_DATA")
    if not named:
        return []
    found: list[str] = []
    for path in sorted(Path(named).iterdir()):
        content = path.read_text(encoding="utf-8") if path.suffix in (".json", ".txt") else ""
        found += _strings(json.loads(content)) if path.suffix == ".json" else content.splitlines()
    return [text for text in found if len(text) >= 20]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


class RandomVectors:
    """In the place of the model where it is not what is timed: vectors of the right form, at once."""

    def __init__(self, name: str, dimensions: int = 384) -> None:
        self.name = name
        self.dimensions = dimensions
        self._random = np.random.default_rng(7)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        rows = self._random.standard_normal((len(texts), self.dimensions), dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture(scope="session")
def no_model() -> Iterator[None]:
    """Vectors cost nothing in this run, so that writing alone is timed."""
    from reverie.embed.factory import load_embedder

    name = load_embedder().name
    patch = pytest.MonkeyPatch()
    patch.setattr("reverie.vault._load_embedder", lambda: RandomVectors(name))
    yield
    patch.undo()


@pytest.fixture(scope="session")
def vaults(tmp_path_factory: pytest.TempPathFactory, no_model: None) -> Callable[[int], Path]:
    """The folder of a vault with that many memories, each with a vector; made once."""
    made: dict[int, Path] = {}

    def make(size: int) -> Path:
        if size not in made:
            folder = tmp_path_factory.mktemp(f"vault-{size}")
            with Vault.open(folder) as vault:
                records = [
                    {"content": text, "category": f"bench/{number % 40}"}
                    for number, text in enumerate(texts(size))
                ]
                for start in range(0, size, _CHUNK):
                    vault.memories.add_many(records[start : start + _CHUNK])
                vault.index.wait()
            made[size] = folder
        return made[size]

    return make
