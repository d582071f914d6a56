"""Long-term memories: the rows, their links, and what a person or an agent does to them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from reverie.domain.changes import PERSON, Version
from reverie.domain.clock import from_micros, now, to_micros
from reverie.domain.ids import ItemId, MemoryId, OperationId, new_id
from reverie.domain.memory import (
    Facets,
    Kind,
    LinkKind,
    Memory,
    MemoryFilter,
    MemoryLink,
    Place,
    Provenance,
    Sort,
    State,
    clean_category,
    clean_importance,
    clean_tags,
)
from reverie.domain.text import clean, content_hash
from reverie.errors import Conflict, NotFound, UserError
from reverie.i18n import _
from reverie.store import changelog, filters, knowledge_bases, leases
from reverie.store.readers import Readers
from reverie.store.tables import changes, memories, memory_links, memory_tags, operations
from reverie.store.writer import Tx, Writer

STAGE_ROWS = 400  # rows a transaction of a large act: about 40 ms here
_STAGED = "staged"
STAGE_LEASE = timedelta(minutes=1)
_ID_BATCH = 500  # SQLite takes at most 999 variables in older builds

LIVE = MemoryFilter()

T = TypeVar("T")


class Memories:
    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    # Writing

    def add(self, content: str, *, author: str = PERSON, **fields: Any) -> Memory:
        """Store one memory and return it.

        Fields: kb, category, key, tags, importance (0..1), kind, source, created_at, metadata, summary,
        entities, topics, pinned, muted, expires_at, valid_from, valid_until, session, provenance, id.
        Text that a live memory of the same base already holds word for word is not stored twice: its tags
        are joined, it counts as told again, and that memory is returned. Raises UserError, Conflict (key).
        """
        row = to_row({"content": content, **fields}, author)
        (memory_id,) = self._writer.run("add memory", lambda tx: insert_rows(tx, [row]), author=author)
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

        def show(tx: Tx, act: Callable[[Tx], list[MemoryId]]) -> list[MemoryId]:
            ids = act(tx)
            if also is not None:
                also(tx)
            return ids

        if len(rows) <= STAGE_ROWS:
            return self._writer.run(kind, lambda tx: show(tx, partial(insert_rows, rows=rows)), author=author)
        with self._readers.read() as connection:
            known = _known(connection, rows)
        group: OperationId | None = None
        made: list[MemoryId] = []
        try:
            for start in range(0, len(rows), STAGE_ROWS):
                batch = [row for row in rows[start : start + STAGE_ROWS] if _twin(known, row) is None]
                if not batch:
                    continue

                def stage(
                    tx: Tx, batch: list[dict[str, Any]] = batch, group: OperationId | None = group
                ) -> OperationId:
                    _insert(tx, [{**row, "state": _STAGED} for row in batch])
                    leases.hold(tx.connection, _stage_lease(group or tx.operation), STAGE_LEASE)
                    return tx.operation

                operation = self._writer.run(kind, stage, author=author, group=group)
                group = group or operation
                made += [row["id"] for row in batch]
            unveil = partial(_unveil, rows=rows, staged=set(made))
            return self._writer.run(kind, lambda tx: show(tx, unveil), author=author, group=group)
        except BaseException:
            if group is not None:
                self._writer.run("discard", lambda tx: discard_staged(tx.connection, group))
            raise

    def update(self, memory_id: str, *, author: str = PERSON, **fields: Any) -> Memory:
        """Change fields of one memory; returns it. Raises NotFound, UserError, Conflict (key taken)."""
        (memory,) = self.update_many([memory_id], author=author, **fields)
        return memory

    def update_many(self, ids: Sequence[str], *, author: str = PERSON, **fields: Any) -> Sequence[Memory]:
        """The same change to many, as one changeset. ``add_tags`` and ``remove_tags`` work on each's own tags."""
        kind = "edit memory" if len(ids) == 1 else "edit memories"
        self._writer.run(kind, lambda tx: update_rows(tx, ids, fields), author=author)
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
        """Make the memory as it stood right after ``operation``."""

        def act(tx: Tx) -> None:
            later = tx.connection.execute(
                select(changes.c.before)
                .where(changes.c.table_name == "memories", changes.c.row_key == memory_id)
                .where(changes.c.operation_id > operation)
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
            return [
                MemoryLink(MemoryId(r.source_id), MemoryId(r.target_id), LinkKind(r.kind), r.relationship)
                for r in connection.execute(statement)
            ]

    def history(self, memory_id: str) -> Sequence[Version]:
        """Every change of this memory, newest first."""
        statement = (
            select(changes, operations)
            .join(operations, operations.c.id == changes.c.operation_id)
            .where(changes.c.table_name == "memories", changes.c.row_key == memory_id)
            .order_by(changes.c.seq.desc())
        )
        with self._readers.read() as connection:
            return [
                Version(changelog.change_set(connection, row), changelog.change(row))
                for row in connection.execute(statement).all()
            ]


# Rows and values


def to_row(record: Mapping[str, Any], author: str, number: int = 1) -> dict[str, Any]:
    """The columns of a new memory, checked and cleaned. Raises UserError naming the record."""
    fields = dict(record)
    content = fields.pop("content", None)
    if not isinstance(content, str) or not clean(content).strip():
        raise UserError(
            _("Memory {number} has no text").format(number=number), hint=_("Give it some content")
        )
    at = to_micros(now())
    created = fields.pop("created_at", None)
    row: dict[str, Any] = {
        "id": str(fields.pop("id", None) or new_id()),
        "kb": fields.pop("kb", None) or knowledge_bases.DEFAULT,
        "author": author,
        "created_at": at if created is None else to_micros(created),
        "updated_at": at,
    }
    row.update(_columns({"content": content, **fields}))
    return row


def _columns(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a Memory as columns."""
    row: dict[str, Any] = {}
    for name, value in fields.items():
        write = _WRITERS.get(name)
        if write is None:
            raise UserError(_("A memory has no field “{name}”").format(name=name))
        row.update(write(value))
    return row


def _plain(column: str, convert: Any = None) -> Any:
    return lambda value: {column: value if convert is None else convert(value)}


def _instant(column: str) -> Any:
    def write(value: datetime | None) -> dict[str, Any]:
        return {column: None if value is None else to_micros(value)}

    return write


def _text(value: object) -> str:
    return clean(str(value)) if value is not None else ""


def _texts(values: Iterable[str] | None) -> str:
    return _json([clean(str(value)) for value in values or ()])


def _json(value: object) -> str:
    return clean(json.dumps(value, ensure_ascii=False))


def _content(value: str) -> dict[str, Any]:
    text = clean(value)
    if not text.strip():
        raise UserError(_("A memory can't be empty"), hint=_("Delete it instead"))
    return {"content": text, "content_hash": content_hash(text)}


def _provenance(value: Provenance) -> dict[str, Any]:
    place = {name: part for name in Place.__slots__ if (part := getattr(value.place, name)) not in (None, "")}
    return {
        "source": _text(value.source),
        "file": _text(value.file),
        "place": _json(place),
        "item_id": value.item,
        "chat": _text(value.chat),
        "message": _text(value.message),
    }


def _kind(value: str) -> str:
    try:
        return str(Kind(value))
    except ValueError:
        raise UserError(
            _("“{kind}” is no kind of memory").format(kind=value),
            hint=_("Use one of {kinds}").format(kinds=", ".join(Kind)),
        ) from None


_WRITERS: Mapping[str, Any] = {
    "content": _content,
    "kind": _plain("kind", _kind),
    "key": _plain("key", lambda value: _text(value).strip() or None),
    "summary": _plain("summary", _text),
    "category": _plain("category", clean_category),
    "tags": _plain("tags", lambda value: _texts(clean_tags(value))),
    "entities": _plain("entities", _texts),
    "topics": _plain("topics", _texts),
    "importance": _plain("importance", clean_importance),
    "source": _plain("source", _text),
    "provenance": _provenance,
    "session": _plain("session_id", _text),
    "state": _plain("state", lambda value: str(State(value))),
    "pinned": _plain("pinned", int),
    "muted": _plain("muted", int),
    "is_consolidated": _plain("is_consolidated", int),
    "metadata": _plain("metadata", lambda value: _json(dict(value or {}))),
    "created_at": _instant("created_at"),
    "updated_at": _instant("updated_at"),
    "expires_at": _instant("expires_at"),
    "valid_from": _instant("valid_from"),
    "valid_until": _instant("valid_until"),
    "reinforced": _plain("reinforced", int),
    "last_seen_at": _instant("last_seen_at"),
    "author": _plain("author", _text),
}


def _optional(micros: int | None) -> datetime | None:
    return None if micros is None else from_micros(micros)


def from_row(row: Any, names: Mapping[int, str]) -> Memory:
    return Memory(
        id=MemoryId(row.id),
        kb=names.get(row.kb_id, ""),
        kind=Kind(row.kind),
        content=row.content,
        category=row.category,
        created_at=from_micros(row.created_at),
        updated_at=from_micros(row.updated_at),
        key=row.key,
        summary=row.summary,
        tags=tuple(json.loads(row.tags)),
        entities=tuple(json.loads(row.entities)),
        topics=tuple(json.loads(row.topics)),
        importance=row.importance,
        provenance=Provenance(
            source=row.source,
            file=row.file,
            place=Place(**json.loads(row.place)),
            item=None if row.item_id is None else ItemId(row.item_id),
            chat=row.chat,
            message=row.message,
        ),
        session=row.session_id,
        author=row.author,
        state=State(row.state),
        pinned=bool(row.pinned),
        muted=bool(row.muted),
        is_consolidated=bool(row.is_consolidated),
        content_hash=row.content_hash,
        metadata=json.loads(row.metadata),
        expires_at=_optional(row.expires_at),
        valid_from=_optional(row.valid_from),
        valid_until=_optional(row.valid_until),
        reinforced=row.reinforced,
        last_seen_at=_optional(row.last_seen_at),
    )


# Steps inside a transaction, shared with ingest, dreams and imports


def batches(values: Sequence[T], size: int = _ID_BATCH) -> Iterable[Sequence[T]]:
    for start in range(0, len(values), size):
        yield values[start : start + size]


def fetch(connection: Connection, ids: Sequence[str]) -> list[Memory]:
    names = knowledge_bases.names(connection)
    found: dict[str, Memory] = {}
    for batch in batches(ids):
        statement = select(memories).where(memories.c.id.in_(batch), memories.c.state != _STAGED)
        found.update((row.id, from_row(row, names)) for row in connection.execute(statement))
    return [found[memory_id] for memory_id in ids if memory_id in found]


def insert_rows(tx: Tx, rows: Sequence[dict[str, Any]]) -> list[MemoryId]:
    """Insert rows; the same text in the same base (without a key of its own) is told again instead.

    Returns one id for each row, in order.
    """
    known = _known(tx.connection, rows)
    ids: list[MemoryId] = []
    fresh: list[dict[str, Any]] = []
    told_again: list[tuple[str, dict[str, Any]]] = []
    for row in rows:
        twin = _twin(known, row)
        if twin is not None:
            told_again.append((twin, row))
            ids.append(MemoryId(twin))
            continue
        if not row.get("key"):
            known[row["kb"], row["content_hash"]] = row["id"]
        fresh.append(row)
        ids.append(row["id"])
        if len(fresh) >= STAGE_ROWS:
            _insert(tx, fresh)
            fresh = []
    _insert(tx, fresh)
    for twin, row in told_again:
        _reinforce(tx, twin, row)
    return ids


def _known(connection: Connection, rows: Sequence[dict[str, Any]]) -> dict[tuple[str, str], str]:
    """(base, content hash) -> id of the live memories that hold a text of these rows."""
    names = knowledge_bases.names(connection)
    hashes = list({row["content_hash"] for row in rows if not row.get("key")})
    known: dict[tuple[str, str], str] = {}
    for batch in batches(hashes):
        statement = select(memories.c.id, memories.c.kb_id, memories.c.content_hash).where(
            memories.c.content_hash.in_(batch), memories.c.state == State.ACTIVE, memories.c.key.is_(None)
        )
        known.update(((names[r.kb_id], r.content_hash), r.id) for r in connection.execute(statement))
    return known


def _twin(known: Mapping[tuple[str, str], str], row: Mapping[str, Any]) -> str | None:
    return None if row.get("key") else known.get((row["kb"], row["content_hash"]))


def _insert(tx: Tx, rows: Sequence[dict[str, Any]]) -> None:
    if not rows:
        return
    bases = {name: knowledge_bases.require(tx, name) for name in {row["kb"] for row in rows}}
    filled = [
        {**_DEFAULTS, **{k: v for k, v in row.items() if k != "kb"}, "kb_id": bases[row["kb"]]}
        for row in rows
    ]
    try:
        tx.connection.execute(insert(memories), filled)
    except IntegrityError as error:
        raise _clash(error, rows) from error


_DEFAULTS: Mapping[str, Any] = {
    "kind": "note",
    "key": None,
    "summary": "",
    "category": "general",
    "tags": "[]",
    "entities": "[]",
    "topics": "[]",
    "importance": 0.5,
    "source": "api",
    "file": "",
    "place": "{}",
    "item_id": None,
    "chat": "",
    "message": "",
    "session_id": "",
    "state": "active",
    "pinned": 0,
    "muted": 0,
    "is_consolidated": 0,
    "metadata": "{}",
    "expires_at": None,
    "valid_from": None,
    "valid_until": None,
    "reinforced": 0,
    "last_seen_at": None,
}


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
    current = tx.connection.execute(select(memories.c.tags).where(memories.c.id == memory_id)).scalar_one()
    tags = clean_tags([*json.loads(current), *json.loads(row.get("tags", "[]"))])
    tx.connection.execute(
        update(memories)
        .where(memories.c.id == memory_id)
        .values(reinforced=memories.c.reinforced + 1, last_seen_at=tx.at, tags=_json(list(tags)))
    )


def _unveil(tx: Tx, rows: Sequence[dict[str, Any]], staged: set[MemoryId]) -> list[MemoryId]:
    """Show what was staged; twins of what came meanwhile (or stands twice in the rows) are told again."""
    fresh = [row for row in rows if row["id"] in staged]
    known = _known(tx.connection, rows)
    ids: list[MemoryId] = []
    doubles: list[str] = []
    for row in rows:
        twin = _twin(known, row)
        if twin is not None:
            _reinforce(tx, twin, row)
            doubles.append(row["id"])
        elif not row.get("key"):
            known[row["kb"], row["content_hash"]] = row["id"]
        ids.append(MemoryId(twin or row["id"]))
    gone = set(doubles) & staged
    for batch in batches(sorted(gone)):
        tx.connection.execute(delete(memories).where(memories.c.id.in_(batch)))
    try:
        for batch in batches([row["id"] for row in fresh if row["id"] not in gone]):
            tx.connection.execute(update(memories).where(memories.c.id.in_(batch)).values(state=State.ACTIVE))
    except IntegrityError as error:
        raise _clash(error, fresh) from error
    return ids


def insert_exactly(tx: Tx, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows as they are, also where a live memory holds the same text: what dreams make, and dumps hold.

    Raises Conflict for an id or a live key that is taken.
    """
    for batch in batches(rows, STAGE_ROWS):
        _insert(tx, batch)


def stage(tx: Tx, rows: Sequence[dict[str, Any]], group: OperationId) -> None:
    """Insert rows as they are, unseen until ``unveil``; ``group`` is the first operation of the act."""
    _insert(tx, [{**row, "state": _STAGED} for row in rows])
    leases.hold(tx.connection, _stage_lease(group), STAGE_LEASE)


def unveil(tx: Tx, ids: Sequence[str], state: State) -> None:
    """Show staged rows in their state. Raises Conflict where a key was taken, or the rows discarded, meanwhile."""
    shown = 0
    try:
        for batch in batches(ids):
            staged = memories.c.id.in_(batch), memories.c.state == _STAGED
            shown += tx.connection.execute(update(memories).where(*staged).values(state=state)).rowcount
    except IntegrityError as error:
        raise Conflict(
            _("A memory with one of these keys has been stored meanwhile"), hint=_("Try again")
        ) from error
    if shown != len(ids):
        raise Conflict(_("This act was taken for dead; nothing was changed"), hint=_("Try again"))


def discard_staged(connection: Connection, group: OperationId) -> None:
    """Take a large act that did not come to its end out again, and its lines in the log."""
    connection.exec_driver_sql("DELETE FROM temp.current_operation")
    operation_ids = select(operations.c.id).where(
        or_(operations.c.id == group, operations.c.group_id == group)
    )
    keys = select(changes.c.row_key).where(
        changes.c.table_name == "memories", changes.c.operation_id.in_(operation_ids)
    )
    connection.execute(delete(memories).where(memories.c.id.in_(keys), memories.c.state == _STAGED))
    found = list(connection.execute(operation_ids).scalars())
    connection.execute(delete(changes).where(changes.c.operation_id.in_(found)))
    connection.execute(delete(operations).where(operations.c.id.in_(found)))


def abandoned_stages(connection: Connection) -> list[OperationId]:
    """Groups of large acts that left staged rows behind, their process having died (no lease is held)."""
    statement = (
        select(func.coalesce(operations.c.group_id, operations.c.id))
        .join(changes, changes.c.operation_id == operations.c.id)
        .join(memories, memories.c.id == changes.c.row_key)
        .where(memories.c.state == _STAGED, changes.c.table_name == "memories")
        .distinct()
    )
    groups = [OperationId(group) for group in connection.execute(statement).scalars()]
    return [group for group in groups if not leases.is_held(connection, _stage_lease(group))]


def _stage_lease(group: OperationId) -> str:
    return f"stage:{group}"


def update_rows(tx: Tx, ids: Sequence[str], fields: Mapping[str, Any]) -> None:
    """Raises NotFound for an unknown id, UserError for a bad value, Conflict for a key in use."""
    require(tx.connection, ids)
    plain = dict(fields)
    added, removed = plain.pop("add_tags", ()), {tag.casefold() for tag in plain.pop("remove_tags", ())}
    if added or removed:
        for memory in fetch(tx.connection, ids):
            kept = [tag for tag in (*memory.tags, *added) if tag.casefold() not in removed]
            _update(tx, [memory.id], _columns({"tags": kept}))
    if values := _columns(plain):
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
        statement = select(memories.c.id).where(memories.c.id.in_(batch), memories.c.state != _STAGED)
        missing = set(batch) - set(connection.execute(statement).scalars())
        if missing:
            raise not_found(", ".join(sorted(missing)))


def not_found(memory_id: str) -> NotFound:
    return NotFound(
        _("There is no memory {id}").format(id=memory_id),
        hint=_("It may have been removed; search for it instead"),
    )
