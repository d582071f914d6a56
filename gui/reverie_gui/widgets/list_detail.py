"""The frame of a pane with a list at the left and one thing at the right."""

from PySide6.QtWidgets import QStackedWidget, QWidget

from reverie_gui.preferences import Preferences
from reverie_gui.theme.icons import icon
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import SIZES
from reverie_gui.widgets.empty import EmptyState
from reverie_gui.widgets.list_view import ListView
from reverie_gui.widgets.looks import column, frame, label, row, shrinkable, tool
from reverie_gui.widgets.splitter import Splitter

_WIDE = 16_777_215  # Qt's "as wide as it likes"


class ListDetail(QWidget):
    """Parts: ``list`` or ``empty`` under a line with ``count`` at the left; ``right`` is a stack for the pane to fill,
    its first page the one for "nothing selected". ``problem`` is a line of error text over the list.
    """

    def __init__(
        self, name: str, listed: ListView, nothing: QWidget, theme: Theme, settings: Preferences
    ) -> None:
        """``name`` is what the widths are kept under, ``nothing`` what the right side shows at first."""
        super().__init__()
        self._theme = theme
        self._narrow = False
        self.list = listed
        self.count = label(style="meta", look="meta")
        shrinkable(self.count)
        head = row(margins=(16, 2, 8, 2), gap=8)
        head.addWidget(self.count, 1)
        self.problem = label(style="meta", look="error", wrap=True)
        self.problem.setContentsMargins(16, 4, 16, 4)
        self.problem.hide()
        self.empty = EmptyState()
        self._left = QStackedWidget()
        self._left.addWidget(listed)
        self._left.addWidget(self.empty)
        top = frame(head, "header")
        top.setMinimumHeight(SIZES.control + 1)
        layout = column(top, self.problem)
        layout.addWidget(self._left, 1)
        self.left = QWidget()
        self.left.setLayout(layout)
        self.left.setMinimumWidth(SIZES.list_min)
        self.left.setMaximumWidth(SIZES.list_max)
        self._nothing = nothing
        self._build_right()
        self.splitter = Splitter(name, [SIZES.list, 600], theme, settings)
        self.splitter.addWidget(self.left)
        self.splitter.addWidget(self._right_side)
        self.splitter.restore()
        outer = column()
        outer.addWidget(self.splitter, 1)
        self.setLayout(outer)
        self.setFocusProxy(listed)
        theme.changed.connect(self._paint)
        self._paint()

    def _build_right(self) -> None:
        self.right = QStackedWidget()
        self.right.addWidget(self._nothing)
        self._back = tool(self.tr("Back (Alt+Left)"), self.back)
        self._back_bar = frame(row(self._back, -1, margins=(8, 2, 8, 2)), "header")
        self._back_bar.hide()
        inner = column(self._back_bar)
        inner.addWidget(self.right, 1)
        self._right_side = QWidget()
        self._right_side.setLayout(inner)

    def show_list(self, filled: bool) -> None:
        """The list, or what ``empty`` says in its place."""
        self._left.setCurrentWidget(self.list if filled else self.empty)

    def say_problem(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def show_right(self, page: QWidget | None = None) -> None:
        """A page of the right side; None is the one for "nothing selected"."""
        self.right.setCurrentWidget(page or self._nothing)

    def cover(self, detail: bool) -> None:
        """In a narrow window one of list and detail is shown."""
        self.left.setVisible(not (self._narrow and detail))
        self._right_side.setVisible(not self._narrow or detail)

    @property
    def narrow(self) -> bool:
        return self._narrow

    def set_narrow(self, narrow: bool) -> None:
        self._narrow = narrow
        self.left.setMaximumWidth(_WIDE if narrow else SIZES.list_max)
        self._back_bar.setVisible(narrow)
        self.cover(False)

    def back(self) -> bool:
        """From the detail to the list in a narrow window; False where there is nothing to go back to."""
        if self._narrow and self.left.isHidden():
            self.cover(False)
            self.list.setFocus()
            return True
        return False

    def _paint(self) -> None:
        self._back.setIcon(icon("back", self._theme.palette.text_2))
        self.list.viewport().update()
