"""What is done to memories inside a transaction: the steps that people, ingest, dreams and imports share."""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Dialect, bindparam, exists, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from reverie.domain.ids import MemoryId
from reverie.domain.memory import (
    LinkKind,
    MemoryLink,
    State,
    clean_tags,
)
from reverie.errors import Conflict, NotFound
from reverie.i18n import _
from reverie.store import knowledge_bases, rewrite
from reverie.store.filters import is_visible
from reverie.store.memory_rows import DEFAULTS, columns, fetch, to_json
from reverie.store.slices import batches
from reverie.store.staging import STAGE_ROWS
from reverie.store.tables import knowledge_bases as bases
from reverie.store.tables import memories, memory_links
from reverie.store.writer import Tx


def insert_rows(tx: Tx, rows: Sequence[dict[str, Any]]) -> list[MemoryId]:
    """Insert rows; the same text in the same base (without a key of its own) is told again instead.

    Returns one id for each row, in order.
    """
    ids, fresh, told_again = sorted_out(rows, known_texts(tx.connection, rows))
    insert_exactly(tx, fresh)
    reinforce_all(tx, told_again)
    return ids


Telling = tuple[str, dict[str, Any]]  # the id of a stored memory, and the row that says the same again


def sorted_out(
    rows: Sequence[dict[str, Any]], known: dict[tuple[str, str], str]
) -> tuple[list[MemoryId], list[dict[str, Any]], list[Telling]]:
    """One id for each row, the rows that are new, and those that say again what is known."""
    ids: list[MemoryId] = []
    fresh: list[dict[str, Any]] = []
    told_again: list[Telling] = []
    for row in rows:
        twin = None if row.get("key") else known.setdefault((row["kb"], row["content_hash"]), row["id"])
        if twin is None or twin == row["id"]:
            fresh.append(row)
        else:
            told_again.append((twin, row))
        ids.append(MemoryId(twin or row["id"]))
    return ids, fresh, told_again


def known_texts(connection: Connection, rows: Sequence[dict[str, Any]]) -> dict[tuple[str, str], str]:
    """(base, content hash) -> id of the live memories that hold a text of these rows."""
    hashes = list({row["content_hash"] for row in rows if not row.get("key")})
    known: dict[tuple[str, str], str] = {}
    for batch in batches(hashes):
        found = connection.execute(_SAME_TEXT, {"hashes": batch})
        known.update(((row.name, row.content_hash), row.id) for row in found)
    return known


_SAME_TEXT = (
    select(memories.c.id, bases.c.name, memories.c.content_hash)
    .join(bases, bases.c.id == memories.c.kb_id)
    .where(
        memories.c.content_hash.in_(bindparam("hashes", expanding=True)),
        memories.c.state == State.ACTIVE,
        memories.c.key.is_(None),
        is_visible(),
    )
)


def _insert(tx: Tx, rows: Sequence[dict[str, Any]]) -> None:
    if not rows:
        return
    known_bases = {name: knowledge_bases.require(tx, name) for name in {row["kb"] for row in rows}}
    filled = [
        {**DEFAULTS, **{k: v for k, v in row.items() if k != "kb"}, "kb_id": known_bases[row["kb"]]}
        for row in rows
    ]
    try:
        _insert_all(tx.connection, filled)
    except IntegrityError as error:
        raise _clash(error, rows) from error


