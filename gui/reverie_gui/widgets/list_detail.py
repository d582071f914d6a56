"""The frame of a pane: a list under a count, what it says while empty, and one thing at the right."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from reverie_gui.preferences import Preferences
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import SIZES
from reverie_gui.widgets.empty import EmptyState
from reverie_gui.widgets.list_and_detail import ListAndDetail
from reverie_gui.widgets.list_view import ListView
from reverie_gui.widgets.looks import column, frame, label, row, shrinkable


class ListDetail(QWidget):
    """Parts: ``list`` or ``empty`` under ``head``, a line with ``count`` at the left and room for more at the right;
    ``right`` is a stack for the pane to fill, its first page ``nothing`` the one for "nothing selected".
    ``problem`` is a line of error text over the list, ``foot`` a layout under it.

    Signals: ``filled(bool)`` the list took the place of the empty page, or the other way round.
    """

    filled = Signal(bool)

    def __init__(
        self, name: str, listed: ListView, nothing: QWidget, theme: Theme, settings: Preferences
    ) -> None:
        """``name`` is what the widths are kept under, ``nothing`` what the right side shows at first."""
        super().__init__()
        self.list = listed
        self.count = label(style="meta", look="meta")
        shrinkable(self.count)
        self.head = row(margins=(16, 2, 8, 2), gap=8)
        self.head.addWidget(self.count, 1)
        self.problem = label(style="meta", look="error", wrap=True)
        self.problem.setContentsMargins(16, 4, 16, 4)
        self.problem.hide()
        self.empty = EmptyState()
        self._left = QStackedWidget()
        self._left.addWidget(listed)
        self._left.addWidget(self.empty)
        self.head_bar = frame(self.head, "header")
        self.head_bar.setMinimumHeight(SIZES.control + 1)
        layout = column(self.head_bar, self.problem)
        layout.addWidget(self._left, 1)
        self.foot = column()
        layout.addLayout(self.foot)
        self.left = QWidget()
        self.left.setLayout(layout)
        self.right = QStackedWidget()
        self.nothing = nothing
        self._blank = QWidget()
        for page in (nothing, self._blank):
            self.right.addWidget(page)
        self.sides = ListAndDetail(name, self.left, self.right, theme, settings)
        outer = column()
        outer.addWidget(self.sides, 1)
        self.setLayout(outer)
        self.left.setFocusProxy(listed)
        self.setFocusProxy(listed)
        theme.changed.connect(listed.viewport().update)

    @property
    def is_filled(self) -> bool:
        """Whether the list is shown, and not what ``empty`` says."""
        return self._left.currentWidget() is self.list

    def show_list(self, filled: bool, *, alone: bool = False) -> None:
        """The list, or what ``empty`` says in its place; the focus stays where it is, or goes with it.

        alone: there is nothing at all yet, and no room is kept for a detail.
        """
        focus = self.focusWidget()
        entered = focus is not None and (focus is self.list or focus is self.empty)
        changed = filled != self.is_filled
        self._left.setCurrentWidget(self.list if filled else self.empty)
        self.head_bar.setVisible(not alone)
        if changed and (not filled or self.right.currentWidget() in (self.nothing, self._blank)):
            self.show_right()
        self.sides.set_alone(alone and self.right.currentWidget() is self._blank)
        if changed:
            if entered:
                self.enter()
            self.filled.emit(filled)

    def enter(self) -> None:
        """Puts the keyboard into the list, or to what its empty page offers."""
        (self.list if self.is_filled else self.empty).setFocus()

    def say_problem(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def show_right(self, page: QWidget | None = None) -> None:
        """A page of the right side; None is the one for "nothing selected", or nothing where nothing can be."""
        shown = page or (self.nothing if self.is_filled else self._blank)
        self.right.setCurrentWidget(shown)
        if shown is not self._blank:
            self.sides.set_alone(False)

    def cover(self, detail: bool) -> None:
        """In a narrow window one of list and detail is shown."""
        self.sides.cover(detail)

    @property
    def narrow(self) -> bool:
        return self.sides.narrow

    def set_narrow(self, narrow: bool) -> None:
        self.sides.set_narrow(narrow)

    def back(self) -> bool:
        """From the detail to the list in a narrow window; False where there is nothing to go back to."""
        return self.sides.back()
