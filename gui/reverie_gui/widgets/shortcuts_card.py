"""F1: every key of the window on one card."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QScrollArea, QWidget

from reverie_gui.theme.tokens import SIZES
from reverie_gui.widgets.looks import button, column, label, row


class ShortcutsCard(QDialog):
    """Not modal: it may stay open beside the window."""

    def __init__(self, keys: Iterable[tuple[str, str]], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(False)
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(24, 16, 24, 16)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(4)
        for place, (key, what) in enumerate(keys):
            grid.addWidget(label(key, "mono"), place, 0)
            grid.addWidget(label(what, "base", "meta"), place, 1)
        grid.setColumnStretch(1, 1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(page)
        layout = column()
        layout.addWidget(area, 1)
        layout.addLayout(row(-1, button(self.tr("Close"), self.close), margins=(16, 8, 16, 16)))
        self.setLayout(layout)
        self.resize(480, min(640, SIZES.window_min[1]))
