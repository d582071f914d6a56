"""Rich text gives its text, in any alphabet."""

from pathlib import Path

import pytest

from reverie.errors import UserError
from reverie.ingest.extractors import Limits, NoText, TooLarge, extract

LETTER = (
    rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Helvetica;}}{\info{\author Nobody}}\f0\b THE MOVE\b0\par\par "
    rb"The van comes on {\i Friday}. Gr\'fc\'dfe, \u20013?\u25991?\par}"
)


def test_text_and_characters_that_stand_as_numbers(tmp_path: Path) -> None:
    (tmp_path / "a.rtf").write_bytes(LETTER)
    (part,) = extract(tmp_path / "a.rtf").parts
    assert part.place.heading == "THE MOVE"
    assert part.text == "The van comes on Friday. Grüße, 中文"


def test_damaged_empty_and_too_large(tmp_path: Path) -> None:
    path = tmp_path / "a.rtf"
    path.write_bytes(LETTER)
    with pytest.raises(TooLarge):
        extract(path, Limits(file_bytes=20))
    with pytest.raises(TooLarge):
        extract(path, Limits(text_bytes=20))
    assert extract(path, Limits(text_bytes=30, first_part=True)).note
    path.write_bytes(rb"{\rtf1\ansi }")
    with pytest.raises(NoText):
        extract(path)
    path.write_bytes(rb"{\rtf1 {\*\bin999999 \u99999999999 \'zz \'8")
    with pytest.raises(UserError):
        extract(path)
