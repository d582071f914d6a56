"""The search language as the field needs it: where keys stand, and how a term is put in or taken out. No Qt."""

import re
from dataclasses import dataclass

from reverie.search.query import KEYS

__all__ = ["KEYS", "Term", "plain_words", "quoted", "signs", "term_at", "terms", "toggled", "with_term"]

_TERM = re.compile(r'(?P<minus>-)?(?P<key>[A-Za-z]+):(?P<value>"[^"]*"?|[^\s"]*)')
_WORD = re.compile(r'-?[A-Za-z]+:"[^"]*"?|-?"[^"]*"?|\S+')


@dataclass(frozen=True, slots=True)
class Term:
    """One ``key:value`` of a query; ``start`` .. ``end`` are its characters, ``value`` is without quotes."""

    start: int
    end: int
    key: str
    value: str
    minus: bool

    @property
    def key_end(self) -> int:
        """Just after the colon."""
        return self.start + len(self.key) + 1 + self.minus

    @property
    def known(self) -> bool:
        return self.key.lower() in KEYS


def terms(text: str) -> list[Term]:
    """All ``key:value`` terms, those with unknown keys too; addresses such as http://x are no terms."""
    found = []
    for word in _WORD.finditer(text):
        match = _TERM.match(word.group())
        if match and not match["value"].startswith("//"):
            start = word.start()
            found.append(
                Term(
                    start,
                    start + match.end(),
                    match["key"],
                    match["value"].strip('"'),
                    match["minus"] is not None,
                )
            )
    return found


def term_at(text: str, cursor: int) -> Term | None:
    """The term whose value the cursor is in or right behind."""
    for term in terms(text):
        if term.key_end <= cursor <= term.end:
            return term
    return None


def quoted(value: str) -> str:
    """A value as the language wants it: in quotes where it has blanks."""
    return f'"{value}"' if re.search(r"\s", value) or not value else value


def toggled(text: str, term: str, *, minus: bool = False) -> str:
    """The query with ``key:value`` put in, or taken out where it already stands with the same sign."""
    words = _WORD.findall(text)
    wanted, other = (f"-{term}", term) if minus else (term, f"-{term}")
    if wanted in words:
        words.remove(wanted)
    else:
        words = [wanted if word == other else word for word in words]
        if wanted not in words:
            words.insert(_keys_end(words), wanted)
    return " ".join(words)


def with_term(text: str, term: str) -> str:
    """The query with ``key:value`` put in, an older value of the key replaced; what is excluded stays so."""
    key, _, _value = term.partition(":")
    rest = [word for word in _WORD.findall(text) if not word.startswith(f"{key}:")]
    rest.insert(_keys_end(rest), term)
    return " ".join(rest)


def signs(text: str) -> dict[str, str]:
    """Each term of the query, as a facet writes it, with "+" or "-"."""
    return {f"{term.key}:{quoted(term.value)}": "-" if term.minus else "+" for term in terms(text)}


def plain_words(text: str) -> tuple[str, ...]:
    """The words to mark in what was found: no terms, no excluded words."""
    found = []
    for word in _WORD.findall(text):
        if _TERM.match(word) or word.startswith("-") or word in ("OR", "AND"):
            continue
        found.extend(word.strip('"()').split())
    return tuple(found)


def _keys_end(words: list[str]) -> int:
    """Terms stand before words."""
    return next((i for i, word in enumerate(words) if not _TERM.match(word)), len(words))
