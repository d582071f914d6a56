"""What a literal text asks for."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.search.documents import DATE, date_terms
from reverie.search.question import read

NOW = datetime(2026, 11, 28, 6, 30, tzinfo=UTC)


def asked(text, **how):
    return [word.term for word in read(text, **how).words]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("quick ok", ["quick", "ok"]),
        ("广西 OR 桂林", ["广西", "桂林"]),
        ("tier1-test AND unicode", ["tier1", "test", "tier1-test", "unicode"]),
        ("NEAR the harbour", ["near", "harbour"]),
        ("what is the name of my dog?", ["name", "dog"]),
        ("The Who", ["the", "who"]),
        ("to be or not to be", ["to", "be", "or", "not"]),
        ("dog dog Dog", ["dog"]),
        ("*", []),
        ("=>", []),
        ("", []),
    ],
)
def test_words_that_tell_something(text, words):
    assert asked(text) == words


class TestTyping:
    def test_the_last_word_may_be_a_beginning(self):
        assert [word.is_prefix for word in read("staging clus", prefix=True).words] == [False, True]

    @pytest.mark.parametrize("text", ["staging ", "staging\n", '"staging"', "staging\u3000"])
    def test_but_not_one_that_is_finished(self, text):
        assert not any(word.is_prefix for word in read(text, prefix=True).words)

    def test_a_stopword_may_be_the_beginning_of_another(self):
        assert [word.term for word in read("staging the", prefix=True).words] == ["staging", "the"]


class TestPhrases:
    def test_are_folded_and_on_one_line(self):
        assert read('find "Two\n Nodes" now').phrases == ("two nodes",)

    @pytest.mark.parametrize("text", ['""', '"', '" "', '"""', 'a"b'])
    def test_nothing_in_quotes_is_none(self, text):
        assert read(text).phrases == ()

    def test_nothing_but_phrases(self):
        assert read('"two nodes" of "the same"').is_only_phrases
        assert not read('"two nodes" in Linz').is_only_phrases


class TestDates:
    @pytest.mark.parametrize(
        ("text", "date"),
        [("May", "may"), ("monday", "monday"), ("2026", "2026"), ("8 May", "8"), ("May 8th", "8")],
    )
    def test_a_word_of_a_date_may_be_meant_as_one(self, text, date):
        assert DATE + date in {word.date for word in read(text).words}

    @pytest.mark.parametrize("text", ["@may", "@monday", "@2026", "8 apples", "3000"])
    def test_others_are_not(self, text):
        assert not any(word.date and word.term.startswith("@") for word in read(text).words)
        assert all(DATE not in word.term for word in read(text).words)

    @pytest.mark.parametrize("at", [10**30, -(10**30), 0])
    def test_an_instant_out_of_range_has_none_and_does_no_harm(self, at):
        assert len(date_terms(at)) in (0, 4)


@given(st.text(max_size=80), st.booleans())
def test_no_text_raises_and_times_are_kept(text, prefix):
    question = read(text, prefix=prefix, at=NOW)
    assert len(set(question.words)) == len(question.words)


def test_a_very_long_text_is_read_up_to_a_limit():
    assert len(read("x y " * 100_000).text) <= 4_000
    assert len(read("设" * 100_000).words) == 1
