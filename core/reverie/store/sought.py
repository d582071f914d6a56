"""The rows behind what an index found: which of them a filter leaves, and what they say."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Connection, Select, Table, and_, or_, select

from reverie.domain.conversation import MessageFilter
from reverie.domain.insight import InsightFilter
from reverie.domain.memory import MemoryFilter
from reverie.domain.search import Found
from reverie.errors import UserError
from reverie.store import filters, knowledge_bases, message_rows, stored
from reverie.store.filters import Condition, among
from reverie.store.insights import fetch as fetch_insights
from reverie.store.memory_rows import from_row
from reverie.store.readers import Readers
from reverie.store.tables import insights, memories, messages, sessions

_LOOK_S = 0.5

Wanted = TypeVar("Wanted")
Records = Iterable[tuple[int, Found]]


@dataclass(frozen=True, slots=True)
class Shelf(Generic[Wanted]):
    """A table that is searched. texts: columns in which a text is looked for as it stands. says: all that a row says.
    read: its rows as records, by seq."""

    table: Table
    conditions: Callable[[Wanted], Sequence[Condition]]
    texts: tuple[ColumnElement[Any], ...]
    says: tuple[ColumnElement[Any], ...]
    read: Callable[[Connection, Sequence[Any]], Records]


class Sought(Generic[Wanted]):
    def __init__(self, readers: Readers, shelf: Shelf[Wanted]) -> None:
        self._readers = readers
        self._shelf = shelf
        self._seq = shelf.table.c.seq
        self._kept = lru_cache(maxsize=64)(self._built)  # putting one together takes as long as asking it

    def view(self) -> AbstractContextManager[Connection]:
        """One view of the store for all that is read inside; one transaction begun in place of several."""
        return self._readers.read()

    def keep(self, seqs: Sequence[int], wanted: Wanted) -> set[int]:
        """Those of ``seqs`` that the filter leaves."""
        with self._readers.read() as connection:
            found = connection.execute(self._narrowed(wanted).where(among(self._seq, seqs)))
            return set(found.scalars().all())  # fetched at once

    def allowed(self, wanted: Wanted) -> list[int]:
        """Every seq that the filter leaves."""
        with self._readers.read() as connection:
            return list(connection.execute(self._narrowed(wanted)).scalars().all())

    def seq(self, record_id: str) -> int:
        """Of the record with that id, -1 where there is none."""
        with self._readers.read() as connection:
            found = select(self._seq).where(self._shelf.table.c.id == record_id)
            return connection.execute(found).scalar() or -1

    def load(self, seqs: Sequence[int]) -> dict[int, Found]:
        """Records by seq; those that are gone are left out."""
        statement = select(self._shelf.table).where(among(self._seq, seqs))
        with self._readers.read() as connection:
            return dict(self._shelf.read(connection, connection.execute(statement).all()))

    def texts(self, seqs: Sequence[int]) -> dict[int, str]:
        """What each row says, a line a column, by seq; those that are gone are left out."""
        statement = select(self._seq, *self._shelf.says).where(among(self._seq, seqs))
        with self._readers.read() as connection:
            rows = connection.execute(statement).all()
        return {seq: "\n".join(filter(None, map(stored.text, columns))) for seq, *columns in rows}

    def containing(self, text: str, wanted: Wanted, limit: int) -> list[int]:
        """Rows that hold the text as it is (PicoBot's fallback), newest first; those that half a second was enough
        for."""
        holds = or_(*(column.icontains(text, autoescape=True) for column in self._shelf.texts))
        newest = self._shelf.table.c.created_at.desc()
        try:
            with self._readers.read(limit_s=_LOOK_S) as connection:
                statement = self._narrowed(wanted).where(holds).order_by(newest).limit(limit)
                return list(connection.execute(statement).scalars())
        except UserError as error:
            if not error.retryable:
                raise
            return []

    def _narrowed(self, wanted: Wanted) -> Select[Any]:
        try:
            return self._kept(wanted)
        except TypeError:  # a list where a tuple belongs can't be looked up
            return self._built(wanted)

    def _built(self, wanted: Wanted) -> Select[Any]:
        return select(self._seq).where(and_(*self._shelf.conditions(wanted)))


def _read_memories(connection: Connection, rows: Sequence[Any]) -> Records:
    names = knowledge_bases.names(connection)
    return ((row.seq, from_row(row, names)) for row in rows)


def _read_messages(_connection: Connection, rows: Sequence[Any]) -> Records:
    return ((row.seq, message_rows.from_row(row)) for row in rows)


def _read_insights(connection: Connection, rows: Sequence[Any]) -> Records:
    found = {insight.id: insight for insight in fetch_insights(connection, [row.id for row in rows])}
    return ((row.seq, found[row.id]) for row in rows if row.id in found)


def _messages_wanted(wanted: MessageFilter) -> Sequence[Condition]:
    found = [filters.is_visible_message()]
    if wanted.sessions is not None:
        found.append(among(messages.c.session_id, wanted.sessions))
    if wanted.kb is not None:
        of_kb = select(sessions.c.id).where(sessions.c.kb_id == filters.kb_id(wanted.kb))
        found.append(messages.c.session_id.in_(of_kb))
    return found


def _insights_wanted(wanted: InsightFilter) -> Sequence[Condition]:
    found: list[Condition] = [insights.c.state == wanted.state]
    if wanted.kb is not None:
        found.append(insights.c.kb_id == filters.kb_id(wanted.kb))
    return found


MEMORIES: Shelf[MemoryFilter] = Shelf(
    memories,
    filters.conditions,
    texts=(memories.c.content, memories.c.key),
    says=(memories.c.key, memories.c.content, memories.c.summary),
    read=_read_memories,
)
MESSAGES: Shelf[MessageFilter] = Shelf(
    messages, _messages_wanted, texts=(messages.c.content,), says=(messages.c.content,), read=_read_messages
)
INSIGHTS: Shelf[InsightFilter] = Shelf(
    insights,
    _insights_wanted,
    texts=(insights.c.content,),
    says=(insights.c.content, insights.c.summary),
    read=_read_insights,
)
