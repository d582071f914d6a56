"""Inbox items: the queue between a dropped file and its memories. Job state, so outside the change log."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Select, and_, case, delete, func, insert, or_, select, update

from reverie.domain.clock import from_micros, now, span_micros, to_micros
from reverie.domain.ids import ItemId, MemoryId, new_id
from reverie.domain.inbox import InboxItem, ItemState, Override
from reverie.domain.memory import State
from reverie.errors import NotFound
from reverie.i18n import _
from reverie.store import filters, knowledge_bases
from reverie.store.leases import HOLDER
from reverie.store.readers import Readers
from reverie.store.slices import batches
from reverie.store.tables import inbox_items, memories, seen_files, watched_folders
from reverie.store.tables import knowledge_bases as knowledge_bases_table
from reverie.store.writer import Tx, Writer, announce

CHANGED = "inbox_items"
CLAIM = timedelta(seconds=60)

_UNFINISHED = (ItemState.WAITING, ItemState.READING, ItemState.FAILED, ItemState.TOO_LARGE)


class InboxItems:
    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    def add(self, *, kb: str, name: str, path: str, size: int, origin: str = "", **fields: Any) -> InboxItem:
        """A new item; one that is unfinished for the same path is taken up again instead of a second one."""
        item_id = ItemId(new_id())

        def act(tx: Tx) -> ItemId:
            same = select(inbox_items.c.id).where(
                inbox_items.c.path == path, inbox_items.c.state.in_([str(state) for state in _UNFINISHED])
            )
            known = tx.connection.execute(same).scalar()
            if known is not None:
                return ItemId(known)
            values = {"kb_id": knowledge_bases.require(tx, kb), "name": name, "path": path, "size": size}
            times = {"created_at": tx.at, "updated_at": tx.at}
            tx.connection.execute(
                insert(inbox_items).values(id=item_id, origin=origin, **values, **times, **fields)
            )
            announce(tx.connection, CHANGED)
            return item_id

        return self.get(self._writer.run("add knowledge base", act, author=f"ingest:{item_id}"))

    def get(self, item_id: str) -> InboxItem:
        found = self._select(select(inbox_items).where(inbox_items.c.id == item_id))
        if not found:
            raise NotFound(_("There is no inbox item {id}").format(id=item_id))
        return found[0]

    def items(
        self, kb: str | None = None, states: Sequence[ItemState] | None = None, limit: int = 5000
    ) -> list[InboxItem]:
        """Those being read first, then what waits or needs a person, then the newest finished."""
        order = case(
            (inbox_items.c.state == ItemState.READING, 0),
            (inbox_items.c.state.in_([ItemState.FAILED, ItemState.TOO_LARGE]), 1),
            (inbox_items.c.state == ItemState.WAITING, 2),
            else_=3,
        )
        statement = select(inbox_items).order_by(order, inbox_items.c.updated_at.desc(), inbox_items.c.id)
        if kb is not None:
            statement = statement.where(inbox_items.c.kb_id == filters.kb_id(kb))
        if states is not None:
            statement = statement.where(inbox_items.c.state.in_([str(state) for state in states]))
        return self._select(statement.limit(limit))

    def counts(self) -> dict[ItemState, int]:
        statement = select(inbox_items.c.state, func.count()).group_by(inbox_items.c.state)
        with self._readers.read() as connection:
            return {ItemState(state): n for state, n in connection.execute(statement)}

    def claim(self, kb: str | None = None, only: Sequence[str] | None = None) -> InboxItem | None:
        """The oldest waiting item, now ``reading`` and this process's for a minute (``renew`` prolongs it).

        An item whose claim ran out (its process died) is taken up again.
        """
        at = to_micros(now())
        i = inbox_items.c
        free = or_(i.state == ItemState.WAITING, and_(i.state == ItemState.READING, i.claimed_until < at))
        wanted = select(i.id).where(free).order_by(i.created_at, i.id).limit(1)
        if kb is not None:
            wanted = wanted.where(i.kb_id == filters.kb_id(kb))
        if only is not None:
            wanted = wanted.where(i.id.in_(only))

        with self._readers.read() as connection:  # a look first: an empty queue takes no write lock
            if connection.execute(wanted).first() is None:
                return None

        def act(connection: Connection) -> str | None:
            found = connection.execute(wanted).scalar()
            if found is not None:
                values = {
                    "state": ItemState.READING,
                    "progress": 0.0,
                    "attempts": i.attempts + 1,
                    "updated_at": at,
                }
                connection.execute(update(inbox_items).where(i.id == found).values(**values, **_claimed(at)))
            return found

        item_id = self._writer.derive([CHANGED], act)
        return None if item_id is None else self.get(item_id)

    def renew(self, item_id: str, progress: float) -> None:
        values = {"progress": progress, **_claimed(to_micros(now()))}
        self.change(item_id, **values)

    def change(self, item_id: str, **values: Any) -> None:
        """Set columns of an item that is not done through it (``finish`` is the way to done)."""

        def act(connection: Connection) -> None:
            statement = update(inbox_items).where(inbox_items.c.id == item_id)
            connection.execute(statement.values(**{"updated_at": to_micros(now()), **values}))

        self._writer.derive([CHANGED], act)

    def twin(self, content_hash: str, kb: str, other_than: str) -> InboxItem | None:
        """A finished item with the same content, of which a memory still lives."""
        alive = select(memories.c.item_id).where(memories.c.state.in_([State.ACTIVE, State.SUPERSEDED]))
        i = inbox_items.c
        found = self._select(
            select(inbox_items)
            .where(i.content_hash == content_hash, i.state == ItemState.DONE, i.id != other_than)
            .where(i.kb_id == filters.kb_id(kb), i.id.in_(alive))
            .limit(1)
        )
        return found[0] if found else None

    def at_path(self, path: str) -> InboxItem | None:
        """The newest item of a file."""
        statement = (
            select(inbox_items).where(inbox_items.c.path == path).order_by(inbox_items.c.created_at.desc())
        )
        found = self._select(statement.limit(1))
        return found[0] if found else None

    def moved_from(self, path: str) -> InboxItem | None:
        """The finished item whose file lay at ``path`` (and should have left it)."""
        i = inbox_items.c
        statement = select(inbox_items).where(i.origin == path, i.path != path)
        found = self._select(statement.where(i.state.in_([ItemState.DONE, ItemState.KNOWN])).limit(1))
        return found[0] if found else None

    def _select(self, statement: Select[Any]) -> list[InboxItem]:
        with self._readers.read() as connection:
            names = knowledge_bases.names(connection)
            rows = connection.execute(statement).all()
            made = _made(connection, [row.id for row in rows])
            return [_from_row(row, names[row.kb_id], tuple(made.get(row.id, ()))) for row in rows]

    # Watched folders, and what of their files has been looked at already

    def watched(self) -> list[tuple[str, str]]:
        """(folder, base) of each."""
        statement = select(watched_folders.c.path, knowledge_bases_table.c.name).join(
            knowledge_bases_table, knowledge_bases_table.c.id == watched_folders.c.kb_id
        )
        with self._readers.read() as connection:
            active = connection.execute(statement.where(watched_folders.c.is_active == 1))
            return [(path, kb) for path, kb in active]

    def watch(self, path: str, kb: str) -> None:
        def act(tx: Tx) -> None:
            values = {"path": path, "kb_id": knowledge_bases.require(tx, kb), "created_at": tx.at}
            tx.connection.execute(
                insert(watched_folders).prefix_with("OR IGNORE", dialect="sqlite").values(**values)
            )

        self._writer.run("watch folder", act)

    def unwatch(self, path: str) -> None:
        statement = delete(watched_folders).where(watched_folders.c.path == path)
        self._writer.run("stop watching folder", lambda tx: tx.connection.execute(statement).rowcount)

    def seen(self, path: str) -> tuple[int, int] | None:
        """(size, modified in ns) when last looked at."""
        with self._readers.read() as connection:
            row = connection.execute(select(seen_files).where(seen_files.c.path == path)).first()
            return None if row is None else (row.size, row.modified_ns)

    def mark_seen(self, path: str, size: int, modified_ns: int) -> None:
        statement = insert(seen_files).prefix_with("OR REPLACE", dialect="sqlite")
        values = {"path": path, "size": size, "modified_ns": modified_ns, "content_hash": ""}
        self._writer.derive([], lambda connection: connection.execute(statement.values(**values)))


def finish(tx: Tx, item_id: str, **values: Any) -> None:
    """The item's memories are stored in this very transaction: it is done."""
    done = {"state": ItemState.DONE, "progress": 1.0, "reason": "", "hint": "", "updated_at": tx.at}
    tx.connection.execute(update(inbox_items).where(inbox_items.c.id == item_id).values(**{**done, **values}))
    announce(tx.connection, CHANGED)


