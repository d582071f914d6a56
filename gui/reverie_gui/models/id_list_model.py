"""A list model over ordered ids whose values are fetched by page, when a view first asks for them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QStringListModel, Qt, QTimer, Signal

from reverie_gui.bridge.tasks import Task, Tasks
from reverie_gui.models.ordered_ids import OrderedIds, Step, steps

ID_ROLE = Qt.ItemDataRole.UserRole + 1
VALUE_ROLE = Qt.ItemDataRole.UserRole + 2

_PAGE = 64  # rows a fetch
_CACHE = 4096  # values kept
_WANTED_PAGES = 6  # the latest pages that a view asked for; a fast scroll skips the others
_IN_FLIGHT = 2

Index = QModelIndex | QPersistentModelIndex


class IdListModel(QStringListModel):
    """Rows are ids; ``VALUE_ROLE`` gives the value, or None until it was fetched (paint a placeholder).

    Qt's own string list only counts the rows: a list view asks for the row count twice a row when it lays out, and
    100,000 times two calls into Python are half a second.

    fetch: called on a worker with ids; gives their values, those that are gone left out.
    key: the id of a value. describe: the text for screen readers and for typing ahead.

    Signals: ``loaded()`` after values came; ``rows_leaving(first, last)`` before rows are removed and before Qt moves
    its current index away from them. A reset (``modelReset``) only happens where rows moved or all changed;
    views that want to keep the selection across it keep ids (``widgets.list_view`` does).
    """

    loaded = Signal()
    rows_leaving = Signal(int, int)

    def __init__(
        self,
        tasks: Tasks,
        fetch: Callable[[list[str]], Sequence[Any]],
        key: Callable[[Any], str],
        describe: Callable[[Any], str] = str,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._fetch = fetch
        self._key = key
        self._describe = describe
        self._ids: OrderedIds = OrderedIds()
        self._order: list[str] = []  # what views know; equals _ids except inside set_ids; to be read only
        self._values: dict[str, Any] = {}
        self._stale: set[str] = set()
        self._wanted: list[int] = []
        self._flying: set[int] = set()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._fetch_wanted)
        self._next = self._ids
        self._step: Step | None = None
        # The first to hear of each change, before any view does.
        self.modelReset.connect(self._take)
        self.rowsInserted.connect(self._inserted)
        self.rowsRemoved.connect(self._removed)

    # What panes use.

    @property
    def ids(self) -> OrderedIds:
        return self._ids

    def set_ids(self, ids: OrderedIds | Iterable[str], values: Iterable[Any] = ()) -> None:
        """Shows these ids in this order, by the fewest steps; ``values`` that are at hand spare their fetch."""
        new = ids if isinstance(ids, OrderedIds) else OrderedIds(ids)
        self.offer(values)
        path = steps(self._order, new)
        self._next = new
        if path is None:
            self.setStringList([""] * len(new))
        else:
            self._order = list(self._order)
            for step in path:
                self._step = step
                if step.insert:
                    self.insertRows(step.first, step.last - step.first + 1)
                else:
                    self.rows_leaving.emit(step.first, step.last)
                    self.removeRows(step.first, step.last - step.first + 1)
            self._take()

    def offer(self, values: Iterable[Any]) -> None:
        """Puts values that someone has anyway into the cache, and repaints their rows."""
        for value in values:
            each = self._key(value)
            self._values[each] = value
            self._stale.discard(each)
            self._changed_row(each)

    def refresh(self, ids: Iterable[str] | None = None) -> None:
        """Fetches these again (None: all that are cached); old values stay visible meanwhile."""
        for each in list(self._values) if ids is None else ids:
            if each in self._values:
                self._stale.add(each)
                self._changed_row(each)

    def value(self, row: int) -> Any | None:
        """The value at a row, if it is here; asks for it otherwise."""
        return self._value(row) if 0 <= row < len(self._order) else None

    def known(self, each: str) -> Any | None:
        """The value of an id, if it is here."""
        return self._values.get(each)

    def row(self, each: str) -> int:
        return self._ids.place(each)

    def row_now(self, each: str) -> int:
        """The row of an id as views know it: right also while ``set_ids`` is at work; slow, for a few ids."""
        row = self._ids.place(each)
        if 0 <= row < len(self._order) and self._order[row] == each:
            return row
        return self._order.index(each) if each in self._order else -1

    def id_at(self, row: int) -> str | None:
        return self._order[row] if 0 <= row < len(self._order) else None

    # What Qt asks.

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = index.row()
        if not index.isValid() or row >= len(self._order):
            return None
        if role == ID_ROLE:
            return self._order[row]
        if role == VALUE_ROLE:
            return self._value(row)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            value = self._values.get(self._order[row])  # not fetched for this: Qt may ask for each row
            return "" if value is None else self._describe(value)
        return None

    # How it works.

    def _take(self) -> None:
        self._ids = self._next
        self._order = self._next.as_list()
        self._wanted.clear()

    def _inserted(self) -> None:
        step = self._step
        if step is not None:
            self._order[step.first : step.first] = step.ids

    def _removed(self) -> None:
        step = self._step
        if step is not None:
            del self._order[step.first : step.last + 1]

    def flags(self, index: Index) -> Qt.ItemFlag:
        plain = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return plain if index.isValid() else Qt.ItemFlag.NoItemFlags

    def _value(self, row: int) -> Any | None:
        each = self._order[row]
        value = self._values.get(each)
        if value is None or each in self._stale:
            self._want(row // _PAGE)
        return value

    def _want(self, page: int) -> None:
        if page in self._flying or (self._wanted and self._wanted[-1] == page):
            return
        if page in self._wanted:
            self._wanted.remove(page)
        self._wanted.append(page)
        del self._wanted[:-_WANTED_PAGES]
        if not self._timer.isActive():
            self._timer.start(0)

    def _fetch_wanted(self) -> None:
        while self._wanted and len(self._flying) < _IN_FLIGHT:
            page = self._wanted.pop()
            ids = [
                each
                for each in self._order[page * _PAGE : (page + 1) * _PAGE]
                if each not in self._values or each in self._stale
            ]
            if ids:
                self._flying.add(page)
                self._start(page, ids)

    def _start(self, page: int, ids: list[str]) -> None:
        self._stale.difference_update(ids)

        def work(_task: Task[Any]) -> list[Any]:
            return list(self._fetch(ids))

        def done(values: list[Any]) -> None:
            self._flying.discard(page)
            self._keep(values)
            self._fetch_wanted()
            self.loaded.emit()

        def failed(error: Exception) -> None:
            self._flying.discard(page)
            self._tasks.failed.emit(None, error)

        self._tasks.run(work, on_done=done, on_failed=failed, owner=self)

    def _keep(self, values: list[Any]) -> None:
        while len(self._values) + len(values) > _CACHE and self._values:
            oldest = next(iter(self._values))
            del self._values[oldest]
            self._stale.discard(oldest)
        rows = []
        for value in values:
            each = self._key(value)
            self._values.pop(each, None)
            self._values[each] = value
            row = self._ids.place(each)
            if row >= 0:
                rows.append(row)
        if rows:
            self.dataChanged.emit(self.index(min(rows)), self.index(max(rows)))

    def _changed_row(self, each: str) -> None:
        row = self._ids.place(each)
        if row >= 0:
            self.dataChanged.emit(self.index(row), self.index(row))
