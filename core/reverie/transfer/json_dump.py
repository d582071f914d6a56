"""Reverie's own dump: one JSON object, one record a line, every field, nothing secret.

    {"format": "reverie", "version": 1, "exported_at": "...Z",
     "knowledge_bases": [...], "memories": [...], "insights": [...], "links": [...],
     "sessions": [...], "messages": [...]}

Instants are ISO 8601 in UTC. Memories and insights in the trash, and superseded ones, are there with their state.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TextIO

from reverie.domain.clock import now
from reverie.domain.progress import Cancel, Progress
from reverie.domain.records import (
    insight_record,
    instant_text,
    link_record,
    memory_record,
    message_record,
    session_record,
)
from reverie.errors import Cancelled
from reverie.i18n import _
from reverie.transfer.formats import Section

FORMAT, VERSION = "reverie", 1

_RECORDS: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "knowledge_bases": asdict,
    "memories": memory_record,
    "insights": insight_record,
    "links": link_record,
    "sessions": session_record,
    "messages": message_record,
}
_STEP = 200  # records between two looks at progress and cancel


class JsonDump:
    name = "json"
    suffix = ".json"

    @property
    def title(self) -> str:
        return _("Everything, as JSON")

    def write(
        self, sections: Sequence[Section], stream: TextIO, *, progress: Progress, cancelled: Cancel
    ) -> dict[str, int]:
        head = {"format": FORMAT, "version": VERSION, "exported_at": instant_text(now())}
        stream.write("{" + ", ".join(f"{_text(name)}: {_text(value)}" for name, value in head.items()))
        total = sum(section.count for section in sections)
        counts: dict[str, int] = {}
        done = 0
        for section in sections:
            stream.write(f",\n{_text(section.name)}: [")
            number = 0
            for number, value in enumerate(section.values, start=1):
                if (done + number) % _STEP == 1:
                    if cancelled():
                        raise Cancelled
                    progress(min(done + number - 1, total), total, _("Exporting"))
                stream.write(("\n" if number == 1 else ",\n") + _text(_RECORDS[section.name](value)))
            stream.write("\n]" if number else "]")
            counts[section.name] = number
            done += number
        stream.write("}\n")
        progress(total, total, _("Exporting"))
        return counts


def _text(value: object) -> str:
    """JSON in one line. Halves of surrogate pairs, which UTF-8 can't hold, stand as escapes."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:  # free metadata may hold what JSON has no word for
        text = json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)
    return text if text.isascii() or _is_utf8(text) else json.dumps(json.loads(text))


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _finite(value: Any) -> Any:
    """Infinity and NaN as text."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value
