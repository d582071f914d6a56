"""The panes of the window. A new one is a module with a Pane class and one line in PANES."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

if TYPE_CHECKING:
    from reverie_gui.context import Context
    from reverie_gui.panes.base import Pane


@dataclass(frozen=True, slots=True)
class PaneSpec:
    """How a pane stands in the sidebar; its class is imported when it is first opened.

    id: also its name in settings and pictures. title: untranslated. where: "module:Class".
    count: gives the number beside it, on a worker (None: no number). strong: that number waits for the person.
    tables: a change of any of these counts again. gap: 12 px before it.
    """

    id: str
    title: str
    icon: str
    where: str
    count: Callable[["Context"], int | None] | None = None
    strong: bool = False
    tables: tuple[str, ...] = ()
    gap: bool = False

    @property
    def name(self) -> str:
        return QCoreApplication.translate("panes", self.title)

    def make(self, context: "Context") -> "Pane":
        module, _, name = self.where.partition(":")
        made: Pane = getattr(import_module(module), name)(context)
        return made


def _count_memories(context: "Context") -> int:
    from reverie.domain.memory import MemoryFilter

    return context.vault.memories.count(MemoryFilter())


def _count_trash(context: "Context") -> int | None:
    from reverie.domain.memory import MemoryFilter, State

    return context.vault.memories.count(MemoryFilter(states=(State.TRASHED,), expired=None)) or None


PANES: tuple[PaneSpec, ...] = (
    PaneSpec(
        "memories",
        str(QT_TRANSLATE_NOOP("panes", "Memories")),
        "memories",
        "reverie_gui.panes.memories.pane:MemoriesPane",
        _count_memories,
        tables=("memories",),
    ),
    PaneSpec(
        "trash",
        str(QT_TRANSLATE_NOOP("panes", "Trash")),
        "trash",
        "reverie_gui.panes.trash.pane:TrashPane",
        _count_trash,
        tables=("memories",),
        gap=True,
    ),
)
