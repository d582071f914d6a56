"""The window is tested with no display."""

import gc
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from reverie import Vault
from reverie_gui.app import Session
from reverie_gui.bridge.tasks import Tasks
from reverie_gui.preferences import Preferences
from reverie_gui.refcounts import keep_singletons_alive
from reverie_gui.theme.fonts import load_fonts
from reverie_gui.theme.theme import Theme

keep_singletons_alive()
_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _HERE in item.path.parents:  # Qt's offscreen platform says so of sizes and popups
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support", extend=True))


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    load_fonts()
    return Theme(qapp, "light")


@pytest.fixture
def settings(tmp_path: Path) -> Preferences:
    return Preferences(tmp_path / "window.ini")


@pytest.fixture
def tasks(qapp: QApplication) -> Iterator[Tasks]:
    made = Tasks()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _no_leaks(qapp: QApplication) -> Iterator[None]:
    """Each test leaves no thread of ours and no window behind. Rubbish goes on this thread (see bridge.collector)."""
    gc.disable()
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    gc.freeze()  # what lives on is not gone through again after each test: it would take most of the suite's time
    gc.enable()
    left = [thread.name for thread in threading.enumerate() if thread.name.startswith("window-")]
    assert not left, f"threads left running: {left}"
    shown = [widget for widget in qapp.topLevelWidgets() if widget.isVisible()]
    assert not shown, f"windows left open: {shown}"


@pytest.fixture(scope="session")
def empty_vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a vault that was made once: its migrations are other tests' business, and take half a second."""
    folder = tmp_path_factory.mktemp("empty") / "vault"
    Vault.open(folder).close()
    return folder


@pytest.fixture
def vault(tmp_path: Path, empty_vault: Path) -> Iterator[Vault]:
    shutil.copytree(empty_vault, tmp_path / "vault")
    with Vault.open(tmp_path / "vault") as opened:
        yield opened


@pytest.fixture
def session(theme: Theme, settings: Preferences) -> Iterator[Session]:
    """A window with no vault yet."""
    theme.choose("light")
    made = Session(theme, settings)
    made.window.toast.motion = False
    yield made
    made.window.close()
    made.close()
    made.window.deleteLater()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def opened(session: Session, vault: Vault, qtbot: QtBot) -> Callable[[], Session]:
    """Attaches the vault as it is by then, shows the window, waits for its rows."""

    def show() -> Session:
        session.attach(vault)
        session._background.stop()  # no inbox worker and no model behind the tests' backs
        session.window.show()
        session.window.activateWindow()
        qtbot.waitUntil(session.tasks.idle)
        return session

    return show
