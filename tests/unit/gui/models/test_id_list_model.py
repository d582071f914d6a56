import threading
import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from reverie_gui.bridge.tasks import Tasks
from reverie_gui.models.id_list_model import ID_ROLE, VALUE_ROLE, IdListModel
from reverie_gui.models.ordered_ids import OrderedIds
from reverie_gui.theme.theme import Theme
from reverie_gui.widgets.list_view import ListView
from reverie_gui.widgets.row_delegate import RowDelegate, RowLook

Value = tuple[str, str]


class Store:
    """What a vault is to the model: values by id, some gone."""

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}
        self.asked: list[list[str]] = []
        self.threads: set[int] = set()

    def fetch(self, ids: list[str]) -> list[Value]:
        self.asked.append(ids)
        self.threads.add(threading.get_ident())
        return [self.values[each] for each in ids if each in self.values]


@pytest.fixture
def store() -> Store:
    made = Store()
    made.values = {f"{n}": (f"{n}", f"text {n}") for n in range(1000)}
    return made


@pytest.fixture
def model(tasks: Tasks, store: Store) -> Iterator[IdListModel]:
    made = IdListModel(tasks, store.fetch, lambda value: value[0], lambda value: value[1])
    tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)
    yield made
    tester.deleteLater()
    made.deleteLater()


def shown(model: IdListModel) -> list[str]:
    return [model.index(row).data(ID_ROLE) for row in range(model.rowCount())]


def test_values_come_later_and_off_the_window_thread(model: IdListModel, store: Store, qtbot: QtBot) -> None:
    model.set_ids([str(n) for n in range(200)])
    assert model.index(5).data(VALUE_ROLE) is None
    with qtbot.waitSignal(model.loaded):
        pass
    assert model.index(5).data(VALUE_ROLE) == ("5", "text 5")
    assert model.index(5).data(Qt.ItemDataRole.DisplayRole) == "text 5"
    assert threading.get_ident() not in store.threads


def test_only_pages_that_were_asked_for_are_fetched(
    model: IdListModel, store: Store, tasks: Tasks, qtbot: QtBot
) -> None:
    model.set_ids([str(n) for n in range(1000)])
    model.value(500)
    qtbot.waitUntil(lambda: tasks.idle() and bool(store.asked))
    assert sum(map(len, store.asked)) <= 2 * 64


@pytest.mark.parametrize(
    "new",
    [
        [],
        ["1"],
        ["0", "1", "2", "3", "4", "5"],
        ["9", "0", "1", "2"],
        ["0", "2"],
        ["2", "1", "0"],
        ["7", "8", "9"],
        ["0", "7", "1", "8", "2"],
    ],
)
def test_ids_change_by_steps_that_the_tester_accepts(model: IdListModel, new: list[str]) -> None:
    model.set_ids(["0", "1", "2"])
    model.set_ids(new)
    assert shown(model) == new
    assert [model.row(each) for each in new] == list(range(len(new)))


def test_persistent_indexes_follow_their_rows(model: IdListModel) -> None:
    from PySide6.QtCore import QPersistentModelIndex

    model.set_ids(["0", "1", "2", "3"])
    kept = QPersistentModelIndex(model.index(2))
    model.set_ids(["9", "0", "2", "3"])
    assert kept.row() == 2
    model.set_ids(["0", "3"])
    assert not kept.isValid()


def test_a_changed_row_shows_its_old_value_until_the_new_one_is_there(
    model: IdListModel, store: Store, tasks: Tasks, qtbot: QtBot
) -> None:
    model.set_ids(["0", "1"], [store.values["0"], store.values["1"]])
    store.values["1"] = ("1", "changed")
    changed: list[int] = []
    model.dataChanged.connect(lambda first, last, _roles=None: changed.append(first.row()))
    model.refresh(["1", "not here"])
    assert model.value(1) == ("1", "text 1")
    qtbot.waitUntil(lambda: model.known("1") == ("1", "changed"))
    assert set(changed) == {1}


def test_values_at_hand_spare_the_fetch(model: IdListModel, store: Store, tasks: Tasks, qtbot: QtBot) -> None:
    model.set_ids(["0", "1"], [store.values["0"], store.values["1"]])
    assert model.value(0) == ("0", "text 0")
    qtbot.waitUntil(tasks.idle)
    assert store.asked == []


def test_a_value_that_is_gone_stays_a_placeholder(
    model: IdListModel, store: Store, tasks: Tasks, qtbot: QtBot
) -> None:
    del store.values["1"]
    model.set_ids(["0", "1"])
    model.value(0)
    qtbot.waitUntil(lambda: model.known("0") is not None)
    assert model.value(1) is None
    qtbot.waitUntil(tasks.idle)


def test_a_hundred_thousand_ids_are_quick_in_a_view(
    theme: Theme, tasks: Tasks, store: Store, qtbot: QtBot
) -> None:
    model = IdListModel(
        tasks, store.fetch, lambda value: value[0]
    )  # without a tester: that looks at each row
    view = ListView(model, RowDelegate(theme, lambda value: RowLook(value[1])))
    view.resize(400, 600)
    qtbot.addWidget(view)
    view.show()
    ids = OrderedIds(f"{n:012x}" for n in range(100_000))
    without = OrderedIds(each for each in ids if each != f"{50_000:012x}")
    for wanted in (ids, without, ids):
        begun = time.thread_time()  # this thread's own work: other programs of the machine don't count
        model.set_ids(wanted)
        view.repaint()
        assert time.thread_time() - begun < 0.2  # 0.03 here; over 0.5 where Qt asks Python for the row count
    assert model.rowCount(QModelIndex()) == 100_000
    view.close()
    qtbot.waitUntil(tasks.idle)


def test_errors_are_told_and_rows_can_be_asked_again(tasks: Tasks, qtbot: QtBot) -> None:
    broken = [True]

    def fetch(ids: list[str]) -> list[Value]:
        if broken[0]:
            raise OSError("disk")
        return [(each, "x") for each in ids]

    model = IdListModel(tasks, fetch, lambda value: value[0])
    model.set_ids(["0"])
    with qtbot.waitSignal(tasks.failed):
        model.value(0)
    broken[0] = False
    model.value(0)
    qtbot.waitUntil(lambda: model.known("0") == ("0", "x"))
    model.deleteLater()
