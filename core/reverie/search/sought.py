"""A question as it stands in the indexes of a kind: the forms of its words, their strength in each row, its vector."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.search.keyword_index import Asked, KeywordIndex, Strength
from reverie.search.question import Question, Word
from reverie.search.vectors import VectorIndex

Slots = NDArray[np.int64]
Meaning = tuple[VectorIndex, NDArray[np.float32]]  # where to look, and the question's own vector


@dataclass(frozen=True, slots=True)
class Sought:
    """To be used while the index is locked. meaning: the vectors and the question's own, None where only words count.
    forms: every form that stands for one of the words. known: share of the question's information that any row
    holds, 0..1."""

    index: KeywordIndex
    question: Question
    strength: Strength
    forms: frozenset[str]
    known: float
    meaning: Meaning | None = None

    def seqs(self, slots: Slots) -> list[int]:
        """-1 for a slot of -1."""
        column = self.index.rows["seq"]
        if not len(column):
            return []
        found: list[int] = np.where(slots >= 0, column[slots], -1).tolist()
        return found

    def cosines(self, slots: Slots) -> NDArray[np.float32]:
        """With the question; NaN where there is no vector."""
        if self.meaning is None:
            return np.full(len(slots), np.nan, np.float32)
        vectors, vector = self.meaning
        return vectors.cosines(self.seqs(slots), vector)


def seek(index: KeywordIndex, question: Question, meaning: Meaning | None = None) -> Sought:
    """Words of which no form stands anywhere are taken as parts of words, where that holds for all of them."""
    families = {word: _forms(index, word) for word in question.words}
    found = _asked(index, families)
    if not any(each.is_known for each in found.values()):
        families = {word: index.lexicon.holding(word.term) for word in question.words}
        found = _asked(index, families)
    asked = _counted(found)
    whole = sum(word.idf for word in asked)
    known = sum(word.idf for word in asked if word.is_known)
    return Sought(
        index,
        question,
        index.strength(asked),
        frozenset(index.lexicon.form(form) for forms in families.values() for form in forms),
        known / whole if whole else 0.0,
        meaning,
    )


def _asked(index: KeywordIndex, families: Mapping[Word, Sequence[int]]) -> dict[Word, Asked]:
    return {word: index.ask(forms) for word, forms in families.items()}


def _counted(found: Mapping[Word, Asked]) -> Sequence[Asked]:
    """Without a whole ("self-healing") that stands nowhere while its pieces do."""
    pieces_known = all(each.is_known for word, each in found.items() if not word.is_whole)
    return [each for word, each in found.items() if each.is_known or not (word.is_whole and pieces_known)]


def _forms(index: KeywordIndex, word: Word) -> list[int]:
    lexicon = index.lexicon
    forms = lexicon.family(word.term)
    if word.is_prefix:
        forms += lexicon.beginning(word.term)
    if word.date and (date := lexicon.number(word.date)) is not None:
        forms.append(date)
    return list(dict.fromkeys(forms))
