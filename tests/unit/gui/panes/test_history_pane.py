"""The pane of the history in a real window on a real vault."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from reverie import Vault
from reverie_gui.app import Session
from reverie_gui.panes.history.lines import Line
from reverie_gui.panes.history.pane import HistoryPane
from reverie_gui.panes.history.view import is_heading
from reverie_gui.panes.memories.pane import MemoriesPane
from reverie_gui.widgets.diff_view import DiffView

Opened = Callable[[], Session]
Pane = Callable[[], HistoryPane]


@pytest.fixture
def shown(opened: Opened, qtbot: QtBot) -> Pane:
    """Opens the pane on the vault as it is by then."""

    def show() -> HistoryPane:
        session = opened()
        session.window.open_pane("history")
        found = session.window.pane("history")
        assert isinstance(found, HistoryPane)
        qtbot.waitUntil(session.tasks.idle)
        return found

    return show


def lines(pane: HistoryPane) -> list[Line]:
    values = (pane.model.value(row) for row in range(pane.model.rowCount()))
    return [value for value in values if isinstance(value, Line)]


def choose(pane: HistoryPane, each: Line, qtbot: QtBot) -> None:
    assert pane.list.select_ids([each.key], each.key)
    qtbot.waitUntil(lambda: pane.detail._shown is not None and pane.detail._shown.line.id == each.id)


def texts(pane: HistoryPane) -> str:
    said = [label.text() for label in pane.detail.rows.findChildren(QLabel)]
    diffs = [diff.toPlainText() for diff in pane.detail.rows.findChildren(DiffView)]
    return "\n".join([*said, *diffs])


def test_changes_are_listed_by_day_newest_first(
    vault: Vault, shown: Pane, session: Session, qtbot: QtBot
) -> None:
    memory = vault.memories.add("Prefers window seats")
    vault.memories.update(memory.id, importance=0.9)
    vault.memories.add_many([{"content": f"Note {n}"} for n in range(3)], author="agent:claude")
    pane = shown()
    QAbstractItemModelTester(pane.model, QAbstractItemModelTester.FailureReportingMode.Fatal, pane)
    assert is_heading(pane.model.index(0))
    assert [each.text for each in lines(pane)] == [
        "Agent claude added 3 memories",
        "You edited a memory",
        "You added a memory",
    ]
    assert lines(pane)[1].about == "Prefers window seats"
    assert session.window.status.left() == "3 changes"
    spoken = pane.model.index(2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.endswith("You edited a memory, Prefers window seats")


def test_the_keyboard_passes_over_days(vault: Vault, shown: Pane, qtbot: QtBot) -> None:
    for n in range(3):
        vault.memories.add(f"Note {n}")
    pane = shown()
    assert pane.list.currentIndex().row() == 1
    pane.list.setFocus()
    for _ in range(5):
        qtbot.keyClick(pane.list, Qt.Key.Key_Down)
    assert pane.list.currentIndex().row() == 3
    for _ in range(2):
        qtbot.keyClick(pane.list, Qt.Key.Key_K)
    assert pane.list.currentIndex().row() == 1
    with qtbot.waitSignal(pane.list.left_up):
        qtbot.keyClick(pane.list, Qt.Key.Key_Up)
    assert pane.list.currentIndex().row() == 1
    qtbot.keyClick(pane.list, Qt.Key.Key_Home)
    assert pane.list.currentIndex().row() == 1


def test_a_change_is_shown_field_by_field(vault: Vault, shown: Pane, session: Session, qtbot: QtBot) -> None:
    memory = vault.memories.add("Prefers window seats on trains")
    vault.memories.update(memory.id, content="Prefers aisle seats on trains", tags=("travel",), pinned=True)
    pane = shown()
    choose(pane, lines(pane)[0], qtbot)
    said = texts(pane)
    assert "none → travel" in said
    assert "no → yes" in said
    assert "Pinned" in said
    assert "window" in said
    assert "aisle" in said
    assert "[" not in said  # no JSON
    assert "content_hash" not in said
    row = pane.detail._shown.rows[0]
    assert row.memory == memory.id
    pane.detail._open(row)
    memories = session.window.pane("memories")
    assert isinstance(memories, MemoriesPane)
    qtbot.waitUntil(lambda: memories.detail.memory is not None and memories.detail.memory.id == memory.id)


def test_undo_this_leaves_the_line_marked(vault: Vault, shown: Pane, qtbot: QtBot) -> None:
    memory = vault.memories.add("Prefers window seats")
    vault.memories.update(memory.id, importance=0.9)
    vault.memories.update(memory.id, tags=("travel",))
    pane = shown()
    edited = lines(pane)[1]
    choose(pane, edited, qtbot)
    pane.list.setFocus()
    qtbot.keyClick(pane.list, Qt.Key.Key_U)
    qtbot.waitUntil(lambda: lines(pane)[0].text == "You took back editing a memory")
    assert vault.memories.get(memory.id).importance == 0.5
    assert vault.memories.get(memory.id).tags == ("travel",)
    qtbot.waitUntil(lambda: next(each for each in lines(pane) if each.id == edited.id).undone)
    assert pane.detail.line.id == edited.id  # the selection stays
    assert not pane.detail.undo.isEnabled()
    # The undo itself can be taken back: then the change stands again.
    choose(pane, lines(pane)[0], qtbot)
    assert pane.detail.undo.text() == "Redo this"
    pane.detail.undo.click()
    qtbot.waitUntil(lambda: vault.memories.get(memory.id).importance == 0.9)
    qtbot.waitUntil(lambda: not next(each for each in lines(pane) if each.id == edited.id).undone)


def test_a_conflict_names_what_stands_in_the_way(
    vault: Vault, shown: Pane, session: Session, qtbot: QtBot
) -> None:
    memory = vault.memories.add("Prefers window seats")
    vault.memories.update(memory.id, importance=0.9)
    vault.memories.update(memory.id, importance=0.2)
    pane = shown()
    choose(pane, lines(pane)[1], qtbot)
    pane.detail.undo.click()
    qtbot.waitUntil(pane.detail.problem.isVisible)
    assert "changed since" in pane.detail.problem.text.text()
    links = [label.text() for label in pane.detail.problem.findChildren(type(pane.detail.undo))]
    assert links == ["Prefers window seats"]
    assert vault.memories.get(memory.id).importance == 0.2
    assert not session.window.banner.title()


def test_undo_to_here_asks_with_the_count(vault: Vault, shown: Pane, qtbot: QtBot) -> None:
    vault.memories.add("First")
    for n in range(4):
        vault.memories.add(f"Later {n}", author="agent:claude")
    pane = shown()
    first = lines(pane)[-1]
    choose(pane, first, qtbot)
    pane.detail.undo_to.click()
    question = pane.detail.question
    qtbot.waitUntil(question.isVisible)
    assert question.title.text() == "Takes back 4 changes"
    assert question.go.text() == "Undo 4 changes"
    assert question.stay.hasFocus()
    qtbot.keyClick(question.stay, Qt.Key.Key_Escape)
    assert not question.isVisible()
    assert vault.memories.count() == 5
    pane.detail.undo_to.click()
    qtbot.waitUntil(question.isVisible)
    question.go.click()
    qtbot.waitUntil(lambda: vault.memories.count() == 1)
    qtbot.waitUntil(lambda: lines(pane)[0].text == "You took back 4 changes")
    qtbot.waitUntil(lambda: [each.undone for each in lines(pane)] == [False, True, True, True, True, False])


def test_authors_and_words_narrow(vault: Vault, shown: Pane, session: Session, qtbot: QtBot) -> None:
    vault.memories.add("Prefers window seats")
    vault.memories.add("Roasts coffee", author="agent:claude")
    vault.memories.add("Roasts nuts", author="agent:cursor")
    pane = shown()
    search = session.window.search
    facets = session.window.sidebar.facets
    assert facets.model().rowCount() == 1
    facets.chosen.emit("author:agent", False, False)
    qtbot.waitUntil(lambda: len(lines(pane)) == 2)
    search.set_query("author:agent:cursor")
    qtbot.waitUntil(lambda: [each.about for each in lines(pane)] == ["Roasts nuts"])
    search.set_query("-author:agent")
    qtbot.waitUntil(lambda: [each.about for each in lines(pane)] == ["Prefers window seats"])
    search.set_query("roasts")
    qtbot.waitUntil(lambda: len(lines(pane)) == 2)
    search.set_query("nowhere")
    qtbot.waitUntil(pane.parts.empty.isVisible)
    assert "No change matches nowhere" in pane.parts.empty.accessibleName()


def test_a_memory_s_own_history(vault: Vault, shown: Pane, session: Session, qtbot: QtBot) -> None:
    memory = vault.memories.add("Prefers window seats")
    vault.memories.add("Another")
    vault.memories.update(memory.id, importance=0.9)
    pane = shown()
    session.window.open_pane("history", memory.id)
    qtbot.waitUntil(
        lambda: [each.text for each in lines(pane)] == ["You edited a memory", "You added a memory"]
    )
    session.window.search.set_query("0123456789ab")
    qtbot.waitUntil(pane.parts.empty.isVisible)


def test_pages_come_as_the_list_is_scrolled(
    vault: Vault, shown: Pane, session: Session, qtbot: QtBot
) -> None:
    memory = vault.memories.add("Prefers window seats")
    for n in range(250):
        vault.memories.update(memory.id, importance=(n % 90) / 100)
    pane = shown()
    assert len(lines(pane)) == 100
    assert session.window.status.left() == "the last 100 changes"
    for wanted in (200, 251):
        pane.list.scrollToBottom()
        qtbot.waitUntil(lambda wanted=wanted: len(lines(pane)) == wanted)
    assert lines(pane)[-1].text == "You added a memory"
    pane.list.scrollToBottom()
    qtbot.waitUntil(session.tasks.idle)
    assert len(lines(pane)) == 251
    vault.memories.update(memory.id, pinned=True)
    qtbot.waitUntil(lambda: len(lines(pane)) == 252)


def test_a_change_of_many_rows_is_shown_in_part(vault: Vault, shown: Pane, qtbot: QtBot) -> None:
    vault.memories.add_many([{"content": f"Note number {n}"} for n in range(60)])
    pane = shown()
    choose(pane, lines(pane)[0], qtbot)
    qtbot.waitUntil(lambda: len(pane.detail._shown.rows) == 25)
    assert pane.detail._shown.total == 60
    pane.detail._more()
    qtbot.waitUntil(lambda: len(pane.detail._shown.rows) == 60)


def test_emptying_the_trash_is_told_and_leaves_no_counts(vault: Vault, shown: Pane, qtbot: QtBot) -> None:
    memory = vault.memories.add("Secret of the house")
    pane = shown()
    vault.memories.trash(memory.id)
    vault.empty_trash()
    qtbot.waitUntil(lambda: bool(lines(pane)) and "emptied the trash" in lines(pane)[0].text)
    qtbot.waitUntil(lambda: "erased since" in lines(pane)[-1].text)
    assert all("Secret" not in each.about for each in lines(pane))
    choose(pane, lines(pane)[-1], qtbot)
    assert not pane.detail.undo.isEnabled()


def test_an_empty_history_says_so(shown: Pane, qtbot: QtBot) -> None:
    pane = shown()
    qtbot.waitUntil(pane.parts.empty.isVisible)
    assert "No changes yet" in pane.parts.empty.accessibleName()
