"""F1: every key of the window on one card."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from reverie_gui.widgets.looks import button, column, float_above, label, row, set_look

Keys = Sequence[tuple[str, str]]  # (key, what it does)
_WIDTH = 760


class ShortcutsCard(QFrame):
    """Floats over the window, in groups of two columns; Esc, Close or a click beside it ends it."""

    def __init__(self, groups: Sequence[tuple[str, Keys]], window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Keyboard shortcuts"))
        set_look(self, "raised")
        self._window = window
        self._before = window.focusWidget()
        head = row(
            label(self.tr("Keyboard shortcuts"), "title"),
            -1,
            button(self.tr("Close"), self.close),
            margins=(24, 16, 16, 12),
        )
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._page = _columns(groups)
        area.setWidget(self._page)
        set_look(area, "plain")
        layout = column(margins=(1, 1, 1, 8))
        layout.addLayout(head)
        layout.addWidget(area, 1)
        self.setLayout(layout)
        float_above(self)
        self._place()
        window.installEventFilter(self)
        self.show()
        self.raise_()
        self.setFocus()

    def _place(self) -> None:
        window = self._window
        width = min(_WIDTH, window.width() - 32)
        height = min(self._page.sizeHint().height() + 80, window.height() - 96)
        self.setFixedSize(width, height)
        self.move((window.width() - width) // 2, max(48, (window.height() - height) // 2))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        elif isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            self.close()
        return False

    def event(self, event: QEvent) -> bool:
        override = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if override and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        self._window.removeEventFilter(self)
        if self._before is not None and self._before.isVisible():
            self._before.setFocus()
        super().closeEvent(event)


def _columns(groups: Sequence[tuple[str, Keys]]) -> QWidget:
    """The groups in two columns of about the same length."""
    page = QWidget()
    both = row(margins=(24, 0, 24, 8), gap=32)
    sides = [QGridLayout(), QGridLayout()]
    lengths = [0, 0]
    for title, keys in groups:
        if not keys:
            continue
        side = 0 if lengths[0] <= lengths[1] else 1
        _fill(sides[side], lengths[side], title, keys)
        lengths[side] += len(keys) + 1
    for side, grid in enumerate(sides):
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(lengths[side], 1)
        both.addLayout(grid, 1)
    page.setLayout(both)
    return page


def _fill(grid: QGridLayout, place: int, title: str, keys: Keys) -> None:
    heading = label(title.upper(), "caps", "caps")
    heading.setContentsMargins(0, 12 if place else 0, 0, 4)
    grid.addWidget(heading, place, 0, 1, 2)
    for offset, (key, what) in enumerate(keys, start=1):
        grid.addWidget(label(key, "mono"), place + offset, 0)
        grid.addWidget(label(what, "base", "meta"), place + offset, 1)
