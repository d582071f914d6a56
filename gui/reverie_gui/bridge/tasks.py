"""Runs what may block away from the window's thread, and brings the result back to it."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Generic, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal

from reverie.errors import Cancelled

log = logging.getLogger("reverie.window.tasks")
T = TypeVar("T")
_PROGRESS_EVERY = 0.05  # seconds between two reports of one task: more would only busy the window


class Task(Generic[T]):
    """One piece of work: handed to its function (to report and to ask for cancel) and to its starter.

    Attributes: ``label`` what the status bar says ("" keeps it out of there); ``done``, ``total``, ``what`` the last
    report. ``cancelled`` and ``progress`` have the signatures that the vault's long calls want.
    """

    def __init__(self, owner: "Tasks", label: str, channel: str | None) -> None:
        self.label = label
        self.channel = channel
        self.done = 0
        self.total = 0
        self.what = ""
        self.started = time.monotonic()
        self.finished = False
        self._owner = owner
        self._cancel = threading.Event()
        self._reported = 0.0

    def cancelled(self) -> bool:
        """Whether the person, or a newer task of the channel, asked this one to stop."""
        return self._cancel.is_set()

    def cancel(self) -> None:
        """Asks the work to stop; a task whose function asks ``cancelled`` ends within a second."""
        self._cancel.set()
        self._owner.reported.emit(self)

    def progress(self, done: int, total: int, what: str = "") -> None:
        """Reports from the worker; total 0 means unknown. Raises nothing, shows at most every 50 ms."""
        self.done, self.total, self.what = done, total, what
        at = time.monotonic()
        if at - self._reported >= _PROGRESS_EVERY or done >= total:
            self._reported = at
            self._owner.reported.emit(self)


Work = Callable[[Task[Any]], T]


class Tasks(QObject):
    """Starts tasks and keeps those that run.

    Two pools, so that an ingest of an hour never stands before a search: ``long=True`` picks the slow one.

    Signals: ``reported(Task)`` a labelled task began, got further or ended; ``failed(Task, Exception)`` one failed
    and its starter gave no ``on_failed``. Both arrive on the window's thread.
    """

    reported = Signal(object)
    failed = Signal(object, object)
    _ended = Signal(object, object, object, object)  # task, future, on_done, on_failed

    def __init__(self, parent: QObject | None = None, quick: int = 3, slow: int = 2) -> None:
        super().__init__(parent)
        self._quick = ThreadPoolExecutor(quick, thread_name_prefix="window-quick")
        self._slow = ThreadPoolExecutor(slow, thread_name_prefix="window-slow")
        self._running: list[Task[Any]] = []
        self._latest: dict[str, Task[Any]] = {}
        self._closed = False
        self._ended.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> list[Task[Any]]:
        """What has not ended, oldest first."""
        return list(self._running)

    def run(
        self,
        work: Work[T],
        *,
        on_done: Callable[[T], object] | None = None,
        on_failed: Callable[[Exception], object] | None = None,
        label: str = "",
        channel: str | None = None,
        long: bool = False,
        owner: QObject | None = None,
    ) -> Task[T]:
        """Calls ``work(task)`` on a worker thread, then ``on_done(result)`` or ``on_failed(error)`` on this one.

        channel: latest wins: an older task of the same name is cancelled and its result thrown away.
        owner: nothing is called back once this object is deleted (a bound method's own object is seen to anyway).
        A cancelled task calls back ``on_done`` if it has a result, and nothing if it raised Cancelled.
        """
        task: Task[T] = Task(self, label, channel)
        if self._closed:
            task.cancel()
            return task
        if channel is not None:
            older = self._latest.get(channel)
            if older is not None:
                older._cancel.set()
            self._latest[channel] = task
        self._running.append(task)
        guard = [owner] if owner is not None else []
        done = _Callback(on_done, guard)
        failed = _Callback(on_failed, guard)
        pool = self._slow if long else self._quick
        future = pool.submit(_call, work, task)
        future.add_done_callback(lambda ended: self._announce(task, ended, done, failed))
        if label:
            self.reported.emit(task)
        return task

    def cancel_all(self) -> None:
        for task in self._running:
            task._cancel.set()

    def close(self) -> None:
        """Asks what runs to stop and waits for its threads; nothing calls back afterwards.

        Quick tasks that wait for a thread are still done: the last words of a person may be among them.
        """
        self._closed = True
        self.cancel_all()
        self._slow.shutdown(wait=True, cancel_futures=True)
        self._quick.shutdown(wait=True)
        self._running.clear()
        self._latest.clear()

    def idle(self) -> bool:
        return not self._running

    def _announce(
        self, task: Task[Any], ended: "Future[Any]", done: "_Callback", failed: "_Callback"
    ) -> None:
        # On the worker (or on this thread, for a future that was cancelled in the queue).
        if not self._closed and shiboken6.isValid(self):
            self._ended.emit(task, ended, done, failed)

    def _deliver(self, task: Task[Any], ended: "Future[Any]", done: "_Callback", failed: "_Callback") -> None:
        if self._closed:
            return
        task.finished = True
        if task in self._running:
            self._running.remove(task)
        stale = task.channel is not None and self._latest.get(task.channel) is not task
        if task.channel is not None and not stale:
            del self._latest[task.channel]
        if task.label:
            self.reported.emit(task)
        if ended.cancelled() or stale:
            return
        error = ended.exception()
        if error is None:
            done(ended.result())
        elif isinstance(error, Cancelled):
            log.info("cancelled: %s", task.label or task.channel)
        elif isinstance(error, Exception):
            if not failed(error):
                self.failed.emit(task, error)
        else:
            raise error


def _call(work: Work[T], task: Task[Any]) -> T:
    return work(task)


class _Callback:
    """A function of the window that is called only while what it belongs to lives."""

    def __init__(self, function: Callable[[Any], object] | None, guard: list[QObject]) -> None:
        self._function = function
        own = getattr(function, "__self__", None)
        self._guard = [*guard, own] if isinstance(own, QObject) else guard

    def __call__(self, value: object) -> bool:
        """Calls it; False if there is no function (a dead owner counts as called)."""
        if self._function is None:
            return False
        if all(shiboken6.isValid(item) for item in self._guard):
            self._function(value)
        return True
