"""Ctrl-C: the first one asks the work to stop at the next whole item, the second one ends it at once."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from reverie.cli.output import warn
from reverie.domain.progress import Cancel, never
from reverie.i18n import _


@contextlib.contextmanager
def stoppable() -> Iterator[Cancel]:
    """Gives the question "was it stopped?" for as long as the block runs."""
    if threading.current_thread() is not threading.main_thread():  # signals reach the main thread alone
        yield never
        return
    stopped = threading.Event()
    before = signal.getsignal(signal.SIGINT)

    def stop(_number: int, _frame: FrameType | None) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt
        stopped.set()
        warn(_("Stopping after this item. Press Ctrl-C again to stop at once"))

    signal.signal(signal.SIGINT, stop)
    try:
        yield stopped.is_set
    finally:
        signal.signal(signal.SIGINT, before)
