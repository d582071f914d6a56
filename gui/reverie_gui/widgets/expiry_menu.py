"""When a memory expires: a few spans to choose from, or never."""

from datetime import timedelta
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from reverie.domain.clock import now

_DAY = timedelta(days=1)


class ExpiryMenu(QMenu):
    """Signals: ``chosen(object)`` an instant, or None for never."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(self.tr("Expires"), parent)
        for text, span in (
            (self.tr("In a day"), _DAY),
            (self.tr("In a week"), 7 * _DAY),
            (self.tr("In 30 days"), 30 * _DAY),
            (self.tr("In a year"), 365 * _DAY),
        ):
            self.addAction(text, partial(self._choose, span))
        self.addSeparator()
        self.addAction(self.tr("Never"), lambda: self.chosen.emit(None))

    def _choose(self, span: timedelta) -> None:
        self.chosen.emit(now() + span)

    def open_under(self, anchor: QWidget) -> None:
        """Shows it below a button, for once."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.popup(anchor.mapToGlobal(anchor.rect().bottomLeft()))
