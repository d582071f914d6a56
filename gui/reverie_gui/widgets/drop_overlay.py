"""What the window shows while files are held over it."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from reverie_gui.theme.fonts import font
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import RADIUS_FLOAT


class DropOverlay(QWidget):
    """A dashed accent line, 8 px inside the window, and what a drop would do."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._area = parent
        self._text = ""
        self._note = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def offer(self, text: str, note: str = "") -> None:
        """Covers the parent; ``note`` names what would not be taken."""
        self._text, self._note = text, note
        self.setAccessibleName(f"{text}. {note}")
        self.setGeometry(self._area.rect())
        self.show()
        self.raise_()
        self.update()

    def text(self) -> str:
        return self._text if self.isVisible() else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        look = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(look.bg)
        veil.setAlphaF(0.86)
        painter.fillRect(self.rect(), veil)
        pen = QPen(QColor(look.accent), 2, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(9, 9, -9, -9), RADIUS_FLOAT, RADIUS_FLOAT)
        painter.setPen(QColor(look.text))
        painter.setFont(font("display"))
        middle = QRectF(self.rect())
        painter.drawText(middle, int(Qt.AlignmentFlag.AlignCenter), self._text)
        if self._note:
            painter.setFont(font("base"))
            painter.setPen(QColor(look.text_2))
            painter.drawText(middle.adjusted(0, 56, 0, 56), int(Qt.AlignmentFlag.AlignCenter), self._note)
        painter.end()
