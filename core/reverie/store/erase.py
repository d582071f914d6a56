"""Forget for good: what was trashed leaves every file of the vault.

That is the rows, their words and vectors, the snapshots of the indexes, their images
in the change log, insights and proposals that quote them, stored copies of their files, backups that hold
them, and the write-ahead log. Free pages are overwritten (secure_delete). A line in the log stays.
"""

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, Table, delete, exists, func, select, update

from reverie.domain.changes import PERSON
from reverie.domain.memory import LinkKind, State
from reverie.domain.receipt import Receipt
from reverie.domain.text import sentences
from reverie.errors import Cancelled
from reverie.i18n import _
from reverie.store import filters, snapshots
from reverie.store.memories import batches
from reverie.store.readers import Readers
from reverie.store.slices import work_off
from reverie.store.tables import (
    changes,
    insight_sources,
    insights,
    memories,
    memory_links,
    operations,
    proposals,
)
from reverie.store.writer import Tx, Writer, announce

_STEP = 10  # memories between two looks at the clock
_TELL_EVERY_S = 0.5  # what is gone is told to every window

Progress = Callable[[int, int, str], None]
Stop = Callable[[], bool]


@dataclass(slots=True)
class _Gone:
    """What is to go, and what has gone so far. ids: memories that go or have gone, without those that turned
    out to be wanted again."""

    ids: set[str]
    counts: dict[str, int] = field(
        default_factory=lambda: {"memories": 0, "insights": 0, "images": 0, "proposals": 0}
    )
    files: set[str] = field(default_factory=set)
    erased: set[str] = field(default_factory=set)
    proposals: dict[str, list[str]] = field(default_factory=dict)  # that quote a memory, by its id
    forgotten: set[str] = field(default_factory=set)
    told: float = 0.0


@dataclass(frozen=True, slots=True)
class _Trash:
    """What of the trash is meant: of one base, or of all; all of it, or what lies there since ``before``."""

    kb: str | None
    before: int | None

    def ids(self, table: Table) -> Select[str]:
        statement = select(table.c.id).where(table.c.state == State.TRASHED)
        if table is memories:
            statement = statement.where(filters.is_visible())
        if self.kb is not None:
            statement = statement.where(table.c.kb_id == filters.kb_id(self.kb))
        if self.before is None:
            return statement
        # Redo and imports put rows back into the trash with the instant of long ago: the log knows better.
        lately = (
            exists()
            .where(changes.c.table_name == table.name, changes.c.row_key == table.c.id)
            .where(operations.c.id == changes.c.operation_id, operations.c.at >= self.before)
        )
        return statement.where(table.c.updated_at < self.before, ~lately)


