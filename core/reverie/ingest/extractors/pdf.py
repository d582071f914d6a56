"""PDF: the text layer, page by page, as it was written: no running heads, paragraphs whole, words mended."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from reverie.domain.memory import Place
from reverie.domain.text import clean, collapse, fold, has_words, listed
from reverie.domain.title import HEADING_PATH
from reverie.i18n import _, ngettext
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part, Unreadable
from reverie.ingest.extractors.files import join_notes, opened, require_size, size_text

_EDGE = 3  # lines at the top and bottom of a page that may be running heads
_PASSWORD = 4  # FPDF_ERR_PASSWORD
_PAGE_NUMBER = re.compile(
    r"(?:page|seite|p\.?|s\.?|[-–—|•])?\s*\d{1,4}\s*(?:(?:/|of|von|de)\s*\d{1,4})?\s*[-–—|•]?", re.IGNORECASE
)
_HYPHENS = "\u00ad\ufffe\x02"  # how a hyphen at a line end may come out of the text layer
_BULLET = re.compile(r"[•▪◦‣●○■–—*-]\s+|\(?\d{1,2}[.)]\s+|\(?[a-z][.)]\s+")
_TERMINATED = re.compile(r"[.!?:;…。！？][\"'”’»)\]]*$")
_LONGEST_HEADING = 120
_UNSAID = frozenset({"(unspecified)", "unspecified", "(anonymous)", "anonymous", "untitled"})
_HEADING_LEVELS = 3
_NAMED_PAGES = 10


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a page. ``size`` in points; ``top`` and ``bottom`` in points from the page's foot."""

    text: str
    size: float
    bold: bool
    left: float
    right: float
    top: float
    bottom: float


def extract(path: Path, limits: Limits) -> Extracted:
    """Raises Unreadable (encrypted, damaged), TooLarge, and NoText ("no text layer")."""
    with opened(path) as (_file, size):
        require_size(size, limits.file_bytes, limits)
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        raise _unreadable(error) from error
    try:
        return _extract(document, limits)
    except pdfium.PdfiumError as error:
        raise _unreadable(error) from error
    finally:
        document.close()


def _unreadable(error: Exception) -> Unreadable:
    if getattr(error, "err_code", None) == _PASSWORD:
        return Unreadable(
            _("The PDF is locked with a password"),
            hint=_("Save a copy without the password and add that one"),
        )
    return Unreadable(
        _("The PDF is damaged"),
        detail=clean(str(error)),
        hint=_("Try to open it in a PDF viewer and save it again"),
    )


def _extract(document: Any, limits: Limits) -> Extracted:
    pages, damaged, note = _read_pages(document, limits)
    texts = sum(len(line.text) for lines in pages for line in lines)
    unreadable = sum(_is_unmapped(char) for lines in pages for line in lines for char in line.text)
    if not any(has_words(line.text) for lines in pages for line in lines) or unreadable * 2 > texts:
        raise NoText(
            _("The PDF has no text layer"),
            detail=_("Its pages are pictures")
            if not texts
            else _("Its letters can't be told from its fonts"),
            hint=_("Run text recognition (OCR) on it and add the result"),
        )
    parts = tuple(parts_of(pages))
    empty = [number for number, lines in enumerate(pages, 1) if not lines and number not in damaged]
    notes = join_notes(
        note,
        _pages_note(ngettext("Page {pages} has no text", "Pages {pages} have no text", len(empty)), empty),
        _pages_note(ngettext("Page {pages} is damaged", "Pages {pages} are damaged", len(damaged)), damaged),
    )
    return Extracted(parts, {**_metadata(document), "pages": len(document)}, notes)


def _pages_note(form: str, numbers: Sequence[int]) -> str:
    return form.format(pages=listed(numbers, _NAMED_PAGES)) if numbers else ""


def _is_unmapped(char: str) -> bool:
    return char == "\ufffd" or "\ue000" <= char <= "\uf8ff"


def _metadata(document: Any) -> dict[str, str]:
    found = document.get_metadata_dict(skip_empty=True)
    said = {key.lower(): collapse(clean(found.get(key) or "")) for key in ("Title", "Author", "Subject")}
    return {key: value for key, value in said.items() if value and fold(value) not in _UNSAID}


# Reading


def _read_pages(document: Any, limits: Limits) -> tuple[list[list[Line]], list[int], str]:
    """(lines of each page, numbers of damaged pages, note)."""
    import pypdfium2 as pdfium

    pages: list[list[Line]] = []
    damaged: list[int] = []
    characters = 0
    for index in range(len(document)):
        try:
            lines = _read_page(document, index)
        except pdfium.PdfiumError:
            lines = []
            damaged.append(index + 1)
        pages.append(lines)
        characters += sum(len(line.text) for line in lines)
        if characters > limits.text_bytes and not limits.anyway:
            require_size(characters, limits.text_bytes, limits)
            note = _("Only the first {count} of {all} pages were read ({size} of text)")
            return pages, damaged, note.format(count=index + 1, all=len(document), size=size_text(characters))
    return pages, damaged, ""


