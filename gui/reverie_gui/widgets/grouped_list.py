"""A list in groups: caps over the rows of each, which the keyboard passes over."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from reverie_gui.bridge.tasks import Tasks
from reverie_gui.models.id_list_model import ID_ROLE, VALUE_ROLE, IdListModel
from reverie_gui.models.ordered_ids import OrderedIds
from reverie_gui.theme.fonts import font, scaled
from reverie_gui.theme.theme import Theme
from reverie_gui.theme.tokens import S2, S4, SIZES
from reverie_gui.widgets.list_view import ListView
from reverie_gui.widgets.row_delegate import Look, RowDelegate, RowLook
from reverie_gui.wording import number

Index = QModelIndex | QPersistentModelIndex
_MARK = "\0"  # no id of the vault begins so
LIMIT = 1000  # rows of a group
_MEASURED = 500  # rows: above that each row counts as equally high, which spares a measure of each


@dataclass(frozen=True, slots=True)
class Group:
    """A heading and the ids under it; one without ids is not shown. ``total``: where there are more than these."""

    name: str
    title: str
    ids: tuple[str, ...]
    total: int = 0


def short_group(name: str, title: str, ids: Sequence[str], limit: int = LIMIT) -> Group:
    """The first ``limit`` ids, and the title says so: a view measures each row, on the window's thread."""
    if len(ids) <= limit:
        return Group(name, title, tuple(ids))
    words = QCoreApplication.translate("GroupedList", "{title} (the first {n} of {total})")
    return Group(
        name, words.format(title=title, n=number(limit), total=number(len(ids))), tuple(ids[:limit]), len(ids)
    )


@dataclass(frozen=True, slots=True)
class Head:
    """What the row of a heading holds."""

    id: str
    title: str
    count: int


class GroupedModel(IdListModel):
    """``set_groups`` in place of ``set_ids``; the rest as IdListModel."""

    def __init__(
        self,
        tasks: Tasks,
        fetch: Callable[[list[str]], Sequence[Any]],
        key: Callable[[Any], str],
        describe: Callable[[Any], str],
        parent: QObject | None = None,
    ) -> None:
        self._heads: dict[str, Head] = {}
        super().__init__(
            tasks,
            lambda ids: self._fetch_all(ids, fetch),
            lambda value: value.id if isinstance(value, Head) else key(value),
            lambda value: f"{value.title}, {value.count}" if isinstance(value, Head) else describe(value),
            parent,
        )

    def set_groups(self, groups: Iterable[Group], values: Iterable[Any] = ()) -> None:
        """Shows these groups in this order; ``values`` that are at hand spare their fetch."""
        shown = [group for group in groups if group.ids]
        heads = {
            f"{_MARK}{group.name}": Head(f"{_MARK}{group.name}", group.title, group.total or len(group.ids))
            for group in shown
        }
        changed = [head for id, head in heads.items() if self._heads.get(id) != head]
        self._heads = heads
        ids: list[str] = []
        for group in shown:
            ids += [f"{_MARK}{group.name}", *group.ids]
        self.set_ids(OrderedIds(ids), [*changed, *values])

    def count(self) -> int:
        """Rows without headings."""
        return self.rowCount() - len(self._heads)

    def is_head(self, row: int) -> bool:
        return (self.id_at(row) or "").startswith(_MARK)

    def next_row(self, row: int, step: int) -> int:
        """The nearest row from ``row`` on that is no heading, in the direction of ``step``; -1 if there is none."""
        while 0 <= row < self.rowCount():
            if not self.is_head(row):
                return row
            row += step
        return -1

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.NoItemFlags if self.is_head(index.row()) else super().flags(index)

    def _fetch_all(self, ids: list[str], fetch: Callable[[list[str]], Sequence[Any]]) -> list[Any]:
        heads = [self._heads[each] for each in ids if each in self._heads]
        wanted = [each for each in ids if not each.startswith(_MARK)]
        return [*heads, *(fetch(wanted) if wanted else ())]


class GroupedDelegate(RowDelegate):
    """Rows as RowDelegate paints them, headings lower and in caps with their count."""

    def __init__(self, theme: Theme, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(theme, look, parent)
        self._colours = theme
        self.measured = True

    def look(self, value: Any) -> RowLook:
        return RowLook(value.title) if isinstance(value, Head) else super().look(value)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        if self.measured and str(index.data(ID_ROLE) or "").startswith(_MARK):
            first = index.row() == 0
            size.setHeight(scaled(SIZES.row_compact) + (0 if first else S2))
        return size

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        value = index.data(VALUE_ROLE)
        if not isinstance(value, Head):
            super().paint(painter, option, index)
            return
        look = self._colours.palette
        rect: QRect = option.rect
        line = QRect(
            rect.left() + S4,
            rect.bottom() - scaled(SIZES.row_compact) + 1,
            rect.width() - S4 - 12,
            scaled(SIZES.row_compact),
        )
        painter.save()
        painter.setFont(font("caps"))
        painter.setPen(QColor(look.text_3))
        painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter), value.title.upper())
        painter.setFont(font("meta"))
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(line, int(middle), number(value.count))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), QColor(look.hairline))
        painter.restore()


class GroupedList(ListView):
    """A ListView over a GroupedModel: headings are never selected."""

    def __init__(self, model: GroupedModel, delegate: GroupedDelegate, parent: QWidget | None = None) -> None:
        self._grouped = model
        self._drawn = delegate
        super().__init__(model, delegate, parent)
        self.setUniformItemSizes(False)
        model.modelReset.connect(self._measure)
        model.rowsInserted.connect(self._measure)

    def selected_ids(self) -> list[str]:
        return [each for each in super().selected_ids() if not each.startswith(_MARK)]

    def select_row(self, row: int) -> None:
        """Selects the nearest row that is no heading, onwards in the direction of the move."""
        if not self._grouped.rowCount():
            return
        here = self.currentIndex().row()
        row = max(0, min(row, self._grouped.rowCount() - 1))
        step = -1 if 0 <= row < here else 1
        found = self._grouped.next_row(row, step)
        if found < 0:
            found = self._grouped.next_row(row, -step)
        if found >= 0:
            self.setCurrentIndex(self._grouped.index(found))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        first = self._grouped.next_row(row - 1, -1) < 0
        if event.key() == Qt.Key.Key_Up and not event.modifiers() and first:
            self.left_up.emit()
        else:
            super().keyPressEvent(event)

    def _measure(self) -> None:
        self._drawn.measured = self._grouped.rowCount() <= _MEASURED
        self.setUniformItemSizes(not self._drawn.measured)
