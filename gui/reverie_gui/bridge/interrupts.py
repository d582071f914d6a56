"""Ctrl+C in the terminal and a polite kill close the window as its own button does: nothing written is lost."""

import signal
import socket
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier


class Interrupts(QObject):
    """Python runs its signal handlers only between its own steps, and Qt's loop takes none: a socket wakes it."""

    def __init__(self, close: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ours, self._pythons = socket.socketpair()
        for end in (self._ours, self._pythons):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)
        self._before = {
            number: signal.signal(number, lambda *_: close()) for number in (signal.SIGINT, signal.SIGTERM)
        }
        self._wakeup = signal.set_wakeup_fd(self._pythons.fileno(), warn_on_full_buffer=False)

    def restore(self) -> None:
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._wakeup)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._ours.close()
        self._pythons.close()

    def _drain(self) -> None:
        self._ours.recv(64)  # back in Python: the handler runs now
