"""Cuts text into terms: what is indexed, and what a query asks for.

A word is a term, folded (case, width, Latin diacritics). What stands together without a blank and is more
than one word (``self-healing``, ``20.04``, ``C++``, ``ada@example.org``, ``getUser``) gives its pieces and,
besides, the whole. Scripts without spaces (Chinese, Japanese, Thai ...) and Hangul give single and double characters,
doubles only of neighbours. Emoji are terms. No text raises.
"""

import re
import unicodedata
from collections.abc import Container, Iterator
from dataclasses import dataclass

from reverie.domain.text import fold

LONGEST = 80  # characters of a term: a SHA-256 in hex and a UUID fit

_CACHED = 200_000  # chunks whose terms are kept
_CACHED_LENGTH = 32

# Chunks end at blanks and at marks that join nothing.
_CHUNK = re.compile(r"""[^\s"“”„‘‚«»‹›()\[\]{}<>,;!?¡¿…—–|*`、。，；！？：（）「」『』【】《》〈〉・]+""")
_EDGES = "'’._-/:&=~^\\%"
_INNER = re.compile(r"[^\w'’]|_|[a-z][A-Z]|'(?!s\b)")

# Han, kana, bopomofo, Thai, Lao, Khmer, Myanmar, Tibetan: written without spaces. Hangul: particles stick to the word.
_DENSE = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
# Vowel signs, points and accents stand inside a word, though Unicode counts them as no letters.
_SIGNS = "".join(
    char
    for first, end in ((0x300, 0xE00), (0x1700, 0x1780), (0x1800, 0x1D00), (0xA800, 0xAC00))
    for char in map(chr, range(first, end))
    if unicodedata.category(char) in ("Mn", "Mc") and not re.match(rf"[{_DENSE}]", char)
)
_LETTERS = rf"[^\W_{_DENSE}](?:[^\W_{_DENSE}]|[{_SIGNS}])*"
# Hebrew and Arabic are written with these or without.
_POINTS = re.compile(
    "[\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06ed]+"
)
_PIECE = re.compile(
    rf"[{_DENSE}]+"
    rf"|{_LETTERS}(?:['’]{_LETTERS})*"
    r"|[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
)
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_IS_DENSE = re.compile(rf"[{_DENSE}]")


@dataclass(frozen=True, slots=True)
class Term:
    """A term and where it stands: ``text[start:end]`` of the text as it was given."""

    text: str
    start: int
    end: int


_BETWEEN = str.maketrans("-_/", "   ")

_known: dict[str, tuple[str, ...]] = {}


def terms(text: str) -> list[str]:
    """All terms of a text, in order, repeated ones too."""
    found: list[str] = []
    known = _known
    for chunk in _CHUNK.findall(text):
        found += known.get(chunk) or _cut(chunk)
    return found


def places(text: str, wanted: Container[str]) -> Iterator[Term]:
    """The terms of a text that are wanted, each with its place."""
    for match in _CHUNK.finditer(text):
        chunk = match[0]
        if any(term in wanted for term in _known.get(chunk) or _cut(chunk)):
            yield from (term for term in _of_chunk(chunk, match.start()) if term.text in wanted)


def _cut(chunk: str) -> tuple[str, ...]:
    cut = tuple(term.text for term in _of_chunk(chunk, 0))
    if len(chunk) <= _CACHED_LENGTH:
        if len(_known) >= _CACHED:
            _known.clear()
        _known[chunk] = cut
    return cut


def spaced(label: str) -> str:
    """A label's words apart: ``user-preferences/travel`` is no word of its own."""
    return label.translate(_BETWEEN)


def chunks(text: str) -> list[str]:
    """The parts of a text that stand together, as they are."""
    return _CHUNK.findall(text)


def wanted_terms(chunk: str) -> list[str]:
    """What a query asks for with one chunk: as ``terms``, but a run of a script without spaces asks for its doubles
    alone, so that characters that stand apart are no match."""
    return [term.text for term in _of_chunk(chunk, 0, is_asked=True)]


def is_dense(term: str) -> bool:
    return _IS_DENSE.match(term) is not None


def is_joined(term: str) -> bool:
    """Whether it is more than one word, written together."""
    return len(term) > 1 and _PIECE.fullmatch(term) is None


def _of_chunk(chunk: str, at: int, *, is_asked: bool = False) -> Iterator[Term]:
    wide = chunk if chunk.isascii() else unicodedata.normalize("NFKC", chunk)
    exact = wide == chunk or _is_aligned(chunk, wide)  # else the chunk as a whole is the place
    whole = (at, at + len(chunk))
    count = 0
    for match in _PIECE.finditer(wide):
        start, end = (at + match.start(), at + match.end()) if exact else whole
        if is_dense(match[0]):
            yield from _characters(match[0], start, exact, whole, is_asked=is_asked)
            count += 2
        else:
            count += 1
            yield Term(_word(match[0]), start, end)
            humps = _HUMP.split(match[0]) if not match[0].islower() and not match[0].isupper() else ()
            if len(humps) > 1:
                yield from _humps(humps, start, exact, whole)
    joined = wide.strip(_EDGES)
    if count and 1 < len(joined) <= LONGEST and _INNER.search(joined) and _is_more(joined, count):
        lead = wide.find(joined)
        yield Term(_folded(joined)[:LONGEST], *((at + lead, at + lead + len(joined)) if exact else whole))


def _is_aligned(chunk: str, wide: str) -> bool:
    """Whether each letter has stayed one letter, in its place."""
    alone = [unicodedata.normalize("NFKC", char) for char in chunk]
    return all(len(char) == 1 for char in alone) and "".join(alone) == wide


def _is_more(joined: str, pieces: int) -> bool:
    """Whether the whole says more than its only piece."""
    if pieces > 1:
        return _IS_DENSE.search(joined) is None
    only = _PIECE.search(joined)
    return only is not None and len(only[0]) < len(joined) and not is_dense(only[0])


def _word(piece: str) -> str:
    return _folded(piece).removesuffix("'s")[:LONGEST]


def _folded(piece: str) -> str:
    folded = fold(piece).replace("’", "'")
    return folded if folded.isascii() else _POINTS.sub("", folded)


def _humps(humps: list[str], start: int, exact: bool, whole: tuple[int, int]) -> Iterator[Term]:
    for hump in humps:
        yield Term(_folded(hump)[:LONGEST], *((start, start + len(hump)) if exact else whole))
        start += len(hump)


def _characters(
    run: str, start: int, exact: bool, whole: tuple[int, int], *, is_asked: bool
) -> Iterator[Term]:
    """Single characters, each with its marks, and each two neighbours; asked for: these alone, if there are any."""
    borders = [n for n, char in enumerate(run) if n == 0 or unicodedata.category(char) not in ("Mn", "Mc")]
    borders.append(len(run))
    widths = (2,) if is_asked and len(borders) > 2 else (1, 2)
    for n in range(len(borders) - 1):
        for width in widths:
            if n + width < len(borders):
                first, last = borders[n], borders[n + width]
                place = (start + first, start + last) if exact else whole
                yield Term(fold(run[first:last])[:LONGEST], *place)
