"""What the retention settings remove by themselves: old trash, and the images of old changes.

Nothing else in the store removes anything unasked. One process at a time does it; a line in the log stays of
what it did, by the author "retention".
"""

import threading
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from sqlalchemy import Connection, Select, delete, exists, func, select, update

from reverie.domain.changes import RETENTION
from reverie.domain.clock import now, to_micros
from reverie.domain.receipt import Receipt, RetentionReport
from reverie.errors import Cancelled
from reverie.store.changelog import PRUNED, is_pruned
from reverie.store.erase import Eraser
from reverie.store.leases import Leases
from reverie.store.readers import Readers
from reverie.store.slices import batches, work_off
from reverie.store.tables import changes, operations
from reverie.store.writer import Tx, Writer, announce

LEASE = timedelta(minutes=2)
_RENEW_S = 20.0
_LEASE = "retention"
_STEP = 25  # images between two looks at the clock
_MARKED = 200  # changesets a transaction

Stop = Callable[[], bool]


class Retention:
    def __init__(self, writer: Writer, readers: Readers, leases: Leases, eraser: Eraser) -> None:
        self._writer = writer
        self._readers = readers
        self._leases = leases
        self._eraser = eraser
        self._at_work = threading.Lock()

    def apply(self, trash_days: int, history_days: int, cancelled: Stop | None = None) -> RetentionReport:
        """Remove what is older; 0 days keeps it for ever. Does nothing while another process is at it.

        Raises Cancelled; what was removed by then stays removed, and its line is in the log.
        """
        if not (trash_days or history_days) or not self._at_work.acquire(blocking=False):
            return RetentionReport()
        try:
            if not self._leases.take(_LEASE, LEASE):
                return RetentionReport()
            try:
                turn = _Turn(self._leases, cancelled or (lambda: False))
                receipt = self._empty_trash(trash_days, turn) if trash_days else Receipt()
                changesets, images = self._prune(history_days, turn) if history_days else (0, 0)
                return RetentionReport(receipt, changesets, images)
            finally:
                self._leases.release(_LEASE)
        finally:
            self._at_work.release()

    def _empty_trash(self, days: int, stop: Stop) -> Receipt:
        return self._eraser.empty_trash(cancelled=stop, before=_ago(days), author=RETENTION)

    def _prune(self, days: int, stop: Stop) -> tuple[int, int]:
        """Remove the images of old changesets; returns how many changesets and how many images."""
        with self._readers.read() as connection:
            old = list(connection.execute(_old(_ago(days))).scalars())
        pruned = images = 0
        stopped = False
        for some in batches(old, _MARKED):
            stopped = stop()
            if stopped:
                break
            # All of a changeset counts as gone before its first image goes: none is ever undone by half.
            pruned += self._writer.derive([], partial(_mark, changesets=some))
            with self._readers.read() as connection:
                waiting = list(connection.execute(_images_of(some)).scalars())
            removed = self._remove(waiting, stop)
            images += removed
            stopped = removed < len(waiting)  # the next turn removes the others
            if stopped:
                break
        if pruned or images:
            self._writer.run("prune history", lambda tx: _note(tx, pruned, images), author=RETENTION)
            self._writer.checkpoint()  # the write-ahead log holds them as well
        if stopped:
            raise Cancelled(pruned)
        return pruned, images

    def _remove(self, waiting: Sequence[int], stop: Stop) -> int:
        """How many went before ``stop``."""
        done = 0

        def act(connection: Connection) -> int:
            return work_off(waiting, done, _STEP, lambda some: _delete(connection, some))

        while done < len(waiting) and not stop():
            done = self._writer.derive([], act)
        return done


class _Turn:
    """Asks whether to stop, and keeps the lease while the answer is no; without it, the turn is over."""

    def __init__(self, leases: Leases, cancelled: Stop) -> None:
        self._leases = leases
        self._cancelled = cancelled
        self._renewed = time.monotonic()

    def __call__(self) -> bool:
        if self._cancelled():
            return True
        if time.monotonic() - self._renewed < _RENEW_S:
            return False
        self._renewed = time.monotonic()
        return not self._leases.take(_LEASE, LEASE)


def _ago(days: int) -> int:
    return to_micros(now()) - days * (timedelta(days=1) // timedelta(microseconds=1))


def _old(before: int) -> Select[Any]:
    """Changesets with images whose last operation is older, oldest first."""
    member = operations.alias("member")
    mine = (member.c.id == operations.c.id) | (member.c.group_id == operations.c.id)
    held = exists().where(mine, changes.c.operation_id == member.c.id)
    lately = exists().where(member.c.group_id == operations.c.id, member.c.at >= before)
    return (
        select(operations.c.id)
        .where(operations.c.group_id.is_(None), operations.c.at < before, ~lately, held)
        .order_by(operations.c.id)
    )


def _images_of(changesets: Sequence[int]) -> Select[Any]:
    own = changes.c.operation_id.in_(changesets)
    grouped = changes.c.operation_id.in_(select(operations.c.id).where(operations.c.group_id.in_(changesets)))
    return select(changes.c.seq).where(own | grouped)


def _mark(connection: Connection, changesets: Sequence[int]) -> int:
    """How many were not marked before."""
    detail = func.json_set(operations.c.detail, f"$.{PRUNED}", func.json("true"))
    fresh = operations.c.id.in_(changesets) & ~is_pruned()
    return connection.execute(update(operations).where(fresh).values(detail=detail)).rowcount


def _delete(connection: Connection, images: Sequence[int]) -> None:
    connection.execute(delete(changes).where(changes.c.seq.in_(images)))


def _note(tx: Tx, changesets: int, images: int) -> None:
    tx.keep = True
    tx.detail.update(changesets=changesets, images=images)
    announce(tx.connection, "changes")
