"""Stored vectors, and the rows that wait for one.

A row waits in ``dirty`` from the transaction that wrote its text; its vector and its leaving ``dirty`` are
one transaction, so that a kill at any point loses nothing. Vectors carry their model's name and are kept
in half precision (measured: nothing lost in recall).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Connection, delete, func, select
from sqlalchemy.dialects.sqlite import insert

from reverie.domain.memory import embedded_text
from reverie.store.readers import Readers
from reverie.store.tables import dirty, embeddings, memories
from reverie.store.writer import Writer

if TYPE_CHECKING:
    import numpy as np

MEMORY = "memory"
CHANGED = "embeddings"


@dataclass(frozen=True, slots=True)
class Waiting:
    seq: int
    stamp: int
    text: str


class Embeddings:
    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    def pending(self) -> int:
        """How many rows wait for a vector."""
        with self._readers.read() as connection:
            return connection.execute(select(func.count()).select_from(dirty)).scalar_one()

    def waiting(self, limit: int) -> list[Waiting]:
        """The newest rows without a vector: what was just written is searched for first."""
        statement = (
            select(memories.c.seq, dirty.c.stamp, memories.c.key, memories.c.content)
            .join(dirty, memories.c.seq == dirty.c.seq)
            .where(dirty.c.kind == MEMORY)
            .order_by(dirty.c.seq.desc())
            .limit(limit)
        )
        with self._readers.read() as connection:
            return [
                Waiting(row.seq, row.stamp, embedded_text(row.key, row.content))
                for row in connection.execute(statement)
            ]

    def store(self, model: str, rows: Sequence[Waiting], vectors: "np.ndarray") -> None:
        """Vectors of shape (len(rows), dimensions); a row whose text has changed meanwhile keeps waiting."""
        blobs = vectors.astype("<f2")

        def act(connection: Connection) -> None:
            waiting = select(dirty.c.seq, dirty.c.stamp).where(
                dirty.c.kind == MEMORY, dirty.c.seq.in_([row.seq for row in rows])
            )
            stamps = {row.seq: row.stamp for row in connection.execute(waiting)}
            fresh = [n for n, row in enumerate(rows) if stamps.get(row.seq) == row.stamp]
            if not fresh:
                return
            statement = insert(embeddings).prefix_with("OR REPLACE")
            connection.execute(
                statement,
                [
                    {
                        "kind": MEMORY,
                        "seq": rows[n].seq,
                        "model": model,
                        "dimensions": vectors.shape[1],
                        "vector": blobs[n].tobytes(),
                    }
                    for n in fresh
                ],
            )
            done = [rows[n].seq for n in fresh]
            connection.execute(delete(dirty).where(dirty.c.kind == MEMORY, dirty.c.seq.in_(done)))

        self._writer.derive([CHANGED], act)

    def since(self, model: str, rev: int) -> "tuple[int, np.ndarray, np.ndarray]":
        """What came after a revision: (newest revision, seqs int64 (n,), vectors float32 (n, dimensions))."""
        import numpy as np

        statement = (
            select(embeddings.c.rev, embeddings.c.seq, embeddings.c.vector)
            .where(embeddings.c.rev > rev, embeddings.c.kind == MEMORY, embeddings.c.model == model)
            .order_by(embeddings.c.rev)
        )
        with self._readers.read() as connection:
            rows = connection.execute(statement).all()
        if not rows:
            return rev, np.empty(0, np.int64), np.empty((0, 0), np.float32)
        seqs = np.fromiter((row.seq for row in rows), np.int64, len(rows))
        vectors = np.frombuffer(b"".join(row.vector for row in rows), "<f2").reshape(len(rows), -1)
        return rows[-1].rev, seqs, vectors.astype(np.float32)

    def heal(self, model: str) -> int:
        """Mark what has no vector of this model as waiting, and drop vectors of nothing; returns how many
        are marked. Takes no write lock where all is well."""
        with self._readers.read() as connection:
            lacking = connection.exec_driver_sql(f"SELECT 1 {_LACKING} LIMIT 1", (model,)).scalar()
            orphaned = connection.exec_driver_sql(f"SELECT 1 {_ORPHANED} LIMIT 1").scalar()
        if not lacking and not orphaned:
            return 0

        def act(connection: Connection) -> int:
            connection.exec_driver_sql(f"DELETE {_ORPHANED}")
            return connection.exec_driver_sql(
                f"INSERT INTO dirty (kind, seq, stamp) SELECT 'memory', m.seq, 1 {_LACKING} ON CONFLICT DO NOTHING",
                (model,),
            ).rowcount

        return self._writer.derive([CHANGED], act)


_LACKING = (
    "FROM memories m WHERE NOT EXISTS (SELECT 1 FROM embeddings e"
    " WHERE e.kind = 'memory' AND e.seq = m.seq AND e.model = ?)"
    " AND NOT EXISTS (SELECT 1 FROM dirty d WHERE d.kind = 'memory' AND d.seq = m.seq)"
)
_ORPHANED = "FROM embeddings WHERE kind = 'memory' AND seq NOT IN (SELECT seq FROM memories)"
