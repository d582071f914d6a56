"""Which rows are worth scoring: the strongest by words and the nearest by meaning, as far as a filter leaves them."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from reverie.search.modes import Mode
from reverie.search.rows import Rows
from reverie.search.sought import Sought

POOL = 200  # rows a side
_PHRASE_POOL = 5_000  # a phrase is looked for in so many rows that hold its words

Wanted = TypeVar("Wanted", contravariant=True)
Slots = NDArray[np.int64]


def candidates(
    sought: Sought, rows: Rows[Wanted], wanted: Wanted, limit: int, mode: Mode, floor: float
) -> Slots:
    """Slots of rows that the filter leaves; a rare filter still fills the page.

    floor: the least cosine of a row that no word brings.
    """
    pool = max(_PHRASE_POOL if sought.question.phrases else POOL, 4 * limit)
    found, is_all = _both_sides(sought, pool, mode, floor, None)
    kept = rows.keep(sought.seqs(found), wanted)
    if len(kept) < max(2 * limit, pool // 4) and not is_all:
        allowed = np.sort(np.fromiter(rows.allowed(wanted), np.int64))
        return _both_sides(sought, pool, mode, floor, allowed)[0]
    held = np.isin(sought.index.rows["seq"][found], np.fromiter(kept, np.int64, len(kept)))
    return found[held]


def _both_sides(
    sought: Sought, pool: int, mode: Mode, floor: float, allowed: Slots | None
) -> tuple[Slots, bool]:
    """Slots, and whether that is every row that could be found. allowed: only these seqs."""
    by_words, by_meaning = np.empty(0, np.int64), np.empty(0, np.int64)
    is_all = True
    if mode != "semantic":
        by_words, is_all = _strongest(sought, pool, allowed)
    if sought.meaning is not None:
        vectors, vector = sought.meaning
        near = sought.index.places.of(vectors.nearest(vector, pool, allowed))
        is_all = is_all and len(near) < pool
        near = near[near >= 0]
        by_meaning = near[sought.cosines(near) >= floor]
    return np.unique(np.concatenate([by_words, by_meaning])).astype(np.int64), is_all


def _strongest(sought: Sought, pool: int, allowed: Slots | None) -> tuple[Slots, bool]:
    strength = sought.strength
    slots = strength.slots.astype(np.int64)
    if allowed is not None:
        slots = slots[np.isin(slots, sought.index.places.of(allowed))]
    if len(slots) <= pool:
        return slots, True
    total = strength.keyword[slots] + strength.coverage[slots]
    return slots[np.argpartition(-total, pool)[:pool]], False
