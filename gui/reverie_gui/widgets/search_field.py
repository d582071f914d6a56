"""The search field: keys tinted as typed, values completed, a card of the language under "?"."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QTextCharFormat,
)
from PySide6.QtWidgets import QLineEdit, QListWidgetItem, QToolButton, QWidget

from reverie_gui.theme.icons import icon
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import MOTION, SIZES
from reverie_gui.widgets.choice_list import ChoiceList
from reverie_gui.widgets.looks import column
from reverie_gui.widgets.popover import Popover
from reverie_gui.widgets.query_words import KEYS, quoted, term_at, terms
from reverie_gui.widgets.syntax_card import SyntaxCard
from reverie_gui.wording import number

Complete = Callable[[str, str], list[tuple[str, int]]]
_ROWS = 8
EXAMPLES = ("kind:preference", "is:pinned", "tag:travel -kind:note", "importance:>0.8 age:<7d")


class SearchField(QLineEdit):
    """Signals: ``queried(str)`` 60 ms after the text last changed, at once on Enter; ``left_down()`` Down with no
    popover open (go into the list); ``escaped()`` Esc with nothing left to close or clear; ``save_wanted()`` the
    bookmark was clicked, which is there while there is text.

    ``complete(key, prefix)`` gives values with counts at once; ``recent`` gives the last queries,
    ``examples`` what is offered with them while the field is empty.
    """

    queried = Signal(str)
    left_down = Signal()
    escaped = Signal()
    save_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.complete: Complete = lambda _key, _prefix: []
        self.recent: Callable[[], list[str]] = list
        self.examples: tuple[str, ...] = EXAMPLES
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(MOTION.search_debounce)
        self._timer.timeout.connect(self._tell)
        self._told = ""
        self._tinting = False
        self._list = ChoiceList(theme)
        self._list.itemClicked.connect(self._take)
        self._popover = Popover(self, column(self._list))
        self._card = Popover(self, column(SyntaxCard(), margins=(16, 12, 16, 12)))
        self.setPlaceholderText(self.tr("Search memories, Ctrl+F"))
        self.setAccessibleName(self.tr("Search"))
        self.setMaximumWidth(SIZES.search_max)
        self.setMinimumWidth(160)
        self._loupe = self.addAction(
            icon("search", theme.palette.text_3), QLineEdit.ActionPosition.LeadingPosition
        )
        self._help = self.addAction(
            icon("help", theme.palette.text_2), QLineEdit.ActionPosition.TrailingPosition
        )
        self._help.setToolTip(self.tr("Search language"))
        self._help.triggered.connect(self._toggle_card)
        self._clear = self.addAction(
            icon("close", theme.palette.text_2), QLineEdit.ActionPosition.TrailingPosition
        )
        self._clear.setToolTip(self.tr("Clear"))
        self._clear.triggered.connect(self.clear)
        self._clear.setVisible(False)
        self._save = self.addAction(
            icon("bookmark", theme.palette.text_2), QLineEdit.ActionPosition.TrailingPosition
        )
        self._save.triggered.connect(self.save_wanted)
        self._is_saved = False
        self.set_savable(False, saved=False)
        for part in self.findChildren(QToolButton):
            part.setAccessibleName(part.toolTip() or self.tr("Search"))
        self.textChanged.connect(self._edited)
        self.cursorPositionChanged.connect(self._suggest_later)
        theme.changed.connect(self._retheme)

    def set_query(self, text: str) -> None:
        """Writes a query, as a facet does, and tells it at once."""
        if text != self.text():
            self.setText(text)
        self.hide_popovers()
        self._tell()

    def settle(self, text: str) -> None:
        """Takes what the field holds as told, without telling."""
        self._timer.stop()
        self._told = text.strip()
        self._clear.setVisible(bool(text))
        self._tint()

    def set_savable(self, savable: bool, *, saved: bool) -> None:
        """Whether the bookmark is there, and whether the query is one of those that were kept."""
        self._is_saved = saved
        self._save.setVisible(savable)
        self._save.setToolTip(
            self.tr("Forget this saved search (Ctrl+S)") if saved else self.tr("Save this search (Ctrl+S)")
        )
        self._paint_save()

    def _paint_save(self) -> None:
        look = self._theme.palette
        name, ink = ("bookmark-on", look.accent) if self._is_saved else ("bookmark", look.text_2)
        self._save.setIcon(icon(name, ink))

    def show_card(self) -> None:
        """Opens the card of the search language."""
        if not self._card.isVisible():
            self._toggle_card()

    def hide_popovers(self) -> bool:
        """Closes what floats; False if nothing did."""
        open_ones = [each for each in (self._popover, self._card) if each.isVisible()]
        for each in open_ones:
            each.hide()
        return bool(open_ones)

    # Typing.

    def _edited(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        self._card.hide()
        self._tint()
        self._timer.start()

    def _tell(self) -> None:
        self._timer.stop()
        text = self._whole_terms()
        if text != self._told:
            self._told = text
            self.queried.emit(text)

    def _whole_terms(self) -> str:
        """The query without a term whose value is still being typed ("tag:re" on its way to "tag:release")."""
        text = self.text()
        term = term_at(text, self.cursorPosition()) if self.hasFocus() else None
        if term is not None and term.end == len(text.rstrip()):
            values = [value.casefold() for value, _count in self.complete(term.key.lower(), term.value)]
            if not term.value or (values and term.value.casefold() not in values):
                text = text[: term.start] + text[term.end :]
        return text.strip()

    def _tint(self) -> None:
        """Colours keys by the one way a line edit has: the formats of an input method event."""
        if self._tinting:
            return
        attributes = []
        cursor = self.cursorPosition()
        for term in terms(self.text()):
            face = QTextCharFormat()
            if term.known:
                face.setForeground(QColor(self._theme.palette.accent))
                face.setFontWeight(QFont.Weight.Medium)
            else:
                face.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
                face.setUnderlineColor(QColor(self._theme.palette.error))
            kind = QInputMethodEvent.AttributeType.TextFormat
            attributes.append(
                QInputMethodEvent.Attribute(kind, term.start - cursor, term.key_end - term.start, face)
            )
        self._tinting = True
        QCoreApplication.sendEvent(self, QInputMethodEvent("", attributes))
        self._tinting = False

    # The popover.

    def _suggest_later(self) -> None:
        if self.hasFocus() and not self._tinting:
            QTimer.singleShot(0, self, self._suggest)

    def _suggest(self) -> None:
        if not self.hasFocus():
            return
        rows = self._rows()
        self._list.clear()
        for text, tail, query in rows[:_ROWS]:
            self._list.add_choice(text, tail, query)
        if not rows or self._card.isVisible():
            self._popover.hide()
            return
        self._list.setFixedHeight(self._list.height_for(min(len(rows), _ROWS)) + 2)
        self._popover.show_under()

    def _rows(self) -> list[tuple[str, str, str]]:
        text, cursor = self.text(), self.cursorPosition()
        if not text.strip():
            recent = [(query, self.tr("recent"), query) for query in self.recent()[:4]]
            return (
                recent
                + [
                    (query, self.tr("example"), query)
                    for query in self.examples
                    if query not in self.recent()
                ][:4]
            )
        term = term_at(text, cursor)
        if term is not None:
            rest = text[term.end :]
            return [
                (
                    value,
                    number(count) if count >= 0 else "",
                    f"{text[: term.key_end]}{quoted(value)} {rest.lstrip()}",
                )
                for value, count in self.complete(term.key.lower(), term.value)
                if value != term.value
            ]
        start = text.rfind(" ", 0, cursor) + 1
        word = text[start:cursor].lstrip("-").lower()
        if len(word) < 2:
            return []
        keys = [key for key in KEYS if key.startswith(word)]
        sign = "-" if text[start:cursor].startswith("-") else ""
        return [(f"{key}:", "", f"{text[:start]}{sign}{key}:{text[cursor:]}") for key in keys]

    def _take(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        query = str(self._list.value_of(item))
        self._popover.hide()
        self.setText(query)
        if query.endswith(":"):
            self._suggest()
        else:
            self._tell()

    def _toggle_card(self) -> None:
        self._popover.hide()
        if self._card.isVisible():
            self._card.hide()
        else:
            self.setFocus()
            self._card.show_under(width=520)

    def _retheme(self) -> None:
        look = self._theme.palette
        self._loupe.setIcon(icon("search", look.text_3))
        self._help.setIcon(icon("help", look.text_2))
        self._clear.setIcon(icon("close", look.text_2))
        self._paint_save()
        self._tint()

    # What Qt asks.

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.matches(QKeySequence.StandardKey.Undo) and not self.isUndoAvailable():
                event.ignore()  # nothing of the field's own: the window's Undo takes it
                return False
            wanted = self._popover.isVisible() and event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Escape)
            if wanted or event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Tab
        ):
            row = self._list.currentRow()
            if self._popover.isVisible() and self.text().strip():
                self._take(self._list.item(max(row, 0)))
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self._escape()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up) and self._popover.isVisible() and self._may_walk(key):
            self._list.step(1 if key == Qt.Key.Key_Down else -1, first=-1)
        elif key == Qt.Key.Key_Down:
            self.hide_popovers()
            self.left_down.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._popover.isVisible() and self._list.currentRow() >= 0:
                self._take(self._list.currentItem())
            else:
                self.hide_popovers()
                self._tell()
        else:
            super().keyPressEvent(event)

    def _may_walk(self, key: int) -> bool:
        # With examples open under an empty field, Down still enters the list: they only offer.
        return bool(self.text().strip()) or key == Qt.Key.Key_Up

    def _escape(self) -> None:
        if self.hide_popovers():
            return
        if self.text():
            self.clear()
            self._tell()
        else:
            self.escaped.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason and not self.text():
            self._suggest_later()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.hide_popovers()
