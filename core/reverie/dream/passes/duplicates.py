"""Finds memories that say the same: the same text, or nearly the same text that claims nothing else."""

import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reverie.domain.clock import to_micros
from reverie.domain.dream import Head, Proposal, ProposalKind
from reverie.domain.ids import MemoryId, ProposalId, new_id
from reverie.domain.memory import Memory
from reverie.domain.progress import Cancel, Progress
from reverie.domain.records import memory_record
from reverie.dream.claims import Claims, read_claims, says_the_same
from reverie.dream.passes.base import (
    Material,
    Setting,
    in_batches,
    stop_if,
)
from reverie.dream.passes.merge import Fold, Frame, frame, join
from reverie.dream.passes.neighbours import Group, Pairs, Words, groups, joined, near
from reverie.embed.base import Vectors
from reverie.i18n import _, ngettext

_READ = 500  # memories read at a time
_CACHE = 4_000  # texts kept as claims


class KnownText(NamedTuple):
    """What is kept of a text that was read: enough to tell which others it could be a duplicate of."""

    version: int
    frame: Frame
    signature: bytes
    weight: int
    length: int
    vocabulary: Words


KnownTexts = dict[str, Mapping[MemoryId, KnownText]]
"""By knowledge base and id: what the next dream of the same process need not read again."""


@dataclass(slots=True)
class _Unit:
    """Memories of the same text."""

    fold: Fold
    order: int
    traits: KnownText


class Duplicates:
    """Proposes one MERGE for each group of memories that say the same.

    cosine: -1..1, how near the vectors must be. overlap: 0..1, how much vocabulary (Jaccard) the texts must share
    besides. Pinned memories are left alone; those without a vector take part with the very same text only.

    What was read of a text is kept in ``known`` for the next dream, which reads only what has changed.
    """

    name = "duplicates"

    def __init__(self, cosine: float = 0.95, overlap: float = 0.6, known: KnownTexts | None = None) -> None:
        self.cosine = cosine
        self.overlap = overlap
        self._known: KnownTexts = {} if known is None else known

    @property
    def title(self) -> str:
        return _("Merge duplicates")

    def propose(
        self, material: Material, setting: Setting, *, progress: Progress, cancelled: Cancel
    ) -> Iterator[Proposal]:
        heads = [head for head in material.heads() if not head.pinned]
        versions = {head.id: head.version for head in heads}
        traits = self._read_traits(heads, material, progress, cancelled)
        units = _units(heads, traits, cancelled)
        self._near(units, material, progress, cancelled)
        for unit in units:
            if len(unit.fold.ids) > 1:
                stop_if(cancelled)
                proposal = _proposal(unit.fold, versions, material, setting)
                if proposal is not None:
                    yield proposal

    def _read_traits(
        self, heads: Sequence[Head], material: Material, progress: Progress, cancelled: Cancel
    ) -> Mapping[MemoryId, KnownText]:
        """Of all heads that are still as they were; what was read before and has not changed is not read again."""
        before = self._known.get(material.kb, {})
        traits = {
            head.id: known
            for head in heads
            if (known := before.get(head.id)) is not None and known.version == head.version
        }
        missing = {head.id: head.version for head in heads if head.id not in traits}
        done = len(traits)
        for ids in in_batches(list(missing), _READ):
            stop_if(cancelled)
            for memory in material.memories(ids):
                claims = read_claims(memory.content)
                version = to_micros(memory.updated_at)
                if version == missing[memory.id]:
                    traits[memory.id] = KnownText(
                        version,
                        frame(memory),
                        claims.signature,
                        claims.weight,
                        len(memory.content),
                        _hashes(claims.vocabulary),
                    )
            done += len(ids)
            progress(done, 2 * len(heads), _("Reading memories"))
        self._known[material.kb] = traits
        return traits

    def _near(
        self, units: Sequence[_Unit], material: Material, progress: Progress, cancelled: Cancel
    ) -> None:
        """Joins each unit to the first one that says all of it. Only the first one grows: a chain of small
        differences never joins what differs at its ends."""
        units = sorted(
            (unit for unit in units if unit.traits.weight),
            key=lambda unit: (-unit.traits.weight, -unit.traits.length, unit.order),
        )
        found = groups([unit.traits.vocabulary for unit in units], cancelled)
        matrix = _matrix(units, found, material, cancelled)
        if matrix is None:
            return
        kinds = _kinds(units)
        pairs: list[Pairs] = []
        for done, group in enumerate(found):
            if done % 64 == 0:
                stop_if(cancelled)
                progress(len(found) + done, 2 * len(found), _("Comparing memories"))
            pairs.append(near(group, matrix, kinds, self.cosine, cancelled))
        del matrix
        self._join(units, joined(pairs).by_kept(), _Texts(material, cancelled), cancelled)

    def _join(self, units: Sequence[_Unit], pairs: Pairs, texts: "_Texts", cancelled: Cancel) -> None:
        for start in range(0, len(pairs), _READ):
            stop_if(cancelled)
            some = pairs.part(start, _READ)
            texts.fetch([units[place].fold.ids[0] for place in some.places() if units[place].fold.ids])
            for mine, other, cosine in some:
                leader, follower = units[mine].fold, units[other].fold
                if not leader.ids or not follower.ids:
                    continue  # taken by another one already
                kept, dropped = texts.get(leader.ids[0]), texts.get(follower.ids[0])
                if kept is None or dropped is None or not says_the_same(kept, dropped, self.overlap):
                    continue
                if leader.take(follower, cosine):
                    units[other].fold = _TAKEN


