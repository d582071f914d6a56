"""The rows behind what an index found: which of them a filter leaves, and what they say."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, func, or_, select

from reverie.domain.memory import Memory, MemoryFilter
from reverie.errors import UserError
from reverie.store import filters, knowledge_bases
from reverie.store.memory_rows import from_row
from reverie.store.readers import Readers
from reverie.store.tables import memories

_LOOK_S = 0.5


class SoughtMemories:
    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def keep(self, seqs: Sequence[int], wanted: MemoryFilter) -> set[int]:
        """Those of ``seqs`` that the filter leaves."""
        statement = filters.narrowed(select(memories.c.seq), wanted).where(memories.c.seq.in_(_listed(seqs)))
        with self._readers.read() as connection:
            return set(connection.execute(statement).scalars())

    def allowed(self, wanted: MemoryFilter) -> list[int]:
        """Every seq that the filter leaves."""
        with self._readers.read() as connection:
            return list(connection.execute(filters.narrowed(select(memories.c.seq), wanted)).scalars())

    def load(self, seqs: Sequence[int]) -> dict[int, Memory]:
        """Memories by seq."""
        statement = select(memories).where(memories.c.seq.in_(_listed(seqs)))
        with self._readers.read() as connection:
            names = knowledge_bases.names(connection)
            return {row.seq: from_row(row, names) for row in connection.execute(statement)}

    def containing(self, text: str, wanted: MemoryFilter, limit: int) -> list[int]:
        """Rows whose key or content holds the text as it is (PicoBot's fallback), newest first; those that half a
        second was enough for."""
        m = memories.c
        holds = or_(m.content.icontains(text, autoescape=True), m.key.icontains(text, autoescape=True))
        statement = filters.narrowed(select(m.seq), wanted).where(holds).order_by(m.created_at.desc())
        return within(self._readers, statement.limit(limit), _LOOK_S)


def _listed(seqs: Sequence[int]) -> Select[int]:
    """As a subquery: any number of them, in one statement that is compiled once."""
    return select(func.json_each(json.dumps(list(seqs))).table_valued("value").c.value)


def within(readers: Readers, statement: Select[Any], limit_s: float) -> list[int]:
    """The seqs of a query, as far as it comes in that time."""
    found: list[int] = []
    try:
        with readers.read(limit_s=limit_s) as connection:
            found.extend(connection.execute(statement).scalars())
    except UserError as error:
        if not error.retryable:
            raise
    return found
