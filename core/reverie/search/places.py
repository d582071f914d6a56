"""Where a row of the store stands in the arrays of an index."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

_FEW = 512  # rows that are looked up one by one

Seqs = NDArray[np.int64]
Slots = NDArray[np.int64]


class Places:
    """seq -> slot. ``base``: ascending seqs whose slot is their position; what came later lies in a dict."""

    def __init__(self, base: Seqs | None = None) -> None:
        self._base = np.empty(0, np.int64) if base is None else base
        self._later: dict[int, int] = {}
        self._sorted: tuple[Seqs, Slots] | None = None  # the dict, as arrays

    def put(self, places: Mapping[int, int]) -> None:
        """Newer slots; -1 for a row that is gone."""
        self._later.update(places)
        self._sorted = None

    def of(self, seqs: Iterable[int]) -> Slots:
        """A slot each, -1 where there is none."""
        wanted = np.fromiter(seqs, np.int64)
        found = _positions(self._base, wanted)
        if not self._later:
            return found
        if len(wanted) <= _FEW:
            for n, seq in enumerate(wanted.tolist()):
                if seq in self._later:
                    found[n] = self._later[seq]
            return found
        if self._sorted is None:
            keys = np.fromiter(self._later, np.int64, len(self._later))
            values = np.fromiter(self._later.values(), np.int64, len(self._later))
            order = np.argsort(keys)
            self._sorted = keys[order], values[order]
        seqs_later, slots_later = self._sorted
        newer = _positions(seqs_later, wanted)
        return np.where(newer >= 0, slots_later[newer], found)


def _positions(keys: Seqs, wanted: Seqs) -> Slots:
    """Where each stands among the keys, which ascend; -1 where it does not."""
    found = np.searchsorted(keys, wanted)
    inside = found < len(keys)
    inside[inside] = keys[found[inside]] == wanted[inside]
    found[~inside] = -1
    return found
