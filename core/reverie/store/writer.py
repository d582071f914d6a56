"""The one thread of a process that writes to a vault.

Two lanes: what a person or an agent waits for goes before background work. Every act is one transaction
begun IMMEDIATE; what it changed stands in the change log, from which listeners hear of it after commit.
"""

import contextlib
import json
import queue
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, insert
from sqlalchemy.exc import OperationalError

from reverie.domain.changes import PERSON, Act
from reverie.domain.clock import now, to_micros
from reverie.domain.ids import OperationId
from reverie.errors import UserError
from reverie.i18n import _
from reverie.store import changelog, derived, tables
from reverie.store.engine import READING

LOCKED_PATIENCE_S = 60.0

T = TypeVar("T")

_INTERACTIVE, _BACKGROUND, _CLOSING = 0, 1, 2


@dataclass(slots=True)
class Tx:
    """One open transaction. ``at`` is its instant in microseconds; ``keep`` leaves a line in the log even
    where no tracked row changed; ``detail`` is stored with the operation."""

    connection: Connection
    operation: OperationId
    author: str
    at: int
    detail: dict[str, Any] = field(default_factory=dict)
    keep: bool = False


@dataclass(slots=True)
class _Job:
    work: Callable[[Connection], tuple[Any, bool]]  # what it returns, and whether there is something to tell
    future: "Future[Any]"
    in_transaction: bool = True


class Writer:
    def __init__(self, engine: Engine, on_commit: Callable[[], None]) -> None:
        self._engine = engine
        self._on_commit = on_commit
        self._jobs: queue.PriorityQueue[tuple[int, int, _Job | None]] = queue.PriorityQueue()
        self._count = 0
        self._lock = threading.Lock()
        self._closed = False
        self._ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._work, name="reverie-writer", daemon=True)

    def start(self) -> None:
        """Begin to work; raises what opening the connection raised."""
        self._thread.start()
        self._ready.result()

    def run(
        self,
        kind: str,
        act: Callable[[Tx], T],
        *,
        author: str = PERSON,
        group: OperationId | None = None,
        part_of: Act | None = None,
        detail: Mapping[str, Any] | None = None,
        background: bool = False,
    ) -> T:
        """Do ``act`` in one transaction as one operation and wait for it. An exception rolls all back.

        ``kind`` names the act ("edit memory"); ``group`` ties it to an earlier operation, so that both are
        one changeset; ``part_of`` does so where nothing came between. An operation that changed no tracked
        row leaves no line.
        """

        def work(connection: Connection) -> tuple[T, bool]:
            at = to_micros(now())
            joined = group or _standing(connection, author, part_of)
            tx = Tx(
                connection,
                _begin_operation(connection, kind, author, at, joined),
                author,
                at,
                dict(detail or {}),
            )
            value = act(tx)
            is_kept = _end_operation(tx)
            if part_of is not None and is_kept:
                part_of.changeset = joined or tx.operation
            return value, is_kept

        value: T = self._submit(work, background=background)
        return value

    def derive(self, names: Iterable[str], act: Callable[[Connection], T], *, background: bool = True) -> T:
        """Write to tables outside the change log; ``names`` tell every process what to look at again."""

        def work(connection: Connection) -> tuple[T, bool]:
            value = act(connection)
            announce(connection, *names)
            return value, False

        value: T = self._submit(work, background=background)
        return value

    def checkpoint(self) -> bool:
        """Fold the write-ahead log into the file and cut it to nothing; False where a reader is in the way."""

        future: Future[bool] = Future()
        self._put(_INTERACTIVE, _Job(_checkpoint, future, in_transaction=False))
        return future.result()

    def close(self) -> None:
        """Finish what is queued, then end the thread. Idempotent."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._jobs.put((_CLOSING, 0, None))
        self._thread.join()

    def _submit(self, work: Callable[[Connection], tuple[Any, bool]], *, background: bool) -> Any:
        if threading.current_thread() is self._thread:
            raise RuntimeError("a write inside a write would wait for itself")
        future: Future[Any] = Future()
        self._put(_BACKGROUND if background else _INTERACTIVE, _Job(work, future))
        return future.result()

    def _put(self, lane: int, job: _Job) -> None:
        with self._lock:
            if self._closed:
                raise UserError(_("The vault is closed"))
            self._count += 1
            self._jobs.put((lane, self._count, job))

    def _work(self) -> None:
        try:
            with self._engine.connect().execution_options(begin=READING) as connection, connection.begin():
                changelog.install(
                    connection
                )  # TEMP triggers: opening need not wait for another process's write
                derived.install(connection)
            connection = self._engine.connect()
        except BaseException as error:  # noqa: BLE001 - handed to whoever started us
            self._ready.set_exception(error)
            return
        self._ready.set_result(None)
        with connection:
            while (job := self._jobs.get()[2]) is not None:
                self._do(connection, job)
            _optimize(connection)
        self._engine.dispose()

    def _do(self, connection: Connection, job: _Job) -> None:
        try:
            value, is_told = (_patiently if job.in_transaction else _bare)(connection, job.work)
        except BaseException as error:  # noqa: BLE001 - handed to the caller
            job.future.set_exception(explained(error))
            return
        job.future.set_result(value)
        if is_told:
            self._on_commit()


def _optimize(connection: Connection) -> None:
    """Only a kindness to the next queries: closing waits for no lock, and a full disk does not matter."""
    connection.execution_options(begin=READING)
    with contextlib.suppress(OperationalError):
        connection.exec_driver_sql("PRAGMA busy_timeout = 0")
        connection.exec_driver_sql("PRAGMA optimize")
        connection.commit()


def announce(connection: Connection, *names: str) -> None:
    """Let every process's listeners know that an untracked table has changed."""
    for name in names:
        connection.exec_driver_sql(
            "INSERT INTO revisions (name, number) VALUES (?, 1)"
            " ON CONFLICT (name) DO UPDATE SET number = number + 1",
            (name,),
        )


