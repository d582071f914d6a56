"""Forget for good: what was trashed leaves every file of the vault.

That is the rows, their text in the index (merged until no deleted word is left), their vectors, their images
in the change log, insights and proposals that quote them, stored copies of their files, backups that hold
them, and the write-ahead log. Free pages are overwritten (secure_delete). A line in the log stays.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, Table, delete, func, select, update

from reverie.domain.memory import LinkKind, State
from reverie.domain.receipt import Receipt
from reverie.domain.text import sentences
from reverie.errors import Cancelled
from reverie.i18n import _
from reverie.store import derived, filters
from reverie.store.memories import batches
from reverie.store.readers import Readers
from reverie.store.tables import (
    changes,
    insight_sources,
    insights,
    memories,
    memory_links,
    proposals,
)
from reverie.store.writer import Tx, Writer

_BATCH = 100

Progress = Callable[[int, int, str], None]


class Eraser:
    def __init__(self, writer: Writer, readers: Readers, folder: Path) -> None:
        self._writer = writer
        self._readers = readers
        self._folder = folder

    def empty_trash(
        self,
        kb: str | None = None,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Receipt:
        """Remove what is in the trash, in short transactions. Cancel keeps what was not yet reached."""
        with self._readers.read() as connection:
            gone = _with_ancestors(connection, list(connection.execute(_trashed(memories, kb)).scalars()))
            gone_insights = list(connection.execute(_trashed(insights, kb)).scalars())
        counts: dict[str, int] = {"memories": 0, "insights": 0, "images": 0, "proposals": 0}
        files: set[str] = set()
        total = len(gone)
        stopped = False
        for start in range(0, total, _BATCH):
            if cancelled is not None and cancelled():
                stopped = True
                break
            batch = gone[start : start + _BATCH]
            self._writer.derive(["memories"], partial(_erase, ids=batch, counts=counts, files=files))
            if progress is not None:
                progress(min(start + _BATCH, total), total, _("Erasing memories"))
        if gone_insights and not stopped:
            self._writer.derive(["insights"], lambda c: _erase_insights(c, gone_insights, counts))
        removed, left = self._remove_copies(files)
        if counts["memories"] or counts["insights"]:
            backups, kept = self._remove_backups()
            removed, left = removed + backups, left + kept
            while self._writer.derive([], derived.purge_text_index):
                pass
            self._writer.run("empty trash", lambda tx: _note(tx, counts, removed))
            if not self._writer.checkpoint():
                left.append(_("the write-ahead log, until other programs that use the vault are closed"))
        if stopped:
            raise Cancelled(counts["memories"])
        return Receipt(**counts, files=tuple(sorted(removed)), left=tuple(left))

    def _remove_copies(self, files: set[str]) -> tuple[list[str], list[str]]:
        inside = [path for name in sorted(files) if (path := _inside(self._folder, name)) is not None]
        return _unlink(inside)

    def _remove_backups(self) -> tuple[list[str], list[str]]:
        return _unlink(sorted((self._folder / "backups").glob("*")))


def _trashed(table: Table, kb: str | None) -> Select[str]:
    statement = select(table.c.id).where(table.c.state == State.TRASHED)
    return statement if kb is None else statement.where(table.c.kb_id == filters.kb_id(kb))


def _with_ancestors(connection: Connection, ids: Sequence[str]) -> list[str]:
    """With what they replaced: a merged memory's sources hold the same text, and nothing else leads to them."""
    found, fresh = dict.fromkeys(ids), list(ids)
    replaced = (
        select(memory_links.c.source_id)
        .join(memories, memories.c.id == memory_links.c.source_id)
        .where(memory_links.c.kind == LinkKind.REPLACED_BY, memories.c.state == State.SUPERSEDED)
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


def _erase(connection: Connection, ids: Sequence[str], counts: dict[str, int], files: set[str]) -> None:
    connection.exec_driver_sql("DELETE FROM temp.current_operation")  # no images of what must be forgotten
    chosen = memories.c.id.in_(ids) & memories.c.state.in_([State.TRASHED, State.SUPERSEDED])
    rows = connection.execute(select(memories.c.id, memories.c.content, memories.c.file).where(chosen)).all()
    ids = [row.id for row in rows]
    files.update(row.file for row in rows if row.file)
    quoting = _quoting_insights(connection, rows)
    _erase_insights(connection, quoting, counts)
    counts["proposals"] += _forget_proposals(connection, ids)
    links = select(memory_links.c.id).where(
        memory_links.c.source_id.in_(ids) | memory_links.c.target_id.in_(ids)
    )
    link_ids = [str(each) for each in connection.execute(links).scalars()]
    counts["images"] += _forget_images(connection, "memories", ids)
    _forget_images(connection, "memory_links", link_ids)
    counts["memories"] += connection.execute(delete(memories).where(memories.c.id.in_(ids))).rowcount


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


def _forget_proposals(connection: Connection, ids: Sequence[str]) -> int:
    """Proposals quote what they read: their texts go, their lines stay."""
    source = func.json_each(proposals.c.sources).table_valued("value", joins_implicitly=True)
    tied = select(proposals.c.id).where(source.c.value.in_(ids)).distinct()
    values = {"title": _("Erased"), "why": "", "after": "{}", "note": ""}
    found = list(connection.execute(tied).scalars())
    connection.execute(update(proposals).where(proposals.c.id.in_(found)).values(**values))
    return len(found)


def _note(tx: Tx, counts: dict[str, int], files: Sequence[str]) -> None:
    tx.keep = True
    tx.detail.update(counts, files=len(files))


def _inside(folder: Path, name: str) -> Path | None:
    """The path of a stored copy, if it lies in the vault's folder: no other file is ever touched."""
    path = (folder / name).resolve()
    return path if path.is_relative_to(folder.resolve()) and path.is_file() else None


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
