"""Columns of the change log as a person reads them: "Expires: never → 12 Nov 2025, 14:02:31". No Qt."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from reverie.domain.memory import State
from reverie.i18n import _
from reverie_gui.wording import author_word, exact, kind_word

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# Columns that say nothing to a person, or the same as another.
HIDDEN = frozenset(
    {"seq", "id", "kb_id", "content_hash", "updated_at", "folded", "item_id", "session_id", "token_hash"}
    | {"default_kb_id", "client_id", "kbs", "extracted", "tool_call_id", "tool_calls"}
)
# Kept by dreams and agents, not by a person; changed alone they are told in one line for all rows.
BOOKKEEPING = frozenset({"is_consolidated", "reinforced", "last_seen_at", "last_referenced_at"})
# Texts that are shown as a diff, not as a line.
LONG = frozenset({"content", "summary", "detail"})

_TITLES: Mapping[str, str] = {
    "content": _("Text"),
    "summary": _("Summary"),
    "kind": _("Kind"),
    "key": _("Name"),
    "category": _("Category"),
    "tags": _("Tags"),
    "entities": _("Names in it"),
    "topics": _("Topics"),
    "importance": _("Importance"),
    "source": _("Source"),
    "file": _("Stored file"),
    "place": _("Place in it"),
    "chat": _("Conversation"),
    "message": _("Message"),
    "author": _("Written by"),
    "state": _("State"),
    "pinned": _("Pinned"),
    "muted": _("Muted"),
    "is_consolidated": _("Seen by a dream"),
    "metadata": _("Metadata"),
    "created_at": _("Created"),
    "expires_at": _("Expires"),
    "valid_from": _("Valid from"),
    "valid_until": _("Valid until"),
    "reinforced": _("Told again"),
    "last_seen_at": _("Last told"),
    "name": _("Name"),
    "is_active": _("In use"),
    "always_on": _("Always on"),
    "consolidate_interval_mins": _("Minutes between dreams"),
    "inbox": _("Inbox folder"),
    "reasoner": _("Reasoner"),
    "model": _("Model"),
    "path": _("Folder"),
    "run_id": _("Dream"),
    "title": _("Title"),
    "relationship": _("Relationship"),
    "confidence": _("Confidence"),
    "predicate": _("Relation"),
    "type": _("Type"),
    "aliases": _("Also called"),
    "settings": _("Settings"),
}

_STATES: Mapping[str, str] = {
    State.ACTIVE: _("in use"),
    State.SUPERSEDED: _("replaced by another"),
    State.TRASHED: _("in the trash"),
    "staged": _("not yet shown"),
}


def field_title(column: str) -> str:
    """A column's name for people."""
    return _TITLES.get(column) or column.replace("_", " ").capitalize()


def field_value(column: str, value: Any) -> str:
    """A stored value in words."""
    if value is None or value == "":
        return _("never") if column == "expires_at" else _("none")
    return _VALUES.get(column, _plain)(value)


def _plain(value: Any) -> str:
    return str(value)


def _flag(value: Any) -> str:
    return _("yes") if value else _("no")


def _instant(value: Any) -> str:
    return exact(_EPOCH + timedelta(microseconds=int(value)))


def _share(value: Any) -> str:
    return f"{float(value):.2f}"


def _texts(value: Any) -> str:
    found = _loaded(value)
    return ", ".join(map(str, found)) if isinstance(found, list) and found else _("none")


def _pairs(value: Any) -> str:
    """A JSON object as "rating: 2, coach: six-berth"."""
    found = _loaded(value)
    if not isinstance(found, dict):
        return str(value)
    return ", ".join(f"{key}: {_inner(each)}" for key, each in found.items()) or _("none")


def _inner(value: Any) -> str:
    if isinstance(value, dict):
        return "(" + ", ".join(f"{key}: {_inner(each)}" for key, each in value.items()) + ")"
    if isinstance(value, list):
        return ", ".join(map(_inner, value))
    return _flag(value) if isinstance(value, bool) else str(value)


def _place(value: Any) -> str:
    found = _loaded(value)
    if not isinstance(found, dict) or not found:
        return _("none")
    words = {
        "heading": "{}",
        "page": _("page {}"),
        "row": _("row {}"),
        "row_end": _("to row {}"),
        "start": _("from second {}"),
        "end": _("to second {}"),
    }
    return ", ".join(words.get(name, "{}").format(part) for name, part in found.items())


def _loaded(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


_VALUES: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("pinned", "muted", "is_consolidated", "is_active", "always_on"), _flag),
    **dict.fromkeys(
        ("created_at", "expires_at", "valid_from", "valid_until", "last_seen_at", "stored_at"), _instant
    ),
    **dict.fromkeys(("last_active_at", "last_referenced_at", "last_consolidated_at"), _instant),
    **dict.fromkeys(("tags", "entities", "topics", "aliases"), _texts),
    **dict.fromkeys(("metadata", "settings", "pointers"), _pairs),
    **dict.fromkeys(("importance", "confidence"), _share),
    "kind": kind_word,
    "state": lambda value: _STATES.get(value, str(value)),
    "author": author_word,
    "place": _place,
}
