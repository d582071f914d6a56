"""A memory as a row of the store, and back: checked, cleaned, JSON where a column holds several values."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, datetime
from typing import Any

from sqlalchemy import Connection, select

from reverie.domain.clock import from_micros, now, to_micros
from reverie.domain.ids import ItemId, MemoryId, new_id
from reverie.domain.memory import (
    Kind,
    LinkKind,
    Memory,
    MemoryLink,
    Place,
    Provenance,
    State,
    clean_category,
    clean_importance,
    clean_tags,
)
from reverie.domain.text import clean, content_hash
from reverie.errors import UserError
from reverie.i18n import _
from reverie.store import knowledge_bases, stored
from reverie.store.filters import is_visible
from reverie.store.slices import batches
from reverie.store.tables import memories

DEFAULTS: Mapping[str, Any] = {
    "kind": "note",
    "key": None,
    "summary": "",
    "category": "general",
    "tags": "[]",
    "entities": "[]",
    "topics": "[]",
    "importance": 0.5,
    "source": "api",
    "file": "",
    "place": "{}",
    "item_id": None,
    "chat": "",
    "message": "",
    "session_id": "",
    "state": "active",
    "pinned": 0,
    "muted": 0,
    "is_consolidated": 0,
    "metadata": "{}",
    "expires_at": None,
    "valid_from": None,
    "valid_until": None,
    "reinforced": 0,
    "last_seen_at": None,
}


def to_row(record: Mapping[str, Any], author: str, number: int = 1) -> dict[str, Any]:
    """The columns of a new memory, checked and cleaned. Raises UserError naming the record."""
    fields = dict(record)
    content = fields.pop("content", None)
    if not isinstance(content, str) or not clean(content).strip():
        raise UserError(
            _("Memory {number} has no text").format(number=number), hint=_("Give it some content")
        )
    at = to_micros(now())
    created = fields.pop("created_at", None)
    kb = fields.pop("kb", None)
    row: dict[str, Any] = {
        "id": clean(str(fields.pop("id", None) or new_id())),
        "kb": knowledge_bases.clean_name(knowledge_bases.DEFAULT if kb in (None, "") else kb),
        "author": clean(author),
        "created_at": at,
        "updated_at": at,
    }
    row.update(columns({"content": content, **fields}))
    if created is not None:
        row.update(columns({"created_at": created}))
    return row


def columns(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a Memory as columns."""
    row: dict[str, Any] = {}
    for name, value in fields.items():
        write = _WRITERS.get(name)
        if write is None:
            raise UserError(_("A memory has no field “{name}”").format(name=name))
        try:
            row.update(write(value))
        except (TypeError, ValueError, AttributeError, OverflowError) as error:
            raise UserError(
                _("The field “{name}” can't hold this").format(name=name), detail=clean(str(error))
            ) from error
    return row


def _plain(column: str, convert: Any = None) -> Any:
    return lambda value: {column: value if convert is None else convert(value)}


def _instant(column: str, *, required: bool = False) -> Any:
    def write(value: datetime | None) -> dict[str, Any]:
        if value is None and not required:
            return {column: None}
        if not isinstance(value, datetime):
            raise TypeError(f"{type(value).__name__} is no datetime")
        if not MINYEAR < value.year < MAXYEAR:  # shown in local time, it could fall out of the calendar
            raise ValueError(f"year {value.year}")
        return {column: to_micros(value)}

    return write


def _text(value: object) -> str:
    return clean(str(value)) if value is not None else ""


def _texts(values: Iterable[str] | None) -> str:
    return to_json([clean(str(value)) for value in _several(values)])


def _several(values: Iterable[str] | None) -> Iterable[str]:
    """A single text is no list of texts: its letters would be."""
    if isinstance(values, (str, bytes, Mapping)):
        raise TypeError(f"{type(values).__name__} is no list")
    return values or ()


def to_json(value: object) -> str:
    """Raises ValueError for NaN and infinity, which JSON has no word for, TypeError for what is no JSON."""
    return clean(json.dumps(value, ensure_ascii=False, allow_nan=False))


def _flag(value: object) -> int:
    if value not in (0, 1):
        raise ValueError(f"{value!r:.80} is neither true nor false")
    return int(bool(value))


def _content(value: str) -> dict[str, Any]:
    text = clean(value)
    if not text.strip():
        raise UserError(_("A memory can't be empty"), hint=_("Delete it instead"))
    return {"content": text, "content_hash": content_hash(text)}


