"""A small tree of counted values: categories, kinds, tags."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

NODE_ROLE = Qt.ItemDataRole.UserRole + 1

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(slots=True, eq=False)
class Node:
    """One row. ``term`` is what a click writes into the query ("kind:fact"); a node without one is a heading.

    kind: the word whose shape is painted ("" for none). count None shows no number.
    """

    text: str
    term: str = ""
    count: int | None = None
    kind: str = ""
    icon: str = ""
    children: list["Node"] = field(default_factory=list)
    parent: "Node | None" = field(default=None, repr=False)
    number: int = 0

    def add(self, child: "Node") -> "Node":
        child.parent = self
        self.children.append(child)
        return child

    @property
    def path(self) -> tuple[str, ...]:
        """The texts from the root down to here: what a node is, across two trees."""
        return (*self.parent.path, self.term or self.text) if self.parent else ()

    @property
    def row(self) -> int:
        return self.parent.children.index(self) if self.parent else 0


def path_tree(counts: Mapping[str, int], key: str, quote: Any = str) -> list[Node]:
    """Slash-separated paths with own counts as a tree; a node's count includes its subtree."""
    root = Node("")
    nodes: dict[str, Node] = {"": root}
    for path in sorted(counts):
        parts = path.split("/")
        for depth, part in enumerate(parts, start=1):
            here = "/".join(parts[:depth])
            if here not in nodes:
                parent = nodes["/".join(parts[: depth - 1])]
                nodes[here] = parent.add(Node(part, f"{key}:{quote(here)}", 0))
            nodes[here].count = (nodes[here].count or 0) + counts[path]
    for child in root.children:
        child.parent = None
    return root.children


class TreeModel(QAbstractItemModel):
    """Shows nodes; ``set_nodes`` keeps rows that are the same (so that nothing folds while counts change)."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._root = Node("")
        self._nodes: dict[int, Node] = {}  # indexes hold numbers, never pointers: a late one finds nothing
        self._next = 1

    def set_nodes(self, nodes: Iterable[Node]) -> None:
        new = Node("")
        for node in nodes:
            new.add(node)
        if _same(self._root, new):
            _copy_counts(self._root, new)
            for node in self._nodes.values():
                at = self._index_of(node)
                self.dataChanged.emit(at, at)
            return
        self.beginResetModel()
        self._root = new
        self._nodes = {}
        for node in _walk(new):
            node.number = self._next
            self._nodes[self._next] = node
            self._next += 1
        self.endResetModel()

    def node(self, index: Index) -> Node | None:
        return self._nodes.get(index.internalId()) if index.isValid() else None

    def index_of(self, path: tuple[str, ...]) -> QModelIndex:
        """The index of a node by its path, invalid if there is none."""
        for node in self._nodes.values():
            if node.path == path:
                return self._index_of(node)
        return QModelIndex()

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        owner = self.node(parent) or self._root
        if column != 0 or not 0 <= row < len(owner.children):
            return QModelIndex()
        return self.createIndex(row, 0, owner.children[row].number)

    def parent(self, index: Index = _ROOT) -> QModelIndex:  # type: ignore[override]
        node = self.node(index)
        if node is None or node.parent is None or node.parent is self._root:
            return QModelIndex()
        return self._index_of(node.parent)

    def rowCount(self, parent: Index = _ROOT) -> int:
        if parent.column() > 0:
            return 0
        return len((self.node(parent) or self._root).children)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        node = self.node(index)
        if node is None:
            return Qt.ItemFlag.NoItemFlags
        return (
            Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            if node.term
            else Qt.ItemFlag.ItemIsEnabled
        )

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self.node(index)
        if node is None:
            return None
        if role == NODE_ROLE:
            return node
        if role == Qt.ItemDataRole.DisplayRole:
            return node.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return node.text if node.count is None else f"{node.text}, {node.count}"
        return None

    def _index_of(self, node: Node) -> QModelIndex:
        return self.createIndex(node.row, 0, node.number)


def _walk(node: Node) -> Iterable[Node]:
    for child in node.children:
        yield child
        yield from _walk(child)


def _same(old: Node, new: Node) -> bool:
    return len(old.children) == len(new.children) and all(
        a.text == b.text and a.term == b.term and _same(a, b)
        for a, b in zip(old.children, new.children, strict=True)
    )


def _copy_counts(old: Node, new: Node) -> None:
    for a, b in zip(old.children, new.children, strict=True):
        a.count = b.count
        _copy_counts(a, b)
