"""A list at the left and its detail at the right; in a narrow window one of the two, with a way back."""

from PySide6.QtWidgets import QWidget

from reverie_gui.preferences import Preferences
from reverie_gui.theme.icons import icon
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import SIZES
from reverie_gui.widgets.looks import column, frame, row, tool
from reverie_gui.widgets.splitter import Splitter

_ANY = 16_777_215  # Qt's own word for no limit


class ListAndDetail(Splitter):
    """``left`` and ``right`` are pages; ``name`` keeps the sizes, ``width`` is the left one's at first."""

    def __init__(
        self, name: str, left: QWidget, right: QWidget, theme: Theme, settings: Preferences, width: int = 0
    ) -> None:
        super().__init__(name, [width or SIZES.list, 600], theme, settings)
        self._colours = theme
        self._narrow = False
        self._alone = False
        self._left = left
        left.setMinimumWidth(SIZES.list_min)
        left.setMaximumWidth(SIZES.list_max)
        self.to_list = tool(self.tr("Back (Alt+Left)"), self.back)
        self._bar = frame(row(self.to_list, -1, margins=(8, 2, 8, 2)), "header")
        self._bar.hide()
        self._right = QWidget()
        layout = column(self._bar)
        layout.addWidget(right, 1)
        self._right.setLayout(layout)
        self.addWidget(left)
        self.addWidget(self._right)
        self.restore()
        theme.changed.connect(self._paint)
        self._paint()

    @property
    def narrow(self) -> bool:
        return self._narrow

    def set_narrow(self, narrow: bool) -> None:
        self._narrow = narrow
        self._bar.setVisible(narrow)
        self.cover(False)

    def set_alone(self, alone: bool) -> None:
        """The left side takes the whole width: there is nothing that a detail could be of."""
        if alone != self._alone:
            self._alone = alone
            self.cover(False)
            if not alone:
                self.restore()

    def cover(self, detail: bool) -> None:
        """In a narrow window: shows the detail, or the list."""
        self._left.setMaximumWidth(_ANY if self._narrow or self._alone else SIZES.list_max)
        self._left.setVisible(not (self._narrow and detail))
        self._right.setVisible(not self._alone and (not self._narrow or detail))
        if self._narrow and detail:
            self.to_list.setFocus()  # else the focus falls from the hidden list to the search field

    def back(self) -> bool:
        """From the detail to the list; False if the list is there already."""
        if self._narrow and self._left.isHidden():
            self.cover(False)
            self._left.setFocus()
            return True
        return False

    def _paint(self) -> None:
        self.to_list.setIcon(icon("back", self._colours.palette.text_2))
