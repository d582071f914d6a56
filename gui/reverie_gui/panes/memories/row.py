"""How a memory looks as a row."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QCoreApplication

from reverie.domain.memory import Memory, State
from reverie.domain.search import Hit
from reverie_gui.panes.memories.text import second, title
from reverie_gui.widgets.row_delegate import RowLook
from reverie_gui.wording import age, ago, exact, kind_word, until

IMPORTANT = 0.8


def _tr(text: str) -> str:
    return QCoreApplication.translate("MemoryRow", text)


def row_look(memory: Memory, hit: Hit | None, marks: tuple[str, ...]) -> RowLook:
    """The look of a row; ``hit`` if it was found by words, which are marked."""
    tail, tone = "", "text_3"
    if memory.expires_at is not None:
        tail = until(memory.expires_at)
        life = (memory.expires_at - memory.created_at).total_seconds()
        left = (memory.expires_at - memory.updated_at).total_seconds()
        tone = "warn" if life > 0 and left / life < 0.1 else "text_3"
    elif memory.importance >= IMPORTANT:
        tail = _tr("important")
    flags = tuple(name for name, on in (("mute", memory.muted), ("pin", memory.pinned)) if on)
    replaced = memory.state is State.SUPERSEDED
    under = _tr("replaced by a newer memory") if replaced else second(memory, hit.passage if hit else "")
    return RowLook(
        title=title(memory) or _tr("(empty)"),
        second=under,
        kind=memory.kind.value,
        right=age(memory.created_at),
        right_second=tail,
        right_tone=tone,
        flags=flags,
        faint=replaced,
        marks=(hit.words if hit and hit.words else marks),
        tip=lambda: _tip(memory, hit),
    )


def _tip(memory: Memory, hit: Hit | None) -> str:
    parts = [
        _tr("{kind} in {category}").format(kind=kind_word(memory.kind), category=memory.category),
        _tr("Created {when}").format(when=exact(memory.created_at)),
    ]
    if memory.updated_at != memory.created_at:
        parts.append(_tr("Changed {when}").format(when=exact(memory.updated_at)))
    if hit is not None:
        parts.append(_tr("Relevance {share}").format(share=f"{hit.relevance:.0%}"))
        if hit.why:
            parts.append(hit.why)
    return "\n".join(parts)


def describe(memory: Memory) -> str:
    """A row in words, for screen readers: "Preference, title, 2 hours ago, expires in 4 d"."""
    parts = [kind_word(memory.kind), title(memory), ago(memory.created_at)]
    if memory.pinned:
        parts.append(_tr("pinned"))
    if memory.muted:
        parts.append(_tr("muted"))
    if memory.expires_at is not None:
        parts.append(_tr("expires {when}").format(when=until(memory.expires_at)))
    return ", ".join(parts)


def looks(
    hits: Callable[[], Mapping[str, Hit]], marks: Callable[[], tuple[str, ...]]
) -> Callable[[Memory], RowLook]:
    """A row function over what was found last."""
    return lambda memory: row_look(memory, hits().get(memory.id), marks())
