"""Large acts on rows that are there: many rows are changed, removed or put back, and the write lock is held briefly.

What the act will do is worked out by a reader, one image a row, and written to the change log in short transactions,
before it happens. One last transaction makes it happen, as few statements that take their values from those images;
nothing need be logged any more. A row that is not as its image says stops all of it (``Moved``); the act is then done
in one transaction, which takes longer. Memories that come back are inserted unseen (``staging``) before, those that go
are hidden in that transaction and taken out after it: the dearest of all is the same for any number of rows.

Measured quiet on two cores, the lock is held for 200 ms by about 25,000 rows whose state or flags change, and by about
12,000 whose text index changes as well (tags, category, content).
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Connection, Float, Table, insert, select
from sqlalchemy.exc import IntegrityError

from reverie.domain.ids import OperationId
from reverie.store.slices import batches
from reverie.store.staging import STAGE_ROWS, Stage, discard, going, hide
from reverie.store.tables import TRACKED, changes, memories, metadata
from reverie.store.writer import Tx, Writer

DIRECT_ROWS = 500  # up to so many rows one transaction is quick enough, whatever is done to each
_IMAGES = 1000  # a transaction

_STANDING_ON = {  # (table, column) that name a row of a table; what goes with it untracked does not count
    table: [
        (child, key.parent)
        for child in metadata.sorted_tables
        for key in child.foreign_keys
        if key.column.table is table and (child in TRACKED or key.ondelete != "CASCADE")
    ]
    for table in TRACKED
}

Values = Mapping[str, Any]


class Moved(Exception):
    """A row is not as it was read, or something else stands on it."""


@dataclass(frozen=True, slots=True)
class Image:
    """What becomes of one row: None where it is not there; of an update the columns that change."""

    table: Table
    key: str
    before: Values | None
    after: Values | None

    @property
    def shape(self) -> tuple[int, int, tuple[str, ...]]:
        """Images of one shape take one statement. In order: what goes (what stands on others first), changes, comes."""
        place = metadata.sorted_tables.index(self.table)
        if self.after is None:
            return 0, -place, ()
        return (2 if self.before is None else 1), place, tuple(sorted(self.after))


def current(connection: Connection, table: Table, keys: Sequence[str], *columns: str) -> dict[str, Values]:
    """The rows as they are, by key; all columns, or those named."""
    key = table.c[table.info["key"]]
    wanted = [table.c[name] for name in columns] if columns else list(table.c)
    found: dict[str, Values] = {}
    for some in batches(keys):
        statement = select(key.label("row_key"), *wanted).where(key.in_(some))
        for row_key, *values in connection.execute(statement):
            found[str(row_key)] = dict(zip((column.name for column in wanted), values, strict=True))
    return found


def edits(connection: Connection, values: Mapping[str, Values], at: int) -> list[Image]:
    """Images of memories that get new values, by id; those that have them already are left out."""
    columns = {"updated_at", *(name for each in values.values() for name in each)}
    found = current(connection, memories, list(values), *sorted(columns))
    images: list[Image] = []
    for memory_id, wanted in values.items():
        row = found[memory_id]
        after = {name: value for name, value in wanted.items() if row[name] != value}
        if after:
            after = {"updated_at": at, **after}
            images.append(Image(memories, memory_id, {name: row[name] for name in after}, after))
    return images


def carry_out(
    writer: Writer,
    kind: str,
    author: str,
    images: Iterable[Image],
    *,
    detail: Mapping[str, Any] | None = None,
    also: Callable[[Tx, OperationId], None] = lambda _tx, _act: None,
) -> OperationId | None:
    """Make the images happen as one changeset, with ``also`` in the transaction that does; returns its number.

    None, and nothing is changed, where a row has changed since it was read.
    """
    shapes: dict[Any, list[Image]] = defaultdict(list)
    for image in images:
        shapes[image.shape].append(image)
    try:
        with Stage(writer, kind, author, detail) as act:
            steps = [_staged(act, shapes[shape]) for shape in sorted(shapes)]

            def happen(tx: Tx) -> None:
                assert act.group is not None
                tx.connection.exec_driver_sql("DELETE FROM temp.current_operation")  # it is logged already
                tx.connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
                for step in steps:
                    step(tx.connection)
                also(tx, act.group)

            act.show(happen, merge_twins=False)
    except (Moved, IntegrityError):
        return None
    assert act.group is not None
    discard(writer, going(act.group))
    return act.group


def _staged(act: Stage, images: Sequence[Image]) -> Callable[[Connection], None]:
    """Logs images of one shape; returns what makes them happen."""
    first = images[0]
    if first.before is None and first.table is memories:
        for some in batches(images, STAGE_ROWS):
            act.insert_unseen([image.after or {} for image in some])
        return lambda _connection: None
    logged: list[int] = []
    for some in batches(images, _IMAGES):
        logged.append(act.run(partial(_log, act, some)))
    chosen = f"p.operation_id IN ({', '.join(map(str, logged))})"
    if first.after is None:
        return lambda connection: _remove(connection, act, images, chosen)
    if first.before is None:
        return lambda connection: _put_back(connection, first, chosen, len(images))
    return lambda connection: _change(connection, first, chosen, len(images))


def _log(act: Stage, images: Sequence[Image], tx: Tx) -> int:
    act.hold(tx)
    tx.connection.execute(
        insert(changes),
        [
            {
                "operation_id": tx.operation,
                "table_name": image.table.name,
                "row_key": image.key,
                "before": _json(image.before),
                "after": _json(image.after),
            }
            for image in images
        ],
    )
    return tx.operation


def _json(values: Values | None) -> str | None:
    return None if values is None else json.dumps(values, ensure_ascii=False)


# Each image leads to its row, not the other way round: SQLite would look through the table.
_LOGGED = "changes p INDEXED BY ix_changes_operation_id"


def _change(connection: Connection, like: Image, chosen: str, count: int) -> None:
    table, key = like.table.name, like.table.info["key"]
    new = ", ".join(f"\"{name}\" = json_extract(p.after, '$.{name}')" for name in like.after or ())
    old = _unchanged(like.table, [*(like.before or ())])
    sql = f"UPDATE {table} SET {new} FROM {_LOGGED} WHERE {chosen} AND {table}.{key} = p.row_key{old}"
    _expect(connection, sql, count)


def _remove(connection: Connection, act: Stage, images: Sequence[Image], chosen: str) -> None:
    """What stands on a row stops it: it would go unnoticed by the log, or must not be left alone."""
    table = images[0].table
    key = table.info["key"]
    keys = f"SELECT p.row_key FROM {_LOGGED} WHERE {chosen}"
    for child, column in _STANDING_ON[table]:
        standing = f"SELECT 1 FROM {child.name} WHERE {column.name} IN ({keys}) LIMIT 1"
        if connection.exec_driver_sql(standing).first() is not None:
            raise Moved
    read = [name for name in ("updated_at", *table.info.get("flags", ())) if name in table.c]
    same = f"p.row_key = {table.name}.{key}{_unchanged(table, read)}"
    asked = f"SELECT count(*) FROM {_LOGGED} CROSS JOIN {table.name} ON {same} WHERE {chosen}"
    if connection.exec_driver_sql(asked).scalar_one() != len(images):
        raise Moved
    if table is memories:
        assert act.group is not None
        hide(connection, going(act.group), [image.before["seq"] for image in images if image.before])
    else:
        _expect(connection, f"DELETE FROM {table.name} WHERE {key} IN ({keys})", len(images))


def _put_back(connection: Connection, like: Image, chosen: str, count: int) -> None:
    names = list(like.after or ())
    columns = ", ".join(f'"{name}"' for name in names)
    values = ", ".join(f"json_extract(p.after, '$.{name}')" for name in names)
    sql = f"INSERT INTO {like.table.name} ({columns}) SELECT {values} FROM {_LOGGED} WHERE {chosen}"
    _expect(connection, sql, count)


def _unchanged(table: Table, names: Sequence[str]) -> str:
    """Fractions are not compared: JSON may hold fewer digits."""
    compared = [name for name in names if not isinstance(table.c[name].type, Float)]
    return "".join(f" AND {table.name}.\"{name}\" IS json_extract(p.before, '$.{name}')" for name in compared)


def _expect(connection: Connection, sql: str, count: int) -> None:
    if connection.exec_driver_sql(sql).rowcount != count:
        raise Moved
