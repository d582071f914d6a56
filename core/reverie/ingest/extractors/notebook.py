"""Notebooks (.ipynb): prose under its headings, code cells with the text that they printed."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reverie.domain.memory import Place
from reverie.domain.text import clean, has_words, shorten
from reverie.domain.title import HEADING_PATH
from reverie.i18n import _
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part, Unreadable
from reverie.ingest.extractors.files import read_text
from reverie.ingest.extractors.markdown import from_markdown

_LONGEST_OUTPUT = 1500  # characters kept of what one cell printed


def extract(path: Path, limits: Limits) -> Extracted:
    """Raises Unreadable, TooLarge and NoText. A cell's number is its row. A notebook can't be read in part."""
    read = read_text(path, replace(limits, first_part=False))
    return from_notebook(read.text, read.note)


def from_notebook(text: str, note: str = "") -> Extracted:
    """The cells of a notebook of format 3 or 4. Raises Unreadable with line and column, and NoText."""
    try:
        book = json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(
            _("Malformed JSON at line {line}, column {column}").format(line=error.lineno, column=error.colno),
            hint=_("Open the notebook and save it again, then retry"),
        ) from error
    except (RecursionError, ValueError) as error:
        raise Unreadable(_("This is no notebook")) from error
    cells = list(_cells(book))
    language = _language(book)
    parts = list(_parts(cells, language))
    if not any(has_words(part.text) for part in parts):
        raise NoText(_("The notebook has no cells with words"))
    return Extracted(tuple(parts), {"language": language} if language else {}, note)


def _cells(book: Any) -> Iterator[Mapping[str, Any]]:
    if not isinstance(book, dict):
        raise Unreadable(_("This is no notebook"))
    sheets = book.get("worksheets")  # format 3
    for holder in (book, *(sheets if isinstance(sheets, list) else ())):
        cells = holder.get("cells") if isinstance(holder, dict) else None
        yield from (cell for cell in (cells if isinstance(cells, list) else ()) if isinstance(cell, dict))


def _language(book: Mapping[str, Any]) -> str:
    metadata = book.get("metadata")
    for key in ("kernelspec", "language_info"):
        about = metadata.get(key) if isinstance(metadata, dict) else None
        name = about.get("language", about.get("name")) if isinstance(about, dict) else None
        if isinstance(name, str) and name.replace("+", "").isalnum():
            return name.lower()[:20]
    return ""


def _parts(cells: list[Mapping[str, Any]], language: str) -> Iterator[Part]:
    heading = ""
    for number, cell in enumerate(cells, 1):
        source = _text(cell.get("source", cell.get("input")))
        if cell.get("cell_type") == "markdown":
            for part in _prose(source, heading):
                heading = part.place.heading or heading
                yield replace(part, place=replace(part.place, row=number, row_end=number))
            heading = _last_heading(source, heading)
        elif source.strip():
            fence = "````" if "```" in source else "```"
            name = language if cell.get("cell_type") == "code" else ""
            blocks = [f"{fence}{name}\n{source.strip()}\n{fence}", *_outputs(cell.get("outputs"))]
            yield Part("\n\n".join(blocks), Place(row=number, row_end=number, heading=heading))


def _prose(source: str, heading: str) -> tuple[Part, ...]:
    """The sections of a cell; one that begins without a heading goes on under the last one."""
    try:
        parts = from_markdown(source).parts
    except NoText:
        return ()
    return tuple(
        part if part.place.heading else replace(part, place=replace(part.place, heading=heading))
        for part in parts
    )


def _last_heading(source: str, heading: str) -> str:
    """The path that cells after this one stand under."""
    lines = [line for line in source.split("\n") if line.startswith("#")]
    if not lines:
        return heading
    title = lines[-1].lstrip("#").strip()
    above = heading.split(HEADING_PATH)
    return HEADING_PATH.join(above[: above.index(title) + 1]) if title in above else title or heading


def _outputs(outputs: Any) -> Iterator[str]:
    """Text that was printed or shown; pictures, HTML and escape codes of terminals are left out."""
    printed = []
    for output in outputs if isinstance(outputs, list) else ():
        if isinstance(output, dict):
            data = output.get("data")
            shown = data.get("text/plain") if isinstance(data, dict) else None
            printed.append(_text(output.get("text")) or _text(shown) or _text(output.get("evalue")))
    text = "\n".join(filter(None, (piece.strip("\n") for piece in printed)))
    if has_words(text) or any(char.isdigit() for char in text):
        fence = "````" if "```" in text else "```"
        yield f"{_('Output:')}\n{fence}\n{shorten(text, _LONGEST_OUTPUT) if len(text) > _LONGEST_OUTPUT else text}\n{fence}"


def _text(value: Any) -> str:
    if isinstance(value, list):
        value = "".join(line for line in value if isinstance(line, str))
    return clean(value) if isinstance(value, str) else ""


EXTRACTOR = Extractor("notebook", (".ipynb",), extract)
