"""Ctrl+C in the terminal and a polite kill close the window as its own button does: nothing written is lost."""

import signal
import socket
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier

_CLOSING = (signal.SIGINT, signal.SIGTERM)


class Interrupts(QObject):
    """Qt's loop takes no signals: a socket tells it of them. Python would run a handler between any two of its own
    steps, and what it broke into may hold the very lock that closing needs; so the loop closes, and the handler does
    nothing."""

    def __init__(self, close: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ours, self._pythons = socket.socketpair()
        for end in (self._ours, self._pythons):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._told)
        self._close = close
        self._before = {number: signal.signal(number, lambda *_: None) for number in _CLOSING}
        self._wakeup = signal.set_wakeup_fd(self._pythons.fileno(), warn_on_full_buffer=False)

    def restore(self) -> None:
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._wakeup)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._ours.close()
        self._pythons.close()

    def _told(self) -> None:
        if set(self._ours.recv(64)) & set(_CLOSING):  # a byte a signal, its number
            self._close()
