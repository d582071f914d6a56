from datetime import UTC, datetime

import pytest

from reverie.domain.ids import MemoryId
from reverie.domain.memory import Kind, Memory, Place, Provenance
from reverie_gui.panes.memories.text import body, place_words, second, title


def memory(content: str, **fields: object) -> Memory:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    return Memory(MemoryId("a"), "default", Kind.FACT, content, "general", at, at, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("content", "head", "under", "text"),
    [
        ("Short", "Short", "", ""),
        ("One. Two.", "One", "Two.", "Two."),
        ("# Heading\n\nText of it.", "Heading", "Text of it.", "Text of it."),
        ("- item **bold**\n- next", "item bold", "next", "- next"),
        ("", "", "", ""),
        ("\n\nLate start\nmore", "Late start", "more", "more"),
    ],
)
def test_title_and_what_follows(content: str, head: str, under: str, text: str) -> None:
    one = memory(content)
    assert title(one) == head
    assert second(one) == under
    assert body(one) == text


def test_a_first_sentence_that_was_wrapped_is_the_title_and_is_not_said_again() -> None:
    one = memory("The doctor has changed her tablets again, and\ngrapefruit is forbidden. She is\nfurious.")
    assert title(one) == "The doctor has changed her tablets again, and grapefruit is forbidden"
    assert second(one) == "She is furious."
    assert body(one) == "She is\nfurious."


def test_a_long_sentence_is_shortened_and_nothing_is_lost() -> None:
    content = "word " * 60 + "end"
    one = memory(content)
    assert len(title(one)) <= 120
    assert title(one).endswith("…")
    assert body(one) == content


def test_the_key_is_the_title() -> None:
    one = memory("Berlin", key="home-town")
    assert title(one) == "home-town"
    assert body(one) == "Berlin"
    assert second(one) == "Berlin"


def test_the_passage_that_matched_is_shown_unless_it_is_the_title() -> None:
    one = memory("Aiko is allergic. She carries a pen. It is red.")
    assert second(one, "It is red.") == "It is red."
    assert second(one, "Aiko is allergic.") == "She carries a pen. It is red."


def test_a_passage_does_not_say_the_headings_again() -> None:
    place = Provenance(place=Place(heading="Manual > Fire"))
    one = memory("Manual > Fire\n\nClose the gas. Wait.", provenance=place)
    assert second(one, "Manual > Fire Close the gas.") == "Close the gas."
    assert second(one, "Manual > Fire") == "Close the gas. Wait."


def test_places_in_words() -> None:
    place = Place(page=3, heading="Setup > Proxy")
    assert place_words(memory("x", provenance=Provenance(place=place))) == "Setup > Proxy, page 3"
    rows = Place(row=10, row_end=19)
    assert place_words(memory("x", provenance=Provenance(place=rows))) == "rows 10 to 19"
