"""What a format of an export is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TextIO

from reverie.domain.progress import Cancel, Progress


@dataclass(frozen=True, slots=True)
class Section:
    """Values of one sort, read as they are asked for: KnowledgeBase, Memory, Insight, MemoryLink, Session or
    Message."""

    name: str
    count: int
    values: Iterator[Any]


class Format(Protocol):
    """One way to write a vault into one text file."""

    @property
    def name(self) -> str:
        """The word for the command line."""

    @property
    def title(self) -> str:
        """What the person reads."""

    @property
    def suffix(self) -> str:
        """Of the file's name, with the dot."""

    def write(
        self, sections: Sequence[Section], stream: TextIO, *, progress: Progress, cancelled: Cancel
    ) -> dict[str, int]:
        """Writes all of it and returns how many records of each section. Raises Cancelled."""
