"""Plain text: headings that stand out are kept for the chunker."""

import re
from dataclasses import replace
from pathlib import Path

from reverie.domain.memory import Place
from reverie.domain.text import collapse, has_words
from reverie.i18n import _
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part
from reverie.ingest.extractors.files import read_slice

_LONGEST_HEADING = 80
_UNDERLINE = re.compile(r"[ \t]*(={3,}|-{3,}|~{3,})[ \t]*")
_NUMBERED = re.compile(r"\d+(\.\d+)*\.?[ \t]+[^\W\d_][^.!?]*")


def extract(path: Path, limits: Limits) -> Extracted:
    read = read_slice(path, limits)
    try:
        found = from_text(read.text, read.note)
    except NoText:
        if not (limits.start or read.goes_on_at):
            raise
        found = Extracted((), note=read.note)  # other slices have words
    return replace(found, goes_on_at=read.goes_on_at)


def from_text(text: str, note: str = "") -> Extracted:
    """Sections of a plain text. Raises NoText where there are no words."""
    if not has_words(text):
        raise NoText(_("The file holds no words"), hint=_("Put some text into it, then retry"))
    return Extracted(tuple(_sections(text)), note=note)


def _sections(text: str) -> list[Part]:
    parts: list[Part] = []
    heading, body = "", list[str]()

    def close() -> None:
        section = "\n".join(body).strip("\n")
        if section.strip():
            parts.append(Part(section, Place(heading=heading)))
        elif heading:
            parts.append(Part(heading, Place()))

    lines = text.split("\n")
    index = 0
    while index < len(lines):
        taken = _heading_lines(lines, index)
        if taken:
            close()
            heading, body = collapse(lines[index]), []
            index += taken
        else:
            body.append(lines[index])
            index += 1
    close()
    return parts


def _heading_lines(lines: list[str], index: int) -> int:
    """How many lines a heading at ``index`` takes; 0 where there is none.

    A heading is a short line after a blank one that is underlined, or in capitals or numbered ("2.1 Scope")
    and followed by a blank one.
    """
    line = lines[index]
    if not 0 < len(line.strip()) <= _LONGEST_HEADING or (index > 0 and lines[index - 1].strip()):
        return 0
    following = lines[index + 1] if index + 1 < len(lines) else ""
    if _UNDERLINE.fullmatch(following) and any(char.isalpha() for char in line):
        return 2
    if following.strip():
        return 0
    letters = sum(char.isalpha() for char in line)
    capitals = line.isupper() and letters >= 4 and not line.rstrip().endswith(".")
    return 1 if capitals or _NUMBERED.fullmatch(line.strip()) else 0


EXTRACTOR = Extractor("text", (".txt", ".text", ".log", ".rst", ".org", ".tex"), extract)
