"""One ranking out of words and meaning, for every kind that is searched.

Both sides name candidates: the rows that hold the most of what was asked, and the rows nearest in meaning. Each
candidate is then scored exactly, by the same signs, whichever side it came from.
"""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Generic, TypeVar

from reverie.domain.progress import Cancel, never
from reverie.domain.search import Found, Hit
from reverie.domain.text import collapse, fold
from reverie.embed.base import Embedder
from reverie.errors import Cancelled
from reverie.search import hits, question
from reverie.search.candidates import candidates
from reverie.search.keyword_index import KeywordIndex
from reverie.search.modes import Mode
from reverie.search.question import Question, Word
from reverie.search.ranking import LITERAL, Ranked, ranked
from reverie.search.rows import Rows
from reverie.search.sought import Meaning, Sought, seek
from reverie.search.terms import terms
from reverie.search.vectors import VectorIndex

_RELATED_WORDS = 12
_LOADED = 20  # texts more than asked for: the whole query as it was typed may lift one of them

Wanted = TypeVar("Wanted", contravariant=True)


class SearchEngine(Generic[Wanted]):
    """Searches one kind. ``embedder`` returns None (with no model) where only words can be searched; that is no error.
    ``floor`` is asked at each search: the least cosine that counts where no word matches."""

    def __init__(
        self,
        words: Callable[[], KeywordIndex],
        vectors: Callable[[Embedder], VectorIndex],
        rows: Rows[Wanted],
        embedder: Callable[[], Embedder | None],
        floor: Callable[[], float] = lambda: 0.25,
    ) -> None:
        self._words = words
        self._vectors = vectors
        self._rows = rows
        self._embedder = embedder
        self._floor = floor

    def search(
        self,
        text: str,
        wanted: Wanted,
        limit: int = 10,
        mode: Mode = "hybrid",
        *,
        prefix: bool = False,
        cancelled: Cancel | None = None,
    ) -> list[Hit]:
        """The best ``limit`` rows that the filter leaves. The query is literal text; "" finds nothing.

        prefix: take the last word as the beginning of one (while typing). Raises Cancelled.
        """
        asked = question.read(text, prefix=prefix)
        if not asked.text or limit <= 0:
            return []
        if not asked.words:
            return [] if mode == "semantic" else self._as_it_stands(asked, wanted, limit)
        stop = cancelled or never
        meaning = None
        if mode != "keyword" and (embedder := self._embedder()) is not None:
            meaning = self._vectors(embedder), embedder.embed([asked.text])[0]
        if stop():
            raise Cancelled
        sought, found = self._found(lambda _index: asked, meaning, wanted, limit, mode)
        if stop():
            raise Cancelled
        return self._hits(sought, found, limit)

    def related(self, record_id: str, text: str, wanted: Wanted, limit: int = 5) -> list[Hit]:
        """Rows that are about the same as that one, which says ``text``: by its rarest words and its vector."""
        seq = self._rows.seq(record_id)
        meaning = None
        if (embedder := self._embedder()) is not None:
            vectors = self._vectors(embedder)
            vectors.catch_up()
            own = vectors.vector(seq)
            meaning = vectors, embedder.embed([text])[0] if own is None else own

        def ask(index: KeywordIndex) -> Question:
            return Question(text, tuple(Word(term) for term in index.rarest(terms(text), _RELATED_WORDS)))

        sought, found = self._found(ask, meaning, wanted, limit + 1, "hybrid", without=seq)
        return self._hits(sought, found, limit)

    def pairs(
        self, threshold: float, wanted: Wanted, cancelled: Cancel = never
    ) -> list[tuple[Found, Found, float]]:
        """Rows that say nearly the same, the nearest first: the older one, the newer one, their cosine."""
        embedder = self._embedder()
        if embedder is None:
            return []
        vectors = self._vectors(embedder)
        vectors.catch_up()
        found = vectors.pairs(threshold, cancelled)
        seqs = {seq for first, second, _cosine in found for seq in (first, second)}
        loaded = self._rows.load(sorted(self._rows.keep(sorted(seqs), wanted)))
        return [
            (loaded[first], loaded[second], cosine)
            for first, second, cosine in found
            if first in loaded and second in loaded
        ]

    def _found(
        self,
        ask: Callable[[KeywordIndex], Question],
        meaning: Meaning | None,
        wanted: Wanted,
        limit: int,
        mode: Mode,
        *,
        without: int | None = None,
    ) -> tuple[Sought, Ranked]:
        """What is asked, and the rows that may answer it, ranked; but for the row ``without`` (a seq)."""
        index, floor = self._words(), self._floor()
        # A snapshot takes the place of an index between two searches, never between what is taken in and the search.
        with index.lock, meaning[0].lock if meaning else nullcontext(), self._rows.view():
            index.catch_up()
            if meaning:
                meaning[0].catch_up()
            sought = seek(index, ask(index), meaning)
            slots = candidates(sought, self._rows, wanted, limit, mode, floor)
            if without is not None:
                slots = slots[slots != index.places.of([without])[0]]
            return sought, ranked(sought, slots, mode, floor)

    def _hits(self, sought: Sought, found: Ranked, limit: int) -> list[Hit]:
        with self._rows.view():
            return self._shown(sought, found, limit)

    def _shown(self, sought: Sought, found: Ranked, limit: int) -> list[Hit]:
        best: list[tuple[float, int, bool]] = []
        asked = sought.question
        for n, text in self._texts(found, limit + _LOADED):
            has_phrases = all(phrase in text for phrase in asked.phrases)
            if has_phrases or not asked.is_only_phrases:
                is_literal = asked.literal in text or (bool(asked.phrases) and has_phrases)
                best.append((-float(found.scores[n]) - is_literal * LITERAL, n, is_literal))
            if len(best) >= limit + _LOADED:
                break
        best = sorted(best)[:limit]
        loaded = self._rows.load([found.seqs[n] for _score, n, _literal in best])
        return hits.compared(
            [
                hits.hit(loaded[found.seqs[n]], sought.forms, found, n, is_literal)
                for _score, n, is_literal in best
                if found.seqs[n] in loaded
            ]
        )

    def _texts(self, found: Ranked, step: int) -> Iterator[tuple[int, str]]:
        """What rows say, folded, best first; without those that were deleted meanwhile."""
        for start in range(0, len(found.seqs), step):
            part = found.seqs[start : start + step]
            texts = self._rows.texts(part)
            yield from ((start + n, fold(collapse(texts[seq]))) for n, seq in enumerate(part) if seq in texts)

    def _as_it_stands(self, asked: Question, wanted: Wanted, limit: int) -> list[Hit]:
        """What has no word at all ("=>")."""
        literal = asked.text.strip('" ') or asked.text
        loaded = self._rows.load(seqs := self._rows.containing(literal, wanted, limit))
        return [hits.as_it_stands(loaded[seq]) for seq in seqs if seq in loaded]
