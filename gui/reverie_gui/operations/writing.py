"""What a person types into one memory, stored pause by pause."""

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from reverie.domain.changes import Act
from reverie.domain.ids import MemoryId
from reverie.domain.memory import Memory
from reverie.i18n import _
from reverie_gui.context import Context


class Writing(QObject):
    """One spell of typing: its texts are stored one after another, in order, and all are one undo step.

    Signals: ``stored(Memory)`` after a write; ``made(Memory)`` too after the one that made a new memory;
    ``refused(Exception)``.
    """

    stored = Signal(object)
    made = Signal(object)
    refused = Signal(object)

    def __init__(self, context: Context, memory: MemoryId | None, parent: QObject | None = None) -> None:
        """``memory`` None: the first text makes one."""
        super().__init__(parent)
        self._context = context
        self._kb = context.settings.text("kb") or "default"
        self._memory = memory
        self._fresh = memory is None
        self._act = Act()
        self._lock = threading.Lock()
        self._next: tuple[str, Act] | None = None
        self._busy = False
        self._afterwards: list[Callable[[], object]] = []

    def begin_act(self) -> None:
        """What is written from now on is an undo step of its own."""
        self._act = Act()

    def store(self, text: str) -> None:
        """Stores a text after those before it; of several that wait the last one counts."""
        with self._lock:
            self._next = (text, self._act)
        self._start()

    def _start(self) -> None:
        with self._lock:
            if self._busy or self._next is None:
                return
            self._busy = True
        self._context.tasks.run(
            self._write, on_done=self._stored, on_failed=self._failed, label=_("Saving"), owner=self
        )

    def then(self, act: Callable[[], object]) -> None:
        """Calls ``act`` once nothing is on its way any more."""
        if self._busy:
            self._afterwards.append(act)
        else:
            act()

    def _write(self, _task: object) -> Memory | None:
        """On a worker, until nothing waits: also while the window closes, when nothing comes back to it."""
        memories = self._context.vault.memories
        memory = None
        while (following := self._take()) is not None:
            text, act = following
            try:
                if self._memory is None:
                    memory = memories.add(text, kb=self._kb, source="person", part_of=act)
                    self._memory = memory.id
                else:
                    memory = memories.update(self._memory, content=text, part_of=act)
            except BaseException:
                with self._lock:
                    self._busy = False
                raise
        return memory

    def _take(self) -> tuple[str, Act] | None:
        with self._lock:
            following, self._next = self._next, None
            self._busy = following is not None
        return following

    def _stored(self, memory: Memory | None) -> None:
        if memory is not None:
            self.stored.emit(memory)
            if self._fresh:
                self._fresh = False
                self.made.emit(memory)
        self._go_on()

    def _failed(self, error: Exception) -> None:
        self.refused.emit(error)
        self._go_on()

    def _go_on(self) -> None:
        self._start()  # what came in while a write failed
        if not self._busy:
            waiting, self._afterwards = self._afterwards, []
            for act in waiting:
                act()
