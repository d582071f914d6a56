"""Where a row of the store stands in the arrays of an index."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

Seqs = NDArray[np.int64]


class Places:
    """seq -> slot. ``base``: ascending seqs whose slot is their position; what came later lies in a dict."""

    def __init__(self, base: Seqs | None = None) -> None:
        self._base = np.empty(0, np.int64) if base is None else base
        self._later: dict[int, int] = {}

    def put(self, places: Mapping[int, int]) -> None:
        """Newer slots; -1 for a row that is gone."""
        self._later.update(places)

    def of(self, seqs: Iterable[int]) -> NDArray[np.int64]:
        """A slot each, -1 where there is none."""
        wanted = np.fromiter(seqs, np.int64)
        found = np.searchsorted(self._base, wanted)
        inside = found < len(self._base)
        inside[inside] = self._base[found[inside]] == wanted[inside]
        found[~inside] = -1
        if self._later:
            later = self._later
            for n, seq in enumerate(wanted.tolist()):
                if seq in later:
                    found[n] = later[seq]
        return found
