from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import pytest

from reverie.domain.text import words


class Hashing:
    """A test double of an embedder: words hashed into 64 dimensions. Deterministic, and without meaning.

    ``calls`` has the number of texts of each call, so that a test can hold the work to a bound.
    """

    name = "hashing"
    dimensions = 64

    def __init__(self) -> None:
        self.calls: list[int] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.calls.append(len(texts))
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in words(text) or ["-"]:
                vectors[row, blake2b(word.encode(), digest_size=1).digest()[0] % self.dimensions] += 1
        unit: np.ndarray = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


@pytest.fixture
def hashing() -> Hashing:
    return Hashing()
