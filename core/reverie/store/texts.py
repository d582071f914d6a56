"""What the search indexes read: the texts of a kind, and which of them changed since.

``touched`` names each row that was written, by a revision that only rises; TEMP triggers on the writing
connection keep it, so that undo, cascades and bulk statements reach it as well. A row that it names and that is not
there any more is gone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, func, literal_column, select

from reverie.store.derived import SEARCHED
from reverie.store.readers import Readers
from reverie.store.slices import batches
from reverie.store.tables import touched

_READ = 5_000  # rows at a time

SELECTS: dict[str, Select[Any]] = {
    of.kind: select(of.table.c.seq, *(of.table.c[name] for name in of.read)) for of in SEARCHED
}


@dataclass(frozen=True, slots=True)
class Changed:
    """rows: as they are now. gone: seqs of rows that were deleted. Neither: nothing has changed.
    total: how many rows of the kind there are at that moment, where it was asked for."""

    rev: int
    rows: Sequence[Any] = ()
    gone: Sequence[int] = ()
    total: int | None = None


class Texts:
    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def everything(self, kind: str) -> Iterator[Changed]:
        """All rows, by ascending seq, a part at a time; each part names the revision at which reading began."""
        statement = SELECTS[kind]
        seq = statement.selected_columns.seq
        with self._readers.read() as connection:
            rev = connection.execute(select(func.coalesce(func.max(touched.c.rev), 0))).scalar_one()
        last = 0
        while True:
            with self._readers.read() as connection:
                page = statement.where(seq > last).order_by(seq).limit(_READ)
                rows = connection.execute(page).all()
            yield Changed(rev, rows)
            if len(rows) < _READ:
                return
            last = rows[-1].seq

    def since(self, kind: str, rev: int, *, counted: bool = False) -> Changed:
        """What was written after a revision; with the number of rows, where ``counted``."""
        # The plus keeps SQLite from reading all of the kind by its index.
        of_kind = literal_column("+kind") == kind
        log = select(touched.c.rev, touched.c.seq).where(touched.c.rev > rev, of_kind)
        statement = SELECTS[kind]
        seq = statement.selected_columns.seq
        with self._readers.read() as connection:
            named = connection.execute(log.order_by(touched.c.rev)).all()
            total = connection.execute(_counted(statement)).scalar_one() if counted else None
            if not named:
                return Changed(rev, total=total)
            seqs = [row.seq for row in named]
            rows = [
                row for batch in batches(seqs) for row in connection.execute(statement.where(seq.in_(batch)))
            ]
        held = {row.seq for row in rows}
        return Changed(named[-1].rev, rows, [each for each in seqs if each not in held], total)


def _counted(statement: Select[Any]) -> Select[Any]:
    return select(func.count()).select_from(*statement.get_final_froms())
