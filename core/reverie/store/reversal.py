"""How changesets are taken back: their images, replayed in reverse as few statements.

All that can be is made ready before the transaction, from the log alone: what an act changed never changes itself.
Its images may be removed, though; that is noticed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import (
    Connection,
    Delete,
    Insert,
    Select,
    Table,
    Update,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from reverie.domain.changes import Change
from reverie.domain.ids import OperationId
from reverie.errors import Conflict
from reverie.i18n import _
from reverie.store import changelog
from reverie.store.rewrite import Image, Values, current
from reverie.store.tables import TRACKED, changes, knowledge_bases, metadata, operations, sessions
from reverie.store.writer import Tx

_TABLES: Mapping[str, Table] = {table.name: table for table in TRACKED}
_HOLDERS = (knowledge_bases, sessions)


def members(connection: Connection, changeset: int) -> Sequence[int]:
    """The operations of a changeset."""
    statement = select(operations.c.id).where(
        or_(operations.c.id == changeset, operations.c.group_id == changeset)
    )
    return list(connection.execute(statement).scalars())


def images_of(operation_ids: Sequence[int]) -> Select[Any]:
    return select(changes).where(changes.c.operation_id.in_(operation_ids))


class Reversal:
    """What takes some changesets back, newest first. ``targets`` are rows of ``operations``."""

    def __init__(self, connection: Connection, targets: Sequence[Any]) -> None:
        self._targets = [_Target(connection, row) for row in targets]

    def fits(self, connection: Connection, targets: Sequence[Any]) -> bool:
        """Whether these are the same changesets still, with all of their images."""
        return [target.id for target in self._targets] == [row.id for row in targets] and all(
            target.state == _state(connection, target.members) for target in self._targets
        )

    def apply(self, tx: Tx) -> None:
        """Take them back, and note who undid whom. Raises Conflict, with what stands in the way."""
        connection = tx.connection
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        clashes: list[tuple[str, str]] = []
        for target in self._targets:
            for step in target.steps:
                clashes += step.apply(connection)
        if clashes:
            raise Conflict(
                _("This can't be undone: something has changed since"),
                rows=tuple(dict.fromkeys(clashes)),
                hint=_("Undo the later change first, or restore a version from the memory's own history"),
            )
        tx.detail.update(self.detail)
        self.note(connection, tx.operation)

    def images(self, connection: Connection) -> list[Image] | None:
        """What becomes of each row when all is taken back; None where something has changed since."""
        changed = [change for target in self._targets for step in target.steps for change in step.changes]
        rows: dict[tuple[str, str], Values | None] = {}
        for table in {change.table for change in changed}:
            keys = list({change.row for change in changed if change.table == table})
            found = current(connection, _TABLES[table], keys)
            rows.update(((table, key), found.get(key)) for key in keys)
        first = dict(rows)
        for change in changed:
            row = rows[change.table, change.row]
            if not _is_as_left(change, row):
                return None
            rows[change.table, change.row] = (
                None if change.before is None else {**(row or {}), **change.before}
            )
        return [
            image
            for (table, key), row in rows.items()
            if (image := _image(table, key, first[table, key], row))
        ]

    def __len__(self) -> int:
        return sum(len(step.changes) for target in self._targets for step in target.steps)

    @property
    def detail(self) -> Mapping[str, Any]:
        return {"undoes": [{"id": target.id, "kind": target.kind} for target in self._targets]}

    def note(self, connection: Connection, act: OperationId) -> None:
        """Who undid whom."""
        for target in self._targets:
            # Undoing an undo makes what that one had undone stand again.
            connection.execute(
                update(operations).where(operations.c.undone_by == target.id).values(undone_by=None)
            )
            connection.execute(
                update(operations).where(operations.c.id.in_(target.members)).values(undone_by=act)
            )


class _Target:
    def __init__(self, connection: Connection, row: Any) -> None:
        self.id: int = row.id
        self.kind: str = row.kind
        self.members = members(connection, row.id)
        self.state = _state(connection, self.members)
        images = connection.execute(images_of(self.members).order_by(changes.c.seq.desc())).all()
        alike = groupby(map(changelog.change, images), _shape_of)
        self.steps = [_step(connection, list(some)) for _shape, some in alike]


def _state(connection: Connection, operation_ids: Sequence[int]) -> tuple[int, ...]:
    """Another one where an image or an operation has come or gone."""
    counted = select(func.count(), func.coalesce(func.sum(changes.c.seq), 0))
    row = connection.execute(counted.where(changes.c.operation_id.in_(operation_ids))).one()
    return (*operation_ids, *row)


def _shape_of(change: Change) -> tuple[str, bool, bool, tuple[str, ...]]:
    """Changes of one shape are undone by one statement."""
    columns = tuple(change.after or change.before or ())
    return change.table, change.before is None, change.after is None, columns


@dataclass(frozen=True, slots=True)
class _Step:
    """Undoes changes of one shape. Each takes one row of parameters, in the order of the statement."""

    table: Table
    changes: Sequence[Change]
    statement: str
    parameters: Sequence[tuple[Any, ...]]

    def apply(self, connection: Connection) -> list[tuple[str, str]]:
        """(table, key) of the rows that are not as the change left them."""
        parameters = self.parameters
        if self.table in _HOLDERS and self.changes[0].before is None:
            # Others may have put something into it: then it stays.
            unused = [not _is_used(connection, self.table, change) for change in self.changes]
            parameters = [each for each, goes in zip(parameters, unused, strict=True) if goes]
        if not parameters:
            return []
        try:
            result = connection.exec_driver_sql(self.statement, list(parameters))
            if result.rowcount == len(parameters):
                return []
        except IntegrityError:
            pass  # SQLite takes back the one statement, not the transaction
        return self._clashing(connection)

    def _clashing(self, connection: Connection) -> list[tuple[str, str]]:
        """Which rows the statement did not reach (nothing of this transaction will be kept)."""
        found = current(connection, self.table, [change.row for change in self.changes])
        left = [
            (change.table, change.row)
            for change in self.changes
            if not _is_undone(change, found.get(change.row))
        ]
        return left or [(change.table, change.row) for change in self.changes]


def _is_undone(change: Change, row: Values | None) -> bool:
    if change.before is None or row is None:
        return change.before is None and row is None
    return all(row[name] == value for name, value in change.before.items())


def _is_as_left(change: Change, row: Values | None) -> bool:
    if change.after is None or row is None:
        return change.after is None and row is None
    return all(row[name] == change.after[name] for name in _compared(_TABLES[change.table], change))


def _image(table: str, key: str, before: Values | None, after: Values | None) -> Image | None:
    """None where the row stays as it is."""
    if before is not None and after is not None:
        names = [name for name, value in after.items() if before[name] != value]
        before = {name: before[name] for name in names}
        after = {name: after[name] for name in names}
    return Image(_TABLES[table], key, before, after) if before or after else None


def _step(connection: Connection, alike: Sequence[Change]) -> _Step:
    table = _TABLES[alike[0].table]
    compiled = _reversal(table, alike[0]).compile(dialect=connection.dialect)
    names = tuple(compiled.positiontup or ())
    rows = (_values(table, change) for change in alike)
    return _Step(table, alike, str(compiled), [tuple(row[name] for name in names) for row in rows])


def _reversal(table: Table, change: Change) -> Insert | Update | Delete:
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
