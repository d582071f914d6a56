"""The search language of the window's field."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.clock import now
from reverie.domain.memory import Kind, MemoryFilter, State
from reverie.search.query import parse, term


def test_words_and_narrowings_stand_in_any_order():
    query = parse("kind:fact berlin tag:travel -tag:old wall category:notes/x")
    assert query.text == "berlin wall"
    assert query.filter == MemoryFilter(
        kinds=(Kind.FACT,), tags=("travel",), without_tags=("old",), category="notes/x"
    )


def test_a_value_with_blanks_is_quoted():
    assert parse('tag:"two words" x').filter.tags == ("two words",)
    assert term("tag", "two words", exclude=True) == '-tag:"two words"'
    assert term("kind", "fact") == "kind:fact"


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("is:pinned", "pinned", True),
        ("-is:pinned", "pinned", False),
        ("is:muted", "muted", True),
        ("is:trashed", "states", (State.TRASHED,)),
        ("is:superseded", "states", (State.SUPERSEDED,)),
        ("is:unconsolidated", "consolidated", False),
        ("importance:>0.8", "min_importance", 0.8),
        ("kb:work", "kb", "work"),
        ("author:agent:claude", "author", "agent:claude"),
    ],
)
def test_narrowings(text, field, value):
    query = parse(text)
    assert getattr(query.filter, field) == value
    assert query.text == ""
    assert query.problems == ()


def test_age_counts_back_from_now():
    since = parse("age:<7d").filter.since
    assert abs(since - (now() - timedelta(days=7))) < timedelta(seconds=5)
    assert parse("-age:2w").filter.until is not None


@pytest.mark.parametrize(
    "text", ["kind:nonsense x", "is:green x", "age:soon x", "before:someday x", "importance:much x"]
)
def test_what_is_not_understood_is_said_and_left_out(text):
    query = parse(text)
    assert query.text == "x"
    assert query.filter == MemoryFilter()
    assert len(query.problems) == 1


@pytest.mark.parametrize("text", ["http://example.org/a", "std::vector", "note:this", "C:\\temp", "12:30"])
def test_other_colons_are_literal(text):
    assert parse(text).text == text


@given(st.text())
def test_nothing_raises(text):
    parse(text)
