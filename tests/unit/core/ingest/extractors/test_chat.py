"""A conversation is recognised by what its turns have in common."""

from typing import Any

import pytest

from reverie.ingest.extractors.chat import turns_of


def lines(items: list[Any]) -> list[str] | None:
    turns = turns_of(items)
    return None if turns is None else [turn.text for turn in turns]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}),
        ({"speaker": "user", "text": "Hi"}, {"speaker": "assistant", "text": "Yes?"}),
        ({"sender": "user", "message": "Hi"}, {"sender": "assistant", "message": "Yes?"}),
        ({"author": {"name": "user"}, "content": "Hi"}, {"author": {"role": "assistant"}, "content": "Yes?"}),
        (
            {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
            {"role": "assistant", "content": {"parts": ["Yes?"]}},
        ),
    ],
)
def test_the_names_that_fields_have(first: Any, second: Any) -> None:
    assert lines([first, second]) == ["user: Hi", "assistant: Yes?"]


@pytest.mark.parametrize(
    "time",
    [
        "2026-03-02T23:30:00+01:00",
        "2026-03-02T10:00:00Z",
        "2026-03-02",
        1772445600,
        1772445600.5,
        1772445600000,
    ],
)
def test_each_turn_stands_under_its_day(time: Any) -> None:
    turns = turns_of([{"role": "a", "text": "x", "time": time}, {"role": "b", "text": "y", "time": "?"}])
    assert turns is not None
    assert [turn.place.heading for turn in turns] == ["2026-03-02", ""]


def test_turns_without_words_are_left_out_but_counted() -> None:
    turns = turns_of([{"role": "a", "text": "x"}, {"role": "b", "text": None}, {"role": "a", "text": "y"}])
    assert turns is not None
    assert [turn.place.row for turn in turns] == [1, 3]


@pytest.mark.parametrize(
    "items",
    [[], [{"role": "a", "text": "x"}], [{"name": "Ada", "born": 1815}] * 3, ["a", "b"], [{"text": "x"}] * 3],
)
def test_what_is_no_conversation(items: list[Any]) -> None:
    assert turns_of(items) is None


def test_people_with_a_text_about_them_are_read_as_turns_only_where_most_look_so() -> None:
    assert turns_of([{"role": "a", "text": "x"}, {"a": 1}, {"b": 2}]) is None
