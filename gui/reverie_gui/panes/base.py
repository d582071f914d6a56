"""What every pane is to the window."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from reverie_gui.bridge.changes import Changed
from reverie_gui.bridge.notices import Banner
from reverie_gui.context import Context
from reverie_gui.models.tree_model import Node
from reverie_gui.widgets.banner import BannerView
from reverie_gui.widgets.looks import column


@dataclass(frozen=True, slots=True)
class Primary:
    """The one primary action of a pane, at the right of the toolbar."""

    text: str
    act: Callable[[], object]
    tip: str = ""


class Pane(QWidget):
    """A page of the window. Subclasses build themselves into ``self.body`` (a column layout) and override what they need.

    The window calls ``search`` when the field's text changes, ``refresh`` with what changed in the vault (only while
    the pane is shown; while it is hidden the changes wait, and come as one before ``activated``), and ``activated``
    each time that it is shown.

    Class attributes: ``tables`` whose changes concern the pane; ``searches``: whether it uses the search field, and
    ``placeholder`` what that says while empty;
    ``examples`` what it offers then (None: those for memories, and the last queries for them).

    Signals: ``status(str)`` for the left of the status bar; ``facets(nodes, signs)`` for the sidebar;
    ``query_wanted(str)`` writes a query into the field, ``search_wanted()`` puts the caret there; ``primary_changed()``; ``pane_wanted(str id, str query)``
    opens another pane; ``memory_wanted(str)`` shows a memory in the pane of memories.
    """

    tables: ClassVar[tuple[str, ...]] = ()
    searches: ClassVar[bool] = False
    placeholder: ClassVar[str] = ""
    examples: ClassVar[tuple[str, ...] | None] = None

    status = Signal(str)
    facets = Signal(list, dict)
    query_wanted = Signal(str)
    search_wanted = Signal()
    primary_changed = Signal()
    pane_wanted = Signal(str, str)
    memory_wanted = Signal(str)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.banner = BannerView(context.theme)
        self.body = column()
        outer = column(self.banner)
        outer.addLayout(self.body, 1)
        self.setLayout(outer)

    def primary(self) -> Primary | None:
        """The action at the right of the toolbar, if there is one."""
        return None

    def offers_primary(self) -> bool:
        """Whether the pane shows that action itself, where it is empty: the toolbar then does not."""
        return False

    def search(self, query: str) -> None:
        """The text of the search field is now this."""

    def activated(self) -> None:
        """The pane was just shown."""

    def refresh(self, changed: Changed) -> None:
        """What the pane shows may have changed."""

    def focus_list(self) -> None:
        """Puts the keyboard into the pane's list (Down in the search field does)."""

    def select_all(self) -> None:
        """Edit > Select all."""

    def delete(self) -> None:
        """Edit > Delete, on what is selected."""

    def escape(self) -> None:
        """Esc with nothing left to close: give the selection up."""

    def complete(self, key: str, prefix: str) -> list[tuple[str, int]]:
        """Values for ``key:`` in the search field, with counts (-1: none known). Must not block."""
        return []

    def save(self) -> None:
        """The window is about to close: start to store what the person is writing."""

    def dream(self) -> bool:
        """File > Dream now: True where the pane does it, and shows how it goes."""
        return False

    def end_editing(self, then: Callable[[], object]) -> None:
        """Undo and redo wait for what is being written: calls ``then`` when it is stored."""
        then()

    def set_kb(self, kb: str) -> None:
        """Another knowledge base was chosen; "" is all of them."""

    def set_compact(self, compact: bool) -> None:
        """The density of rows changed."""

    def set_narrow(self, narrow: bool) -> None:
        """Below 960 px the detail covers the list."""

    def back(self) -> bool:
        """Alt+Left: gives False if there is nothing to go back to here."""
        return False

    def stops(self) -> list[QWidget]:
        """Where F6 stops inside the pane, in order: the list, the detail."""
        return []

    def commands(self) -> list[tuple[str, str, Callable[[], object]]]:
        """What the pane can do to its selection, as (text, key, act): listed in the Edit menu."""
        return []

    def keys(self) -> list[tuple[str, str]]:
        """The single keys of the pane, as (key, text), for the card of shortcuts."""
        return [(key, text) for text, key, _act in self.commands()]

    def show_banner(self, banner: Banner) -> None:
        text = " ".join(part for part in (banner.detail, banner.hint) if part)
        self.banner.show_banner(
            banner.title,
            text,
            tone=banner.tone,
            action=banner.action,
            act=banner.act,
            details=banner.details,
        )


def matching(values: Mapping[str, int], prefix: str, limit: int = 8) -> list[tuple[str, int]]:
    """Values that begin with, else contain, a prefix; the most frequent first."""
    wanted = prefix.casefold()
    begins = [(value, count) for value, count in values.items() if value.casefold().startswith(wanted)]
    holds = [
        (value, count)
        for value, count in values.items()
        if wanted in value.casefold() and not value.casefold().startswith(wanted)
    ]
    most = sorted(begins, key=lambda pair: -pair[1]) + sorted(holds, key=lambda pair: -pair[1])
    return most[:limit]


def nodes_for(
    title: str, values: Mapping[str, int], term: Callable[[str], str], limit: int = 12
) -> Node | None:
    """A heading with the most frequent values under it; None if there are none."""
    if not values:
        return None
    head = Node(title)
    for value, count in sorted(values.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]:
        head.add(Node(value, term(value), count))
    return head
