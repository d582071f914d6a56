"""What the search field's text means to a pane that lists a few thousand things of its own. No Qt.

The same grammar as everywhere: words, and ``key:value`` with ``-`` in front to exclude. Values of one key add up
(``is:failed is:waiting``), keys and words narrow one another.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from reverie_gui.widgets.query_words import plain_words, quoted, terms


@dataclass(frozen=True, slots=True)
class Narrowing:
    """``strange`` are terms that mean nothing in this pane, as they were written."""

    words: tuple[str, ...] = ()
    only: Mapping[str, frozenset[str]] = field(default_factory=dict)
    without: Mapping[str, frozenset[str]] = field(default_factory=dict)
    strange: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words or self.only or self.without)

    def has_words(self, text: str) -> bool:
        """Whether each word stands in the text, in any case."""
        if not self.words:
            return True
        lowered = text.casefold()
        return all(word in lowered for word in self.words)

    def allows(self, key: str, value: str) -> bool:
        """Whether a value of a key is wanted."""
        only = self.only.get(key)
        return (only is None or value in only) and value not in self.without.get(key, ())


def read_narrowing(query: str, known: Mapping[str, Collection[str]]) -> Narrowing:
    """``known`` are the values of each key that the pane understands. Never raises."""
    only: dict[str, set[str]] = {}
    without: dict[str, set[str]] = {}
    strange: list[str] = []
    for term in terms(query):
        key, value = term.key.casefold(), term.value.casefold()
        if value not in known.get(key, ()):
            strange.append(f"{term.key}:{quoted(term.value)}")
        else:
            (without if term.minus else only).setdefault(key, set()).add(value)
    return Narrowing(
        tuple(word.casefold() for word in plain_words(query)),
        {key: frozenset(values) for key, values in only.items()},
        {key: frozenset(values) for key, values in without.items()},
        tuple(strange),
    )
