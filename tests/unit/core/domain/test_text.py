"""What can be said about any text, and where its sentences end."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain import text as t

# Everything a str can hold, lone surrogates too, with more of what makes trouble.
ANY = st.text(
    st.one_of(
        st.characters(exclude_categories=()),
        st.sampled_from("\ud83d\ude00\0\r\n \t.!?…。」'\"\u0301\u200d👩💻🇩🇪🏽가ᄀ설備ﬁßİǅ:-#|1aA"),
    )
)
STORABLE = ANY.map(t.clean)


@given(ANY)
def test_nothing_raises(text: str) -> None:
    t.words(text), t.word_count(text), t.sentences(text), t.fold(text), t.content_hash(text)
    t.shorten(text, 10), t.first_sentence(text, 10), t.collapse(text)


@given(ANY)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    cleaned = t.clean(text)
    assert t.clean(cleaned) == cleaned
    cleaned.encode()  # storable
    assert "\0" not in cleaned
    assert "\r" not in cleaned
    assert unicodedata.is_normalized("NFC", cleaned)


@given(ANY)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert t.fold(t.fold(text)) == t.fold(text)


@given(STORABLE)
def test_sentences_lose_nothing_but_whitespace(text: str) -> None:
    assert "".join("".join(t.sentences(text)).split()) == "".join(text.split())
    assert all(sentence == sentence.strip() != "" for sentence in t.sentences(text))


@given(STORABLE, st.integers(-1, 40))
def test_shortened_text_fits_and_begins_alike(text: str, limit: int) -> None:
    short = t.shorten(text, limit)
    assert len(short) <= max(0, limit)
    assert t.collapse(text).startswith(short.removesuffix(t.ELLIPSIS))


@given(STORABLE, st.integers(0, 40))
def test_a_cut_never_tears_a_letter_from_its_marks(text: str, index: int) -> None:
    border = t.grapheme_border(text, index)
    assert 0 <= border <= max(index, 0)
    if 0 < border < len(text):
        assert not unicodedata.category(text[border]).startswith("M")
        assert text[border - 1] != "\u200d"


@given(STORABLE, st.integers(1, 20))
def test_cutting_at_word_borders_always_gets_on(text: str, limit: int) -> None:
    start, pieces = 0, []
    while start < len(text):
        end = t.word_border(text, start, limit)
        assert start < end
        pieces.append(text[start:end])
        start = end
    assert "".join(pieces) == text


@pytest.mark.parametrize(
    ("raw", "stored"),
    [
        ("half an emoji \ud83d", "half an emoji \ufffd"),
        ("two halves \ud83d\ude00", "two halves 😀"),
        ("a\0b", "a\ufffdb"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("e\u0301", "é"),
    ],
)
def test_clean(raw: str, stored: str) -> None:
    assert t.clean(raw) == stored


def test_the_hash_sees_words_and_not_their_spacing() -> None:
    assert t.content_hash("Prefers  window\r\nseats ") == t.content_hash("Prefers window seats")
    assert t.content_hash("Prefers window seats") != t.content_hash("prefers window seats")


@pytest.mark.parametrize(
    ("text", "folded"),
    [("Straße", "strasse"), ("Café", "cafe"), ("ﬁne", "fine"), ("ΣΊΣΥΦΟΣ", "σισυφοσ"), ("Ё", "е")],
)
def test_fold(text: str, folded: str) -> None:
    assert t.fold(text) == folded


def test_japanese_sound_marks_and_hindi_vowels_stay() -> None:
    assert t.fold("がぎ") == "がぎ"
    assert t.fold("हिन्दी") == "हिन्दी"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't stop, Ada!", ["don't", "stop", "ada"]),
        ("设备清单 ok", ["设", "备", "清", "单", "ok"]),
        ("user_id = 20.04", ["user_id", "20", "04"]),
        ("***", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert t.words(text) == words


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("We met Dr. Okafor. She agreed.", ["We met Dr. Okafor.", "She agreed."]),
        ("Use a tool, e.g. a wrench. Then stop.", ["Use a tool, e.g. a wrench.", "Then stop."]),
        ("Pi is 3.14. Version v1.2.3 is out.", ["Pi is 3.14.", "Version v1.2.3 is out."]),
        ("See https://a.example/x?y=1. Then go.", ["See https://a.example/x?y=1.", "Then go."]),
        ("Mail a.b@c.example! Now.", ["Mail a.b@c.example!", "Now."]),
        ("会议结束。我们决定了！好吗？好", ["会议结束。", "我们决定了！", "好吗？", "好"]),
        ("J. R. Smith came. He left.", ["J. R. Smith came.", "He left."]),
        ("They moved to the U.S. They like it.", ["They moved to the U.S.", "They like it."]),
        ("The U.S. Senate met.", ["The U.S. Senate met."]),
        ("Meet at 5 p.m. on Monday. Bring tea.", ["Meet at 5 p.m. on Monday.", "Bring tea."]),
        ("Pay Acme Inc. today. Or not.", ["Pay Acme Inc. today.", "Or not."]),
        ("It was no. 5 of 12. Then came no. 6.", ["It was no. 5 of 12.", "Then came no. 6."]),
        ("No. I won't.", ["No.", "I won't."]),
        ("In 2024. Then 2025.", ["In 2024.", "Then 2025."]),
        ("Am 3. März war Ruhe. Danach nicht.", ["Am 3. März war Ruhe.", "Danach nicht."]),
        ("1. Fill the tank.\n2. Press Start.", ["1. Fill the tank.", "2. Press Start."]),
        ('"Really?" he asked. "Yes!" Fine.', ['"Really?" he asked.', '"Yes!"', "Fine."]),
        ("Well ... maybe. Wait… what?", ["Well ... maybe.", "Wait… what?"]),
        ("hey! how are you? all good here. bye", ["hey!", "how are you?", "all good here.", "bye"]),
        ("Ada: I'll come.\nBob: Good.", ["Ada: I'll come.", "Bob: Good."]),
        ("# Title\nA sentence.", ["# Title", "A sentence."]),
        ("A paragraph that goes over\n\nanother one", ["A paragraph that goes over", "another one"]),
        ("Shopping list\nMilk\nBread", ["Shopping list", "Milk", "Bread"]),
        (
            "This line is wrapped by the editor because it is rather\nlong and goes on here. End.",
            ["This line is wrapped by the editor because it is rather\nlong and goes on here.", "End."],
        ),
        ("", []),
        (" \n ", []),
    ],
)
def test_where_sentences_end(text: str, sentences: list[str]) -> None:
    assert t.sentences(text) == sentences


@pytest.mark.parametrize("unit", ["a", ".", "word ", "\n", " ", "。", "a. ", "👩\u200d", "\u0301", "1.", "'"])
def test_ten_million_characters_on_one_line_take_linear_time(unit: str) -> None:
    small, large = (unit * (size // len(unit)) for size in (20_000, 400_000))

    def seconds(text: str) -> float:
        start = time.process_time()  # other work on the machine does not count
        for _ in t.sentence_spans(text):
            pass
        t.word_count(text)
        return time.process_time() - start

    assert seconds(large) < 100 * max(seconds(small), 0.01)  # 20 times the text; 400 times if quadratic


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("one two three", 13, "one two three"),
        ("one two three", 9, "one two…"),
        ("one\n two", 20, "one two"),
        ("Donaudampfschifffahrt", 6, "Donau…"),
        ("cafe\u0301s", 5, "caf…"),
        ("👩\u200d💻 works", 2, "…"),
        ("anything", 0, ""),
        ("anything", 1, "…"),
    ],
)
def test_shorten(text: str, limit: int, short: str) -> None:
    assert t.shorten(text, limit) == short


def test_the_first_sentence() -> None:
    assert t.first_sentence("\n\nWe met. Then we ate.", 80) == "We met."
    assert t.first_sentence("--- \n Some words without an end", 12) == "Some words…"
    assert t.first_sentence("", 12) == ""
