"""Read-only connections, one a thread, and queries that a newer one may cut short."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError

from reverie.domain.progress import Cancel
from reverie.errors import Cancelled, UserError
from reverie.i18n import _

_STEPS_BETWEEN_CHECKS = 10_000
_AGAIN_S = 0.05  # a read may hold several statements: each is cut short


class Readers:
    """Hands each thread its own connection. ``read()`` is one consistent view of the vault."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._local = threading.local()
        self._all: list[Connection] = []
        self._in_use: set[Connection] = set()
        self._change = threading.Condition()
        self._closed = False

    @contextmanager
    def read(self, *, cancelled: Cancel | None = None, limit_s: float | None = None) -> Iterator[Connection]:
        """A connection inside a read transaction. ``cancelled`` raises Cancelled, ``limit_s`` UserError."""
        connection = self._connection()
        if connection.in_transaction():  # nested: the same view
            yield connection
            return
        self._begin(connection)
        try:
            with _interruptible(connection, cancelled, limit_s), connection.begin():
                yield connection
        finally:
            with self._change:
                self._in_use.discard(connection)
                self._change.notify_all()

    def close(self) -> None:
        """No new reads; those under way are cut short and waited for, as a connection in use can't be closed."""
        with self._change:
            self._closed = True
            while self._in_use:
                for connection in self._in_use:
                    _dbapi(connection).interrupt()
                self._change.wait(_AGAIN_S)
            for connection in self._all:
                connection.close()
            self._all.clear()
        self._engine.dispose()

    def _begin(self, connection: Connection) -> None:
        with self._change:
            if self._closed:
                raise _closed()
            self._in_use.add(connection)

    def _connection(self) -> Connection:
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is None or connection.closed:
            with self._change:
                if self._closed:
                    raise _closed()
                connection = self._engine.connect()
                self._all.append(connection)
            self._local.connection = connection
        return connection


def _closed() -> UserError:
    return UserError(_("The vault is closed"))


def _dbapi(connection: Connection) -> sqlite3.Connection:
    return cast(sqlite3.Connection, connection.connection.dbapi_connection)


@contextmanager
def _interruptible(connection: Connection, cancelled: Cancel | None, limit_s: float | None) -> Iterator[None]:
    """A read that is cut short is Cancelled, by whom ever (closing the vault does it too), unless it was late."""
    until = None if limit_s is None else time.monotonic() + limit_s
    is_late = False

    def stop() -> bool:
        nonlocal is_late
        is_late = until is not None and time.monotonic() > until
        return is_late or (cancelled is not None and cancelled())

    dbapi = _dbapi(connection)
    if cancelled is not None or until is not None:
        dbapi.set_progress_handler(stop, _STEPS_BETWEEN_CHECKS)
    try:
        yield
    except OperationalError as error:
        if "interrupted" not in str(error):
            raise
        if is_late and not (cancelled is not None and cancelled()):
            raise UserError(_("That took too long"), hint=_("Narrow the search"), retryable=True) from error
        raise Cancelled from error
    finally:
        dbapi.set_progress_handler(None, 0)
