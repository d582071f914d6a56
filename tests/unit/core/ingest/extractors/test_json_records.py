"""JSON: records as lines, wherever they stand."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import UserError
from reverie.ingest.extractors.base import Unit
from reverie.ingest.extractors.json_records import begins_like_json, from_json


def texts(value: Any) -> list[str]:
    return [part.text for part in from_json(json.dumps(value)).parts]


def test_each_object_of_an_array_is_a_record() -> None:
    read = from_json('[{"name": "Ada", "born": 1815}, {"name": "Alan", "note": null}]')
    assert [part.text for part in read.parts] == ["name: Ada\n- born: 1815", "name: Alan"]
    assert [part.place.row for part in read.parts] == [1, 2]
    assert {part.unit for part in read.parts} == {Unit.RECORD}


def test_arrays_inside_an_object_are_found_with_the_path_to_them() -> None:
    read = from_json(
        '{"title": "People", "data": {"items": [{"n": "Ada"}], "more": [{"n": "Bob"}]}, "count": 2}'
    )
    assert [(part.place.heading, part.text) for part in read.parts] == [
        ("data > items", "n: Ada"),
        ("data > more", "n: Bob"),
    ]
    assert read.metadata == {"title": "People", "count": 2}


def test_one_object_is_one_record() -> None:
    assert texts({"name": "Ada", "tags": ["x", "y"], "address": {"town": "London", "zip_code": "W1"}}) == [
        "name: Ada\n- tags: x, y\n- address.town: London\n- address.zip code: W1"
    ]


def test_records_by_name() -> None:
    assert texts({"ada": {"born": 1815}, "bob": {"born": 1900}}) == ["ada\n- born: 1815", "bob\n- born: 1900"]


def test_plain_values_are_records_too() -> None:
    assert texts(["one thought", 3, True, "another"]) == ["one thought", "3", "yes", "another"]
    assert texts("only a text") == ["only a text"]


def test_long_text_beside_an_array_is_not_lost() -> None:
    story = "A long story. " * 30
    assert texts({"story": story, "items": [{"a": "b"}]}) == [f"story: {story.strip()}", "a: b"]


def test_one_value_a_line_is_read_and_bad_lines_are_named() -> None:
    lines = '{"a": "one"}\n{"a": "two"}{"a": "three"}\n\n{"a": "four"}\n{"a": "fi'
    read = from_json(lines)
    assert [part.text for part in read.parts] == ["a: one", "a: two", "a: three", "a: four"]
    assert read.note == "Line 5 is no JSON and was left out."


def test_numbers_longer_than_python_reads() -> None:
    assert texts_of('{"n": ' + "9" * 5000 + "}")[0].startswith("n: 999")


def texts_of(text: str) -> list[str]:
    return [part.text for part in from_json(text).parts]


@pytest.mark.parametrize("start", ["[", '{"records": [', ""])
def test_whole_records_of_a_text_that_was_cut(start: str) -> None:
    read = from_json(start + '{"a": "one"}, {"a": "two"}, {"a": "th', cut=True)
    assert [part.text for part in read.parts] == ["a: one", "a: two"]
    assert read.note == "It was cut after 2 records."


@pytest.mark.parametrize(
    ("text", "is_json"),
    [
        ('[{"a": 1}', True),
        (' {"a": [', True),
        ('["a", "b"', True),
        ("[Monday] we met", False),
        ("{x}", False),
    ],
)
def test_how_json_begins(text: str, is_json: bool) -> None:
    assert begins_like_json(text) is is_json


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_any_value_is_read_or_holds_nothing(value: Any) -> None:
    try:
        read = from_json(json.dumps(value))
    except UserError:
        return
    for part in read.parts:
        part.text.encode()
