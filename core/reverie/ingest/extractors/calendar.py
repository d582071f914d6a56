"""Calendars (.ics): each event, task or note a part, in words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from reverie.domain.memory import Place
from reverie.domain.text import clean, collapse, has_words
from reverie.i18n import _
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part, Unit, Unreadable
from reverie.ingest.extractors.files import read_text

_ENTRIES = {"VEVENT": _("Event"), "VTODO": _("Task"), "VJOURNAL": _("Journal")}
_PROPERTY = re.compile(r"([\w-]+)((?:;[^=;:]+=(?:\"[^\"]*\"|[^\";:])*)*):(.*)", re.DOTALL)
_PARAMETER = re.compile(r";([^=;:]+)=(?:\"([^\"]*)\"|([^\";:]*))")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_STAMP = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z?))?")
_FIELDS = (
    ("DTSTART", _("Begins")), ("DTEND", _("Ends")), ("DURATION", _("Lasts")), ("DUE", _("Due")),
    ("RRULE", _("Repeats")), ("LOCATION", _("Where")), ("ORGANIZER", _("Organizer")), ("ATTENDEE", _("With")),
    ("STATUS", _("Status")), ("CATEGORIES", _("Categories")), ("URL", _("Link")), ("DESCRIPTION", _("Notes")),
)  # fmt: skip
_TIMES = ("DTSTART", "DTEND", "DUE")
_PEOPLE = ("ORGANIZER", "ATTENDEE")
_MOST_PEOPLE = 30


@dataclass(slots=True)
class _Entry:
    kind: str
    values: dict[str, list[str]] = field(default_factory=dict)

    def first(self, name: str) -> str:
        return self.values.get(name, [""])[0]


def extract(path: Path, limits: Limits) -> Extracted:
    read = read_text(path, limits)
    return from_calendar(read.text, read.note)


def from_calendar(text: str, note: str = "") -> Extracted:
    """Each entry a record with its number as row and its day as heading; times as the calendar tells them,
    with their zone. Raises Unreadable and NoText."""
    if "BEGIN:VCALENDAR" not in text[:8192].upper():
        raise Unreadable(_("This is no calendar"), hint=_("Export it from the calendar once more"))
    about: dict[str, str] = {}
    entries = list(_entries(text, about))
    parts = [
        Part(said, Place(row=number, row_end=number, heading=_day(entry)), Unit.RECORD)
        for number, entry in enumerate(entries, 1)
        if has_words(said := _said(entry))
    ]
    if not parts:
        raise NoText(_("The calendar has no entries"))
    return Extracted(tuple(parts), about, note)


def _entries(text: str, about: dict[str, str]) -> Iterator[_Entry]:
    """The entries; what stands inside one (alarms) is left out, and one that is cut off is kept."""
    entry: _Entry | None = None
    inner = ""
    for line in re.sub(r"\n[ \t]", "", text).split("\n"):
        found = _PROPERTY.fullmatch(line.strip())
        if found is None:
            continue
        name, value = found[1].upper(), found[3]
        kind = value.strip().upper()
        if inner:
            inner = "" if name == "END" and kind == inner else inner
        elif name == "BEGIN" and entry is not None:
            inner = kind
        elif name == "BEGIN" and kind in _ENTRIES:
            entry = _Entry(kind)
        elif name == "END" and entry is not None and kind in _ENTRIES:
            yield entry
            entry = None
        elif entry is not None:
            entry.values.setdefault(name, []).append(_value(name, found[2], value))
        elif name == "X-WR-CALNAME":
            about["title"] = collapse(_unescaped(value))
    if entry is not None:
        yield entry


def _value(name: str, parameters: str, value: str) -> str:
    known = {key.upper(): quoted or bare for key, quoted, bare in _PARAMETER.findall(parameters)}
    if name in _TIMES:
        return _time(value.strip(), known.get("TZID", ""))
    if name in _PEOPLE:
        address = re.sub(r"(?i)^mailto:", "", value.strip())
        return f"{known['CN']} <{address}>" if known.get("CN") else address
    return _unescaped(value)


def _unescaped(value: str) -> str:
    text = _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], value)
    return clean(text).strip()


def _time(value: str, zone: str) -> str:
    """ "2026-03-12 14:30 (Europe/Berlin)": as it stands in the calendar, which is how its owner knows it."""
    found = _STAMP.fullmatch(value)
    if found is None:
        return value
    day = f"{found[1]}-{found[2]}-{found[3]}"
    if not found[4]:
        return day
    zone = "UTC" if found[7] else zone
    return f"{day} {found[4]}:{found[5]}" + (f" ({zone})" if zone else "")


def _day(entry: _Entry) -> str:
    begins = entry.first("DTSTART") or entry.first("DUE")
    try:
        return datetime.fromisoformat(begins[:10]).replace(tzinfo=UTC).date().isoformat()
    except ValueError:
        return ""


def _said(entry: _Entry) -> str:
    lines = [f"{_ENTRIES[entry.kind]}: {collapse(entry.first('SUMMARY')) or _('Untitled')}"]
    for name, label in _FIELDS:
        shown = _shown(name, entry.values.get(name, ()))
        if shown:
            lines.append(f"{label}: {shown}")
    return "\n- ".join(lines) if len(lines) > 1 or entry.first("SUMMARY") else ""


def _shown(name: str, values: Sequence[str]) -> str:
    if name in _PEOPLE and len(values) > _MOST_PEOPLE:
        values = [*values[:_MOST_PEOPLE], "…"]
    return ", ".join(filter(None, values)) if name != "DESCRIPTION" else "\n".join(filter(None, values))


EXTRACTOR = Extractor(
    "calendar", (".ics", ".ical"), extract, magic=(b"BEGIN:VCALENDAR",), told_by_content=True
)
