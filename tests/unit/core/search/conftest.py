"""An embedder that needs no model: texts that share words are near to one another."""

import zlib
from collections.abc import Sequence

import numpy as np
import pytest

from reverie.search import finders
from reverie.search.terms import terms

DIMENSIONS = 64


class BagOfWords:
    name = "bag-of-words@1"
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> np.ndarray:
        found = np.full(DIMENSIONS, 0.01, np.float32)
        for term in terms(text):
            found += np.random.default_rng(zlib.crc32(term.encode())).standard_normal(DIMENSIONS)
        return (found / np.linalg.norm(found)).astype(np.float32)


@pytest.fixture(scope="session")
def bag_of_words():
    return BagOfWords()


@pytest.fixture
def by_words(monkeypatch, bag_of_words):
    """Vaults that are opened from here on use it."""
    monkeypatch.setattr("reverie.vault._load_embedder", lambda: bag_of_words)
    return bag_of_words


@pytest.fixture
def small_snapshots(monkeypatch):
    """Indexes of any size are written to disk."""
    monkeypatch.setattr(finders, "_SMALL", 0)
