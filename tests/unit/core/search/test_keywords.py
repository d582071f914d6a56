"""Any text is a query; no character of it is an operator."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.search.keywords import words_of


def test_stopwords_are_dropped_where_something_else_is_there():
    assert words_of("where do they like to sit?").plain == ("like", "sit?")
    assert words_of("The Who").plain == ("The", "Who")


def test_quoted_parts_stay_phrases_with_their_stopwords():
    assert words_of('lyrics of "the who"').plain == ("lyrics", "the who")


def test_all_words_first_or_any():
    words = words_of("harbour bridge")
    assert words.every() == '"harbour" AND "bridge"'
    assert words.any() == '"harbour" OR "bridge"'
    assert words.every(prefix=True) == '"harbour" AND "bridge" *'


@pytest.mark.parametrize("query", ["", " ", '"', '""', "***", "()", "-", "🎉"])
def test_what_the_index_can_not_hold_leaves_no_words(query):
    assert words_of(query).telling == ()


@given(st.text())
def test_every_word_is_quoted(query):
    for word in words_of(query).telling:
        assert word.startswith('"')
        assert word.endswith('"')
        assert '"' not in word[1:-1]
