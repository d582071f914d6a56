"""Pairs of texts that are near by their vectors, out of a hundred thousand, without looking at all pairs.

A text that says all that another one says holds every word of it, and so its rarest one too: each text is compared
with those that hold its rarest word, in blocks of NumPy.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.domain.progress import Cancel
from reverie.dream.passes.base import stop_if
from reverie.embed.base import Vectors

_ROWS, _COLUMNS = 8192, 256  # of the block of cosines: 8 MB of float32
_NEIGHBOURS = 50  # the nearest ones of each text

_BITS = 22  # of a word's hash: 4 million words
_MASK = (1 << _BITS) - 1

Places = NDArray[np.intp]
Words = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Pairs:
    """``kept`` < ``dropped``: places in the order that was given."""

    kept: Places
    dropped: Places
    cosines: Vectors

    def __len__(self) -> int:
        return len(self.kept)

    def __iter__(self) -> Iterator[tuple[int, int, float]]:
        for kept, dropped, cosine in zip(self.kept, self.dropped, self.cosines, strict=True):
            yield int(kept), int(dropped), float(cosine)

    def part(self, start: int, size: int) -> "Pairs":
        these = slice(start, start + size)
        return Pairs(self.kept[these], self.dropped[these], self.cosines[these])

    def places(self) -> list[int]:
        return [int(place) for place in np.union1d(self.kept, self.dropped)]

    def by_kept(self) -> "Pairs":
        """In the order of what stays, the nearest first."""
        return self._take(np.lexsort((self.dropped, -self.cosines, self.kept)))

    def nearest(self) -> "Pairs":
        """At most :data:`_NEIGHBOURS` for each dropped one."""
        order = np.lexsort((self.kept, -self.cosines, self.dropped))
        dropped = self.dropped[order]
        begins = np.searchsorted(dropped, dropped)
        return self._take(order[np.arange(len(order)) - begins < _NEIGHBOURS])

    def _take(self, chosen: Places) -> "Pairs":
        return Pairs(self.kept[chosen], self.dropped[chosen], self.cosines[chosen])


def joined(parts: Sequence[Pairs]) -> Pairs:
    if not parts:
        return Pairs(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0, np.float32))
    return Pairs(
        np.concatenate([part.kept for part in parts]),
        np.concatenate([part.dropped for part in parts]),
        np.concatenate([part.cosines for part in parts]),
    )


@dataclass(frozen=True, slots=True)
class Group:
    """Texts whose rarest word is the same, and all that hold it; both in order."""

    dropped: Places
    holders: Places


def groups(vocabularies: Sequence[Words], cancelled: Cancel) -> list[Group]:
    """By rarest word, where more than one text holds it. A vocabulary is the hashes of the text's words, each once;
    no sort of all words is needed, since two words of one hash only make for pairs that are looked at in vain."""
    sizes = np.fromiter(map(len, vocabularies), np.intp, len(vocabularies))
    if not sizes.sum():
        return []
    words = np.concatenate(vocabularies).astype(np.int64) & _MASK
    counts = np.bincount(words, minlength=_MASK + 1)
    stop_if(cancelled)
    filled = np.flatnonzero(sizes)
    begins = (np.cumsum(sizes) - sizes)[filled]
    rarest = np.minimum.reduceat(counts[words] << _BITS | words, begins) & _MASK
    shared = counts[rarest] > 1
    filled, rarest = filled[shared], rarest[shared]
    stop_if(cancelled)
    asked = np.zeros(_MASK + 1, bool)
    asked[rarest] = True
    chosen = np.flatnonzero(asked[words])
    owners = np.repeat(np.arange(len(sizes)), sizes)[chosen]
    stop_if(cancelled)
    by_word = np.argsort(words[chosen], kind="stable")
    holders, names = owners[by_word], words[chosen][by_word]
    by_rarest = np.argsort(rarest, kind="stable")
    stop_if(cancelled)
    found: list[Group] = []
    for members in np.split(by_rarest, np.flatnonzero(np.diff(rarest[by_rarest])) + 1):
        if len(members):
            word = rarest[members[0]]
            alike = holders[np.searchsorted(names, word, "left") : np.searchsorted(names, word, "right")]
            found.append(Group(filled[members], np.unique(alike)))
    return found


def near(group: Group, matrix: Vectors, kinds: NDArray[np.int64], least: float, cancelled: Cancel) -> Pairs:
    """Pairs of one group with a cosine of at least ``least`` and equal ``kinds``, the nearest of each dropped one."""
    found: list[Pairs] = []
    for first in range(0, len(group.dropped), _COLUMNS):
        dropped = group.dropped[first : first + _COLUMNS]
        best = joined([])
        for begin in range(0, len(group.holders), _ROWS):
            stop_if(cancelled)
            kept = group.holders[begin : begin + _ROWS]
            cosines = matrix[kept] @ matrix[dropped].T
            fits = (cosines >= least) & (kept[:, None] < dropped) & (kinds[kept][:, None] == kinds[dropped])
            rows, columns = np.nonzero(fits)
            if len(rows):
                more = Pairs(kept[rows], dropped[columns], cosines[rows, columns])
                best = joined([best, more]).nearest()
        found.append(best)
    return joined(found)
