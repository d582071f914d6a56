"""Which rows hold which words, as arrays: segments that grow by merging, as in an LSM tree.

A count is in quarters of a mention, so that a field may weigh less than the body of a text (BM25F).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

QUARTERS = 4  # of one mention in the body
_MOST = 255

Slots = NDArray[np.int32]
Counts = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Segment:
    """Of form ``forms[n]``: slots and counts from ``starts[n]`` to ``starts[n + 1]``. Forms ascend, each once."""

    forms: NDArray[np.int32]
    starts: NDArray[np.int64]
    slots: Slots
    counts: Counts

    @property
    def size(self) -> int:
        return len(self.slots)

    def of(self, form: int) -> tuple[Slots, Counts] | None:
        place = int(np.searchsorted(self.forms, form))
        if place == len(self.forms) or self.forms[place] != form:
            return None
        start, end = self.starts[place], self.starts[place + 1]
        return self.slots[start:end], self.counts[start:end]


def segment(forms: NDArray[np.int32], slots: Slots, quarters: NDArray[np.int32]) -> Segment:
    """From one entry a mention: equal (form, slot) pairs are added up, up to 63 mentions."""
    key = (forms.astype(np.int64) << 32) | slots
    order = np.argsort(key, kind="stable")
    key = key[order]
    first = (
        np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1]))) if len(key) else np.empty(0, np.int64)
    )
    totals = np.add.reduceat(quarters[order], first) if len(first) else np.empty(0, np.int32)
    return _assembled(key[first], np.minimum(totals, _MOST).astype(np.uint8))


def merged(segments: Sequence[Segment]) -> Segment:
    """One segment out of several that share no (form, slot)."""
    keys = np.concatenate([_keys(each) for each in segments])
    counts = np.concatenate([each.counts for each in segments])
    order = np.argsort(keys, kind="stable")
    return _assembled(keys[order], counts[order])


def renumbered(segments: Sequence[Segment], slots: Slots, forms: NDArray[np.int32]) -> Segment:
    """One segment with other numbers, by the old ones; -1 leaves out."""
    keys = np.concatenate([np.empty(0, np.int64), *(_keys(each) for each in segments)])
    counts = np.concatenate([np.empty(0, np.uint8), *(each.counts for each in segments)])
    slot, form = slots[keys & 0xFFFFFFFF], forms[keys >> 32]
    held = (slot >= 0) & (form >= 0)
    keys, counts = (form[held].astype(np.int64) << 32) | slot[held], counts[held]
    order = np.argsort(keys, kind="stable")
    return _assembled(keys[order], counts[order])


def _keys(each: Segment) -> NDArray[np.int64]:
    return (np.repeat(each.forms.astype(np.int64), np.diff(each.starts)) << 32) | each.slots


def _assembled(keys: NDArray[np.int64], counts: Counts) -> Segment:
    forms = (keys >> 32).astype(np.int32)
    first = (
        np.flatnonzero(np.concatenate(([True], forms[1:] != forms[:-1])))
        if len(keys)
        else np.empty(0, np.int64)
    )
    starts = np.concatenate((first, [len(keys)])).astype(np.int64)
    return Segment(forms[first], starts, (keys & 0xFFFFFFFF).astype(np.int32), counts)


class Postings:
    """All segments. Adding is amortised: a segment is merged only into one at most twice its size."""

    def __init__(self, segments: Sequence[Segment] = ()) -> None:
        self.segments = list(segments)

    def add(self, fresh: Segment) -> None:
        if not fresh.size:
            return
        while self.segments and self.segments[-1].size < 2 * fresh.size:
            fresh = merged([self.segments.pop(), fresh])
        self.segments.append(fresh)

    def of(self, form: int) -> Iterator[tuple[Slots, Counts]]:
        for each in self.segments:
            found = each.of(form)
            if found is not None:
                yield found
