"""From signs to one score: a weighted sum, each part of which can be shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.search.documents import Signal
from reverie.search.keyword_index import KeywordIndex
from reverie.search.modes import Mode
from reverie.search.question import Question
from reverie.search.relevance import relevance
from reverie.search.sought import Sought
from reverie.search.terms import terms

LITERAL = 0.5  # the whole query stands in the text as it was typed

_UNKNOWN = 0.3  # cosine of a row without a vector yet, where no other row has one either

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
Slots = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Ranked:
    """Rows, best first; arrays of one length. parts: what the scores are the sum of. cosine: NaN without a vector."""

    seqs: Sequence[int]
    scores: Floats
    parts: Mapping[str, Floats]
    keyword: Floats
    cosine: Floats
    relevance: Floats


def ranked(sought: Sought, slots: Slots, mode: Mode, floor: float) -> Ranked:
    """Score candidates exactly, whichever side they came from."""
    nothing = np.zeros(len(slots), np.float32)
    keyword = nothing if mode == "semantic" else sought.strength.keyword[slots]
    coverage = nothing if mode == "semantic" else sought.strength.coverage[slots]
    weights = sought.index.kind.weights
    cosine = sought.cosines(slots)
    parts = {"words": weights.keyword * keyword, "coverage": weights.coverage * coverage}
    if sought.meaning is not None:
        parts |= _meaning(sought, slots, cosine)
    parts |= _signs(sought.index, sought.question, slots)
    parts = {name: np.asarray(part, np.float32) for name, part in parts.items() if part.any()}
    scores = sum(parts.values(), start=nothing)
    seqs = sought.index.rows["seq"][slots]
    order = np.lexsort((-seqs, -scores))  # the newer one first where all else is equal
    return Ranked(
        seqs[order].tolist(),
        scores[order],
        {name: part[order] for name, part in parts.items()},
        keyword[order],
        cosine[order],
        relevance(cosine, coverage * np.float32(sought.known), floor)[order],
    )


def _meaning(sought: Sought, slots: Slots, cosine: Floats) -> dict[str, Floats]:
    """A row without a vector is ranked by its words, neither raised nor lowered; one without a neighbour counts itself
    for it."""
    weights, rows = sought.index.kind.weights, sought.index.rows
    known = cosine[~np.isnan(cosine)]
    own = np.where(np.isnan(cosine), np.median(known) if len(known) else _UNKNOWN, cosine)
    around = np.zeros(len(slots), np.float32)
    for column, weight in (("before", weights.cosine_before), ("after", weights.cosine_after)):
        if weight:
            near = sought.cosines(rows[column][slots])
            around += weight * np.where(np.isnan(near), own, near)
    return {"meaning": np.asarray(weights.cosine * own, np.float32), "neighbours": around}


def _signs(index: KeywordIndex, question: Question, slots: Slots) -> dict[str, NDArray[np.floating]]:
    weights, rows = index.kind.weights, index.rows
    signals = rows["signals"][slots]
    found = {
        "speaker": weights.speaker * _said_by_named(index, question, slots),
        "asks": weights.asks * _shows(signals, Signal.ASKS),
        "answers": weights.answers * _after_a_question(index, slots),
        "length": weights.length * np.log1p(rows["chars"][slots]),
    }
    if question.asks_time:
        found["time"] = weights.time * _shows(signals, Signal.TELLS_TIME)
    if question.spans:
        found["dated"] = weights.dated * _of_the_time(question, rows["at"][slots])
    return found


def _shows(signals: NDArray[np.uint8], signal: Signal) -> Flags:
    return np.asarray(signals & signal, np.bool_)


def _after_a_question(index: KeywordIndex, slots: Slots) -> Flags:
    before = index.rows["before"][slots]
    if not len(before):
        return np.zeros(0, np.bool_)
    return np.logical_and(_shows(index.rows["signals"][before], Signal.ENDS_ASKING), before >= 0)


def _said_by_named(index: KeywordIndex, question: Question, slots: Slots) -> Flags:
    asked = {word.term for word in question.words}
    named = [
        number
        for name, number in index.speakers.items()
        if (called := terms(name)) and asked.issuperset(called)
    ]
    return np.isin(index.rows["speaker"][slots], named)


def _of_the_time(question: Question, at: NDArray[np.int64]) -> Flags:
    found = np.zeros(len(at), np.bool_)
    for span in question.spans:
        found |= (span.start <= at) & (at < span.end)
    return found
