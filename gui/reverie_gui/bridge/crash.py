"""Errors that nobody caught: logged, and shown in words."""

import logging
import sys
import threading
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal

log = logging.getLogger("reverie.window")


class CrashHooks(QObject):
    """Takes Python's hooks for uncaught errors, on every thread, until ``restore``."""

    _caught = Signal(object)

    def __init__(self, show: Callable[[BaseException], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hook, self._thread_hook = sys.excepthook, threading.excepthook
        self._caught.connect(show, Qt.ConnectionType.QueuedConnection)
        sys.excepthook = self._uncaught
        threading.excepthook = self._uncaught_in_thread

    def restore(self) -> None:
        sys.excepthook, threading.excepthook = self._hook, self._thread_hook

    def _uncaught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, (KeyboardInterrupt, SystemExit)):
            self._hook(kind, error, trace)
            return
        log.error("uncaught error", exc_info=(kind, error, trace))
        self._caught.emit(error)

    def _uncaught_in_thread(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._uncaught(args.exc_type, args.exc_value, args.exc_traceback)
