"""Memories, insights, links, sessions and messages as JSON-able records and back: the shape of a dump and of a proposal's ``after``.

Instants are ISO 8601 in UTC with "Z" and microseconds. Reading is strict where a wrong guess would store
something else than what was written, and raises UserError with the name of the field.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from enum import Enum
from typing import Any, TypeVar

from reverie.domain.conversation import Message, Role, Session
from reverie.domain.ids import InsightId, ItemId, MemoryId, MessageId, RunId, SessionId
from reverie.domain.insight import Insight
from reverie.domain.knowledge_base import KnowledgeBase
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
from reverie.errors import UserError
from reverie.i18n import _

Record = Mapping[str, Any]
E = TypeVar("E", bound=Enum)
_BASE_FIELDS = frozenset(item.name for item in fields(KnowledgeBase))


def instant_text(instant: datetime | None) -> str | None:
    """ISO 8601 in UTC, microseconds, "Z"; None stays None."""
    if instant is None:
        return None
    return instant.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def read_instant(text: str) -> datetime:
    """The instant of an ISO 8601 text; one without a zone is taken as UTC. Raises ValueError."""
    instant = datetime.fromisoformat(text)
    return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)


def memory_record(memory: Memory) -> dict[str, Any]:
    """Every field of a memory, JSON-able; :func:`read_memory` gives an equal one back."""
    return {
        "id": memory.id,
        "kb": memory.kb,
        "kind": memory.kind.value,
        "key": memory.key,
        "content": memory.content,
        "summary": memory.summary,
        "category": memory.category,
        "tags": list(memory.tags),
        "entities": list(memory.entities),
        "topics": list(memory.topics),
        "importance": memory.importance,
        "provenance": _provenance_record(memory.provenance),
        "session": memory.session,
        "author": memory.author,
        "state": memory.state.value,
        "pinned": memory.pinned,
        "muted": memory.muted,
        "is_consolidated": memory.is_consolidated,
        "content_hash": memory.content_hash,
        "metadata": dict(memory.metadata),
        "created_at": instant_text(memory.created_at),
        "updated_at": instant_text(memory.updated_at),
        "expires_at": instant_text(memory.expires_at),
        "valid_from": instant_text(memory.valid_from),
        "valid_until": instant_text(memory.valid_until),
        "reinforced": memory.reinforced,
        "last_seen_at": instant_text(memory.last_seen_at),
    }


def read_memory(record: Record) -> Memory:
    """A memory from its record. Only ``id``, ``content`` and ``created_at`` must be there; fields that are
    not known are left out. Raises UserError."""
    created = _instant(record, "created_at")
    if created is None:
        raise _wrong("created_at", None)
    return Memory(
        id=MemoryId(_identifier(record)),
        kb=_text(record, "kb") or "default",
        kind=_member(record, "kind", Kind, Kind.NOTE),
        key=_text(record, "key") or None,
        content=_required(record, "content"),
        summary=_text(record, "summary"),
        category=clean_category(_text(record, "category")),
        tags=clean_tags(_texts(record, "tags")),
        entities=_texts(record, "entities"),
        topics=_texts(record, "topics"),
        importance=clean_importance(_number(record, "importance", 0.5)),
        provenance=_read_provenance(_object(record, "provenance")),
        session=_text(record, "session"),
        author=_text(record, "author"),
        state=_member(record, "state", State, State.ACTIVE),
        pinned=_flag(record, "pinned"),
        muted=_flag(record, "muted"),
        is_consolidated=_flag(record, "is_consolidated"),
        content_hash=_text(record, "content_hash"),
        metadata=dict(_object(record, "metadata")),
        created_at=created,
        updated_at=_instant(record, "updated_at") or created,
        expires_at=_instant(record, "expires_at"),
        valid_from=_instant(record, "valid_from"),
        valid_until=_instant(record, "valid_until"),
        reinforced=max(0, int(_number(record, "reinforced", 0))),
        last_seen_at=_instant(record, "last_seen_at"),
    )


def memory_fields(record: Record) -> dict[str, Any]:
    """The fields of a record that a store takes for a new memory: those that it does not work out by itself."""
    memory = read_memory(record)
    fields_ = {item.name: getattr(memory, item.name) for item in fields(Memory)}
    for own in ("content_hash", "updated_at", "state"):
        del fields_[own]
    return fields_


def insight_record(insight: Insight) -> dict[str, Any]:
    """Every field of an insight, JSON-able; :func:`read_insight` gives an equal one back."""
    return {
        "id": insight.id,
        "kb": insight.kb,
        "content": insight.content,
        "summary": insight.summary,
        "sources": list(insight.sources),
        "importance": insight.importance,
        "run": insight.run,
        "state": insight.state.value,
        "created_at": instant_text(insight.created_at),
    }


def read_insight(record: Record) -> Insight:
    """An insight from its record; ``id``, ``content`` and ``created_at`` must be there. Raises UserError."""
    created = _instant(record, "created_at")
    if created is None:
        raise _wrong("created_at", None)
    run = _text(record, "run")
    return Insight(
        id=InsightId(_identifier(record)),
        kb=_text(record, "kb") or "default",
        content=_required(record, "content"),
        summary=_text(record, "summary"),
        sources=tuple(MemoryId(source) for source in _texts(record, "sources")),
        importance=clean_importance(_number(record, "importance", 0.5)),
        run=RunId(run) if run else None,
        state=_member(record, "state", State, State.ACTIVE),
        created_at=created,
    )


def read_knowledge_base(record: Record) -> KnowledgeBase:
    """A knowledge base from its record; ``name`` must be there. Raises UserError."""
    given = {name: value for name, value in record.items() if name in _BASE_FIELDS and value is not None}
    known = KnowledgeBase(_required(record, "name"))
    for name, value in given.items():
        if not isinstance(value, type(getattr(known, name))):
            raise _wrong(name, value)
    return replace(known, **given)


def link_record(link: MemoryLink) -> dict[str, Any]:
    return {
        "source": link.source,
        "target": link.target,
        "kind": link.kind.value,
        "relationship": link.relationship,
    }


def read_link(record: Record) -> MemoryLink:
    """A link from its record; ``source``, ``target`` and ``kind`` must be there. Raises UserError."""
    if "kind" not in record:
        raise _wrong("kind", None)
    return MemoryLink(
        source=MemoryId(_required(record, "source")),
        target=MemoryId(_required(record, "target")),
        kind=_member(record, "kind", LinkKind, LinkKind.CONNECTED),
        relationship=_text(record, "relationship"),
    )


def session_record(session: Session) -> dict[str, Any]:
    """What is stored of a session: not how many messages it has, nor when the last was."""
    return {
        "id": session.id,
        "kb": session.kb,
        "title": session.title,
        "source": session.source,
        "metadata": dict(session.metadata),
        "created_at": instant_text(session.created_at),
    }


def read_session(record: Record) -> Session:
    """A session from its record; ``id`` and ``created_at`` must be there. Raises UserError."""
    created = _instant(record, "created_at")
    if created is None:
        raise _wrong("created_at", None)
    return Session(
        id=SessionId(_identifier(record)),
        kb=_text(record, "kb") or "default",
        title=_text(record, "title"),
        source=_text(record, "source"),
        metadata=dict(_object(record, "metadata")),
        created_at=created,
        last_active_at=created,
    )


def message_record(message: Message) -> dict[str, Any]:
    """Every field of a message, JSON-able; :func:`read_message` gives an equal one back."""
    return {
        "id": message.id,
        "session": message.session,
        "role": message.role,
        "name": message.name,
        "content": message.content,
        "tool_calls": [dict(call) for call in message.tool_calls],
        "tool_call_id": message.tool_call_id,
        "metadata": dict(message.metadata),
        "is_extracted": message.is_extracted,
        "created_at": instant_text(message.created_at),
    }


def read_message(record: Record) -> Message:
    """A message from its record; ``id``, ``session``, ``role`` and ``created_at`` must be there. Raises UserError."""
    created = _instant(record, "created_at")
    if created is None:
        raise _wrong("created_at", None)
    if record.get("role") is None:
        raise _wrong("role", None)
    return Message(
        id=MessageId(_identifier(record)),
        session=SessionId(_identifier(record, "session")),
        role=_member(record, "role", Role, Role.USER).value,
        name=_text(record, "name"),
        content=_text(record, "content"),
        tool_calls=_objects(record, "tool_calls"),
        tool_call_id=_text(record, "tool_call_id"),
        metadata=dict(_object(record, "metadata")),
        is_extracted=_flag(record, "is_extracted"),
        created_at=created,
    )


def _provenance_record(provenance: Provenance) -> dict[str, Any]:
    """Only what is known; an empty object where nothing is."""
    record: dict[str, Any] = {
        name: value
        for name in ("source", "file", "item", "chat", "message")
        if (value := getattr(provenance, name))
    }
    place = {
        item.name: value
        for item in fields(Place)
        if (value := getattr(provenance.place, item.name)) not in (None, "")
    }
    return record | {"place": place} if place else record


def _read_provenance(record: Record) -> Provenance:
    place = _object(record, "place")
    item = _text(record, "item")
    return Provenance(
        source=_text(record, "source"),
        file=_text(record, "file"),
        item=ItemId(item) if item else None,
        chat=_text(record, "chat"),
        message=_text(record, "message"),
        place=Place(
            page=_whole(place, "page"),
            row=_whole(place, "row"),
            row_end=_whole(place, "row_end"),
            heading=_text(place, "heading"),
            start=_seconds(place, "start"),
            end=_seconds(place, "end"),
        ),
    )


def _wrong(name: str, value: object) -> UserError:
    if value is None:
        return UserError(_("The field “{name}” is missing").format(name=name))
    shown = repr(value)
    return UserError(
        _("The field “{name}” has a value that does not fit").format(name=name),
        detail=shown if len(shown) <= 80 else shown[:79] + "…",
    )


def _identifier(record: Record, name: str = "id") -> str:
    """An id: foreign ones may be numbers."""
    value = record.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _required(record, name)


def _required(record: Record, name: str) -> str:
    text = _text(record, name)
    if not text:
        raise _wrong(name, None)
    return text


def _text(record: Record, name: str) -> str:
    value = record.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _wrong(name, value)
    return value


def _texts(record: Record, name: str) -> tuple[str, ...]:
    value = record.get(name)
    if value is None:
        return ()
    if (
        not isinstance(value, Sequence)
        or isinstance(value, str)
        or not all(isinstance(x, str) for x in value)
    ):
        raise _wrong(name, value)
    return tuple(value)


def _number(record: Record, name: str, default: float) -> float:
    value = record.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        raise _wrong(name, value)
    return value


def _seconds(record: Record, name: str) -> float | None:
    return None if record.get(name) is None else float(_number(record, name, 0.0))


def _whole(record: Record, name: str) -> int | None:
    return None if record.get(name) is None else int(_number(record, name, 0))


def _flag(record: Record, name: str) -> bool:
    value = record.get(name)
    if value is None:
        return False
    if not isinstance(value, bool) and value not in (0, 1):
        raise _wrong(name, value)
    return bool(value)


def _object(record: Record, name: str) -> Record:
    value = record.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise _wrong(name, value)
    return value


def _objects(record: Record, name: str) -> tuple[Record, ...]:
    value = record.get(name)
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)) or not all(isinstance(each, Mapping) for each in value):
        raise _wrong(name, value)
    return tuple(value)


def _member(record: Record, name: str, words: type[E], default: E) -> E:
    value = record.get(name)
    if value is None:
        return default
    try:
        return words(value)
    except ValueError:
        raise _wrong(name, value) from None


def _instant(record: Record, name: str) -> datetime | None:
    value = record.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise _wrong(name, value)
    try:
        return read_instant(value)
    except (ValueError, OverflowError):
        raise _wrong(name, value) from None
