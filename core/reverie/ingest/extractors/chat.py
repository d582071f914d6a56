"""Recognises a conversation in structured data and makes it readable: "speaker: text"."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from reverie.domain.memory import Place
from reverie.domain.text import clean, collapse
from reverie.ingest.extractors.base import Part, Unit

_SPEAKER = ("speaker", "sender", "author", "role", "from", "user", "username", "name")
_TEXT = ("content", "text", "message", "body")
_TIME = ("time", "timestamp", "date", "created_at", "create_time", "sent_at", "ts", "datetime")
_SHARE = 0.8  # of the items that must look like turns


def turns_of(items: Sequence[Any]) -> list[Part] | None:
    """The turns of a conversation, each a part under its day as heading; None where it is none.

    A turn has someone who speaks (speaker, sender, author, role ...) and what was said (content, text ...);
    other fields than these and a time are few.
    """
    found = [(number, turn) for number, item in enumerate(items, 1) if (turn := _turn(item)) is not None]
    if len(found) < 2 or len(found) < _SHARE * len(items):
        return None
    parts = []
    for number, (speaker, text, day) in found:
        if text:
            parts.append(
                Part(f"{speaker}: {text}", Place(row=number, row_end=number, heading=day), Unit.TURN)
            )
    return parts


def _turn(item: Any) -> tuple[str, str, str] | None:
    """(speaker, text, day)."""
    if not isinstance(item, Mapping):
        return None
    fields = {str(key).lower(): value for key, value in item.items()}
    speaker = next((name for key in _SPEAKER if (name := _speaker(fields.get(key)))), "")
    key = next((key for key in _TEXT if key in fields), None)
    if not speaker or key is None:
        return None
    text = _said(fields[key])
    if text is None:
        return None
    return speaker, clean(text).strip(), next((day for key in _TIME if (day := _day(fields.get(key)))), "")


def _speaker(value: Any) -> str:
    if isinstance(value, Mapping):
        return next((name for key in ("name", "role", "id") if (name := _speaker(value.get(key)))), "")
    return collapse(clean(value))[:60] if isinstance(value, str) else ""


def _said(value: Any) -> str | None:
    """The text of a turn: a string, or a list of strings and blocks with a text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return _said(value.get("text", value.get("parts")))
    if isinstance(value, Iterable):
        return "\n".join(filter(None, (_said(block) for block in value if isinstance(block, (str, Mapping)))))
    return None


def _day(value: Any) -> str:
    """The day as YYYY-MM-DD, as the time itself tells it; "" for what is no time."""
    if isinstance(value, bool):
        return ""
    if isinstance(value, (int, float)):
        seconds = value / 1000 if value > 1e11 else value
        return _format(seconds) if 1e8 < seconds < 1e10 else ""
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value.strip()).date().isoformat()
        except ValueError:
            return ""
    return ""


def _format(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
