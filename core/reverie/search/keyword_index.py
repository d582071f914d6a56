"""The words of all rows of a kind, in memory, scored exactly by BM25F over a row and its neighbours.

A row is scored with the words of the rows before and after it in its conversation or file, each at a share (what an
answer is about often stands in the question before it). The neighbours are looked up when a question comes, so that a
row that is written, edited or deleted in between is right at once.
"""

import math
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reverie.search.documents import BODY, HALF, Document, Kind, date_terms
from reverie.search.growing import Growing
from reverie.search.languages import ENGLISH, STOPWORDS, language_of
from reverie.search.lexicon import Lexicon
from reverie.search.places import Places
from reverie.search.postings import QUARTERS, Postings, Segment, renumbered, segment
from reverie.search.snapshot import Snapshot
from reverie.search.terms import terms
from reverie.store.texts import Changed, Texts

# Saturation and length (Robertson); measured best on the development data.
K1, B = 0.9, 0.4

_MANY_CHAINS = 64
_COLUMNS = {
    "seq": np.int64,
    "at": np.int64,
    "chain": np.int32,  # -1: none
    "before": np.int32,  # slots of the neighbours, -1: none
    "after": np.int32,
    "units": np.float32,  # own length in mentions
    "spread": np.float32,  # length with the neighbours' shares
    "chars": np.int32,
    "signals": np.uint8,
    "speaker": np.int32,
    "alive": np.bool_,
}

_POSTINGS, _FOREIGN = "postings-", "foreign-"

Floats = NDArray[np.float32]
Slots = NDArray[np.int32] | NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Asked:
    """One word of a question: the rows where one of its forms stands, each once, and how often it stands there."""

    idf: float
    slots: Slots
    mentions: Floats

    @property
    def is_known(self) -> bool:
        return len(self.slots) > 0


@dataclass(frozen=True, slots=True)
class Strength:
    """By slot: BM25F as a share of the most that the words could give, and the share of the words' information that
    is there, both 0..1. ``slots``: rows that may be found by it."""

    slots: Slots
    keyword: Floats
    coverage: Floats


