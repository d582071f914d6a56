"""What a model says is read with distrust: taken out of whatever stands around it, mended, checked, or refused by name."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from reverie.llm.failures import (
    AnswerFailure,
    Cut,
    Empty,
    NotJson,
    Refused,
    TooLong,
    WrongIds,
    WrongShape,
)
from reverie.llm.parser import MAX_CHARS, parse_many, parse_one, text_of
from reverie.llm.schema import in_words, schema_of
from reverie.llm.shapes import GivenId, Shape, Share, Text, Texts

GIVEN = ["1", "2", "3", "4", "5"]


class Note(Shape):
    summary: Text
    topics: Texts = Field(default_factory=list)
    importance: Share = 0.5


class Merge(Shape):
    ids: list[GivenId]
    content: Text


NOTE = {"summary": "Ada likes window seats", "topics": ["travel"], "importance": 0.8}
AS_TEXT = json.dumps(NOTE)


def note(answer: str, **more: Any) -> dict[str, Any]:
    return parse_one(answer, Note, **more).model_dump()


def contents(answer: str, **more: Any) -> list[str]:
    return [step.content for step in parse_many(answer, Merge, ids=GIVEN, **more).kept]


@pytest.mark.parametrize(
    "answer",
    [
        AS_TEXT,
        f"  \n\ufeff{AS_TEXT}\n",
        f"```json\n{AS_TEXT}\n```",
        f"```\n{AS_TEXT}\n```\nLet me know if you need more!",
        f"Sure! Here is the summary [as asked] of {{the text}}:\n\n{AS_TEXT}\n\nI hope it helps [1].",
        f"[{AS_TEXT}]",
        json.dumps({"result": NOTE}),
        json.dumps(AS_TEXT),
        f'An example would be {{"summary": "..."}}. The answer: {AS_TEXT}',
        f"<think>Something like {{'summary': 'no'}}?</think>{AS_TEXT}",
        f'<think>\n{{"summary": "never this"}}\n</think>\n```json\n{AS_TEXT}\n```',
        f'I could say {{"summary": "never this"}}</think>\n{AS_TEXT}',
        f"<thinking>a <think> b </think> c</thinking>{AS_TEXT}",
        f"[THINK]well[/THINK]{AS_TEXT}",
        f"{AS_TEXT}<think>Was that right?",
        AS_TEXT.replace("}", ",}").replace("]", ",]"),
        AS_TEXT.replace('"', "'"),
        AS_TEXT.replace('"summary"', "summary").replace('"topics"', "topics"),
        AS_TEXT.replace(', "topics"', ' "topics"'),
        AS_TEXT.replace("{", "{ // the note\n", 1),
    ],
)
def test_an_object_is_taken_out_of_whatever_stands_around_it(answer: str) -> None:
    assert note(answer) == NOTE


@pytest.mark.parametrize(
    "text", [",]", ",}", "a, ] b }", "// no comment", "```", "</think>", "<think>", "it's", "\\'"]
)
def test_nothing_inside_a_string_is_mended(text: str) -> None:
    good = json.dumps({"summary": f"say {text} now", "topics": ["a"]})

    for answer in (good, f"Here: {good}", f"```json\n{good}\n```"):
        assert note(answer)["summary"] == f"say {text} now"
    if "think" not in text:
        broken = good.replace("]}", ",],}")
        assert note(broken)["summary"] == f"say {text} now"


@pytest.mark.parametrize(
    "answer", ["", "  \n", "<think>so much to say", "<think>{}</think>", '<think>[{"ids": ["1"]}]']
)
def test_an_empty_answer_is_a_failure(answer: str) -> None:
    for read in (lambda: parse_one(answer, Note), lambda: parse_many(answer, Merge, ids=GIVEN)):
        with pytest.raises(Empty):
            read()


@pytest.mark.parametrize(
    "answer",
    [
        "I'm sorry, but I can't help with that.",
        "I’m sorry. I cannot merge personal data.",
        "As an AI, I am unable to do this.",
        "Es tut mir leid, das kann ich nicht.",
        "抱歉，我无法处理。",
        '{"error": "I cannot comply"}',
        '{"refusal": "no"}',
        "I'm sorry, I can't do that. []",
        "<think>They want [] of me</think>Sorry, no.",
    ],
)
def test_a_refusal_is_a_failure_and_not_nothing_to_do(answer: str) -> None:
    with pytest.raises(Refused):
        parse_many(answer, Merge, ids=GIVEN)


@pytest.mark.parametrize(
    "answer", ["[]", "```json\n[]\n```", '{"items": []}', '{"merges": []}', "Nothing to merge here: []"]
)
def test_an_empty_list_that_is_there_means_nothing_to_do(answer: str) -> None:
    assert parse_many(answer, Merge, ids=GIVEN).kept == ()


def test_prose_alone_is_not_json() -> None:
    with pytest.raises(NotJson):
        parse_one("The note is about Ada (see [1]).", Note)
    with pytest.raises(NotJson):
        parse_many("There is nothing to merge.", Merge, ids=GIVEN)


def test_a_step_with_an_id_that_was_not_given_is_refused_whole_and_the_others_stand() -> None:
    answer = [
        {"ids": ["1", "2"], "content": "a"},
        {"ids": ["3", "12"], "content": "b"},
        {"ids": [4, 5], "content": "c"},
    ]

    steps = parse_many(json.dumps(answer), Merge, ids=GIVEN)

    assert [(step.ids, step.content) for step in steps.kept] == [(["1", "2"], "a"), (["4", "5"], "c")]
    (refused,) = steps.refused
    assert isinstance(refused, WrongIds)
    assert refused.ids == ("12",)
    assert "12" in refused.detail


def test_a_list_of_which_every_step_is_wrong_is_a_failure() -> None:
    with pytest.raises(WrongIds):
        parse_many('[{"ids": ["99"], "content": "x"}]', Merge, ids=GIVEN)
    with pytest.raises(WrongShape):
        parse_many('[{"ids": ["1"]}]', Merge, ids=GIVEN)
    with pytest.raises(WrongIds):
        parse_one('{"ids": ["99"], "content": "x"}', Merge, ids=[])


def test_a_shape_with_ids_is_never_read_without_those_that_were_given() -> None:
    with pytest.raises(LookupError):
        parse_one('{"ids": ["1"], "content": "x"}', Merge)


@pytest.mark.parametrize(
    ("said", "read"),
    [(7, 1.0), (-3, 0.0), ("0.25", 0.25), (1e999, 1.0), ("2", 1.0), (0.3, 0.3), (10**400, 1.0)],
)
def test_a_number_beyond_its_range_is_brought_back(said: Any, read: float) -> None:
    assert note(json.dumps({"summary": "x", "importance": said}))["importance"] == read


@pytest.mark.parametrize("said", ["high", None, [], {}, float("nan")])
def test_what_is_no_number_is_refused(said: Any) -> None:
    with pytest.raises(WrongShape, match="importance"):
        parse_one(json.dumps({"summary": "x", "importance": said}), Note)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("travel", ["travel"]),
        (None, []),
        (["a", " a", "", None, "b"], ["a", "b"]),
        ([{"name": "Ada"}, 7], ["Ada", "7"]),
    ],
)
def test_short_lists_are_read_as_small_models_write_them(said: Any, read: list[str]) -> None:
    assert note(json.dumps({"summary": "x", "topics": said}))["topics"] == read


def test_characters_that_cannot_be_stored_do_not_come_in() -> None:
    assert note(r'{"summary": "a\ud83d b\u0000\u001b[31m\tc"}')["summary"] == "a\ufffd b[31m\tc"
    assert note("{'summary': 'a \ue0000\ue001 b \\ue0007\\ue001',}")["summary"]


STEPS = [{"ids": ["1"], "content": "the first"}, {"ids": ["2", "3"], "content": '{the} [second], "it"'}]


@pytest.mark.parametrize("wrapped", [False, True])
def test_of_a_cut_list_exactly_the_finished_steps_are_kept(wrapped: bool) -> None:
    whole = json.dumps({"merges": STEPS} if wrapped else STEPS, indent=1)
    ends = [at for at, sign in enumerate(whole) if sign == "}"]
    first, second = whole.index("the first"), whole.index("it\\")

    for length in range(1, len(whole)):
        finished = sum(
            len([at for at in ends if at < length and at > place]) > 0 for place in (first, second)
        )
        if finished == 0:
            with pytest.raises((Cut, NotJson)):
                contents(whole[:length])
        else:
            steps = parse_many(whole[:length], Merge, ids=GIVEN)
            assert [step.content for step in steps.kept] == [each["content"] for each in STEPS[:finished]]
            assert steps.cut


def test_a_cut_object_is_no_object() -> None:
    whole = json.dumps({"summary": "Ada sits by the window", "topics": ["a", "b"], "importance": 0.55})

    for length in range(1, len(whole)):
        with pytest.raises((Cut, NotJson)):
            parse_one(whole[:length], Note)
    assert note(whole[:-1], cut=False)["importance"] == 0.55  # said to be whole: only a bracket was forgotten
    with pytest.raises(Cut):
        parse_one(whole[:-3], Note, cut=True)


def test_steps_may_come_line_by_line_or_one_alone() -> None:
    lines = "\n".join(json.dumps(step) for step in STEPS)

    assert contents(lines) == contents(json.dumps(STEPS)) == [each["content"] for each in STEPS]
    assert contents(json.dumps(STEPS[0])) == ["the first"]
    assert contents(f"First: [{json.dumps(STEPS[0])}]. No, rather: [{json.dumps(STEPS[1])}]") == [
        STEPS[1]["content"]
    ]


@pytest.mark.parametrize(
    "sign", ["[", "{", '{"a":', "[[", "<think>", "{{'", '"', "\\", '{"summary": [', "</think>["]
)
def test_hostile_answers_end_as_failures_and_soon(sign: str) -> None:
    with pytest.raises(AnswerFailure):
        parse_one(sign * 20_000, Note)
    with pytest.raises(AnswerFailure):
        parse_many(sign * 20_000, Merge, ids=GIVEN)


def test_an_answer_without_end_is_not_read() -> None:
    with pytest.raises(TooLong):
        parse_one("x" * (MAX_CHARS + 1), Note)


def test_deep_nesting_is_a_failure() -> None:
    with pytest.raises(AnswerFailure):
        parse_one('{"summary": ' + "[" * 900 + "]" * 900 + "}", Note)


def test_prose_is_given_without_its_thinking() -> None:
    assert text_of("<think>hm</think>  The answer is 4. ") == "The answer is 4."
    with pytest.raises(Empty):
        text_of("<think>hm")


def test_the_shape_is_told_so_that_strict_endpoints_take_it() -> None:
    one, many = schema_of(Note, many=False), schema_of(Merge, many=True)

    assert one["required"] == ["summary", "topics", "importance"]
    assert one["additionalProperties"] is False
    assert one["properties"]["importance"] == {"maximum": 1.0, "minimum": 0.0, "type": "number"}
    assert many["properties"]["items"]["items"]["required"] == ["ids", "content"]
    assert one["properties"]["summary"] == {"type": "string"}  # a long maxLength ends a llama.cpp server
    assert json.dumps(many) in in_words(many)


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30).map(
    lambda text: "".join(sign for sign in text if sign >= " " and sign != "\x7f").strip() or "x"
)
steps = st.lists(
    st.fixed_dictionaries(
        {"ids": st.lists(st.sampled_from([*GIVEN, "12", "x"]), max_size=3), "content": texts}
    ),
    min_size=1,
    max_size=5,
)
noise = st.sampled_from(
    ["", "Sure!", "```json", "```", "<think>", "</think>", "[", "{", '"', "'", ",", "[]", "{}", "\n"]
)


@given(steps, st.data())
def test_a_mutilated_answer_gives_only_steps_that_were_in_it(
    said: list[dict[str, Any]], data: st.DataObject
) -> None:
    """Whatever is cut off, put in or struck out between the steps: no step comes out that was not said, word for word."""
    whole = json.dumps(
        said, ensure_ascii=data.draw(st.booleans()), indent=data.draw(st.sampled_from([None, 1]))
    )
    pieces = [json.dumps(each, ensure_ascii=False) for each in said]
    how = data.draw(st.sampled_from(["cut", "around", "between", "trailing"]))
    if how == "cut":
        whole = whole[: data.draw(st.integers(0, len(whole)))]
    elif how == "around":
        whole = data.draw(noise) + whole + data.draw(noise)
    elif how == "between":
        whole = (
            "["
            + "".join(each + data.draw(st.sampled_from([",", " ", ",,", "\n", ";"])) for each in pieces)
            + "]"
        )
    else:
        whole = "[" + ",".join(each[:-1] + ",}" for each in pieces) + ",]"

    try:
        read = parse_many(whole, Merge, ids=GIVEN)
    except AnswerFailure:
        return
    possible = [each["content"].strip() for each in said if set(each["ids"]) <= set(GIVEN)]
    assert [step.content for step in read.kept if step.content not in possible] == []
    assert all(set(step.ids) <= set(GIVEN) for step in read.kept)
    if how == "trailing":
        assert [step.content for step in read.kept] == possible


@given(st.text(max_size=200) | st.lists(noise | texts, max_size=12).map("".join))
def test_any_text_at_all_is_an_answer_or_a_failure_with_a_name(answer: str) -> None:
    for read in (lambda: parse_one(answer, Note), lambda: parse_many(answer, Merge, ids=GIVEN)):
        with contextlib.suppress(AnswerFailure):
            read()
