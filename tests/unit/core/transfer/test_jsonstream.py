import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import UserError
from reverie.transfer import jsonstream
from reverie.transfer.jsonstream import read_object

TEXT = st.text(max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


def read(text):
    return [(v.section, v.number, v.value if not v.problem else "!") for v in read_object(io.StringIO(text))]


@given(st.dictionaries(TEXT, JSON, max_size=4), st.sampled_from([None, 1]), st.integers(1, 40))
def test_every_value_of_any_object_is_read_in_pieces_of_any_size(whole, indent, chunk):
    text = json.dumps(whole, indent=indent)
    before = jsonstream._CHUNK
    jsonstream._CHUNK = chunk
    try:
        expected = []
        for name, value in whole.items():
            if isinstance(value, list):
                expected += [(name, number, item) for number, item in enumerate(value, start=1)]
            else:
                expected.append((name, 0, value))
        assert read(text) == expected
    finally:
        jsonstream._CHUNK = before


def test_a_record_that_is_no_json_stops_no_other():
    assert read('{"a": [{"x": 1}, {"x": oops}, {"x": "}]\\""}, 5]}') == [
        ("a", 1, {"x": 1}),
        ("a", 2, "!"),
        ("a", 3, {"x": '}]"'}),
        ("a", 4, 5),
    ]


def test_a_record_without_its_end_does_not_swallow_the_next_lines():
    text = '{"a": [\n{"x": 1},\n{"x": 2,\n{"x": 3}\n]}\n'
    values = read(text)
    assert ("a", 1, {"x": 1}) in values
    assert ("a", 3, {"x": 3}) in values
    assert ("a", 2, "!") in values


def test_a_file_that_breaks_off_gives_what_stands_before():
    whole = '{"format": "reverie", "a": [\n{"x": 1},\n{"x": 2},\n{"x": 3}\n]}'
    for end in range(whole.index("2") + 3, len(whole)):
        values = read(whole[:end])
        assert ("a", 1, {"x": 1}) in values
        assert ("a", 2, {"x": 2}) in values
        assert values[-1][2] == "!"


def test_deep_nesting_is_a_problem_of_that_record():
    deep = "[" * 100_000 + "]" * 100_000
    assert read('{"a": [' + deep + ", 1]}") == [("a", 1, "!"), ("a", 2, 1)]


@pytest.mark.parametrize("text", ["[]", "7", '"a"', "null"])
def test_what_is_no_object_is_refused(text):
    with pytest.raises(UserError):
        read(text)


def test_an_empty_file_is_refused():
    with pytest.raises(UserError):
        read("  \n")
