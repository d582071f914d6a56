"""A panel that floats under a field and never takes its focus."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QLayout, QWidget

from reverie_gui.widgets.looks import float_above, set_look


class Popover(QFrame):
    """A child of the window that ``anchor`` is in; hidden until ``show_under``."""

    def __init__(self, anchor: QWidget, layout: QLayout) -> None:
        super().__init__(anchor)
        self._anchor = anchor
        self.setLayout(layout)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        set_look(self, "raised")
        float_above(self)
        self.hide()

    def show_under(self, width: int = 0) -> None:
        """Opens it 4 px below the anchor, as wide as it or ``width``."""
        window = self._anchor.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        self.setFixedWidth(max(width, min(self._anchor.width(), 420)))
        self.setFixedHeight(min(self.sizeHint().height(), window.height() - 80))
        place = self._anchor.mapTo(window, QPoint(0, self._anchor.height() + 4))
        place.setX(max(4, min(place.x(), window.width() - self.width() - 4)))
        self.move(place)
        self.show()
        self.raise_()
