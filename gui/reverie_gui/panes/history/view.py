"""The list of changes: one line each, under the days; headings are passed over."""

from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QWidget

from reverie_gui.models.id_list_model import VALUE_ROLE, IdListModel
from reverie_gui.panes.history.lines import Day, Line
from reverie_gui.theme.fonts import font, scaled
from reverie_gui.theme.tokens import SIZES, Palette
from reverie_gui.widgets.list_view import ListView
from reverie_gui.widgets.row_delegate import RowDelegate, RowLook, metrics, paint_marked
from reverie_gui.wording import author_word, clock, exact

Index = QModelIndex | QPersistentModelIndex
_ROW, _COMPACT = 32, 28
_TIME = 52  # from the edge to the words
_PAD = 12


class HistoryModel(IdListModel):
    """Signals: ``more_wanted()`` a view reached the end."""

    more_wanted = Signal()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.has_more = False

    def flags(self, index: Index) -> Qt.ItemFlag:
        if is_heading(index):
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self.has_more

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self.more_wanted.emit()


def is_heading(index: Index) -> bool:
    model = index.model()
    each = model.id_at(index.row()) if isinstance(model, IdListModel) and index.isValid() else None
    return each is not None and each.startswith("day:")


def describe(value: Line | Day) -> str:
    """A row in words, for screen readers."""
    if isinstance(value, Day):
        return value.text
    return ", ".join(part for part in (clock(value.at), value.text, value.about) if part)


class HistoryDelegate(RowDelegate):
    """The time at the left, then what was done, then what it was done to."""

    def height(self) -> int:
        return scaled(_COMPACT if self.compact else _ROW)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(SIZES.list_min, self.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        value = index.data(VALUE_ROLE)
        rect: QRect = option.rect
        look = self._theme.palette
        if isinstance(value, Day):
            painter.save()
            painter.setFont(font("caps"))
            painter.setPen(QColor(look.text_3))
            place = rect.adjusted(16, 4, -_PAD, 0)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), value.text.upper())
            painter.restore()
        elif isinstance(value, Line):
            state: QStyle.StateFlag = option.state
            widget: QWidget | None = option.widget
            painter.save()
            self._paint_ground(painter, rect, state, widget is not None and widget.hasFocus(), look)
            self._paint_line(painter, rect, value, look)
            painter.restore()

    def _paint_ground(
        self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, focused: bool, look: Palette
    ) -> None:
        """Fill and bar; no lines between rows of one line: the days part them."""
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(rect, QColor(look.selected if focused else look.selected_idle))
            bar = look.accent if focused else look.border
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), QColor(bar))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, QColor(look.hover))

    def _paint_line(self, painter: QPainter, rect: QRect, line: Line, look: Palette) -> None:
        middle = Qt.AlignmentFlag.AlignVCenter
        meta = font("meta")
        painter.setFont(meta)
        painter.setPen(QColor(look.text_3))
        left = scaled(_TIME) + rect.left()
        painter.drawText(
            QRect(rect.left(), rect.top(), scaled(_TIME) - 8, rect.height()),
            int(middle | Qt.AlignmentFlag.AlignRight),
            clock(line.at),
        )
        right = rect.right() - _PAD
        if line.undone:
            words = self.tr("undone")
            painter.drawText(
                QRect(left, rect.top(), right - left, rect.height()),
                int(middle | Qt.AlignmentFlag.AlignRight),
                words,
            )
            right -= metrics(meta).horizontalAdvance(words) + _PAD
        ink = look.text_3 if line.undone else look.text
        marks = self.look(line).marks
        place = QRect(left, rect.top(), right - left, rect.height())
        used = paint_marked(painter, place, line.text, font("base"), ink, marks, look.mark)
        rest = place.adjusted(used + _PAD, 0, 0, 0)
        if line.about and rest.width() > 64:
            faint = look.text_3 if line.undone else look.text_2
            paint_marked(painter, rest, line.about, meta, faint, marks, look.mark)


def row_look(line: Line | Day, marks: tuple[str, ...]) -> RowLook:
    """What the tooltip says, and the words that are marked."""
    if isinstance(line, Day):
        return RowLook(line.text)
    tip = "\n".join(
        part for part in (f"{exact(line.at)} · {author_word(line.author)}", line.text, line.about) if part
    )
    return RowLook(line.text, second=line.about, marks=marks, tip=tip)


class HistoryList(ListView):
    """Arrows, J and K pass over the headings."""

    def __init__(self, model: HistoryModel, delegate: HistoryDelegate, parent: QWidget | None = None) -> None:
        super().__init__(model, delegate, parent)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)

    def select_row(self, row: int) -> None:
        step = -1 if row < self.currentIndex().row() else 1
        found = self._off_heading(self._rows.index(max(0, min(row, self._rows.rowCount() - 1))), step)
        if found.isValid():
            self.setCurrentIndex(found)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        found = super().moveCursor(action, modifiers)
        step = -1 if found.row() < self.currentIndex().row() else 1
        return self._off_heading(found, step)

    def _off_heading(self, index: QModelIndex, step: int) -> QModelIndex:
        while index.isValid() and is_heading(index):
            index = self._rows.index(index.row() + step)
        return index if index.isValid() else self.currentIndex()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        first = self.currentIndex().row() <= 1 and event.key() == Qt.Key.Key_Up
        if first and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            self.left_up.emit()
        else:
            super().keyPressEvent(event)
