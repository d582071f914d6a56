"""Searches working memory: BM25 over the entries as they are at this moment. They are few, so nothing is indexed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rank_bm25 import BM25Plus

from reverie.domain.search import Hit
from reverie.domain.text import fold
from reverie.domain.working import WorkingEntry
from reverie.search import explain, question
from reverie.search.hits import as_it_stands
from reverie.search.languages import language_of, stem
from reverie.search.question import Question
from reverie.search.relevance import relevance
from reverie.search.terms import terms


@dataclass(frozen=True, slots=True)
class _Text:
    """What an entry is searched by. stems: by the form in which they stand in the text."""

    entry: WorkingEntry
    labels: str
    language: str
    forms: Sequence[str]
    stems: Sequence[str]

    @property
    def folded(self) -> str:
        return fold(f"{self.labels}\n{self.entry.value}")


def find(query: str, entries: Sequence[WorkingEntry], limit: int) -> list[Hit]:
    """The best entries for a literal text, best first, of equal ones that which comes first; "" finds nothing."""
    asked = question.read(query)
    if not asked.text or limit <= 0:
        return []
    texts = [_read(entry) for entry in entries]
    if not asked.words:
        return [as_it_stands(text.entry) for text in texts if asked.literal in text.folded][:limit]
    texts = [text for text in texts if not asked.is_only_phrases or _holds(text, asked.phrases)]
    return _ranked(texts, asked, limit) if any(text.stems for text in texts) else []


def _read(entry: WorkingEntry) -> _Text:
    labels = "\n".join((entry.key, entry.category, *entry.tags))
    own = terms(entry.value)
    language = language_of(own)
    forms = [*terms(labels), *own]
    return _Text(entry, labels, language, forms, [stem(form, language) for form in forms])


def _holds(text: _Text, phrases: Sequence[str]) -> bool:
    return all(phrase in text.folded for phrase in phrases)


def _ranked(texts: Sequence[_Text], asked: Question, limit: int) -> list[Hit]:
    """A word is asked for by its stem in each language that the texts are in."""
    languages = sorted({text.language for text in texts})
    wanted = [{stem(word.term, language) for language in languages} for word in asked.words]
    stems = sorted(set().union(*wanted))
    # With delta 0 this is BM25 whose weights are above zero for every word, also for one that most entries hold.
    scores = BM25Plus([text.stems for text in texts], delta=0).get_scores(stems)
    found = [n for n in np.argsort(-scores, kind="stable")[:limit].tolist() if scores[n] > 0]
    held = [sum(not word.isdisjoint(texts[n].stems) for word in wanted) / len(wanted) for n in found]
    coverage = np.asarray(held, np.float32)
    sure = relevance(np.full(len(found), np.nan, np.float32), coverage, 0.0)
    return [
        _hit(texts[n], set(stems), float(scores[n]), held[place], float(sure[place]))
        for place, n in enumerate(found)
    ]


def _hit(text: _Text, stems: set[str], score: float, coverage: float, sure: float) -> Hit:
    forms = {form for form, root in zip(text.forms, text.stems, strict=True) if root in stems}
    match = explain.match(text.entry.value, forms)
    parts = {"words": score}
    return Hit(
        text.entry,
        score=score,
        relevance=sure,
        keyword=coverage,
        why=explain.why(match.words, explain.match(text.labels, forms).words, None, parts),
        passage=match.passage,
        words=match.words,
        marks=match.marks,
        parts=parts,
    )
