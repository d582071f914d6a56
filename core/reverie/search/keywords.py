"""From literal text to FTS5 expressions. No input is an operator, none raises a syntax error."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from reverie.domain.text import clean

_PHRASE = re.compile(r'"([^"]+)"')

# Function words of English questions and statements: they match everywhere and tell nothing.
_FUNCTION_WORDS = """
    a about above after again against all am an and any are as at be because been before being below
    between both but by can could did do does doing down during each few for from further had has have
    having he her here hers him his how i if in into is it its itself just me more most my no nor not of
    off on once only or other our out over own same she should so some such than that the their them
    then there these they this those through to too under until up very was we were what when where
    which while who whom why will with would you your
"""
STOPWORDS = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True, slots=True)
class Words:
    """``telling``: the words and phrases of the query that are no stopwords (all of them, where nothing else is
    there: "The Who"), in order, each once, quoted for FTS5."""

    telling: tuple[str, ...]
    plain: tuple[str, ...]  # the telling ones, unquoted

    def every(self, *, prefix: bool = False) -> str:
        return " AND ".join(self._last_as_prefix(prefix))

    def any(self, *, prefix: bool = False) -> str:
        return " OR ".join(self._last_as_prefix(prefix))

    def _last_as_prefix(self, prefix: bool) -> Sequence[str]:
        if not prefix:
            return self.telling
        return (*self.telling[:-1], f"{self.telling[-1]} *")


def words_of(query: str) -> Words:
    """Cut a query at blanks; parts in double quotes stay phrases.

    A word with inner punctuation (``self-healing``, ``20.04``, ``a/b``) becomes a phrase of its pieces, as
    the index has it. What has no letter or digit at all is dropped: it can match nothing in the index.
    """
    parts: list[tuple[str, bool]] = []
    position = 0
    text = clean(query)
    for phrase in _PHRASE.finditer(text):
        parts += [(word, False) for word in text[position : phrase.start()].split()]
        parts.append((phrase.group(1), True))
        position = phrase.end()
    parts += [(word, False) for word in text[position:].split()]
    found = [(part, is_phrase) for part, is_phrase in parts if _is_indexed(part)]
    telling = [part for part, is_phrase in found if is_phrase or _bare(part) not in STOPWORDS]
    chosen = telling or [part for part, _ in found]
    return Words(
        telling=tuple(dict.fromkeys(_quoted(part) for part in chosen)),
        plain=tuple(dict.fromkeys(chosen)),
    )


def _bare(part: str) -> str:
    return part.strip("\"'?!.,;:()[]{}").casefold()


def _quoted(part: str) -> str:
    return '"' + part.replace('"', " ") + '"'


def _is_indexed(part: str) -> bool:
    # unicode61 keeps letters, numbers and private use; all else separates
    return any(
        unicodedata.category(character)[0] in "LN" or unicodedata.category(character) == "Co"
        for character in part
    )
