"""Conversations: sessions, and the messages that were said in them.

A session is made with its first message and belongs to a knowledge base. Its row is never changed by what is
appended, so that each message can be undone by itself; how many there are, and when the last was, is read from them.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import Connection, Select, func, insert, select, tuple_, update
from sqlalchemy.exc import IntegrityError

from reverie.domain.changes import PERSON
from reverie.domain.clock import now, to_micros
from reverie.domain.conversation import Message, Session
from reverie.errors import Conflict, NotFound, UserError
from reverie.i18n import _
from reverie.store import filters, knowledge_bases, message_rows
from reverie.store.filters import is_visible_message
from reverie.store.memories import batches
from reverie.store.message_rows import EDITABLE, columns, from_row, identifier, session_from_row, to_row
from reverie.store.readers import Readers
from reverie.store.staging import STAGE_ROWS, Stage
from reverie.store.tables import messages, sessions
from reverie.store.writer import Tx, Writer

Row = Mapping[str, Any]


class Conversations:
    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    # Writing

    def append(
        self,
        session_id: str,
        role: str,
        content: str | None,
        name: str | None = None,
        created_at: datetime | None = None,
        *,
        kb: str | None = None,
        id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        tool_calls: Sequence[Mapping[str, Any]] | None = None,
        tool_call_id: str | None = None,
        author: str | None = None,
    ) -> Message:
        """Store what was said, and return it; the first message makes the session, in ``kb`` ("default").

        role: "user", "assistant", "system" or "tool". content: may be empty only beside ``tool_calls``.
        created_at: with a timezone; None is now. id: one of your own, which is kept; the same id with the same words
        in the same session again is that message, and nothing is stored twice. author: None is the person.
        Raises UserError, also where the session belongs to another base, and Conflict (the id is taken).
        """
        record = {
            "role": role,
            "content": content,
            "name": name,
            "created_at": created_at,
            "id": id,
            "metadata": metadata,
            "tool_calls": tool_calls,
            "tool_call_id": tool_call_id,
        }
        rows = [to_row(record, to_micros(now()))]
        (message_id,) = self._append("add message", session_id, rows, kb, author)
        return self.get(message_id)

    def append_many(
        self,
        session_id: str,
        records: Iterable[Mapping[str, Any]],
        *,
        kb: str | None = None,
        author: str | None = None,
    ) -> Sequence[Message]:
        """Append many to one session as one changeset; either all become visible or none.

        Records hold the arguments of ``append`` that belong to a message: role, content, name, created_at, id,
        metadata, tool_calls, tool_call_id. Returns a message for each, in the order given. Raises as ``append`` does.
        """
        if not isinstance(records, Iterable):
            raise UserError(_("Messages are a list of objects"))
        at = to_micros(now())
        rows: list[dict[str, Any]] = []
        for number, record in enumerate(records, start=1):
            try:
                if not isinstance(record, Mapping):
                    raise UserError(_("A message is an object with a role and content"))
                rows.append(to_row(record, at))
            except UserError as error:
                where = _("message {number}").format(number=number)
                detail = f"{where}: {error.detail}" if error.detail else where
                raise UserError(error.title, detail=detail, hint=error.hint) from error
        return self.get_many(self._append("add messages", session_id, rows, kb, author))

    def update(self, message_id: str, *, author: str | None = None, **fields: Any) -> Message:
        """Change ``content``, ``name`` or ``metadata`` of one message; returns it. Raises NotFound, UserError."""
        message_id = identifier("message_id", message_id)
        values = columns(fields, EDITABLE)
        self._writer.run("edit message", lambda tx: _update(tx, message_id, values), author=_author(author))
        return self.get(message_id)

    def _append(
        self, kind: str, session_id: str, rows: Sequence[Row], kb: str | None, author: str | None
    ) -> Sequence[str]:
        session_id = identifier("session_id", session_id)
        base = None if kb is None else knowledge_bases.clean_name(message_rows.text("kb", kb))
        by = _author(author)
        rows = [{**row, "session_id": session_id} for row in rows]
        if not rows:
            return []
        made_at = min(row["created_at"] for row in rows)

        def insert_some(tx: Tx, some: Sequence[Row]) -> None:
            _require_session(tx, session_id, base, made_at)
            insert_rows(tx, some)

        if len(rows) <= STAGE_ROWS:
            self._writer.run(kind, lambda tx: insert_some(tx, _fresh(tx.connection, rows)), author=by)
            return [row["id"] for row in rows]
        with self._readers.read() as connection:
            fresh = _fresh(connection, rows)
        with Stage(self._writer, kind, by) as act:
            for batch in batches(fresh, STAGE_ROWS):
                act.stage(partial(insert_some, some=batch), messages)
            act.show(merge_twins=False)
        return [row["id"] for row in rows]

    # Reading

    def get(self, message_id: str) -> Message:
        """Raises NotFound."""
        found = self.get_many([identifier("message_id", message_id)])
        if not found:
            raise not_found(message_id)
        return found[0]

    def get_many(self, ids: Sequence[str]) -> Sequence[Message]:
        """In the order asked for; unknown ids are left out."""
        ids = [identifier("message_id", each) for each in ids]
        found: dict[str, Message] = {}
        with self._readers.read() as connection:
            for batch in batches(ids):
                statement = select(messages).where(messages.c.id.in_(batch), is_visible_message())
                found.update((row.id, from_row(row)) for row in connection.execute(statement))
        return [found[message_id] for message_id in ids if message_id in found]

    def messages(
        self, session_id: str, limit: int | None = None, before: str | None = None
    ) -> Sequence[Message]:
        """What was said in a session, in order; the last ``limit`` of them, before the message ``before`` (an id).

        A session that the vault does not hold has said nothing. Raises NotFound for an unknown ``before``.
        """
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 0):
            raise UserError(_("“{limit}” is no number of messages").format(limit=limit))
        place = messages.c.created_at, messages.c.seq
        statement = select(messages).where(
            messages.c.session_id == identifier("session_id", session_id), is_visible_message()
        )
        with self._readers.read() as connection:
            if before is not None:
                pivot = select(*place).where(
                    messages.c.id == identifier("before", before), is_visible_message()
                )
                row = connection.execute(pivot).first()
                if row is None:
                    raise not_found(before)
                statement = statement.where(tuple_(*place) < tuple_(*row))
            newest_first = statement.order_by(*(column.desc() for column in place)).limit(limit)
            return [from_row(row) for row in connection.execute(newest_first)][::-1]

    def session(self, session_id: str) -> Session:
        """Raises NotFound."""
        statement = listed().where(sessions.c.id == identifier("session_id", session_id))
        with self._readers.read() as connection:
            row = connection.execute(statement).first()
            if row is None:
                raise NotFound(_("There is no conversation {id}").format(id=session_id))
            return session_from_row(row, knowledge_bases.names(connection))

    def sessions(self, kb: str | None = None) -> Sequence[Session]:
        """Those with the newest message first."""
        statement = listed()
        if kb is not None:
            statement = statement.where(sessions.c.kb_id == filters.kb_id(message_rows.text("kb", kb)))
        with self._readers.read() as connection:
            names = knowledge_bases.names(connection)
            return [session_from_row(row, names) for row in connection.execute(statement)]

    def count(self, session_id: str | None = None) -> int:
        """How many messages there are, in a session or in all."""
        statement = select(func.count(messages.c.seq)).where(is_visible_message())
        if session_id is not None:
            statement = statement.where(messages.c.session_id == identifier("session_id", session_id))
        with self._readers.read() as connection:
            return int(connection.execute(statement).scalar_one())


def not_found(message_id: str) -> NotFound:
    return NotFound(_("There is no message {id}").format(id=message_id))


def _author(author: str | None) -> str:
    return PERSON if author is None else message_rows.identifier("author", author)


def listed() -> Select[Any]:
    """Sessions that have messages: one without is staged, or was left behind by an undo."""
    told = (
        select(
            messages.c.session_id,
            func.count().label("message_count"),
            func.max(messages.c.created_at).label("newest"),
        )
        .where(is_visible_message())
        .group_by(messages.c.session_id)
        .subquery()
    )
    return (
        select(sessions, told.c.message_count, told.c.newest)
        .join(told, told.c.session_id == sessions.c.id)
        .order_by(told.c.newest.desc(), sessions.c.id)
    )


# Steps inside a transaction, shared with imports


def insert_rows(tx: Tx, rows: Sequence[Row]) -> None:
    """Insert prepared rows, which all have every column, into sessions that are there. Raises Conflict for an id that
    is taken."""
    if not rows:
        return
    try:
        tx.connection.execute(insert(messages), [dict(row) for row in rows])
    except IntegrityError as error:
        if "messages.id" not in str(error.orig):
            raise
        raise _taken([row["id"] for row in rows]) from error


def _require_session(tx: Tx, session_id: str, kb: str | None, made_at: int) -> None:
    """The session, which is made if missing."""
    found = tx.connection.execute(select(sessions.c.kb_id).where(sessions.c.id == session_id)).scalar()
    if found is None:
        base = knowledge_bases.require(tx, kb or knowledge_bases.DEFAULT)
        values = {"id": session_id, "kb_id": base, "created_at": made_at, "last_active_at": made_at}
        tx.connection.execute(insert(sessions).values(values))
    elif kb is not None and (held := knowledge_bases.names(tx.connection)[found]) != kb:
        raise UserError(
            _("The conversation belongs to the knowledge base “{kb}”").format(kb=held),
            detail=session_id,
            hint=_("Name that one, or none, or choose another id for the session"),
        )


_SAME = ("session_id", "role", "content", "tool_calls", "tool_call_id")


def _fresh(connection: Connection, rows: Sequence[Row]) -> list[Row]:
    """Without those that the vault, or an earlier one of these, holds already under their id. Raises Conflict where
    what it holds says something else."""
    held: dict[str, Row] = {}
    ids = [row["id"] for row in rows]
    for batch in batches(ids):
        statement = select(messages).where(messages.c.id.in_(batch), is_visible_message())
        held.update((row["id"], row) for row in map(dict, connection.execute(statement).mappings()))
    fresh: list[Row] = []
    other: list[str] = []
    for row in rows:
        known = held.setdefault(row["id"], row)
        if known is row:
            fresh.append(row)
        elif any(known[name] != row[name] for name in _SAME):
            other.append(row["id"])
    if other:
        raise _taken(other)
    return fresh


def _taken(ids: Sequence[str]) -> Conflict:
    return Conflict(
        _("Another message has this id"),
        rows=[("messages", each) for each in ids],
        detail=", ".join(ids[:3]),
        hint=_("Give it another id, or update that message"),
    )


def _update(tx: Tx, message_id: str, values: Row) -> None:
    found = select(messages).where(messages.c.id == message_id, is_visible_message())
    row = tx.connection.execute(found).mappings().first()
    if row is None:
        raise not_found(message_id)
    message_rows.require_text(values.get("content", row["content"]), row["tool_calls"])
    changed = {name: value for name, value in values.items() if row[name] != value}
    if "content" in changed:  # nothing was taken from what it says now
        changed["extracted"] = 0
    if changed:
        tx.connection.execute(update(messages).where(messages.c.id == message_id).values(changed))
