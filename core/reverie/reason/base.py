"""What a reasoner answers. All of it is a proposal: the caller checks ids and lengths."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from reverie.domain.ids import MemoryId
from reverie.domain.memory import Memory
from reverie.domain.progress import Cancel, never

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Description:
    """What one text is about.

    summary: whole sentences of the text, one or two. entities: names, dates, amounts, addresses and code
    identifiers, as they stand. topics: up to four phrases. importance: 0..1.
    """

    summary: str
    entities: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    importance: float = 0.5


@dataclass(frozen=True, slots=True)
class Finding:
    """An insight across memories. ``sources`` are at least two of the ids that were given."""

    insight: str
    sources: tuple[MemoryId, ...]


class Reasoner(Protocol):
    """name: "builtin", or the model's. Both calls block and may be made from any thread."""

    name: str

    def describe(self, texts: Sequence[str], *, cancelled: Cancel = never) -> list[Description]:
        """One description for each text, in order. Raises Cancelled within a second of ``cancelled()``."""
        ...

    def consolidate(self, memories: Sequence[Memory], vectors: "np.ndarray") -> list[Finding]:
        """What the memories share. vectors: float32 (n, dimensions), unit rows; a row of zeros has none."""
        ...
