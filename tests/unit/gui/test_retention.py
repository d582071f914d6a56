"""When the window has the retention settings applied: once it stands, once a day, and at no other time."""

import time
from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from reverie import Vault
from reverie_gui.app import Session

Opened = Callable[[], Session]


@pytest.fixture
def applied(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When it was applied."""
    found: list[float] = []
    monkeypatch.setattr(vault, "apply_retention", lambda _cancelled: found.append(time.time()))
    monkeypatch.setattr(vault.inbox, "start", lambda: None)
    monkeypatch.setattr(vault.index, "wake", lambda: None)
    return found


def test_it_waits_for_the_window_and_comes_once_a_day(
    opened: Opened, session: Session, applied: list[float], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened()
    assert applied == []
    session._start_background()
    qtbot.waitUntil(lambda: len(applied) == 1)
    assert session._hourly.isActive()
    session._hourly.timeout.emit()
    qtbot.waitUntil(session.tasks.idle)
    assert len(applied) == 1
    session._retained -= 24 * 3600
    session._hourly.timeout.emit()
    qtbot.waitUntil(lambda: len(applied) == 2)
    session._retained = time.time() + 3600  # the clock was put back
    session._hourly.timeout.emit()
    qtbot.waitUntil(lambda: len(applied) == 3)
    session.close()
    assert not session._hourly.isActive()


def test_changing_the_setting_removes_nothing_yet(
    opened: Opened, session: Session, vault: Vault, applied: list[float], qtbot: QtBot
) -> None:
    opened()
    vault.change_setting("retention.trash_days", 1)
    qtbot.waitUntil(session.tasks.idle)
    assert applied == []


def test_what_it_removed_is_a_line_in_the_history(
    opened: Opened, session: Session, vault: Vault, qtbot: QtBot
) -> None:
    memory = vault.memories.add("long gone")
    vault.memories.trash(memory.id)
    vault.memories.add("kept")

    def age(connection: object) -> None:
        for table, column in (("operations", "at"), ("memories", "updated_at")):
            connection.exec_driver_sql(  # type: ignore[attr-defined]
                f"UPDATE {table} SET {column} = {column} - {40 * 86_400_000_000}"
            )

    vault._database.writer.derive([], age)
    vault.change_setting("retention.trash_days", 30)
    vault.change_setting("retention.history_days", 30)
    opened()
    session.window.open_pane("history")
    pane = session.window.pane("history")
    session._apply_retention()

    def texts() -> list[str]:
        return [line.text for line in pane._listed.lines]  # type: ignore[union-attr]

    qtbot.waitUntil(lambda: "You: adding a memory, too old to take back" in texts(), timeout=10_000)
    assert "Retention setting removed 1 old change: it can't be undone any more" in texts()
    assert "Retention setting emptied the trash: 1 memory erased for good" in texts()