def _read_page(document: Any, index: int) -> list[Line]:
    page = document[index]
    try:
        text_page = page.get_textpage()
        try:
            return list(_read_lines(text_page))
        finally:
            text_page.close()
    finally:
        page.close()


def _read_lines(text_page: Any) -> Iterator[Line]:
    start = 0
    for piece in _page_text(text_page).split("\n"):
        text = clean(piece).strip()
        if text:
            first = start + len(piece) - len(piece.lstrip())
            yield _line(text_page, text, first, start + len(piece.rstrip()) - 1)
        start += len(piece) + 1


def _page_text(text_page: Any) -> str:
    """The text with one character for each that PDFium counts, so that an index means the same in both."""
    import pypdfium2.raw as raw

    codes = (raw.FPDFText_GetUnicode(text_page, index) for index in range(text_page.count_chars()))
    return "".join(" " if code in (0, 13) else chr(code) for code in codes)


def _line(text_page: Any, text: str, first: int, last: int) -> Line:
    import pypdfium2.raw as raw

    left, bottom, _right, top = text_page.get_charbox(first, loose=True)
    right = text_page.get_charbox(last, loose=True)[2]
    size = raw.FPDFText_GetFontSize(text_page, first)
    bold = raw.FPDFText_GetFontWeight(text_page, first) >= 600 or "bold" in _font_name(text_page, first)
    # The size that the page is drawn at may lie in the matrix; the box tells it then.
    return Line(text, round(size if size > 1 else top - bottom, 1), bold, left, right, top, bottom)


def _font_name(text_page: Any, index: int) -> str:
    import ctypes

    import pypdfium2.raw as raw

    buffer = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()
    raw.FPDFText_GetFontInfo(text_page, index, buffer, len(buffer), flags)
    return buffer.value.decode("utf-8", "replace").lower()


# Putting together


def parts_of(pages: Sequence[Sequence[Line]]) -> Iterator[Part]:
    """Sections of text with page and heading path. A paragraph that runs on belongs to the page it began on."""
    kept = _without_running_lines(pages)
    body_size = _body_size(kept)
    levels = _heading_levels(kept, body_size)
    vocabulary = _hyphenated_words(kept)
    path: list[str] = []
    paragraphs: list[str] = []
    started = 1
    for number, lines in enumerate(kept, 1):
        blocks = list(_blocks(lines, levels))
        if blocks and paragraphs and _runs_on(paragraphs[-1], blocks[0]):
            paragraphs[-1] = _joined([paragraphs[-1], *(line.text for line in blocks[0].lines)], vocabulary)
            blocks = blocks[1:]
        yield from _section(paragraphs, path, started)
        paragraphs, started = [], number
        for block in blocks:
            text = _joined([line.text for line in block.lines], vocabulary)
            if block.level:
                yield from _section(paragraphs, path, started)
                paragraphs = []
                path[block.level - 1 :] = [""] * (block.level - 1 - len(path)) + [text]
            else:
                paragraphs.append(text)
    yield from _section(paragraphs, path, started)


def _section(paragraphs: list[str], path: list[str], page: int) -> Iterator[Part]:
    text = "\n\n".join(paragraphs)
    if has_words(text):
        yield Part(text, Place(page=page, heading=HEADING_PATH.join(filter(None, path))))


@dataclass(slots=True)
class _Block:
    lines: list[Line]
    level: int = 0  # of a heading; 0: a paragraph


def _blocks(lines: Sequence[Line], levels: dict[tuple[float, bool], int]) -> Iterator[_Block]:
    """Paragraphs and headings of one page."""
    block: _Block | None = None
    leading = _leading(lines)
    right = max((line.right for line in lines), default=0.0)
    for before, line in zip([None, *lines], lines, strict=False):
        level = _level(line, levels)
        if block is None or before is None or level != block.level or _parted(before, line, leading, right):
            if block is not None:
                yield block
            block = _Block([], level)
        block.lines.append(line)
    if block is not None:
        yield block


def _leading(lines: Sequence[Line]) -> float:
    """The usual distance from one line to the next, in points."""
    gaps = Counter(round(above.bottom - below.bottom, 0) for above, below in pairwise(lines))
    usual = [(count, -gap) for gap, count in gaps.items() if gap > 0]
    return -max(usual)[1] if usual else 0.0


