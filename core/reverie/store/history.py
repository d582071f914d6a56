"""Every changeset of a vault: listed, shown row by row, undone, redone.

A changeset is one operation, or the operations of one group. Undoing replays its images in reverse as a
new operation of kind "undo"; redo is the undo of that. Only the columns that the changeset changed are
compared and restored; where one of them has changed since, nothing is written and Conflict lists the rows.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    Select,
    Table,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from reverie.domain.changes import PERSON, Change, ChangeSet
from reverie.domain.clock import from_micros
from reverie.domain.ids import OperationId
from reverie.errors import Conflict, NotFound
from reverie.i18n import _
from reverie.store import changelog
from reverie.store.changelog import is_pruned
from reverie.store.readers import Readers
from reverie.store.tables import TRACKED, changes, knowledge_bases, metadata, operations, sessions
from reverie.store.writer import Tx, Writer

UNDO, REDO = "undo", "redo"

_TABLES: Mapping[str, Table] = {table.name: table for table in TRACKED}
_HOLDERS = (knowledge_bases, sessions)
_GROUP = func.coalesce(operations.c.group_id, operations.c.id)
_HAS_CHANGES = exists().where(changes.c.operation_id == operations.c.id)


class History:
    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    def list(
        self, limit: int = 100, before: int | None = None, author: str | None = None
    ) -> Sequence[ChangeSet]:
        """Newest first; ``before`` continues below a changeset's id; an author that ends in ":" is a prefix
        ("dream:" for all dreams)."""
        statement = select(operations).where(operations.c.group_id.is_(None)).order_by(operations.c.id.desc())
        if before is not None:
            statement = statement.where(operations.c.id < before)
        if author is not None:
            statement = statement.where(_is_by(author))
        with self._readers.read() as connection:
            return _change_sets(connection, connection.execute(statement.limit(limit)).all())

    def get(self, changeset: int) -> ChangeSet:
        """By its id, or by that of any operation in it. Raises NotFound."""
        with self._readers.read() as connection:
            row = _require(connection, changeset)
            return _change_set(
                connection, row if row.group_id is None else _require(connection, row.group_id)
            )

    def changes(self, changeset: int) -> Sequence[Change]:
        """Row by row in the order they happened; several changes of one row stay apart."""
        with self._readers.read() as connection:
            statement = _changes_of(_members(connection, changeset)).order_by(changes.c.seq)
            return [changelog.change(row) for row in connection.execute(statement)]

    def undoable(self, author: str = PERSON) -> ChangeSet | None:
        """What ``undo()`` would take back: the author's last standing changeset."""
        return self._first(_standing(author))

    def redoable(self, author: str = PERSON) -> ChangeSet | None:
        """The undo that ``redo()`` would take back; None after a new act by the same author."""
        with self._readers.read() as connection:
            row = connection.execute(_redo_candidate(author)).first()
            return None if row is None else _change_set(connection, row)

    def undo(self, changeset: int | None = None, author: str = PERSON, *, by: str = PERSON) -> ChangeSet:
        """Take back ``changeset``, or the author's last standing one.

        Raises NotFound, Conflict (also where nothing is kept of what it changed).
        """

        def act(tx: Tx) -> None:
            target = changeset
            if target is None:
                row = tx.connection.execute(_standing(author)).first()
                if row is None:
                    raise NotFound(_("There is nothing to undo"))
                target = row.id
            _take_back(tx, [_open_target(tx.connection, target)])

        return self._run(UNDO, act, by)

    def redo(self, author: str = PERSON) -> ChangeSet:
        """Do again what the author undid last. Raises NotFound, Conflict."""

        def act(tx: Tx) -> None:
            row = tx.connection.execute(_redo_candidate(author)).first()
            if row is None:
                raise NotFound(_("There is nothing to redo"))
            _take_back(tx, [row])

        return self._run(REDO, act, author)

    def undo_to(self, changeset: int, *, by: str = PERSON) -> ChangeSet | None:
        """Take back everything after ``changeset`` (0: all), whoever did it, as one act; None where nothing stands.

        Raises Conflict, also where the history does not reach back so far any more.
        """

        def act(tx: Tx) -> None:
            if changeset:
                _require(tx.connection, changeset)
            _require_kept(tx.connection, changeset)
            _take_back(tx, tx.connection.execute(_later(changeset)).all())

        return self._run(UNDO, act, by) if self.preview_to(changeset) else None

    def preview_to(self, changeset: int) -> int:
        """How many changesets ``undo_to`` would take back. Raises Conflict as that does."""
        with self._readers.read() as connection:
            _require_kept(connection, changeset)
            return len(connection.execute(_later(changeset)).all())

    def _run(self, kind: str, act: Callable[[Tx], None], author: str) -> ChangeSet:
        def run(tx: Tx) -> OperationId:
            act(tx)
            tx.keep = True
            return tx.operation

        return self.get(self._writer.run(kind, run, author=author))

    def _first(self, statement: Select[Any]) -> ChangeSet | None:
        with self._readers.read() as connection:
            row = connection.execute(statement).first()
            return None if row is None else _change_set(connection, row)