def _insert_all(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Rows that all have every column; past SQLAlchemy's work on each parameter, a third of the time here."""
    statement, names = _insertion(connection.dialect, tuple(rows[0]))
    connection.exec_driver_sql(statement, [tuple(row[name] for name in names) for row in rows])


@lru_cache(maxsize=16)
def _insertion(dialect: Dialect, columns: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The statement, and the columns in the order of its parameters."""
    compiled = insert(memories).compile(dialect=dialect, column_keys=list(columns))
    return str(compiled), tuple(compiled.positiontup or ())


def _clash(error: IntegrityError, rows: Sequence[Mapping[str, Any]]) -> Exception:
    cause = str(error.orig)
    if "memories.key" in cause or "uq_memories_live_key" in cause:
        keys = ", ".join(sorted({f"“{row['key']}”" for row in rows if row.get("key")}))
        return Conflict(
            _("A memory with this key exists already"),
            detail=keys,
            hint=_("Update that one, or choose another key"),
        )
    if "memories.id" in cause:
        return Conflict(_("A memory with this id exists already"), detail=cause)
    return error


def _reinforce(tx: Tx, memory_id: str, row: Mapping[str, Any]) -> None:
    """The same thing was told again: count it, and join what the new telling adds in tags."""
    current = tx.connection.execute(select(memories.c.tags).where(memories.c.id == memory_id)).scalar()
    if current is None:  # undone meanwhile
        return
    tags = clean_tags([*json.loads(current), *json.loads(row.get("tags", "[]"))])
    tx.connection.execute(
        update(memories)
        .where(memories.c.id == memory_id)
        .values(reinforced=memories.c.reinforced + 1, last_seen_at=tx.at, tags=to_json(list(tags)))
    )


def reinforce_all(tx: Tx, told_again: Sequence[Telling]) -> None:
    for memory_id, row in told_again:
        _reinforce(tx, memory_id, row)


def insert_exactly(tx: Tx, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows as they are, also where a live memory holds the same text: what dreams make, and dumps hold.

    Raises Conflict for an id or a live key that is taken.
    """
    for batch in batches(rows, STAGE_ROWS):
        _insert(tx, batch)


def update_rows(tx: Tx, ids: Sequence[str], fields: Mapping[str, Any]) -> int:
    """How many changed. Raises NotFound for an unknown id, UserError for a bad value, Conflict for a key in use."""
    require(tx.connection, ids)
    alike: dict[tuple[tuple[str, Any], ...], list[str]] = {}
    for memory_id, values in edited_columns(tx.connection, ids, fields).items():
        alike.setdefault(tuple(values.items()), []).append(memory_id)
    return sum(update_columns(tx, some, dict(values)) for values, some in alike.items())


def edited_columns(
    connection: Connection, ids: Sequence[str], fields: Mapping[str, Any]
) -> dict[str, Mapping[str, Any]]:
    """The columns that each of these memories gets. Raises UserError for a bad value."""
    plain = dict(fields)
    added, removed = plain.pop("add_tags", ()), {tag.casefold() for tag in plain.pop("remove_tags", ())}
    values = columns(plain)
    if "content" in values:  # what it says now has not been dreamt of yet
        values = {"is_consolidated": 0, **values}
    edited: dict[str, Mapping[str, Any]] = dict.fromkeys(ids, values) if values else {}
    if added or removed:
        for memory_id, row in rewrite.current(connection, memories, ids, "tags").items():
            tags = json.loads(str(values.get("tags", row["tags"])))
            kept = [tag for tag in (*tags, *added) if tag.casefold() not in removed]
            edited[memory_id] = {**values, **columns({"tags": kept})}
    return edited


def update_columns(tx: Tx, ids: Sequence[str], values: Mapping[str, Any]) -> int:
    count = 0
    differs = or_(*(memories.c[name].is_distinct_from(value) for name, value in values.items()))
    try:
        for batch in batches(ids):
            statement = update(memories).where(memories.c.id.in_(batch), differs)
            count += tx.connection.execute(statement.values(**{"updated_at": tx.at, **values})).rowcount
        return count
    except IntegrityError as error:
        raise _clash(error, [values]) from error


def set_state(tx: Tx, ids: Sequence[str], state: State) -> int:
    require(tx.connection, ids)
    count = 0
    for batch in batches(ids):
        count += tx.connection.execute(
            update(memories)
            .where(memories.c.id.in_(batch), memories.c.state != state)
            .values(state=state, updated_at=tx.at)
        ).rowcount
    return count


def restored_states(connection: Connection, ids: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """The state that each trashed one of these gets outside the trash."""
    successor = memories.alias("successor")
    replaced = exists(
        select(memory_links.c.id)
        .join(successor, successor.c.id == memory_links.c.target_id)
        .where(memory_links.c.kind == LinkKind.REPLACED_BY, successor.c.state == State.ACTIVE)
        .where(memory_links.c.source_id == memories.c.id)
    )
    restored: dict[str, Mapping[str, Any]] = {}
    for batch in batches(ids):
        trashed = memories.c.id.in_(batch), memories.c.state == State.TRASHED
        for memory_id, is_replaced in connection.execute(select(memories.c.id, replaced).where(*trashed)):
            state = State.SUPERSEDED if is_replaced else State.ACTIVE
            restored[memory_id] = {"state": str(state)}
    return restored


def restore(tx: Tx, ids: Sequence[str]) -> int:
    require(tx.connection, ids)
    restored = restored_states(tx.connection, ids)
    count = 0
    try:
        for state in (State.SUPERSEDED, State.ACTIVE):
            some = [memory_id for memory_id, values in restored.items() if values["state"] == state]
            count += update_columns(tx, some, {"state": str(state)})
    except Conflict as error:
        keys = [{"key": memory.key} for memory in fetch(tx.connection, ids)]
        raise _clash(error.__cause__, keys) from error  # type: ignore[arg-type]
    return count


def link(tx: Tx, links: Iterable[MemoryLink]) -> None:
    rows = [
        {
            "source_id": each.source,
            "target_id": each.target,
            "kind": str(each.kind),
            "relationship": each.relationship,
            "created_at": tx.at,
        }
        for each in links
    ]
    if rows:
        tx.connection.execute(insert(memory_links).prefix_with("OR IGNORE", dialect="sqlite"), rows)


def require(connection: Connection, ids: Sequence[str]) -> None:
    for batch in batches(ids):
        statement = select(memories.c.id).where(memories.c.id.in_(batch), is_visible())
        missing = set(batch) - set(connection.execute(statement).scalars())
        if missing:
            raise not_found(", ".join(sorted(missing)))


def not_found(memory_id: str) -> NotFound:
    return NotFound(
        _("There is no memory {id}").format(id=memory_id),
        hint=_("It may have been removed; search for it instead"),
    )