def is_claimed(tx: Tx, item_id: str) -> bool:
    """Whether this process still holds the item."""
    statement = select(inbox_items.c.claimed_by).where(
        inbox_items.c.id == item_id, inbox_items.c.state == ItemState.READING
    )
    return tx.connection.execute(statement).scalar() == HOLDER


def _claimed(at: int) -> dict[str, Any]:
    return {"claimed_by": HOLDER, "claimed_until": at + span_micros(CLAIM)}


def _made(connection: Connection, ids: Sequence[str]) -> dict[str, list[MemoryId]]:
    made: dict[str, list[MemoryId]] = {}
    for batch in batches(ids):
        statement = (
            select(memories.c.item_id, memories.c.id)
            .where(memories.c.item_id.in_(batch))
            .where(memories.c.state.in_([State.ACTIVE, State.SUPERSEDED]))
            .order_by(memories.c.seq)
        )
        for row in connection.execute(statement):
            made.setdefault(row.item_id, []).append(MemoryId(row.id))
    return made


def _from_row(row: Any, kb: str, made: tuple[MemoryId, ...]) -> InboxItem:
    return InboxItem(
        id=ItemId(row.id),
        kb=kb,
        name=row.name,
        path=row.path,
        state=ItemState(row.state),
        size=row.size,
        created_at=from_micros(row.created_at),
        updated_at=from_micros(row.updated_at),
        reason=row.reason,
        hint=row.hint,
        retryable=bool(row.retryable),
        content_hash=row.content_hash,
        progress=row.progress,
        attempts=row.attempts,
        override=Override(row.override),
        memories=made,
        duplicate_of=None if row.duplicate_of is None else ItemId(row.duplicate_of),
    )
