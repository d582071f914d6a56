"""The lines of the history: read by page on a worker, narrowed to authors, words or one memory. No Qt."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from reverie.domain.changes import ChangeSet
from reverie.domain.ids import MemoryId, OperationId
from reverie.domain.memory import Memory
from reverie.domain.text import fold
from reverie.errors import NotFound
from reverie_gui.bridge.tasks import Task
from reverie_gui.context import Context
from reverie_gui.models.ordered_ids import OrderedIds
from reverie_gui.panes.history.words import sentence
from reverie_gui.panes.memories.text import title
from reverie_gui.wording import day

PAGE = 100
_SCAN = 1000  # changes looked through in one go where few match
_ID = re.compile(r"[0-9a-f]{12}")
GROUPS = ("person", "agent", "dream", "ingest", "import", "retention")


@dataclass(frozen=True, slots=True)
class Line:
    """One change. about: the title of the one memory or insight that it touched. rows: how many rows it changed.
    undoes: the changes that it took back."""

    id: int
    at: datetime
    author: str
    kind: str
    text: str
    about: str = ""
    rows: int = 0
    undone: bool = False
    undoes: tuple[int, ...] = ()
    local_day: date | None = None  # worked out once: a list of ten thousand asks each line

    @property
    def on(self) -> date:
        return self.local_day or self.at.astimezone().date()

    @property
    def key(self) -> str:
        return str(self.id)


@dataclass(frozen=True, slots=True)
class Day:
    """A heading."""

    date: date
    text: str

    @property
    def key(self) -> str:
        return f"day:{self.date.isoformat()}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the list is narrowed to. authors: "person", "agent:claude", or a group such as "dream"."""

    words: str = ""
    authors: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    memory: str = ""

    @property
    def exact(self) -> str | None:
        """The one author that the vault itself can narrow to."""
        if len(self.authors) != 1:
            return None
        (author,) = self.authors
        return author if author in ("person", "retention") or ":" in author else None

    def takes(self, line: Line) -> bool:
        if self.authors and not any(_is_by(line.author, each) for each in self.authors):
            return False
        if any(_is_by(line.author, each) for each in self.without):
            return False
        return not self.words or fold(self.words) in fold(f"{line.text} {line.about} {line.author}")


@dataclass(frozen=True, slots=True)
class Page:
    """``before`` is where the next page begins, None at the end of the history."""

    wanted: Wanted
    lines: tuple[Line, ...]
    before: int | None
    fresh: bool = True


def is_memory_id(words: str) -> bool:
    """Whether a query is the id of a memory: then its own history is shown."""
    return _ID.fullmatch(words) is not None


def load_page(context: Context, wanted: Wanted, before: int | None, task: Task[None]) -> Page:
    """On a worker: the next lines, at least one page of them where there are as many in reach."""
    fresh = before is None
    if wanted.memory:
        lines = _of_memory(context, wanted)
        if lines or not fresh:
            return Page(wanted, lines, None, fresh)
        wanted = Wanted(wanted.memory, wanted.authors, wanted.without)
    found: list[Line] = []
    scanned = 0
    while len(found) < PAGE and scanned < _SCAN and not task.cancelled():
        changes = context.vault.history.list(PAGE, before, wanted.exact)
        scanned += len(changes)
        found += [line for line in make_lines(context, changes) if wanted.takes(line)]
        before = changes[-1].id if len(changes) == PAGE else None
        if before is None:
            break
    return Page(wanted, tuple(found), before, fresh)


def load_lines(context: Context, ids: Iterable[int]) -> list[Line]:
    """On a worker: these changes as they stand now."""
    changes = []
    for each in ids:
        try:
            changes.append(context.vault.history.get(each))
        except NotFound:
            continue
    return make_lines(context, changes)


