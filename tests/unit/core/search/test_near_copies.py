"""The nearest vectors are found among many, near-copies and very copies too."""

from typing import Any, cast

import numpy as np
import pytest

from reverie.search.snapshot import Snapshot
from reverie.search.vectors import VectorIndex, signatures

SIZE, DIMENSIONS = 3_000, 384
RANDOM = np.random.default_rng(5)


def unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def index_of(vectors: np.ndarray) -> VectorIndex:
    """Row numbers are the seqs."""
    index = VectorIndex("memory", cast(Any, None), "some model", DIMENSIONS)
    arrays = {
        "seqs": np.arange(len(vectors)),
        "vectors": vectors.astype(np.float16),
        "signs": np.ascontiguousarray(signatures(vectors).T),
    }
    index.thaw(Snapshot(0, arrays))
    return index


CENTRES = unit(RANDOM.standard_normal((20, DIMENSIONS)))
STORES = {
    "unlike": unit(RANDOM.standard_normal((SIZE, DIMENSIONS))),
    "near-copies": unit(
        np.tile(CENTRES, (SIZE // 20, 1)) + 0.02 * RANDOM.standard_normal((SIZE, DIMENSIONS))
    ),
    "copies": np.tile(CENTRES, (SIZE // 20, 1)),
    "one text again and again": np.tile(CENTRES[:1], (SIZE, 1)),
}


NEAR = 0.5  # cosine; what lies further off tells nothing


def assert_nearest(found: list[int], cosines: np.ndarray, rows: np.ndarray) -> None:
    """Which of several copies is found does not matter; half precision is what is stored."""
    assert len(set(found)) == 10
    assert set(found) <= set(rows.tolist())
    best = np.sort(cosines[rows])[::-1][:10]
    near = best[best > NEAR]
    assert len(near)
    assert np.sort(cosines[found])[::-1][: len(near)] == pytest.approx(near, abs=2e-3)


@pytest.mark.parametrize("name", STORES)
def test_the_nearest_are_found(name: str) -> None:
    vectors = STORES[name]
    index = index_of(vectors)
    for row in range(0, SIZE, 300):
        query = unit(vectors[row : row + 1] + 0.02 * RANDOM.standard_normal((1, DIMENSIONS)))[0]

        assert_nearest(index.nearest(query, 10), vectors @ query, np.arange(SIZE))


@pytest.mark.parametrize("name", STORES)
def test_the_nearest_of_those_that_are_allowed_are_found(name: str) -> None:
    vectors = STORES[name]
    allowed = np.arange(0, SIZE, 3)
    query = vectors[0]

    assert_nearest(index_of(vectors).nearest(query, 10, allowed), vectors @ query, allowed)
