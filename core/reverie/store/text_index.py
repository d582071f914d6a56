"""Keyword search: FTS5 over memories, with the filter inside the query."""

from collections.abc import Sequence

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Text,
    and_,
    bindparam,
    column,
    func,
    literal_column,
    or_,
    select,
    table,
)

from reverie.domain.memory import Memory, MemoryFilter
from reverie.domain.progress import Cancel
from reverie.store import filters, knowledge_bases
from reverie.store.memories import batches
from reverie.store.memory_rows import from_row
from reverie.store.readers import Readers
from reverie.store.tables import memories

# key, content, summary, labels (category, tags, entities, topics), source
WEIGHTS = (2.0, 1.0, 0.5, 0.5, 0.25)

_index = table("memory_text", column("rowid", Integer), column("memory_text", Text))
_RANK = f"bm25(memory_text, {', '.join(map(str, WEIGHTS))})"


class TextIndex:
    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def match(
        self, expression: str, wanted: MemoryFilter, limit: int, *, cancelled: Cancel | None = None
    ) -> list[tuple[int, float]]:
        """(seq, BM25 score; higher is better) of the best rows. ``expression`` is FTS5 syntax: quote words."""
        rank: ColumnElement[float] = literal_column(_RANK)
        statement = (
            select(memories.c.seq, (-rank).label("score"))
            .select_from(_index.join(memories, memories.c.seq == _index.c.rowid))
            .where(_index.c.memory_text.op("MATCH")(bindparam("expression", expression)))
            .where(and_(*filters.conditions(wanted)))
            .order_by(rank)
            .limit(limit)
        )
        with self._readers.read(cancelled=cancelled) as connection:
            return [(row.seq, row.score) for row in connection.execute(statement)]

    def containing(
        self, words: Sequence[str], wanted: MemoryFilter, limit: int, *, limit_s: float = 0.5
    ) -> list[int]:
        """Rows whose key or content holds each word as a substring (PicoBot's fallback), newest first."""
        m = memories.c
        found = [
            or_(m.content.icontains(word, autoescape=True), m.key.icontains(word, autoescape=True))
            for word in words
        ]
        statement = (
            filters.narrowed(select(m.seq), wanted).where(*found).order_by(m.created_at.desc()).limit(limit)
        )
        with self._readers.read(limit_s=limit_s) as connection:
            return list(connection.execute(statement).scalars())

    def allowed(self, wanted: MemoryFilter) -> list[int]:
        """Every seq that the filter leaves."""
        with self._readers.read() as connection:
            return list(connection.execute(filters.narrowed(select(memories.c.seq), wanted)).scalars())

    def keep(self, seqs: Sequence[int], wanted: MemoryFilter) -> set[int]:
        """Those of ``seqs`` that the filter leaves."""
        kept: set[int] = set()
        with self._readers.read() as connection:
            for batch in batches(seqs):
                statement = filters.narrowed(select(memories.c.seq), wanted).where(memories.c.seq.in_(batch))
                kept.update(connection.execute(statement).scalars())
        return kept

    def load(self, seqs: Sequence[int]) -> dict[int, Memory]:
        """Memories by seq."""
        loaded: dict[int, Memory] = {}
        with self._readers.read() as connection:
            names = knowledge_bases.names(connection)
            for batch in batches(seqs):
                statement = select(memories).where(memories.c.seq.in_(batch))
                loaded.update((row.seq, from_row(row, names)) for row in connection.execute(statement))
        return loaded

    def frequencies(self, words: Sequence[str]) -> tuple[list[int], int]:
        """In how many rows each (quoted) word stands, and how many rows there are."""
        with self._readers.read() as connection:
            total = connection.execute(select(func.count()).select_from(memories)).scalar_one()
            return [_frequency(connection, word) for word in words], total


def _frequency(connection: Connection, word: str) -> int:
    statement = select(func.count()).select_from(_index).where(_index.c.memory_text.op("MATCH")(word))
    return connection.execute(statement).scalar_one()
