from dataclasses import replace
from datetime import timedelta

import pytest

from reverie.domain.clock import to_micros
from reverie.domain.dream import Decision, Proposal, ProposalKind
from reverie.domain.ids import MemoryId
from reverie.domain.memory import State
from reverie.domain.records import memory_record
from reverie.dream.checks import Checks
from reverie.dream.passes.merge import join


@pytest.fixture
def review(shelf, setting):
    def run(memories, *proposals):
        checks = Checks("default", setting, shelf(memories).memories)
        return list(checks.review(proposals))

    return run


def versions(memories):
    return {memory.id: to_micros(memory.updated_at) for memory in memories}


def merge(*memories, **after):
    record = memory_record(join(memories[0], memories[1:], id=MemoryId("new"), at=memories[0].updated_at))
    return proposal(ProposalKind.MERGE, memories, {**record, **after})


def insight(*memories, **after):
    return proposal(
        ProposalKind.INSIGHT, memories, {"id": "i", "content": "It fits", "importance": 0.5, **after}
    )


def proposal(kind, memories, after=None):
    return Proposal(
        id="p",
        run="r",
        kind=kind,
        title="",
        why="",
        sources=tuple(memory.id for memory in memories),
        versions=versions(memories),
        after=after or {},
    )


def test_a_good_merge_insight_and_mark_pass(memory, review):
    one, two, three = memory("Ada likes tea"), memory("Ada likes tea"), memory("Bob")
    steps = [merge(one, two), insight(three), proposal(ProposalKind.CONSOLIDATE, [three])]
    assert [step.decision for step in review([one, two, three], *steps)] == [Decision.PENDING] * 3


def test_unknown_ids_refuse_the_step_whole_and_no_other(memory, review):
    one, two = memory("Ada"), memory("Ada")
    strange = replace(insight(one), sources=(one.id, MemoryId("12"), MemoryId("13")))
    refused, stands = review([one, two], strange, merge(one, two))
    assert refused.decision is Decision.VETOED
    assert "12, 13" in refused.note
    assert stands.decision is Decision.PENDING


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"pinned": True}, "Pinned"),
        ({"muted": True}, "muted"),
        ({"state": State.TRASHED}, "trashed"),
        ({"state": State.SUPERSEDED}, "superseded"),
        ({"kb": "work"}, "another knowledge base"),
    ],
)
def test_memories_that_no_merge_may_touch(memory, review, fields, word):
    one, two = memory("Ada"), memory("Ada", **fields)
    (step,) = review([one, two], merge(one, two))
    assert step.decision is Decision.VETOED
    assert word in step.note


def test_expired_ones_are_left_alone(memory, review, setting):
    one, two = memory("Ada"), memory("Ada", expires_at=setting.at)
    assert review([one, two], merge(one, two))[0].decision is Decision.VETOED
    two = replace(two, expires_at=setting.at + timedelta(seconds=1))
    assert review([one, two], merge(one, two))[0].decision is Decision.PENDING


def test_what_a_merge_would_lose_is_listed(memory, review):
    one, two = memory("Ada met Bob on 2026-05-12"), memory("Ada paid $5 to NASA")
    (step,) = review([one, two], merge(one, two))
    assert step.decision is Decision.VETOED
    assert "$5, NASA" in step.note


@pytest.mark.parametrize(
    ("after", "word"),
    [
        ({"tags": ["a"]}, "b"),
        ({"entities": []}, "Ada"),
        ({"metadata": {}}, "page"),
        ({"importance": 0.1}, "importance"),
        ({"created_at": "2026-02-01T00:00:00Z"}, "oldest"),
        ({"created_at": "soon"}, "date"),
        ({"key": None}, "name"),
        ({"content": " "}, "text"),
        ({"content": None}, "text"),
        ({"kind": "fact"}, "kinds"),
        ({"muted": True}, "muted"),
    ],
)
def test_a_merge_that_drops_anything_is_refused(memory, review, after, word):
    one = memory("Ada", tags=("a",), entities=("Ada",), key="name", importance=0.8)
    two = memory("Ada", tags=("b",), metadata={"page": 3})
    assert review([one, two], merge(one, two))[0].decision is Decision.PENDING
    (step,) = review([one, two], merge(one, two, **after))
    assert step.decision is Decision.VETOED
    assert word in step.note


def test_two_keys_never_merge(memory, review):
    one, two = memory("Ada", key="a"), memory("Ada", key="b")
    assert "a, b" in review([one, two], merge(one, two))[0].note


def test_a_merge_of_one_and_a_memory_named_twice(memory, review):
    one, two = memory("Ada"), memory("Ada")
    assert review([one], merge(one))[0].decision is Decision.VETOED
    twice = replace(merge(one, two), sources=(one.id, two.id, one.id))
    assert "twice" in review([one, two], twice)[0].note


def test_no_memory_goes_into_two_merges(memory, review):
    one, two, three = memory("Ada"), memory("Ada"), memory("Ada")
    first, second = review([one, two, three], merge(one, two), merge(two, three))
    assert (first.decision, second.decision) == (Decision.PENDING, Decision.VETOED)


def test_an_insight_never_tells_what_is_muted(memory, review):
    one, two = memory("Ada"), memory("Bob", muted=True)
    assert two.id in review([one, two], insight(one, two))[0].note


@pytest.mark.parametrize("content", ["", " .", None, 7, "x" * 5000])
def test_an_insight_has_a_text_of_a_sensible_length(memory, review, content):
    one = memory("Ada")
    assert review([one], insight(one, content=content))[0].decision is Decision.VETOED


@pytest.mark.parametrize(
    ("given", "stored"), [(7, 1.0), (-1, 0.0), (float("nan"), 0.5), ("high", 0.5), (0.25, 0.25)]
)
def test_importance_is_clamped(memory, review, given, stored):
    one = memory("Ada")
    (step,) = review([one], insight(one, importance=given))
    assert step.after["importance"] == stored


def test_a_step_without_the_version_that_it_read_is_refused(memory, review):
    one = memory("Ada")
    assert review([one], replace(insight(one), versions={}))[0].decision is Decision.VETOED
