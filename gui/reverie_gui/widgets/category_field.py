"""A category, edited in place, with completion of those that exist."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from reverie_gui.widgets.looks import set_look


class CategoryField(QLineEdit):
    """Looks like text until it is entered. Signals: ``chosen(str)`` the person set another category."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "title")
        self.setTextMargins(-3, 0, 0, 0)  # its text stands where that of the other facts does
        self._category = ""
        self._words = QStringListModel(self)
        completer = QCompleter(self._words, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        popup = completer.popup()
        if popup is not None:
            set_look(popup, "popover")
        self.setCompleter(completer)
        self.setToolTip(self.tr("Words of letters, digits, - and _, separated by /"))
        self.editingFinished.connect(self._finish)

    def set_category(self, category: str) -> None:
        self._category = category
        if not self.hasFocus() or not self.isModified():
            self.setText(category)

    def set_known(self, categories: Iterable[str]) -> None:
        self._words.setStringList(sorted(categories))

    def _finish(self) -> None:
        text = self.text().strip()
        self.setModified(False)
        if text != self._category:
            self.chosen.emit(text)

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.setText(self._category)
            self.setModified(False)
            self.clearFocus()
        else:
            super().keyPressEvent(event)
