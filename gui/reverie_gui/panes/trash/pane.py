"""The trash: the list of memories, over those that were deleted, and what empties it."""

from collections.abc import Callable
from typing import ClassVar

from reverie.domain.memory import MemoryFilter, State
from reverie_gui.bridge.changes import Changed
from reverie_gui.operations.memories import restore_memories
from reverie_gui.panes.base import Primary
from reverie_gui.panes.memories.pane import MemoriesPane
from reverie_gui.panes.memories.results import Found
from reverie_gui.panes.trash.bar import TrashBar
from reverie_gui.widgets.hints import KeyHints


class TrashPane(MemoriesPane):
    """The same list and detail; Delete has nothing to do here, R restores."""

    tables: ClassVar[tuple[str, ...]] = (*MemoriesPane.tables, "insights")
    name: ClassVar[str] = "trash"
    base: ClassVar[MemoryFilter] = MemoryFilter(states=(State.TRASHED,), expired=None)
    trashed: ClassVar[bool] = True

    def _build(self) -> None:
        super()._build()
        self.list.on_key("R", self._restore)
        self.bar = TrashBar(self.context)
        self.body.insertWidget(0, self.bar)

    def _build_hints(self) -> KeyHints:
        return KeyHints(
            [
                ("J K", self.tr("next, previous")),
                ("R", self.tr("restore")),
                ("Ctrl+K", self.tr("all commands")),
            ]
        )

    def primary(self) -> Primary | None:
        if self._found is not None and not self._found.ids:
            return None
        return Primary(self.tr("Restore"), self._restore, self.tr("Restore what is selected (R)"))

    def commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        return [(self.tr("Restore"), "R", self._restore), *super().commands()]

    def delete(self) -> None:
        """What is in the trash is erased by "Empty trash" alone."""

    def refresh(self, changed: Changed) -> None:
        super().refresh(changed)
        self.bar.changed(changed)

    def set_kb(self, kb: str) -> None:
        super().set_kb(kb)
        self.bar.set_kb(kb or None)

    def escape(self) -> None:
        if self.bar.question.isVisible():
            self.bar.question.withdraw()
        else:
            super().escape()

    def _show_found(self, found: Found) -> None:
        super()._show_found(found)
        self.bar.shown = len(found.ids) if found.query else None

    def _restore(self) -> None:
        restore_memories(context=self.context, memories=self.list.selected_ids())

    def _say_nothing_yet(self) -> None:
        self.parts.empty.say(
            self.tr("The trash is empty"), self.tr("What you delete waits here, and can be restored.")
        )
