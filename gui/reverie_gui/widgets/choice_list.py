"""A list of choices in something that floats: words at the left, what they come with at the right."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from reverie_gui.theme.fonts import font
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import RADIUS_FIELD, SIZES
from reverie_gui.widgets.looks import set_look

Index = QModelIndex | QPersistentModelIndex
_TAIL = Qt.ItemDataRole.UserRole + 1
_VALUE = Qt.ItemDataRole.UserRole + 2
_PAD = 8
_GAP = 16


class ChoiceList(QListWidget):
    """Never takes the focus: the field that it belongs to keeps it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        set_look(self, "popover")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_ChoiceDelegate(theme, self))

    def add_choice(self, text: str, tail: str, value: object) -> None:
        """A row; ``value`` is what ``value_of`` gives for it."""
        item = QListWidgetItem(text)
        item.setData(_TAIL, tail)
        item.setData(_VALUE, value)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(part for part in (text, tail) if part))
        self.addItem(item)

    @staticmethod
    def value_of(item: QListWidgetItem) -> object:
        return item.data(_VALUE)

    def row_height(self) -> int:
        return max(SIZES.target, self.fontMetrics().height() + 8)

    def height_for(self, rows: int) -> int:
        """How high it is with so many rows, its padding included."""
        return rows * self.row_height() + 8

    def step(self, by: int, first: int = 0) -> None:
        """Moves the choice; ``first`` -1 lets none be chosen."""
        self.setCurrentRow(max(first, min(self.count() - 1, self.currentRow() + by)))


class _ChoiceDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, owner: ChoiceList) -> None:
        super().__init__(owner)
        self._theme = theme
        self._owner = owner

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, self._owner.row_height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look = self._theme.palette
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(look.selected if selected else look.hover))
            painter.drawRoundedRect(rect, RADIUS_FIELD, RADIUS_FIELD)
        inside = rect.adjusted(_PAD, 0, -_PAD, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        tail = str(index.data(_TAIL) or "")
        if tail:
            face = font("meta")
            painter.setFont(face)
            painter.setPen(QColor(look.text_2 if selected else look.text_3))
            painter.drawText(inside, int(middle | Qt.AlignmentFlag.AlignRight), tail)
            inside.setRight(inside.right() - QFontMetrics(face).horizontalAdvance(tail) - _GAP)
        face = font("base")
        painter.setFont(face)
        painter.setPen(QColor(look.text))
        words = QFontMetrics(face).elidedText(str(index.data()), Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, int(middle), words)
        painter.restore()