def _parted(above: Line, below: Line, leading: float, right: float) -> bool:
    """Whether a new paragraph begins with the line below."""
    gap = above.bottom - below.bottom
    if leading and (gap > 1.35 * leading or gap < -leading):  # a blank line, or a new column
        return True
    if _BULLET.match(below.text):
        return True
    ended_early = above.right < right - 0.2 * max(1.0, right - above.left)
    return ended_early and bool(_TERMINATED.search(above.text))


def _level(line: Line, levels: dict[tuple[float, bool], int]) -> int:
    fits = len(line.text) <= _LONGEST_HEADING and any(char.isalpha() for char in line.text)
    return levels.get((line.size, line.bold), 0) if fits else 0


def _body_size(pages: Sequence[Sequence[Line]]) -> float:
    sizes: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _heading_levels(pages: Sequence[Sequence[Line]], body: float) -> dict[tuple[float, bool], int]:
    """Level (1 is the largest) of each (size, bold) that is larger than the body, or bold and as large."""
    styles: Counter[tuple[float, bool]] = Counter()
    total = 0
    for lines in pages:
        for line in lines:
            total += len(line.text)
            if line.size > 1.12 * body or (line.bold and line.size >= 0.98 * body):
                styles[(line.size, line.bold)] += len(line.text)
    # Where much of the text is bold or large, that is no heading.
    found = sorted((style for style, count in styles.items() if count * 4 < total), reverse=True)
    return {style: min(level, _HEADING_LEVELS) for level, style in enumerate(found, 1)}


def _runs_on(paragraph: str, block: _Block) -> bool:
    first = block.lines[0].text
    return not block.level and not _TERMINATED.search(paragraph) and first[:1].islower()


# A line of a page's edge: its place counted from the top (0, 1, 2) or the foot (-1, -2, -3), and its pattern.
_Edge = tuple[int, str]


def _without_running_lines(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Page numbers go, and so do lines that stand at the same place of a page's edge on a third of the pages.

    On three pages at least, or on both of two.
    """
    counts: Counter[_Edge] = Counter()
    for lines in pages:
        counts.update(edge for edges in _edges(lines).values() for edge in edges)
    filled = sum(1 for lines in pages if lines)
    often = max(3 if filled > 2 else 2, (filled + 2) // 3)
    return [list(_page_body(lines, counts, often)) for lines in pages]


def _page_body(lines: Sequence[Line], counts: Counter[_Edge], often: int) -> Iterator[Line]:
    edges = _edges(lines)
    for index, line in enumerate(lines):
        own = edges.get(index, [])
        running = any(counts[edge] >= often for edge in own)
        number = len(lines) > 1 and own and _is_page_number(line.text, own, counts)
        if not (running or number):
            yield line


def _is_page_number(text: str, edges: Sequence[_Edge], counts: Counter[_Edge]) -> bool:
    """A bare number counts only where other pages have one: "1999" may be the end of a sentence."""
    if _PAGE_NUMBER.fullmatch(text) is None:
        return False
    return not text.isdigit() or any(counts[edge] > 1 and edge[0] in (0, -1) for edge in edges)


def _edges(lines: Sequence[Line]) -> dict[int, list[_Edge]]:
    """By index of the line. In a short page a line may be near both edges."""
    found: dict[int, list[_Edge]] = {}
    for place in (*range(_EDGE), *range(-_EDGE, 0)):
        index = place if place >= 0 else len(lines) + place
        if 0 <= index < len(lines):
            found.setdefault(index, []).append((place, _pattern(lines[index].text)))
    return found


def _pattern(text: str) -> str:
    return re.sub(r"\d+", "#", fold(collapse(text)))


def _hyphenated_words(pages: Sequence[Sequence[Line]]) -> frozenset[str]:
    """Words that the document writes with a hyphen inside a line, folded."""
    return frozenset(
        word for lines in pages for line in lines for word in re.findall(r"\w+-\w+", fold(line.text))
    )


def _joined(lines: Sequence[str], hyphenated: frozenset[str]) -> str:
    """One paragraph of its lines. A word torn at a line end is mended, unless it is written with a hyphen."""
    pieces: list[str] = []
    for line in lines:
        if not pieces:
            pieces.append(line)
            continue
        stem, hyphen = pieces[-1][:-1], pieces[-1][-1]
        torn = (hyphen in "-‐" or hyphen in _HYPHENS) and stem[-1:].isalpha() and line[:1].islower()
        if torn:
            before = re.split(r"\W", stem)[-1]
            after = re.split(r"\W", line)[0]
            written = fold(f"{before}-{after}") in hyphenated
            pieces[-1] = f"{stem}-" if written else stem
        elif not (hyphen == "-" and stem[-1:].isalnum()):
            pieces.append(" ")
        pieces.append(line)
    return re.sub(f"[{_HYPHENS}]", "", "".join(pieces))


EXTRACTOR = Extractor("pdf", (".pdf",), extract, magic=(b"%PDF-",), isolated=True, told_by_content=True)
