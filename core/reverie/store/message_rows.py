"""A message as a row of the store, and back: checked, cleaned, JSON where a column holds several values."""

import json
from collections.abc import Iterable, Mapping
from datetime import MAXYEAR, MINYEAR, datetime
from typing import Any

from reverie.domain.clock import from_micros, to_micros
from reverie.domain.conversation import Message, Role, Session
from reverie.domain.ids import MessageId, SessionId, new_id
from reverie.domain.text import clean, content_hash
from reverie.errors import UserError
from reverie.i18n import _
from reverie.store.memory_rows import to_json

EDITABLE = ("content", "name", "metadata")


def to_row(record: Mapping[str, Any], at: int) -> dict[str, Any]:
    """The columns of a new message but its session, checked and cleaned; ``at`` (microseconds) where it has no instant
    of its own. Raises UserError."""
    given = {name: value for name, value in record.items() if value is not None}
    if "role" not in given:
        raise _no_role(None)
    row = {
        "id": new_id(),
        "name": "",
        "content": "",
        "content_hash": "",
        "tool_calls": "[]",
        "tool_call_id": "",
        "metadata": "{}",
        "extracted": 0,
        "created_at": at,
        **columns(given),
    }
    require_text(row["content"], row["tool_calls"])
    return row


def columns(fields: Mapping[str, Any], allowed: Iterable[str] | None = None) -> dict[str, Any]:
    """Fields of a message as columns. Raises UserError."""
    row: dict[str, Any] = {}
    for name, value in fields.items():
        if name not in (_WRITERS if allowed is None else allowed):
            raise UserError(
                _("A message has no field “{name}” that can be set here").format(name=name),
                hint=", ".join(
                    _WRITERS if allowed is None else allowed
                ),  # not translated: words of the interface
            )
        row.update(_WRITERS[name](value))
    return row


def require_text(content: str, tool_calls: str) -> None:
    """Raises UserError where a message says nothing and calls nothing."""
    if not content.strip() and tool_calls == "[]":
        raise UserError(
            _("A message can't be empty"),
            hint=_("Give it some content; only one with tool calls may have none"),
        )


def text(name: str, value: object) -> str:
    """Raises UserError where it is no text."""
    if not isinstance(value, str):
        raise _wrong(name, value, _("Pass a text"))
    return clean(value)


def identifier(name: str, value: object) -> str:
    """An id as it came. Raises UserError."""
    found = text(name, value)
    if not found.strip():
        raise _wrong(name, value, _("Pass a text that is not empty"))
    return found


def _wrong(name: str, value: object, hint: str) -> UserError:
    return UserError(
        _("The field “{name}” can't hold this").format(name=name), detail=clean(f"{value!r:.80}"), hint=hint
    )


def _content(value: object) -> dict[str, Any]:
    cleaned = text("content", value)
    return {"content": cleaned, "content_hash": content_hash(cleaned)}


def _role(value: object) -> dict[str, Any]:
    if not isinstance(value, str) or value not in list(Role):
        raise _no_role(value)
    return {"role": str(value)}


def _no_role(value: object) -> UserError:
    return UserError(
        _("“{role}” is no role of a message").format(role=clean(str(value))),
        hint=_("Use one of {roles}").format(roles=", ".join(Role)),
    )


def _instant(value: object) -> dict[str, Any]:
    hint = _("Pass a datetime with a timezone, such as datetime.now(UTC)")
    if not isinstance(value, datetime) or value.utcoffset() is None:
        raise _wrong("created_at", value, hint)
    if not MINYEAR < value.year < MAXYEAR:  # shown in local time, it could fall out of the calendar
        raise _wrong("created_at", value, _("Pass a year from 2 to 9998"))
    return {"created_at": to_micros(value)}


def _tool_calls(value: object) -> dict[str, Any]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(call, Mapping) for call in value):
        raise _wrong("tool_calls", value, _("Pass a list of objects"))
    return {"tool_calls": _json("tool_calls", [dict(call) for call in value])}


def _metadata(value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise _wrong("metadata", value, _("Pass an object"))
    return {"metadata": _json("metadata", dict(value))}


def _json(name: str, value: object) -> str:
    try:
        return to_json(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise _wrong(name, value, _("Pass what JSON can hold")) from error


_WRITERS: Mapping[str, Any] = {
    "role": _role,
    "content": _content,
    "name": lambda value: {"name": text("name", value)},
    "created_at": _instant,
    "id": lambda value: {"id": identifier("id", value)},
    "metadata": _metadata,
    "tool_calls": _tool_calls,
    "tool_call_id": lambda value: {"tool_call_id": text("tool_call_id", value)},
}


# Reading: what another program may have stored is shown as far as it can be


def from_row(row: Any) -> Message:
    return Message(
        id=MessageId(row.id),
        session=SessionId(row.session_id),
        role=row.role,
        content=row.content,
        created_at=from_micros(row.created_at),
        name=row.name,
        tool_calls=tuple(call for call in _read(row.tool_calls, list) if isinstance(call, dict)),
        tool_call_id=row.tool_call_id,
        metadata=_read(row.metadata, dict),
        is_extracted=bool(row.extracted),
    )


def session_from_row(row: Any, names: Mapping[int, str]) -> Session:
    """``row`` has ``message_count`` and ``newest`` (microseconds) beside the columns of the session."""
    return Session(
        id=SessionId(row.id),
        kb=names.get(row.kb_id, ""),
        created_at=from_micros(row.created_at),
        last_active_at=from_micros(row.newest),
        message_count=row.message_count,
        title=row.title,
        source=row.source,
        metadata=_read(row.metadata, dict),
    )


def _read(stored: str, kind: type[Any]) -> Any:
    try:
        value = json.loads(stored)
    except (TypeError, ValueError, RecursionError):
        return kind()
    return value if isinstance(value, kind) else kind()
