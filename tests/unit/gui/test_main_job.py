"""The main job through the window: files dropped on it, memories seen, one found by meaning, edited, the edit
undone, a dream, an export. And two windows on one vault."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from reverie import Vault
from reverie.domain.inbox import ItemState
from reverie.resources import resource
from reverie_gui.app import Session
from reverie_gui.operations.transfer import export_json
from reverie_gui.preferences import Preferences
from reverie_gui.theme.theme import Theme
from reverie_gui.widgets.list_view import ListView

PATIENCE = 60_000  # milliseconds: reading ten files takes what it takes


def drop(window: QWidget, paths: list[Path]) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPointF(400, 300), Qt.DropAction.CopyAction, data, buttons, keys)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(
        window, QDropEvent(QPointF(400, 300), Qt.DropAction.CopyAction, data, buttons, keys)
    )


@pytest.mark.timeout(300)
def test_from_dropped_files_to_an_export(
    opened: Callable[[], Session], vault: Vault, tmp_path: Path, qtbot: QtBot
) -> None:
    session = opened()
    window = session.window
    files = [
        path for path in sorted(resource("samples").iterdir()) if path.suffix in (".txt", ".md", ".json")
    ]
    bad = tmp_path / "broken.json"
    bad.write_text('{"a": ', encoding="utf-8")

    drop(window, [*files, bad])
    finished = {ItemState.DONE, ItemState.FAILED}
    qtbot.waitUntil(
        lambda: (
            [item.state for item in vault.inbox.items()].count(ItemState.DONE) == len(files)
            and {item.state for item in vault.inbox.items()} <= finished
        ),
        timeout=PATIENCE,
    )
    memories = window.pane("memories")
    assert memories is not None
    listed = memories.findChild(ListView)
    assert listed is not None
    count = vault.memories.count()
    qtbot.waitUntil(lambda: listed.model().rowCount() == count, timeout=PATIENCE)

    vault.index.wait()
    window.search.set_query("Which medicine must grandmother not be given?")
    qtbot.waitUntil(lambda: 0 < listed.model().rowCount() < count, timeout=PATIENCE)
    found = [hit.memory for hit in vault.search("Which medicine must grandmother not be given?", limit=3)]
    (hit,) = [memory for memory in found if "penicillin" in memory.content]

    edited = hit.content + "\n\nAsked again in March."
    session.tasks.run(lambda _task: vault.memories.update(hit.id, content=edited))
    undo = window.commands.actions["undo"]
    qtbot.waitUntil(lambda: undo.isEnabled() and "edit" in undo.text().lower(), timeout=PATIENCE)
    undo.trigger()
    qtbot.waitUntil(lambda: vault.memories.get(hit.id).content == hit.content, timeout=PATIENCE)

    window.open_pane("dreams")
    primary = window.pane("dreams").primary()  # type: ignore[union-attr]
    assert primary is not None
    primary.act()
    qtbot.waitUntil(lambda: vault.insights.count() > 0, timeout=PATIENCE)

    target = tmp_path / "all.json"
    assert window.context is not None
    export_json(context=window.context, path=target)
    qtbot.waitUntil(target.exists, timeout=PATIENCE)
    dump = json.loads(target.read_text(encoding="utf-8"))
    assert dump["format"] == "reverie"
    assert len(dump["memories"]) >= count
    qtbot.waitUntil(session.tasks.idle, timeout=PATIENCE)


@pytest.fixture
def second(theme: Theme, tmp_path: Path, vault: Vault, qtbot: QtBot) -> Iterator[Session]:
    """Another window on the same vault."""
    with Vault.open(vault.path) as other:
        made = Session(theme, Preferences(tmp_path / "second.ini"))
        made.attach(other)
        made._background.stop()
        made.window.show()
        qtbot.waitUntil(made.tasks.idle)
        yield made
        made.window.close()
        made.close()
        made.window.deleteLater()
        made.deleteLater()


def test_two_windows_show_each_others_changes(
    opened: Callable[[], Session], second: Session, vault: Vault, qtbot: QtBot
) -> None:
    first = opened()
    lists = []
    for session in (first, second):
        pane = session.window.pane("memories")
        assert pane is not None
        lists.append(pane.findChild(ListView))
    vault.memories.add("Written in the first window")
    qtbot.waitUntil(lambda: [each.model().rowCount() for each in lists] == [1, 1], timeout=10_000)
    second.vault.memories.add("Written in the second window")
    qtbot.waitUntil(lambda: [each.model().rowCount() for each in lists] == [2, 2], timeout=10_000)
