"""The times that a question names, seen from one fixed moment: Saturday, 28 November 2026, half past six."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.clock import from_micros
from reverie.search.times import asks_time, named_spans

NOW = datetime(2026, 11, 28, 6, 30, tzinfo=UTC)


def days(text, at=NOW):
    """(first day, number of days) of each span."""
    spans = named_spans(text, at)
    firsts = [from_micros(span.start).astimezone(at.tzinfo) for span in spans]
    assert all(first.time() == datetime.min.time() for first in firsts)
    lengths = [timedelta(microseconds=span.end - span.start) for span in spans]
    return [
        (first.date().isoformat(), round(length / timedelta(days=1)))
        for first, length in zip(firsts, lengths, strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("what did we do yesterday?", [("2026-11-27", 1)]),
        ("last night", [("2026-11-27", 1)]),
        ("today", [("2026-11-28", 1)]),
        ("last week", [("2026-11-16", 7)]),
        ("this week", [("2026-11-23", 7)]),
        ("last month", [("2026-10-01", 31)]),
        ("this month", [("2026-11-01", 30)]),
        ("last year", [("2025-01-01", 365)]),
        ("in 2024", [("2024-01-01", 366)]),
        ("in May 2023", [("2023-05-01", 31)]),
        ("May, 2023", [("2023-05-01", 31)]),
        ("in May", [("2026-05-01", 31)]),
        ("in December", [("2025-12-01", 31)]),
        ("8 May", [("2026-05-08", 1)]),
        ("May 8th, 2023", [("2023-05-08", 1)]),
        ("the 3rd of February 2024", [("2024-02-03", 1)]),
        ("2023-05-08", [("2023-05-08", 1)]),
        ("two weeks ago", [("2026-11-09", 7)]),
        ("3 days ago", [("2026-11-25", 1)]),
        ("a year ago", [("2025-01-01", 365)]),
        ("last Friday", [("2026-11-27", 1)]),
        ("on Saturday", [("2026-11-21", 1)]),
        ("last weekend", [("2026-11-21", 2)]),
        ("past 3 days", [("2026-11-25", 4)]),
        ("yesterday or last week", [("2026-11-16", 7), ("2026-11-27", 1)]),
    ],
)
def test_named_times(text, found):
    assert days(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "31 February",
        "2023-02-30",
        "I may go",
        "march on",
        "version 2024",
        "the second one",
        "99999 days ago",
    ],
)
def test_what_names_none(text):
    assert days(text) == []


def test_a_day_is_one_of_the_zone_that_the_person_lives_in():
    east = NOW.astimezone(timezone(timedelta(hours=13)))
    (span,) = named_spans("today", east)
    assert from_micros(span.start) == datetime(2026, 11, 27, 11, tzinfo=UTC)


@pytest.mark.parametrize(
    "text", ["When was it?", "since when?", "how long ago", "what year was that", "which day"]
)
def test_asking_for_a_time(text):
    assert asks_time(text)


@pytest.mark.parametrize("text", ["", "whenever it rains", "what happened", "tell me when"])
def test_not_asking_for_one(text):
    assert not asks_time(text)


@given(
    st.lists(
        st.sampled_from(
            [
                "last",
                "this",
                "past",
                "in",
                "of",
                "on",
                "since",
                "31",
                "0",
                "999",
                "2000",
                "1999",
                "9999",
                "february",
                "feb",
                "may",
                "monday",
                "days",
                "weeks",
                "year",
                "ago",
                "a",
                "few",
                ",",
                "-",
            ]
        ),
        max_size=12,
    ).map(" ".join)
    | st.text(max_size=40)
)
def test_no_text_raises(text):
    for at in (NOW, datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)):
        assert all(span.start < span.end for span in named_spans(text, at))
    asks_time(text)
