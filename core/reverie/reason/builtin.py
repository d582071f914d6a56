"""The reasoner that needs no model of language: it quotes, it never writes.

Summaries and insights are sentences of the texts themselves, so nothing is made up, and the same input
gives the same answer.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from reverie.domain.memory import Memory
from reverie.domain.progress import Cancel, never
from reverie.domain.text import content_hash, fold, shorten, word_count, words
from reverie.errors import Cancelled
from reverie.i18n import _, ngettext
from reverie.reason import summaries, topics
from reverie.reason.base import Description, Finding
from reverie.reason.clusters import clusters
from reverie.reason.entities import entities, proven_names
from reverie.reason.importance import importance
from reverie.reason.stopwords import spaced, without_columns

if TYPE_CHECKING:
    from reverie.embed.base import Embedder

_BATCH = 128  # texts that are embedded between two looks at ``cancelled``
_SHARED = 0.42  # mean cosine of memories that belong together (MiniLM; unrelated ones are at 0.0 to 0.2)
_SHARED_WORDS = 0.16  # the same for vectors of words
_TELLING = 5  # words of a sentence that is worth quoting ("Can't, dentist." is not)
_PER_MEMORY = 8  # sentences of one memory that may speak for a cluster
_QUOTED = 3
_LONGEST_QUOTE = 220  # characters
_SUBJECTS = 2
_SAYS_MUCH = 12  # words of a sentence; shorter ones are near any centre, and tell little
_NAMES_SUBJECT, _LEANS = 0.15, 0.2  # beside cosines
_QUOTES = "\"“„«'‘"  # what is said inside of a story
# Words that begin a sentence which says little without the one before it.
_LEANING = spaced(
    "she he they it this that these those her his their its then there afterwards otherwise but and so or if "
    "er sie es dies diese dieser dieses das dann danach sonst aber und oder"
)


class Builtin:
    """Extractive and offline. Without an embedder it goes by words, which finds less.

    Thread-safe where the embedder is.
    """

    name = "builtin"

    def __init__(self, embedder: "Embedder | None" = None) -> None:
        self._embedder = embedder

    def describe(self, texts: Sequence[str], *, cancelled: Cancel = never) -> list[Description]:
        """Raises Cancelled. The sentences of all texts are embedded together, shortest first."""
        lines = [summaries.candidates(text) for text in texts]
        phrases = [_topic_candidates(text, cancelled) for text in texts]
        known = frozenset[str]().union(*map(proven_names, texts))  # texts of a batch are mostly of one source
        vectors = self._vectors(lines, phrases, cancelled)
        described = []
        for text, own, found, (near, meant) in zip(texts, lines, phrases, vectors, strict=True):
            if cancelled():
                raise Cancelled
            summary = summaries.choose(own, near)
            named = (
                topics.choose(found, meant, near.mean(axis=0)) if meant is not None else topics.choose(found)
            )
            described.append(Description(summary, entities(text, known), named, importance(text)))
        return described

    def _vectors(
        self,
        lines: Sequence[Sequence[str]],
        phrases: Sequence[Sequence[topics.Candidate]],
        cancelled: Cancel,
    ) -> Iterator[tuple[np.ndarray, np.ndarray | None]]:
        """For each text the vectors of its sentences, and of its topic candidates in the same space.

        Rows of a table are weighed by their words alone: their numbers take many tokens and mean little to an
        embedder.
        """
        meant = [
            self._embedder is not None and len(own) + len(found) > 1 and summaries.are_whole(own)
            for own, found in zip(lines, phrases, strict=True)
        ]
        flat: list[str] = []
        for own, found, by_meaning in zip(lines, phrases, meant, strict=True):
            if by_meaning:
                flat += [*own, *(candidate.phrase for candidate in found)]
        vectors = self._embed(flat, cancelled) if flat else np.zeros((0, 0), dtype=np.float32)
        at = 0
        for own, found, by_meaning in zip(lines, phrases, meant, strict=True):
            if by_meaning:
                middle, end = at + len(own), at + len(own) + len(found)
                yield vectors[at:middle], vectors[middle:end]
                at = end
            else:
                yield summaries.word_vectors(own), None

    def consolidate(self, memories: Sequence[Memory], vectors: np.ndarray) -> list[Finding]:
        """One finding for each group of related memories that say different things; [] where nothing is shared.

        Rows of a table take no part: they are always alike, and say nothing together. Nor do memories
        without one sentence that is worth quoting.
        """
        threshold = _SHARED
        if len(vectors) != len(memories) or vectors.ndim != 2 or not vectors.any():
            vectors = summaries.word_vectors([memory.content for memory in memories])
            threshold = _SHARED_WORDS
        prose = np.array([[_is_quotable(memory.content)] for memory in memories], dtype=np.float32)
        found = []
        for group in clusters(summaries.unit(vectors) * prose.reshape(-1, 1), threshold):
            members = [memories[index] for index in group]
            if len({content_hash(fold(memory.content)) for memory in members}) > 1:
                found.append(Finding(self._insight(members), tuple(memory.id for memory in members)))
        return found

    def _insight(self, members: Sequence[Memory]) -> str:
        """What the members have in common, then a sentence each of those that say most about it, a line each."""
        subjects = _shared_subjects(members)
        owners, lines = _lines(members)
        vectors = self._embed(lines, never) if self._embedder else summaries.word_vectors(lines)
        near = vectors @ vectors.mean(axis=0) + np.array([_merit(line, subjects) for line in lines])
        near = near * np.array([0.6 + 0.4 * min(1.0, word_count(line) / _SAYS_MUCH) for line in lines])
        chosen: list[int] = []
        for index in map(int, np.argsort(-near, kind="stable")):
            taken = {owners[other] for other in chosen}
            alike = any(float(vectors[index] @ vectors[other]) > 0.9 for other in chosen)
            if owners[index] not in taken and not alike:
                chosen.append(index)
            if len(chosen) == _QUOTED:
                break
        quotes = [_("“{quote}”").format(quote=shorten(lines[i], _LONGEST_QUOTE)) for i in sorted(chosen)]
        return "\n".join([_head(len(members), subjects), *quotes])

    def _embed(self, texts: Sequence[str], cancelled: Cancel) -> np.ndarray:
        """One unit row for each text. Each once, sorted by length, so that a batch has little padding."""
        assert self._embedder is not None
        order = sorted(dict.fromkeys(texts), key=len)
        rows = {text: row for row, text in enumerate(order)}
        vectors = np.zeros((len(order), self._embedder.dimensions), dtype=np.float32)
        for start in range(0, len(order), _BATCH):
            if cancelled():
                raise Cancelled
            vectors[start : start + _BATCH] = self._embedder.embed(order[start : start + _BATCH])
        found: np.ndarray = vectors[[rows[text] for text in texts]]
        return found


def _shared_subjects(members: Sequence[Memory]) -> list[str]:
    """Phrases of whose words most members have one, the best first; no two with a word in common."""
    said = [set(words(memory.content)) for memory in members]
    found = topics.candidates("\n\n".join(memory.content[:2000] for memory in members))
    ranked = []
    for place, candidate in enumerate(found[:40]):
        parts = words(candidate.phrase)
        share = sum(sum(part in own for own in said) for part in parts) / (len(parts) * len(said))
        if share > 0.5:
            ranked.append((-share - 0.02 * len(parts), place, candidate.phrase))
    chosen: list[str] = []
    for _rank, _place, phrase in sorted(ranked):
        if not {*words(phrase)} & {word for other in chosen for word in words(other)}:
            chosen.append(phrase)
    return chosen[:_SUBJECTS]


def _head(count: int, subjects: Sequence[str]) -> str:
    """A whole sentence: how many there are, and what they share."""
    quoted = [_("“{quote}”").format(quote=subject) for subject in subjects]
    if not quoted:
        return ngettext(
            "{n} memory says something related.", "{n} memories say related things.", count
        ).format(n=count)
    named = quoted[0]
    if len(quoted) > 1:
        named = _("{first} and {last}").format(first=", ".join(quoted[:-1]), last=quoted[-1])
    return ngettext("{n} memory speaks of {subjects}.", "{n} memories speak of {subjects}.", count).format(
        n=count, subjects=named
    )


def _merit(line: str, subjects: Sequence[str]) -> float:
    """What speaks for quoting a sentence besides its meaning: it names a subject, and stands by itself."""
    said = words(line)
    names = any(word in said for subject in subjects for word in words(subject))
    leans = line[:1] in _QUOTES or (bool(said) and said[0] in _LEANING)
    return _NAMES_SUBJECT * names - _LEANS * leans


def _is_tabular(text: str) -> bool:
    return without_columns(text) != text and not summaries.are_whole(summaries.candidates(text))


def _is_quotable(text: str) -> bool:
    return not _is_tabular(text) and bool(_telling(text))


def _telling(text: str) -> list[str]:
    """Sentences that say something: "Can't, dentist." does not."""
    return [line for line in summaries.candidates(text) if word_count(line) >= _TELLING]


def _topic_candidates(text: str, cancelled: Cancel) -> list[topics.Candidate]:
    if cancelled():
        raise Cancelled
    return topics.candidates(text)[: topics.CANDIDATES]


def _lines(members: Sequence[Memory]) -> tuple[list[int], list[str]]:
    """(whose it is, sentence) of what the members say, a few sentences each."""
    owners: list[int] = []
    lines: list[str] = []
    for owner, memory in enumerate(members):
        own = _telling(memory.content)[:_PER_MEMORY]
        lines += own
        owners += [owner] * len(own)
    return owners, lines
