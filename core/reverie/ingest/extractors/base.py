"""What an extractor takes and gives, and how it says that it can't."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from reverie.domain.memory import Place
from reverie.errors import UserError

MEGABYTE = 1_000_000  # bytes, as file managers count


class Unreadable(UserError):
    """The file can't be opened, is damaged, or is of a kind that Reverie can't read."""


class TooLarge(UserError):
    """Over the limit; a person may answer "first part" or "anyway" (Override)."""


class NoText(UserError):
    """The file is sound and holds no text."""


class Unit(StrEnum):
    """What one part is, which decides how parts may be joined and cut."""

    TEXT = "text"  # prose: cut at paragraphs and sentences
    ROW = "row"  # of a table: grouped, not cut
    RECORD = "record"  # of structured data: alone, small ones grouped
    TURN = "turn"  # of a conversation: grouped


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of text and where in its source it stood. The text is cleaned."""

    text: str
    place: Place = field(default_factory=Place)
    unit: Unit = Unit.TEXT


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a file held.

    metadata: what the file says of itself (front matter, PDF title), plain JSON values.
    note: what a person should know of the reading, such as an encoding that was guessed; may be "".
    goes_on_at: the byte at which the next slice of a very large text begins (``Limits.start``); 0: this was all.
    """

    parts: tuple[Part, ...]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    goes_on_at: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is read. ``first_part`` and ``anyway`` are a person's answers to "too large".

    text_bytes: of a text file, and characters out of any other (10 MB: about 5,000 pages).
    file_bytes: of a file that is not plain text. seconds: for extraction in a process of its own.
    start: the byte to begin at, where a plain text over the limit is ingested anyway: slice by slice.
    """

    first_part: bool = False
    anyway: bool = False
    text_bytes: int = 10 * MEGABYTE
    file_bytes: int = 200 * MEGABYTE
    seconds: float = 300.0
    start: int = 0


@dataclass(frozen=True, slots=True)
class Extractor:
    """A kind of file. ``suffixes`` are in lower case with the dot.

    magic: bytes it may begin with, after white space and in any case of letters.
    roots: names of the root element, where it is markup. members: files one of which a ZIP of this kind holds.
    told_by_content: each such file begins that way (magic) or holds that (members): its name alone says nothing.
    isolated: always read in a process of its own, as its reader is heavy or may break down on a bad file.
    """

    kind: str
    suffixes: tuple[str, ...]
    extract: Callable[[Path, Limits], Extracted]
    magic: tuple[bytes, ...] = ()
    roots: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    isolated: bool = False
    told_by_content: bool = False
