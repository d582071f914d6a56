"""A query taken apart: its ``key:value`` terms, and the words that are left. No Qt."""

from dataclasses import dataclass

from reverie_gui.widgets.query_words import Term, terms


@dataclass(frozen=True, slots=True)
class Split:
    """``words`` is the literal text without terms, blanks joined."""

    words: str
    terms: tuple[Term, ...]

    def values(self, key: str, *, minus: bool = False) -> tuple[str, ...]:
        """What a key is narrowed to (or, with ``minus``, what is left out)."""
        return tuple(term.value for term in self.terms if term.key.lower() == key and term.minus is minus)

    def others(self, *keys: str) -> tuple[str, ...]:
        """The terms of other keys, as they were written, for "does not apply here"."""
        return tuple(f"{term.key}:{term.value}" for term in self.terms if term.key.lower() not in keys)


def split(text: str) -> Split:
    """Only keys of the language count, all else is literal; quotes around the words are taken off."""
    found = [term for term in terms(text) if term.known and term.value]
    rest, position = [], 0
    for term in found:
        rest.append(text[position : term.start])
        position = term.end
    rest.append(text[position:])
    words = " ".join(" ".join(rest).split())
    if len(words) > 1 and words[0] == words[-1] == '"':
        words = words[1:-1].strip()
    return Split(words, tuple(found))
