"""Long-term memories: the rows, their links, and what a person or an agent does to them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, TypeVar

from sqlalchemy import Connection, Dialect, bindparam, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from reverie.domain.changes import PERSON, Act, Version
from reverie.domain.ids import MemoryId, OperationId
from reverie.domain.memory import (
    Facets,
    LinkKind,
    Memory,
    MemoryFilter,
    MemoryLink,
    Sort,
    State,
    clean_tags,
)
from reverie.errors import Conflict, NotFound
from reverie.i18n import _
from reverie.store import changelog, filters, knowledge_bases
from reverie.store.filters import is_visible
from reverie.store.memory_rows import DEFAULTS, columns, from_row, link_from_row, to_json, to_row
from reverie.store.readers import Readers
from reverie.store.staging import STAGE_ROWS, Stage
from reverie.store.tables import changes, memories, memory_links, memory_tags, operations
from reverie.store.tables import knowledge_bases as bases
from reverie.store.writer import Tx, Writer

_ID_BATCH = 500  # SQLite takes at most 999 variables in older builds

LIVE = MemoryFilter()

T = TypeVar("T")


class Memories:
    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    # Writing

    def add(self, content: str, *, author: str = PERSON, part_of: Act | None = None, **fields: Any) -> Memory:
        """Store one memory and return it.

        Fields: kb, category, key, tags, importance (0..1), kind, source, created_at, metadata, summary,
        entities, topics, pinned, muted, expires_at, valid_from, valid_until, session, provenance, id.
        Text that a live memory of the same base already holds word for word is not stored twice: its tags
        are joined, it counts as told again, and that memory is returned. ``part_of`` as ``update`` takes it.
        Raises UserError, Conflict (key).
        """
        row = to_row({"content": content, **fields}, author)
        (memory_id,) = self._writer.run(
            "add memory", lambda tx: insert_rows(tx, [row]), author=author, part_of=part_of
        )
        return self.get(memory_id)

    def add_many(self, records: Iterable[Mapping[str, Any]], *, author: str = PERSON) -> Sequence[Memory]:
        """Store many as one changeset; either all become visible or none. Records as ``add`` takes them."""
        rows = [to_row(record, author, n) for n, record in enumerate(records, start=1)]
        return self.get_many(self.insert("add memories", rows, author=author))

    def insert(
        self,
        kind: str,
        rows: Sequence[dict[str, Any]],
        *,
        author: str,
        also: Callable[[Tx], None] | None = None,
    ) -> Sequence[MemoryId]:
        """Insert prepared rows (``to_row``) as one changeset; ``also`` is done in the transaction that shows them.

        Many are staged in short transactions, unseen, and one last transaction shows them, so that no write
        lock is held for long.
        """

        if len(rows) <= STAGE_ROWS:

            def at_once(tx: Tx) -> list[MemoryId]:
                ids = insert_rows(tx, rows)
                if also is not None:
                    also(tx)
                return ids

            return self._writer.run(kind, at_once, author=author)
        with self._readers.read() as connection:
            known = _known(connection, rows)
        ids, fresh, told_again = _sorted_out(rows, known)
        with Stage(self._writer, kind, author) as act:
            for batch in batches(fresh, STAGE_ROWS):
                act.stage(partial(insert_exactly, rows=batch))
            moved, _done = act.show(also)
            for again in batches(told_again, STAGE_ROWS):
                act.run(partial(_reinforce_all, told_again=again))
        return [moved.get(memory_id, memory_id) for memory_id in ids]

    def update(
        self, memory_id: str, *, author: str = PERSON, part_of: Act | None = None, **fields: Any
    ) -> Memory:
        """Change fields of one memory; returns it. Raises NotFound, UserError, Conflict (key taken).

        part_of: an ``Act()`` that is given to several writes makes one changeset of them.
        """
        (memory,) = self.update_many([memory_id], author=author, part_of=part_of, **fields)
        return memory

    def update_many(
        self, ids: Sequence[str], *, author: str = PERSON, part_of: Act | None = None, **fields: Any
    ) -> Sequence[Memory]:
        """The same change to many, as one changeset. ``add_tags`` and ``remove_tags`` work on each's own tags."""
        kind = "edit memory" if len(ids) == 1 else "edit memories"
        self._writer.run(kind, lambda tx: update_rows(tx, ids, fields), author=author, part_of=part_of)
        return self.get_many(ids)

    def trash(self, *ids: str, author: str = PERSON) -> int:
        """Move to the trash; returns how many went. Raises NotFound for an unknown id (nothing is moved)."""
        kind = "delete memory" if len(ids) == 1 else "delete memories"
        return self._writer.run(kind, lambda tx: set_state(tx, ids, State.TRASHED), author=author)

    def restore(self, *ids: str, author: str = PERSON) -> int:
        """Out of the trash again: superseded where what replaced it still stands, else active."""
        kind = "restore memory" if len(ids) == 1 else "restore memories"
        return self._writer.run(kind, lambda tx: _restore(tx, ids), author=author)

    def restore_version(self, memory_id: str, operation: int, *, author: str = PERSON) -> Memory:
        """Make the memory as it stood right after a changeset. Raises NotFound where that is not kept."""

        def act(tx: Tx) -> None:
            own = or_(operations.c.id == operation, operations.c.group_id == operation)
            last = tx.connection.execute(select(func.max(operations.c.id)).where(own)).scalar() or operation
            lost = select(operations.c.id).where(operations.c.id > last, changelog.is_pruned()).limit(1)
            if tx.connection.execute(lost).first() is not None:
                raise NotFound(_("That version is not kept any more"))
            later = tx.connection.execute(
                select(changes.c.before)
                .where(changes.c.table_name == "memories", changes.c.row_key == memory_id)
                .where(changes.c.operation_id > last)
                .order_by(changes.c.seq.desc())
            ).scalars()
            values: dict[str, Any] = {}
            for before in later:
                values.update(json.loads(before or "{}"))
            for fixed in ("seq", "id", "created_at", "updated_at", "kb_id"):
                values.pop(fixed, None)
            if values:
                _update(tx, [memory_id], values)

        self._writer.run("restore version", act, author=author)
        return self.get(memory_id)

    # Reading

    def get(self, memory_id: str) -> Memory:
        """Raises NotFound."""
        found = self.get_many([memory_id])
        if not found:
            raise not_found(memory_id)
        return found[0]

    def get_many(self, ids: Sequence[str]) -> Sequence[Memory]:
        """In the order asked for; ids that the vault does not hold are left out."""
        with self._readers.read() as connection:
            return fetch(connection, ids)

    def list(
        self, wanted: MemoryFilter = LIVE, sort: Sort = Sort.NEWEST, limit: int = 50, offset: int = 0
    ) -> Sequence[Memory]:
        statement = filters.narrowed(select(memories), wanted).order_by(*filters.ORDERS[sort])
        with self._readers.read() as connection:
            names = knowledge_bases.names(connection)
            return [from_row(row, names) for row in connection.execute(statement.limit(limit).offset(offset))]

    def ids(self, wanted: MemoryFilter = LIVE, sort: Sort = Sort.NEWEST) -> Sequence[MemoryId]:
        """All that the filter leaves, in order."""
        statement = filters.narrowed(select(memories.c.id), wanted).order_by(*filters.ORDERS[sort])
        with self._readers.read() as connection:
            return [MemoryId(memory_id) for memory_id in connection.execute(statement).scalars()]

    def count(self, wanted: MemoryFilter = LIVE) -> int:
        with self._readers.read() as connection:
            return int(
                connection.execute(filters.narrowed(select(func.count(memories.c.seq)), wanted)).scalar_one()
            )

    def facets(self, wanted: MemoryFilter = LIVE) -> Facets:
        m = memories.c
        with self._readers.read() as connection:

            def counted(column: Any) -> dict[str, int]:
                rows = connection.execute(filters.narrowed(filters.count_of(column), wanted))
                return {value: n for value, n in rows}

            kinds = counted(m.kind)
            tags = connection.execute(
                filters.narrowed(
                    select(func.min(memory_tags.c.tag), func.count())
                    .select_from(memory_tags.join(memories, m.seq == memory_tags.c.seq))
                    .group_by(memory_tags.c.folded),
                    wanted,
                )
            )
            return Facets(
                total=sum(kinds.values()),
                kinds=kinds,
                categories=counted(m.category),
                tags={tag: n for tag, n in tags},
                sources=counted(m.source),
            )

    def tags(self) -> Sequence[str]:
        """Every tag in use, by name."""
        statement = (
            select(func.min(memory_tags.c.tag)).group_by(memory_tags.c.folded).order_by(memory_tags.c.folded)
        )
        with self._readers.read() as connection:
            return [str(tag) for tag in connection.execute(statement).scalars()]

    def links(self, memory_id: str) -> Sequence[MemoryLink]:
        """Both directions."""
        statement = select(memory_links).where(
            or_(memory_links.c.source_id == memory_id, memory_links.c.target_id == memory_id)
        )
        with self._readers.read() as connection:
            return [link_from_row(row) for row in connection.execute(statement)]

    def history(self, memory_id: str) -> Sequence[Version]:
        """Every changeset that changed this memory, newest first, with what it changed in all."""
        member = operations.alias("member")
        statement = (
            select(changes, operations)
            .join(member, member.c.id == changes.c.operation_id)
            .join(operations, operations.c.id == func.coalesce(member.c.group_id, member.c.id))
            .where(changes.c.table_name == "memories", changes.c.row_key == memory_id)
            .order_by(changes.c.seq.desc())
        )
        found: dict[OperationId, Version] = {}
        with self._readers.read() as connection:
            for row in connection.execute(statement).all():
                changeset, change = changelog.change_set(connection, row), changelog.change(row)
                later = found.get(changeset.id)
                whole = change if later is None else change.then(later.change)
                found[changeset.id] = Version(changeset, whole)
        return list(found.values())