class Eraser:
    def __init__(self, writer: Writer, readers: Readers, folder: Path) -> None:
        self._writer = writer
        self._readers = readers
        self._folder = folder

    def empty_trash(
        self,
        kb: str | None = None,
        progress: Progress | None = None,
        cancelled: Stop | None = None,
        *,
        before: int | None = None,
        author: str = PERSON,
    ) -> Receipt:
        """Remove what is in the trash, in short transactions. Cancel keeps what was not yet reached.

        before: only what has lain there since before that instant (microseconds).
        """
        trash = _Trash(kb, before)
        with self._readers.read() as connection:
            waiting = _with_ancestors(connection, list(connection.execute(trash.ids(memories)).scalars()))
            waiting_insights = list(connection.execute(trash.ids(insights)).scalars())
            gone = _Gone(set(waiting), proposals=_quoting_proposals(connection, set(waiting)))
        gone.told = time.monotonic()
        stop = cancelled or (lambda: False)
        stopped = self._erase_memories(trash, waiting, gone, progress, stop)
        stopped = stopped or self._erase_insights(trash, waiting_insights, gone, stop)
        removed, left = self._remove_copies(gone.files)
        if gone.counts["memories"] or gone.counts["insights"]:
            self._forget_new_proposals(gone)
            backups, kept = self._remove_backups()
            removed, left = removed + backups, left + kept
            self._writer.derive([], snapshots.forget)
            left += _remove_folder(self._folder / snapshots.FOLDER)
            self._writer.run("empty trash", lambda tx: _note(tx, gone, removed), author=author)
            if not self._writer.checkpoint():
                left.append(_("the write-ahead log, until other programs that use the vault are closed"))
        if stopped:
            raise Cancelled(gone.counts["memories"])
        return Receipt(**gone.counts, files=tuple(sorted(removed)), left=tuple(left))

    def _erase_memories(
        self, trash: _Trash, waiting: Sequence[str], gone: _Gone, progress: Progress | None, stop: Stop
    ) -> bool:
        """Whether it was stopped before the end."""
        done = 0

        def act(connection: Connection) -> int:
            return work_off(waiting, done, _STEP, lambda some: _erase(connection, trash, some, gone))

        while done < len(waiting):
            if stop():
                return True
            done = self._writer.derive(_told(gone), act)
            if progress is not None:
                progress(done, len(waiting), _("Erasing memories"))
        return False

    def _erase_insights(self, trash: _Trash, waiting: Sequence[str], gone: _Gone, stop: Stop) -> bool:
        done = 0

        def act(connection: Connection) -> int:
            def step(some: Sequence[str]) -> None:
                still = connection.execute(trash.ids(insights).where(insights.c.id.in_(some))).scalars()
                _erase_insights(connection, list(still), gone.counts)

            return work_off(waiting, done, _STEP, step)

        while done < len(waiting):
            if stop():
                return True
            done = self._writer.derive(["insights"], act)
        return False

    def _forget_new_proposals(self, gone: _Gone) -> None:
        """A dream may have written down since what it had read before."""
        with self._readers.read() as connection:
            found = _quoting_proposals(connection, gone.erased)
        fresh = [each for ids in found.values() for each in ids if each not in gone.forgotten]
        for batch in batches(fresh):
            self._writer.derive([], partial(_forget_proposals, ids=batch, gone=gone))

    def _remove_copies(self, files: set[str]) -> tuple[list[str], list[str]]:
        inside = [path for name in sorted(files) if (path := _inside(self._folder, name)) is not None]
        return _unlink(inside)

    def _remove_backups(self) -> tuple[list[str], list[str]]:
        return _unlink(sorted((self._folder / "backups").glob("*")))


def _told(gone: _Gone) -> list[str]:
    """What to tell with this transaction: not every one, windows read their lists again each time."""
    at = time.monotonic()
    if at - gone.told < _TELL_EVERY_S:
        return []
    gone.told = at
    return ["memories"]


_REPLACED = memory_links.c.kind == LinkKind.REPLACED_BY


def _with_ancestors(connection: Connection, ids: Sequence[str]) -> list[str]:
    """With what they replaced: a merged memory's sources hold the same text, and nothing else leads to them.

    What replaced one stands before it.
    """
    found, fresh = dict.fromkeys(ids), list(ids)
    replaced = (
        select(memory_links.c.source_id)
        .join(memories, memories.c.id == memory_links.c.source_id)
        .where(_REPLACED, memories.c.state == State.SUPERSEDED)
    )
    while fresh:
        step = [
            memory_id
            for batch in batches(fresh)
            for memory_id in connection.execute(replaced.where(memory_links.c.target_id.in_(batch))).scalars()
        ]
        fresh = [memory_id for memory_id in step if memory_id not in found]
        found.update(dict.fromkeys(fresh))
    return list(found)


def _erase(connection: Connection, trash: _Trash, ids: Sequence[str], gone: _Gone) -> None:
    """Erases these where they are still to go."""
    connection.exec_driver_sql("DELETE FROM temp.current_operation")  # no images of what must be forgotten
    ids = _still_to_go(connection, trash, ids, gone)
    rows = connection.execute(
        select(memories.c.id, memories.c.content, memories.c.file).where(memories.c.id.in_(ids))
    ).all()
    ids = [row.id for row in rows]
    gone.files.update(row.file for row in rows if row.file)
    _erase_insights(connection, _quoting_insights(connection, rows), gone.counts)
    _forget_proposals(connection, [each for one in ids for each in gone.proposals.get(one, ())], gone)
    links = select(memory_links.c.id).where(
        memory_links.c.source_id.in_(ids) | memory_links.c.target_id.in_(ids)
    )
    link_ids = [str(each) for each in connection.execute(links).scalars()]
    gone.counts["images"] += _forget_images(connection, "memories", ids)
    _forget_images(connection, "memory_links", link_ids)
    gone.counts["memories"] += connection.execute(delete(memories).where(memories.c.id.in_(ids))).rowcount
    gone.erased.update(ids)


