"""PDF: what stands on the pages is put together as it was written."""

from pathlib import Path

import pytest

from reverie.ingest.extractors import extract
from reverie.ingest.extractors.base import Part
from reverie.ingest.extractors.pdf import Line, parts_of

SAMPLES = Path(__file__).parents[5] / "resources" / "samples"


def page(*texts: str, size: float = 10.0, gaps: dict[int, float] | None = None) -> list[Line]:
    """Lines one below the other; ``gaps`` moves a line down by so many points more. "# x" is a large line."""
    lines, bottom = [], 700.0
    for index, text in enumerate(texts):
        bottom -= 12 + (gaps or {}).get(index, 0)
        large = text.startswith("# ")
        bare = text.removeprefix("# ")
        lines.append(Line(bare, 16.0 if large else size, large, 50, 50 + 5 * len(bare), bottom + 10, bottom))
    return lines


def texts(parts: list[Part]) -> list[str]:
    return [part.text for part in parts]


FULL = "A line that is as long as the column is wide, all of it,"


def test_lines_become_a_paragraph() -> None:
    assert texts(list(parts_of([page(FULL, "and this one goes on.")]))) == [f"{FULL} and this one goes on."]


def test_a_gap_or_a_short_last_line_ends_a_paragraph() -> None:
    parts = list(parts_of([page(FULL, "it ends.", FULL, "again.", "Far below.", gaps={4: 20})]))
    assert parts[0].text.split("\n\n") == [f"{FULL} it ends.", f"{FULL} again.", "Far below."]


@pytest.mark.parametrize("hyphen", ["-", "\u00ad", "\ufffe", "‐"])
def test_a_word_torn_at_a_line_end_is_mended(hyphen: str) -> None:
    assert texts(list(parts_of([page(f"It is an ex{hyphen}", "ample of it.")]))) == [
        "It is an example of it."
    ]


def test_words_that_have_a_hyphen_keep_it() -> None:
    parts = list(
        parts_of(
            [page("A long-term plan is a long-", "term plan.", "The Franco-", "British one; 1990-", "1999")]
        )
    )
    assert parts[0].text == "A long-term plan is a long-term plan.\n\nThe Franco-British one; 1990-1999"


def test_running_heads_and_page_numbers_go() -> None:
    told = ["Apples are red.", "Pears are not.", "Plums may be.", "Figs never are.", "Nor are quinces."]
    pages = [page(f"Manual, chapter {n}", text, f"Page {n} of 5") for n, text in enumerate(told, 1)]
    assert texts(list(parts_of(pages))) == told
    assert [part.place.page for part in parts_of(pages)] == [1, 2, 3, 4, 5]


def test_on_two_pages_a_running_head_stands_on_both() -> None:
    pages = [
        page("The policy", "Page 1", "Fire is covered."),
        page("The policy", "Page 2", "Floods are not."),
    ]
    assert texts(list(parts_of(pages))) == ["Fire is covered.", "Floods are not."]


def test_a_line_that_comes_twice_is_no_running_head() -> None:
    pages = [page("Yours truly", "One."), page("Yours truly", "Two."), page("Other", "Three.")]
    assert "Yours truly" in texts(list(parts_of(pages)))[0]


def test_a_paragraph_runs_on_over_the_page() -> None:
    parts = list(parts_of([page(FULL, "which does not end"), page("before this. Then more.")]))
    assert texts(parts) == [f"{FULL} which does not end before this. Then more."]
    assert parts[0].place.page == 1


def test_large_or_bold_lines_are_headings() -> None:
    parts = list(
        parts_of([page("# Title", FULL, "One.", "Two."), page("Still here.", "# Next", FULL, "Three.")])
    )
    assert [(part.place.page, part.place.heading) for part in parts] == [
        (1, "Title"),
        (2, "Title"),
        (2, "Next"),
    ]


def test_bullets_stay_apart() -> None:
    parts = list(parts_of([page("List:", "• one", "• two", "1. three")]))
    assert parts[0].text == "List:\n\n• one\n\n• two\n\n1. three"


def test_the_manual() -> None:
    read = extract(SAMPLES / "aurelia-r7-manual.pdf")
    assert read.metadata == {"title": "Aurelia R7 owner's manual", "author": "Ferrant Works", "pages": 12}
    assert read.note == ""
    everything = "\n".join(part.text for part in read.parts)
    assert "Page 3" not in everything
    assert "owner's manual" not in everything  # the running head; the title page writes it with a capital
    assert "Aurelia R7 > 11 Messages and what to do > 11.5 E7, cooling" in [
        part.place.heading for part in read.parts
    ]
    assert all(1 <= (part.place.page or 0) <= 12 for part in read.parts)
