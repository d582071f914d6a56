"""The right column of a pane: one text column of at most 680 px that scrolls."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from reverie_gui.theme.fonts import scaled
from reverie_gui.theme.tokens import S2, S6, S8, SIZES
from reverie_gui.widgets.looks import label


class DetailPage(QScrollArea):
    """Put widgets into ``content``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page = QWidget()
        self.column = QWidget()
        self.content = QVBoxLayout(self.column)
        self.content.setContentsMargins(0, 0, 0, 0)
        self.content.setSpacing(0)
        across = QHBoxLayout(page)
        across.setContentsMargins(S8, S6, S8, S8)
        across.addWidget(self.column, 100)
        across.addStretch(1)
        self.setWidget(page)
        self.restyle()

    def restyle(self) -> None:
        self.column.setMaximumWidth(scaled(SIZES.text_column))

    def to_top(self) -> None:
        self.verticalScrollBar().setValue(0)


class Facts(QWidget):
    """Rows of a label and a value, the labels in a column of 112 px."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(S2)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._rows: dict[str, tuple[QLabel, QWidget]] = {}
        self.restyle()

    def restyle(self) -> None:
        self._grid.setColumnMinimumWidth(0, scaled(SIZES.label_column) - S2)

    def add(self, name: str, title: str, value: QWidget) -> None:
        """A row; ``name`` is for ``show_row``."""
        head = label(title, "base", "label")
        head.setFixedHeight(max(SIZES.target, scaled(20) + 4))  # in line with the first line of the value
        head.setAlignment(Qt.AlignmentFlag.AlignVCenter)
        head.setBuddy(value)
        if not value.accessibleName():
            value.setAccessibleName(title)
        value.setMinimumHeight(SIZES.target)
        place = self._grid.rowCount()
        self._grid.addWidget(head, place, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(value, place, 1)
        self._rows[name] = (head, value)

    def show_row(self, name: str, shown: bool) -> None:
        for part in self._rows[name]:
            part.setVisible(shown)


class Section(QWidget):
    """A heading in caps over rows that are set anew each time; hidden while it has none."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, S6, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addWidget(label(title.upper(), "caps", "caps"))
        self._layout.addSpacing(4)
        self.setAccessibleName(title)
        self.setVisible(False)

    def set_rows(self, rows: Iterable[QWidget | QLayout]) -> None:
        while self._layout.count() > 2:
            item = self._layout.takeAt(2)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for row in rows:
            holder = row if isinstance(row, QWidget) else QWidget()
            if isinstance(row, QLayout):
                holder.setLayout(row)
            holder.setMinimumHeight(max(SIZES.target, scaled(20) + 4))
            self._layout.addWidget(holder)
        self.setVisible(self._layout.count() > 2)
