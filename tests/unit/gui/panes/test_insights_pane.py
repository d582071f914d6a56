"""The pane of insights in a real window on a real vault."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from reverie import Vault
from reverie.domain.memory import State
from reverie_gui.app import Session
from reverie_gui.panes.insights.claims import span
from reverie_gui.panes.insights.pane import InsightsPane
from reverie_gui.panes.memories.pane import MemoriesPane

Opened = Callable[[], Session]

MEMORIES = {
    "aaaaaaaaaaaa": ("Prefers window seats", "2024-03-05T10:00:00+00:00"),
    "bbbbbbbbbbbb": ("Books hotels near the station", "2024-10-05T10:00:00+00:00"),
    "cccccccccccc": ("Roasts coffee on Sundays", "2024-10-06T10:00:00+00:00"),
}
INSIGHTS = [
    ("111111111111", "Journeys are planned for calm mornings", ["aaaaaaaaaaaa", "bbbbbbbbbbbb"]),
    ("222222222222", "Sundays are for 100% handwork", ["cccccccccccc"]),
]


@pytest.fixture
def pane(take_in: Callable[..., None], opened: Opened, qtbot: QtBot) -> InsightsPane:
    take_in(MEMORIES, INSIGHTS)
    session = opened()
    session.window.open_pane("insights")
    found = session.window.pane("insights")
    assert isinstance(found, InsightsPane)
    qtbot.waitUntil(lambda: found.model.rowCount() == 2)
    qtbot.waitUntil(lambda: found.detail.insight is not None)
    return found


def chosen(pane: InsightsPane, insight: str, qtbot: QtBot) -> None:
    assert pane.list.select_ids([insight], insight)
    qtbot.waitUntil(lambda: pane.detail.insight is not None and pane.detail.insight.id == insight)


def test_a_row_says_from_how_many_memories_and_when(pane: InsightsPane, qtbot: QtBot) -> None:
    QAbstractItemModelTester(pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal, pane)
    claim = pane.model.known("111111111111")
    shown = pane.list._delegate.look(claim)
    assert shown.title == "Journeys are planned for calm mornings"
    assert shown.second == "from 2 memories, March to October 2024"
    assert shown.kind == "insight"
    index = pane.model.index(pane.model.row("111111111111"))
    spoken = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("Insight, Journeys are planned for calm mornings, from 2 memories")


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ((2025, 3), (2025, 3), "March"),
        ((2025, 3), (2025, 10), "March to October"),
        ((2024, 3), (2024, 10), "March to October 2024"),
        ((2023, 11), (2025, 2), "November 2023 to February 2025"),
    ],
)
def test_spans_name_the_year_only_where_it_is_not_this_one(
    first: tuple[int, int], last: tuple[int, int], words: str
) -> None:
    now = datetime(2025, 12, 1, 12, tzinfo=UTC)
    assert span(datetime(*first, 9, 12, tzinfo=UTC), datetime(*last, 9, 12, tzinfo=UTC), now) == words


def test_its_memories_are_rows_that_open_them(pane: InsightsPane, session: Session, qtbot: QtBot) -> None:
    chosen(pane, "111111111111", qtbot)
    rows = pane.detail.evidence
    qtbot.waitUntil(lambda: pane.detail.model.known("bbbbbbbbbbbb") is not None)
    assert list(pane.detail.model.ids) == ["aaaaaaaaaaaa", "bbbbbbbbbbbb"]
    rows.setFocus()
    rows.select_ids(["bbbbbbbbbbbb"], "bbbbbbbbbbbb")
    qtbot.keyClick(rows, Qt.Key.Key_Return)
    memories = session.window.pane("memories")
    assert isinstance(memories, MemoriesPane)
    qtbot.waitUntil(lambda: memories.isVisible() and memories.detail.memory is not None)
    qtbot.waitUntil(lambda: memories.detail.memory.id == "bbbbbbbbbbbb")


def test_the_field_filters_as_literal_text(pane: InsightsPane, session: Session, qtbot: QtBot) -> None:
    search = session.window.search
    search.set_query("100%")
    qtbot.waitUntil(lambda: list(pane.model.ids) == ["222222222222"])
    assert "1 of 2" in session.window.status.left()
    search.set_query("JOURNEYS ARE")
    qtbot.waitUntil(lambda: list(pane.model.ids) == ["111111111111"])
    search.set_query("_")
    qtbot.waitUntil(lambda: pane.parts.empty.isVisible())
    assert "No insight says “_”" in pane.parts.empty.accessibleName()
    search.set_query("222222222222")  # as a memory's detail links to it
    qtbot.waitUntil(lambda: list(pane.model.ids) == ["222222222222"])
    search.set_query("kind:fact")
    qtbot.waitUntil(lambda: "kind:fact" in pane.parts.problem.text())
    assert pane.model.rowCount() == 2


def test_delete_offers_undo_and_the_trash_can_be_seen(
    pane: InsightsPane, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    chosen(pane, "111111111111", qtbot)
    session.window.commands.actions["delete"].trigger()
    qtbot.waitUntil(lambda: list(pane.model.ids) == ["222222222222"])
    assert vault.insights.get("111111111111").state is State.TRASHED
    assert "Insight deleted" in session.window.toast.accessibleName() or session.window.toast.isVisible()
    qtbot.waitUntil(lambda: session.window.sidebar.facets.model().rowCount() == 1)
    session.window.search.set_query("is:trashed")
    qtbot.waitUntil(lambda: list(pane.model.ids) == ["111111111111"])
    qtbot.waitUntil(lambda: pane.detail.restore.isVisible())
    assert not pane.detail.bin.isVisible()
    pane.list.setFocus()
    qtbot.keyClick(pane.list, Qt.Key.Key_R)
    qtbot.waitUntil(lambda: pane.model.rowCount() == 0)
    session.window.search.set_query("")
    qtbot.waitUntil(lambda: pane.model.rowCount() == 2)


def test_another_process_s_dream_shows_up(
    pane: InsightsPane, take_in: Callable[..., None], qtbot: QtBot
) -> None:
    take_in({}, [("333333333333", "Something new", ["aaaaaaaaaaaa"])])
    qtbot.waitUntil(lambda: pane.model.rowCount() == 3)


def test_without_insights_a_dream_is_offered(opened: Opened, qtbot: QtBot) -> None:
    session = opened()
    session.window.open_pane("insights")
    pane = session.window.pane("insights")
    assert isinstance(pane, InsightsPane)
    qtbot.waitUntil(lambda: pane.parts.empty.isVisible())
    assert "No insights yet" in pane.parts.empty.accessibleName()


def test_a_narrow_window_shows_the_detail_alone(pane: InsightsPane, qtbot: QtBot) -> None:
    pane.set_narrow(True)
    assert pane.list.isVisible()
    pane.list.opened.emit("111111111111")
    assert not pane.list.isVisible()
    assert pane.back()
    assert pane.list.isVisible()
    assert not pane.back()
