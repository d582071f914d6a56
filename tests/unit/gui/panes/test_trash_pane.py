"""The trash in a real window on a real vault."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from reverie import Vault
from reverie.domain.memory import MemoryFilter, State
from reverie.domain.receipt import Receipt
from reverie.errors import Cancelled
from reverie_gui.app import Session
from reverie_gui.operations.trash import Emptied
from reverie_gui.panes.trash.contents import Contents, left_lines, receipt_lines, what_else
from reverie_gui.panes.trash.pane import TrashPane

Opened = Callable[[], Session]
TRASHED = MemoryFilter(states=(State.TRASHED,))


@pytest.fixture
def pane(vault: Vault, opened: Opened, qtbot: QtBot) -> TrashPane:
    made = [vault.memories.add(f"Secret number {n}") for n in range(4)]
    vault.memories.trash(*(memory.id for memory in made[:3]))
    (vault.path / "backups").mkdir(exist_ok=True)
    (vault.path / "backups" / "old.db").write_bytes(b"Secret number 1")
    session = opened()
    session.window.open_pane("trash")
    found = session.window.pane("trash")
    assert isinstance(found, TrashPane)
    qtbot.waitUntil(lambda: found.model.rowCount() == 3)
    qtbot.waitUntil(found.bar.empty.isEnabled)
    return found


def test_it_asks_with_the_count_and_what_else_goes(
    pane: TrashPane, vault: Vault, session: Session, qtbot: QtBot
) -> None:
    pane.bar.empty.click()
    question = pane.bar.question
    qtbot.waitUntil(question.isVisible)
    assert question.go.text() == "Erase 3 memories"
    assert question.stay.hasFocus()
    assert "1 backup" in question.text.text()
    assert "history" in question.text.text()
    qtbot.keyClick(question.stay, Qt.Key.Key_Return)
    assert not question.isVisible()
    assert vault.memories.count(TRASHED) == 3


def test_a_search_does_not_narrow_what_is_erased(pane: TrashPane, session: Session, qtbot: QtBot) -> None:
    session.window.search.set_query('"number 2"')
    qtbot.waitUntil(lambda: pane.bar.shown is not None and pane.bar.shown < 3)
    pane.bar.ask()
    qtbot.waitUntil(pane.bar.question.isVisible)
    assert "not only what the search shows" in pane.bar.question.text.text()
    assert pane.bar.question.go.text() == "Erase 3 memories"
    session.window.search.escaped.emit()
    assert not pane.bar.question.isVisible()


def test_the_receipt_stands_in_the_pane(
    pane: TrashPane, vault: Vault, session: Session, qtbot: QtBot
) -> None:
    pane.bar.empty.click()
    qtbot.waitUntil(pane.bar.question.isVisible)
    pane.bar.question.go.click()
    qtbot.waitUntil(pane.bar.receipt.isVisible)
    assert vault.memories.count(TRASHED) == 0
    assert vault.memories.count() == 1
    text = pane.bar.receipt_text.text()
    assert "3 memories" in text
    assert "1 file: old.db" in text
    assert not pane.bar.receipt_left.isVisible()
    assert not pane.bar.work.isVisible()
    qtbot.waitUntil(lambda: pane.model.rowCount() == 0)
    qtbot.waitUntil(lambda: not pane.bar.empty.isEnabled())
    assert pane.bar.empty.toolTip()
    assert not (vault.path / "backups" / "old.db").exists()
    pane.bar.close_receipt.click()
    assert not pane.bar.receipt.isVisible()


def test_stopping_tells_how_many_went(
    pane: TrashPane, vault: Vault, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(kb: str | None, progress: Callable[..., None], cancelled: Callable[[], bool]) -> Receipt:
        progress(1, 3, "Erasing")
        while not cancelled():
            pass
        raise Cancelled(1)

    monkeypatch.setattr(vault, "empty_trash", slow)
    pane.bar.ask()
    qtbot.waitUntil(pane.bar.question.isVisible)
    pane.bar.question.go.click()
    qtbot.waitUntil(pane.bar.work.isVisible)
    qtbot.waitUntil(lambda: pane.bar.working.text() == "Erasing 1 of 3")
    assert not pane.bar.empty.isEnabled()
    pane.bar.stop.click()
    qtbot.waitUntil(pane.bar.receipt.isVisible)
    assert pane.bar.receipt_title.text() == "Stopped"
    assert "1 memory was erased" in pane.bar.receipt_text.text()
    qtbot.waitUntil(pane.bar.empty.isEnabled)


def test_a_failure_is_told_with_a_way_on(
    pane: TrashPane, vault: Vault, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object) -> Receipt:
        raise OSError("disk gone")

    monkeypatch.setattr(vault, "empty_trash", broken)
    pane.bar.ask()
    qtbot.waitUntil(pane.bar.question.isVisible)
    pane.bar.question.go.click()
    qtbot.waitUntil(lambda: bool(session.window.banner.title()))
    assert not pane.bar.work.isVisible()


def test_what_came_back_withdraws_the_question(pane: TrashPane, vault: Vault, qtbot: QtBot) -> None:
    pane.bar.ask()
    qtbot.waitUntil(pane.bar.question.isVisible)
    vault.memories.restore(*vault.memories.ids(TRASHED))
    qtbot.waitUntil(lambda: not pane.bar.question.isVisible())
    assert not pane.bar.empty.isEnabled()


def test_words_of_the_question_and_the_receipt(tmp_path: Path) -> None:
    said = what_else(Contents(None, 2, 0, files=1, backups=2), None)
    assert "stored copy of 1 file" in said
    assert "2 backups" in said
    assert "search" not in said
    done = Emptied(Receipt(2, 1, 5, 1, ("a.md", "b.md"), ("c.md: in use",)))
    assert list(receipt_lines(done)) == [
        "2 memories",
        "1 insight",
        "5 entries of the history",
        "the text of 1 proposal of a dream",
        "2 files: a.md, b.md",
    ]
    assert list(left_lines(done)) == ["c.md: in use"]
