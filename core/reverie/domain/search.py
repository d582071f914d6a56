"""What a search answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from reverie.domain.conversation import Message
from reverie.domain.insight import Insight
from reverie.domain.memory import Memory
from reverie.domain.working import WorkingEntry

Found: TypeAlias = Memory | Message | Insight | WorkingEntry


@dataclass(frozen=True, slots=True)
class Hit:
    """One found record.

    score ranks within this answer only. relevance is 0..1 and means the same for every query and store.
    keyword is the part of the words, 0..1 of what they could give (None: no word matched). cosine is -1..1
    (None: no vector). why tells in words. passage is the sentence that matched best.
    """

    record: Found
    score: float
    relevance: float
    keyword: float | None = None
    cosine: float | None = None
    why: str = ""
    passage: str = ""
    words: tuple[str, ...] = ()  # matched words as they stand in the text, each once
    marks: tuple[tuple[int, int], ...] = ()  # where they stand: content[start:end]
    parts: Mapping[str, float] = field(default_factory=dict)  # what the score is made of, by name

    @property
    def memory(self) -> Memory:
        return cast(Memory, self.record)

    @property
    def message(self) -> Message:
        return cast(Message, self.record)

    @property
    def insight(self) -> Insight:
        return cast(Insight, self.record)

    @property
    def working(self) -> WorkingEntry:
        return cast(WorkingEntry, self.record)
