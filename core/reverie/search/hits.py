"""Hits out of what was ranked: each with what matched, why, and what put it before the next."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from reverie.domain.memory import Memory
from reverie.domain.search import Found, Hit
from reverie.search import explain
from reverie.search.ranking import LITERAL, Ranked
from reverie.search.terms import spaced


def hit(record: Found, forms: Collection[str], found: Ranked, n: int, is_literal: bool) -> Hit:
    """The ``n``-th that was ranked. forms: every form of a word that was asked for."""
    parts = {name: float(part[n]) for name, part in found.parts.items()}
    if is_literal:
        parts["literal"] = LITERAL
    match = explain.match(record.content, forms)
    labels = explain.match(_labels(record), forms).words
    cosine = None if np.isnan(found.cosine[n]) else float(found.cosine[n])
    return Hit(
        record=record,
        score=sum(parts.values()),
        relevance=float(found.relevance[n]),
        keyword=float(found.keyword[n]) or None,
        cosine=cosine,
        why=explain.why(match.words, labels, cosine, parts),
        passage=match.passage,
        words=match.words,
        marks=match.marks,
        parts=parts,
    )


def as_it_stands(record: Found) -> Hit:
    """For a query that has no word at all ("=>") and stands in the text."""
    parts = {"literal": LITERAL}
    return Hit(
        record,
        score=LITERAL,
        relevance=1.0,
        why=explain.why((), (), None, parts),
        passage=explain.match(record.content, ()).passage,
        parts=parts,
    )


def compared(hits: list[Hit]) -> list[Hit]:
    """Each with what put it before the next."""
    told = []
    for one, after in zip(hits, [*hits[1:], None], strict=False):
        lead = explain.ahead(one.parts, after.parts) if after is not None else ""
        told.append(replace(one, why="; ".join(filter(None, (one.why, lead)))))
    return told


def _labels(record: Found) -> str:
    """What is searched beside the text and its summary."""
    if not isinstance(record, Memory):
        return ""
    place = record.provenance.place.heading
    labels = (
        record.key or "",
        spaced(record.category),
        place,
        *record.tags,
        *record.topics,
        record.provenance.source,
    )
    return "\n".join(labels)
