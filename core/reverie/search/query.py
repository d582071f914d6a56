"""The search language of the window's field: words, and ``key:value`` narrowings, ``-`` in front to exclude.

kind: category: tag: kb: source: author: importance:>0.8 age:<7d before: after: is:pinned|muted|trashed|
superseded|unconsolidated|expired. All other text is literal. ``vault.search`` takes literal text only.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from reverie.domain.clock import now
from reverie.domain.memory import Kind, MemoryFilter, State
from reverie.i18n import _

KEYS = ("kind", "category", "tag", "kb", "source", "author", "importance", "age", "before", "after", "is")

_TERM = re.compile(r'(?P<minus>-?)(?P<key>[a-z]+):(?P<value>"[^"]*"|\S+)')
_AGE = re.compile(r"<?(\d+)([hdwmy])")
_UNITS = {"h": 1 / 24, "d": 1, "w": 7, "m": 30, "y": 365}


@dataclass(frozen=True, slots=True)
class Query:
    """``problems`` tell, in words, what was not understood and was left out."""

    text: str = ""
    filter: MemoryFilter = field(default_factory=MemoryFilter)
    problems: tuple[str, ...] = ()


def parse(query: str, base: MemoryFilter | None = None) -> Query:
    """Never raises. ``base`` is narrowed further."""
    wanted = base or MemoryFilter()
    problems: list[str] = []
    words: list[str] = []
    position = 0
    for term in _TERM.finditer(query):
        key = term["key"]
        starts_word = term.start() == 0 or query[term.start() - 1].isspace()
        if key not in KEYS or not starts_word:
            continue
        words.append(query[position : term.start()])
        position = term.end()
        value = term["value"].strip('"')
        try:
            wanted = _NARROW[key](wanted, value, bool(term["minus"]))
        except ValueError:
            problems.append(_("“{term}” is not understood and left out").format(term=term[0]))
    words.append(query[position:])
    return Query(" ".join(" ".join(words).split()), wanted, tuple(problems))


def term(key: str, value: str, *, exclude: bool = False) -> str:
    """One narrowing as it is written in the field."""
    quoted = f'"{value}"' if re.search(r"\s", value) else value
    return f"{'-' if exclude else ''}{key}:{quoted}"


def _kind(wanted: MemoryFilter, value: str, exclude: bool) -> MemoryFilter:
    kind = Kind(value.lower())
    if exclude:
        return replace(wanted, without_kinds=(*wanted.without_kinds, kind))
    return replace(wanted, kinds=(*wanted.kinds, kind))


def _category(wanted: MemoryFilter, value: str, exclude: bool) -> MemoryFilter:
    if exclude:
        return replace(wanted, without_categories=(*wanted.without_categories, value))
    return replace(wanted, category=value.rstrip("/"))


def _tag(wanted: MemoryFilter, value: str, exclude: bool) -> MemoryFilter:
    tag = value.lstrip("#")
    if exclude:
        return replace(wanted, without_tags=(*wanted.without_tags, tag))
    return replace(wanted, tags=(*wanted.tags, tag))


def _plain(name: str) -> Callable[[MemoryFilter, str, bool], MemoryFilter]:
    def narrow(wanted: MemoryFilter, value: str, exclude: bool) -> MemoryFilter:
        _only_positive(exclude)
        return _with(wanted, name, value)

    return narrow


def _importance(wanted: MemoryFilter, value: str, exclude: bool) -> MemoryFilter:
    _only_positive(exclude)
    return replace(wanted, min_importance=float(value.lstrip(">=")))


def _age(wanted: MemoryFilter, value: str, exclude: bool) -> MemoryFilter:
    found = _AGE.fullmatch(value.lower())
    if found is None:
        raise ValueError(value)
    border = now() - timedelta(days=int(found[1]) * _UNITS[found[2]])
    return replace(wanted, until=border) if exclude else replace(wanted, since=border)


def _day(name: str) -> Callable[[MemoryFilter, str, bool], MemoryFilter]:
    def narrow(wanted: MemoryFilter, value: str, exclude: bool) -> MemoryFilter:
        _only_positive(exclude)
        day = datetime.fromisoformat(value)
        return _with(wanted, name, day.astimezone(UTC))

    return narrow


_FLAGS: dict[str, tuple[str, object]] = {
    "pinned": ("pinned", True),
    "muted": ("muted", True),
    "unconsolidated": ("consolidated", False),
    "expired": ("expired", True),
    "trashed": ("states", (State.TRASHED,)),
    "superseded": ("states", (State.SUPERSEDED,)),
}


def _is(wanted: MemoryFilter, value: str, exclude: bool) -> MemoryFilter:
    if value not in _FLAGS:
        raise ValueError(value)
    name, setting = _FLAGS[value]
    if exclude:
        if not isinstance(setting, bool):
            return wanted  # trashed and superseded ones are left out anyway
        setting = not setting
    if name == "states":
        wanted = replace(wanted, expired=None)
    return _with(wanted, name, setting)


def _with(wanted: MemoryFilter, name: str, value: Any) -> MemoryFilter:
    return replace(wanted, **{name: value})


def _only_positive(exclude: bool) -> None:
    if exclude:
        raise ValueError


_NARROW: dict[str, Callable[[MemoryFilter, str, bool], MemoryFilter]] = {
    "kind": _kind,
    "category": _category,
    "tag": _tag,
    "kb": _plain("kb"),
    "source": _plain("source"),
    "author": _plain("author"),
    "importance": _importance,
    "age": _age,
    "before": _day("until"),
    "after": _day("since"),
    "is": _is,
}
