"""The vault's events as one Qt signal."""

import threading
from collections.abc import Callable, Iterable
from typing import Protocol

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

from reverie.domain.changes import ChangeSet, RowDelta

_COALESCE = 40  # milliseconds: a burst of writes repaints once
_APART = 250  # milliseconds: while writes go on and on, lists are read and painted four times a second


class Events(Protocol):
    """What the vault's ``events`` offers."""

    def subscribe(self, callback: Callable[[ChangeSet], None], /) -> Callable[[], None]: ...


class Changed:
    """What a few acts, taken together, changed."""

    def __init__(self, changesets: Iterable[ChangeSet]) -> None:
        self.changesets = tuple(changesets)

    def touched(self, *tables: str) -> bool:
        """Whether any of these tables (tracked or derived) changed."""
        return any(change.touched(table) for change in self.changesets for table in tables)

    def rows(self, table: str) -> RowDelta:
        """Ids of one table, summed over the acts, each once."""
        added: dict[str, None] = {}
        changed: dict[str, None] = {}
        removed: dict[str, None] = {}
        for change in self.changesets:
            delta = change.rows.get(table)
            if delta:
                added.update(dict.fromkeys(delta.added))
                changed.update(dict.fromkeys(delta.changed))
                removed.update(dict.fromkeys(delta.removed))
        return RowDelta(tuple(added), tuple(changed), tuple(removed))


class Changes(QObject):
    """Emits ``changed(Changed)`` on the window's thread, 40 ms after a write, and at most every 250 ms.

    ``listen`` subscribes to a vault, ``stop`` ends it. The core calls from a thread of its own.
    """

    changed = Signal(object)
    _arrived = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._waiting: list[ChangeSet] = []
        self._unsubscribe: Callable[[], None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._flushed = QElapsedTimer()
        self._timer.timeout.connect(self._flush)
        self._arrived.connect(self._start, Qt.ConnectionType.QueuedConnection)

    def listen(self, events: Events) -> None:
        self.stop()
        self._unsubscribe = events.subscribe(self._receive)

    def stop(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        self._timer.stop()
        with self._lock:
            self._waiting.clear()

    def _receive(self, change: ChangeSet) -> None:
        with self._lock:
            first = not self._waiting
            self._waiting.append(change)
        if first:
            self._arrived.emit()

    def _start(self) -> None:
        if not self._timer.isActive():
            since = self._flushed.elapsed() if self._flushed.isValid() else _APART
            self._timer.start(max(_COALESCE, _APART - int(since)))

    def _flush(self) -> None:
        self._flushed.start()
        with self._lock:
            batch, self._waiting = self._waiting, []
        if batch:
            self.changed.emit(Changed(batch))
