"""What a memory's detail shows beyond the memory itself: its links, its insights, its history."""

from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from reverie.domain.changes import Version as Past
from reverie.domain.ids import MemoryId
from reverie.domain.insight import Insight
from reverie.domain.memory import LinkKind, Memory, MemoryLink
from reverie_gui.context import Context

RELATED = 6
CHANGES = 3


def _tr(text: str) -> str:
    return QCoreApplication.translate("MemoryExtras", text)


@dataclass(frozen=True, slots=True)
class Version:
    """One line of a memory's history. ``fields`` are the columns that it changed."""

    operation: int
    kind: str
    author: str
    at: datetime
    fields: tuple[str, ...]
    undone: bool


@dataclass(frozen=True, slots=True)
class Extras:
    """``related`` pairs each other memory with how it is tied to this one."""

    memory: MemoryId
    related: tuple[tuple[Memory, str], ...] = ()
    insights: tuple[Insight, ...] = ()
    versions: tuple[Version, ...] = ()


_BOOKKEEPING = {"is_consolidated", "updated_at"}


def load_extras(context: Context, memory: MemoryId) -> Extras:
    """On a worker."""
    links = context.vault.memories.links(memory)
    others = {link.target if link.source == memory else link.source: link for link in links}
    found = context.vault.memories.get_many(list(others))
    return Extras(
        memory,
        tuple((other, relation(others[other.id], memory)) for other in found),
        tuple(context.vault.insights.of(memory)),
        tuple(line for entry in context.vault.memories.history(memory) if tells(line := version(entry))),
    )


def relation(link: MemoryLink, memory: MemoryId) -> str:
    """How the other end of a link is tied to ``memory``, in words."""
    outwards = link.source == memory
    if link.kind is LinkKind.REPLACED_BY:
        return _tr("Replaced by") if outwards else _tr("Replaces")
    if link.kind is LinkKind.MADE_FROM:
        return _tr("Made from") if outwards else _tr("Made into")
    return link.relationship or _tr("Connected")


def tells(line: Version) -> bool:
    """Whether a person would call it a change: that a dream has seen the memory is none."""
    return not line.fields or bool(set(line.fields) - _BOOKKEEPING)


def version(entry: Past) -> Version:
    """A line of a memory's history; making and erasing it name no fields."""
    changeset = entry.changeset
    after, before = entry.change.after or {}, entry.change.before or {}
    return Version(
        changeset.id,
        changeset.kind,
        changeset.author,
        changeset.at,
        tuple(sorted(set(after) | set(before))) if after and before else (),
        changeset.undone,
    )
