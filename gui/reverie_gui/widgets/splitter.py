"""A splitter that is 1 px seen and 7 px grabbed, resets on a double click and is remembered."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from reverie_gui.preferences import Preferences
from reverie_gui.theme.theme import Theme


class _Handle(QSplitterHandle):
    def paintEvent(self, event: QPaintEvent) -> None:
        owner = self.splitter()
        if isinstance(owner, Splitter):
            painter = QPainter(self)
            painter.fillRect(self.width() // 2, 0, 1, self.height(), QColor(owner.line))
            painter.end()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        owner = self.splitter()
        if isinstance(owner, Splitter):
            owner.reset()


class Splitter(QSplitter):
    """Horizontal; ``name`` is what its sizes are kept under, ``sizes`` the ones it resets to (the last one grows)."""

    def __init__(
        self, name: str, sizes: list[int], theme: Theme, settings: Preferences, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._name = f"splitter/{name}"
        self._default = sizes
        self._theme = theme
        self._settings = settings
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.splitterMoved.connect(self._keep)
        theme.changed.connect(self.update)

    @property
    def line(self) -> str:
        return self._theme.palette.hairline

    def createHandle(self) -> QSplitterHandle:
        return _Handle(self.orientation(), self)

    def restore(self) -> None:
        """Takes the remembered sizes; call once all parts are in."""
        kept = self._settings.sizes(self._name)
        self.setSizes(kept if len(kept) == self.count() else self._default)
        self.setStretchFactor(self.count() - 1, 1)

    def reset(self) -> None:
        self.setSizes(self._default)
        self._keep()

    def _keep(self) -> None:
        self._settings.set_sizes(self._name, self.sizes())
