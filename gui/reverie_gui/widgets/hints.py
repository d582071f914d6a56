"""What a detail says while nothing is selected: the keys."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from reverie_gui.widgets.looks import label


class KeyHints(QWidget):
    """Keys and what they do, in faint text, centred at 40 % of the height."""

    def __init__(self, hints: Iterable[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        grid = QGridLayout(self)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(3, 1)
        grid.setRowStretch(0, 2)
        place = 0
        for place, (key, what) in enumerate(hints, start=1):
            grid.addWidget(label(key, "mono", "faint"), place, 1, Qt.AlignmentFlag.AlignRight)
            grid.addWidget(label(what, "base", "faint"), place, 2)
        grid.setRowStretch(place + 1, 3)