class KeywordIndex:
    """Thread-safe. ``lock`` may be held over several calls, so that slots keep their meaning between them."""

    def __init__(self, kind: Kind, texts: Texts) -> None:
        self.kind = kind
        self.lock = threading.RLock()
        self._texts = texts
        self._start()

    def _start(self) -> None:
        self.lexicon = Lexicon()
        self.rows = Growing(_COLUMNS)
        self.postings = Postings()
        self.places = Places()
        self.rev = -1  # nothing read yet
        self.fresh = 0  # rows that are in no snapshot
        self._is_whole = False  # it was seen to hold as many rows as the store
        self.speakers: dict[str, int] = {}
        self._chains: dict[str, int] = {}
        self._norm = np.zeros(0, np.float32)  # of each row: what its length makes of its mentions
        self._alive = 0
        self._scratch = np.zeros(0, np.float32)

    @property
    def size(self) -> int:
        """Rows, those that are gone among them."""
        return self.rows.count

    def catch_up(self) -> None:
        """Take in what was written since."""
        with self.lock:
            if self.rev >= 0:
                changed = self._texts.since(self.kind.name, self.rev, counted=not self._is_whole)
                self._take(changed)
                self._is_whole = self._is_whole or changed.total == self._alive
                if self._is_whole:
                    return
                self._start()  # a program without the triggers has written since the snapshot
            try:
                for part in self._texts.everything(self.kind.name):
                    self._take(part)
                # What was written while this was read is named again.
                self._take(self._texts.since(self.kind.name, self.rev))
                self._is_whole = True
            except BaseException:
                self._start()  # half of the rows would pass for all of them
                raise

    # Asking

    def ask(self, forms: Iterable[int]) -> Asked:
        """How a word stands in this index, by the forms that stand for it."""
        scratch = self._room()
        slots = _gather(scratch, (pair for form in forms for pair in self.postings.of(form)))
        counts = scratch[slots]
        scratch[slots] = 0
        if self._alive < self.rows.count:
            held = self.rows["alive"][slots]
            slots, counts = slots[held], counts[held]
        return Asked(self._idf(len(slots)), slots, counts / np.float32(QUARTERS))

    def rarest(self, words: Iterable[str], most: int) -> list[str]:
        """The words that tell most of a text: in few rows, but in another one as well."""
        counted: list[tuple[int, str]] = []
        for word in dict.fromkeys(words):
            number = self.lexicon.number(word)
            if number is not None and word not in STOPWORDS:
                rows = sum(len(slots) for slots, _counts in self.postings.of(number))
                if rows > 1:
                    counted.append((rows, word))
        return [word for _rows, word in sorted(counted)[:most]]

    def strength(self, asked: Sequence[Asked]) -> Strength:
        """Of every row that holds one of these words, itself or by a neighbour. Words that stand nowhere count nothing."""
        size = self.rows.count
        scores = np.zeros(size, np.float32)
        coverage = np.zeros(size, np.float32)
        whole = sum(each.idf for each in asked if each.is_known) or 1.0
        held = []
        for each in asked:
            if each.is_known:
                slots, mentions = self._spread(each)
                scores[slots] += each.idf / whole * mentions / (mentions + self._norm[slots])
                covers = np.ones(len(slots), np.float32)
                if not self.kind.is_found_by_neighbours:
                    own = len(each.slots)
                    covers[own:] = np.minimum(mentions[own:], 1)
                coverage[slots] += np.float32(each.idf / whole) * covers
                held.append(each.slots)
        slots = np.flatnonzero(coverage) if self.kind.is_found_by_neighbours else _distinct(held, size)
        return Strength(slots, scores, coverage)

    def _idf(self, frequency: int) -> float:
        return math.log(1 + (self._alive - frequency + 0.5) / (frequency + 0.5))

    def _spread(self, asked: Asked) -> tuple[Slots, Floats]:
        """Slots, each once, those that hold the word themselves first; and how often it stands there, with the neighbours'
        shares."""
        before, after, second = self.kind.neighbours
        own, mentions = asked.slots, asked.mentions
        if not (before or after or second) or not (self.rows["chain"][own] >= 0).any():
            return own, mentions
        scratch, after_of = self._room(), self.rows["after"]
        scratch[own] = mentions
        one_on = after_of[own]
        spread: list[NDArray[Any]] = [own]
        for neighbour, share in (
            (one_on, before),
            (self.rows["before"][own], after),
            (_at(after_of, one_on), second),
        ):
            held = neighbour >= 0
            if share and held.any():
                there = neighbour[held]
                spread.append(there[scratch[there] == 0])
                scratch[there] += np.float32(share) * mentions[held]
        slots = np.concatenate(spread)
        found = scratch[slots]
        scratch[slots] = 0
        return slots, found

    def _room(self) -> Floats:
        if len(self._scratch) < self.rows.count:
            self._scratch = np.zeros(int(self.rows.count * 1.25) + 16, np.float32)
        return self._scratch

    # Snapshots

    def freeze(self) -> Snapshot:
        """The rows that are there, in order of seq, and the words that stand in them."""
        with self.lock:
            rev, segments, lexicon = self.rev, list(self.postings.segments), self.lexicon
            columns = {name: np.array(self.rows[name]) for name in _COLUMNS}
            forms = [lexicon.form(number) for number in range(len(lexicon))]
            foreign = {
                language: np.array(sorted(numbers), np.int64) for language, numbers in lexicon.foreign.items()
            }
            chains, speakers = list(self._chains), list(self.speakers)
        old = np.flatnonzero(columns["alive"])
        old = old[np.argsort(columns["seq"][old], kind="stable")]
        slots = np.full(len(columns["seq"]) + 1, -1, np.int32)  # the last is for -1
        slots[old] = np.arange(len(old))
        used = _used(segments, columns["alive"], len(forms))
        ordered = sorted(used.tolist(), key=forms.__getitem__)
        numbers = np.full(len(forms), -1, np.int32)
        numbers[ordered] = np.arange(len(ordered))
        segment = renumbered(segments, slots, numbers)
        arrays = {name: column[old] for name, column in columns.items()}
        arrays["chain"], chains = _renamed(arrays["chain"], chains)
        arrays["speaker"], speakers = _renamed(arrays["speaker"], speakers)
        for name in ("before", "after"):
            arrays[name] = slots[arrays[name]]
        for language, known in foreign.items():
            arrays[f"{_FOREIGN}{language}"] = np.sort(numbers[known][numbers[known] >= 0])
        arrays |= {
            f"{_POSTINGS}{name}": getattr(segment, name) for name in ("forms", "starts", "slots", "counts")
        }
        lists = {"forms": [forms[number] for number in ordered], "chains": chains, "speakers": speakers}
        return Snapshot(rev, arrays, lists)

    def thaw(self, snapshot: Snapshot) -> None:
        """Begin anew with a snapshot. Raises KeyError, ValueError where it is none of such an index."""
        arrays, lists = snapshot.arrays, snapshot.lists
        rows = Growing(_COLUMNS)
        rows.add({name: arrays[name] for name in _COLUMNS}, len(arrays["seq"]))
        segment = Segment(*(arrays[f"{_POSTINGS}{name}"] for name in ("forms", "starts", "slots", "counts")))
        foreign = {
            name.removeprefix(_FOREIGN): array.tolist()
            for name, array in arrays.items()
            if name.startswith(_FOREIGN)
        }
        lexicon = Lexicon(lists["forms"], foreign)
        chains, speakers = (
            {name: number for number, name in enumerate(lists[key])} for key in ("chains", "speakers")
        )
        with self.lock:
            self.rev, self.fresh, self.rows, self._is_whole = snapshot.rev, 0, rows, False
            self.lexicon = lexicon
            self.postings = Postings([segment] if segment.size else [])
            self.places = Places(np.array(arrays["seq"]))
            self._chains, self.speakers = chains, speakers
            self._scratch = np.zeros(0, np.float32)
            self._count()

    # Taking in

    def _take(self, changed: Changed) -> None:
        if not changed.rows and not changed.gone:
            self.rev = max(self.rev, changed.rev)
            return
        seqs = [row.seq for row in changed.rows]
        chains = self._bury([*seqs, *changed.gone])
        self.places.put(dict.fromkeys(changed.gone, -1))
        if changed.rows:
            chains |= self._add([self.kind.read(row) for row in changed.rows])
        self._link(chains)
        self.fresh += len(changed.rows) + len(changed.gone)
        self._count()
        self.rev = max(self.rev, changed.rev)  # last: what failed is read again

    def _count(self) -> None:
        alive = self.rows["alive"]
        self._alive = int(np.count_nonzero(alive))
        spread = self.rows["spread"]
        mean = float(spread[alive].mean() if self._alive else 1) or 1.0
        self._norm = spread * np.float32(K1 * B / mean) + np.float32(K1 * (1 - B))

    def _bury(self, seqs: Iterable[int]) -> set[int]:
        """Older slots of these rows are no longer alive; returns the chains that they stood in."""
        slots = self.places.of(seqs)
        slots = slots[slots >= 0]
        self.rows["alive"][slots] = False
        return set(self.rows["chain"][slots].tolist()) - {-1}

    def _add(self, documents: Sequence[Document]) -> set[int]:
        """Returns the chains that they stand in."""
        forms, quarters, owner = self._mentions(documents)
        units = np.bincount(owner, quarters, len(documents)) / BODY
        chains = [_number(self._chains, document.chain) for document in documents]
        places = self.rows.add(
            {
                "seq": [document.seq for document in documents],
                "at": [document.at for document in documents],
                "chain": chains,
                "before": -1,
                "after": -1,
                "units": units,
                "spread": units,
                "chars": [document.length for document in documents],
                "signals": [int(document.signals) for document in documents],
                "speaker": [_number(self.speakers, document.speaker) for document in documents],
                "alive": True,
            },
            len(documents),
        )
        self.places.put({document.seq: places.start + n for n, document in enumerate(documents)})
        self.postings.add(segment(forms, owner + np.int32(places.start), quarters))
        return set(chains) - {-1}

    def _mentions(
        self, documents: Sequence[Document]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """Of each word of each document: its form, its weight in quarters, and the number of the document."""
        forms: list[int] = []
        weights: list[int] = []
        ends = [0]

        def take(words: Sequence[str], weight: int, language: str = ENGLISH) -> None:
            numbers = self.lexicon.numbers(words, language)
            forms.extend(numbers)
            weights.extend([weight] * len(numbers))

        for document in documents:
            (text, weight), *others = document.fields
            body = terms(text)
            language = language_of(body) if body else ENGLISH
            take(body, weight, language)
            for text, weight in others:
                if text:
                    take(terms(text), weight, language)
            take(date_terms(document.at), HALF)
            ends.append(len(forms))
        owner = np.repeat(np.arange(len(documents), dtype=np.int32), np.diff(ends))
        return np.array(forms, np.int32), np.array(weights, np.int32), owner

    def _link(self, chains: set[int]) -> None:
        """Find the neighbours anew in these chains."""
        if not chains:
            return
        rows = self.rows
        chain = rows["chain"]
        if len(chains) == 1:
            held = chain == next(iter(chains))
        elif len(chains) < _MANY_CHAINS:
            held = np.isin(chain, list(chains))
        else:
            held = chain >= 0
        members = np.flatnonzero(held & rows["alive"])
        members = members[np.lexsort((rows["seq"][members], rows["at"][members], chain[members]))]
        same = chain[members[1:]] == chain[members[:-1]]
        before = np.full(len(members), -1, np.int32)
        after = np.full(len(members), -1, np.int32)
        before[1:][same] = members[:-1][same]
        after[:-1][same] = members[1:][same]
        rows["before"][members], rows["after"][members] = before, after
        self._measure(members)

    def _measure(self, slots: Slots) -> None:
        """Lengths with the neighbours' shares."""
        rows, units = self.rows, self.rows["units"]
        one = rows["before"][slots]
        shares = zip(self.kind.neighbours, (one, rows["after"][slots], _at(rows["before"], one)), strict=True)
        spread = units[slots].copy()
        for share, neighbour in shares:
            if share:
                spread += share * np.where(neighbour >= 0, units[neighbour], 0)
        rows["spread"][slots] = spread


def _number(names: dict[str, int], name: str) -> int:
    """Of a name, new ones in the order in which they come; -1 for none."""
    return names.setdefault(name, len(names)) if name else -1


def _used(segments: Sequence[Segment], alive: NDArray[np.bool_], size: int) -> NDArray[np.int64]:
    """Numbers of the forms that stand in rows that are there."""
    used = np.zeros(size, np.bool_)
    for each in segments:
        held = np.add.reduceat(alive[each.slots], each.starts[:-1], dtype=np.int64)
        used[each.forms[held > 0]] = True
    return np.flatnonzero(used)


def _renamed(column: NDArray[np.int32], names: Sequence[str]) -> tuple[NDArray[np.int32], list[str]]:
    """The column with new numbers, and the names that stand in it."""
    used = np.unique(column[column >= 0])
    numbers = np.full(len(names) + 1, -1, np.int32)  # the last is for -1
    numbers[used] = np.arange(len(used))
    return numbers[column], [names[number] for number in used]


def _distinct(parts: Sequence[Slots], size: int) -> Slots:
    held = np.zeros(size, np.bool_)
    for slots in parts:
        held[slots] = True
    return np.flatnonzero(held)


def _at(column: NDArray[np.int32], slots: NDArray[np.int32]) -> NDArray[np.int32]:
    """The column at these slots, -1 where there is none."""
    if not len(column):
        return slots
    return np.where(slots >= 0, column[slots], -1)


def _gather(
    scratch: Floats, pairs: "Iterable[tuple[NDArray[np.int32], NDArray[np.uint8]]]"
) -> NDArray[np.int32]:
    """Add counts to the scratch; returns the slots, each once."""
    found: list[NDArray[np.int32]] = []
    for slots, counts in pairs:
        fresh = slots if not found else slots[scratch[slots] == 0]
        scratch[slots] += counts
        found.append(fresh)
    if not found:
        return np.empty(0, np.int32)
    return found[0] if len(found) == 1 else np.concatenate(found)
