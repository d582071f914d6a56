"""What a literal text asks for: words, phrases in quotes, times. No text is an operator, none raises."""

import re
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.clock import now
from reverie.domain.text import clean, collapse, fold
from reverie.search.documents import DATE
from reverie.search.languages import STOPWORDS
from reverie.search.terms import chunks, is_joined, wanted_terms
from reverie.search.times import MONTHS, WEEKDAYS, Span, asks_time, named_spans

_PHRASE = re.compile(r'"([^"]+)"')
_YEAR = re.compile(r"(?:19|20)\d\d")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_LONGEST = 4_000  # characters of a question that are looked at


@dataclass(frozen=True, slots=True)
class Word:
    """A term that is asked for. date: the date's word that it may stand for as well, DATE + "may"."""

    term: str
    date: str = ""
    is_prefix: bool = False

    @property
    def is_whole(self) -> bool:
        """More than one word, written together: its pieces are asked for as well."""
        return is_joined(self.term)


@dataclass(frozen=True, slots=True)
class Question:
    """words: those that tell something; all of them, where nothing else is there ("The Who").

    Where nothing but phrases is asked for, only rows that hold them are found; a phrase inside a question raises them.
    """

    text: str
    words: tuple[Word, ...] = ()
    phrases: tuple[str, ...] = ()  # in quotes; folded
    is_only_phrases: bool = False
    asks_time: bool = False
    spans: tuple[Span, ...] = ()

    @property
    def literal(self) -> str:
        """The text, folded, as it may stand in another."""
        return fold(collapse(self.text))


def read(text: str, *, prefix: bool = False, at: datetime | None = None) -> Question:
    """prefix: the last word may be the beginning of one, unless a blank follows it. at: the present, for "last week"."""
    text = clean(text[:_LONGEST])
    is_typing = prefix and text[-1:] != '"' and not text[-1:].isspace()
    text = text.strip()
    found = [term for chunk in chunks(text) for term in wanted_terms(chunk)]
    telling = [n for n, term in enumerate(found) if term not in STOPWORDS] or list(range(len(found)))
    last = found[-1] if found and is_typing else None
    words: dict[str, Word] = {}
    for n in telling:
        words.setdefault(found[n], Word(found[n], _date(found, n)))
    if last is not None:
        words[last] = Word(last, is_prefix=True)
    return Question(
        text,
        tuple(words.values()),
        tuple(fold(collapse(phrase)) for phrase in _PHRASE.findall(text) if phrase.strip()),
        not _tells(_PHRASE.sub(" ", text)),
        asks_time(text),
        tuple(named_spans(text, (at or now()).astimezone())),
    )


def _tells(text: str) -> bool:
    return any(term not in STOPWORDS for chunk in chunks(text) for term in wanted_terms(chunk))


def _date(terms: list[str], n: int) -> str:
    term = terms[n]
    if term in MONTHS or term in WEEKDAYS or _YEAR.fullmatch(term):
        return DATE + term
    day = _DAY.fullmatch(term)
    if day and any(near in MONTHS for near in terms[max(0, n - 1) : n + 2]):
        return DATE + day[1]
    return ""
