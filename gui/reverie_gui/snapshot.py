"""Pictures of each pane, with no display: for people who can't see the window, for the README and for tests."""

import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from reverie import Vault
    from reverie_gui.app import Session

DEFAULT_SIZES = ((1280, 800),)
THEMES = ("light", "dark")
_PATIENCE = 20.0  # seconds that one pane may take to settle
_QUIET = 0.25  # seconds without a task: timers that start the next one have fired by then


def use_offscreen() -> None:
    """Lets Qt draw into memory where there is no display; must come before the QApplication."""
    from reverie.cli.display import has_display

    if not has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"


def render_panes(
    vault: "Vault",
    folder: Path,
    sizes: Sequence[tuple[int, int]] = DEFAULT_SIZES,
    themes: Sequence[str] = THEMES,
    panes: Sequence[str] | None = None,
) -> list[Path]:
    """Draws every pane (or those named) of an open vault; the vault stays open.

    Files are ``<pane>-<theme>.png``, with ``-<width>x<height>`` where several sizes are asked for.
    """
    use_offscreen()
    from reverie_gui.app import Session, make_application
    from reverie_gui.panes import PANES
    from reverie_gui.preferences import Preferences

    folder.mkdir(parents=True, exist_ok=True)
    _, theme = make_application()
    made: list[Path] = []
    with tempfile.TemporaryDirectory(prefix="reverie-snapshot-") as scratch:
        session = Session(theme, Preferences(Path(scratch) / "window.ini"))
        try:
            session.attach(vault)
            session.window.toast.motion = False
            for width, height in sizes:
                session.window.resize(width, height)
                session.window.show()
                for spec in PANES:
                    if panes is None or spec.id in panes:
                        session.window.open_pane(spec.id)
                        settle(session)
                        tail = f"-{width}x{height}" if len(sizes) > 1 else ""
                        made += _draw(session, folder, f"{spec.id}{tail}", themes)
        finally:
            session.vault = None  # the caller's, and stays open
            session.window.close()
            session.close()
            session.window.deleteLater()
            session.deleteLater()
    return made


def settle(session: "Session") -> None:
    """Runs the window until nothing is being done for it."""
    from PySide6.QtCore import QCoreApplication, QEventLoop

    end = time.monotonic() + _PATIENCE
    quiet_since = time.monotonic()
    while time.monotonic() < end and time.monotonic() - quiet_since < _QUIET:
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        if not session.tasks.idle():
            quiet_since = time.monotonic()
        time.sleep(0.005)


def _draw(session: "Session", folder: Path, name: str, themes: Sequence[str]) -> list[Path]:
    from PySide6.QtCore import QCoreApplication

    made = []
    for choice in themes:
        session.theme.choose(choice)  # type: ignore[arg-type]
        QCoreApplication.processEvents()
        made.append(save(session.window, folder / f"{name}-{choice}.png"))
    return made


def save(widget: "QWidget", file: Path) -> Path:
    """Draws a widget into a PNG file; raises OSError if it can't be written."""
    if not widget.grab().save(str(file), "PNG"):
        raise OSError(f"{file} could not be written")
    return file
