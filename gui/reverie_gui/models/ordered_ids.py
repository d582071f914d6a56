"""A list of ids with their places, and the smallest steps from one list to another. No Qt."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

_MAX_STEPS = 200  # above that, telling a view each step costs more than starting afresh


class OrderedIds(Sequence[str]):
    """Ids in order, each once. Built on a worker: placing 100,000 takes some 10 ms."""

    __slots__ = ("_ids", "_places")

    def __init__(self, ids: Iterable[str] = ()) -> None:
        places: dict[str, int] = {}
        for each in ids:
            places.setdefault(each, len(places))
        self._places = places
        self._ids = list(places)

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self._ids[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)  # a Sequence's own asks for each item by its number

    def __contains__(self, value: object) -> bool:
        return value in self._places

    def place(self, each: str) -> int:
        """The row of an id, or -1."""
        return self._places.get(each, -1)


@dataclass(frozen=True, slots=True)
class Step:
    """Rows ``first`` .. ``last`` (both included) are removed or inserted, at the time of the step."""

    insert: bool
    first: int
    last: int
    ids: tuple[str, ...] = ()


def steps(old: Sequence[str], new: OrderedIds) -> list[Step] | None:
    """Removals and insertions that lead from ``old`` to ``new``; None where a reset is cheaper or rows moved."""
    head = _common(old, new)
    tail = _common_tail(old, new, head)
    middle_old = old[head : len(old) - tail]
    middle_new = new[head : len(new) - tail]
    kept = [each for each in middle_old if each in new]
    removals = _removals(middle_old, new, head)
    if removals is None or not _in_order(kept, new):
        return None
    insertions = _insertions(middle_new, set(kept), head)
    if insertions is None or len(removals) + len(insertions) > _MAX_STEPS:
        return None
    return removals + insertions


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    limit = min(len(old), len(new))
    return next((i for i in range(limit) if old[i] != new[i]), limit)


def _common_tail(old: Sequence[str], new: Sequence[str], head: int) -> int:
    limit = min(len(old), len(new)) - head
    return next((i for i in range(limit) if old[-1 - i] != new[-1 - i]), limit)


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