# Steps inside a transaction, shared with ingest, dreams and imports


def batches(values: Sequence[T], size: int = _ID_BATCH) -> Iterable[Sequence[T]]:
    for start in range(0, len(values), size):
        yield values[start : start + size]


def fetch(connection: Connection, ids: Sequence[str]) -> list[Memory]:
    names = knowledge_bases.names(connection)
    found: dict[str, Memory] = {}
    for batch in batches(ids):
        statement = select(memories).where(memories.c.id.in_(batch), is_visible())
        found.update((row.id, from_row(row, names)) for row in connection.execute(statement))
    return [found[memory_id] for memory_id in ids if memory_id in found]


def insert_rows(tx: Tx, rows: Sequence[dict[str, Any]]) -> list[MemoryId]:
    """Insert rows; the same text in the same base (without a key of its own) is told again instead.

    Returns one id for each row, in order.
    """
    ids, fresh, told_again = _sorted_out(rows, _known(tx.connection, rows))
    insert_exactly(tx, fresh)
    _reinforce_all(tx, told_again)
    return ids


Telling = tuple[str, dict[str, Any]]  # the id of a stored memory, and the row that says the same again


def _sorted_out(
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


def _known(connection: Connection, rows: Sequence[dict[str, Any]]) -> dict[tuple[str, str], str]:
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


def _reinforce_all(tx: Tx, told_again: Sequence[Telling]) -> None:
    for memory_id, row in told_again:
        _reinforce(tx, memory_id, row)


def insert_exactly(tx: Tx, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows as they are, also where a live memory holds the same text: what dreams make, and dumps hold.

    Raises Conflict for an id or a live key that is taken.
    """
    for batch in batches(rows, STAGE_ROWS):
        _insert(tx, batch)


def update_rows(tx: Tx, ids: Sequence[str], fields: Mapping[str, Any]) -> None:
    """Raises NotFound for an unknown id, UserError for a bad value, Conflict for a key in use."""
    require(tx.connection, ids)
    plain = dict(fields)
    added, removed = plain.pop("add_tags", ()), {tag.casefold() for tag in plain.pop("remove_tags", ())}
    if added or removed:
        for memory in fetch(tx.connection, ids):
            kept = [tag for tag in (*memory.tags, *added) if tag.casefold() not in removed]
            _update(tx, [memory.id], columns({"tags": kept}))
    values = columns(plain)
    if "content" in values:  # what it says now has not been dreamt of yet
        values = {"is_consolidated": 0, **values}
    if values:
        _update(tx, ids, values)


def _update(tx: Tx, ids: Sequence[str], values: Mapping[str, Any]) -> None:
    try:
        for batch in batches(ids):
            differs = or_(*(memories.c[name].is_distinct_from(value) for name, value in values.items()))
            tx.connection.execute(
                update(memories)
                .where(memories.c.id.in_(batch), differs)
                .values(**{"updated_at": tx.at, **values})
            )
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


def _restore(tx: Tx, ids: Sequence[str]) -> int:
    require(tx.connection, ids)
    successor = memories.alias("successor")
    replaced = (
        select(memory_links.c.source_id)
        .join(successor, successor.c.id == memory_links.c.target_id)
        .where(memory_links.c.kind == LinkKind.REPLACED_BY, successor.c.state == State.ACTIVE)
    )
    count = 0
    try:
        for batch in batches(ids):
            trashed = update(memories).where(memories.c.id.in_(batch), memories.c.state == State.TRASHED)
            superseded = trashed.where(memories.c.id.in_(replaced)).values(
                state=State.SUPERSEDED, updated_at=tx.at
            )
            count += tx.connection.execute(superseded).rowcount
            count += tx.connection.execute(trashed.values(state=State.ACTIVE, updated_at=tx.at)).rowcount
    except IntegrityError as error:
        raise _clash(error, [{"key": memory.key} for memory in fetch(tx.connection, ids)]) from error
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
