"""Joins memories that say the same: one stays as it is written, and nothing that the others carry is dropped."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from reverie.domain.ids import MemoryId
from reverie.domain.memory import GENERAL, Memory, State, clean_tags


class Frame(NamedTuple):
    """What decides whether memories may be merged at all."""

    same: tuple[object, ...]  # equal for all members
    key: str | None
    category: str


class Fold:
    """A merge in the making: whether others fit, and which ids it holds (the one that stays comes first).

    Memories of another kind, validity or mutedness never fit, nor do two keys or two categories of which
    neither lies under the other: merging those would drop what a person or an agent said on purpose.
    """

    def __init__(self, id: MemoryId, frame: Frame) -> None:
        self.ids = [id]
        self.likeness: float | None = None  # the lowest cosine to the one that stays; None: all the same text
        self._frame = frame

    def take(self, other: "Fold", likeness: float | None = None) -> bool:
        """Adds all members of ``other``, or nothing where they do not fit."""
        mine, theirs = self._frame, other._frame
        category = _narrower(mine.category, theirs.category)
        if category is None or mine.same != theirs.same:
            return False
        if mine.key is not None and theirs.key is not None and mine.key != theirs.key:
            return False
        self._frame = Frame(mine.same, theirs.key if mine.key is None else mine.key, category)
        self.ids.extend(other.ids)
        self.likeness = min(
            (x for x in (self.likeness, other.likeness, likeness) if x is not None), default=None
        )
        return True


def frame(memory: Memory) -> Frame:
    same = (memory.kb, memory.kind.value, memory.muted, memory.valid_from, memory.valid_until)
    return Frame(same, memory.key, memory.category)


def join(kept: Memory, others: Sequence[Memory], *, id: MemoryId, at: datetime) -> Memory:
    """The memory that takes the place of all of them. Its content is ``kept``'s, to the letter; created is the
    oldest, importance the highest; told-again counts add up, and each copy counts as told once more."""
    rest = sorted(others, key=lambda memory: (memory.created_at, memory.id))
    ordered = [kept, *rest]
    ends = [memory.expires_at for memory in ordered if memory.expires_at is not None]
    category = kept.category
    for memory in rest:
        category = _narrower(category, memory.category) or category
    return replace(
        kept,
        id=id,
        key=next((memory.key for memory in ordered if memory.key is not None), None),
        category=category,
        summary=next((memory.summary for memory in ordered if memory.summary), ""),
        tags=clean_tags(_joined(memory.tags for memory in ordered)),
        entities=_joined(memory.entities for memory in ordered),
        topics=_joined(memory.topics for memory in ordered),
        importance=max(memory.importance for memory in ordered),
        metadata=join_metadata(ordered),
        is_consolidated=all(memory.is_consolidated for memory in ordered),
        created_at=min(memory.created_at for memory in ordered),
        updated_at=at,
        expires_at=max(ends) if len(ends) == len(ordered) else None,  # what never expires outlives its copies
        reinforced=sum(memory.reinforced for memory in ordered) + len(rest),
        last_seen_at=max(memory.last_seen_at or memory.created_at for memory in ordered),
        state=State.ACTIVE,
    )


def join_metadata(memories: Sequence[Memory]) -> dict[str, Any]:
    """The first one's metadata, with what the others know beside it. Where two differ, the other value is
    kept under ``merged``, by the id of the memory that had it."""
    result: dict[str, Any] = {}
    apart: dict[str, Any] = {}
    for memory in memories:
        for name, value in memory.metadata.items():
            if name == "merged" and isinstance(value, Mapping):  # of an earlier merge
                for id, differing in value.items():
                    _set_apart(apart, id, differing)
            elif name == "merged" or (name in result and not _same(result[name], value)):
                _set_apart(apart, memory.id, {name: value})
            else:
                result[name] = value
    return {**result, "merged": apart} if apart else result


def _set_apart(apart: dict[str, Any], id: str, differing: Any) -> None:
    """Under the id; under a longer name of it where it holds something else already."""
    present = apart.get(id)
    if present is None or _same(present, differing):
        apart[id] = differing
    elif (
        isinstance(present, Mapping) and isinstance(differing, Mapping) and not set(present) & set(differing)
    ):
        apart[id] = {**present, **differing}
    else:
        _set_apart(apart, id + "'", differing)


def _narrower(one: str, other: str) -> str | None:
    """The category that says more, or None where they differ."""
    if one == other or other == GENERAL or one.startswith(other + "/"):
        return one
    if one == GENERAL or other.startswith(one + "/"):
        return other
    return None


def _joined(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for items in lists for item in items))


def _same(one: object, other: object) -> bool:
    """Equal in JSON, where 1, 1.0 and true are three values."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and one == other
