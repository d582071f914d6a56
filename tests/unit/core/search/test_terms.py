"""How text is cut: every literal thing that a person types is found as it stands, none across what is apart."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.text import fold
from reverie.search.terms import LONGEST, chunks, is_joined, places, terms, wanted_terms


class Everything:
    def __contains__(self, term):
        return True


def asked(text):
    return [term for chunk in chunks(text) for term in wanted_terms(chunk)]


class TestWhatStandsTogetherGivesItsPiecesAndTheWhole:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("self-healing", ["self", "healing", "self-healing"]),
            ("20.04", ["20", "04", "20.04"]),
            ("v1.2.3-rc1", ["v1", "2", "3", "rc1", "v1.2.3-rc1"]),
            ("a/b", ["a", "b", "a/b"]),
            ("C++", ["c", "c++"]),
            ("C#", ["c", "c#"]),
            ("grammar::fa", ["grammar", "fa", "grammar::fa"]),
            ("x_y", ["x", "y", "x_y"]),
            ("ada@example.org", ["ada", "example", "org", "ada@example.org"]),
            ("getUserName", ["getusername", "get", "user", "name"]),
            ("HTTPServer", ["httpserver", "http", "server"]),
            ("BENCH-100821", ["bench", "100821", "bench-100821"]),
            ("don't", ["don't"]),
            ("don’t", ["don't"]),
            ("Ada's", ["ada"]),
            ("self-healing.", ["self", "healing", "self-healing"]),
            ("(a/b)", ["a", "b", "a/b"]),
        ],
    )
    def test_pieces(self, text, found):
        assert terms(text) == found

    @pytest.mark.parametrize(
        "text",
        [
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",  # SHA-256
            "123e4567-e89b-12d3-a456-426614174000",
            "https://example.org/a/b",
            "2026-11-28T06:00:00Z",
        ],
    )
    def test_ids_are_terms_as_a_whole(self, text):
        assert fold(text) in terms(text)

    def test_longer_ones_are_found_by_their_pieces(self):
        path = "/".join(["folder"] * 30)
        assert set(terms(path)) == {"folder"}
        assert terms("x" * 5_000) == ["x" * LONGEST]


class TestFolding:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("Café", "CAFE"),
            ("Müller", "muller"),
            (unicodedata.normalize("NFD", "Größe"), "GRÖSSE"),
            ("ﬁle", "file"),
            ("ＡＢＣ１２３", "abc123"),
            ("ﾊﾝｶｸ", "ハンカク"),
            ("ガ", "カ\u3099"),
            ("İstanbul", "istanbul"),
            ("Ёлка", "елка"),
            ("שָׁלוֹם", "שלום"),
            ("مُحَمَّد", "محمد"),
        ],
    )
    def test_the_same_word_in_another_dress_is_the_same_term(self, one, other):
        assert terms(one) == terms(other)


class TestScriptsWithoutSpaces:
    def test_single_characters_and_doubles(self):
        assert terms("设备清单") == ["设", "设备", "备", "备清", "清", "清单", "单"]
        assert terms("雨") == ["雨"]

    def test_a_query_asks_for_doubles_so_that_characters_that_are_apart_do_not_match(self):
        assert asked("设备") == ["设备"]
        assert "设备" not in terms("设 备")
        assert "设备" not in terms("设、备")
        assert "设备" not in terms("设x备")
        assert "设备" not in terms("设\n备")

    def test_one_character_is_asked_for_as_it_is(self):
        assert asked("雨") == ["雨"]
        assert asked("雨, 雨水") == ["雨", "雨水"]

    @pytest.mark.parametrize("word", ["กินข้าว", "ガギグ", "ປະເທດ", "ខ្មែរ"])
    def test_a_character_keeps_its_marks(self, word):
        for term in terms(word):
            assert unicodedata.category(term[0]) not in ("Mn", "Mc")

    def test_thai_is_asked_for_by_doubles_too(self):
        assert asked("กิน") == ["กิน"]

    def test_hangul_is_found_without_its_particle(self):
        assert set(asked("한국")) <= set(terms("한국어는"))

    def test_latin_inside_stands_by_itself(self):
        assert terms("用Python写")[1] == "python"


class TestSignsInsideWords:
    @pytest.mark.parametrize("word", ["हिन्दी", "தமிழ்", "বাংলা", "മലയാളം"])
    def test_a_word_is_not_cut_at_its_vowels(self, word):
        assert terms(word) == [fold(word)]

    def test_a_zero_width_joiner_gives_pieces_and_the_whole(self):
        assert len(terms("می\u200cخواهم")) == 3


class TestEmoji:
    @pytest.mark.parametrize("emoji", ["🎉", "❤️", "👍🏽", "🇩🇪", "👩‍💻", "☀"])
    def test_are_found(self, emoji):
        assert asked(emoji)
        assert set(asked(emoji)) <= set(terms(f"so {emoji} there"))

    def test_beside_a_word(self):
        assert {"party", "🎉"} <= set(terms("party🎉"))


def test_no_term_holds_a_line_end():
    """So that a date's words, which begin with one, are none of a text."""
    for text in ("@may", "\u00b4may", "a\nb", "a\u2028b", "\n2026"):
        assert not any("\n" in term for term in terms(text))


def test_a_joined_term_is_one_of_several_words():
    assert all(map(is_joined, ["self-healing", "c++", "a/b", "20.04", "❤️"]))
    assert not any(map(is_joined, ["healing", "don't", "设备", "กิน", "हिन्दी", "雨", "🎉", "x"]))


any_text = st.one_of(
    st.text(max_size=60),
    st.text(alphabet="aBß雨กิन्\u0301\u3099\u200d'’-/+._@ \n🎉🏽ﬁ한ﾊﾞ", max_size=40),
)


@given(any_text)
def test_terms_are_the_places_with_everything_wanted(text):
    assert terms(text) == [term.text for term in places(text, Everything())]


@given(any_text)
def test_a_place_shows_its_term(text):
    for term in places(text, Everything()):
        assert 0 <= term.start < term.end <= len(text)
        assert term.text in terms(text[term.start : term.end])


@given(any_text)
def test_a_text_holds_all_that_it_is_asked_for_by_itself(text):
    assert set(asked(text)) <= set(terms(text))


@given(any_text)
def test_terms_are_folded_not_empty_and_not_long(text):
    for term in terms(text):
        assert term
        assert len(term) <= LONGEST
        assert fold(term) == term


@given(any_text, any_text)
def test_nothing_is_found_across_a_blank(one, other):
    assert terms(f"{one} {other}") == terms(one) + terms(other)


@pytest.mark.parametrize(
    "unit", ["雨", "aB", "a'", "a-", "कि", "e\u0301", "🎉", "กิ", "ﬁ", "x", " ", ".", "1.", "\u0301", "設x"]
)
def test_long_text_of_any_shape_is_cut_and_asked_for(unit):
    """In linear time: each takes a moment, where a square would take minutes."""
    text = unit * 100_000
    assert len(terms(text)) <= 5 * len(text)
    asked(text)
