"""The trash: the list of memories, over those that were deleted."""

from typing import ClassVar

from reverie.domain.memory import MemoryFilter, State
from reverie_gui.operations.memories import restore_memories
from reverie_gui.panes.base import Primary
from reverie_gui.panes.memories.pane import MemoriesPane


class TrashPane(MemoriesPane):
    """The same list and detail; Delete has nothing to do here, R restores."""

    name: ClassVar[str] = "trash"
    base: ClassVar[MemoryFilter] = MemoryFilter(states=(State.TRASHED,), expired=None)
    trashed: ClassVar[bool] = True

    def _build(self) -> None:
        super()._build()
        self.list.on_key("R", self._restore)

    def primary(self) -> Primary | None:
        return Primary(self.tr("Restore"), self._restore, self.tr("Restore what is selected (R)"))

    def delete(self) -> None:
        """What is in the trash is erased by "Empty trash" alone."""

    def _restore(self) -> None:
        restore_memories(context=self.context, memories=self.list.selected_ids())

    def _say_nothing_yet(self) -> None:
        self.empty.say(
            self.tr("The trash is empty"), self.tr("What you delete waits here, and can be restored.")
        )
