"""Spreadsheets (.xlsx and the like): each row as "column: value" pairs, under the name of its sheet."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from reverie.domain.memory import Place
from reverie.domain.text import clean, collapse, has_words, shorten
from reverie.i18n import _
from reverie.ingest.extractors.archive import damaged, opened_archive
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part, Unit
from reverie.ingest.extractors.files import join_notes, require_size, size_text

_LONGEST_NAME = 300  # characters of a column's name: each row repeats it
_HEADER_WITHIN = 20  # rows in which the header is looked for

Row = Sequence[Any]


def extract(path: Path, limits: Limits) -> Extracted:
    """Raises Unreadable (damaged, locked), TooLarge and NoText. Formulas give the values that were last worked out."""
    import python_calamine as calamine

    with opened_archive(path, limits):
        pass
    parts: list[Part] = []
    size, note = 0, ""
    try:
        with calamine.load_workbook(path) as book:
            names = list(book.sheet_names)
            for name in names:
                for part in _parts(name, _rows(book.get_sheet_by_name(name))):
                    size += len(part.text)
                    if size > limits.text_bytes and not limits.anyway:
                        require_size(size, limits.text_bytes, limits)
                        note = _("Only the first {limit} of its text were read").format(
                            limit=size_text(limits.text_bytes)
                        )
                        break
                    parts.append(part)
                if note:
                    break
    except (calamine.CalamineError, OSError, ValueError) as error:
        raise damaged() from error
    if not any(has_words(part.text) for part in parts):
        raise NoText(_("The sheets hold no words"))
    return Extracted(tuple(parts), {"sheets": [clean(name) for name in names]}, join_notes(note))


def _rows(sheet: Any) -> Iterator[tuple[int, list[str]]]:
    """(number as the program shows it, cells as texts) of each row that holds something."""
    first = sheet.start[0] if sheet.start else 0
    for number, row in enumerate(sheet.iter_rows(), first + 1):
        cells = [_shown(cell) for cell in row]
        if any(cells):
            yield number, cells


def _parts(sheet: str, rows: Iterator[tuple[int, list[str]]]) -> Iterator[Part]:
    """What stands above the header is kept as text; the header is the first row that is as wide as those after it."""
    heading = collapse(clean(sheet))
    near = [row for row, _count in zip(rows, range(_HEADER_WITHIN), strict=False)]
    at = _header_index([cells for _number, cells in near])
    for number, cells in near[:at]:
        place = Place(row=number, row_end=number, heading=heading)
        yield Part(", ".join(filter(None, cells)), place, Unit.ROW)
    header = [shorten(collapse(cell), _LONGEST_NAME) for cell in near[at][1]] if at < len(near) else []
    for number, cells in (*near[at + 1 :], *rows) if at < len(near) else ():
        text = _row_text(header, cells)
        if text:
            yield Part(text, Place(row=number, row_end=number, heading=heading), Unit.ROW)
    if near and at == len(near) - 1:  # a header alone, or a sheet of one row
        number, cells = near[at]
        yield Part(
            ", ".join(filter(None, cells)), Place(row=number, row_end=number, heading=heading), Unit.ROW
        )


def _header_index(rows: Sequence[Sequence[str]]) -> int:
    """The first row with at least half of the cells that the fullest of the next ones has."""
    filled = [sum(map(bool, row)) for row in rows]
    return next((at for at, count in enumerate(filled) if count * 2 > max(filled)), len(rows))


def _row_text(header: Sequence[str], cells: Sequence[str]) -> str:
    named = [
        f"{header[at]}: {cell}" if at < len(header) and header[at] else cell
        for at, cell in enumerate(cells)
        if cell
    ]
    return "; ".join(named)


def _shown(cell: Any) -> str:
    if isinstance(cell, bool):
        return _("yes") if cell else _("no")
    if isinstance(cell, float):
        return str(int(cell)) if cell == int(cell) and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime):
        midnight = cell.time() == time()
        return cell.date().isoformat() if midnight else cell.isoformat(sep=" ", timespec="minutes")
    if isinstance(cell, (date, time, timedelta)):
        return str(cell)
    return clean(str(cell)).strip()


EXTRACTOR = Extractor(
    "sheets",
    (".xlsx", ".xlsm", ".xlsb"),
    extract,
    members=("xl/workbook.xml", "xl/workbook.bin"),
    isolated=True,
    told_by_content=True,
)
