"""What Ctrl+Z and Ctrl+Shift+Z would do, by name."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from reverie.domain.changes import ChangeSet
from reverie_gui.bridge.changes import Changed
from reverie_gui.context import Context


@dataclass(frozen=True, slots=True)
class Names:
    """Each "" where there is nothing: "delete memory", "edit memory"."""

    undo: str = ""
    redo: str = ""


class UndoNames(QObject):
    """Signals: ``changed(Names)`` after a change of the vault, and once at the start."""

    changed = Signal(object)

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.names = Names()
        context.changes.changed.connect(self._look)
        self._look()

    def _look(self, _changed: Changed | None = None) -> None:
        vault = self._context.vault
        self._context.tasks.run(
            lambda _task: (vault.history.undoable(), vault.history.redoable()),
            on_done=self._take,
            channel="undo/names",
            owner=self,
        )

    def _take(self, found: tuple[ChangeSet | None, ChangeSet | None]) -> None:
        undoable, redoable = found
        names = Names(undoable.kind if undoable else "", _redone(redoable))
        if names != self.names:
            self.names = names
            self.changed.emit(names)


def _redone(change: ChangeSet | None) -> str:
    if change is None:
        return ""
    undone = change.detail.get("undoes") or [{}]
    return str(undone[0].get("kind", change.kind))
