"""Who hears of changes: this process's own right after their commit, other processes' within a second."""

import threading
from collections.abc import Callable

from sqlalchemy import Connection, Engine

from reverie.domain.changes import ChangeSet
from reverie.domain.clock import now
from reverie.domain.ids import OperationId
from reverie.store import changelog

POLL_S = 0.1

Listener = Callable[[ChangeSet], None]


class Events:
    """Listeners are called on a core thread, one change at a time; they must be quick."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._listeners: list[Listener] = []
        self._own: set[OperationId] = set()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="reverie-events", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Returns the function that ends it."""
        with self._lock:
            self._listeners.append(listener)

        def unsubscribe() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return unsubscribe

    def publish_own(self, changes: ChangeSet) -> None:
        with self._lock:
            self._own.add(changes.id)
        self._publish(changes)

    def close(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _publish(self, changes: ChangeSet) -> None:
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener(changes)

    def _watch(self) -> None:
        with self._engine.connect() as connection:
            version = last = -1
            revisions: dict[str, int] = {}
            while not self._stop.is_set():
                current = connection.exec_driver_sql("PRAGMA data_version").scalar_one()
                if current != version:
                    if last < 0:
                        last = connection.exec_driver_sql(
                            "SELECT coalesce(max(id), 0) FROM operations"
                        ).scalar_one()
                        revisions = _revisions(connection)
                    else:
                        last = self._tell_operations(connection, last)
                        revisions = self._tell_derived(connection, revisions)
                    version = current
                connection.rollback()
                self._stop.wait(POLL_S)
        self._engine.dispose()

    def _tell_operations(self, connection: Connection, last: int) -> int:
        rows = connection.exec_driver_sql("SELECT * FROM operations WHERE id > ? ORDER BY id", (last,)).all()
        for row in rows:
            last = row.id
            with self._lock:
                if row.id in self._own:
                    self._own.discard(row.id)
                    continue
            self._publish(changelog.change_set(connection, row))
        return last

    def _tell_derived(self, connection: Connection, before: dict[str, int]) -> dict[str, int]:
        after = _revisions(connection)
        moved = frozenset(name for name, number in after.items() if before.get(name) != number)
        if moved:
            self._publish(ChangeSet(OperationId(0), "refresh", "", now(), derived=moved))
        return after


def _revisions(connection: Connection) -> dict[str, int]:
    return {row.name: row.number for row in connection.exec_driver_sql("SELECT name, number FROM revisions")}
