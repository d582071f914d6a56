"""Where long texts are cut, and what is put together."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.memory import Place
from reverie.domain.text import word_count
from reverie.ingest.chunking import chunk, cut_text, is_debris
from reverie.ingest.extractors import Part, Unit, extract

SAMPLES = Path(__file__).parents[4] / "resources" / "samples"
SENTENCE = "This sentence has exactly eight words in it. "


def texts(parts: Part | list[Part], words: int = 200) -> list[str]:
    return [part.text for part in chunk(parts, words)]


def test_a_short_text_stays_whole() -> None:
    assert texts(Part("One paragraph.\n\nAnother one.")) == ["One paragraph.\n\nAnother one."]


def test_long_text_is_cut_between_paragraphs() -> None:
    paragraph = (SENTENCE * 10).strip()
    pieces = texts(Part("\n\n".join([paragraph] * 5)))
    assert pieces == [f"{paragraph}\n\n{paragraph}", f"{paragraph}\n\n{paragraph}", paragraph]


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    pieces = texts(Part(SENTENCE * 60))
    assert [word_count(piece) for piece in pieces] == [200, 200, 80]
    assert all(piece.endswith("in it.") for piece in pieces)


def test_a_long_sentence_is_cut_between_words() -> None:
    pieces = texts(Part("word " * 500))
    assert {word for piece in pieces for word in piece.split()} == {"word"}
    assert [len(piece.split()) for piece in pieces] == [200, 200, 100]


def test_numbers_and_addresses_are_not_cut() -> None:
    pieces = texts(Part("see https://a.example/b?c=d and 3.14 or don't-stop " * 100), words=20)
    assert {token for piece in pieces for token in piece.split()} == {
        "see", "https://a.example/b?c=d", "and", "3.14", "or", "don't-stop",
    }  # fmt: skip


def test_a_tiny_rest_is_joined_to_what_stands_before() -> None:
    pieces = texts(Part((SENTENCE * 25).strip() + "\n\n" + SENTENCE * 2))
    assert [word_count(piece) for piece in pieces] == [216]


def test_chinese_is_counted_by_characters_and_cut_between_sentences() -> None:
    pieces = texts(Part("我们今天讨论了屋顶的问题。" * 60))
    assert all(len(piece) <= 260 and piece.endswith("。") for piece in pieces)
    assert "".join(pieces) == "我们今天讨论了屋顶的问题。" * 60


def test_a_word_without_end_is_cut_in_long_slices() -> None:
    pieces = texts(Part("a" * 40_000))
    assert "".join(pieces) == "a" * 40_000
    assert {len(piece) for piece in pieces} == {9600, 11_200}


def test_words_with_marks_in_place_of_blanks_are_cut_like_words() -> None:
    pieces = texts(Part('{"name":"Ada","town":"Linz"},' * 400))
    assert {len(piece) for piece in pieces[:-1]} == {2400}


def test_fenced_code_stays_whole() -> None:
    code = "```py\n" + "x = call(1, 2, 3)\n\n" * 60 + "```"
    pieces = texts(Part(f"{SENTENCE * 20}\n\n{code}\n\nAnd after it comes a sentence."))
    assert sum(code in piece for piece in pieces) == 1


def test_very_long_code_is_cut_between_lines() -> None:
    code = "```\n" + "some words in a line\n" * 1000 + "```"
    for piece in texts(Part(code)):
        assert {line for line in piece.split("\n")} <= {"```", "some words in a line"}


def test_each_piece_begins_with_its_headings() -> None:
    part = Part(SENTENCE * 60, Place(heading="Manual > Care", page=3))
    pieces = chunk(part)
    assert len(pieces) == 3
    assert all(piece.text.startswith("Manual > Care\n\nThis sentence") for piece in pieces)
    assert {piece.place for piece in pieces} == {part.place}


def test_small_sections_are_joined_under_their_common_heading() -> None:
    parts = [
        Part("Fill it every day.", Place(heading="Manual > Tank")),
        Part("Empty it on Sundays.", Place(heading="Manual > Drawer")),
        Part(SENTENCE * 20, Place(heading="Manual > Use")),
        Part(SENTENCE * 20, Place(heading="Manual > Care")),
    ]
    first, *rest = chunk(parts)
    assert first.text.startswith("Manual\n\nTank\nFill it every day.\n\nDrawer\nEmpty it on Sundays.")
    assert [piece.place.heading for piece in rest][-1] == "Manual > Care"


def test_a_section_that_goes_on_over_a_page_is_one_piece_if_it_fits() -> None:
    parts = [
        Part(SENTENCE * 10, Place(heading="Use", page=3)),
        Part(SENTENCE * 10, Place(heading="Use", page=4)),
    ]
    pieces = chunk(parts)
    assert len(pieces) == 1
    assert pieces[0].place.page == 3


@pytest.mark.parametrize(
    "text", ["", " \n ", "Too short", "| 12 | 13 | 14 |\n|---|---|---|", "1234567890123", "-----------"]
)
def test_debris_makes_no_memory(text: str) -> None:
    assert chunk(Part(text)) == []
    assert is_debris(text)


def row(number: int, text: str, unit: Unit = Unit.ROW, heading: str = "") -> Part:
    return Part(text, Place(row=number, row_end=number, heading=heading), unit)


def test_rows_are_grouped_with_their_numbers() -> None:
    rows = [
        row(number, f"Date: 2026-01-{number:02}; Payee: Some Long Name; Amount: 5 EUR")
        for number in range(2, 42)
    ]
    pieces = chunk(rows)
    assert [(piece.place.row, piece.place.row_end) for piece in pieces] == [
        (2, 10),
        (11, 19),
        (20, 28),
        (29, 37),
        (38, 41),
    ]
    assert all(line.startswith("Date: ") for piece in pieces for line in piece.text.split("\n\n"))


def test_a_small_rest_of_rows_goes_with_the_others() -> None:
    pieces = chunk(
        [row(number, "name: one two three four five six seven eight nine") for number in range(1, 12)]
    )
    assert [(piece.place.row, piece.place.row_end) for piece in pieces] == [(1, 11)]


def test_records_stand_alone_and_small_ones_are_grouped() -> None:
    large = "name: Ada\n- about: " + SENTENCE * 6
    pieces = chunk(
        [row(1, large, Unit.RECORD), row(2, large, Unit.RECORD), row(3, "name: Bob"), row(4, "name: Cy")]
    )
    assert [(piece.place.row, piece.place.row_end) for piece in pieces] == [(1, 1), (2, 2), (3, 4)]


def test_a_conversation_is_grouped_by_day() -> None:
    turns = [
        row(1, "Ada: Shall we meet?", Unit.TURN, "2026-03-02"),
        row(2, "Bob: Yes, at ten.", Unit.TURN, "2026-03-02"),
    ]
    turns.append(row(3, "Ada: That was good.", Unit.TURN, "2026-03-03"))
    assert texts(turns) == [
        "2026-03-02\n\nAda: Shall we meet?\n\nBob: Yes, at ten.",
        "2026-03-03\n\nAda: That was good.",
    ]


def test_a_record_that_is_too_long_is_cut_like_prose() -> None:
    pieces = chunk(row(7, "story: " + SENTENCE * 60, Unit.RECORD))
    assert len(pieces) == 3
    assert {piece.place.row for piece in pieces} == {7}


@given(st.text(st.sampled_from("ab. \n設。`|#-1é")), st.integers(1, 30))
def test_cutting_loses_nothing_but_whitespace(text: str, words: int) -> None:
    assert "".join("".join(cut_text(text, words)).split()) == "".join(text.split())


@given(
    st.lists(st.text(st.sampled_from("abé’-3."), min_size=1, max_size=12), max_size=80), st.integers(1, 15)
)
def test_no_word_is_ever_cut(tokens: list[str], words: int) -> None:
    text = " ".join(tokens)
    assert [token for piece in cut_text(text, words) for token in piece.split()] == text.split()


@pytest.mark.parametrize(
    "unit",
    ["a", "word ", "a. ", "設備", "。", "a\n", "a\n\n", "```\n", "|1|2|\n", "A sentence of six words here. "],
)
def test_time_is_linear_in_the_length(unit: str) -> None:
    def seconds(length: int) -> float:
        start = time.process_time()  # other work on the machine does not count
        chunk(Part(unit * (length // len(unit))))
        return time.process_time() - start

    small = max(seconds(10_000), 0.01)
    assert seconds(200_000) < 100 * small  # 20 times the text; 400 times if quadratic


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["a", "word ", "a. ", "設備"])
def test_ten_million_characters_on_one_line(unit: str) -> None:
    assert chunk(Part(unit * (10_000_000 // len(unit))))


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.*")), ids=lambda path: path.name)
def test_the_samples_make_memories_that_can_be_read(path: Path) -> None:
    pieces = chunk(extract(path).parts)
    assert pieces
    for piece in pieces:
        assert not is_debris(piece.text)
        assert 4 <= word_count(piece.text) <= 280
        assert piece.text == piece.text.strip()