def _hashes(words: Iterable[str]) -> Words:
    """Two words of one hash only make for a pair that is looked at in vain."""
    found = {zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in words}
    return np.fromiter(found, np.uint32, len(found))


_TAKEN = Fold(MemoryId(""), Frame((), None, ""))
_TAKEN.ids = []


def _read(ids: Sequence[MemoryId], material: Material, cancelled: Cancel) -> Iterator[Memory]:
    for batch in in_batches(ids, _READ):
        stop_if(cancelled)
        yield from material.memories(batch)


def _units(heads: Sequence[Head], traits: Mapping[MemoryId, KnownText], cancelled: Cancel) -> list[_Unit]:
    """As few units as the memories allow, in the order of their oldest."""
    same: dict[tuple[str, object], list[_Unit]] = defaultdict(list)
    units: list[_Unit] = []
    for order, head in enumerate(heads):
        if order % _READ == 0:
            stop_if(cancelled)
        known = traits.get(head.id)
        if known is None:
            continue
        unit = _Unit(Fold(head.id, known.frame), order, known)
        twins = same[head.content_hash or head.id, known.frame.same]
        if not any(_unite(twin, unit) for twin in twins):
            twins.append(unit)
            units.append(unit)
    return units


def _unite(unit: _Unit, other: _Unit) -> bool:
    """The longest spelling stays (texts of one hash differ in blanks only), and of equal ones the oldest."""
    if other.traits.length <= unit.traits.length:
        return unit.fold.take(other.fold)
    if not other.fold.take(unit.fold):
        return False
    unit.fold, unit.traits = other.fold, other.traits
    return True


def _matrix(
    units: Sequence[_Unit], found: Sequence[Group], material: Material, cancelled: Cancel
) -> "Vectors | None":
    """A row for each unit, zeros (near to nothing) where it is in no group or has no vector; None without any."""
    asked = np.zeros(len(units), bool)
    for group in found:
        asked[group.holders] = True
    place = {units[at].fold.ids[0]: at for at in map(int, np.flatnonzero(asked))}
    matrix: Vectors | None = None
    for ids in in_batches(list(place), _READ):
        stop_if(cancelled)
        known, rows = material.vectors(ids)
        if known:
            if matrix is None:
                matrix = np.zeros((len(units), rows.shape[1]), np.float32)
            matrix[[place[id] for id in known]] = rows
    return matrix


def _kinds(units: Sequence[_Unit]) -> NDArray[np.int64]:
    """A number for each unit, equal where the texts could say the same and the memories could be merged."""
    numbers: dict[object, int] = {}
    kinds = (numbers.setdefault((u.traits.signature, u.traits.frame.same), len(numbers)) for u in units)
    return np.fromiter(kinds, np.int64, len(units))


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
