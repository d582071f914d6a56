"""What is drawn by hand: the 8 px shapes that tell kinds apart without colour, and the line around what has the focus."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF

from reverie.domain.memory import Kind
from reverie_gui.theme.tokens import RADIUS_CONTROL

_SIZE = 8.0
_RATIO = 3  # drawn at three times the size: sharp up to 300 %


def kind_icon(kind: str, colour: str) -> QIcon:
    """The shape of a kind, to stand before its word; 12 px wide, the shape at its left."""
    image = QPixmap(12 * _RATIO, 12 * _RATIO)
    image.setDevicePixelRatio(_RATIO)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    paint_kind(painter, kind, QPointF(_SIZE / 2 + 0.5, 6), colour)
    painter.end()
    return QIcon(image)


def paint_kind(painter: QPainter, kind: str, centre: QPointF, colour: str, size: float = _SIZE) -> None:
    """Draws the shape of a kind ("fact", ..., or "insight") around ``centre``."""
    half = size / 2
    box = QRectF(centre.x() - half, centre.y() - half, size, size)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    if kind == Kind.FACT:
        painter.drawRoundedRect(box, 1.5, 1.5)
    elif kind == Kind.PREFERENCE:
        painter.drawEllipse(box)
    elif kind == Kind.TIMELINE:
        painter.drawPolygon(QPolygonF([QPointF(centre.x(), box.top()), box.bottomRight(), box.bottomLeft()]))
    elif kind == Kind.ANTI_PATTERN:
        reach = half * 1.15
        x, y = centre.x(), centre.y()
        painter.drawPolygon(
            QPolygonF(
                [QPointF(x, y - reach), QPointF(x + reach, y), QPointF(x, y + reach), QPointF(x - reach, y)]
            )
        )
    elif kind == "insight":
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(colour), 2))
        painter.drawEllipse(box.adjusted(1, 1, -1, -1))
    else:
        painter.drawRoundedRect(QRectF(box.left(), centre.y() - 1.25, size, 2.5), 1.25, 1.25)
    painter.restore()


def paint_focus(painter: QPainter, rect: QRect, colour: str) -> None:
    """A line around what the keyboard is on, inside ``rect``: what it covered outside would not be painted anew."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QColor(colour))
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_CONTROL, RADIUS_CONTROL)
