"""Finds memories that say the same: the same text, or nearly the same text that claims nothing else."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.domain.clock import to_micros
from reverie.domain.dream import Head, Proposal, ProposalKind
from reverie.domain.ids import MemoryId, ProposalId, new_id
from reverie.domain.memory import Memory
from reverie.domain.records import memory_record
from reverie.dream.claims import Claims, read_claims, says_the_same
from reverie.dream.passes.base import (
    Cancel,
    Material,
    Progress,
    Setting,
    Vectors,
    in_batches,
    stop_if,
)
from reverie.dream.passes.merge import Fold, frame, join
from reverie.i18n import _, ngettext

_READ = 500  # memories read at a time
_VECTORS = 4096  # vectors read at a time, where the groups are small
_ROWS, _COLUMNS = 256, 8192  # of the block of similarities: 8 MB of float32
_NEIGHBOURS = 100  # the nearest ones, which are compared word by word
_CACHE = 4_000  # texts kept as claims


@dataclass(slots=True)
class _Unit:
    """Memories of the same text, and what decides about near ones: equal signatures, then who says more."""

    fold: Fold
    order: int
    weight: int = 0
    length: int = 0


class Duplicates:
    """Proposes one MERGE for each group of memories that say the same.

    cosine: -1..1, how near the vectors must be. overlap: 0..1, how much vocabulary (Jaccard) the texts must share
    besides. Pinned memories are left alone; those without a vector take part with the very same text only.

    Numbers, negation and the like must be equal, so that texts are compared only with those of an equal signature:
    a hundred thousand memories are far from all pairs, and where they are not, NumPy goes through them in blocks.
    """

    name = "duplicates"

    def __init__(self, cosine: float = 0.95, overlap: float = 0.6) -> None:
        self.cosine = cosine
        self.overlap = overlap

    @property
    def title(self) -> str:
        return _("Merge duplicates")

    def propose(
        self, material: Material, setting: Setting, *, progress: Progress, cancelled: Cancel
    ) -> Iterator[Proposal]:
        heads = [head for head in material.heads() if not head.pinned]
        versions = {head.id: head.version for head in heads}
        units = self._exact(heads, material, cancelled)
        buckets = self._buckets(units, material, progress, cancelled)
        self._near(buckets, len(units), material, progress, cancelled)
        for unit in units:
            if len(unit.fold.ids) > 1:
                stop_if(cancelled)
                proposal = _proposal(unit.fold, versions, material, setting)
                if proposal is not None:
                    yield proposal

    def _exact(self, heads: Sequence[Head], material: Material, cancelled: Cancel) -> list[_Unit]:
        """Units of the same text, in the order of their oldest; most hold one memory and are read later."""
        same: dict[str, list[int]] = defaultdict(list)
        for order, head in enumerate(heads):
            same[head.content_hash or head.id].append(order)
        units: list[_Unit] = []
        for orders in same.values():
            ids = [heads[order].id for order in orders]
            place = dict(zip(ids, orders, strict=True))
            if len(ids) == 1:
                units.append(_Unit(_single(ids[0]), orders[0]))
                continue
            stop_if(cancelled)
            for fold in _folds_of_same_text(_read(ids, material, cancelled)):
                units.append(_Unit(fold, min(place[id] for id in fold.ids)))
        units.sort(key=lambda unit: unit.order)
        return units

    def _buckets(
        self, units: Sequence[_Unit], material: Material, progress: Progress, cancelled: Cancel
    ) -> list[list[_Unit]]:
        """Units that could be near duplicates of each other; who says most stands first."""
        buckets: dict[tuple[object, ...], list[_Unit]] = defaultdict(list)
        done = 0
        for start in range(0, len(units), _READ):
            stop_if(cancelled)
            some = {unit.fold.ids[0]: unit for unit in units[start : start + _READ]}
            for memory in material.memories(list(some)):
                unit = some[memory.id]
                claims = read_claims(memory.content)
                unit.weight, unit.length = claims.weight, len(memory.content)
                if len(unit.fold.ids) == 1:
                    unit.fold = Fold(memory)
                if unit.weight:
                    buckets[claims.signature, frame(memory)].append(unit)
            done += len(some)
            progress(done, 2 * len(units), _("Reading memories"))
        shared = [bucket for bucket in buckets.values() if len(bucket) > 1]
        for bucket in shared:
            bucket.sort(key=lambda unit: (-unit.weight, -unit.length, unit.order))
        return shared

    def _near(
        self,
        buckets: Iterable[list[_Unit]],
        total: int,
        material: Material,
        progress: Progress,
        cancelled: Cancel,
    ) -> None:
        """Joins each unit to the first one that says all of it. Only the first one grows: a chain of small
        differences never joins what differs at its ends."""
        texts = _Texts(material, cancelled)
        done = 0
        for group in _gathered(buckets):
            stop_if(cancelled)
            ids = [unit.fold.ids[0] for bucket in group for unit in bucket]
            found, matrix = material.vectors(ids)
            present = frozenset(found)
            begin = 0  # both follow the order of the ids, so that a bucket is a slice of the matrix
            for bucket in group:
                known = [unit for unit in bucket if unit.fold.ids[0] in present]
                rows = matrix[begin : begin + len(known)]
                begin += len(known)
                for first, block in _neighbours(rows, self.cosine, cancelled):
                    self._join(known, block, texts, cancelled)
                    progress(min(2 * total, total + done + first), 2 * total, _("Comparing memories"))
                done += len(bucket)

    def _join(self, units: Sequence[_Unit], pairs: "_Pairs", texts: "_Texts", cancelled: Cancel) -> None:
        for start in range(0, len(pairs.rows), _READ):
            stop_if(cancelled)
            some = pairs.part(start, _READ)
            texts.fetch([units[index].fold.ids[0] for index in some.indices() if units[index].fold.ids])
            for mine, other, cosine in some:
                leader, follower = units[mine].fold, units[other].fold
                if not leader.ids or not follower.ids:
                    continue  # taken by another one already
                kept, dropped = texts.get(leader.ids[0]), texts.get(follower.ids[0])
                if kept is None or dropped is None or not says_the_same(kept, dropped, self.overlap):
                    continue
                if leader.take(follower, cosine):
                    units[other].fold = _TAKEN


def _single(id: MemoryId) -> Fold:
    """A fold of one memory that has not been read yet; it is replaced before it takes another."""
    fold = Fold.__new__(Fold)
    fold.ids = [id]
    fold.likeness = None
    return fold


_TAKEN = _single(MemoryId(""))
_TAKEN.ids = []


def _read(ids: Sequence[MemoryId], material: Material, cancelled: Cancel) -> Iterator[Memory]:
    for batch in in_batches(ids, _READ):
        stop_if(cancelled)
        yield from material.memories(batch)


def _folds_of_same_text(memories: Iterable[Memory]) -> list[Fold]:
    """As few folds as the memories allow. The longest spelling stays (texts of one hash differ in blanks),
    and of equal ones the oldest."""
    folds: list[tuple[Fold, int]] = []
    for memory in memories:
        alone = Fold(memory)
        for at, (fold, length) in enumerate(folds):
            if len(memory.content) > length:
                if alone.take(fold):
                    folds[at] = (alone, len(memory.content))
                    break
            elif fold.take(alone):
                break
        else:
            folds.append((alone, len(memory.content)))
    return [fold for fold, _length in folds]


def _gathered(buckets: Iterable[list[_Unit]]) -> Iterator[list[list[_Unit]]]:
    """Small buckets together, so that their vectors come in one read."""
    group: list[list[_Unit]] = []
    size = 0
    for bucket in buckets:
        if group and size + len(bucket) > _VECTORS:
            yield group
            group, size = [], 0
        group.append(bucket)
        size += len(bucket)
    if group:
        yield group


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Rows and later columns with near vectors, by row, the nearest first."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    cosines: Vectors

    def __iter__(self) -> Iterator[tuple[int, int, float]]:
        for row, column, cosine in zip(self.rows, self.columns, self.cosines, strict=True):
            yield int(row), int(column), float(cosine)

    def part(self, start: int, size: int) -> "_Pairs":
        these = slice(start, start + size)
        return _Pairs(self.rows[these], self.columns[these], self.cosines[these])

    def indices(self) -> list[int]:
        return [int(index) for index in np.union1d(self.rows, self.columns)]


def _neighbours(matrix: Vectors, least: float, cancelled: Cancel) -> Iterator[tuple[int, _Pairs]]:
    """For each row the later ones whose cosine is at least ``least``, at most :data:`_NEIGHBOURS` of them; with
    the first row of each block."""
    for first in range(0, len(matrix), _ROWS):
        mine = matrix[first : first + _ROWS]
        best = _Pairs(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0, np.float32))
        for begin in range(first, len(matrix), _COLUMNS):
            stop_if(cancelled)
            cosines = mine @ matrix[begin : begin + _COLUMNS].T
            at, to = np.nonzero(cosines >= least)
            later = to + begin > at + first
            at, to = at[later], to[later]
            if len(at):
                best = _nearest(best, _Pairs(at + first, to + begin, cosines[at, to]))
        if len(best.rows):
            yield first, best


def _nearest(one: _Pairs, other: _Pairs) -> _Pairs:
    rows = np.concatenate([one.rows, other.rows])
    columns = np.concatenate([one.columns, other.columns])
    cosines = np.concatenate([one.cosines, other.cosines])
    order = np.lexsort((columns, -cosines, rows))
    rows, columns, cosines = rows[order], columns[order], cosines[order]
    begins = np.searchsorted(rows, rows)  # where the pairs of the same row begin
    near = np.arange(len(rows)) - begins < _NEIGHBOURS
    return _Pairs(rows[near], columns[near], cosines[near])


class _Texts:
    """Claims by memory id, read in batches; the last ones used are kept."""

    def __init__(self, material: Material, cancelled: Cancel) -> None:
        self._material = material
        self._cancelled = cancelled
        self._claims: dict[MemoryId, Claims] = {}

    def fetch(self, ids: Sequence[MemoryId]) -> None:
        for id in ids:  # to the end, as used last
            if (claims := self._claims.pop(id, None)) is not None:
                self._claims[id] = claims
        for memory in _read([id for id in ids if id not in self._claims], self._material, self._cancelled):
            self._claims[memory.id] = read_claims(memory.content)
        while len(self._claims) > max(_CACHE, len(ids)):
            del self._claims[next(iter(self._claims))]

    def get(self, id: MemoryId) -> Claims | None:
        return self._claims.get(id)


def _proposal(
    fold: Fold, versions: Mapping[MemoryId, int], material: Material, setting: Setting
) -> Proposal | None:
    """None where one of them has changed or gone: the next dream sees what has become of it."""
    memories = {memory.id: memory for memory in material.memories(fold.ids)}
    if any(id not in memories or to_micros(memories[id].updated_at) != versions[id] for id in fold.ids):
        return None
    kept, *others = (memories[id] for id in fold.ids)
    merged = join(kept, others, id=MemoryId(new_id()), at=setting.at)
    count = len(memories)
    if fold.likeness is None:
        why = ngettext("The same text {count} time", "The same text {count} times", count).format(count=count)
    else:
        why = _("Nearly the same text (likeness {percent} %), with the same names and numbers").format(
            percent=min(99, int(fold.likeness * 100))
        )
    return Proposal(
        id=ProposalId(new_id()),
        run=setting.run,
        kind=ProposalKind.MERGE,
        title=ngettext("Merge {count} memory", "Merge {count} memories", count).format(count=count),
        why=why,
        sources=tuple(fold.ids),
        versions={id: versions[id] for id in fold.ids},
        after=memory_record(merged),
    )