def make_lines(context: Context, changes: Sequence[ChangeSet]) -> list[Line]:
    single = {change.id: only for change in changes if (only := _only_row(change))}
    memories = {row for table, row in single.values() if table == "memories"}
    insights = {row for table, row in single.values() if table == "insights"}
    titles = {memory.id: title(memory) for memory in _memories(context, memories)}
    titles |= {
        MemoryId(insight.id): insight.content for insight in context.vault.insights.get_many(list(insights))
    }
    return [
        Line(
            change.id,
            change.at,
            change.author,
            change.kind,
            sentence(change),
            titles.get(MemoryId(single[change.id][1]), "") if change.id in single else "",
            sum(len(d.added) + len(d.changed) + len(d.removed) for d in change.rows.values()),
            change.undone,
            tuple(int(each["id"]) for each in change.detail.get("undoes") or ()),
            change.at.astimezone().date(),
        )
        for change in changes
    ]


def _memories(context: Context, ids: Iterable[str]) -> Sequence[Memory]:
    return context.vault.memories.get_many([MemoryId(each) for each in ids])


def _only_row(change: ChangeSet) -> tuple[str, str] | None:
    """The one memory (or else insight) that a change is about."""
    for table in ("memories", "insights"):
        delta = change.rows.get(table)
        if delta is not None:
            rows = (*delta.added, *delta.changed, *delta.removed)
            return (table, rows[0]) if len(rows) == 1 else None
    return None


def _of_memory(context: Context, wanted: Wanted) -> tuple[Line, ...]:
    versions = context.vault.memories.history(wanted.memory)
    changes: dict[OperationId, ChangeSet] = {}
    for version in versions:
        changes.setdefault(version.changeset.id, version.changeset)
    narrowed = Wanted("", wanted.authors, wanted.without)
    return tuple(line for line in make_lines(context, list(changes.values())) if narrowed.takes(line))


def _is_by(author: str, wanted: str) -> bool:
    wanted = {"you": "person", "me": "person", "inbox": "ingest"}.get(wanted.lower(), wanted)
    return author == wanted or author.partition(":")[0] == wanted


@dataclass(frozen=True, slots=True)
class Listed:
    """All lines that were read so far, newest first, with the rows that a list shows of them. Made on a worker:
    ten thousand of them take longer than the window may wait. ``fresh`` are the rows that are new or changed."""

    lines: tuple[Line, ...] = ()
    ids: OrderedIds = field(default_factory=OrderedIds)
    fresh: tuple["Line | Day", ...] = ()
    agents: tuple[str, ...] = ()  # their authors that are agents

    def with_older(self, older: Iterable[Line]) -> "Listed":
        """With the next page at the end."""
        known = self.ids
        return self._with((*self.lines, *(line for line in older if line.key not in known)))

    def merged(self, found: Iterable[Line]) -> "Listed":
        """New lines go in front, those that are known are replaced."""
        by_id = {line.id: line for line in self.lines}
        by_id.update((line.id, line) for line in found)
        return self._with(tuple(sorted(by_id.values(), key=lambda line: -line.id)))

    def _with(self, lines: tuple[Line, ...]) -> "Listed":
        before = {line.id: line for line in self.lines}
        rows = with_days(lines)
        fresh = tuple(row for row in rows if isinstance(row, Day) or before.get(row.id) != row)
        agents = sorted({line.author for line in lines if line.author.startswith("agent:")})
        return Listed(lines, OrderedIds(row.key for row in rows), fresh, tuple(agents))


def touched_by(lines: Iterable[Line], ids: Iterable[int]) -> set[int]:
    """These and, where one of them is an undo, what it had taken back: all whose state may have changed."""
    by_id = {line.id: line for line in lines if line.undoes}
    seen: set[int] = set()
    waiting = list(ids)
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            waiting += by_id[each].undoes if each in by_id else ()
    return seen


def with_days(lines: Iterable[Line], now: datetime | None = None) -> list[Line | Day]:
    """Lines under the days that they belong to, in local time."""
    found: list[Line | Day] = []
    last: date | None = None
    for line in lines:
        here = line.on
        if here != last:
            found.append(Day(here, day(line.at, now)))
            last = here
        found.append(line)
    return found
