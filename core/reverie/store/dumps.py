"""All that a dump holds, read as of one instant, and taken in again as one changeset."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from typing import Any

from sqlalchemy import Connection, Select, Table, delete, func, insert, select, update

from reverie.domain.conversation import Message, Session
from reverie.domain.insight import Insight
from reverie.domain.knowledge_base import KnowledgeBase
from reverie.domain.memory import Memory, MemoryLink, State
from reverie.domain.text import clean
from reverie.domain.transfer import Verdict
from reverie.errors import UserError
from reverie.i18n import _
from reverie.store import (
    conversations,
    filters,
    insights,
    knowledge_bases,
    memories,
    memory_rows,
    message_rows,
    staging,
)
from reverie.store.readers import Readers
from reverie.store.staging import Stage
from reverie.store.tables import insights as insight_rows
from reverie.store.tables import knowledge_bases as base_rows
from reverie.store.tables import memories as rows
from reverie.store.tables import memory_links
from reverie.store.tables import messages as message_table
from reverie.store.tables import sessions as session_rows
from reverie.store.writer import Tx, Writer

_PAGE = 500  # rows read at a time
KIND = "import"


class Dumps:
    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    @contextmanager
    def contents(self, kb: str | None = None) -> "Iterator[Mapping[str, tuple[int, Iterator[Any]]]]":
        """(how many, the values) by section, of all bases or of one; one consistent view while it is open."""
        with self._readers.read() as connection:
            names = knowledge_bases.names(connection)
            yield {
                "knowledge_bases": _bases(connection, kb),
                "memories": _memories(connection, kb, names),
                "insights": _insights(connection, kb),
                "links": _links(connection, kb),
                "sessions": _sessions(connection, kb, names),
                "messages": _messages(connection, kb),
            }

    @contextmanager
    def intake(self, author: str, detail: Mapping[str, Any]) -> "Iterator[Intake]":
        """One changeset; left without ``finish``, it leaves nothing."""
        intake = Intake(self._writer, self._readers, author, detail)
        try:
            yield intake
        finally:
            intake.discard()


class Intake:
    """Stages what comes, a short transaction each, and shows it in the last one."""

    def __init__(self, writer: Writer, readers: Readers, author: str, detail: Mapping[str, Any]) -> None:
        self._writer = writer
        self._readers = readers
        self._detail = dict(detail)
        self._act = Stage(writer, KIND, author, detail)
        self._is_finished = False
        self._made_bases: list[str] = []
        # Made because something names them; their own record may still come.
        self._implied: set[str] = set()
        self._implied_sessions: set[str] = set()
        self._asked: list[str] = []  # ids that are staged
        self._asked_messages: list[str] = []
        self._keys: set[tuple[str, str]] = set()  # of those among them that will be active

    def knowledge_bases(self, bases: Sequence[KnowledgeBase]) -> list[Verdict]:
        """New ones are made at once (an empty one does not hurt), known ones stay as they are."""
        with self._readers.read() as connection:
            known = set(knowledge_bases.names(connection).values()) - self._implied
        verdicts: list[Verdict] = []
        fresh: list[KnowledgeBase] = []
        for base in bases:
            try:
                name = knowledge_bases.clean_name(base.name)
            except UserError as error:
                verdicts.append(str(error))
                continue
            verdicts.append("" if name in known else None)
            if name not in known:
                known.add(name)
                fresh.append(replace(base, name=name))
        self._make(fresh)
        self._implied -= {base.name for base in fresh}
        return verdicts

    def memories(self, values: Sequence[Memory]) -> list[Verdict]:
        """Stages those that are new. A key that an active memory has already is a reason not to take one."""
        with self._readers.read() as connection:
            present = _present(connection, rows, [memory.id for memory in values])
            taken = _keys(connection, [memory.key for memory in values if memory.key])
        verdicts: list[Verdict] = []
        fresh: list[dict[str, Any]] = []
        for memory in values:
            if memory.id in present:
                verdicts.append("")
                continue
            try:
                row = _memory_row(memory)
            except UserError as error:
                verdicts.append(str(error))
                continue
            if row["key"] and memory.state is State.ACTIVE:
                live_key = (row["kb"], row["key"])
                if live_key in taken or live_key in self._keys:
                    verdicts.append(_("Another memory has the key “{key}”").format(key=row["key"]))
                    continue
                self._keys.add(live_key)
            fresh.append(row)
            present.add(memory.id)
            self._asked.append(row["id"])
            verdicts.append(None)
        self._imply({row["kb"] for row in fresh})
        if fresh:
            self._act.stage(lambda tx: memories.insert_exactly(tx, fresh))
        return verdicts

    def sessions(self, values: Sequence[Session]) -> list[Verdict]:
        """New ones are made at once (nobody sees one that has no message), known ones stay as they are."""
        with self._readers.read() as connection:
            known = _present(connection, session_rows, [session.id for session in values])
        known -= self._implied_sessions
        verdicts: list[Verdict] = []
        fresh: list[dict[str, Any]] = []
        for session in values:
            if session.id in known:
                verdicts.append("")
                continue
            try:
                fresh.append(_session_row(session))
            except UserError as error:
                verdicts.append(str(error))
                continue
            known.add(session.id)
            verdicts.append(None)
        self._make_sessions(fresh)
        self._implied_sessions -= known
        return verdicts

    def messages(self, values: Sequence[Message]) -> list[Verdict]:
        """Stages those that are new."""
        with self._readers.read() as connection:
            present = _present(connection, message_table, [message.id for message in values])
            known = _present(connection, session_rows, [message.session for message in values])
        verdicts: list[Verdict] = []
        fresh: list[dict[str, Any]] = []
        implied: dict[str, dict[str, Any]] = {}
        for message in values:
            if message.id in present:
                verdicts.append("")
                continue
            try:
                row = _message_row(message)
                if row["session_id"] not in known:
                    bare = Session(message.session, "default", message.created_at, message.created_at)
                    implied.setdefault(row["session_id"], _session_row(bare))
            except UserError as error:
                verdicts.append(str(error))
                continue
            fresh.append(row)
            present.add(message.id)
            self._asked_messages.append(row["id"])
            verdicts.append(None)
        self._make_sessions(list(implied.values()))
        self._implied_sessions.update(implied)
        if fresh:
            self._act.stage(lambda tx: conversations.insert_rows(tx, fresh), message_table)
        return verdicts

    def finish(
        self, values: Sequence[Insight], links: Sequence[MemoryLink]
    ) -> tuple[list[Verdict], list[Verdict]]:
        """Stores insights and links, and shows all. Raises Conflict where a key was taken meanwhile."""

        def act(tx: Tx) -> tuple[list[Verdict], list[Verdict]]:
            tx.detail.update(self._detail)
            return _take_insights(tx, values), _take_links(tx, links)

        _moved, verdicts = self._act.show(act, merge_twins=False)
        assert verdicts is not None
        self._is_finished = True
        self._check()
        return verdicts

    def discard(self) -> None:
        """Takes out what was staged, unless ``finish`` has shown it."""
        if self._is_finished or self._act.group is None:
            return
        staging.discard(self._writer, self._act.group)
        self._writer.derive(["memories"], self._drop_bases)

    def _drop_bases(self, connection: Connection) -> None:
        unused = (
            base_rows.c.id.not_in(select(rows.c.kb_id)),
            base_rows.c.id.not_in(select(session_rows.c.kb_id)),
        )
        connection.execute(delete(base_rows).where(base_rows.c.name.in_(self._made_bases), *unused))

    def _imply(self, names: set[str]) -> None:
        with self._readers.read() as connection:
            implied = sorted(names - set(knowledge_bases.names(connection).values()))
        self._make([KnowledgeBase(name) for name in implied])
        self._implied.update(implied)

    def _make_sessions(self, fresh: Sequence[dict[str, Any]]) -> None:
        if fresh:
            self._imply({row["kb"] for row in fresh})
            self._act.run(lambda tx: _make_sessions(tx, fresh, self._implied_sessions))

    def _make(self, bases: Sequence[KnowledgeBase]) -> None:
        if bases:
            self._act.run(lambda tx: _make_bases(tx, bases))
            self._made_bases += [base.name for base in bases]

    def _check(self) -> None:
        """Counts in the file what was reported as stored."""
        with self._readers.read() as connection:
            for table, asked in ((rows, self._asked), (message_table, self._asked_messages)):
                stored = len(_present(connection, table, asked))
                if stored != len(asked):
                    raise RuntimeError(f"{len(asked)} {table.name} were imported, {stored} are there")


# Reading


def _bases(connection: Connection, kb: str | None) -> tuple[int, Iterator[KnowledgeBase]]:
    statement = select(base_rows).order_by(base_rows.c.id)
    if kb is not None:
        statement = statement.where(base_rows.c.name == kb)
    found = [knowledge_bases.from_row(row) for row in connection.execute(statement)]
    return len(found), iter(found)


def _memories(
    connection: Connection, kb: str | None, names: Mapping[int, str]
) -> tuple[int, Iterator[Memory]]:
    statement = _of_base(select(rows).where(filters.is_visible()), rows, kb)
    pages = _pages(connection, statement, rows.c.seq)
    return _count(connection, statement), (memory_rows.from_row(row, names) for page in pages for row in page)


def _insights(connection: Connection, kb: str | None) -> tuple[int, Iterator[Insight]]:
    statement = _of_base(select(insight_rows.c.id, insight_rows.c.seq), insight_rows, kb)
    pages = _pages(connection, statement, insight_rows.c.seq)
    found = (
        insight for page in pages for insight in insights.fetch(connection, [str(row.id) for row in page])
    )
    return _count(connection, statement), found


def _links(connection: Connection, kb: str | None) -> tuple[int, Iterator[MemoryLink]]:
    statement = select(memory_links)
    if kb is not None:
        inside = select(rows.c.id).where(rows.c.kb_id == filters.kb_id(kb))
        statement = statement.where(
            memory_links.c.source_id.in_(inside), memory_links.c.target_id.in_(inside)
        )
    pages = _pages(connection, statement, memory_links.c.id)
    found = (memory_rows.link_from_row(row) for page in pages for row in page)
    return _count(connection, statement), found


def _sessions(
    connection: Connection, kb: str | None, names: Mapping[int, str]
) -> tuple[int, Iterator[Session]]:
    statement = _of_base(conversations.listed(), session_rows, kb)
    found = (message_rows.session_from_row(row, names) for row in connection.execute(statement))
    return _count(connection, statement), found


def _messages(connection: Connection, kb: str | None) -> tuple[int, Iterator[Message]]:
    statement = select(message_table).where(filters.is_visible_message())
    if kb is not None:
        inside = select(session_rows.c.id).where(session_rows.c.kb_id == filters.kb_id(kb))
        statement = statement.where(message_table.c.session_id.in_(inside))
    pages = _pages(connection, statement, message_table.c.seq)
    return _count(connection, statement), (message_rows.from_row(row) for page in pages for row in page)


def _of_base(statement: Select[Any], table: Table, kb: str | None) -> Select[Any]:
    return statement if kb is None else statement.where(table.c.kb_id == filters.kb_id(kb))


def _count(connection: Connection, statement: Select[Any]) -> int:
    return connection.execute(select(func.count()).select_from(statement.subquery())).scalar_one()


def _pages(connection: Connection, statement: Select[Any], key: Any) -> Iterator[Sequence[Any]]:
    """By the numbers of the rows, so that the last page costs no more than the first."""
    last = -1
    while page := connection.execute(statement.where(key > last).order_by(key).limit(_PAGE)).all():
        yield page
        last = getattr(page[-1], key.name)


# Taking in


def _memory_row(memory: Memory) -> dict[str, Any]:
    given = {item.name: getattr(memory, item.name) for item in fields(Memory) if item.name != "content_hash"}
    given["kb"] = knowledge_bases.clean_name(memory.kb)
    return memory_rows.to_row(given, memory.author)


def _session_row(session: Session) -> dict[str, Any]:
    at = message_rows.columns({"created_at": session.created_at})["created_at"]
    return {
        "id": message_rows.identifier("id", session.id),
        "kb": knowledge_bases.clean_name(session.kb),
        "title": clean(session.title),
        "source": clean(session.source),
        "metadata": message_rows.columns({"metadata": session.metadata})["metadata"],
        "created_at": at,
        "last_active_at": at,
    }


def _message_row(message: Message) -> dict[str, Any]:
    own = ("session", "is_extracted")
    given = {item.name: getattr(message, item.name) for item in fields(Message) if item.name not in own}
    return {
        **message_rows.to_row(given, 0),
        "session_id": message_rows.identifier("session", message.session),
        "extracted": int(message.is_extracted),
    }


def _make_sessions(tx: Tx, fresh: Sequence[dict[str, Any]], implied: set[str]) -> None:
    bases = {name: knowledge_bases.require(tx, name) for name in {row["kb"] for row in fresh}}
    filled = [{**{k: v for k, v in row.items() if k != "kb"}, "kb_id": bases[row["kb"]]} for row in fresh]
    for row in filled:
        if row["id"] in implied:
            tx.connection.execute(update(session_rows).where(session_rows.c.id == row["id"]).values(row))
    new = [row for row in filled if row["id"] not in implied]
    if new:
        tx.connection.execute(insert(session_rows).prefix_with("OR IGNORE", dialect="sqlite"), new)


def _make_bases(tx: Tx, bases: Sequence[KnowledgeBase]) -> None:
    for base in bases:
        knowledge_bases.require(tx, base.name)
        values = {name: value for name, value in asdict(base).items() if name != "name"}
        tx.connection.execute(update(base_rows).where(base_rows.c.name == base.name).values(values))


def _take_insights(tx: Tx, values: Sequence[Insight]) -> list[Verdict]:
    """An insight stands on the memories that are there; one that stands on none is refused."""
    present = _present(tx.connection, insight_rows, [insight.id for insight in values])
    sources = _present(tx.connection, rows, [source for insight in values for source in insight.sources])
    verdicts: list[Verdict] = []
    fresh: list[Insight] = []
    for insight in values:
        standing = [source for source in dict.fromkeys(insight.sources) if source in sources]
        if insight.id in present:
            verdicts.append("")
        elif not clean(insight.content).strip():
            verdicts.append(_("It has no text"))
        elif not standing and insight.sources:
            verdicts.append(_("None of the memories that it stands on are there"))
        else:
            fresh.append(replace(insight, sources=tuple(standing)))
            present.add(insight.id)
            verdicts.append(None)
    insights.insert_exactly(tx, fresh)
    return verdicts


def _take_links(tx: Tx, links: Sequence[MemoryLink]) -> list[Verdict]:
    ends = _present(tx.connection, rows, [end for link in links for end in (link.source, link.target)])
    known = _known_links(tx.connection, links)
    verdicts: list[Verdict] = []
    fresh: list[MemoryLink] = []
    for link in links:
        if link.source not in ends or link.target not in ends:
            missing = link.target if link.source in ends else link.source
            verdicts.append(_("There is no memory {id}").format(id=missing))
        elif link in known:
            verdicts.append("")
        else:
            known.add(link)
            fresh.append(link)
            verdicts.append(None)
    memories.link(tx, fresh)
    return verdicts


def _known_links(connection: Connection, links: Sequence[MemoryLink]) -> set[MemoryLink]:
    sources = sorted({link.source for link in links})
    statement = select(memory_links).where(filters.among(memory_links.c.source_id, sources))
    return {memory_rows.link_from_row(row) for row in connection.execute(statement)}


def _present(connection: Connection, table: Table, ids: Sequence[str]) -> set[str]:
    """Those of ``ids`` that the table holds; staged rows count."""
    if not ids:
        return set()
    statement = select(table.c.id).where(filters.among(table.c.id, sorted(set(ids))))
    return set(connection.execute(statement).scalars())


def _keys(connection: Connection, keys: Sequence[str | None]) -> set[tuple[str, str]]:
    """(base, key) of the active memories that have one of these keys."""
    if not keys:
        return set()
    names = knowledge_bases.names(connection)
    found: set[tuple[str, str]] = set()
    for batch in memories.batches(keys):
        statement = select(rows.c.kb_id, rows.c.key).where(
            rows.c.key.in_(batch), rows.c.state == State.ACTIVE
        )
        found.update((names[kb_id], key) for kb_id, key in connection.execute(statement))
    return found
