"""Memories as plain rows inside a detail: as many as there are, no scrolling of their own."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QWidget

from reverie_gui.models.id_list_model import IdListModel
from reverie_gui.widgets.list_view import ListView
from reverie_gui.widgets.row_delegate import RowDelegate

_MOST = 300  # rows shown at full height; more of them scroll in place


class MemoryRows(ListView):
    """Signals: ``chosen(str)`` a row was clicked, or Enter pressed on it."""

    chosen = Signal(str)

    def __init__(self, model: IdListModel, delegate: RowDelegate, parent: QWidget | None = None) -> None:
        super().__init__(model, delegate, parent)
        self._height = delegate.height
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(lambda index: self.opened.emit(model.id_at(index.row()) or ""))
        self.opened.connect(self._choose)
        model.modelReset.connect(self.fit)
        model.rowsInserted.connect(self.fit)
        model.rowsRemoved.connect(self.fit)

    def set_ids(self, ids: Sequence[str]) -> None:
        self._rows.set_ids(ids)
        self.fit()

    def fit(self) -> None:
        count = self._rows.rowCount()
        scrolls = count > _MOST
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if scrolls else policy.ScrollBarAlwaysOff)
        self.setFixedHeight(min(count, _MOST) * self._height())

    def _choose(self, each: str) -> None:
        if each:
            self.chosen.emit(each)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationFontChange:
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._rows.rowCount() > _MOST:
            super().wheelEvent(event)
        else:
            event.ignore()  # the page scrolls
