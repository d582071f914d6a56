"""The words of an index: each form once, with a number, found by form, stem, beginning or part."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reverie.search.documents import DATE
from reverie.search.languages import ENGLISH, stem

_MOST = 200  # forms that one beginning or part of a word may stand for
_LAST = "\U0010ffff"
_ROOT = 2  # characters by which later forms are found
_SHIFTED = {"die": "dying", "lie": "lying", "tie": "tying"}
_SHORT = 3  # characters of a stem that only a vowel ends differently: use, using


class Lexicon:
    """Numbers forms: first those of the ``base``, in its order (ascending), then new ones as they come.

    foreign: by language other than English, the numbers of forms that stand in its texts. Not thread-safe: the index
    that owns it holds a lock.
    """

    def __init__(self, base: Sequence[str] = (), foreign: Mapping[str, Iterable[int]] | None = None) -> None:
        self._base = base
        self._later: list[str] = []
        self._numbers: dict[str, int] = {}  # of those that came later, and of others once they were asked for
        self._roots: dict[str, list[int]] = {}  # those that came later, by their first characters
        self._families: dict[str, list[int]] = {}  # as they were asked for, until a text comes in
        self.foreign: dict[str, set[int]] = {name: set(numbers) for name, numbers in (foreign or {}).items()}

    def __len__(self) -> int:
        return len(self._base) + len(self._later)

    def form(self, number: int) -> str:
        known = len(self._base)
        return self._base[number] if number < known else self._later[number - known]

    def number(self, form: str) -> int | None:
        found = self._numbers.get(form)
        if found is not None:
            return found
        place = bisect_left(self._base, form)
        return place if place < len(self._base) and self._base[place] == form else None

    def numbers(self, terms: Sequence[str], language: str = ENGLISH) -> list[int]:
        """The number of each term; new ones are taken in."""
        self._families.clear()
        known = self._numbers
        found = [known.get(term, -1) for term in terms]
        if -1 in found:
            for n, number in enumerate(found):
                if number < 0:
                    found[n] = self._take(terms[n])
        if language != ENGLISH:
            self.foreign.setdefault(language, set()).update(found)
        return found

    def family(self, word: str) -> list[int]:
        """Forms that share the word's stem in a language that is spoken here; the word itself first."""
        if word not in self._families:
            self._families[word] = self._family(word)
        return list(self._families[word])

    def _family(self, word: str) -> list[int]:
        own = self.number(word)
        found = {} if own is None else {own: None}
        for language in (ENGLISH, *self.foreign):
            root = stem(word, language)
            spoken = self.foreign.get(language)
            for number in self._alike(root):
                if (spoken is None or number in spoken) and stem(self.form(number), language) == root:
                    found[number] = None
        return list(found)

    def _alike(self, root: str) -> Iterator[int]:
        """Among them all forms with that stem."""
        yield from self._between(_common(root))
        if root in _SHIFTED and (number := self.number(_SHIFTED[root])) is not None:
            yield number

    def beginning(self, start: str) -> list[int]:
        """Forms that begin so, the shortest first."""
        return self._shortest(self._between(start))

    def holding(self, part: str) -> list[int]:
        """Forms that hold this somewhere, the shortest first; no dates."""
        known = len(self._base)
        found = [number for number, form in enumerate(self._base) if part in form]
        found += [known + number for number, form in enumerate(self._later) if part in form]
        return self._shortest(number for number in found if not self.form(number).startswith(DATE))

    def _between(self, start: str) -> Iterator[int]:
        """Numbers of the forms that begin so."""
        yield from range(bisect_left(self._base, start), bisect_left(self._base, start + _LAST))
        known = len(self._base)
        later = self._roots.get(start[:_ROOT], ()) if len(start) >= _ROOT else range(known, len(self))
        yield from (number for number in later if self._later[number - known].startswith(start))

    def _shortest(self, numbers: Iterable[int]) -> list[int]:
        return sorted(numbers, key=lambda number: len(self.form(number)))[:_MOST]

    def _take(self, form: str) -> int:
        number = self.number(form)
        if number is None:
            number = self._numbers[form] = len(self)
            self._later.append(form)
            self._roots.setdefault(form[:_ROOT], []).append(number)
        else:
            self._numbers[form] = number
        return number


def _common(root: str) -> str:
    """How every word of a stem begins. The last letter of a stem may stand in none of them: hike, hiking; happi, happy;
    possibl, possibility; cheval, chevaux."""
    return root[:-1] if len(root) > _SHORT or (len(root) == _SHORT and root[-1] in "eiy") else root
