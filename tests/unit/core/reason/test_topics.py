"""Topics are phrases of the text, and no debris."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.text import fold
from reverie.reason.stopwords import language_of, stopwords, without_columns
from reverie.reason.topics import MOST, candidates, topics

TEXT = (
    "The roof of the north room leaks again. The slater offered new roof tiles, and the north room stays closed "
    "until the roof tiles have come. Nobody sleeps in the north room."
)


def test_what_comes_again_is_the_topic() -> None:
    found = topics(TEXT)
    assert 2 <= len(found) <= MOST
    assert set(found[:2]) == {"north room", "roof tiles"}


def test_topics_share_no_word() -> None:
    said = [word for topic in topics(TEXT) for word in topic.split()]
    assert len(said) == len(set(said))


@pytest.mark.parametrize(
    "text", ["", "1234 | 5678 | 90", "a b c d", "https://x.example", "--- *** ---", "2026-01-02"]
)
def test_debris_is_no_topic(text: str) -> None:
    assert all(any(char.isalpha() for char in topic) and "|" not in topic for topic in topics(text))


def test_columns_and_speakers_are_no_topics() -> None:
    assert "Payee" not in topics("Date: 1; Payee: Volta Energy; Amount: 3")
    assert topics("Tomas: the moisture meter\n\nInes: the moisture meter")[:1] == ("moisture meter",)


def test_names_keep_their_capitals() -> None:
    assert "Quay Street" in topics("The lease of Quay Street begins in June.")
    assert "green coffee" in topics("Green coffee is dear. We store green coffee in the back.")


def test_what_is_said_together_elsewhere_is_cut_out_of_a_longer_run() -> None:
    assert "green coffee" in topics("Keep the green coffee dry. Never store green coffee in a cellar.")


def test_verbs_after_a_name_are_left_off() -> None:
    assert "Tomas brings" not in topics("Then Tomas brings the cake to Quay Street.")


def test_german_has_its_own_stop_words() -> None:
    words = fold("Das Dach über dem Zimmer ist undicht und der Dachdecker kommt nicht vor dem Sommer").split()
    assert language_of(words) == "de"
    assert language_of(fold("The roof is leaking and we are waiting for it").split()) == "en"
    assert {"nicht", "und"} <= stopwords("de")
    assert stopwords("xx") == stopwords("en")


def test_columns_are_blanked_without_moving_anything() -> None:
    text = "Date: 1; Payee: Volta\nnot: a column\n"
    assert without_columns(text) == "••••: 1; •••••: Volta\nnot: a column\n"
    assert without_columns("name: Ada\n- born: 1815") == "••••: Ada\n- ••••: 1815"
    assert without_columns("Ada: hello; and then") == "Ada: hello; and then"


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_is_taken(text: str) -> None:
    for candidate in candidates(text):
        assert candidate.weight > 0
        assert fold(candidate.phrase)
