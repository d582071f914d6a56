"""The inbox as the pane shows it: read and sorted into groups on a worker."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QCoreApplication

from reverie.domain.ids import ItemId
from reverie.domain.inbox import InboxItem, ItemState
from reverie.domain.memory import Memory
from reverie_gui.context import Context
from reverie_gui.panes.inbox.words import FINISHED, IN_WORK, NEED_PERSON, TERMS
from reverie_gui.panes.narrowing import Narrowing, read_narrowing
from reverie_gui.widgets.grouped_list import Group, short_group

SHOWN_MEMORIES = 12
KNOWN_TERMS = {"is": tuple(TERMS.values())}


def _tr(text: str) -> str:
    return QCoreApplication.translate("Inbox", text)


@dataclass(frozen=True, slots=True)
class Queue:
    """``items`` are all of the knowledge base by id; ``groups`` hold those that the query leaves; ``counts`` are by
    state over what the words of the query leave; ``watched`` are (folder, base)."""

    query: str = ""
    narrowing: Narrowing = field(default_factory=Narrowing)
    items: Mapping[str, InboxItem] = field(default_factory=dict)
    changed: tuple[InboxItem, ...] = ()
    groups: tuple[Group, ...] = ()
    counts: Mapping[ItemState, int] = field(default_factory=dict)
    watched: tuple[tuple[str, str], ...] = ()


def load_queue(context: Context, kb: str | None, query: str, before: Mapping[str, InboxItem]) -> Queue:
    """``before`` are the items of the last load: those that differ come in ``changed``. Blocks."""
    found = context.vault.inbox.items(kb)
    wanted = read_narrowing(query, KNOWN_TERMS)
    named = [item for item in found if wanted.has_words(item.name)]
    shown = [item for item in named if wanted.allows("is", TERMS[item.state])]
    return Queue(
        query=query,
        narrowing=wanted,
        items={item.id: item for item in found},
        changed=tuple(item for item in found if before.get(item.id) != item),
        groups=tuple(
            short_group(name, title, [item.id for item in shown if item.state in states])
            for name, title, states in (
                ("person", _tr("Need you"), NEED_PERSON),
                ("work", _tr("In work"), IN_WORK),
                ("finished", _tr("Finished"), FINISHED),
            )
        ),
        counts=Counter(item.state for item in named),
        watched=tuple(context.vault.inbox.watched()),
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an item: its first memories (its twin's, where it was known already), and that twin."""

    item: ItemId
    memories: tuple[Memory, ...] = ()
    twin: InboxItem | None = None


def load_outcome(context: Context, item: InboxItem) -> Outcome:
    """Blocks. A twin that is gone is None."""
    from reverie.errors import NotFound

    twin = None
    if item.duplicate_of is not None:
        try:
            twin = context.vault.inbox.get(item.duplicate_of)
        except NotFound:
            twin = None
    ids = item.memories or (twin.memories if twin is not None else ())
    made = context.vault.memories.get_many(ids[:SHOWN_MEMORIES])
    return Outcome(item.id, tuple(made), twin)
