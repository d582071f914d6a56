"""A long-term memory, what narrows a list of them, and what is known of where one came from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from reverie.domain.ids import ItemId, MemoryId
from reverie.domain.title import title_of
from reverie.errors import UserError
from reverie.i18n import _

GENERAL = "general"
_CATEGORY = re.compile(r"[\w-]+(/[\w-]+)*")


class Kind(StrEnum):
    FACT = "fact"
    PREFERENCE = "preference"
    NOTE = "note"
    TIMELINE = "timeline"
    ANTI_PATTERN = "anti-pattern"


class State(StrEnum):
    """Only ``active`` and ``superseded`` memories are live; a trashed one waits for "Empty trash"."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    TRASHED = "trashed"


class Sort(StrEnum):
    NEWEST = "newest"
    OLDEST = "oldest"
    UPDATED = "updated"
    IMPORTANCE = "importance"
    CATEGORY = "category"


class LinkKind(StrEnum):
    MADE_FROM = "made_from"
    REPLACED_BY = "replaced_by"
    CONNECTED = "connected"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in its source a text stood. ``page`` and ``row`` count from 1; ``heading`` is the path of
    headings above it, joined by HEADING_PATH; ``start`` and ``end`` are seconds in sound or video."""

    page: int | None = None
    row: int | None = None
    row_end: int | None = None
    heading: str = ""
    start: float | None = None
    end: float | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a memory was made from: ``source`` is "api", "chat", "person" or a file name."""

    source: str = ""
    file: str = ""  # path of the kept file, relative to the vault's folder where it lies inside
    place: Place = field(default_factory=Place)
    item: ItemId | None = None
    chat: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """One long-term entry. ``importance`` is 0..1; instants are timezone-aware."""

    id: MemoryId
    kb: str
    kind: Kind
    content: str
    category: str
    created_at: datetime
    updated_at: datetime
    key: str | None = None
    summary: str = ""
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    importance: float = 0.5
    provenance: Provenance = field(default_factory=Provenance)
    session: str = ""
    author: str = ""
    state: State = State.ACTIVE
    pinned: bool = False
    muted: bool = False
    is_consolidated: bool = False
    content_hash: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    expires_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    reinforced: int = 0
    last_seen_at: datetime | None = None

    @property
    def title(self) -> str:
        """The key, else a line made from the content."""
        return self.key or title_of(self.content, self.provenance.place.heading)


@dataclass(frozen=True, slots=True)
class MemoryLink:
    source: MemoryId
    target: MemoryId
    kind: LinkKind
    relationship: str = ""


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Narrows a list or a search; every field that is set must hold. ``category`` takes its subtree,
    ``tags`` must all be there (case folded), ``since`` <= created_at < ``until``."""

    kb: str | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    states: tuple[State, ...] = (State.ACTIVE,)
    since: datetime | None = None
    until: datetime | None = None
    source: str | None = None
    author: str | None = None
    item: ItemId | None = None
    pinned: bool | None = None
    muted: bool | None = None
    consolidated: bool | None = None
    min_importance: float | None = None
    expired: bool | None = False  # None: with expired ones too
    without_tags: tuple[str, ...] = ()
    without_kinds: tuple[Kind, ...] = ()
    without_categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facets:
    """How many memories a filter leaves, by value. ``categories`` counts each path without its subtree."""

    total: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    categories: Mapping[str, int] = field(default_factory=dict)
    tags: Mapping[str, int] = field(default_factory=dict)
    sources: Mapping[str, int] = field(default_factory=dict)


def embedded_text(label: str | None, content: str) -> str:
    """The text that a vector stands for: with the key of a memory, the speaker of a message."""
    return f"{label}: {content}" if label else content


def clean_category(category: str | None) -> str:
    """The category in its stored form; "general" where none is given.

    Segments of letters, digits, "_" and "-", separated by "/" (RockBot). Raises UserError.
    """
    text = (category or "").strip().strip("/") or GENERAL
    if not _CATEGORY.fullmatch(text):
        raise UserError(
            _("“{category}” is no category").format(category=category),
            hint=_("Use words of letters, digits, - and _, separated by /, such as projects/apollo"),
        )
    return text


def clean_tags(tags: "tuple[str, ...] | list[str] | None") -> tuple[str, ...]:
    """Tags without blanks around them, without "#", each once (first spelling wins)."""
    seen: dict[str, str] = {}
    for tag in tags or ():
        text = " ".join(tag.split()).lstrip("#")
        if text:
            seen.setdefault(text.casefold(), text)
    return tuple(seen.values())


def clean_importance(value: float) -> float:
    """Clamped to 0..1. Raises UserError on what is not a number."""
    if not isinstance(value, (int, float)) or value != value:
        raise UserError(_("Importance is a number from 0 to 1, not “{value}”").format(value=value))
    return min(1.0, max(0.0, float(value)))
