"""How fast search answers, and what it needs, beside other ways over the same texts in the same run.

Texts are halves of real turns put together, vectors the mix of theirs (``corpus.py``): no text of a large vault was embedded.
REVERIE_BENCH_LARGE=1 measures at 100,000 and 1,000,000 in place of 10,000 and 100,000; see ``make bench-1m``.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from tests.bench import corpus as corpora
from tests.bench import rivals
from tests.bench.corpus import Corpus

from reverie.embed.factory import shipped_embedder
from reverie.search.snapshot import Snapshot
from reverie.search.vectors import VectorIndex, signatures
from reverie.store.snapshots import FOLDER

pytestmark = [pytest.mark.bench, pytest.mark.timeout(3600)]

SMALL, USUAL, LARGE = 10_000, 100_000, 1_000_000
SIZES = (USUAL, LARGE) if os.environ.get("REVERIE_BENCH_LARGE") else (SMALL, USUAL)
ASKED = 200  # questions
HERE = Path(__file__).parent

# Limits by size, ms at p95.
HYBRID = {USUAL: 25.0, LARGE: 100.0}
TYPING = {USUAL: 15.0}

DERIVED = "texts recombined, vectors derived"


@pytest.fixture(scope="module")
def source() -> Corpus:
    return corpora.corpus()


@pytest.fixture(scope="module")
def folder(source: Corpus) -> Callable[[int], Path]:
    return lambda size: corpora.vault(source, size)


@pytest.fixture(scope="module")
def searched(source: Corpus, folder: Callable[[int], Path]) -> Callable[[int], dict[str, Any]]:
    """Times by mode of one process that searches a vault of that size."""
    return cache(
        lambda size: search(folder(size), source.questions[: ASKED + 1], "hybrid", "keyword", "typing")
    )


def search(folder: Path, questions: list[str], *modes: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(HERE / "searching.py"), str(folder), *modes],
        input=json.dumps(questions),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=1800,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def ms(spans: list[float], percent: float) -> float:
    return float(np.percentile(spans, percent)) * 1000


def shown(spans: list[float]) -> str:
    return f"p50 {ms(spans, 50):.3g} ms"


@pytest.mark.parametrize("mode", ["hybrid", "keyword", "typing"])
def test_search(searched: Callable[[int], dict[str, Any]], table: Any, size: int, mode: str) -> None:
    limit = {"hybrid": HYBRID, "typing": TYPING}.get(mode, {}).get(size)
    spans = searched(size)[mode]
    name = {"hybrid": "hybrid search, question embedded", "typing": "search while typing"}.get(
        mode, "keyword search"
    )
    table.add(f"{name}, p95", size, ms(spans, 95), "ms", limit, f"{shown(spans)}; {DERIVED}")


def test_growth(searched: Callable[[int], dict[str, Any]], table: Any) -> None:
    smaller, larger = SIZES
    ratio = ms(searched(larger)["hybrid"], 95) / ms(searched(smaller)["hybrid"], 95)
    limit = 5.0 if larger == LARGE else None
    table.add(f"hybrid search, p95 in times of that at {smaller:,}", larger, ratio, "times", limit)


def test_first_search(source: Corpus, folder: Callable[[int], Path], table: Any, size: int) -> None:
    """Opening and loading the model included."""
    place = folder(size)
    first = search(place, source.questions[:1])["first"]
    aside = place / f".{FOLDER}"
    (place / FOLDER).rename(aside)
    try:
        anew = search(place, source.questions[:1])["first"]
    finally:
        shutil.rmtree(place / FOLDER, ignore_errors=True)
        aside.rename(place / FOLDER)
    table.add("first search of a process, with a snapshot", size, first, "s")
    table.add("first search of a process, from nothing", size, anew, "s")


def test_index_of_words_from_nothing(
    source: Corpus, folder: Callable[[int], Path], table: Any, size: int
) -> None:
    seconds = search(folder(size), source.questions[:1], "indexing")["indexing"]
    table.add("index of words, from nothing", size, seconds, "s", {USUAL: 10.0}.get(size))


def test_memory(searched: Callable[[int], dict[str, Any]], table: Any, size: int) -> None:
    limit = {USUAL: 350.0}.get(size)
    table.add("whole process after searching", size, searched(size)["memory"] / 1e6, "MB", limit)


def test_memory_while_embedding(
    source: Corpus, folder: Callable[[int], Path], tmp_path: Path, table: Any
) -> None:
    copy = shutil.copytree(folder(USUAL), tmp_path / "vault")
    found = search(copy, source.questions[:60], "embedding")
    limits = "MB", 500.0, f"searching meanwhile: {shown(found['embedding'])}"
    table.add("whole process while embedding", USUAL, found["embedding_memory"] / 1e6, *limits)


def test_search_while_another_process_writes(
    source: Corpus, folder: Callable[[int], Path], tmp_path: Path, table: Any
) -> None:
    copy = shutil.copytree(folder(USUAL), tmp_path / "vault")
    asked = source.questions[: ASKED + 1]
    quiet = search(copy, asked, "hybrid")["hybrid"]
    with writer(copy, 50) as process:
        busy = search(copy, asked, "hybrid")["hybrid"]
        rate = float(process.communicate()[0].split()[-1])
    ratio = ms(busy, 95) / ms(quiet, 95)
    note = f"{ms(quiet, 95):.3g} and {ms(busy, 95):.3g} ms; {rate:.0f} writes a second"
    table.add("hybrid search, p95 in times of that without writes", USUAL, ratio, "times", 1.5, note)


def writer(folder: Path, rate: int) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, str(HERE / "writing.py"), str(folder), str(rate)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "writing"
    return process


def test_beside_others(
    source: Corpus, searched: Callable[[int], dict[str, Any]], table: Any, size: int
) -> None:
    """Others are given the question's vector; ours embeds the question. ms, and how many times ours is faster."""
    ours = searched(size)["hybrid"]
    seconds = {"Reverie": ours} | dict(others(source, size))
    table.sheet(
        f"searching {size:,} texts, {DERIVED}",
        ["p50 ms", "p95 ms", "times Reverie, p50"],
        {
            name: [f"{ms(spans, 50):.3g}", f"{ms(spans, 95):.3g}", f"{ms(spans, 50) / ms(ours, 50):.3g}"]
            for name, spans in seconds.items()
        },
    )
    if size == USUAL:
        for name, least in ((rivals.RankBm25.name, 15), ("FTS5 unicode61, stopwords dropped", 3)):
            ratio = ms(seconds[name], 50) / ms(ours, 50)
            table.least(f"hybrid search, times faster than {name}", ratio, "times", least, size)


