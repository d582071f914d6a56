"""The settings of an open vault: held in memory, read again when somebody has changed the file."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from reverie.errors import UserError
from reverie.settings import access, file
from reverie.settings.groups import Settings

LOOK_EVERY_S = 1.0

log = logging.getLogger("reverie.settings")

_Mark = tuple[int, int, int] | None


class LiveSettings:
    """Thread-safe. ``on_change`` is called after a change, by whichever thread came upon it; it must be quick.

    A file that was damaged while the vault is open leaves the settings as they were; ``look`` tells of it.
    """

    def __init__(self, folder: Path, on_change: Callable[[], None]) -> None:
        self._folder = folder
        self._on_change = on_change
        self._lock = threading.Lock()
        self._mark = _mark(folder)
        self._held = access.load(folder)
        self._problem: UserError | None = None
        self._looked = time.monotonic()

    @property
    def held(self) -> Settings:
        """As they were last read. Touches no file and waits for nobody."""
        return self._held

    def now(self) -> Settings:
        """As the file says: it is looked at once a second at most, and read only where it has changed."""
        if time.monotonic() - self._looked >= LOOK_EVERY_S:
            with contextlib.suppress(UserError):  # in the log, once
                self.look()
        return self._held

    def look(self) -> Settings:
        """As the file says at this moment. Raises UserError where it is damaged."""
        with self._lock:
            self._looked = time.monotonic()
            changed = _mark(self._folder) != self._mark and self._read()
            problem = self._problem
        if changed:
            self._on_change()
        if problem is not None:
            raise problem
        return self._held

    def change(self, key: str, value: object) -> None:
        """Raises UserError as ``settings.change``."""
        self._write(lambda: access.change(self._folder, key, value))

    def reset(self, key: str | None) -> None:
        self._write(lambda: access.reset(self._folder, key))

    def _write(self, act: Callable[[], object]) -> None:
        with self._lock:
            act()
            changed = self._read()
            problem = self._problem
        if changed:
            self._on_change()
        if problem is not None:
            raise problem

    def _read(self) -> bool:
        """Whether another value holds than before."""
        before = self._held
        self._mark = _mark(self._folder)  # before it is read: a change in between is seen next time
        self._problem = None
        try:
            self._held = access.load(self._folder)
        except UserError as error:
            self._problem = error
            log.warning("%s (%s)", error.title, error.detail)
        return self._held != before


def _mark(folder: Path) -> _Mark:
    """What tells one state of the file from another; None where there is none."""
    try:
        found = file.path_in(folder).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
