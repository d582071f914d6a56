"""When a pane loads its list again: not at each of a hundred changes a second, and not never either."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer

from reverie_gui.bridge.tasks import Task
from reverie_gui.context import Context

_PAUSE = 60  # milliseconds: a burst of changes is loaded once


class Reloading(QObject):
    """One load at a time: what is asked for meanwhile is loaded afterwards, so that none is thrown away.

    work: on a worker, made anew for each load by ``begin`` on the window's thread. done: gets its result.
    """

    def __init__(
        self,
        context: Context,
        begin: Callable[[], Callable[[Task[Any]], Any]],
        done: Callable[[Any], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._begin = begin
        self._done = done
        self._running = False
        self._again = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE)
        self._timer.timeout.connect(self.now)

    def soon(self) -> None:
        """The vault changed."""
        if not self._timer.isActive():
            self._timer.start()

    def now(self) -> None:
        """The person waits for it."""
        self._timer.stop()
        if self._running:
            self._again = True
            return
        self._running, self._again = True, False
        self._context.tasks.run(self._begin(), on_done=self._ended, on_failed=self._failed, owner=self)

    def _ended(self, result: Any) -> None:
        self._running = False
        self._done(result)
        if self._again:
            self.now()

    def _failed(self, error: Exception) -> None:
        self._running = False
        self._context.notices.failure(error)