def _checkpoint(connection: Connection) -> tuple[bool, bool]:
    dbapi = connection.connection.dbapi_connection
    assert dbapi is not None
    (busy, *_rest) = dbapi.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy, False


def _bare(connection: Connection, work: Callable[[Connection], Any]) -> Any:
    return work(connection)


def _patiently(connection: Connection, work: Callable[[Connection], Any]) -> Any:
    """Another process may hold the lock: wait for it (SQLite's own timeout is shorter than a slow disk)."""
    give_up = time.monotonic() + LOCKED_PATIENCE_S
    while True:
        try:
            transaction = connection.begin()
        except OperationalError as error:
            connection.rollback()
            if "locked" not in str(error) or time.monotonic() > give_up:
                raise
            continue
        with transaction:
            return work(connection)


def explained(error: BaseException) -> BaseException:
    """What a person can do something about, in words; any other error as it is."""
    if not isinstance(error, OperationalError):
        return error
    cause = str(error.orig)
    for sign, title, hint in (
        ("full", _("The disk is full"), _("Free some space, then try again")),
        ("locked", _("Another program holds the vault"), _("Try again in a moment")),
        ("readonly", _("The vault can't be written to"), _("Check the permissions of its folder")),
        (
            "I/O",
            _("The disk can't be read or written"),
            _("Check the disk, and the limits on the size of files, then try again"),
        ),
    ):
        if sign in cause:
            return UserError(title, detail=cause, hint=hint, retryable=True)
    return error


_LAST_OF_AUTHOR = (
    "SELECT coalesce(group_id, id), undone_by FROM operations WHERE author = ? ORDER BY id DESC LIMIT 1"
)


def _standing(connection: Connection, author: str, act: Act | None) -> OperationId | None:
    """The changeset of an act, where it stands and is the last thing that the author did."""
    if act is None or act.changeset is None:
        return None
    last = connection.exec_driver_sql(_LAST_OF_AUTHOR, (author,)).first()
    goes_on = last is not None and last[0] == act.changeset and last[1] is None
    return act.changeset if goes_on else None


_NEW_OPERATION = insert(tables.operations).inline()


def _begin_operation(
    connection: Connection, kind: str, author: str, at: int, group: OperationId | None
) -> OperationId:
    operation = connection.execute(
        _NEW_OPERATION, {"kind": kind, "author": author, "at": at, "group_id": group}
    ).lastrowid
    connection.exec_driver_sql("DELETE FROM temp.current_operation")
    connection.exec_driver_sql("INSERT INTO temp.current_operation VALUES (?)", (operation,))
    return OperationId(operation)


def _end_operation(tx: Tx) -> bool:
    """Whether the operation leaves a line."""
    connection = tx.connection
    connection.exec_driver_sql("DELETE FROM temp.current_operation")
    if not tx.keep and not changelog.has_changed(connection, tx.operation):
        connection.exec_driver_sql("DELETE FROM changes WHERE operation_id = ?", (tx.operation,))
        connection.exec_driver_sql("DELETE FROM operations WHERE id = ?", (tx.operation,))
        return False
    if tx.detail:
        connection.exec_driver_sql(
            "UPDATE operations SET detail = ? WHERE id = ?",
            (json.dumps(tx.detail, ensure_ascii=False), tx.operation),
        )
    return True
