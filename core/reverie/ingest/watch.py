"""Hears of new files from the system (watchdog), so that they need not wait for the next slow look."""

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver

_SETTLE_S = 1.2  # a file is taken up when it has been still for a second


class Watch:
    """Sets ``wake`` after something changed in the folders. Where the system can't tell (a network drive,
    too many watches), the slow look finds the file all the same."""

    def __init__(self, wake: threading.Event) -> None:
        self._wake = wake
        self._observer: BaseObserver | None = None
        self._timer: threading.Timer | None = None

    def start(self, folders: Iterable[Path]) -> None:
        from watchdog.observers import Observer

        self._observer = Observer()
        self._observer.daemon = True
        self._observer.start()
        for folder in folders:
            self.add(folder)

    def add(self, folder: Path) -> None:
        """Hear of this folder as well, once started."""
        from watchdog.events import FileSystemEvent, FileSystemEventHandler

        watch = self

        class Handler(FileSystemEventHandler):
            def on_any_event(self, event: FileSystemEvent) -> None:
                if event.event_type in ("created", "modified", "moved"):
                    watch._settle()

        if self._observer is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._observer.schedule(Handler(), str(folder), recursive=True)
        except OSError:
            return

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()

    def _settle(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(_SETTLE_S, self._wake.set)
        self._timer.daemon = True
        self._timer.start()
