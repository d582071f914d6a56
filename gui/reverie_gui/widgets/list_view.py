"""The list of a pane: one row a value, kept selection, single-key commands."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QToolTip, QWidget

from reverie_gui.models.id_list_model import VALUE_ROLE, IdListModel
from reverie_gui.theme.tokens import MOTION
from reverie_gui.widgets.row_delegate import RowDelegate

_NO_KEYS = Qt.KeyboardModifier.NoModifier


class ListView(QListView):
    """Shows an IdListModel.

    Signals: ``picked(list[str])`` the selected ids changed (in list order, at most 10,000 told); ``opened(str)`` Enter
    or double click; ``left_up()`` Up on the first row or "/"; ``menu_wanted(QPoint)`` in global coordinates.
    """

    picked = Signal(list)
    opened = Signal(str)
    left_up = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(self, model: IdListModel, delegate: RowDelegate, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = model
        self._delegate = delegate
        self._keys: dict[str, Callable[[], object]] = {}
        self._kept: list[str] = []
        self._current = ""
        self._row = 0
        self.letters = True  # single-key commands can be switched off
        self._blank = QTimer(self)  # before the first rows: nothing for 300 ms, then their shapes
        self._blank.setSingleShot(True)
        self._blank.setInterval(MOTION.busy_after)
        self._blank.timeout.connect(self.viewport().update)
        self._waits = True
        self._blank.start()
        delegate.setParent(self)
        self.setModel(model)
        self.setItemDelegate(delegate)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(
            lambda at: self.menu_wanted.emit(self.viewport().mapToGlobal(at))
        )
        self.doubleClicked.connect(self._open)
        self.selectionModel().selectionChanged.connect(self._tell)
        model.modelReset.connect(self._end_wait)
        model.rowsInserted.connect(self._end_wait)
        model.modelAboutToBeReset.connect(self._remember)
        model.modelReset.connect(self._restore)
        model.rows_leaving.connect(self._step_off)

    def _end_wait(self) -> None:
        self._waits = False
        self._blank.stop()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._waits and not self._blank.isActive() and not self._rows.rowCount():
            painter = QPainter(self.viewport())
            self._delegate.paint_skeletons(painter, self.viewport().rect())
            painter.end()

    def on_key(self, key: str, act: Callable[[], object]) -> None:
        """A command on a single letter, such as "E"; works only while the list has the focus."""
        self._keys[key.upper()] = act

    def set_compact(self, compact: bool) -> None:
        self._delegate.compact = compact
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def selected_ids(self) -> list[str]:
        """The selected ids in list order."""
        found: list[str] = []
        for first, last in sorted(self._selected_rows()):
            found += self._rows.ids_between(first, last)
        return found

    def selected_count(self) -> int:
        """How many are selected: cheap."""
        return sum(last - first + 1 for first, last in self._selected_rows())

    def _selected_rows(self) -> list[tuple[int, int]]:
        """The first and last row of each run of selected rows."""
        selection = self.selectionModel().selection()
        parts = [selection.at(place) for place in range(selection.count())]
        return [(part.top(), part.bottom()) for part in parts]

    def current_id(self) -> str | None:
        return self._rows.id_at(self.currentIndex().row())

    def select_ids(self, ids: Iterable[str], current: str | None = None) -> bool:
        """Selects those that are in the list; False if none is."""
        rows = sorted(row for row in (self._rows.row(each) for each in ids) if row >= 0)
        selection = QItemSelection()
        for first, last in _runs(rows):
            selection.select(self._rows.index(first), self._rows.index(last))
        at = self._rows.row(current) if current else -1
        if at < 0 and rows:
            at = rows[0]
        flags = QItemSelectionModel.SelectionFlag
        if at >= 0:
            self.selectionModel().setCurrentIndex(self._rows.index(at), flags.NoUpdate)
        self.selectionModel().select(selection, flags.ClearAndSelect)
        return bool(rows)

    def select_row(self, row: int) -> None:
        """Selects one row, the last one if there are fewer; nothing in an empty list."""
        count = self._rows.rowCount()
        if count:
            self.setCurrentIndex(self._rows.index(max(0, min(row, count - 1))))

    # Selection across changes of the rows.

    def _remember(self) -> None:
        self._kept = self.selected_ids()
        self._current = self.current_id() or ""
        self._row = self.currentIndex().row()

    def _restore(self) -> None:
        kept, current = self._kept, self._current
        self._kept, self._current = [], ""
        if kept and not self.select_ids(kept, current):
            self.select_row(self._row)

    def _step_off(self, first: int, last: int) -> None:
        """What follows a deleted row is selected next, as in a mail program."""
        leaving = self.selected_ids()
        if leaving and all(first <= self._rows.row_now(each) <= last for each in leaving):
            follows = last + 1 if last + 1 < self._rows.rowCount() else first - 1
            if follows >= 0:
                self.setCurrentIndex(self._rows.index(follows))

    def _tell(self) -> None:
        ids = self.selected_ids()
        several = len(ids) > 1
        if several != self._delegate.checks:
            self._delegate.checks = several
            self.viewport().update()
        self.picked.emit(ids)

    def _open(self, index: QModelIndex) -> None:
        each = self._rows.id_at(index.row())
        if each is not None:
            self.opened.emit(each)

    # What Qt asks.

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, plain = event.key(), event.modifiers() in (_NO_KEYS, Qt.KeyboardModifier.KeypadModifier)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self._open(self.currentIndex())
        elif key == Qt.Key.Key_Up and plain and self.currentIndex().row() <= 0:
            self.left_up.emit()
        elif plain and self.letters and self._letter(event):
            pass
        elif event.text().isprintable() and event.text() and plain and key != Qt.Key.Key_Space:
            event.ignore()  # no typing ahead: it would ask for the text of all rows
        else:
            super().keyPressEvent(event)

    def _letter(self, event: QKeyEvent) -> bool:
        if event.key() in (Qt.Key.Key_J, Qt.Key.Key_K):
            self.select_row(self.currentIndex().row() + (1 if event.key() == Qt.Key.Key_J else -1))
            return True
        name = "SPACE" if event.key() == Qt.Key.Key_Space else event.text().upper()
        if name == "/":
            self.left_up.emit()
            return True
        act = self._keys.get(name)
        if act is None:
            return False
        act()
        return True

    def viewportEvent(self, event) -> bool:  # type: ignore[no-untyped-def]
        if isinstance(event, QHelpEvent):
            value = self.indexAt(event.pos()).data(VALUE_ROLE)
            tip = self._delegate.look(value).tip_text() if value is not None else ""
            if tip:
                QToolTip.showText(event.globalPos(), tip, self)
            else:
                QToolTip.hideText()
            return True
        return super().viewportEvent(event)

    def focusInEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            self.select_row(0)
        self.viewport().update()

    def focusOutEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        super().focusOutEvent(event)
        self.viewport().update()


def _runs(rows: list[int]) -> Iterable[tuple[int, int]]:
    start = previous = None
    for row in rows:
        if start is None or previous is None:
            start = previous = row
        elif row == previous + 1:
            previous = row
        else:
            yield start, previous
            start = previous = row
    if start is not None and previous is not None:
        yield start, previous
