"""Tags as chips, with an entry that completes."""

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QEvent, QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QCompleter, QFrame, QLineEdit, QSizePolicy, QWidget

from reverie_gui.theme.fonts import font, scaled
from reverie_gui.theme.icons import icon
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import SIZES
from reverie_gui.widgets.flow_layout import FlowLayout
from reverie_gui.widgets.looks import label, row, set_look, tool


class _Chip(QFrame):
    def __init__(self, text: str, theme: Theme, remove: Callable[[], object]) -> None:
        super().__init__()
        set_look(self, "chip")
        self._theme = theme
        self.restyle()
        self._close = tool(self.tr("Remove tag {tag}").format(tag=text), remove)
        set_look(self._close, "chip-close")
        self._close.setIconSize(QSize(10, 10))
        self._close.setMinimumSize(16, 16)
        self._close.setMaximumSize(16, 16)
        self.setLayout(row(label(text, "meta"), self._close, margins=(8, 0, 4, 0), gap=2))
        theme.changed.connect(self._paint)
        self._paint()

    def restyle(self) -> None:
        self.setFixedHeight(scaled(SIZES.chip))

    def _paint(self) -> None:
        self._close.setIcon(icon("close", self._theme.palette.text_2))


class TagEntry(QLineEdit):
    """Enter, Tab or comma takes the word; Backspace in an empty entry asks for the last one back.

    Signals: ``taken(str)``, ``backed()``.
    """

    taken = Signal(str)
    backed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "chip")
        self.restyle()
        self.setPlaceholderText(self.tr("Add tag"))
        self.setAccessibleName(self.tr("Add tag"))
        self.setTextMargins(-2, 0, 0, 0)  # flush with the text around it
        self._words = QStringListModel(self)
        completer = QCompleter(self._words, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setMaxVisibleItems(8)
        popup = completer.popup()
        if popup is not None:
            set_look(popup, "popover")
        self.setCompleter(completer)
        completer.activated.connect(lambda _text: self._take())

    def restyle(self) -> None:
        self.setFont(font("meta"))
        self.setFixedHeight(scaled(SIZES.chip))
        self.setFixedWidth(scaled(120))

    def set_known(self, words: Iterable[str]) -> None:
        self._words.setStringList(list(words))

    def _take(self) -> None:
        text = self.text().strip().strip(",").strip()
        self.clear()
        if text:
            self.taken.emit(text)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            take = event.key() == Qt.Key.Key_Tab or event.text() == ","
            if take and self.text().strip():
                self._take()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take()
        elif event.key() == Qt.Key.Key_Backspace and not self.text():
            self.backed.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._take()


class TagChips(QWidget):
    """Signals: ``changed(list[str])`` the person added or removed a tag."""

    changed = Signal(list)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tags: list[str] = []
        self._flow = FlowLayout(self, gap=6)
        self.entry = TagEntry()
        self._flow.addWidget(self.entry)
        self.entry.taken.connect(self._add)
        self.entry.backed.connect(self._back)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(self.tr("Tags"))

    def set_tags(self, tags: Iterable[str]) -> None:
        wanted = list(tags)
        if wanted != self._tags or self._flow.count() != len(wanted) + 1:
            self._tags = wanted
            self._rebuild()

    def tags(self) -> list[str]:
        return list(self._tags)

    def set_known(self, tags: Iterable[str]) -> None:
        """Existing tags, for completion."""
        self.entry.set_known(tags)

    def _rebuild(self) -> None:
        while self._flow.count() > 1:
            item = self._flow.takeAt(0)
            widget = item.widget() if item else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for place, tag in enumerate(self._tags):
            chip = _Chip(tag, self._theme, partial(self._remove, tag))
            self._flow.insert(place, chip)
        self._flow.invalidate()
        self.updateGeometry()

    def _add(self, tag: str) -> None:
        if tag.casefold() not in {each.casefold() for each in self._tags}:
            self._tags.append(tag)
            self._rebuild()
            self.changed.emit(self.tags())

    def _remove(self, tag: str) -> None:
        self._tags.remove(tag)
        self._rebuild()
        self.changed.emit(self.tags())

    def _back(self) -> None:
        if self._tags:
            self._remove(self._tags[-1])
