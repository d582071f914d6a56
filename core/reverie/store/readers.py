"""Read-only connections, one a thread, and queries that a newer one may cut short."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError

from reverie.errors import Cancelled, UserError
from reverie.i18n import _

_STEPS_BETWEEN_CHECKS = 10_000


class Readers:
    """Hands each thread its own connection. ``read()`` is one consistent view of the vault."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._local = threading.local()
        self._all: list[Connection] = []
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def read(
        self, *, cancelled: Callable[[], bool] | None = None, limit_s: float | None = None
    ) -> Iterator[Connection]:
        """A connection inside a read transaction. ``cancelled`` raises Cancelled, ``limit_s`` UserError."""
        connection = self._connection()
        if connection.in_transaction():  # nested: the same view
            yield connection
            return
        with _interruptible(connection, cancelled, limit_s), connection.begin():
            yield connection

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for connection in self._all:
                connection.close()
            self._all.clear()
        self._engine.dispose()

    def _connection(self) -> Connection:
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is None or connection.closed:
            with self._lock:
                if self._closed:
                    raise UserError(_("The vault is closed"))
                connection = self._engine.connect()
                self._all.append(connection)
            self._local.connection = connection
        return connection


@contextmanager
def _interruptible(
    connection: Connection, cancelled: Callable[[], bool] | None, limit_s: float | None
) -> Iterator[None]:
    if cancelled is None and limit_s is None:
        yield
        return
    dbapi = cast(sqlite3.Connection, connection.connection.dbapi_connection)
    until = None if limit_s is None else time.monotonic() + limit_s

    def stop() -> int:
        return (cancelled is not None and cancelled()) or (until is not None and time.monotonic() > until)

    dbapi.set_progress_handler(stop, _STEPS_BETWEEN_CHECKS)
    try:
        yield
    except OperationalError as error:
        if "interrupted" not in str(error):
            raise
        if cancelled is not None and cancelled():
            raise Cancelled from error
        raise UserError(_("That took too long"), hint=_("Narrow the search"), retryable=True) from error
    finally:
        dbapi.set_progress_handler(None, 0)
