"""Ctrl+K: one field that finds commands, panes and memories."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidgetItem, QWidget

from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import MOTION
from reverie_gui.widgets.choice_list import ChoiceList
from reverie_gui.widgets.looks import column, float_above, set_look

_WIDTH = 560
_ROWS = 12


@dataclass(frozen=True, slots=True)
class Choice:
    """A row: words, what stands at its right (keys, or where it leads), and what Enter does."""

    text: str
    tail: str
    act: Callable[[], object]
    enabled: bool = True


class CommandPalette(QFrame):
    """Signals: ``asked(str)`` after a pause in typing, for what must be looked up; answer with ``add_found``."""

    asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._area = parent
        set_look(self, "raised")
        self._choices: Sequence[Choice] = ()
        self._back: QWidget | None = None
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Type a command, or words of a memory"))
        self.field.setAccessibleName(self.tr("Command"))
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.list = ChoiceList(theme)
        self.list.setAccessibleName(self.tr("Commands"))
        self.list.itemClicked.connect(self._run)
        self.setLayout(column(self.field, self.list, margins=(8, 8, 8, 4), gap=4))
        float_above(self)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(MOTION.rank_pause)
        self._pause.timeout.connect(lambda: self.asked.emit(self.field.text().strip()))
        self.hide()

    def open(self, choices: Sequence[Choice]) -> None:
        """Shows all commands; typing narrows."""
        self._choices = choices
        self._back = self.window().focusWidget()
        self.field.clear()
        self._filter("")
        area = self._area
        width = min(_WIDTH, area.width() - 32)
        self.setFixedWidth(width)
        self._fit()
        self.move(QPoint((area.width() - width) // 2, 64))
        self.show()
        self.raise_()
        self.field.setFocus()

    def add_found(self, query: str, found: Sequence[Choice]) -> None:
        """Adds what was looked up, if the words are still the same."""
        if self.isVisible() and query == self.field.text().strip():
            for choice in found:
                self._add(choice)
            self._fit()
            if self.list.currentRow() < 0:
                self.list.setCurrentRow(0)

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        self.list.clear()
        begins = [c for c in self._choices if words and c.text.casefold().startswith(words[0])]
        rest = [c for c in self._choices if c not in begins]
        for choice in [*begins, *rest]:
            if choice.enabled and all(word in choice.text.casefold() for word in words):
                self._add(choice)
        self.list.setCurrentRow(0)
        self._fit()
        if len(text.strip()) >= 2:
            self._pause.start()
        else:
            self._pause.stop()

    def _fit(self) -> None:
        rows = max(1, min(_ROWS, self.list.count()))
        most = self._area.height() - 96
        self.setFixedHeight(min(most, self.field.sizeHint().height() + 20 + self.list.height_for(rows)))

    def _add(self, choice: Choice) -> None:
        self.list.add_choice(choice.text, choice.tail, choice)

    def _run(self, item: QListWidgetItem | None) -> None:
        self.close_palette()
        choice = self.list.value_of(item) if item is not None else None
        if isinstance(choice, Choice):
            choice.act()

    def close_palette(self) -> None:
        self._pause.stop()
        self.hide()
        if self._back is not None:
            self._back.setFocus()
            self._back = None

    def eventFilter(self, watched, event) -> bool:  # type: ignore[no-untyped-def]
        if watched is not self.field:
            return False
        if isinstance(event, QKeyEvent) and event.type() == event.Type.ShortcutOverride:
            if event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
        elif isinstance(event, QKeyEvent) and event.type() == event.Type.KeyPress:
            return self._key(event.key())
        elif event.type() == event.Type.FocusOut and self.isVisible():
            self._back = None
            self.close_palette()
        return False

    def _key(self, key: int) -> bool:
        if key == Qt.Key.Key_Escape:
            self.close_palette()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run(self.list.currentItem())
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.list.step(1 if key == Qt.Key.Key_Down else -1)
        else:
            return False
        return True
