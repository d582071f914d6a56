"""Large acts: many rows are inserted in short transactions, unseen, and one last transaction shows them.

What is staged, memories or messages, lies in ranges of ``seq`` that ``staged_ranges`` names; every query leaves
these out (``filters.is_visible``). To show it is to drop the ranges: no row is touched, so that no write lock is
held for long, however many they are. A process that dies in between leaves ranges without a lease; they are
discarded when the vault is next opened. Ranges of messages stand below zero (from -last to -first).
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from types import TracebackType
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, Table, delete, exists, func, insert, or_, select, update

from reverie.domain.ids import MemoryId, OperationId
from reverie.domain.memory import State
from reverie.errors import Conflict
from reverie.i18n import _
from reverie.store import leases
from reverie.store.filters import is_visible
from reverie.store.tables import changes, memories, messages, operations, sessions, staged_ranges
from reverie.store.writer import Tx, Writer

STAGE_ROWS = 400  # rows a transaction: about 40 ms here
LEASE = timedelta(minutes=1)

T = TypeVar("T")


class Stage:
    """One large act as one changeset, for a ``with`` block; left without ``show``, it leaves nothing."""

    def __init__(
        self, writer: Writer, kind: str, author: str, detail: Mapping[str, Any] | None = None
    ) -> None:
        self._writer = writer
        self._kind = kind
        self._author = author
        self._detail = detail
        self._is_shown = False
        self.group: OperationId | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._is_shown and self.group is not None:
            discard(self._writer, self.group)

    def run(self, act: Callable[[Tx], T]) -> T:
        """A transaction that belongs to the act."""

        def numbered(tx: Tx) -> tuple[OperationId, T]:
            return tx.operation, act(tx)

        number, value = self._writer.run(
            self._kind, numbered, author=self._author, group=self.group, detail=self._detail
        )
        self.group = self.group or number
        return value

    def stage(self, insert_rows: Callable[[Tx], object], table: Table = memories) -> None:
        """What ``insert_rows`` inserts into memories, or into messages, stays unseen until ``show``."""

        def act(tx: Tx) -> None:
            group = self.group or tx.operation
            before = _last_seq(tx.connection, table)
            insert_rows(tx)
            after = _last_seq(tx.connection, table)
            if after > before:
                first, last = (before + 1, after) if table is memories else (-after, -before - 1)
                values = {"group_id": group, "first": first, "last": last}
                tx.connection.execute(insert(staged_ranges).values(values))
                leases.hold(tx.connection, _lease(group), LEASE)

        self.run(act)

    def show(
        self, also: Callable[[Tx], T] | None = None, *, merge_twins: bool = True
    ) -> tuple[Mapping[MemoryId, MemoryId], T | None]:
        """Make all visible, with ``also`` in the same transaction.

        merge_twins: a text that another act has stored meanwhile is not kept twice; returns staged id ->
        the other's id of these, and what ``also`` returned. Raises Conflict where the act was taken for dead.
        """

        def act(tx: Tx) -> tuple[Mapping[MemoryId, MemoryId], T | None]:
            moved: Mapping[MemoryId, MemoryId] = {}
            if self.group is not None:
                moved = _drop_twins(tx, self.group) if merge_twins else {}
                _drop_ranges(tx.connection, self.group)
            return moved, also(tx) if also is not None else None

        shown = self.run(act)
        self._is_shown = True
        return shown


def discard(writer: Writer, group: OperationId) -> None:
    """Take an act that did not come to its end out again, with its lines in the log, in short transactions."""
    while writer.derive(["memories", "messages"], lambda connection: _discard_some(connection, group)):
        pass


def abandoned(connection: Connection) -> list[OperationId]:
    """Acts that left rows unseen, their process having died: no lease is held."""
    groups = connection.execute(select(staged_ranges.c.group_id).distinct()).scalars()
    return [OperationId(group) for group in groups if not leases.is_held(connection, _lease(group))]


def _lease(group: int) -> str:
    return f"stage:{group}"


def _last_seq(connection: Connection, table: Table) -> int:
    """The highest number ever given to a row (SQLite's own count, as rows may be gone)."""
    asked = "SELECT seq FROM sqlite_sequence WHERE name = ?"
    found = connection.exec_driver_sql(asked, (table.name,)).scalar()
    return int(found or 0)


def _in_group(group: OperationId, table: Table = memories) -> Any:
    number = table.c.seq if table is memories else -table.c.seq
    inside = number.between(staged_ranges.c.first, staged_ranges.c.last)
    return exists().where(staged_ranges.c.group_id == group, inside)


def _drop_ranges(connection: Connection, group: OperationId) -> None:
    mine = staged_ranges.c.group_id == group
    staged = connection.execute(select(func.count()).where(mine)).scalar_one()
    was_staged = select(changes.c.seq).where(changes.c.operation_id == group).limit(1)
    if not staged and connection.execute(was_staged).first() is None:
        raise Conflict(_("This act was taken for dead; nothing was changed"), hint=_("Try again"))
    connection.execute(delete(staged_ranges).where(mine))


def _drop_twins(tx: Tx, group: OperationId) -> Mapping[MemoryId, MemoryId]:
    """Drop staged rows whose text another act has stored meanwhile; that one counts as told again."""
    other = memories.alias("other")
    first = select(func.min(staged_ranges.c.first)).where(staged_ranges.c.group_id == group).scalar_subquery()
    statement = (
        select(memories.c.id, other.c.id)
        .join(other, (other.c.content_hash == memories.c.content_hash) & (other.c.kb_id == memories.c.kb_id))
        .where(other.c.seq > first, other.c.state == State.ACTIVE, other.c.key.is_(None), is_visible(other))
        .where(memories.c.key.is_(None), memories.c.state == State.ACTIVE, _in_group(group))
    )
    moved = {MemoryId(mine): MemoryId(theirs) for mine, theirs in tx.connection.execute(statement)}
    for mine, theirs in moved.items():
        tx.connection.execute(delete(memories).where(memories.c.id == mine))
        told_again = {"reinforced": memories.c.reinforced + 1, "last_seen_at": tx.at}
        tx.connection.execute(update(memories).where(memories.c.id == theirs).values(told_again))
    return moved


def _discard_some(connection: Connection, group: OperationId) -> bool:
    """One step; False when nothing of the act is left."""
    connection.exec_driver_sql("DELETE FROM temp.current_operation")
    for table in (memories, messages):
        some = select(table.c.seq).where(_in_group(group, table)).limit(STAGE_ROWS)
        if connection.execute(delete(table).where(table.c.seq.in_(some))).rowcount:
            return True
    _drop_sessions(connection, group)
    connection.execute(delete(staged_ranges).where(staged_ranges.c.group_id == group))
    members = select(operations.c.id).where(or_(operations.c.id == group, operations.c.group_id == group))
    found = list(connection.execute(members).scalars())
    connection.execute(delete(changes).where(changes.c.operation_id.in_(found)))
    connection.execute(delete(operations).where(operations.c.id.in_(found)))
    return False


def _drop_sessions(connection: Connection, group: OperationId) -> None:
    """Sessions that the act made, unless others have put messages into them."""
    made = (
        select(changes.c.row_key)
        .join(operations, operations.c.id == changes.c.operation_id)
        .where(or_(operations.c.id == group, operations.c.group_id == group))
        .where(changes.c.table_name == sessions.name, changes.c.before.is_(None))
    )
    is_used = exists().where(messages.c.session_id == sessions.c.id)
    connection.execute(delete(sessions).where(sessions.c.id.in_(made), ~is_used))
