"""Long-term memories: the rows, their links, and what a person or an agent does to them."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any

from sqlalchemy import Connection, func, or_, select

from reverie.domain.arguments import checked, says_itself
from reverie.domain.changes import PERSON, Act, Version
from reverie.domain.clock import now, to_micros
from reverie.domain.ids import MemoryId, OperationId
from reverie.domain.memory import (
    Facets,
    Memory,
    MemoryFilter,
    MemoryLink,
    Sort,
    State,
)
from reverie.errors import NotFound
from reverie.i18n import _
from reverie.store import changelog, filters, knowledge_bases, memory_rows, memory_writes, rewrite
from reverie.store.memory_rows import from_row, link_from_row, to_row
from reverie.store.readers import Readers
from reverie.store.slices import batches
from reverie.store.staging import STAGE_ROWS, Stage
from reverie.store.tables import changes, memories, memory_links, memory_tags, operations
from reverie.store.writer import Tx, Writer

LIVE = MemoryFilter()


@checked
class Memories:
    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    # Writing

    @says_itself("content")
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
            "add memory", lambda tx: memory_writes.insert_rows(tx, [row]), author=author, part_of=part_of
        )
        return self.get(memory_id)

    def add_many(self, records: Iterable[Mapping[str, Any]], *, author: str = PERSON) -> Sequence[Memory]:
        """Store many as one changeset; either all become visible or none. Records as ``add`` takes them."""
        rows = [to_row(record, author, n) for n, record in enumerate(records, start=1)]
        return self.get_many(self.insert("add memories", rows, author=author))

    def insert(
        self,
        kind: str,
        rows: Iterable[dict[str, Any]],
        *,
        author: str,
        also: Callable[[Tx], None] | None = None,
    ) -> Sequence[MemoryId]:
        """Insert prepared rows (``to_row``) as one changeset; ``also`` is done in the transaction that shows them.

        Many are staged in short transactions, unseen, and one last transaction shows them, so that no write
        lock is held for long. Rows that come one by one are taken as they come, and not kept.
        """
        coming = iter(rows)
        few = list(islice(coming, STAGE_ROWS + 1))
        if len(few) <= STAGE_ROWS:

            def at_once(tx: Tx) -> list[MemoryId]:
                ids = memory_writes.insert_rows(tx, few)
                if also is not None:
                    also(tx)
                return ids

            return self._writer.run(kind, at_once, author=author)
        ids: list[MemoryId] = []
        told_again: list[memory_writes.Telling] = []
        known: dict[tuple[str, str], str] = {}
        with Stage(self._writer, kind, author) as act:
            coming = chain(few, coming)
            while batch := list(islice(coming, STAGE_ROWS)):
                with self._readers.read() as connection:
                    known = {**memory_writes.known_texts(connection, batch), **known}
                found, fresh, again_told = memory_writes.sorted_out(batch, known)
                ids += found
                told_again += again_told
                if fresh:
                    act.stage(partial(memory_writes.insert_exactly, rows=fresh))
            moved, _done = act.show(also)
            for again in batches(told_again, STAGE_ROWS):
                act.run(partial(memory_writes.reinforce_all, told_again=again))
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
        self._change(
            kind,
            ids,
            author,
            lambda c: memory_writes.edited_columns(c, ids, fields),
            lambda tx: memory_writes.update_rows(tx, ids, fields),
            part_of,
        )
        return self.get_many(ids)

    def trash(self, *ids: str, author: str = PERSON) -> int:
        """Move to the trash; returns how many went. Raises NotFound for an unknown id (nothing is moved)."""
        kind = "delete memory" if len(ids) == 1 else "delete memories"
        trashed = {"state": str(State.TRASHED)}
        return self._change(
            kind,
            ids,
            author,
            lambda _connection: dict.fromkeys(ids, trashed),
            lambda tx: memory_writes.set_state(tx, ids, State.TRASHED),
        )

    def restore(self, *ids: str, author: str = PERSON) -> int:
        """Out of the trash again: superseded where what replaced it still stands, else active."""
        kind = "restore memory" if len(ids) == 1 else "restore memories"
        return self._change(
            kind,
            ids,
            author,
            lambda c: memory_writes.restored_states(c, ids),
            lambda tx: memory_writes.restore(tx, ids),
        )

    def _change(
        self,
        kind: str,
        ids: Sequence[str],
        author: str,
        values: Callable[[Connection], Mapping[str, Mapping[str, Any]]],
        at_once: Callable[[Tx], int],
        part_of: Act | None = None,
    ) -> int:
        """Change rows as one changeset; returns how many. Many are worked out first (``values``: new columns by id), so
        that no write lock is held for long."""
        if part_of is None and len(ids) > rewrite.DIRECT_ROWS:  # a spell of typing is of one row
            with self._readers.read() as connection:
                memory_writes.require(connection, ids)
                images = rewrite.edits(connection, values(connection), to_micros(now()))
            if not images:
                return 0
            if rewrite.carry_out(self._writer, kind, author, images) is not None:
                return len(images)
        return self._writer.run(kind, at_once, author=author, part_of=part_of)

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
                if before == changelog.EMPTY:
                    raise NotFound(_("That version is not kept any more"))
                values.update(json.loads(before or "{}"))
            for fixed in ("seq", "id", "created_at", "updated_at", "kb_id"):
                values.pop(fixed, None)
            if values:
                memory_writes.update_columns(tx, [memory_id], values)

        self._writer.run("restore version", act, author=author)
        return self.get(memory_id)

    # Reading

    def get(self, memory_id: str) -> Memory:
        """Raises NotFound."""
        found = self.get_many([memory_id])
        if not found:
            raise memory_writes.not_found(memory_id)
        return found[0]

    def get_many(self, ids: Sequence[str]) -> Sequence[Memory]:
        """In the order asked for; ids that the vault does not hold are left out."""
        with self._readers.read() as connection:
            return memory_rows.fetch(connection, ids)

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
            rows = connection.execute(statement).all()
            heads = {row.id: row for row in rows}
            acts = {act.id: act for act in changelog.change_sets(connection, list(heads.values()))}
            for row in rows:
                changeset, change = acts[row.id], changelog.change(row)
                later = found.get(changeset.id)
                whole = change if later is None else change.then(later.change)
                found[changeset.id] = Version(changeset, whole)
        return list(found.values())
