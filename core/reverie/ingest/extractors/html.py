"""HTML: the main text under its headings; no scripts, no hidden text, nothing is fetched."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from reverie.domain.memory import Place
from reverie.domain.text import clean, collapse, has_words
from reverie.domain.title import HEADING_PATH
from reverie.i18n import _
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part
from reverie.ingest.extractors.files import decode, join_notes, opened, require_size, size_text

_NEVER = frozenset(
    ("script", "style", "template", "noscript", "iframe", "object", "svg", "math", "canvas", "select", "textarea", "button")
)  # fmt: skip
_AROUND = frozenset(("nav", "footer", "aside", "menu", "dialog"))  # of a page, not of its text
_MAIN = frozenset(("main", "article"))
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_BLOCK = frozenset(
    ("address", "article", "blockquote", "body", "caption", "center", "dd", "details", "div", "dl", "dt", "fieldset",
     "figcaption", "figure", "form", "header", "hr", "html", "li", "main", "ol", "p", "section", "summary", "table",
     "tbody", "tfoot", "thead", "ul")
)  # fmt: skip
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LINKS = ("http://", "https://", "mailto:")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])", re.IGNORECASE)
_BREAK = "\v"  # stands for <br> until the line is done: a line end of the source is only a blank
_LONGEST_HEADING = 300  # characters
_LONGEST_LINK = 300
_DEEPEST_LIST = 6
_MAIN_SHARE = 0.3  # of the text that must stand inside <main> or <article> for the rest to be left out
_ABOUT = ("author", "description", "date")
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w-]{2,20})", re.IGNORECASE)
_SEVEN_BITS = "iso-2022-jp"  # its bytes are sound UTF-8 as well
_ENCODINGS = re.compile(  # "hex" and the like are encodings to Python as well
    r"windows-125\d|iso-8859-\d\d?|latin1|gb2312|gbk|gb18030|big5|shift[_-]jis|euc-(jp|kr)|iso-2022-jp|koi8-[ru]|macintosh",
    re.IGNORECASE,
)


def extract(path: Path, limits: Limits) -> Extracted:
    """Raises Unreadable, TooLarge and NoText."""
    with opened(path) as (file, size):
        require_size(size, limits.text_bytes, limits)
        cut = size > limits.text_bytes and limits.first_part
        data = file.read(limits.text_bytes if cut else -1)
    text, note = decode_html(data)
    if cut:
        part = _("Only the first {limit} of {size} were read")
        note = join_notes(part.format(limit=size_text(len(data)), size=size_text(size)), note)
    return from_html(text, note)


def decode_html(data: bytes) -> tuple[str, str]:
    """(text, note): as UTF-8 where it is that, else in the encoding that the page names, else as any text."""
    named = _CHARSET.search(data, 0, 4096)
    name = named[1].decode() if named else ""
    if name.lower() != _SEVEN_BITS:
        try:
            return data.decode("utf-8-sig"), ""
        except UnicodeDecodeError:
            pass
    if _ENCODINGS.fullmatch(name):
        # What calls itself Latin-1 is Windows-1252, as every browser reads it.
        latin = name.lower() in ("iso-8859-1", "latin1")
        return data.decode("cp1252" if latin else name, "replace"), ""
    return decode(data)


def from_html(text: str, note: str = "", above: Sequence[str] = ()) -> Extracted:
    """Sections of a page, each with the path of headings above it, which begins with ``above``.

    Lists, tables, code and links are written as Markdown. What stands around the main text (navigation,
    footers) is left out unless there is nothing else. metadata: title, author, description, date.
    Raises NoText.
    """
    reader = _Reader(above, _AROUND)
    reader.read(text)
    if not reader.has_text():
        around = _Reader(above, frozenset())
        around.read(text)
        reader = around
    if not reader.has_text():
        raise NoText(_("The page holds no words"), hint=_("It may build its text by scripts: save it as PDF"))
    return Extracted(tuple(reader.parts()), reader.about, note)


@dataclass(slots=True)
class _Section:
    path: tuple[str, ...]
    is_main: bool
    blocks: list[list[str]] = field(
        default_factory=list
    )  # each in lines: a string would be copied for each row

    def text(self) -> str:
        return "\n\n".join(map("\n".join, self.blocks))


def _size(texts: Sequence[tuple[_Section, str]]) -> int:
    return sum(len(text) for _section, text in texts)


class _Reader(HTMLParser):
    def __init__(self, above: Sequence[str], around: frozenset[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.about: dict[str, str] = {}
        self._around = around
        self._above = tuple(above)
        self._path: list[str] = []  # by level; "" where a level was left out
        self._sections = [_Section(self._above, is_main=False)]
        self._line: list[str] = []
        self._skipped, self._skip_depth = "", 0
        self._in_title = False
        self._in_main = 0
        self._lists: list[int] = []  # the next number of each open list; 0: it has bullets
        self._bullet = ""
        self._links: list[tuple[int, str]] = []  # where in the line each open link begins, and its address
        self._pre = 0
        self._tables = 0
        self._cells: list[str] | None = None  # of the row that is open
        self._in_cell = False
        self._rows = 0

    def read(self, text: str) -> None:
        self.feed(text)
        self.close()
        self._end_row()
        self._end_block()

    def has_text(self) -> bool:
        return any(
            has_words(line) for section in self._sections for block in section.blocks for line in block
        )

    def parts(self) -> list[Part]:
        found = [(section, section.text()) for section in self._sections if section.blocks]
        main = [(section, text) for section, text in found if section.is_main]
        if main and _size(main) >= _MAIN_SHARE * _size(found):
            found = main
        return [Part(text, Place(heading=HEADING_PATH.join(section.path))) for section, text in found]

    # Events

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "title":
            self._in_title = "title" not in self.about
        if tag == "meta":
            self._note_about(values)
        if self._skipped:
            self._skip_depth += tag == self._skipped
        elif tag not in _VOID and self._is_skipped(tag, values):
            self._skipped, self._skip_depth = tag, 1
        else:
            self._open(tag, values)

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        if self._skipped:
            self._skip_depth -= tag == self._skipped
            if not self._skip_depth:
                self._skipped = ""
            return
        self._close(tag)

    def handle_data(self, data: str) -> None:
        if self._in_title:
            title = collapse(clean(self.about.get("title", "") + data))
            if title:
                self.about["title"] = title
        elif not self._skipped:
            self._line.append(data)

    def _is_skipped(self, tag: str, values: dict[str, str]) -> bool:
        hidden = "hidden" in values or values.get("aria-hidden") == "true"
        return (
            tag in _NEVER
            or tag in self._around
            or (hidden and tag not in ("html", "body"))
            or bool(_HIDDEN.search(values.get("style", "")))
        )

    def _note_about(self, values: dict[str, str]) -> None:
        name = values.get("name", values.get("property", "")).lower().rpartition(":")[2]
        name = {"published_time": "date"}.get(name, name)
        if name in _ABOUT and values.get("content", "").strip():
            self.about.setdefault(name, collapse(clean(values["content"]))[:1000])

    # Building

    def _open(self, tag: str, values: dict[str, str]) -> None:
        if tag in _BLOCK or tag in _HEADINGS or tag == "pre":
            self._end_block()
        if tag in _MAIN or values.get("role") == "main":
            self._in_main += tag in _MAIN
            self._begin_section()
        elif tag == "a" and values.get("href", "").strip().lower().startswith(_LINKS):
            self._links.append((len(self._line), values["href"].strip()))
        elif tag == "br":
            self._line.append("\n" if self._pre else _BREAK)
        elif tag == "img" and has_words(values.get("alt", "")):
            self._line.append(f" {values['alt']} ")
        elif tag in ("ul", "ol"):
            self._lists.append(1 if tag == "ol" else 0)
        elif tag == "li":
            self._begin_item()
        elif tag == "pre":
            self._pre += 1
        else:
            self._open_in_table(tag)

    def _open_in_table(self, tag: str) -> None:
        if tag == "table":
            self._tables += 1
            self._rows = 0 if self._tables == 1 else self._rows
        elif tag == "tr" and self._tables == 1:
            self._end_row()
            self._cells = []
        elif tag in ("td", "th", "tr"):
            if self._tables == 1:
                self._end_cell()
                self._in_cell = True
            else:
                self._line.append(" ")  # a table inside a cell

    def _close(self, tag: str) -> None:
        if tag in _HEADINGS:
            self._begin_under(_HEADINGS[tag])
        elif tag == "a" and self._links:
            self._end_link()
        elif tag in ("td", "th") and self._tables == 1:
            self._end_cell()
        elif tag == "tr" and self._tables == 1:
            self._end_row()
        elif tag == "pre" and self._pre:
            self._end_block()
            self._pre -= 1
        elif tag in _BLOCK:
            self._end_block()
            self._close_block(tag)

    def _close_block(self, tag: str) -> None:
        if tag == "table" and self._tables:
            if self._tables == 1:
                self._end_row()
            self._tables -= 1
        elif tag in ("ul", "ol") and self._lists:
            self._lists.pop()
        elif tag in _MAIN and self._in_main:
            self._in_main -= 1
            self._begin_section()

    def _begin_section(self) -> None:
        path = (*self._above, *filter(None, self._path))
        self._sections.append(_Section(path, self._in_main > 0))

    def _begin_under(self, level: int) -> None:
        title = self._taken()
        if not title or len(title) > _LONGEST_HEADING or self._cells is not None:
            self._put(title)
            return
        self._path[level - 1 :] = [""] * (level - 1 - len(self._path)) + [title]
        self._begin_section()

    def _begin_item(self) -> None:
        depth = min(len(self._lists), _DEEPEST_LIST)
        number = self._lists[-1] if self._lists else 0
        if number:
            self._lists[-1] += 1
        self._bullet = "  " * max(0, depth - 1) + (f"{number}. " if number else "- ")

    def _end_link(self) -> None:
        start, address = self._links.pop()
        said = collapse("".join(self._line[start:]))
        if said and len(address) <= _LONGEST_LINK and said not in (address, address.removeprefix("mailto:")):
            address = address.replace(" ", "%20").replace(")", "%29")
            self._line[start:] = [" " if self._line[start:][0][:1].isspace() else "", f"[{said}]({address})"]

    def _taken(self) -> str:
        """The line that was begun, on one line."""
        text = collapse(clean("".join(self._line)))
        self._line, self._links = [], []
        return text

    def _end_block(self) -> None:
        if self._cells is not None and self._tables:
            self._line.append(" ")  # a paragraph inside a cell
            return
        if self._pre:
            text = clean("".join(self._line)).strip("\n")
            self._line, self._links = [], []
            fence = "````" if "```" in text else "```"
            self._put(f"{fence}\n{text}\n{fence}" if text.strip() else "")
            return
        lines = [collapse(line) for line in clean("".join(self._line)).split(_BREAK)]
        self._line, self._links = [], []
        self._put("\n".join(filter(None, lines)))

    def _put(self, text: str) -> None:
        if not text:
            return
        blocks = self._sections[-1].blocks
        bullet, self._bullet = self._bullet, ""
        if bullet and blocks and blocks[-1][0].lstrip().startswith(("- ", "1. ")):
            blocks[-1].append(bullet + text)
        else:
            blocks.append([bullet + text])

    def _end_cell(self) -> None:
        if self._cells is not None and self._in_cell:
            self._cells.append(self._taken().replace("|", "\\|"))
        self._in_cell = False

    def _end_row(self) -> None:
        if self._cells is None:
            return
        self._end_cell()
        cells, self._cells = self._cells, None
        while cells and not cells[-1]:
            cells.pop()
        if len(cells) < 2:
            self._put(cells[0] if cells else "")
            return
        row = f"| {' | '.join(cells)} |"
        self._rows += 1
        if self._rows == 1:
            self._put(f"{row}\n|{' --- |' * len(cells)}")
        else:
            self._sections[-1].blocks[-1].append(row)


EXTRACTOR = Extractor("html", (".html", ".htm", ".xhtml"), extract, roots=("html",), isolated=True)
