"""Search as one would explain it: every row is scored straight from its text, with nothing kept and nothing fast.

What is shared with the engine is how text is cut, what a question asks for, and the weights.
"""

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from reverie.domain.text import fold
from reverie.search.documents import BODY, DATE, HALF, Signal, date_terms
from reverie.search.keyword_index import K1, B
from reverie.search.languages import ENGLISH, language_of, stem
from reverie.search.question import read
from reverie.search.ranking import LITERAL
from reverie.search.terms import terms


@dataclass(frozen=True)
class Row:
    """A document of the store. text: as its vector stands for it. literal: where the whole query is looked for."""

    id: str
    document: object
    text: str
    literal: str
    is_wanted: bool = True

    @cached_property
    def language(self):
        body = terms(self.document.fields[0][0])
        return language_of(body) if body else ENGLISH

    @cached_property
    def quarters(self):
        """Of each word: quarters of a mention."""
        counts = Counter()
        for text, weight in self.document.fields:
            for term in terms(text):
                counts[term] += weight
        for term in date_terms(self.document.at):
            counts[term] += HALF
        return counts

    @property
    def length(self):
        return sum(self.quarters.values()) / BODY


class Oracle:
    def __init__(self, kind, rows, embedder=None, floor=0.25):
        self.kind = kind
        self.rows = rows
        self.embedder = embedder
        self.floor = floor
        chains = {}
        for row in sorted(rows, key=lambda row: (row.document.at, row.document.seq)):
            if row.document.chain:
                chains.setdefault(row.document.chain, []).append(row)
        self.before, self.after = {}, {}
        for chain in chains.values():
            for one, other in pairwise(chain):
                self.before[other], self.after[one] = one, other

    def around(self, row, of):
        """A value of the row with the shares of its neighbours."""
        before, after, second = self.kind.neighbours
        one = self.before.get(row)
        return (
            of(row)
            + (before * of(one) if one else 0)
            + (after * of(self.after[row]) if row in self.after else 0)
            + (second * of(self.before[one]) if one and one in self.before else 0)
        )

    def stands_for(self, word, form, row):
        """Whether a form that stands in this row is asked for by the word."""
        if form == word.term or (word.date and form == word.date):
            return True
        if word.is_prefix and form.startswith(word.term):
            return True
        if stem(form) == stem(word.term):
            return True
        return any(
            stem(form, language) == stem(word.term, language)
            for language in {other.language for other in self.rows if form in other.quarters} - {ENGLISH}
        )

    def mentions(self, row, stands):
        return sum(min(255, count) / 4 for form, count in row.quarters.items() if stands(form, row))

    def scores(self, text, mode="hybrid", *, prefix=False):
        """id -> score of every row that is found."""
        question = read(text, prefix=prefix)
        if not question.words:
            return {}
        held, keyword, coverage = self.words(question)
        by_words = set()
        if mode != "semantic":
            by_words = set(coverage) if self.kind.is_found_by_neighbours else held
        cosine = self.cosines(question.text) if mode != "keyword" else None
        by_meaning = {row for row in self.rows if cosine is not None and cosine[row] >= self.floor}
        weights = self.kind.weights
        found = {}
        for row in filter(lambda row: row.is_wanted, by_words | by_meaning):
            literal = self.literal(question, row)
            if literal is None:
                continue
            score = literal + self.signs(question, row)
            if mode != "semantic":
                score += weights.keyword * keyword[row] + weights.coverage * coverage[row]
            if cosine is not None:
                score += weights.cosine * cosine[row]
                score += weights.cosine_before * cosine[self.before.get(row, row)]
                score += weights.cosine_after * cosine[self.after.get(row, row)]
            found[row.id] = score
        return found

    def words(self, question):
        """Rows that hold a word themselves; BM25F and the share of the information that is there, by row."""
        held = self.held(question, lambda word: lambda form, row: self.stands_for(word, form, row))
        if not any(any(counts.values()) for counts in held.values()):
            held = self.held(
                question, lambda word: lambda form, _row: word.term in form and not form.startswith(DATE)
            )
        total = len(self.rows)
        frequency = {word: sum(count > 0 for count in counts.values()) for word, counts in held.items()}
        known = {
            word: math.log(1 + (total - number + 0.5) / (number + 0.5))
            for word, number in frequency.items()
            if number
        }
        whole = sum(known.values()) or 1
        lengths = {row: self.around(row, lambda each: each.length) for row in self.rows}
        mean = sum(lengths.values()) / total if total else 1
        keyword, coverage = Counter(), Counter()
        for word, idf in known.items():
            for row in self.rows:
                mentions = self.around(row, lambda each, counts=held[word]: counts[each])
                norm = K1 * (1 - B + B * lengths[row] / mean)
                if mentions:
                    keyword[row] += idf / whole * mentions / (mentions + norm)
                    is_whole = held[word][row] or self.kind.is_found_by_neighbours
                    coverage[row] += idf / whole * (1 if is_whole else min(mentions, 1))
        return {row for row in self.rows if any(counts[row] for counts in held.values())}, keyword, coverage

    def literal(self, question, row):
        """What is added where the whole query stands in the text; None where nothing but phrases is asked for and one
        is not there."""
        folded = " ".join(fold(row.literal).split())
        has_phrases = all(phrase in folded for phrase in question.phrases)
        if question.is_only_phrases and not has_phrases:
            return None
        is_there = question.literal in folded or (question.phrases and has_phrases)
        return LITERAL if is_there else 0.0

    def held(self, question, stands_of):
        return {
            word: {row: self.mentions(row, stands_of(word)) for row in self.rows} for word in question.words
        }

    def cosines(self, text):
        (asked,) = self.embedder.embed([text])
        return {
            row: float(self.embedder.embed([row.text])[0].astype(np.float16).astype(np.float32) @ asked)
            for row in self.rows
        }

    def signs(self, question, row):
        weights, document = self.kind.weights, row.document
        named = terms(document.speaker)
        asked = {word.term for word in question.words}
        score = weights.length * math.log1p(document.length)
        score += weights.speaker * (bool(named) and asked.issuperset(named))
        score += weights.asks * bool(document.signals & Signal.ASKS)
        before = self.before.get(row)
        score += weights.answers * (before is not None and bool(before.document.signals & Signal.ENDS_ASKING))
        score += weights.time * (question.asks_time and bool(document.signals & Signal.TELLS_TIME))
        score += weights.dated * any(span.start <= document.at < span.end for span in question.spans)
        return score
