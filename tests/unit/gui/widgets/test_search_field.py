from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from reverie_gui.theme.theme import Theme
from reverie_gui.widgets.search_field import SearchField


@pytest.fixture
def field(theme: Theme, qtbot: QtBot) -> Iterator[SearchField]:
    window = QWidget()
    window.resize(900, 600)
    made = SearchField(theme)
    QVBoxLayout(window).addWidget(made)
    made.complete = lambda key, prefix: [
        (v, 3) for v in ("release", "review") if key == "tag" and v.startswith(prefix)
    ]
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    made.setFocus()
    qtbot.waitUntil(made.hasFocus)
    yield made
    window.close()


def test_typing_is_told_once_after_a_pause(field: SearchField, qtbot: QtBot) -> None:
    told: list[str] = []
    field.queried.connect(told.append)
    qtbot.keyClicks(field, "berlin ")
    qtbot.waitUntil(lambda: bool(told))
    qtbot.wait(100)
    assert told == ["berlin"]


def test_a_value_on_its_way_is_not_asked_for(field: SearchField, qtbot: QtBot) -> None:
    told: list[str] = []
    field.queried.connect(told.append)
    qtbot.keyClicks(field, "berlin tag:rel")
    qtbot.waitUntil(lambda: told == ["berlin"])
    qtbot.keyClicks(field, "ease")
    qtbot.waitUntil(lambda: told[-1] == "berlin tag:release")


def test_tab_takes_a_completion(field: SearchField, qtbot: QtBot) -> None:
    qtbot.keyClicks(field, "tag:rev")
    qtbot.waitUntil(field._popover.isVisible)
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    assert field.text().strip() == "tag:review"
    assert field.hasFocus()


def test_escape_closes_then_clears_then_leaves(field: SearchField, qtbot: QtBot) -> None:
    qtbot.keyClicks(field, "tag:re")
    qtbot.waitUntil(field._popover.isVisible)
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not field._popover.isVisible()
    assert field.text() == "tag:re"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    field.hide_popovers()
    with qtbot.waitSignal(field.escaped):
        qtbot.keyClick(field, Qt.Key.Key_Escape)


def test_down_goes_into_the_list(field: SearchField, qtbot: QtBot) -> None:
    with qtbot.waitSignal(field.left_down):
        qtbot.keyClick(field, Qt.Key.Key_Down)


def test_a_facet_writes_the_query_at_once(field: SearchField, qtbot: QtBot) -> None:
    with qtbot.waitSignal(field.queried) as caught:
        field.set_query("kind:fact")
    assert caught.args == ["kind:fact"]


def test_the_card_of_the_language(field: SearchField) -> None:
    field.show_card()
    assert field._card.isVisible()
    assert field.hide_popovers()
