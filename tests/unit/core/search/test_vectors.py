"""The nearest rows by meaning, against exact cosines."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.errors import Cancelled
from reverie.search.vectors import VectorIndex, signatures

MODEL, DIMENSIONS = "model", 384


class Stored:
    """What the store says of vectors: (seq, vector) in the order in which they were written; deleted ones are gone."""

    def __init__(self, dimensions=DIMENSIONS):
        self.rows = []
        self.dimensions = dimensions

    def put(self, seqs, vectors):
        self.rows += zip(list(seqs), np.asarray(vectors, np.float16), strict=True)

    def delete(self, seqs):
        self.rows = [None if row is None or row[0] in seqs else row for row in self.rows]

    def since(self, _kind, _model, rev):
        fresh = {}
        for row in self.rows[rev:]:
            if row is not None:
                fresh.pop(row[0], None)
                fresh[row[0]] = row[1]
        vectors = np.array(list(fresh.values()), np.float16).reshape(-1, self.dimensions)
        return len(self.rows), np.array(list(fresh), np.int64), vectors

    def seqs(self, _kind, _model):
        return np.array(sorted({row[0] for row in self.rows if row is not None}), np.int64)


def unit(vectors):
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def index_of(stored):
    index = VectorIndex("memory", stored, MODEL, stored.dimensions)
    index.catch_up()
    return index


def recall(index, known, queries, count=10, allowed=None):
    seqs = np.array([seq for seq in known if allowed is None or seq in allowed])
    matrix = np.stack([known[seq] for seq in seqs]).astype(np.float16).astype(np.float32)
    found = 0
    for query in queries:
        cosines = matrix @ query
        least = np.sort(cosines)[-min(count, len(seqs))] - 1e-4  # of equals any will do
        near = index.nearest(query, count, None if allowed is None else np.array(sorted(allowed)))
        assert len(near) == len(set(near)) == min(count, len(seqs))
        found += sum(known[seq].astype(np.float16).astype(np.float32) @ query >= least for seq in near)
    return found / (len(queries) * min(count, len(seqs)))


@pytest.fixture(scope="module")
def crowd():
    """4,000 rows about 40 topics, with near-copies, as the texts of one person are."""
    chance = np.random.default_rng(7)
    topics = chance.standard_normal((40, DIMENSIONS))
    rows = unit(topics[chance.integers(0, 40, 3_000)] + 1.1 * chance.standard_normal((3_000, DIMENSIONS)))
    copies = unit(rows[chance.integers(0, 3_000, 1_000)] + 0.01 * chance.standard_normal((1_000, DIMENSIONS)))
    vectors = np.concatenate([rows, copies])
    queries = unit(vectors[chance.integers(0, 4_000, 60)] + 0.03 * chance.standard_normal((60, DIMENSIONS)))
    return vectors, queries


def test_nearest_among_near_copies_is_nearly_exact(crowd):
    vectors, queries = crowd
    stored = Stored()
    stored.put(range(1, len(vectors) + 1), vectors)
    known = dict(enumerate(vectors, start=1))
    assert recall(index_of(stored), known, queries) > 0.95


def test_nearest_of_those_that_are_allowed(crowd):
    vectors, queries = crowd
    stored = Stored()
    stored.put(range(1, len(vectors) + 1), vectors)
    known = dict(enumerate(vectors, start=1))
    index = index_of(stored)
    assert recall(index, known, queries, allowed=set(range(1, 4_001, 3))) > 0.95
    assert recall(index, known, queries, allowed=set(range(1, 4_001, 500))) == 1
    assert index.nearest(queries[0], 5, np.array([], np.int64)) == []
    assert index.nearest(queries[0], 5, np.array([10**9], np.int64)) == []


def test_a_replaced_vector_takes_no_place(crowd):
    """Rows that were nearest until their text was changed crowd nobody out."""
    vectors, queries = crowd
    stored = Stored()
    stored.put(range(1, len(vectors) + 1), vectors)
    index = index_of(stored)
    query = queries[0]
    crowding = range(10_001, 11_001)
    stored.put(crowding, np.tile(query, (1_000, 1)))
    index.catch_up()
    stored.put(crowding, np.tile(-query, (1_000, 1)))
    index.catch_up()
    known = {**dict(enumerate(vectors, start=1)), **dict.fromkeys(crowding, -query)}
    assert recall(index, known, [query]) == 1
    assert recall(index, known, [query], allowed={1, 2, 3, *crowding}) == 1


def test_what_was_deleted_is_in_no_snapshot(crowd):
    vectors, _queries = crowd
    stored = Stored()
    stored.put(range(1, 11), vectors[:10])
    index = index_of(stored)
    stored.delete({3, 7})
    frozen = index.freeze()
    assert frozen.arrays["seqs"].tolist() == [1, 2, 4, 5, 6, 8, 9, 10]
    written = frozen.arrays["vectors"].tobytes()
    assert vectors[2].astype(np.float16).tobytes() not in written
    assert vectors[3].astype(np.float16).tobytes() in written


small = st.lists(st.tuples(st.integers(1, 12), st.integers(0, 9)), max_size=30)


@settings(deadline=None, max_examples=60)
@given(small, small, st.integers(0, 9), st.sets(st.integers(1, 14)), st.integers(1, 15))
def test_a_small_index_is_exact_whatever_was_replaced_and_frozen(one, other, question, allowed, count):
    base = unit(np.random.default_rng(3).standard_normal((10, 64)))
    stored = Stored(64)
    index = index_of(stored)
    for part in (one, other):
        stored.put([seq for seq, _n in part], [base[n] for _seq, n in part])
        index.catch_up()
        index.thaw(index.freeze())
    known = {seq: base[n].astype(np.float16).astype(np.float32) for seq, n in [*one, *other]}
    query = base[question]
    for wanted in (None, allowed):
        seqs = [seq for seq in known if wanted is None or seq in wanted]
        near = index.nearest(query, count, None if wanted is None else np.array(sorted(wanted), np.int64))
        found = sorted((float(known[seq] @ query) for seq in near), reverse=True)
        best = sorted((float(known[seq] @ query) for seq in seqs), reverse=True)[:count]
        assert found == pytest.approx(best, abs=1e-5)
        assert set(near) <= set(seqs)
    cosines = index.cosines([*range(1, 15), -1], query)
    for seq, cosine in zip(range(1, 15), cosines, strict=False):
        assert (seq in known) != bool(np.isnan(cosine))
        if seq in known:
            assert cosine == pytest.approx(float(known[seq] @ query), abs=1e-5)
    assert np.isnan(cosines[-1])


class TestPairs:
    def test_are_the_rows_that_are_near_one_another_nearest_first(self, crowd):
        vectors, _queries = crowd
        vectors = vectors[2_500:]
        stored = Stored()
        stored.put(range(1, len(vectors) + 1), vectors)
        found = index_of(stored).pairs(0.95)
        halves = vectors.astype(np.float16).astype(np.float32)
        exact = np.triu(halves @ halves.T, 1)
        first, second = np.nonzero(exact >= 0.95)
        wanted = set(zip((first + 1).tolist(), (second + 1).tolist(), strict=True))
        pairs = {(one, other) for one, other, _cosine in found}
        assert pairs <= wanted
        assert len(pairs) == len(found) > 0.95 * len(wanted) > 0
        assert [cosine for *_seqs, cosine in found] == sorted((c for *_seqs, c in found), reverse=True)

    def test_a_replaced_row_is_in_none(self):
        base = unit(np.random.default_rng(1).standard_normal((3, DIMENSIONS)))
        stored = Stored()
        stored.put([1, 2], [base[0], base[0]])
        index = index_of(stored)
        assert [pair[:2] for pair in index.pairs(0.9)] == [(1, 2)]
        stored.put([2], [base[1]])
        index.catch_up()
        assert index.pairs(0.9) == []

    def test_of_nothing_and_of_one_there_are_none(self):
        stored = Stored()
        assert index_of(stored).pairs(0.5) == []
        stored.put([1], unit(np.ones((1, DIMENSIONS))))
        assert index_of(stored).pairs(0.5) == []

    def test_can_be_cancelled(self, crowd):
        stored = Stored()
        stored.put([1, 2], crowd[0][:2])
        with pytest.raises(Cancelled):
            index_of(stored).pairs(0.9, lambda: True)


@pytest.mark.parametrize("dimensions", [4, 64, 100, 384])
def test_a_signature_holds_the_signs(dimensions):
    vectors = np.random.default_rng(0).standard_normal((5, dimensions))
    signs = signatures(vectors)
    assert signs.shape == (5, -(-dimensions // 64))
    apart = np.bitwise_count(signs[:1] ^ signs).sum(axis=1)
    assert apart.tolist() == ((vectors > 0) != (vectors[:1] > 0)).sum(axis=1).tolist()