def _standing(author: str) -> Select[Any]:
    """The author's acts that stand, newest first; a group by its first operation."""
    member = operations.alias("member")
    changed = exists().where(
        func.coalesce(member.c.group_id, member.c.id) == operations.c.id,
        changes.c.operation_id == member.c.id,
    )
    return (
        select(operations)
        .where(operations.c.author == author, operations.c.kind.not_in((UNDO, REDO)), ~is_pruned())
        .where(operations.c.group_id.is_(None), operations.c.undone_by.is_(None), or_(_HAS_CHANGES, changed))
        .order_by(operations.c.id.desc())
        .limit(1)
    )


def _redo_candidate(author: str) -> Select[Any]:
    last_act = (
        select(func.coalesce(func.max(operations.c.id), 0))
        .where(operations.c.author == author, operations.c.kind.not_in((UNDO, REDO)))
        .scalar_subquery()
    )
    outer = operations.alias("undo")
    return (
        select(outer)
        .where(
            outer.c.author == author, outer.c.kind == UNDO, outer.c.undone_by.is_(None), outer.c.id > last_act
        )
        .where(exists().where(changes.c.operation_id == outer.c.id), ~is_pruned(outer))
        .order_by(outer.c.id.desc())
        .limit(1)
    )


def _later(changeset: int) -> Select[Any]:
    """Standing changesets after one, newest first."""
    return (
        select(operations)
        .where(operations.c.id > changeset, operations.c.group_id.is_(None), operations.c.undone_by.is_(None))
        .where(operations.c.kind.not_in((UNDO, REDO)), _HAS_CHANGES, ~is_pruned())
        .order_by(operations.c.id.desc())
    )


def _require(connection: Connection, changeset: int) -> Any:
    row = connection.execute(select(operations).where(operations.c.id == changeset)).first()
    if row is None:
        raise NotFound(_("There is no change {number} in the history").format(number=changeset))
    return row


def _open_target(connection: Connection, changeset: int) -> Any:
    row = _require(connection, changeset)
    if row.undone_by is not None:
        raise Conflict(_("This change has been undone already"))
    pruned = select(operations.c.id).where(operations.c.id == changeset, is_pruned())
    held = select(changes.c.seq).where(changes.c.operation_id.in_(_members(connection, changeset))).limit(1)
    if connection.execute(pruned).first() is not None or connection.execute(held).first() is None:
        raise Conflict(_("This can't be undone: nothing is kept of what it changed"))
    return row


def _require_kept(connection: Connection, changeset: int) -> None:
    """Raises Conflict where a change after this one can't be undone any more: going back would stop half way."""
    later = operations.c.id > changeset, operations.c.undone_by.is_(None)
    if connection.execute(select(operations.c.id).where(*later, is_pruned()).limit(1)).first() is not None:
        raise Conflict(
            _("The history does not reach back so far any more"),
            detail=_("Changes after this one are older than the setting “Keep the history for” allows"),
            hint=_("Choose a later one"),
        )


def _members(connection: Connection, changeset: int) -> Sequence[int]:
    statement = select(operations.c.id).where(
        or_(operations.c.id == changeset, operations.c.group_id == changeset)
    )
    return list(connection.execute(statement).scalars())


def _changes_of(members: Sequence[int]) -> Select[Any]:
    return select(changes).where(changes.c.operation_id.in_(members))


def _is_by(author: str) -> ColumnElement[bool]:
    column = operations.c.author
    if author.endswith(":"):  # ";" is the character after ":"
        return (column >= author) & (column < f"{author[:-1]};")
    return column == author


def _change_set(connection: Connection, row: Any) -> ChangeSet:
    return _change_sets(connection, [row])[0]


def _change_sets(connection: Connection, rows: Sequence[Any]) -> list[ChangeSet]:
    """The changesets of some first operations, with what all of their operations changed."""
    ids = [row.id for row in rows]
    statement = (
        select(
            _GROUP,
            changes.c.table_name,
            changes.c.row_key,
            changes.c.before.is_not(None),
            changes.c.after.is_not(None),
        )
        .join(operations, operations.c.id == changes.c.operation_id)
        .where(or_(operations.c.id.in_(ids), operations.c.group_id.in_(ids)))
        .order_by(changes.c.seq)
    )
    touched: dict[int, list[tuple[str, str, bool, bool]]] = {}
    for changeset, table, key, before, after in connection.execute(statement):
        touched.setdefault(changeset, []).append((table, key, bool(before), bool(after)))
    return [
        ChangeSet(
            id=OperationId(row.id),
            kind=row.kind,
            author=row.author,
            at=from_micros(row.at),
            rows=changelog.row_deltas(touched.get(row.id, ())),
            detail=json.loads(row.detail),
            undone=row.undone_by is not None,
        )
        for row in rows
    ]


