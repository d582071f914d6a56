"""Which rows hold which words, as arrays: segments that grow by merging, as in an LSM tree.

A count is in quarters of a mention, so that a field may weigh less than the body of a text (BM25F).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

QUARTERS = 4  # of one mention in the body
_MOST = 255
_FORM, _SLOT = 32, 0xFFFFFFFF  # bits of a key: the form above, the slot below

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
    keys = _packed(forms, slots)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = _firsts(keys)
    totals = np.add.reduceat(quarters[order], first) if len(first) else np.empty(0, np.int32)
    return _assembled(keys[first], np.minimum(totals, _MOST).astype(np.uint8))


def merged(segments: Sequence[Segment]) -> Segment:
    """One segment out of several that share no (form, slot)."""
    return _ordered(*_unpacked(segments))


def renumbered(segments: Sequence[Segment], slots: Slots, forms: NDArray[np.int32]) -> Segment:
    """One segment with other numbers, by the old ones; -1 leaves out."""
    keys, counts = _unpacked(segments)
    slot, form = slots[keys & _SLOT], forms[keys >> _FORM]
    held = (slot >= 0) & (form >= 0)
    return _ordered(_packed(form[held], slot[held]), counts[held])


def _packed(forms: NDArray[np.int32], slots: Slots) -> NDArray[np.int64]:
    """Form and slot as one number, which sorts by form, then slot."""
    return (forms.astype(np.int64) << _FORM) | slots


def _unpacked(segments: Sequence[Segment]) -> tuple[NDArray[np.int64], Counts]:
    """The keys and counts of several segments, in no order."""
    keys = [_packed(np.repeat(each.forms, np.diff(each.starts)), each.slots) for each in segments]
    counts = [each.counts for each in segments]
    return np.concatenate([np.empty(0, np.int64), *keys]), np.concatenate([np.empty(0, np.uint8), *counts])


def _ordered(keys: NDArray[np.int64], counts: Counts) -> Segment:
    order = np.argsort(keys, kind="stable")
    return _assembled(keys[order], counts[order])


def _assembled(keys: NDArray[np.int64], counts: Counts) -> Segment:
    """From keys that ascend, each once."""
    forms = (keys >> _FORM).astype(np.int32)
    first = _firsts(forms)
    starts = np.concatenate((first, [len(keys)])).astype(np.int64)
    return Segment(forms[first], starts, (keys & _SLOT).astype(np.int32), counts)


def _firsts(ordered: NDArray[Any]) -> NDArray[np.intp]:
    """Where each number stands for the first time."""
    return np.flatnonzero(
        np.concatenate((np.ones(min(1, len(ordered)), np.bool_), ordered[1:] != ordered[:-1]))
    )


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
