"""The left column: the knowledge base, the panes with their counts, and the facets of the pane that is open."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from reverie_gui.models.tree_model import Node
from reverie_gui.theme.fonts import font, scaled
from reverie_gui.theme.icons import pixmap
from reverie_gui.theme.shapes import paint_focus
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import RADIUS_CONTROL, S3, SIZES
from reverie_gui.widgets.facet_tree import FacetTree
from reverie_gui.widgets.looks import column, set_look
from reverie_gui.wording import number

Index = QModelIndex | QPersistentModelIndex
ENTRY_ROLE = Qt.ItemDataRole.UserRole + 1
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class Entry:
    """A pane in the sidebar. count None shows none; strong: it waits for the person; gap: 12 px before it."""

    id: str
    title: str
    icon: str
    count: int | None = None
    strong: bool = False
    gap: bool = False


class _Entries(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []

    def set_entries(self, entries: Iterable[Entry]) -> None:
        self.beginResetModel()
        self.entries = list(entries)
        self.endResetModel()

    def set_count(self, pane: str, count: int | None, strong: bool) -> None:
        for row, entry in enumerate(self.entries):
            if entry.id == pane and (entry.count, entry.strong) != (count, strong):
                self.entries[row] = replace(entry, count=count, strong=strong)
                self.dataChanged.emit(self.index(row), self.index(row))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.entries):
            return None
        entry = self.entries[index.row()]
        if role == ENTRY_ROLE:
            return entry
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return entry.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return entry.title if entry.count is None else f"{entry.title}, {number(entry.count)}"
        return None


class _EntryDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.folded = False

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        entry: Entry = index.data(ENTRY_ROLE)
        return QSize(40, scaled(SIZES.sidebar_row) + (S3 if entry.gap else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: Entry = index.data(ENTRY_ROLE)
        look = self._theme.palette
        rect: QRect = option.rect.adjusted(8, S3 if entry.gap else 0, -8, 0)
        state: QStyle.StateFlag = option.state
        focused: bool = option.widget.hasFocus()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            fill = look.selected if selected else look.hover
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(fill))
            painter.drawRoundedRect(rect, RADIUS_CONTROL, RADIUS_CONTROL)
        if focused and state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, rect, look.accent)
        ink = look.text if selected else look.text_2
        x = rect.left() + (rect.width() - 16) // 2 if self.folded else rect.left() + 8
        painter.drawPixmap(x, rect.center().y() - 7, pixmap(entry.icon, ink))
        if not self.folded:
            self._paint_words(painter, rect, entry)
        painter.restore()

    def _paint_words(self, painter: QPainter, rect: QRect, entry: Entry) -> None:
        look = self._theme.palette
        right = rect.right() - 8
        middle = Qt.AlignmentFlag.AlignVCenter
        if entry.count is not None:
            face = font("meta_strong" if entry.strong else "meta")
            painter.setFont(face)
            painter.setPen(QColor(look.text if entry.strong else look.text_3))
            text = number(entry.count)
            painter.drawText(
                QRect(rect.left(), rect.top(), right - rect.left(), rect.height()),
                int(middle | Qt.AlignmentFlag.AlignRight),
                text,
            )
            right -= painter.fontMetrics().horizontalAdvance(text) + 8
        painter.setFont(font("base_strong" if entry.strong else "base"))
        painter.setPen(QColor(look.text))
        left = rect.left() + 32
        title = painter.fontMetrics().elidedText(entry.title, Qt.TextElideMode.ElideRight, right - left)
        painter.drawText(QRect(left, rect.top(), right - left, rect.height()), int(middle), title)


class _PaneList(QListView):
    def __init__(self, theme: Theme, model: _Entries) -> None:
        super().__init__()
        self.entry_delegate = _EntryDelegate(theme, self)
        self.setModel(model)
        self.setItemDelegate(self.entry_delegate)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Panes"))

    def fit(self) -> None:
        rows = self.model().rowCount()
        height = sum(self.sizeHintForRow(row) for row in range(rows))
        self.setFixedHeight(height)


class Sidebar(QFrame):
    """Signals: ``pane_chosen(str)``; ``facet_chosen(str term, bool minus, bool add)``; ``kb_chosen(str)`` ("" is all)."""

    pane_chosen = Signal(str)
    facet_chosen = Signal(str, bool, bool)
    kb_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "panel")
        self._entries = _Entries()
        self._entries.setParent(self)
        self.list = _PaneList(theme, self._entries)
        self.facets = FacetTree(theme)
        self.kbs = QComboBox()
        self.kbs.setAccessibleName(self.tr("Knowledge base"))
        self.kbs.setToolTip(self.tr("Knowledge base"))
        self.kbs.setVisible(False)
        self._kb_box = QWidget()
        self._kb_box.setLayout(column(self.kbs, margins=(8, 8, 8, 0)))
        self._kb_box.setVisible(False)
        layout = column(self._kb_box, 8, self.list, 12)
        layout.addWidget(self.facets, 100)
        layout.addStretch(1)
        self.setLayout(layout)
        self.folded = False
        self.list.selectionModel().currentChanged.connect(self._chosen)
        self.facets.chosen.connect(self.facet_chosen)
        self.kbs.currentIndexChanged.connect(lambda _row: self.kb_chosen.emit(self.kbs.currentData() or ""))
        self._setting = False
        theme.changed.connect(self._refit)

    def set_entries(self, entries: Iterable[Entry]) -> None:
        self._setting = True
        self._entries.set_entries(entries)
        self.list.fit()
        self._setting = False

    def set_count(self, pane: str, count: int | None, strong: bool = False) -> None:
        self._entries.set_count(pane, count, strong)

    def count(self, pane: str) -> int | None:
        return next((entry.count for entry in self._entries.entries if entry.id == pane), None)

    def select(self, pane: str) -> None:
        """Marks a pane as the open one, without telling."""
        self._setting = True
        for row, entry in enumerate(self._entries.entries):
            if entry.id == pane:
                self.list.setCurrentIndex(self._entries.index(row))
        self._setting = False

    def set_kbs(self, names: Mapping[str, str], chosen: str) -> None:
        """The knowledge bases by name with their titles; hidden while there is only one."""
        self.kbs.blockSignals(True)
        self.kbs.clear()
        for name, title in names.items():
            self.kbs.addItem(title, name)
        self.kbs.setCurrentIndex(max(0, self.kbs.findData(chosen)))
        self.kbs.blockSignals(False)
        several = self.kbs.count() > 2
        self.kbs.setVisible(several)
        self._kb_box.setVisible(several and not self.folded)

    def set_facets(self, nodes: Iterable[Node], signs: Mapping[str, str]) -> None:
        self.facets.set_facets(nodes, signs)

    def fold(self, folded: bool) -> None:
        """Icons only, 48 px, or whole."""
        self.folded = folded
        self.list.entry_delegate.folded = folded
        self.facets.setVisible(not folded)
        self._kb_box.setVisible(not folded and self.kbs.count() > 2)
        layout = self.layout()
        if folded:
            self.setFixedWidth(SIZES.sidebar_icons)
        else:
            self.setMinimumWidth(SIZES.sidebar_min)
            self.setMaximumWidth(SIZES.sidebar_max)
        if layout is not None:
            layout.invalidate()
        self.list.scheduleDelayedItemsLayout()

    def _chosen(self, index: QModelIndex) -> None:
        entry = index.data(ENTRY_ROLE)
        if entry is not None and not self._setting:
            self.pane_chosen.emit(entry.id)

    def _refit(self) -> None:
        self.list.scheduleDelayedItemsLayout()
        self.list.fit()
        self.facets.viewport().update()