def others(source: Corpus, size: int) -> Iterator[tuple[str, list[float]]]:
    texts, vectors = source.texts(0, size), source.vectors(0, size)
    questions = source.questions[:ASKED]
    asked = list(zip(questions, shipped_embedder().embed(questions), strict=True))
    makers: list[tuple[Callable[[], rivals.Rival], int]] = [  # and how many questions there is time for
        (lambda: rivals.RankBm25(texts), 5 if size == LARGE else 20),
        (lambda: rivals.Fts5(texts), 20),
        (lambda: rivals.Fts5(texts, telling=True), 50),
        (lambda: rivals.Bm25s(texts), 50),
        (lambda: rivals.Tantivy(texts), ASKED),
        (lambda: rivals.Cosine(vectors), 50),
        (lambda: rivals.Hnsw(vectors), ASKED),
    ]
    for make, count in makers:
        try:
            rival = make()
        except ImportError as error:
            yield f"not there: {error.name or error}"[:60], [np.nan]
            continue
        rival.rank(*asked[-1], 10)
        spans = []
        for question, vector in asked[:count]:
            start = time.perf_counter()
            rival.rank(question, vector, 10)
            spans.append(time.perf_counter() - start)
        yield rival.name, spans


@pytest.mark.parametrize("of", ["texts", "near-copies"])
def test_nearest_vectors(source: Corpus, table: Any, size: int, of: str) -> None:
    if of == "texts":
        vectors = source.vectors(0, size)
        asked = shipped_embedder().embed(source.questions[:ASKED])
    else:
        vectors = near_copies(source, size)
        asked = near_copies(source, size, seed=1)[:: size // ASKED]
    index = indexed(vectors)
    shares, spans = [], []
    for vector in asked:
        exact = rivals.best(vectors @ vector, 10)
        start = time.perf_counter()
        found = index.nearest(vector, 10)
        spans.append(time.perf_counter() - start)
        shares.append(len(set(found).intersection(exact.tolist())) / 10)
    table.least(
        f"nearest vectors among {of}, recall@10", float(np.mean(shares)), "", 0.95, size, shown(spans)
    )


def near_copies(source: Corpus, size: int, seed: int = 0) -> rivals.Vector:
    """About 170 of each of some texts."""
    draw = np.random.default_rng(seed)
    base = source.base_vectors[: max(1, size // 170)]
    base = np.concatenate([base] * (size // len(base) + 1))[:size]
    made = base + 0.02 * draw.standard_normal(base.shape, dtype=np.float32)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)


def indexed(vectors: rivals.Vector) -> VectorIndex:
    index = VectorIndex("memory", cast(Any, None), "derived", vectors.shape[1])
    arrays = {
        "seqs": np.arange(len(vectors)),
        "vectors": vectors.astype(np.float16),
        "signs": np.ascontiguousarray(signatures(vectors).T),
    }
    index.thaw(Snapshot(0, arrays))
    return index
