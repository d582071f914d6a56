"""An item of the inbox: a file or a pasted text on its way to memories."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from reverie.domain.ids import ItemId, MemoryId


class ItemState(StrEnum):
    WAITING = "waiting"
    READING = "reading"
    DONE = "done"
    KNOWN = "already known"
    FAILED = "failed"
    TOO_LARGE = "too large"
    IGNORED = "ignored"


class Override(StrEnum):
    """How a person answers "too large"."""

    NONE = "none"
    FIRST_PART = "first part"
    ANYWAY = "anyway"


@dataclass(frozen=True, slots=True)
class InboxItem:
    """``path`` is where the file lies now; ``size`` in bytes; ``progress`` is 0..1 while reading."""

    id: ItemId
    kb: str
    name: str
    path: str
    state: ItemState
    size: int
    created_at: datetime
    updated_at: datetime
    reason: str = ""
    hint: str = ""
    retryable: bool = False
    content_hash: str = ""
    progress: float = 0.0
    attempts: int = 0
    override: Override = Override.NONE
    memories: tuple[MemoryId, ...] = ()
    duplicate_of: ItemId | None = None
