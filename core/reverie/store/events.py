"""Who hears of changes: this process's own right after their commit, other processes' within a second.

Both are read from the log by one thread, which a commit of this process wakes. An act of several transactions is told
whole, with the number of its first operation, and not before its rows can be seen.
"""

import threading
import time
from collections.abc import Callable

from sqlalchemy import Connection, Engine, func, select

from reverie.domain.changes import ChangeSet
from reverie.domain.clock import now
from reverie.domain.ids import OperationId
from reverie.store import changelog
from reverie.store.tables import operations, staged_ranges

POLL_S = 0.1
_GATHER_S = 0.01  # writes that follow each other closely are told together: it costs them less

Listener = Callable[[ChangeSet], None]


class Events:
    """Listeners are called on a core thread, one change at a time; they must be quick."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._listeners: list[Listener] = []
        self._lock = threading.Lock()
        self._stopped = False
        self._woken = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="reverie-events", daemon=True)

    def start(self) -> None:
        """What is committed from now on is told."""
        self._connection = self._engine.connect()
        self._version = _version(self._connection)
        self._last = _last(self._connection)
        self._revisions = _revisions(self._connection)
        self._connection.rollback()
        self._thread.start()

    def wake(self) -> None:
        """Something was committed by this process."""
        self._woken.set()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Returns the function that ends it."""
        with self._lock:
            self._listeners.append(listener)

        def unsubscribe() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return unsubscribe

    def close(self) -> None:
        self._stopped = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()

    def _publish(self, changes: ChangeSet) -> None:
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener(changes)

    def _watch(self) -> None:
        with self._connection as connection:
            while not self._stopped:
                self._woken.clear()
                version = _version(connection)
                if version != self._version:
                    self._tell_operations(connection)
                    self._tell_derived(connection)
                    self._version = version
                connection.rollback()
                if self._woken.wait(POLL_S):
                    time.sleep(_GATHER_S)
        self._engine.dispose()

    def _tell_operations(self, connection: Connection) -> None:
        fresh = select(operations).where(operations.c.id > self._last).order_by(operations.c.id)
        rows = connection.execute(fresh).all()
        if not rows:
            return
        self._last = rows[-1].id
        unseen = set(connection.execute(select(staged_ranges.c.group_id)).scalars())
        heads = dict.fromkeys(row.group_id or row.id for row in rows)
        acts = {row.id: row for row in rows if row.group_id is None}
        if absent := [head for head in heads if head not in acts]:
            earlier = connection.execute(select(operations).where(operations.c.id.in_(absent)))
            acts.update((row.id, row) for row in earlier)
        shown = [acts[head] for head in heads if head in acts and head not in unseen]
        for changes in changelog.change_sets(connection, shown) if shown else ():
            self._publish(changes)

    def _tell_derived(self, connection: Connection) -> None:
        before, self._revisions = self._revisions, _revisions(connection)
        moved = frozenset(name for name, number in self._revisions.items() if before.get(name) != number)
        if moved:
            self._publish(ChangeSet(OperationId(0), "refresh", "", now(), derived=moved))


def _version(connection: Connection) -> int:
    """Another one after each commit of any other connection."""
    return int(connection.exec_driver_sql("PRAGMA data_version").scalar_one())


def _last(connection: Connection) -> int:
    return int(connection.execute(select(func.coalesce(func.max(operations.c.id), 0))).scalar_one())


def _revisions(connection: Connection) -> dict[str, int]:
    return {row.name: row.number for row in connection.exec_driver_sql("SELECT name, number FROM revisions")}
