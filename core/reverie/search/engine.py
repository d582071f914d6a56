"""One ranking out of keywords and meaning: both normalised to 0..1 and averaged (RockBot's hybrid).

Keyword scores are divided by the best one; cosines are stretched from the model's floor to the best one.
A row found by words has its cosine looked up and the other way round, so the average is over the same
rows. A row without a vector yet is ranked by its words alone, undiminished.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from reverie.domain.memory import Memory, MemoryFilter
from reverie.domain.progress import Cancel
from reverie.domain.search import Hit
from reverie.domain.text import clean
from reverie.embed.base import Embedder
from reverie.i18n import _
from reverie.search import relevance
from reverie.search.keywords import Words, words_of
from reverie.search.passages import matched_words, matches, passage
from reverie.search.vectors import VectorIndex
from reverie.store.embeddings import Embeddings
from reverie.store.text_index import TextIndex

if TYPE_CHECKING:
    import numpy as np

Mode = Literal["hybrid", "keyword", "semantic"]
MODES: tuple[str, ...] = get_args(Mode)

_POOL = 100  # candidates a side, at least
_ENOUGH = 3  # rows with all the words that make "any of the words" superfluous for a short list


@dataclass(frozen=True, slots=True)
class _Candidates:
    keyword: dict[int, float]  # seq -> BM25
    cosine: dict[int, float]  # seq -> cosine, of every candidate that has a vector
    near: frozenset[int]  # found by meaning
    floor: float  # the least cosine, the same for all of one search


class SearchEngine:
    """``embedder`` returns None (with no model) where only words can be searched; that is no error.
    ``floor`` is asked at each search: the least cosine that counts."""

    def __init__(
        self,
        text_index: TextIndex,
        embeddings: Embeddings,
        embedder: Callable[[], Embedder | None],
        floor: Callable[[], float] = lambda: 0.25,
    ) -> None:
        self._text_index = text_index
        self._embeddings = embeddings
        self._embedder = embedder
        self._floor = floor
        self._vectors: VectorIndex | None = None

    def search(
        self,
        query: str,
        wanted: MemoryFilter,
        limit: int = 10,
        mode: Mode = "hybrid",
        *,
        prefix: bool = False,
        cancelled: Cancel | None = None,
    ) -> list[Hit]:
        """The best ``limit`` memories that the filter leaves. The query is literal text; "" finds nothing.

        prefix: take the last word as the beginning of one (while typing). Raises Cancelled.
        """
        text = clean(query).strip()
        if not text or limit <= 0:
            return []
        words = words_of(text)
        pool = max(_POOL, 4 * limit)
        keyword = {} if mode == "semantic" else self._by_words(words, text, wanted, pool, prefix, cancelled)
        candidates = _Candidates(keyword, {}, frozenset(), self._floor())
        if mode != "keyword" and (embedder := self._embedder()) is not None:
            candidates = self._by_meaning(embedder, text, wanted, pool, candidates)
        scores = self._fused(candidates)
        best = sorted(scores, key=lambda seq: (-scores[seq], -seq))[:limit]
        return self._hits(best, scores, candidates, words)

    def vectors(self) -> VectorIndex | None:
        """The vectors in memory, None without a model."""
        embedder = self._embedder()
        if embedder is None:
            return None
        if self._vectors is None:
            self._vectors = VectorIndex(self._embeddings, embedder.name, embedder.dimensions)
        return self._vectors

    def _by_words(
        self,
        words: Words,
        text: str,
        wanted: MemoryFilter,
        pool: int,
        prefix: bool,
        cancelled: Cancel | None,
    ) -> dict[int, float]:
        """All the words first, then any of them, then each as a substring."""
        found: dict[int, float] = {}
        if words.telling:
            found = dict(
                self._text_index.match(words.every(prefix=prefix), wanted, pool, cancelled=cancelled)
            )
            if len(found) < max(_ENOUGH, pool // 4) and len(words.telling) > 1:
                loose = self._text_index.match(words.any(prefix=prefix), wanted, pool, cancelled=cancelled)
                found = {**dict(loose), **found}
        if not found:
            substrings = list(words.plain) or text.split()
            found = dict.fromkeys(self._text_index.containing(substrings, wanted, pool), 1.0)
        return found

    def _by_meaning(
        self, embedder: Embedder, text: str, wanted: MemoryFilter, pool: int, by_words: _Candidates
    ) -> _Candidates:
        keyword, floor = by_words.keyword, by_words.floor
        index = self.vectors()
        assert index is not None
        (query,) = embedder.embed([text])
        seqs, cosines = index.similarities(query)
        near = self._nearest(seqs, cosines, wanted, pool, floor)
        asked = list({*near, *keyword})
        found = dict(zip(asked, (index.of(asked) @ query).tolist(), strict=True)) if asked else {}
        known = set(seqs.tolist()) if keyword else set(near)
        return _Candidates(
            keyword, {seq: found[seq] for seq in asked if seq in known}, frozenset(near), floor
        )

    def _nearest(
        self, seqs: "np.ndarray", cosines: "np.ndarray", wanted: MemoryFilter, pool: int, floor: float
    ) -> list[int]:
        """The nearest rows above the floor that the filter leaves; a rare filter still fills the pool."""
        import numpy as np

        above = np.flatnonzero(cosines >= floor)
        if len(above) > 8 * pool:
            above = above[np.argpartition(-cosines[above], 8 * pool)[: 8 * pool]]
        ordered = seqs[above[np.argsort(-cosines[above], kind="stable")]].tolist()
        kept = self._text_index.keep(ordered, wanted)
        if len(kept) < pool and len(ordered) >= 8 * pool:
            allowed = np.isin(seqs, np.fromiter(self._text_index.allowed(wanted), np.int64))
            places = np.flatnonzero(allowed & (cosines >= floor))
            return [int(seq) for seq in seqs[places[np.argsort(-cosines[places], kind="stable")]][:pool]]
        return [seq for seq in ordered if seq in kept][:pool]

    def _fused(self, candidates: _Candidates) -> dict[int, float]:
        floor = candidates.floor
        best_word = max(candidates.keyword.values(), default=0.0) or 1.0
        best_cosine = max(candidates.cosine.values(), default=0.0)
        span = max(best_cosine - floor, 1e-6)
        scores: dict[int, float] = {}
        for seq in {*candidates.keyword, *candidates.near}:
            word = candidates.keyword.get(seq, 0.0) / best_word
            cosine = candidates.cosine.get(seq)
            if cosine is None:
                scores[seq] = word
            else:
                scores[seq] = (word + min(1.0, max(0.0, (cosine - floor) / span))) / 2
        if not candidates.cosine or candidates.keyword:
            return scores
        return {seq: 2 * score for seq, score in scores.items()}  # meaning alone: not halved either

    def _hits(
        self, seqs: Sequence[int], scores: dict[int, float], candidates: _Candidates, words: Words
    ) -> list[Hit]:
        loaded = self._text_index.load(seqs)
        frequencies, total = self._text_index.frequencies(words.telling) if words.telling else ([], 0)
        best_word = max(candidates.keyword.values(), default=0.0) or 1.0
        hits = []
        for seq in seqs:
            memory = loaded.get(seq)
            if memory is None:  # deleted meanwhile
                continue
            word, cosine = candidates.keyword.get(seq), candidates.cosine.get(seq)
            held = [matches(part, memory) for part in words.plain]
            share = relevance.coverage(frequencies, total, held) if frequencies else 0.0
            near = relevance.calibrated(cosine, candidates.floor) if cosine is not None else 0.0
            found = matched_words(words.plain, memory)
            hits.append(
                Hit(
                    memory=memory,
                    score=scores[seq],
                    relevance=relevance.combined(near, share),
                    keyword=None if word is None else word / best_word,
                    cosine=cosine,
                    why=_why(memory, found, cosine),
                    passage=passage(words.plain, memory),
                    words=found,
                )
            )
        return hits


def _why(memory: Memory, words: Sequence[str], cosine: float | None) -> str:
    reasons = []
    if words:
        reasons.append(_("holds {words}").format(words=", ".join(f"“{word}”" for word in words)))
    if cosine is not None and cosine > 0:
        reasons.append(_("close in meaning ({percent} %)").format(percent=round(100 * cosine)))
    return "; ".join(reasons)
