"""A summary is made of sentences of the text, as they stand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.text import collapse
from reverie.reason.summaries import MOST_SENTENCES, candidates, choose, joined, word_vectors

ROOF = "The roof over the north room leaks badly. The slater wants money for the roof. Cats are nice animals to have."


def test_only_whole_sentences_stand_for_a_prose_text() -> None:
    assert candidates("A Heading\n\nThis is one whole sentence. And this is no") == [
        "This is one whole sentence."
    ]


def test_headings_list_marks_and_code_are_left_out() -> None:
    text = "Home > Net\n\n- It restarts every Sunday.\n\n```sh\nrsync -a one two. three.\n```\n\n1. It is in the cupboard."
    assert candidates(text) == ["It restarts every Sunday.", "It is in the cupboard."]


def test_rows_of_a_table_are_taken_as_lines() -> None:
    text = "Date: 1; Payee: Volta\n\nDate: 2; Payee: Rent"
    assert candidates(text) == ["Date: 1; Payee: Volta", "Date: 2; Payee: Rent"]


def test_fields_of_a_record_lose_their_name() -> None:
    text = "name: The Otter Inn\n- notes: Deliver before ten o'clock. Pays in cash every time."
    assert candidates(text) == ["Deliver before ten o'clock.", "Pays in cash every time."]


def test_long_texts_are_sampled_from_end_to_end() -> None:
    found = candidates(" ".join(f"This is sentence number {n} of them." for n in range(1000)))
    assert len(found) == MOST_SENTENCES
    assert "number 0" in found[0]
    assert "number 875" in found[-1]


def test_the_sentences_nearest_the_centre_are_chosen_in_their_order() -> None:
    found = candidates(ROOF)
    summary = choose(found, word_vectors(found))
    assert summary.startswith("The")
    assert "roof" in summary
    assert summary in ROOF or all(sentence in summary for sentence in found[:2])


def test_nothing_has_an_empty_summary() -> None:
    assert choose([], np.zeros((0, 4), dtype=np.float32)) == ""
    assert candidates("") == []


def test_what_has_no_full_stop_is_set_apart() -> None:
    assert joined(["One.", "two", "three"]) == "One. two; three"


@given(st.text(st.sampled_from("abcd ABC.!?\n-#|:;1é。")))
def test_every_summary_stands_in_its_text(text: str) -> None:
    found = candidates(text)
    for sentence in found:
        assert sentence in collapse(text)
    choose(found, word_vectors(found))
