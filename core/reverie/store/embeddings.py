"""Stored vectors, and the rows that wait for one.

A row waits in ``dirty`` from the transaction that wrote its text; its vector and its leaving ``dirty`` are
one transaction, so that a kill at any point loses nothing. Vectors carry their model's name and are kept
in half precision (measured: nothing lost in recall).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Connection, delete, func, literal_column, select, tuple_
from sqlalchemy.dialects.sqlite import insert

from reverie.domain.memory import embedded_text
from reverie.store import stored
from reverie.store.derived import SEARCHED, Searched
from reverie.store.readers import Readers
from reverie.store.tables import dirty, embeddings
from reverie.store.writer import Writer

if TYPE_CHECKING:
    import numpy as np

CHANGED = "embeddings"


@dataclass(frozen=True, slots=True)
class Waiting:
    kind: str
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
        """The newest rows of each kind without a vector: what was just written is searched for first."""
        with self._readers.read() as connection:
            return [
                Waiting(of.kind, row.seq, row.stamp, _text(row[2:]))
                for of in SEARCHED
                for row in connection.exec_driver_sql(_waiting(of), (limit,))
            ][:limit]

    def store(self, model: str, rows: Sequence[Waiting], vectors: "np.ndarray") -> None:
        """Vectors of shape (len(rows), dimensions); a row whose text has changed meanwhile keeps waiting."""
        blobs = vectors.astype("<f2")

        def act(connection: Connection) -> None:
            key = tuple_(dirty.c.kind, dirty.c.seq)
            waiting = select(dirty).where(key.in_([(row.kind, row.seq) for row in rows]))
            stamps = {(row.kind, row.seq): row.stamp for row in connection.execute(waiting)}
            fresh = [n for n, row in enumerate(rows) if stamps.get((row.kind, row.seq)) == row.stamp]
            if not fresh:
                return
            statement = insert(embeddings).prefix_with("OR REPLACE")
            connection.execute(
                statement,
                [
                    {
                        "kind": rows[n].kind,
                        "seq": rows[n].seq,
                        "model": model,
                        "dimensions": vectors.shape[1],
                        "vector": blobs[n].tobytes(),
                    }
                    for n in fresh
                ],
            )
            connection.execute(delete(dirty).where(key.in_([(rows[n].kind, rows[n].seq) for n in fresh])))

        self._writer.derive([CHANGED], act)

    def since(self, kind: str, model: str, rev: int) -> "tuple[int, np.ndarray, np.ndarray]":
        """What came after a revision: (newest revision, seqs int64 (n,), vectors float16 (n, dimensions))."""
        import numpy as np

        # The plus keeps SQLite from reading all of the kind by its index, at each search.
        of_kind = literal_column("+kind") == kind
        statement = (
            select(embeddings.c.rev, embeddings.c.seq, embeddings.c.vector)
            .where(embeddings.c.rev > rev, of_kind, embeddings.c.model == model)
            .order_by(embeddings.c.rev)
        )
        with self._readers.read() as connection:
            rows = connection.execute(statement).all()
        if not rows:
            return rev, np.empty(0, np.int64), np.empty((0, 0), np.float16)
        seqs = np.fromiter((row.seq for row in rows), np.int64, len(rows))
        vectors = np.frombuffer(b"".join(row.vector for row in rows), "<f2").reshape(len(rows), -1)
        return rows[-1].rev, seqs, vectors

    def seqs(self, kind: str, model: str) -> "np.ndarray":
        """Rows that have a vector of this model, int64 (n,)."""
        import numpy as np

        of_model = (embeddings.c.kind == kind, embeddings.c.model == model)
        with self._readers.read() as connection:
            return np.fromiter(
                connection.execute(select(embeddings.c.seq).where(*of_model)).scalars(), np.int64
            )

    def heal(self, model: str) -> int:
        """Mark what has no vector of this model as waiting, and drop vectors of nothing; returns how many
        are marked. Takes no write lock where all is well."""
        with self._readers.read() as connection:
            ill = [
                of
                for of in SEARCHED
                if connection.exec_driver_sql(f"SELECT 1 {_lacking(of)} LIMIT 1", (model,)).scalar()
                or connection.exec_driver_sql(f"SELECT 1 {_orphaned(of)} LIMIT 1").scalar()
            ]
        if not ill:
            return 0

        def act(connection: Connection) -> int:
            marked = 0
            for of in ill:
                connection.exec_driver_sql(f"DELETE {_orphaned(of)}")
                marked += connection.exec_driver_sql(
                    f"INSERT INTO dirty (kind, seq, stamp) SELECT '{of.kind}', t.seq, 1 {_lacking(of)}"
                    " ON CONFLICT DO NOTHING",
                    (model,),
                ).rowcount
            return marked

        return self._writer.derive([CHANGED], act)


def _text(columns: Sequence[object]) -> str:
    *labels, content = map(stored.text, columns)
    return embedded_text(labels[0] if labels else None, content)


def _waiting(of: Searched) -> str:
    # As bytes: what another program wrote need not be UTF-8.
    columns = ", ".join(f"CAST(t.{name} AS BLOB)" for name in of.embedded)
    return (
        f"SELECT t.seq, d.stamp, {columns} FROM dirty d JOIN {of.table.name} t ON t.seq = d.seq"
        f" WHERE d.kind = '{of.kind}' ORDER BY d.seq DESC LIMIT ?"
    )


def _lacking(of: Searched) -> str:
    return (
        f"FROM {of.table.name} t WHERE NOT EXISTS (SELECT 1 FROM embeddings e"
        f" WHERE e.kind = '{of.kind}' AND e.seq = t.seq AND e.model = ?)"
        f" AND NOT EXISTS (SELECT 1 FROM dirty d WHERE d.kind = '{of.kind}' AND d.seq = t.seq)"
    )


def _orphaned(of: Searched) -> str:
    return f"FROM embeddings WHERE kind = '{of.kind}' AND seq NOT IN (SELECT seq FROM {of.table.name})"
