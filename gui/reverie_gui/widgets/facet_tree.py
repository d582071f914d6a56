"""Facets: values of what is shown, with counts; a click narrows the query to one."""

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QFrame, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView, QWidget

from reverie_gui.models.tree_model import NODE_ROLE, Node, TreeModel
from reverie_gui.theme.fonts import font, scaled
from reverie_gui.theme.icons import pixmap
from reverie_gui.theme.shapes import paint_focus, paint_kind
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import RADIUS_CONTROL, S3, SIZES
from reverie_gui.wording import number

Index = QModelIndex | QPersistentModelIndex
_INDENT = 16
_EDGE = 8


class _FacetDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, tree: "FacetTree") -> None:
        super().__init__(tree)
        self._theme = theme
        self._tree = tree

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        node: Node = index.data(NODE_ROLE)
        gap = S3 if node is not None and not node.term and node.row else 0
        return QSize(80, scaled(SIZES.sidebar_row) + gap)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        node: Node = index.data(NODE_ROLE)
        look = self._theme.palette
        full: QRect = option.rect
        rect = QRect(_EDGE, full.top(), self._tree.viewport().width() - 2 * _EDGE, full.height())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not node.term:
            painter.setFont(font("caps"))
            painter.setPen(QColor(look.text_3))
            place = rect.adjusted(8, S3 if node.row else 0, 0, 0)
            painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), node.text.upper())
            painter.restore()
            return
        self._paint_ground(painter, rect, option)
        depth = len(node.path) - 2
        x = rect.left() + 8 + depth * _INDENT
        x = self._paint_mark(painter, rect, x, node, index)
        self._paint_words(painter, rect, x, node)
        painter.restore()

    def _paint_ground(self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem) -> None:
        state: QStyle.StateFlag = option.state
        look = self._theme.palette
        if state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(look.hover))
            painter.drawRoundedRect(rect, RADIUS_CONTROL, RADIUS_CONTROL)
        if self._tree.hasFocus() and state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, rect, look.accent)

    def _paint_mark(self, painter: QPainter, rect: QRect, x: int, node: Node, index: Index) -> int:
        """The shape, the caret or the sign before the words; gives where the words begin."""
        look = self._theme.palette
        sign = self._tree.sign(node)
        middle = rect.center().y() + 0.5
        if sign:
            name, ink = ("plus", look.accent) if sign == "+" else ("minus", look.error)
            painter.drawPixmap(QPointF(x - 4, middle - 8), pixmap(name, ink))
        elif node.children:
            name = "chevron-down" if self._tree.isExpanded(index) else "chevron-right"
            painter.drawPixmap(QPointF(x - 4, middle - 8), pixmap(name, look.text_3))
        elif node.kind:
            ink = look.kinds.get(node.kind, look.text_2) if node.count else look.disabled
            paint_kind(painter, node.kind, QPointF(x + 4, middle), ink)
        return x + 16

    def _paint_words(self, painter: QPainter, rect: QRect, x: int, node: Node) -> None:
        look = self._theme.palette
        right = rect.right() - 8
        middle = Qt.AlignmentFlag.AlignVCenter
        if node.count is not None:
            painter.setFont(font("meta"))
            painter.setPen(QColor(look.text_3))
            text = number(node.count)
            painter.drawText(
                QRect(x, rect.top(), right - x, rect.height()),
                int(middle | Qt.AlignmentFlag.AlignRight),
                text,
            )
            right -= painter.fontMetrics().horizontalAdvance(text) + 8
        painter.setFont(font("base_medium" if self._tree.sign(node) else "base"))
        painter.setPen(QColor(look.text if node.count or node.count is None else look.text_3))
        words = painter.fontMetrics().elidedText(node.text, Qt.TextElideMode.ElideRight, right - x)
        painter.drawText(QRect(x, rect.top(), right - x, rect.height()), int(middle), words)


class FacetTree(QTreeView):
    """Signals: ``chosen(str term, bool minus, bool add)``: Alt excludes, Ctrl adds a value."""

    chosen = Signal(str, bool, bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facets = TreeModel(self)
        self._signs: Mapping[str, str] = {}
        self.setModel(self._facets)
        self.setItemDelegate(_FacetDelegate(theme, self))
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setExpandsOnDoubleClick(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName(self.tr("Facets"))
        self.setToolTipDuration(2000)

    def set_facets(self, nodes: Iterable[Node], signs: Mapping[str, str]) -> None:
        """Shows values; ``signs`` says which terms stand in the query, with "+" or "-"."""
        open_paths = self._open_paths()
        current = self.currentIndex().data(NODE_ROLE)
        path = current.path if isinstance(current, Node) else ()
        self._signs = signs
        self._facets.set_nodes(nodes)
        for row in range(self._facets.rowCount()):
            self.expand(self._facets.index(row, 0))
        for each in open_paths:
            self.expand(self._facets.index_of(each))
        if path:
            self.setCurrentIndex(self._facets.index_of(path))
        self.viewport().update()

    def sign(self, node: Node) -> str:
        return self._signs.get(node.term, "")

    def _open_paths(self) -> list[tuple[str, ...]]:
        found = []
        stack = [self._facets.index(row, 0) for row in range(self._facets.rowCount())]
        while stack:
            index = stack.pop()
            node = self._facets.node(index)
            if node is not None and self.isExpanded(index):
                found.append(node.path)
                stack.extend(self._facets.index(row, 0, index) for row in range(len(node.children)))
        return found

    def _choose(self, index: QModelIndex, modifiers: Qt.KeyboardModifier) -> None:
        node = self._facets.node(index)
        if node is not None and node.term:
            minus = bool(modifiers & Qt.KeyboardModifier.AltModifier)
            add = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
            self.chosen.emit(node.term, minus, add)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        index = self.indexAt(at)
        node = self._facets.node(index)
        if event.button() != Qt.MouseButton.LeftButton or node is None or not node.term:
            super().mousePressEvent(event)
            return
        caret = _EDGE + 8 + (len(node.path) - 2) * _INDENT
        if node.children and not self.sign(node) and at.x() < caret + 14:
            self.setExpanded(index, not self.isExpanded(index))
            return
        self.setCurrentIndex(index)
        self._choose(index, event.modifiers())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(self.currentIndex(), event.modifiers())
        else:
            super().keyPressEvent(event)
