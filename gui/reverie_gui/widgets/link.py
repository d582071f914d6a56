"""A link that is cut with "…" where it has no room."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from reverie_gui.widgets.looks import set_look

_EDGES = 2  # pixels


class LinkLine(QPushButton):
    """One line of text that does what ``act`` does; as wide as there is room, its name is the whole text."""

    def __init__(self, text: str, act: Callable[[], object]) -> None:
        super().__init__(unkeyed(text))
        self._whole = text
        set_look(self, "link")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda: act())

    def set_text(self, text: str) -> None:
        self._whole = text
        self.setAccessibleName(text)
        self._cut()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        room = self.width() - _EDGES
        cut = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room)
        self.setText(unkeyed(cut))


def unkeyed(text: str) -> str:
    """The text as a button or a menu shows it: "&" would underline the next letter."""
    return text.replace("&", "&&")
