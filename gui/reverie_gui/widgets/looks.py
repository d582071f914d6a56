"""Small builders of stock controls in the window's styles."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsDropShadowEffect,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from reverie_gui.theme.fonts import font
from reverie_gui.theme.tokens import SIZES


def set_look(widget: QWidget, look: str) -> None:
    """Says what a widget is to the style sheet; may be called again to change it."""
    if widget.property("look") != look:
        widget.setProperty("look", look)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        if isinstance(widget, QFrame) or type(widget) is QWidget:
            widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def label(
    text: str = "", style: str = "base", look: str = "", *, wrap: bool = False, select: bool = False
) -> QLabel:
    """A label in a type style ("meta", "title", ...) and a look ("faint", "caps", ...)."""
    made = StyledLabel(text, style)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if look:
        set_look(made, look)
    if select:
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


class StyledLabel(QLabel):
    """A label that takes its font from the type scale again when the text size changes."""

    def __init__(self, text: str, style: str) -> None:
        super().__init__(text)
        self._style = style
        self.setFont(font(style))

    def restyle(self) -> None:
        self.setFont(font(self._style))


def button(text: str, act: Callable[[], object] | None = None, look: str = "", tip: str = "") -> QPushButton:
    """A push button; ``look`` "primary", "link", "danger" or plain. Only the keyboard gives it a focus ring."""
    made = QPushButton(text)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    made.setCursor(Qt.CursorShape.ArrowCursor)
    if look:
        set_look(made, look)
    if tip:
        made.setToolTip(tip)
    if act is not None:
        made.clicked.connect(lambda: act())
    return made


def tool(name: str, act: Callable[[], object] | None = None, *, checkable: bool = False) -> QToolButton:
    """A button that shows an icon; ``name`` is its tooltip and its name for screen readers."""
    made = QToolButton()
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    made.setToolTip(name)
    made.setAccessibleName(name)
    made.setCheckable(checkable)
    made.setIconSize(QSize(SIZES.icon, SIZES.icon))
    made.setMinimumSize(SIZES.target, SIZES.target)
    if act is not None:
        made.clicked.connect(lambda: act())
    return made


def column(
    *items: QWidget | QLayout | int, margins: tuple[int, int, int, int] = (0, 0, 0, 0), gap: int = 0
) -> QVBoxLayout:
    """A vertical layout; a number is a fixed gap, -1 a stretch."""
    made = QVBoxLayout()
    _fill(made, items, margins, gap)
    return made


def row(
    *items: QWidget | QLayout | int, margins: tuple[int, int, int, int] = (0, 0, 0, 0), gap: int = 0
) -> QHBoxLayout:
    """A horizontal layout; a number is a fixed gap, -1 a stretch."""
    made = QHBoxLayout()
    _fill(made, items, margins, gap)
    return made


def frame(layout: QLayout, look: str = "") -> QFrame:
    """A frame around a layout."""
    made = QFrame()
    made.setLayout(layout)
    if look:
        set_look(made, look)
    return made


def hairline() -> QFrame:
    made = QFrame()
    made.setFixedHeight(1)
    set_look(made, "hairline")
    return made


def shrinkable(widget: QWidget) -> QWidget:
    """Lets a widget be narrower than its text: it is cut, the window does not grow."""
    policy = widget.sizePolicy()
    policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
    widget.setSizePolicy(policy)
    return widget


def float_above(widget: QWidget) -> None:
    """The shadow of what lies over the window."""
    shadow = QGraphicsDropShadowEffect(widget)
    shadow.setBlurRadius(16)
    shadow.setOffset(0, 4)
    shadow.setColor(QColor(0, 0, 0, 51))
    widget.setGraphicsEffect(shadow)


def _fill(
    layout: QVBoxLayout | QHBoxLayout,
    items: tuple[QWidget | QLayout | int, ...],
    margins: tuple[int, int, int, int],
    gap: int,
) -> None:
    layout.setContentsMargins(*margins)
    layout.setSpacing(gap)
    for item in items:
        if isinstance(item, QWidget):
            layout.addWidget(item)
        elif isinstance(item, QLayout):
            layout.addLayout(item)
        elif item < 0:
            layout.addStretch(1)
        else:
            layout.addSpacing(item)
