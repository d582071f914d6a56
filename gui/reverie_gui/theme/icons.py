"""Monochrome icons from ``resources/icons``, painted in a colour of the theme."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from reverie.resources import resource

_RATIO = 3  # drawn at three times the size: sharp up to 300 %


@lru_cache(maxsize=256)
def pixmap(name: str, colour: str, size: int = 16) -> QPixmap:
    """An icon by its file name without ".svg", in ``colour``, ``size`` logical pixels square."""
    source = resource("icons", f"{name}.svg").read_text(encoding="utf-8")
    renderer = QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode()))
    image = QPixmap(QSize(size, size) * _RATIO)
    image.setDevicePixelRatio(_RATIO)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image


def icon(name: str, colour: str, disabled: str | None = None, size: int = 16) -> QIcon:
    """A QIcon in ``colour``; ``disabled`` is its colour on a control that can't be used."""
    made = QIcon(pixmap(name, colour, size))
    if disabled:
        made.addPixmap(pixmap(name, disabled, size), QIcon.Mode.Disabled)
    return made
