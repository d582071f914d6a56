import zlib
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reverie.dream.passes import neighbours


def vocabulary(words):
    found = {zlib.crc32(word.encode()) for word in words}
    return np.fromiter(found, np.uint32, len(found))


@given(st.lists(st.sets(st.sampled_from("abcdefgh"), max_size=6), max_size=14))
def test_every_text_meets_all_that_hold_its_words(texts):
    met = set()
    for group in neighbours.groups([vocabulary(text) for text in texts], lambda: False):
        met |= {(int(one), int(other)) for one in group.holders for other in group.dropped}
    for one, other in combinations(range(len(texts)), 2):
        for kept, dropped in ((one, other), (other, one)):
            if texts[dropped] and texts[dropped] <= texts[kept]:
                assert (kept, dropped) in met


def test_near_pairs_have_the_same_kind_and_keep_what_comes_first(monkeypatch):
    monkeypatch.setattr(neighbours, "_ROWS", 2)
    monkeypatch.setattr(neighbours, "_COLUMNS", 2)
    matrix = np.array([[1, 0], [1, 0], [0, 1], [1, 0], [0, 1]], np.float32)
    kinds = np.array([0, 0, 0, 1, 0])
    everybody = np.arange(5)
    pairs = neighbours.near(neighbours.Group(everybody, everybody), matrix, kinds, 0.9, lambda: False)
    assert sorted((kept, dropped) for kept, dropped, _cosine in pairs) == [(0, 1), (2, 4)]


def test_only_the_nearest_are_kept(monkeypatch):
    monkeypatch.setattr(neighbours, "_NEIGHBOURS", 2)
    angles = np.array([0.3, 0.2, 0.1, 0.0])
    matrix = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    everybody = np.arange(4)
    pairs = neighbours.near(
        neighbours.Group(everybody, everybody), matrix, np.zeros(4, np.int64), 0.5, lambda: False
    )
    assert {(kept, dropped) for kept, dropped, _cosine in pairs if dropped == 3} == {(1, 3), (2, 3)}
