"""What a dream found across several memories."""

from dataclasses import dataclass
from datetime import datetime

from reverie.domain.ids import InsightId, MemoryId, RunId
from reverie.domain.memory import State


@dataclass(frozen=True, slots=True)
class InsightFilter:
    """Narrows a search among insights."""

    kb: str | None = None
    state: State = State.ACTIVE


@dataclass(frozen=True, slots=True)
class Insight:
    id: InsightId
    kb: str
    content: str
    sources: tuple[MemoryId, ...]
    created_at: datetime
    run: RunId | None = None
    state: State = State.ACTIVE
    summary: str = ""
    importance: float = 0.5
