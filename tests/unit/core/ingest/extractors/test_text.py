"""Plain text, and the headings that stand out in it."""

from reverie.ingest.extractors.text import from_text


def sections(text: str) -> list[tuple[str, str]]:
    return [(part.place.heading, part.text) for part in from_text(text).parts]


def test_a_text_without_headings_is_one_part() -> None:
    assert sections("One line.\n\nAnother one.\n") == [("", "One line.\n\nAnother one.")]


def test_headings_are_underlined_numbered_or_in_capitals() -> None:
    text = "Before.\n\nUnderlined\n==========\nOne.\n\n2.1 Numbered\n\nTwo.\n\nIN CAPITALS\n\nThree."
    assert sections(text) == [
        ("", "Before."),
        ("Underlined", "One."),
        ("2.1 Numbered", "Two."),
        ("IN CAPITALS", "Three."),
    ]


def test_sentences_and_list_items_are_no_headings() -> None:
    for text in (
        "1. Fill the tank.\n\n2. Press it!\n\nx",
        "STOP!\nNOW\n\nx",
        "A line\n\nx",
        "----\n----\n\nx",
    ):
        assert len(sections(text)) == 1


def test_a_heading_with_nothing_below_it_is_kept() -> None:
    assert sections("Words.\n\nTHE END OF IT\n") == [("", "Words."), ("", "THE END OF IT")]
