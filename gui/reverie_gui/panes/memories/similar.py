"""What else is about the same as the memory that is shown: looked up once the selection has come to rest."""

from PySide6.QtCore import QObject, QTimer, Signal

from reverie.domain.ids import MemoryId
from reverie.domain.search import Hit
from reverie.errors import NotFound
from reverie_gui.context import Context

SIMILAR = 5
LEAST = 0.35  # relevance; below it two memories have little in common

_REST = 350  # milliseconds on one memory: the first look loads the model


class Similar(QObject):
    """Emits ``found(memory id, hits)`` for the last memory that was asked about."""

    found = Signal(str, object)

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._memory: MemoryId | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_REST)
        self._timer.timeout.connect(self._look)

    def look(self, memory: MemoryId | None) -> None:
        """None: there is nothing to look for any more."""
        self._memory = memory
        if memory is None:
            self._timer.stop()
        else:
            self._timer.start()

    def _look(self) -> None:
        memory = self._memory
        if memory is None:
            return
        vault = self._context.vault

        def find() -> list[Hit]:
            try:
                return [hit for hit in vault.related(memory, SIMILAR) if hit.relevance >= LEAST]
            except NotFound:  # gone meanwhile
                return []

        def done(hits: list[Hit]) -> None:
            if memory == self._memory:
                self.found.emit(memory, hits)

        # It is beside the point where it fails: the memory itself is there.
        self._context.tasks.run(
            lambda _task: find(),
            on_done=done,
            on_failed=lambda _error: None,
            channel="memory/similar",
            owner=self,
        )
