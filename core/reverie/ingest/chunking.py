"""Cuts what an extractor gave into pieces of about 200 words, where a reader would put the scissors.

Prose is cut between sections, else paragraphs, else sentences, else words; fenced code and table heads
stay whole. Rows, records and turns are grouped. Each piece begins with the path of headings above it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reverie.domain.memory import Place
from reverie.domain.text import sentence_spans, word_border, word_count
from reverie.domain.title import HEADING_PATH
from reverie.ingest.extractors.base import Part, Unit

SHORTEST = 10  # characters of a piece that is worth a memory
_LETTERS_PER_WORD = 12  # longer ones count as several: a long address is one word by the rules
_NO_WORDS = (
    20  # letters a word, on average, over which a text was not written to be read: base64, a data dump
)
_LETTERS_OF_NOISE = 48  # of these that count as a word: it is kept, in few and large pieces
_WHOLE_FENCE = 4  # times the wanted size up to which code is not cut
_OVERFULL = 1.3  # times the wanted size to which a piece may grow to take in a small rest
_TOKEN = re.compile(r"\S+")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")

# The size of a group, as a share of the wanted words. A table row has many short words, and its numbers
# take many tokens of the 256 that the embedder reads. A record of this size stands alone.
_GROUP = {Unit.ROW: 0.5, Unit.RECORD: 0.25, Unit.TURN: 1.0}


def chunk(parts: Part | Sequence[Part], words: int = 200) -> list[Part]:
    """The pieces of one part, or of all parts of a file (then small neighbours are joined too).

    words: the size wanted; each character counts in scripts without spaces. Nothing is cut inside a word.
    Pieces under 10 characters, and those without a letter (rules, numbers of a torn table), are left out.
    Time is linear in the length of the text.
    """
    given = [parts] if isinstance(parts, Part) else list(parts)
    words = max(1, words)
    pieces: list[Part] = []
    for unit, run in _runs(given):
        if unit is Unit.TEXT:
            for section in _sections(run, words):
                pieces.extend(_cut_section(section, words))
        else:
            pieces.extend(_groups(run, max(1, round(words * _GROUP[unit])), words))
    return pieces


def is_debris(text: str) -> bool:
    """Whether a text is too short to be a memory, or has no letter at all."""
    return len(text.strip()) < SHORTEST or not any(char.isalpha() for char in text)


def size_of(text: str) -> int:
    """How much a text counts, in words."""
    count = word_count(text)
    noise = len(text) > _NO_WORDS * count
    return max(count, len(text) // (_LETTERS_OF_NOISE if noise else _LETTERS_PER_WORD))


def _runs(parts: Sequence[Part]) -> Iterator[tuple[Unit, list[Part]]]:
    run: list[Part] = []
    for part in parts:
        if run and run[0].unit is not part.unit:
            yield run[0].unit, run
            run = []
        run.append(part)
    if run:
        yield run[0].unit, run


def _with_heading(text: str, place: Place, unit: Unit) -> Iterator[Part]:
    text = text.strip()
    if not is_debris(text):
        yield Part(f"{place.heading}\n\n{text}" if place.heading else text, place, unit)


# Prose


@dataclass(slots=True)
class _Section:
    """Text under one heading, or under several small ones with a heading in common."""

    path: tuple[str, ...]
    text: str
    place: Place
    size: int


def _sections(parts: Sequence[Part], words: int) -> Iterator[_Section]:
    """Sections; one of under a sixth of the words is joined to its neighbour if they are near in the tree."""
    current: _Section | None = None
    for part in parts:
        path = tuple(filter(None, part.place.heading.split(HEADING_PATH)))
        # At least 1: sections without a word would be joined without end, each time with a copy of all before.
        section = _Section(path, part.text, part.place, max(1, size_of(part.text)))
        joined = _joined(current, section, words) if current else None
        if current is not None and joined is None:
            yield current
        current = joined or section
    if current is not None:
        yield current


def _joined(above: _Section, below: _Section, words: int) -> _Section | None:
    common = _common(above.path, below.path)
    size = above.size + below.size
    small = min(above.size, below.size) * 6 < words or above.path == below.path  # it went on over a page
    related = len(common) >= min(len(above.path), len(below.path)) - 1
    if not small or not related or size > words:
        return None
    text = "\n\n".join(
        [_under(above.text, above.path[len(common) :]), _under(below.text, below.path[len(common) :])]
    )
    place = replace(_spanning(above.place, below.place), heading=HEADING_PATH.join(common))
    return _Section(common, text, place, size)


def _spanning(first: Place, last: Place) -> Place:
    """From the beginning of one to the end of the other, in rows and in seconds."""
    return replace(first, row_end=last.row_end or first.row_end, end=last.end or first.end)


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    return one[:same]


def _under(text: str, path: tuple[str, ...]) -> str:
    return f"{HEADING_PATH.join(path)}\n{text}" if path else text


@dataclass(slots=True)
class _Piece:
    """A slice of a text. ``paragraph`` is the size of the paragraph that begins with it, else 0."""

    start: int
    end: int
    size: int
    paragraph: int = 0


def _cut_section(section: _Section, words: int) -> Iterator[Part]:
    for text in cut_text(section.text, words):
        yield from _with_heading(text, section.place, Unit.TEXT)


def cut_text(text: str, words: int) -> list[str]:
    """Prose in slices of about ``words`` words; together they hold all of it but whitespace."""
    slices: list[_Piece] = []
    current: _Piece | None = None
    for piece in _pieces(text, words):
        if current is None:
            current = piece
        elif _is_full(current, piece, words):
            slices.append(current)
            current = piece
        else:
            current = _Piece(current.start, piece.end, current.size + piece.size)
    if current is not None:
        rest = slices[-1] if slices else None
        if rest and current.size * 5 < words and rest.size + current.size <= _OVERFULL * words:
            slices[-1] = _Piece(rest.start, current.end, rest.size + current.size)
        else:
            slices.append(current)
    return [text[piece.start : piece.end] for piece in slices]


def _is_full(current: _Piece, piece: _Piece, words: int) -> bool:
    if current.size + piece.size > words:
        return True
    # A paragraph that does not fit is begun on a new piece, unless much of this one would stay empty.
    return current.size + piece.paragraph > words and current.size * 2 >= words


def _pieces(text: str, words: int) -> Iterator[_Piece]:
    """Paragraphs, and the sentences or words of those that are too long."""
    for start, end, fenced in _paragraphs(text):
        block = text[start:end]
        size = size_of(block)
        if size <= words or (fenced and size <= _WHOLE_FENCE * words):
            yield _Piece(start, end, size, size)
        elif fenced:
            yield from _cut_lines(text, start, end, words)
        else:
            yield from _cut_paragraph(text, start, end, words)


def _paragraphs(text: str) -> Iterator[tuple[int, int, bool]]:
    """(start, end, fenced) of each paragraph and each fenced block."""
    fence = ""
    start: int | None = None
    offset = 0
    for line in text.splitlines(keepends=True):
        end = offset + len(line)
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                yield start or 0, end, True
                fence, start = "", None
        elif mark:
            if start is not None:
                yield start, offset, False
            fence, start = mark[1], offset
        elif not line.strip():
            if start is not None:
                yield start, offset, False
            start = None
        elif start is None:
            start = offset
        offset = end
    if start is not None:
        yield start, offset, bool(fence)


def _cut_lines(text: str, start: int, end: int, words: int) -> Iterator[_Piece]:
    for line in text[start:end].splitlines(keepends=True):
        stop = start + len(line)
        size = size_of(line)
        if size <= words:
            yield _Piece(start, stop, size)
        else:
            yield from _cut_words(text, start, stop, words)
        start = stop


def _cut_paragraph(text: str, start: int, end: int, words: int) -> Iterator[_Piece]:
    block = text[start:end]
    whole = size_of(block)
    for first, last in sentence_spans(block):
        size = size_of(block[first:last])
        if size <= words:
            yield _Piece(start + first, start + last, size, whole)
        else:
            yield from _cut_words(text, start + first, start + last, words)
        whole = 0


def _cut_words(text: str, start: int, end: int, words: int) -> Iterator[_Piece]:
    """A sentence that is too long, in slices that end between words; a word that is too long in slices of it."""
    current: _Piece | None = None
    for token in _TOKEN.finditer(text, start, end):
        size = size_of(token[0])
        if current is not None and current.size + size <= words:
            current = _Piece(current.start, token.end(), current.size + size)
            continue
        if current is not None:
            yield current
        current = None
        if size <= words:
            current = _Piece(token.start(), token.end(), size)
        else:
            yield from _cut_word(text, token.start(), token.end(), words)
    if current is not None:
        yield current


def _cut_word(text: str, start: int, end: int, words: int) -> Iterator[_Piece]:
    sample = text[start : min(end, start + 400)]
    found = word_count(sample)
    most = words * _LETTERS_PER_WORD
    if found > 100:  # no spaces between words
        most = words
    elif len(sample) > _NO_WORDS * found:
        most = words * _LETTERS_OF_NOISE
    while start < end:
        stop = min(end, word_border(text, start, most))
        yield _Piece(start, stop, words if stop < end else size_of(text[start:stop]))
        start = stop


# Rows, records, turns


def _groups(parts: Sequence[Part], group: int, words: int) -> Iterator[Part]:
    """Neighbours of the same page and heading, up to a size; a small rest goes with those before it."""
    runs: list[list[Part]] = []
    sizes: list[int] = []
    for part in parts:
        own = size_of(part.text)
        fits = runs and _same_place(runs[-1][-1], part) and sizes[-1] + own <= group
        if fits:
            runs[-1].append(part)
            sizes[-1] += own
        else:
            runs.append([part])
            sizes.append(own)
    for index in range(len(runs) - 1, 0, -1):
        rest = sizes[index] * 4 < group and sizes[index - 1] <= group
        if rest and _same_place(runs[index - 1][-1], runs[index][0]) and _is_last(runs, index):
            runs[index - 1] += runs.pop(index)
    for run in runs:
        if len(run) == 1 and size_of(run[0].text) > _OVERFULL * words:
            yield from _cut_unit(run[0], words)
        else:
            yield from _group(run)


def _is_last(runs: Sequence[Sequence[Part]], index: int) -> bool:
    return index + 1 == len(runs) or not _same_place(runs[index][0], runs[index + 1][0])


def _same_place(one: Part, other: Part) -> bool:
    return (one.place.page, one.place.heading) == (other.place.page, other.place.heading)


def _group(parts: Sequence[Part]) -> Iterator[Part]:
    if parts:
        place = _spanning(parts[0].place, parts[-1].place)
        yield from _with_heading("\n\n".join(part.text for part in parts), place, parts[0].unit)


def _cut_unit(part: Part, words: int) -> Iterator[Part]:
    for text in cut_text(part.text, words):
        yield from _with_heading(text, part.place, part.unit)