def _take_back(tx: Tx, targets: Sequence[Any]) -> None:
    """Replay the images of the targets in reverse, newest target first, and note who undid whom."""
    connection = tx.connection
    connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
    clashes: list[tuple[str, str]] = []
    for target in targets:
        members = _members(connection, target.id)
        images = connection.execute(_changes_of(members).order_by(changes.c.seq.desc())).all()
        for (table, *_shape), alike in groupby(map(changelog.change, images), _shape_of):
            clashes += _revert(connection, _TABLES[table], list(alike))
        # Undoing an undo makes what that one had undone stand again.
        connection.execute(
            update(operations).where(operations.c.undone_by == target.id).values(undone_by=None)
        )
        connection.execute(
            update(operations).where(operations.c.id.in_(members)).values(undone_by=tx.operation)
        )
    if clashes:
        raise Conflict(
            _("This can't be undone: something has changed since"),
            rows=tuple(dict.fromkeys(clashes)),
            hint=_("Undo the later change first, or restore a version from the memory's own history"),
        )
    tx.detail["undoes"] = [{"id": target.id, "kind": target.kind} for target in targets]


def _shape_of(change: Change) -> tuple[str, bool, bool, tuple[str, ...]]:
    """Changes of one shape are undone by one statement."""
    columns = tuple(change.after or change.before or ())
    return change.table, change.before is None, change.after is None, columns


def _revert(connection: Connection, table: Table, alike: Sequence[Change]) -> list[tuple[str, str]]:
    """Undo images of one shape; returns (table, key) of the rows that are not as the change left them."""
    if table in _HOLDERS and alike[0].before is None:  # others may have put something in: then it stays
        alike = [change for change in alike if not _is_used(connection, table, change)]
    if not alike:
        return []
    statement = _reversal(table, alike[0])
    rows = [_values(table, change) for change in alike]
    try:
        if connection.execute(statement, rows).rowcount == len(rows):
            return []
    except IntegrityError:
        pass  # SQLite takes back the one statement, not the transaction
    return _clashing(connection, table, alike)


def _reversal(table: Table, change: Change) -> Executable:
    """The statement that undoes a change of this shape; its parameters are those of ``_values``."""
    if change.after is None:
        return insert(table).values({name: bindparam(f"before_{name}") for name in change.before or ()})
    unchanged = [
        table.c[name].is_not_distinct_from(bindparam(f"after_{name}")) for name in _compared(table, change)
    ]
    is_row = table.c[table.info["key"]] == bindparam("row_key")
    if change.before is None:
        return delete(table).where(is_row, *unchanged)
    return (
        update(table).where(is_row, *unchanged).values({n: bindparam(f"before_{n}") for n in change.before})
    )


def _compared(table: Table, change: Change) -> Sequence[str]:
    """The columns that must be as the change left them. Bookkeeping does not stand in the way."""
    ignored = {"updated_at", *(table.info.get("flags", ()) if change.before is None else ())}
    return [name for name in change.after or () if name not in ignored]


def _values(table: Table, change: Change) -> dict[str, Any]:
    values = {f"before_{name}": value for name, value in (change.before or {}).items()}
    if change.after is not None:
        values.update((f"after_{name}", change.after[name]) for name in _compared(table, change))
        values["row_key"] = change.after.get(table.info["key"], change.row)
    return values


def _clashing(connection: Connection, table: Table, alike: Sequence[Change]) -> list[tuple[str, str]]:
    """Which rows the statement did not reach (nothing of this transaction will be kept)."""
    key = table.c[table.info["key"]]

    def is_undone(change: Change) -> bool:
        row = connection.execute(select(table).where(key == change.row)).mappings().first()
        if change.before is None or row is None:
            return change.before is None and row is None
        return all(row[name] == value for name, value in change.before.items())

    left = [(change.table, change.row) for change in alike if not is_undone(change)]
    return left or [(change.table, change.row) for change in alike]


def _is_used(connection: Connection, holder: Table, change: Change) -> bool:
    key = (change.after or {})[holder.info["key"]]
    users = [
        foreign.parent
        for table in metadata.sorted_tables
        for foreign in table.foreign_keys
        if foreign.column.table is holder
    ]
    return any(
        connection.execute(select(user).where(user == key).limit(1)).first() is not None for user in users
    )
