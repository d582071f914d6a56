"""The window is tested with no display."""

import gc
import os
import threading
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from reverie_gui.app import Session
from reverie_gui.bridge.tasks import Tasks
from reverie_gui.preferences import Preferences
from reverie_gui.theme.fonts import load_fonts
from reverie_gui.theme.theme import Theme


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
def no_leaks(qapp: QApplication) -> Iterator[None]:
    """Each test leaves no thread of ours and no window behind."""
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    left = [thread.name for thread in threading.enumerate() if thread.name.startswith("window-")]
    assert not left, f"threads left running: {left}"
    shown = [widget for widget in qapp.topLevelWidgets() if widget.isVisible()]
    assert not shown, f"windows left open: {shown}"


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
