"""The change log: TEMP triggers on the writing connection note each row before and after.

Made from the table definitions, so that bulk updates, cascades and REPLACE are caught as well (session
events of an ORM miss them). An update's images hold only the columns that changed.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Float, FromClause, Table, func, or_, select

from reverie.domain.changes import Change, ChangeSet, RowDelta
from reverie.domain.clock import from_micros
from reverie.domain.ids import OperationId
from reverie.store.tables import TRACKED, changes, operations

_NOTE = "INSERT INTO changes (operation_id, table_name, row_key, before, after) VALUES"
PRUNED = "pruned"  # in the detail of a changeset whose images a retention setting has removed
FORGOTTEN = "forgotten"  # in the detail of a changeset of which an image was removed with a text
EMPTY = "{}"  # an image whose text was forgotten, of a row that stands
_CURRENT = "(SELECT id FROM temp.current_operation)"


def install(connection: Connection) -> None:
    connection.exec_driver_sql("CREATE TEMP TABLE current_operation (id INTEGER)")
    for table in TRACKED:
        for trigger in _triggers(table):
            connection.exec_driver_sql(trigger)


def _triggers(table: Table) -> Iterable[str]:
    key = table.info["key"]
    names = [column.name for column in table.columns]
    head = f"CREATE TEMP TRIGGER {table.name}_log_"
    on = "EXISTS (SELECT 1 FROM temp.current_operation)"

    fractions = {column.name for column in table.columns if isinstance(column.type, Float)}

    def value(row: str, name: str) -> str:
        """As JSON. SQLite's own way with a fraction drops its last digits: it could not be told to be the same."""
        column = f'{row}."{name}"'
        if name not in fractions:
            return f"json_quote({column})"
        return f"iif({column} IS NULL, 'null', printf('%!.17g', {column}))"

    def image(row: str) -> str:
        parts = (
            f"'{name}', " + (f"json({value(row, name)})" if name in fractions else f'{row}."{name}"')
            for name in names
        )
        return f"json_object({', '.join(parts)})"

    def changed(row: str) -> str:
        # Put together from what differs: a whole image that is cut down again costs three times as much.
        parts = (f"""iif(OLD."{n}" IS NEW."{n}", '', ',"{n}":' || {value(row, n)})""" for n in names)
        return "'{' || substr(" + " || ".join(parts) + ", 2) || '}'"

    yield (
        f"{head}insert AFTER INSERT ON main.{table.name} WHEN {on} BEGIN {_NOTE}"
        f" ({_CURRENT}, '{table.name}', NEW.\"{key}\", NULL, {image('NEW')}); END"
    )
    yield (
        f"{head}delete AFTER DELETE ON main.{table.name} WHEN {on} BEGIN {_NOTE}"
        f" ({_CURRENT}, '{table.name}', OLD.\"{key}\", {image('OLD')}, NULL); END"
    )
    differs = " OR ".join(f'OLD."{n}" IS NOT NEW."{n}"' for n in names)
    yield (
        f"{head}update AFTER UPDATE ON main.{table.name} WHEN {on} AND ({differs}) BEGIN {_NOTE}"
        f" ({_CURRENT}, '{table.name}', OLD.\"{key}\", {changed('OLD')}, {changed('NEW')}); END"
    )


def row_deltas(rows: Iterable[tuple[str, str, bool, bool]]) -> Mapping[str, RowDelta]:
    """Fold (table, key, had a row before, has one after) in log order into what came, changed and went."""
    first: dict[tuple[str, str], bool] = {}
    last: dict[tuple[str, str], bool] = {}
    for table, key, before, after in rows:
        first.setdefault((table, key), before)
        last[table, key] = after
    folded: dict[str, tuple[list[str], list[str], list[str]]] = {}
    for (table, key), existed in first.items():
        exists = last[table, key]
        if not existed and not exists:
            continue
        place = 1 if existed and exists else 0 if exists else 2
        folded.setdefault(table, ([], [], []))[place].append(key)
    return {t: RowDelta(tuple(a), tuple(c), tuple(r)) for t, (a, c, r) in folded.items()}


# Of a row's images only the first before and the last after count: what came and went again is no change.
_CHANGED = (
    "SELECT 1 FROM changes c WHERE c.operation_id = ? AND ("
    "c.before IS NOT NULL AND NOT EXISTS (SELECT 1 FROM changes o WHERE o.table_name = c.table_name"
    " AND o.row_key = c.row_key AND o.operation_id = c.operation_id AND o.seq < c.seq)"
    " OR c.after IS NOT NULL AND NOT EXISTS (SELECT 1 FROM changes o WHERE o.table_name = c.table_name"
    " AND o.row_key = c.row_key AND o.operation_id = c.operation_id AND o.seq > c.seq)) LIMIT 1"
)


def is_pruned(rows: FromClause = operations) -> ColumnElement[bool]:
    """Whether the images of a changeset are gone by their age, or on their way out."""
    return func.json_extract(rows.c.detail, f"$.{PRUNED}").is_not(None)


def is_incomplete(rows: FromClause = operations) -> ColumnElement[bool]:
    """Whether images of a changeset are gone, by age or with a text that was forgotten: it can't be undone."""
    return is_pruned(rows) | func.json_extract(rows.c.detail, f"$.{FORGOTTEN}").is_not(None)


def has_changed(connection: Connection, operation: int) -> bool:
    """Whether ``row_deltas`` would name a row; costs the same for any number of them."""
    return connection.exec_driver_sql(_CHANGED, (operation,)).first() is not None


def change_sets(connection: Connection, rows: Sequence[Any]) -> list[ChangeSet]:
    """The changesets that some rows of ``operations`` head, with what all of their operations changed."""
    ids = [row.id for row in rows]
    group = func.coalesce(operations.c.group_id, operations.c.id)
    images = changes.c.before.is_not(None), changes.c.after.is_not(None)
    statement = (
        select(group, changes.c.table_name, changes.c.row_key, *images)
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
            rows=row_deltas(touched.get(row.id, ())),
            detail=json.loads(row.detail),
            undone=row.undone_by is not None,
        )
        for row in rows
    ]


def change(row: Any) -> Change:
    """One row of ``changes``."""
    return Change(
        table=row.table_name,
        row=row.row_key,
        before=None if row.before is None else json.loads(row.before),
        after=None if row.after is None else json.loads(row.after),
    )