def _still_to_go(connection: Connection, trash: _Trash, ids: Sequence[str], gone: _Gone) -> list[str]:
    """Without those that came back since they were listed, and what these had replaced."""
    trashed = connection.execute(trash.ids(memories).where(memories.c.id.in_(ids))).scalars()
    replaced = memories.c.id.in_(ids) & (memories.c.state == State.SUPERSEDED)
    going = {*trashed, *connection.execute(select(memories.c.id).where(replaced)).scalars()}
    links = select(memory_links.c.source_id, memory_links.c.target_id).where(_REPLACED)
    successors = connection.execute(
        links.join(memories, memories.c.id == memory_links.c.source_id).where(replaced)
    ).all()
    gone.ids.difference_update(set(ids) - going)
    for source, target in sorted(successors, key=lambda link: ids.index(link[0])):
        if target not in gone.ids:
            going.discard(source)
            gone.ids.discard(source)
    return [each for each in ids if each in going]


def _quoting_insights(connection: Connection, rows: Sequence[Any]) -> list[str]:
    """Insights that hold a sentence of these memories, or stand on nothing else."""
    ids = [row.id for row in rows]
    quotes = [sentence for row in rows for sentence in sentences(row.content)]
    tied = select(insight_sources.c.insight_id).where(insight_sources.c.memory_id.in_(ids))
    found = connection.execute(select(insights.c.id, insights.c.content).where(insights.c.id.in_(tied))).all()
    others = select(func.count()).where(insight_sources.c.memory_id.not_in(ids))
    return [
        row.id
        for row in found
        if any(quote in row.content for quote in quotes)
        or not connection.execute(others.where(insight_sources.c.insight_id == row.id)).scalar_one()
    ]


def _erase_insights(connection: Connection, ids: Sequence[str], counts: dict[str, int]) -> None:
    connection.exec_driver_sql("DELETE FROM temp.current_operation")
    counts["images"] += _forget_images(connection, "insights", ids)
    counts["insights"] += connection.execute(delete(insights).where(insights.c.id.in_(ids))).rowcount


def _forget_images(connection: Connection, table: str, ids: Sequence[str]) -> int:
    if not ids:
        return 0
    return connection.execute(
        delete(changes).where(changes.c.table_name == table, changes.c.row_key.in_(ids))
    ).rowcount


def _quoting_proposals(connection: Connection, ids: set[str]) -> dict[str, list[str]]:
    """Proposals by the memories that they quote. All are looked through, which is no work for a transaction."""
    if not ids:
        return {}
    source = func.json_each(proposals.c.sources).table_valued("value", joins_implicitly=True)
    found: dict[str, list[str]] = {}
    for memory_id, proposal in connection.execute(select(source.c.value, proposals.c.id)):
        if memory_id in ids:
            found.setdefault(memory_id, []).append(proposal)
    return found


def _forget_proposals(connection: Connection, ids: Sequence[str], gone: _Gone) -> None:
    """Proposals quote what they read: their texts go, their lines stay."""
    fresh = [each for each in dict.fromkeys(ids) if each not in gone.forgotten]
    if not fresh:
        return
    gone.forgotten.update(fresh)
    values = {"title": _("Erased"), "why": "", "after": "{}", "note": ""}
    result = connection.execute(update(proposals).where(proposals.c.id.in_(fresh)).values(**values))
    gone.counts["proposals"] += result.rowcount


def _note(tx: Tx, gone: _Gone, files: Sequence[str]) -> None:
    tx.keep = True
    tx.detail.update(gone.counts, files=len(files))
    announce(tx.connection, "memories")


def _inside(folder: Path, name: str) -> Path | None:
    """The path of a stored copy, if it lies in the vault's folder: no other file is ever touched."""
    path = (folder / name).resolve()
    return path if path.is_relative_to(folder.resolve()) and path.is_file() else None


def _remove_folder(folder: Path) -> list[str]:
    """What could not be removed. Other processes may have its files mapped: they are not written to."""
    if not folder.exists():
        return []
    shutil.rmtree(folder, ignore_errors=True)
    return [path.name for path in folder.rglob("*") if path.is_file()]


def _unlink(paths: Sequence[Path]) -> tuple[list[str], list[str]]:
    removed, left = [], []
    for path in paths:
        try:
            size = path.stat().st_size
            with path.open("r+b") as stream:  # overwrite: the blocks may outlive the name
                stream.write(b"\0" * size)
            path.unlink()
            removed.append(path.name)
        except OSError as error:
            left.append(f"{path.name}: {error.strerror}")
    return removed, left
