"""Groups of vectors that are near each other."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from reverie.reason.clusters import clusters
from reverie.reason.summaries import unit

A, B, C = np.eye(3, dtype=np.float32)


def test_near_ones_are_grouped_and_lone_ones_left_alone() -> None:
    vectors = unit(np.array([A, B, A + 0.1 * B, C, B + 0.1 * C]))
    assert clusters(vectors, 0.8) == [[0, 2], [1, 4]]


def test_a_chain_of_neighbours_is_no_group() -> None:
    angles = np.radians(np.arange(0, 121, 30))
    chain = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    assert all(len(group) < 5 for group in clusters(chain, 0.8))


def test_rows_of_zeros_join_nothing() -> None:
    assert clusters(np.zeros((3, 4), dtype=np.float32), 0.0) == []
    assert clusters(np.zeros((0, 4), dtype=np.float32), 0.0) == []


@given(arrays(np.float32, (8, 3), elements=st.floats(-1, 1, width=32)), st.floats(0.0, 1.0))
def test_each_row_is_in_one_group_at_most(vectors: np.ndarray, threshold: float) -> None:
    groups = clusters(unit(vectors), threshold)
    rows = [row for group in groups for row in group]
    assert len(rows) == len(set(rows))
    assert all(len(group) > 1 for group in groups)
    assert groups == clusters(unit(vectors), threshold)
