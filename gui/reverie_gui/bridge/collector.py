"""Python's garbage collector, kept on the window's thread.

It runs on whichever thread happens to allocate. Where a ring of references holds parts of Qt, a worker would destroy
widgets, and the process ends in a segmentation fault (seen: in a database read, in no place of ours).
"""

import gc

from PySide6.QtCore import QObject, QTimer

_EVERY = 500  # milliseconds


class Collector(QObject):
    """Switches the automatic collector off and collects here, by the same thresholds, until ``stop``."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_on = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

    def collect(self) -> int:
        """Collects the oldest generation that is due; gives its number, or -1."""
        counts, thresholds = gc.get_count(), gc.get_threshold()
        for generation in (2, 1, 0):
            if thresholds[generation] and counts[generation] > thresholds[generation]:
                gc.collect(generation)
                return generation
        return -1

    def stop(self) -> None:
        self._timer.stop()
        if self._was_on:
            gc.enable()
