"""What a text names."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.reason.entities import MOST, entities, proven_names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We asked Mira Okafor and then Jonas.", ("Mira Okafor", "Jonas")),
        ("She works at Halden & Sons in Port Ellery.", ("Halden & Sons", "Port Ellery")),
        ("Mr. Oduya saw Dr. Castor of the Bank of Ellery.", ("Mr. Oduya", "Dr. Castor", "Bank of Ellery")),
        ("The Otter Inn pays. Anyway, the Otter Inn is old.", ("Otter Inn",)),
        ("Ada's cat likes Ada.", ("Ada",)),
        ("Yesterday it rained. Nobody came. Please wait.", ()),
        ("On Monday in May we rest. I am here.", ()),
        ("Write to ada.b@mail.example or see https://a.example/x?y=1.", ("ada.b@mail.example", "https://a.example/x?y=1")),
        ("Due on 12 March 2026, or 2026-03-14, or March 15, or 16.03.2026.", ("12 March 2026", "2026-03-14", "March 15", "16.03.2026")),
        ("It cost 18,400 euros, then $20 or 30 % or 4.5 kg.", ("18,400 euros", "$20", "30 %", "4.5 kg")),
        ("Call get_user_id() or `do_it` in main.py, see BENCH-100821 and v1.2.3.", ("get_user_id()", "do_it", "main.py", "BENCH-100821", "v1.2.3")),
        ("You may go. They march on.", ()),
        ("WE ARE ALL SHOUTING AT ONCE TODAY", ()),
        ("Press COOL, then FLAME.", ("COOL", "FLAME")),
    ],
)  # fmt: skip
def test_what_is_found(text: str, found: tuple[str, ...]) -> None:
    assert entities(text) == found


def test_a_name_at_the_start_of_a_sentence_needs_proof() -> None:
    assert entities("Tomas came. Bread was there.") == ()
    assert entities("Tomas came. We like Tomas.") == ("Tomas",)
    known = proven_names("Today Tomas Reyl was here, and so was Priya.")
    assert known == {"Tomas", "Reyl", "Priya"}
    assert entities("Tomas came. Bread was there.", known) == ("Tomas",)


def test_words_of_a_heading_are_no_names() -> None:
    assert entities("Manual > Safety\n\nKeep clear of it.") == ()


def test_columns_are_no_names_and_speakers_are() -> None:
    assert entities("Date: 2026-01-05; Payee: Volta Energy; Amount: 3") == ("2026-01-05", "Volta Energy")
    assert entities("Ada: hello\n\nBob: hi there\n\nAda: how is it?\n\nBob: fine") == ("Ada", "Bob")


def test_part_of_a_longer_name_is_not_told_again() -> None:
    assert entities("We met Ines Calder. Then Ines left with Calder.") == ("Ines Calder",)


def test_there_are_never_too_many() -> None:
    text = ". ".join(f"We met Person{chr(97 + n)} Smith{chr(97 + n)} there" for n in range(26))
    assert len(entities(text * 3)) == MOST


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_is_taken(text: str) -> None:
    for name in entities(text):
        assert 1 < len(name) <= 60
        assert "\n" not in name


@pytest.mark.parametrize("unit", ["A", "Ab ", "a_", "1.", "a.b@", "http://", "A. ", "`", "€1,", "a-"])
def test_long_texts_cost_no_more_than_their_beginning(unit: str) -> None:
    start = time.process_time()  # other work on the machine does not count
    entities(unit * 400_000)
    assert time.process_time() - start < 3
