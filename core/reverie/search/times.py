"""The times that a question names: "yesterday", "last week", "in May 2023", "8 May", "2 weeks ago"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from reverie.domain.clock import to_micros

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_MONTH = "|".join(f"{month}|{month[:3]}\\b" if len(month) > 3 else month for month in MONTHS)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "couple": 2,
    "few": 3,
}
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)})"
_UNIT = r"(?P<unit>day|week|month|year)"

_PATTERNS = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("iso", r"\b(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b"),
        ("ago", rf"\b{_COUNT}(?: of)? {_UNIT}s? ago\b"),
        ("past", rf"\b(?:last|past|previous) {_COUNT} {_UNIT}s?\b"),
        ("date", rf"\b{_DAY}(?: of)? (?P<month>{_MONTH})\.?(?:,? {_YEAR})?\b"),
        ("date", rf"\b(?P<month>{_MONTH})\.? {_DAY}(?:,? {_YEAR})?\b"),
        ("date", rf"\b(?P<month>{_MONTH})\.?,? {_YEAR}\b"),
        ("date", rf"\b(?:in|of|since|during|last|this|early|late|mid) (?P<month>{_MONTH})\b"),
        ("weekday", rf"\b(?:last|on) (?P<weekday>{'|'.join(WEEKDAYS)})\b"),
        ("last", rf"\b(?:last|past|previous) {_UNIT}\b"),
        ("this", rf"\bthis {_UNIT}\b"),
        ("weekend", r"\blast weekend\b"),
        ("yesterday", r"\b(?:yesterday|last night)\b"),
        ("today", r"\b(?:today|tonight|this morning)\b"),
        ("year", rf"\b(?:in|of|since|during) {_YEAR}\b"),
    )
)

_ASKS_TIME = re.compile(
    r"^\W*(?:(?:since|until|by) )?(?:when|how long|how recently)\b|\b(?:what|which) (?:date|day|month|year|time)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Span:
    """Microseconds since 1970: ``start`` <= at < ``end``."""

    start: int
    end: int


def asks_time(question: str) -> bool:
    return _ASKS_TIME.search(question) is not None


def named_spans(text: str, at: datetime) -> list[Span]:
    """The times that a text names, seen from ``at`` (aware), in its zone."""
    today = at.replace(hour=0, minute=0, second=0, microsecond=0)
    found: dict[Span, None] = {}
    taken: list[tuple[int, int]] = []
    for name, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue  # told more exactly by an earlier pattern
            try:
                for start, days in _read(name, match, today):
                    found[Span(to_micros(start), to_micros(start + timedelta(days=days)))] = None
            except (ValueError, OverflowError):
                continue  # 31 February
            taken.append(match.span())
    return list(found)


def _read(name: str, match: re.Match[str], today: datetime) -> Iterator[tuple[datetime, float]]:
    """First day and number of days."""
    groups = match.groupdict()
    if name == "iso":
        yield today.replace(year=int(groups["year"]), month=int(groups["month"]), day=int(groups["day"])), 1
    elif name == "date":
        yield _date(groups, today)
    elif name == "year":
        yield _year(today, int(groups["year"]))
    elif name in ("ago", "past", "last", "this"):
        yield _units(name, groups, today)
    elif name == "weekday":
        back = (today.weekday() - WEEKDAYS.index(groups["weekday"].lower())) % 7 or 7
        yield today - timedelta(days=back), 1
    elif name == "weekend":
        yield today - timedelta(days=today.weekday() + 2), 2
    else:
        yield today - timedelta(days=name == "yesterday"), 1


def _date(groups: dict[str, str | None], today: datetime) -> tuple[datetime, float]:
    month = 1 + next(n for n, name in enumerate(MONTHS) if name.startswith((groups["month"] or "").lower()))
    day = groups.get("day")
    year = groups.get("year")
    first = today.replace(year=int(year) if year else today.year, month=month, day=int(day) if day else 1)
    if year is None and first > today:
        first = first.replace(year=first.year - 1)
    if day is not None:
        return first, 1
    return first, (_months_on(first, 1) - first).days


def _units(name: str, groups: dict[str, str | None], today: datetime) -> tuple[datetime, float]:
    unit = (groups["unit"] or "").lower()
    number = groups.get("count") or "1"
    count = int(number) if number.isdigit() else _NUMBERS[number.lower()]
    if name == "past":
        first = _back(today, unit, count)
        return first, (today - first).days + 1
    back = {"ago": count, "last": 1, "this": 0}[name]
    if unit == "day":
        return today - timedelta(days=back), 1
    if unit == "week":
        return today - timedelta(days=today.weekday() + 7 * back), 7
    if unit == "month":
        first = _months_on(today.replace(day=1), -back)
        return first, (_months_on(first, 1) - first).days
    return _year(today, today.year - back)


def _back(today: datetime, unit: str, count: int) -> datetime:
    if unit in ("day", "week"):
        return today - timedelta(days=count * (7 if unit == "week" else 1))
    return _months_on(today.replace(day=1), -count * (12 if unit == "year" else 1))


def _year(today: datetime, year: int) -> tuple[datetime, float]:
    first = today.replace(year=year, month=1, day=1)
    return first, (first.replace(year=year + 1) - first).days


def _months_on(first: datetime, months: int) -> datetime:
    number = first.year * 12 + first.month - 1 + months
    return first.replace(year=number // 12, month=number % 12 + 1)
