"""Insights: what dreams found, each tied to the memories it stands on."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from reverie.domain.arguments import checked
from reverie.domain.changes import PERSON
from reverie.domain.clock import from_micros, to_micros
from reverie.domain.ids import InsightId, MemoryId, RunId
from reverie.domain.insight import Insight
from reverie.domain.memory import State
from reverie.domain.text import clean, content_hash
from reverie.errors import NotFound
from reverie.i18n import _
from reverie.store import filters, knowledge_bases, stored
from reverie.store.readers import Readers
from reverie.store.slices import batches
from reverie.store.tables import insight_sources, insights
from reverie.store.writer import Tx, Writer


@checked
class Insights:
    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    def ids(self, kb: str | None = None, states: Sequence[State] = (State.ACTIVE,)) -> Sequence[InsightId]:
        """Newest first."""
        statement = select(insights.c.id).where(insights.c.state.in_([str(state) for state in states]))
        if kb is not None:
            statement = statement.where(insights.c.kb_id == filters.kb_id(kb))
        with self._readers.read() as connection:
            found = connection.execute(
                statement.order_by(insights.c.created_at.desc(), insights.c.seq.desc())
            )
            return [InsightId(insight_id) for insight_id in found.scalars()]

    def list(self, kb: str | None = None, limit: int = 50, offset: int = 0) -> Sequence[Insight]:
        return self.get_many(self.ids(kb)[offset : offset + limit])

    def count(self, kb: str | None = None) -> int:
        statement = select(func.count()).select_from(insights).where(insights.c.state == State.ACTIVE)
        if kb is not None:
            statement = statement.where(insights.c.kb_id == filters.kb_id(kb))
        with self._readers.read() as connection:
            return connection.execute(statement).scalar_one()

    def get(self, insight_id: str) -> Insight:
        found = self.get_many([insight_id])
        if not found:
            raise NotFound(_("There is no insight {id}").format(id=insight_id))
        return found[0]

    def get_many(self, ids: Sequence[str]) -> Sequence[Insight]:
        """In the order asked for; unknown ids are left out."""
        with self._readers.read() as connection:
            return fetch(connection, ids)

    def of(self, memory_id: str) -> Sequence[Insight]:
        """The live insights that stand on a memory."""
        statement = (
            select(insights.c.id)
            .join(insight_sources, insight_sources.c.insight_id == insights.c.id)
            .where(insight_sources.c.memory_id == memory_id, insights.c.state == State.ACTIVE)
        )
        with self._readers.read() as connection:
            return fetch(connection, list(connection.execute(statement).scalars()))

    def trash(self, *ids: str, author: str = PERSON) -> int:
        return self._writer.run(
            "delete insight", lambda tx: _set_state(tx, ids, State.TRASHED), author=author
        )

    def restore(self, *ids: str, author: str = PERSON) -> int:
        return self._writer.run(
            "restore insight", lambda tx: _set_state(tx, ids, State.ACTIVE), author=author
        )


def insert_exactly(tx: Tx, values: Sequence[Insight]) -> None:
    """Insert insights as they are, with what each stands on: what dreams make, and dumps hold."""
    if not values:
        return
    bases = {name: knowledge_bases.require(tx, name) for name in {insight.kb for insight in values}}
    tx.connection.execute(insert(insights), [_to_row(insight, bases[insight.kb]) for insight in values])
    sources = [
        {"insight_id": insight.id, "memory_id": source} for insight in values for source in insight.sources
    ]
    if sources:
        tx.connection.execute(insert(insight_sources), sources)


def fetch(connection: Connection, ids: Sequence[str]) -> list[Insight]:
    names = knowledge_bases.names(connection)
    sources: dict[str, list[MemoryId]] = {}
    found: dict[str, Any] = {}
    for batch in batches(ids):
        tied = (
            select(insight_sources)
            .where(insight_sources.c.insight_id.in_(batch))
            .order_by(insight_sources.c.id)
        )
        for row in connection.execute(tied):
            sources.setdefault(row.insight_id, []).append(MemoryId(row.memory_id))
        found.update(
            (row.id, row) for row in connection.execute(select(insights).where(insights.c.id.in_(batch)))
        )
    return [
        _from_row(
            found[insight_id], names.get(found[insight_id].kb_id, ""), tuple(sources.get(insight_id, ()))
        )
        for insight_id in ids
        if insight_id in found
    ]


def _to_row(insight: Insight, kb_id: int) -> dict[str, Any]:
    text, at = clean(insight.content), to_micros(insight.created_at)
    return {
        "id": insight.id,
        "kb_id": kb_id,
        "content": text,
        "summary": clean(insight.summary),
        "importance": insight.importance,
        "state": insight.state,
        "run_id": insight.run,
        "content_hash": content_hash(text),
        "created_at": at,
        "updated_at": at,
    }


def _from_row(row: Any, kb: str, sources: tuple[MemoryId, ...]) -> Insight:
    return Insight(
        id=InsightId(row.id),
        kb=kb,
        content=stored.text(row.content),
        sources=sources,
        created_at=from_micros(row.created_at),
        run=None if row.run_id is None else RunId(stored.text(row.run_id)),
        state=stored.member(State, row.state, State.ACTIVE),
        summary=stored.text(row.summary),
        importance=stored.share(row.importance),
    )


def _set_state(tx: Tx, ids: Sequence[str], state: State) -> int:
    statement = update(insights).where(insights.c.id.in_(ids), insights.c.state != state)
    return tx.connection.execute(statement.values(state=state, updated_at=tx.at)).rowcount
