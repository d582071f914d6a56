"""Large vaults for timings: the texts are halves of real ones put together, the vectors the mix of theirs.

Made once and kept in the system's temporary folder, named by what is in them.

    python -m tests.bench.corpus 1000000      make one now, with progress on stderr
"""

import hashlib
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.bench.locomo import conversations

from reverie import Vault
from reverie.embed.base import Embedder
from reverie.embed.factory import shipped_embedder
from reverie.errors import UserError

CACHE = Path(tempfile.gettempdir()) / "reverie-bench"
STEP = 10_000  # rows a write

_FORM = 1  # raised by a change of what is made here
_NOISE = 0.02  # a number of a vector
_NUMBERED = 7  # texts that share a number: a store has rare words, more of them the larger it is
_ROOT = Path(__file__).parents[2]

Vectors = NDArray[np.float32]


class Corpus:
    """Any number of texts, always the same ones, each with a derived vector; and questions to ask of them."""

    def __init__(self, folder: Path | None) -> None:
        """folder: of locomo-dev.json; None takes sentences of the samples."""
        talks = conversations(folder) if folder else []
        self.base = [text for talk in talks for text in talk.turns] or list(_sentences())
        self.questions = [each.question for talk in talks for each in talk.asked] or [
            " ".join(words[len(words) // 3 :][:7]) for text in self.base if len(words := text.split()) > 8
        ]
        random.Random(7).shuffle(self.questions)
        digest = hashlib.sha256("\n".join(self.base).encode()).hexdigest()[:8]
        self.name = f"{'turns' if talks else 'samples'}-{digest}-{_FORM}"

    def texts(self, start: int, end: int) -> list[str]:
        halves = [text.split() for text in self.base]
        return [
            " ".join(
                [
                    *halves[a][: (len(halves[a]) + 1) // 2],
                    *halves[b][len(halves[b]) // 2 :],
                    str(n // _NUMBERED),
                ]
            )
            for n, (a, b) in enumerate(self._pairs(start, end).tolist(), start)
        ]

    def vectors(self, start: int, end: int) -> Vectors:
        """float32 (end - start, dimensions), unit length. start, end: multiples of a step."""
        pairs = self._pairs(start, end)
        found = self.base_vectors[pairs[:, 0]] + self.base_vectors[pairs[:, 1]]
        for at in range(start, end, STEP):
            part = found[at - start : at - start + STEP]
            noise = np.random.default_rng(at + 1).standard_normal((STEP, found.shape[1]), dtype=np.float32)
            part += _NOISE * noise[: len(part)]
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)

    @cached_property
    def base_vectors(self) -> Vectors:
        """Of the model that ships."""
        embedder = shipped_embedder()
        place = CACHE / f"{self.name}-{embedder.name.replace('/', '-')}.npy"
        if not place.exists():
            CACHE.mkdir(exist_ok=True)
            np.save(place, embedder.embed(self.base))
        return np.asarray(np.load(place), np.float32)

    def _pairs(self, start: int, end: int) -> NDArray[np.int64]:
        parts = [
            np.random.default_rng(at).integers(0, len(self.base), (STEP, 2)) for at in range(start, end, STEP)
        ]
        return np.concatenate(parts)[: end - start]


def corpus() -> Corpus:
    """Of the folder that REVERIE_BENCH_DATA names, of the samples where it names none."""
    folder = os.environ.get("REVERIE_BENCH_DATA")
    return Corpus(Path(folder) if folder else None)


def vault(source: Corpus, size: int, tell: Callable[[str], None] = lambda line: None) -> Path:
    """The folder of a vault with so many memories, each with a vector."""
    place = CACHE / f"{source.name}-{size}"
    if place.exists():
        return place
    beside = place.with_name(f".{place.name}")
    shutil.rmtree(beside, ignore_errors=True)
    with _no_model() as name, Vault.open(beside) as made:
        for start in range(0, size, STEP):
            end = min(start + STEP, size)
            made.memories.add_many(
                {"content": text, "category": f"bench/{n % 40}"}
                for n, text in enumerate(source.texts(start, end), start)
            )
            rows = sorted(made._database.embeddings.waiting(STEP), key=lambda row: row.seq)
            made._database.embeddings.store(name, rows, source.vectors(start, end))
            tell(f"{end:,} of {size:,} memories")
        assert not made.index.pending()
    with Vault.open(beside) as made:
        made.search(source.questions[0])
    beside.rename(place)
    return place


@contextmanager
def _no_model() -> Iterator[str]:
    """No vector is made while rows are written; gives the name of the model that would have made them."""

    def none() -> Embedder:
        raise UserError("vectors are derived here")

    patch = pytest.MonkeyPatch()
    patch.setattr("reverie.vault._load_embedder", none)
    yield shipped_embedder().name
    patch.undo()


def _sentences() -> Iterator[str]:
    places = [*sorted((_ROOT / "resources" / "samples").iterdir()), _ROOT / "packaging" / "calibration.txt"]
    for path in places:
        if path.suffix in (".txt", ".md", ".json", ".csv"):
            lines = path.read_text(encoding="utf-8").splitlines()
            yield from (line.strip() for line in lines if len(line.split()) > 5)


if __name__ == "__main__":
    vault(corpus(), int(sys.argv[1]), lambda line: print(line, file=sys.stderr, flush=True))  # noqa: T201
