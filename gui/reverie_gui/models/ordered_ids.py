"""A list of ids with their places, and the smallest steps from one list to another. No Qt."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import overload

_MAX_STEPS = 200  # above that, telling a view each step costs more than starting afresh
_MAX_MIDDLE = 20_000  # rows between the common ends that are looked at one by one
_CHUNK = 1024


class OrderedIds(Sequence[str]):
    """Ids in order, each once; never changed once made. Built on a worker: placing 100,000 takes some 10 ms."""

    __slots__ = ("_ids", "places")

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self._ids = list(dict.fromkeys(ids))
        self.places = dict(zip(self._ids, range(len(self._ids)), strict=True))

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        return self._ids[index]

    def __contains__(self, value: object) -> bool:
        return value in self.places

    def as_list(self) -> list[str]:
        """The ids themselves, not a copy: to be read only."""
        return self._ids

    def place(self, each: str) -> int:
        """The row of an id, or -1."""
        return self.places.get(each, -1)


@dataclass(frozen=True, slots=True)
class Step:
    """Rows ``first`` .. ``last`` (both included) are removed or inserted, at the time of the step."""

    insert: bool
    first: int
    last: int
    ids: tuple[str, ...] = ()


def steps(old: list[str], new: OrderedIds) -> list[Step] | None:
    """Removals and insertions that lead from ``old`` to ``new``; None where a reset is cheaper or rows moved."""
    ids = new.as_list()
    head = _common(old, ids)
    tail = _common_tail(old, ids, head)
    middle_old = old[head : len(old) - tail]
    middle_new = ids[head : len(ids) - tail]
    if len(middle_old) + len(middle_new) > _MAX_MIDDLE:
        return None
    kept = [each for each in middle_old if each in new.places]
    removals = _removals(middle_old, new, head)
    if removals is None or not _in_order(kept, new):
        return None
    insertions = _insertions(middle_new, set(kept), head)
    if insertions is None or len(removals) + len(insertions) > _MAX_STEPS:
        return None
    return removals + insertions


def _common(old: list[str], new: list[str]) -> int:
    """How many are the same from the start: by slices, which Python compares quickly."""
    limit = min(len(old), len(new))
    start = 0
    while start < limit and old[start : start + _CHUNK] == new[start : start + _CHUNK]:
        start += _CHUNK
    start = min(start, limit)
    return next((i for i in range(start, limit) if old[i] != new[i]), limit)


def _common_tail(old: list[str], new: list[str], head: int) -> int:
    limit = min(len(old), len(new)) - head
    old_end, new_end = len(old), len(new)
    done = 0
    while (
        done + _CHUNK <= limit
        and old[old_end - done - _CHUNK : old_end - done] == new[new_end - done - _CHUNK : new_end - done]
    ):
        done += _CHUNK
    return next((i for i in range(done, limit) if old[-1 - i] != new[-1 - i]), limit)


def _in_order(kept: list[str], new: OrderedIds) -> bool:
    places = [new.place(each) for each in kept]
    return all(a < b for a, b in pairwise(places))


def _removals(old: Sequence[str], new: OrderedIds, head: int) -> list[Step] | None:
    """From the end to the start, so that no step moves the rows of another."""
    found: list[Step] = []
    row = len(old) - 1
    while row >= 0:
        if old[row] in new:
            row -= 1
            continue
        last = row
        while row >= 0 and old[row] not in new:
            row -= 1
        found.append(Step(False, head + row + 1, head + last))
        if len(found) > _MAX_STEPS:
            return None
    return found


def _insertions(new: Sequence[str], kept: set[str], head: int) -> list[Step] | None:
    found: list[Step] = []
    row = 0
    while row < len(new):
        if new[row] in kept:
            row += 1
            continue
        first = row
        while row < len(new) and new[row] not in kept:
            row += 1
        found.append(Step(True, head + first, head + row - 1, tuple(new[first:row])))
        if len(found) > _MAX_STEPS:
            return None
    return found
