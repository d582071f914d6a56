"""The composition root: what is made, in which order, and how it ends.

The window is painted before the vault is open: a thread opens it meanwhile.
"""

import logging
import sys
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from reverie.errors import UserError
from reverie_gui.bridge.changes import Changes
from reverie_gui.bridge.collector import Collector
from reverie_gui.bridge.crash import CrashHooks
from reverie_gui.bridge.interrupts import Interrupts
from reverie_gui.bridge.notices import Banner, Notices
from reverie_gui.bridge.tasks import Tasks
from reverie_gui.context import Context
from reverie_gui.main_window import MainWindow
from reverie_gui.preferences import Preferences
from reverie_gui.refcounts import keep_singletons_alive
from reverie_gui.theme.fonts import load_fonts
from reverie_gui.theme.theme import Choice, Theme

if TYPE_CHECKING:
    from reverie import Vault

log = logging.getLogger("reverie.window")
_BACKGROUND_AFTER = 1500  # milliseconds
_HOUR = 3600_000  # milliseconds
_DAY_S = 86_400.0


def make_application(choice: Choice = "system", scale: float = 1.0) -> tuple[QApplication, Theme]:
    """The QApplication (the present one, if there is one) in our fonts and colours."""
    keep_singletons_alive()
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    app.setApplicationName("reverie")
    app.setApplicationDisplayName("Reverie")
    app.setDesktopFileName("reverie")
    load_fonts()
    return app, Theme(app, choice, scale)


class Session(QObject):
    """One window on one vault.

    ``attach`` fills the window once the vault is open; ``close`` ends tasks, then events, then the vault.
    """

    _opened = Signal(object)

    def __init__(self, theme: Theme, settings: Preferences, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme, self.settings = theme, settings
        self.collector = Collector(self)
        self.tasks = Tasks(self)
        self.changes = Changes(self)
        self.notices = Notices(self)
        self.window = MainWindow(theme, self.tasks, self.notices, settings)
        self.window.closing.connect(self.close)
        self.vault: Any = None
        self._closed = False
        self._background = QTimer(self)
        self._background.setSingleShot(True)
        self._background.setInterval(_BACKGROUND_AFTER)
        self._background.timeout.connect(self._start_background)
        # Asked once an hour: a timer of a day would stand still while the machine sleeps.
        self._hourly = QTimer(self)
        self._hourly.setInterval(_HOUR)
        self._hourly.timeout.connect(self._once_a_day)
        self._retained = 0.0  # when retention was last applied
        self._opened.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def begin(self, future: "Future[Vault]") -> None:
        """After the first paint: loads the first pane's code while the vault is still being opened."""
        self.window.preload()
        self.wait_for(future)

    def wait_for(self, future: "Future[Vault]") -> None:
        """Attaches the vault as soon as it is open; its failure is told in the window."""
        future.add_done_callback(self._opened.emit)

    def attach(self, vault: "Vault") -> None:
        self.vault = vault
        self.changes.listen(vault.events)
        context = Context(vault, self.tasks, self.changes, self.notices, self.settings, self.theme)
        self.window.attach(context)
        self._background.start()

    def _start_background(self) -> None:
        """The inbox's worker, the search, the vectors that are missing and retention, once the first rows are painted."""
        vault = self.vault

        def work(_task: object) -> None:
            vault.inbox.start()
            vault.warm_up()
            vault.index.wake()

        self.tasks.run(work)
        self._apply_retention()
        self._hourly.start()

    def _once_a_day(self) -> None:
        if not 0 <= time.time() - self._retained < _DAY_S:
            self._apply_retention()

    def _apply_retention(self) -> None:
        """Removes what the retention settings say; they are off unless the person has set them."""
        vault = self.vault
        self._retained = time.time()
        self.tasks.run(
            lambda task: vault.apply_retention(task.cancelled), channel="retention", long=True, owner=self
        )

    def _take(self, future: "Future[Vault]") -> None:
        error = future.exception()
        if error is None:
            if self._closed:
                future.result().close()
            else:
                self.attach(future.result())
        elif isinstance(error, Exception):
            self._tell_failure(error)
        else:
            raise error

    def _tell_failure(self, error: Exception) -> None:
        banner = self.notices.worded(error)
        if isinstance(error, UserError):
            self.notices.banner(banner)
        else:
            self.notices.banner(
                Banner(self.tr("The vault could not be opened"), banner.detail, details=banner.details)
            )

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._background.stop()
        self._hourly.stop()
        self.window.detach()
        self.changes.stop()
        self.tasks.close()
        if self.vault is not None:
            self.vault.close()
        self.collector.stop()  # last: until here, other threads ran


def run(future: "Future[Vault]") -> int:
    """Opens the window on a vault that is being opened, and stays until it is closed; gives the exit code."""
    settings = Preferences()
    app, theme = make_application(settings.theme, settings.number("scale", 1.0))
    session = Session(theme, settings)
    hooks = CrashHooks(session.notices.failure, session)
    interrupts = Interrupts(session.window.close, session)
    session.window.show()
    QTimer.singleShot(0, session, lambda: session.begin(future))
    code = app.exec()
    session.close()
    interrupts.restore()
    hooks.restore()
    return code
