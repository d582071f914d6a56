"""Plain text, and the headings that stand out in it."""

from dataclasses import replace
from pathlib import Path

import pytest

from reverie.ingest.extractors import files
from reverie.ingest.extractors.base import Limits
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


def test_slices_of_a_large_text_are_the_whole_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SLICE", 1000)
    path = tmp_path / "large.txt"
    for data in (
        "".join(f"Größe {n} — 设备 und mehr.\n" for n in range(400)).encode(),
        ("ä設" * 3000).encode(),  # no line end and no blank to cut at
        ("word\n" + " " * 5000 + "word again\n" * 50).encode(),
        ("Plain. " * 300).encode() + b"caf\xe9 " * 400,
        ("Größe " * 2000).encode("utf-16"),
    ):
        path.write_bytes(data)
        limits = Limits(text_bytes=500, anyway=True)
        read, starts = [], []
        while True:
            part = files.read_slice(path, limits)
            read.append(part.text)
            starts.append(limits.start)
            if not part.goes_on_at:
                break
            limits = replace(limits, start=part.goes_on_at)
        assert "".join(read) == files.read_text(path, replace(limits, start=0)).text
        assert len(starts) == len(set(starts))
