"""Diffs by sentence and by word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie_gui.widgets.word_diff import Folded, Line, Run, diff, folded, origins, units, words_diff


def signs(lines: list[Line]) -> str:
    return "".join(line.sign for line in lines)


def changed(line: Line) -> list[str]:
    return [run.text for run in line.runs if run.changed]


def test_a_changed_word_is_marked_inside_its_sentence() -> None:
    old, new = diff(
        "Descale it every six weeks. Use the blue bottle.",
        "Descale it every four weeks. Use the blue bottle.",
    )[:2]
    assert (old.sign, changed(old)) == ("-", ["six"])
    assert (new.sign, changed(new)) == ("+", ["four"])
    assert old.text == "Descale it every six weeks."


def test_what_is_the_same_has_no_sign() -> None:
    assert signs(diff("One. Two. Three.", "One. Two. Three.")) == "   "


def test_a_new_and_a_gone_sentence_are_whole() -> None:
    lines = diff(
        "The shop opens at nine. Ada has the key.", "The shop opens at nine. Parking is behind the house."
    )
    assert [(line.sign, len(line.runs)) for line in lines] == [(" ", 1), ("-", 1), ("+", 1)]


def test_sentences_are_paired_with_their_new_wording_in_order() -> None:
    lines = diff(
        "Rinse the tank twice. The filter is at the left.",
        "Ada likes it strong. Rinse the tank three times. The filter is at the right.",
    )
    assert [line.text for line in lines if line.sign == "+"] == [
        "Ada likes it strong.",
        "Rinse the tank three times.",
        "The filter is at the right.",
    ]
    assert signs(lines) == "+-+-+"


def test_blanks_between_changed_words_belong_to_the_change() -> None:
    left, right = words_diff("it takes two long days", "it takes three short days")
    assert [run.text for run in left if run.changed] == ["two long"]
    assert [run.text for run in right if run.changed] == ["three short"]


def test_unchanged_runs_over_three_lines_are_folded() -> None:
    before = "A one. B two. C three. D four. E five. F six."
    shown = folded(diff(before, before.replace("F six.", "F seven.")))
    assert isinstance(shown[0], Folded)
    assert len(shown[0].lines) == 4
    assert isinstance(shown[1], Line)
    assert shown[1].text == "E five."  # one line stays beside a change


def test_three_unchanged_lines_stay() -> None:
    lines = diff("A one. B two. C three. D four.", "A one. B two. C three. D five.")
    assert not any(isinstance(line, Folded) for line in folded(lines))


def test_origins_are_numbers_of_the_sources_that_say_a_sentence() -> None:
    sources = ["The shop opens at nine. Ada has the key.", "ADA HAS THE KEY.", "Nothing of the kind."]
    assert origins("Ada has the key.", sources) == (1, 2)


def test_origins_by_most_of_the_words() -> None:
    assert origins(
        "The old shop opens at nine today.", ["At nine today the old shop opens its doors", "No"]
    ) == (1,)
    assert origins("Something else entirely.", ["The shop opens at nine."]) == ()


@pytest.mark.parametrize("text", ["", "   \n\n ", "\x00", "no end", "- a list\n- of items"])
def test_units_of_odd_texts(text: str) -> None:
    assert all(unit.strip() for unit in units(text))


def test_a_long_text_is_compared_by_whole_sentences() -> None:
    many = " ".join(f"Line number {n} stands here." for n in range(700))
    lines = diff(many, many.replace("number 7 ", "number seven "))
    assert {line.sign for line in lines} == {"-", "+", " "}


@given(st.text(alphabet="ab. \n", max_size=60), st.text(alphabet="ab. \n", max_size=60))
def test_both_texts_can_be_read_back(before: str, after: str) -> None:
    lines = diff(before, after)
    assert sorted(line.text for line in lines if line.sign != "+") == sorted(units(before))
    assert [line.text for line in lines if line.sign != "-"] == units(after)


@given(st.text(max_size=40), st.text(max_size=40))
def test_runs_hold_each_character_of_their_sentence(before: str, after: str) -> None:
    left, right = words_diff(before, after)
    assert "".join(run.text for run in left) == before
    assert "".join(run.text for run in right) == after
    assert all(isinstance(run, Run) and run.text for run in (*left, *right))
