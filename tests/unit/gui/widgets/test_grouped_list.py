"""Lists in groups."""

from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from reverie_gui.bridge.tasks import Tasks
from reverie_gui.theme.theme import Theme
from reverie_gui.widgets.grouped_list import Group, GroupedDelegate, GroupedList, GroupedModel, short_group
from reverie_gui.widgets.row_delegate import RowLook


@dataclass(frozen=True)
class Thing:
    id: str


def group(name: str, *ids: str) -> Group:
    return Group(name, name.title(), ids)


@pytest.fixture
def model(tasks: Tasks) -> GroupedModel:
    return GroupedModel(
        tasks, lambda ids: [Thing(each) for each in ids], lambda thing: thing.id, lambda thing: thing.id
    )


@pytest.fixture
def view(model: GroupedModel, theme: Theme, qtbot: QtBot) -> GroupedList:
    made = GroupedList(model, GroupedDelegate(theme, lambda thing: RowLook(thing.id)))
    qtbot.addWidget(made)
    made.resize(400, 400)
    return made


def test_it_is_a_sound_model(model: GroupedModel) -> None:
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.set_groups([group("one", "a", "b"), group("none"), group("two", "c")])
    assert model.rowCount() == 5
    assert model.count() == 3
    model.set_groups([group("one", "a"), group("two", "c", "d")])
    model.set_groups([group("two", "d", "c")])
    model.set_groups([])
    assert model.rowCount() == 0


def test_headings_cannot_be_selected(model: GroupedModel) -> None:
    model.set_groups([group("one", "a")])
    assert model.flags(model.index(0)) == Qt.ItemFlag.NoItemFlags
    assert model.flags(model.index(1)) & Qt.ItemFlag.ItemIsSelectable
    assert model.data(model.index(0), Qt.ItemDataRole.AccessibleTextRole) == "One, 1"


def test_keys_pass_over_headings(view: GroupedList, model: GroupedModel, qtbot: QtBot) -> None:
    model.set_groups([group("one", "a"), group("two", "b")])
    view.select_row(0)
    assert view.selected_ids() == ["a"]
    qtbot.keyClick(view, Qt.Key.Key_J)
    assert view.selected_ids() == ["b"]
    qtbot.keyClick(view, Qt.Key.Key_J)
    assert view.selected_ids() == ["b"]
    qtbot.keyClick(view, Qt.Key.Key_K)
    assert view.selected_ids() == ["a"]
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.selected_ids() == ["b"]
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert view.selected_ids() == ["a"]
    with qtbot.waitSignal(view.left_up):
        qtbot.keyClick(view, Qt.Key.Key_Up)


def test_all_selected_are_rows(view: GroupedList, model: GroupedModel) -> None:
    model.set_groups([group("one", "a", "b"), group("two", "c")])
    view.selectAll()
    assert view.selected_ids() == ["a", "b", "c"]


def test_it_paints_headings_lower_than_rows(view: GroupedList, model: GroupedModel, qtbot: QtBot) -> None:
    model.set_groups([group("one", "a")], [Thing("a")])
    view.show()
    qtbot.waitExposed(view)
    assert view.visualRect(model.index(0)).height() < view.visualRect(model.index(1)).height()
    assert not view.grab().isNull()
    view.hide()


def test_a_long_group_is_cut_and_says_so(model: GroupedModel) -> None:
    many = short_group("one", "One", [str(n) for n in range(30)], limit=10)
    model.set_groups([many])
    assert model.count() == 10
    assert model.data(model.index(0), Qt.ItemDataRole.AccessibleTextRole) == "One (the first 10 of 30), 30"
    assert short_group("one", "One", ["a"]) == group("one", "a")
