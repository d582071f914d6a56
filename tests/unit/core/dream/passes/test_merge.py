from datetime import timedelta

import pytest

from reverie.domain.ids import MemoryId
from reverie.domain.memory import Kind
from reverie.dream.passes.merge import Fold, frame, join, join_metadata


def fold(memory):
    return Fold(memory.id, frame(memory))


def merged(kept, *others, at=None):
    return join(kept, others, id=MemoryId("new"), at=at or kept.created_at)


def test_the_oldest_date_the_highest_importance_and_all_labels_are_kept(memory):
    old = memory("Ada likes tea", tags=("drinks",), entities=("Ada",), topics=("tea",), importance=0.9)
    young = memory("Ada likes tea", tags=("Drinks", "ada"), entities=("Ada", "Tea"), topics=("food",))
    result = merged(young, old)
    assert result.content == young.content
    assert result.created_at == old.created_at
    assert result.importance == 0.9
    assert result.tags == ("Drinks", "ada")
    assert result.entities == ("Ada", "Tea")
    assert result.topics == ("food", "tea")


def test_each_copy_counts_as_told_again(memory):
    one, two, three = memory(reinforced=2), memory(), memory(reinforced=1)
    result = merged(one, two, three)
    assert result.reinforced == 5
    assert result.last_seen_at == three.created_at


def test_what_never_expires_outlives_its_copies(memory):
    soon = memory().created_at + timedelta(days=1)
    later = soon + timedelta(days=1)
    assert merged(memory(expires_at=soon), memory()).expires_at is None
    assert merged(memory(expires_at=soon), memory(expires_at=later)).expires_at == later


def test_it_is_new_to_the_next_dream_if_any_of_them_is(memory):
    assert merged(memory(is_consolidated=True), memory(is_consolidated=True)).is_consolidated
    assert not merged(memory(is_consolidated=True), memory()).is_consolidated


def test_metadata_that_differs_stands_apart(memory):
    one = memory(metadata={"a": 1, "b": True, "c": {"d": [1]}})
    two = memory(metadata={"a": 1, "b": 1, "c": {"d": [1]}, "e": None})
    assert join_metadata([one, two]) == {
        "a": 1,
        "b": True,
        "c": {"d": [1]},
        "e": None,
        "merged": {two.id: {"b": 1}},
    }


def test_metadata_of_earlier_merges_is_carried_on(memory):
    one = memory(metadata={"a": 1, "merged": {"x": {"a": 2}}})
    two = memory(metadata={"a": 3, "merged": {"x": {"a": 4}, "y": {"a": 5}}})
    three = memory(metadata={"merged": "a word of the person"})
    assert join_metadata([one, two, three]) == {
        "a": 1,
        "merged": {
            "x": {"a": 2},
            "x'": {"a": 4},
            "y": {"a": 5},
            two.id: {"a": 3},
            three.id: {"merged": "a word of the person"},
        },
    }


@pytest.mark.parametrize(
    "other",
    [
        {"kind": Kind.FACT},
        {"muted": True},
        {"kb": "work"},
        {"key": "b"},
        {"category": "projects/b"},
    ],
)
def test_those_that_differ_on_purpose_do_not_fit(memory, other):
    one, two = memory(key="a", category="projects/a"), memory(**{"category": "projects/a", **other})
    group = fold(one)
    assert not group.take(fold(two))
    assert group.ids == [one.id]


def test_validity_is_part_of_what_is_said(memory):
    one = memory()
    assert not fold(one).take(fold(memory(valid_until=one.created_at)))


@pytest.mark.parametrize(
    ("one", "other", "kept"),
    [("general", "a/b", "a/b"), ("a/b", "general", "a/b"), ("a", "a/b", "a/b"), ("a/b", "a", "a/b")],
)
def test_the_category_that_says_more_stays(memory, one, other, kept):
    first, second = memory(category=one), memory(category=other)
    assert fold(first).take(fold(second))
    assert merged(first, second).category == kept


def test_a_group_takes_no_second_key_or_category_through_a_third(memory):
    group = fold(memory())
    assert group.take(fold(memory(key="a", category="a")))
    assert not group.take(fold(memory(key="b")))
    assert not group.take(fold(memory(category="b")))
    assert group.take(fold(memory(key="a", category="a/b")))
    assert merged(memory(), memory(key="a")).key == "a"
