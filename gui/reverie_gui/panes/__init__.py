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

    def load(self) -> "type[Pane]":
        """Imports the pane's class."""
        module, _, name = self.where.partition(":")
        loaded: type[Pane] = getattr(import_module(module), name)
        return loaded

    def make(self, context: "Context") -> "Pane":
        return self.load()(context)


def _count_memories(context: "Context") -> int:
    from reverie.domain.memory import MemoryFilter

    return context.vault.memories.count(MemoryFilter())


def _count_trash(context: "Context") -> int | None:
    from reverie.domain.memory import MemoryFilter, State

    return context.vault.memories.count(MemoryFilter(states=(State.TRASHED,), expired=None)) or None


def _count_insights(context: "Context") -> int:
    return context.vault.insights.count()


def _count_inbox(context: "Context") -> int | None:
    """What waits for the person; what waits for the worker is told by the pane."""
    from reverie.domain.inbox import ItemState

    counts = context.vault.inbox.counts()
    return counts.get(ItemState.FAILED, 0) + counts.get(ItemState.TOO_LARGE, 0) or None


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
        "insights",
        str(QT_TRANSLATE_NOOP("panes", "Insights")),
        "insights",
        "reverie_gui.panes.insights.pane:InsightsPane",
        _count_insights,
        tables=("insights",),
    ),
    PaneSpec(
        "inbox",
        str(QT_TRANSLATE_NOOP("panes", "Inbox")),
        "inbox",
        "reverie_gui.panes.inbox.pane:InboxPane",
        _count_inbox,
        strong=True,
        tables=("inbox_items",),
        gap=True,
    ),
    PaneSpec(
        "dreams",
        str(QT_TRANSLATE_NOOP("panes", "Dreams")),
        "dreams",
        "reverie_gui.panes.dreams.pane:DreamsPane",
    ),
    PaneSpec(
        "history",
        str(QT_TRANSLATE_NOOP("panes", "History")),
        "history",
        "reverie_gui.panes.history.pane:HistoryPane",
        gap=True,
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
    PaneSpec(
        "settings",
        str(QT_TRANSLATE_NOOP("panes", "Settings")),
        "settings",
        "reverie_gui.panes.settings.pane:SettingsPane",
    ),
)