def _provenance(value: Provenance) -> dict[str, Any]:
    place = {name: part for name in Place.__slots__ if (part := getattr(value.place, name)) not in (None, "")}
    return {
        "source": _text(value.source),
        "file": _text(value.file),
        "place": to_json(place),
        "item_id": value.item,
        "chat": _text(value.chat),
        "message": _text(value.message),
    }


def _kind(value: str) -> str:
    try:
        return str(Kind(value))
    except ValueError:
        raise UserError(
            _("“{kind}” is no kind of memory").format(kind=value),
            hint=_("Use one of {kinds}").format(kinds=", ".join(Kind)),
        ) from None


_WRITERS: Mapping[str, Any] = {
    "content": _content,
    "kind": _plain("kind", _kind),
    "key": _plain("key", lambda value: _text(value).strip() or None),
    "summary": _plain("summary", _text),
    "category": _plain("category", clean_category),
    "tags": _plain("tags", lambda value: _texts(clean_tags([clean(tag) for tag in _several(value)]))),
    "entities": _plain("entities", _texts),
    "topics": _plain("topics", _texts),
    "importance": _plain("importance", clean_importance),
    "source": _plain("source", _text),
    "provenance": _provenance,
    "session": _plain("session_id", _text),
    "state": _plain("state", lambda value: str(State(value))),
    "pinned": _plain("pinned", _flag),
    "muted": _plain("muted", _flag),
    "is_consolidated": _plain("is_consolidated", _flag),
    "metadata": _plain("metadata", lambda value: to_json(dict(value or {}))),
    "created_at": _instant("created_at", required=True),
    "updated_at": _instant("updated_at", required=True),
    "expires_at": _instant("expires_at"),
    "valid_from": _instant("valid_from"),
    "valid_until": _instant("valid_until"),
    "reinforced": _plain("reinforced", int),
    "last_seen_at": _instant("last_seen_at"),
    "author": _plain("author", _text),
}


def from_row(row: Any, names: Mapping[int, str]) -> Memory:
    item = stored.text(row.item_id)
    return Memory(
        id=MemoryId(stored.text(row.id)),
        kb=names.get(row.kb_id, ""),
        kind=stored.member(Kind, row.kind, Kind.NOTE),
        content=stored.text(row.content),
        category=stored.text(row.category),
        created_at=from_micros(row.created_at),
        updated_at=from_micros(row.updated_at),
        key=stored.text(row.key) or None,
        summary=stored.text(row.summary),
        tags=stored.texts(row.tags),
        entities=stored.texts(row.entities),
        topics=stored.texts(row.topics),
        importance=stored.share(row.importance),
        provenance=Provenance(
            source=stored.text(row.source),
            file=stored.text(row.file),
            place=_place(stored.mapping(row.place)),
            item=ItemId(item) if item else None,
            chat=stored.text(row.chat),
            message=stored.text(row.message),
        ),
        session=stored.text(row.session_id),
        author=stored.text(row.author),
        state=stored.member(State, row.state, State.ACTIVE),
        pinned=bool(row.pinned),
        muted=bool(row.muted),
        is_consolidated=bool(row.is_consolidated),
        content_hash=stored.text(row.content_hash),
        metadata=stored.mapping(row.metadata),
        expires_at=stored.instant(row.expires_at),
        valid_from=stored.instant(row.valid_from),
        valid_until=stored.instant(row.valid_until),
        reinforced=stored.whole(row.reinforced),
        last_seen_at=stored.instant(row.last_seen_at),
    )


def _place(parts: Mapping[str, Any]) -> Place:
    """Only what a Place has room for."""
    known = {name: value for name, value in parts.items() if name in Place.__slots__}
    heading = known.pop("heading", "")
    numbers: dict[str, Any] = {
        name: value for name, value in known.items() if isinstance(value, (int, float))
    }
    return Place(heading=stored.text(heading), **numbers)


def fetch(connection: Connection, ids: Sequence[str]) -> list[Memory]:
    names = knowledge_bases.names(connection)
    found: dict[str, Memory] = {}
    for batch in batches(ids):
        statement = select(memories).where(memories.c.id.in_(batch), is_visible())
        found.update((row.id, from_row(row, names)) for row in connection.execute(statement))
    return [found[memory_id] for memory_id in ids if memory_id in found]


def link_from_row(row: Any) -> MemoryLink:
    return MemoryLink(
        MemoryId(row.source_id),
        MemoryId(row.target_id),
        stored.member(LinkKind, row.kind, LinkKind.CONNECTED),
        stored.text(row.relationship),
    )
