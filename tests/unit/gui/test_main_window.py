from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from reverie import Vault
from reverie.domain.memory import MemoryFilter
from reverie.errors import UserError
from reverie_gui.app import Session
from reverie_gui.drops import load_of
from reverie_gui.panes import PANES
from reverie_gui.theme.theme import Theme

Opened = Callable[[], Session]


def test_it_stands_before_the_vault_is_open(session: Session, qtbot: QtBot) -> None:
    session.window.show()
    qtbot.waitExposed(session.window)
    assert session.window.sidebar.list.model().rowCount() == len(PANES)
    session.window.open_pane("memories")  # nothing to open yet, and nothing breaks
    assert session.window.context is None


def test_a_vault_that_cannot_be_opened_is_told(session: Session, qtbot: QtBot) -> None:
    from concurrent.futures import Future

    future: Future[Vault] = Future()
    future.set_exception(UserError("The vault is newer than this Reverie", hint="Update Reverie"))
    session.window.show()
    session.wait_for(future)
    qtbot.waitUntil(lambda: session.window.banner.title() == "The vault is newer than this Reverie")


def test_nothing_floats_beside_the_window(
    opened: Opened, vault: Vault, qapp: QApplication, qtbot: QtBot
) -> None:
    """A part that is made visible before it has a parent is a window of its own, and takes the focus."""
    vault.memories.add("Something to show", tags=["a", "b"])
    shown: list[QWidget] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
                shown.append(watched)
            return False

    watch = Watch()
    qapp.installEventFilter(watch)
    session = opened()
    qtbot.waitUntil(session.window.isActiveWindow)
    qapp.removeEventFilter(watch)
    assert shown == [session.window]


def test_every_menu_command_has_a_name_and_shortcuts_are_unique(opened: Opened) -> None:
    window = opened().window
    keys = [key.toString() for act in window.commands.actions.values() for key in act.shortcuts()]
    assert len(keys) == len(set(keys))
    for wanted in (
        "Ctrl+K",
        "Ctrl+N",
        "Ctrl+Z",
        "Ctrl+Shift+Z",
        "Ctrl+F",
        "Del",
        "F6",
        "F1",
        "Ctrl+B",
        "Ctrl+1",
    ):
        assert wanted in keys
    assert all(text for text, _keys, _act in window.commands.listed())


def test_controls_have_names_and_targets(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    vault.memories.add("Something to show", tags=["a"])
    window = opened().window
    qtbot.wait(50)
    for part in window.findChildren(QAbstractButton):
        if part.isVisible() and not part.objectName().startswith("qt_"):
            assert part.accessibleName() or part.text(), part
            in_field = isinstance(part.parent(), QLineEdit)  # Qt makes those; the field itself is 32 high
            if part.property("look") != "chip-close" and not in_field:
                assert part.height() >= 24, (part.text(), part.accessibleName(), part.height())


def test_panes_by_key_and_back(opened: Opened, qtbot: QtBot) -> None:
    window = opened().window
    window.commands.actions["pane/trash"].trigger()
    assert window.toolbar.title.text() == "Trash"
    window.search.set_query("kind:fact")
    window.back()
    assert window.toolbar.title.text() == "Memories"
    assert window.search.text() == ""
    window.forward()
    assert (window.toolbar.title.text(), window.search.text()) == ("Trash", "kind:fact")
    qtbot.waitUntil(window._tasks.idle)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # QPoint or QPointF: it depends on Qt's release
def test_files_dropped_anywhere_are_offered_and_taken(
    opened: Opened, vault: Vault, tmp_path: Path, qtbot: QtBot
) -> None:
    session = opened()
    file = tmp_path / "note.txt"
    file.write_text("Aiko is allergic to shellfish, and Lena is vegetarian.", encoding="utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    window = session.window
    at, actions = QPointF(300, 300), Qt.DropAction.CopyAction
    buttons, modifiers = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(at.toPoint(), actions, data, buttons, modifiers))
    assert window.overlay.text() == "Drop to add note.txt"
    QApplication.sendEvent(window, QDropEvent(at, actions, data, buttons, modifiers))
    assert window.overlay.text() == ""
    qtbot.waitUntil(lambda: vault.memories.count(MemoryFilter()) == 1, timeout=20_000)
    qtbot.waitUntil(lambda: "from note.txt" in window.toast.text(), timeout=5000)
    qtbot.waitUntil(session.tasks.idle)


def test_no_part_of_a_pane_keeps_drops_for_itself(opened: Opened) -> None:
    window = opened().window
    pane = window.pane("memories")
    assert pane is not None
    assert not [part for part in pane.findChildren(QWidget) if part.acceptDrops()]


def test_what_a_drag_carries() -> None:
    data = QMimeData()
    assert not load_of(data)
    data.setText("hello")
    assert load_of(data).text == "hello"
    data.setUrls([QUrl("https://example.org/a.pdf")])
    assert load_of(data).paths == ()  # an address is never fetched


def test_density_theme_and_sidebar_are_remembered(opened: Opened, theme: Theme, qtbot: QtBot) -> None:
    session = opened()
    window = session.window
    window.toggle_density()
    window.choose_theme("dark")
    assert theme.palette.name == "dark"
    window.toggle_sidebar()
    assert window.sidebar.folded
    assert session.settings.compact
    assert session.settings.theme == "dark"
    assert not session.settings.flag("sidebar", True)
    theme.choose("light")


def test_narrow_windows_fold(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    vault.memories.add("Something to show")
    window = opened().window
    window.resize(1280, 800)
    assert not window.sidebar.folded
    window.resize(1000, 700)
    assert window.sidebar.folded
    window.resize(820, 600)
    pane = window.pane("memories")
    assert pane is not None
    qtbot.waitUntil(lambda: pane.list.isVisible() and not pane.detail.isVisible())  # type: ignore[attr-defined]
    pane._opened("x")  # type: ignore[attr-defined]
    assert pane.detail.isVisible()  # type: ignore[attr-defined]
    assert pane.back()
    assert pane.list.isVisible()  # type: ignore[attr-defined]


def test_the_palette_runs_commands_and_finds_memories(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    made = vault.memories.add("The Berlin office closes at eight")
    window = opened().window
    window.open_palette()
    qtbot.keyClicks(window.palette_box.field, "compact")
    qtbot.keyClick(window.palette_box.field, Qt.Key.Key_Return)
    assert window._settings.compact
    window.open_palette()
    qtbot.keyClicks(window.palette_box.field, "berlin")
    qtbot.waitUntil(lambda: window.palette_box.list.count() == 1)
    qtbot.keyClick(window.palette_box.field, Qt.Key.Key_Return)
    pane = window.pane("memories")
    qtbot.waitUntil(lambda: pane.detail.memory is not None and pane.detail.memory.id == made.id)  # type: ignore[union-attr]


def test_f6_goes_round(opened: Opened, vault: Vault, qtbot: QtBot) -> None:
    vault.memories.add("Something to show")
    session = opened()
    window = session.window
    qtbot.waitUntil(session.tasks.idle)
    window.searching.focus()
    seen = []
    for _ in range(6):
        window.commands.actions["next"].trigger()
        seen.append(window.focusWidget())
    assert window.search in seen
    assert window.sidebar.list in seen
    pane = window.pane("memories")
    assert pane is not None
    assert pane.list in seen  # type: ignore[attr-defined]


def test_closing_ends_everything(session: Session, vault: Vault, qtbot: QtBot) -> None:
    session.attach(vault)
    session.window.show()
    session.window.close()
    assert session.window.context is None
    assert session.tasks.idle()
