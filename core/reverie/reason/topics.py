"""Phrases that tell what a text is about: RAKE (Rose et al. 2010), kept from returning debris.

Candidates are runs of words between stop words and punctuation; RAKE scores each word by how often it
stands beside others. The library's own cutting takes 26 ms for 225 words (one pattern of 1,300 stop
words), so candidates are cut here by set look-up, and the library scores them.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from reverie.domain.text import fold, words
from reverie.domain.title import HEADING_PATH
from reverie.reason.stopwords import language_of, spaced, stopwords, without_columns

MOST = 4
CANDIDATES = 6  # that are weighed by meaning
_LOOKED_AT = 12_000  # characters
_LONGEST = 3  # words
_TOKEN = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_TIMES = spaced(
    "january february march april june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays today tomorrow "
    "yesterday morning evening night day days week weeks month months year years hour hours minute minutes euro euros "
    "januar februar märz juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag tag tage "
    "woche wochen monat monate jahr jahre"
)
_ALIKE = 0.72  # cosine above which two topics say the same


@dataclass(frozen=True, slots=True)
class Candidate:
    phrase: str
    weight: float


def candidates(text: str) -> list[Candidate]:
    """The best phrases, best first; weight is positive and compares within one text only."""
    from RAKEkeywords import Rake

    text = without_columns(text[:_LOOKED_AT])
    language = language_of(words(text))
    forms: dict[str, Counter[str]] = {}
    runs: list[str] = []
    for run in _familiar(list(_runs(text, stopwords(language)))):
        phrase = " ".join(run)
        key = phrase.lower()
        runs.append(key)
        forms.setdefault(key, Counter())[phrase] += 1
    if not runs:
        return []
    scores = Rake.generate_candidate_keyword_scores(runs, Rake.calculate_word_scores(runs))
    counts = Counter(runs)
    heading = fold(text.partition("\n")[0].rpartition(HEADING_PATH)[2])
    weighed = []
    for key, score in scores.items():
        weight = max(score, 1.0) / math.sqrt(len(key.split())) * (1 + math.log2(counts[key]))
        if fold(key) in heading:
            weight *= 1.5
        if " " not in key and _form(forms[key]) != key:
            weight *= 0.6  # a lone name is an entity before it is a topic
        weighed.append(Candidate(_form(forms[key]), weight))
    return sorted(weighed, key=lambda candidate: (-candidate.weight, candidate.phrase))


def _familiar(runs: list[list[str]]) -> Iterator[list[str]]:
    """Runs of three words cut down to two that are said together elsewhere: "store green coffee"."""
    pairs = Counter(pair for run in runs for pair in pairwise(word.lower() for word in run))
    for run in runs:
        cut = [pair for pair in pairwise(run) if pairs[pair[0].lower(), pair[1].lower()] > 1]
        whole = " ".join(run).lower()
        alone = (
            len(run) == _LONGEST
            and len(cut) == 1
            and sum(" ".join(other).lower() == whole for other in runs) == 1
        )
        yield list(cut[0]) if alone else run


def _form(forms: Counter[str]) -> str:
    """As it is mostly written; in small letters if it is ever (else the capital is that of a name)."""
    small = [form for form in forms if form == form.lower()]
    return small[0] if small else forms.most_common(1)[0][0]


def _runs(text: str, stop: frozenset[str]) -> Iterator[list[str]]:
    """Runs of one to three words that are no stop words, with nothing but a space between them."""
    run: list[str] = []
    end = -1
    for match in _TOKEN.finditer(text):
        word = match[0]
        if run and (text[end : match.start()] != " " or _parts(run[-1], word)):
            yield from _whole(run)
            run = []
        end = match.end()
        if fold(word) in stop or not _tells(word) or text[end : end + 1] == ":":  # a column or a speaker
            yield from _whole(run)
            run = []
        else:
            run.append(word)
    yield from _whole(run)


def _whole(run: list[str]) -> Iterator[list[str]]:
    if 0 < len(run) <= _LONGEST:
        yield run


def _parts(before: str, word: str) -> bool:
    """Whether two neighbours are no one phrase: "town Priya" and "Tomas brings", but "Harbour Street plan"."""
    if word[0].isupper():
        return before[0].islower()
    return before[0].isupper() and word.endswith(("s", "ed"))


def _tells(word: str) -> bool:
    """Whether a word can be part of a topic: letters, and not one alone."""
    letters = sum(map(str.isalpha, word))
    if fold(word) in _TIMES or "." in word:
        return False
    return letters >= 3 and letters * 2 > len(word) and len(word) <= 30


def choose(
    found: Sequence[Candidate], vectors: np.ndarray | None = None, centre: np.ndarray | None = None
) -> tuple[str, ...]:
    """Two to four topics of the candidates, fewer where there are no more.

    With vectors (n, dimensions; unit rows) of the candidates and the text's centre, those nearest in meaning
    come first and no two say the same; else by weight.
    """
    order = list(range(len(found)))
    if vectors is not None and centre is not None and len(found):
        near = vectors @ centre
        top = max(candidate.weight for candidate in found)
        order.sort(key=lambda index: -(float(near[index]) + 0.25 * found[index].weight / top))
    chosen: list[int] = []
    for index in order:
        if len(chosen) == MOST:
            break
        if all(_apart(found, vectors, index, other) for other in chosen):
            chosen.append(index)
    return tuple(found[index].phrase for index in chosen)


def _apart(found: Sequence[Candidate], vectors: np.ndarray | None, one: int, other: int) -> bool:
    first, second = (set(words(found[index].phrase)) for index in (one, other))
    if first & second:
        return False
    return vectors is None or float(vectors[one] @ vectors[other]) < _ALIKE


def topics(text: str, embed: Callable[[Sequence[str]], np.ndarray] | None = None) -> tuple[str, ...]:
    """The topics of one text. Many texts at once: candidates() and choose()."""
    found = candidates(text)[:CANDIDATES]
    if embed is None or not found:
        return choose(found)
    vectors = embed([candidate.phrase for candidate in found])
    return choose(found, vectors, vectors.mean(axis=0))
