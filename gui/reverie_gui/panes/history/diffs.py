"""The rows of one change, before and after, ready to be shown. Read on a worker. No Qt."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.domain.changes import Change
from reverie.domain.ids import MemoryId
from reverie.i18n import _, ngettext
from reverie_gui.context import Context
from reverie_gui.panes.history.fields import BOOKKEEPING, HIDDEN, LONG, field_title, field_value
from reverie_gui.panes.history.lines import Line, make_lines
from reverie_gui.panes.history.text_diff import text_lines
from reverie_gui.panes.memories.text import title
from reverie_gui.widgets.word_diff import Shown
from reverie_gui.wording import number

# What a person sees of a row that came or went; of one that changed, all that changed.
_OF_NEW = ("content", "key", "category", "tags", "source", "name", "path", "title")
_ORDER = ("memories", "insights", "knowledge_bases", "watched_folders", "memory_links", "insight_sources")


@dataclass(frozen=True, slots=True)
class FieldDiff:
    """``before`` None where there was none. lines: the diff of a long text, empty for what stands in one line."""

    column: str
    title: str
    before: str | None
    after: str | None
    lines: tuple[Shown, ...] = ()


@dataclass(frozen=True, slots=True)
class RowDiff:
    """act: "added", "changed", "removed". memory: its id where the row is a memory that is still there."""

    table: str
    row: str
    act: str
    what: str
    title: str
    fields: tuple[FieldDiff, ...]
    kind: str = ""
    memory: str = ""
    insight: str = ""


@dataclass(frozen=True, slots=True)
class ChangeDetail:
    """``rows`` are at most as many as were asked for, out of ``total``; ``notes`` tell the rest in sentences."""

    line: Line
    rows: tuple[RowDiff, ...]
    total: int
    notes: tuple[str, ...]


def load_detail(context: Context, changeset: int, limit: int) -> ChangeDetail:
    """On a worker. Raises NotFound."""
    (line,) = make_lines(context, [context.vault.history.get(changeset)])
    changes = folded(context.vault.history.changes(changeset))
    telling = [change for change in changes if _tells(change)]
    quiet = len({(change.table, change.row) for change in changes if _is_bookkeeping(change)})
    telling.sort(key=lambda change: _ORDER.index(change.table) if change.table in _ORDER else len(_ORDER))
    shown = telling[:limit]
    titles = _titles(context, shown)
    notes = []
    if quiet:
        words = ngettext(
            "{n} memory marked as seen or told again", "{n} memories marked as seen or told again", quiet
        )
        notes.append(words.format(n=number(quiet)))
    return ChangeDetail(
        line, tuple(_row_diff(change, titles) for change in shown), len(telling), tuple(notes)
    )


def folded(changes: Iterable[Change]) -> list[Change]:
    """Several changes of one row as one: its first before, its last after."""
    found: dict[tuple[str, str], Change] = {}
    for change in changes:
        key = (change.table, change.row)
        earlier = found.get(key)
        found[key] = change if earlier is None else earlier.then(change)
    return [change for change in found.values() if change.before is not None or change.after is not None]


def _changed(change: Change) -> list[str]:
    """The columns of an update that tell something; all that are stored of a row that came or went."""
    before, after = change.before or {}, change.after or {}
    return [
        name for name in {**after, **before} if before.get(name) != after.get(name) and name not in HIDDEN
    ]


def _is_bookkeeping(change: Change) -> bool:
    if change.before is None or change.after is None:
        return False
    columns = _changed(change)
    return bool(columns) and all(column in BOOKKEEPING for column in columns)


def _tells(change: Change) -> bool:
    if change.before is None or change.after is None:
        return True
    return any(column not in BOOKKEEPING for column in _changed(change))


def _titles(context: Context, changes: Sequence[Change]) -> Mapping[str, str]:
    """Titles of the memories and insights that rows or links name, as they are now."""
    memories: set[str] = set()
    insights: set[str] = set()
    for change in changes:
        image = {**(change.before or {}), **(change.after or {})}
        if change.table == "memories":
            memories.add(change.row)
        elif change.table == "insights":
            insights.add(change.row)
        elif change.table == "memory_links":
            memories |= {str(image.get("source_id")), str(image.get("target_id"))}
        elif change.table == "insight_sources":
            memories.add(str(image.get("memory_id")))
            insights.add(str(image.get("insight_id")))
    found = {
        str(memory.id): title(memory)
        for memory in context.vault.memories.get_many([MemoryId(each) for each in memories])
    }
    found |= {str(insight.id): insight.content for insight in context.vault.insights.get_many(list(insights))}
    return found


def _row_diff(change: Change, titles: Mapping[str, str]) -> RowDiff:
    act = "added" if change.before is None else "removed" if change.after is None else "changed"
    image = {**(change.before or {}), **(change.after or {})}
    if change.table == "memory_links":
        return RowDiff(change.table, change.row, act, _what(change, act), _link(image, titles), ())
    if change.table == "insight_sources":
        words = _("“{insight}” stands on “{memory}”").format(
            insight=_named(image.get("insight_id"), titles), memory=_named(image.get("memory_id"), titles)
        )
        return RowDiff(change.table, change.row, act, _what(change, act), words, ())
    name = str(image.get("key") or image.get("name") or image.get("title") or image.get("path") or "")
    first = str(image.get("content") or "").strip().partition("\n")[0]
    return RowDiff(
        change.table,
        change.row,
        act,
        _what(change, act),
        titles.get(change.row) or name or first,
        tuple(_fields(change, act)),
        kind="insight" if change.table == "insights" else str(image.get("kind", "")),
        memory=change.row if change.table == "memories" and change.row in titles else "",
        insight=change.row if change.table == "insights" and change.row in titles else "",
    )


def _fields(change: Change, act: str) -> Iterable[FieldDiff]:
    before, after = change.before or {}, change.after or {}
    columns = [name for name in _changed(change) if name not in BOOKKEEPING]
    if columns == ["state"] and change.table in ("memories", "insights"):
        return  # ``what`` has said it
    if act != "changed":
        image = after or before
        columns = [name for name in _OF_NEW if image.get(name) not in (None, "", "[]", "{}")]
    for column in sorted(columns, key=_place):
        old = None if act == "added" else _value(column, before.get(column))
        new = None if act == "removed" else _value(column, after.get(column))
        lines = tuple(text_lines(old, new)) if column in LONG else ()
        yield FieldDiff(column, field_title(column), old, new, lines)


def _place(column: str) -> tuple[bool, int]:
    """Texts first, then in the order of a new row, then the rest."""
    return column not in LONG, _OF_NEW.index(column) if column in _OF_NEW else len(_OF_NEW)


def _value(column: str, value: Any) -> str:
    if column in LONG:
        return "" if value is None else str(value)
    return field_value(column, value)


_THINGS: Mapping[str, tuple[str, str, str]] = {
    "memories": (_("Memory added"), _("Memory changed"), _("Memory taken away")),
    "insights": (_("Insight added"), _("Insight changed"), _("Insight taken away")),
    "memory_links": (_("Link added"), _("Link changed"), _("Link taken away")),
    "insight_sources": (_("Basis added"), _("Basis changed"), _("Basis taken away")),
    "sessions": (_("Conversation added"), _("Conversation changed"), _("Conversation taken away")),
    "messages": (_("Message added"), _("Message changed"), _("Message taken away")),
    "knowledge_bases": (
        _("Knowledge base added"),
        _("Knowledge base changed"),
        _("Knowledge base taken away"),
    ),
    "watched_folders": (
        _("Watched folder added"),
        _("Watched folder changed"),
        _("Watched folder taken away"),
    ),
}
_ANY = (_("Entry added"), _("Entry changed"), _("Entry taken away"))


def _what(change: Change, act: str) -> str:
    after = change.after or {}
    if act == "changed" and change.table in ("memories", "insights") and "state" in after:
        state, before = after["state"], (change.before or {}).get("state")
        if state == "trashed":
            return _("Put in the trash")
        if before == "trashed":
            return _("Taken out of the trash")
        if state == "superseded":
            return _("Replaced by another")
    words = _THINGS.get(change.table, _ANY)
    return words[("added", "changed", "removed").index(act)]


def _link(image: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    source, target = _named(image.get("source_id"), titles), _named(image.get("target_id"), titles)
    words = {
        "replaced_by": _("“{source}” is replaced by “{target}”"),
        "made_from": _("“{source}” is made from “{target}”"),
    }.get(str(image.get("kind")), _("“{source}” is connected with “{target}”"))
    return words.format(source=source, target=target)


def _named(each: Any, titles: Mapping[str, str]) -> str:
    name = titles.get(str(each)) or _("a memory that is gone")
    return name if len(name) <= 60 else name[:59].rstrip() + "…"
