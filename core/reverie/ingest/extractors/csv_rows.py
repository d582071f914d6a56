"""CSV: each row becomes "column: value" pairs, so that a row is understood without the table around it."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from reverie.domain.memory import Place
from reverie.domain.text import collapse, has_words, listed
from reverie.i18n import _, ngettext
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part, Unit
from reverie.ingest.extractors.files import Text, join_notes, read_text
from reverie.ingest.extractors.text import from_text

_DELIMITERS = ",;\t|"
_SAMPLE = 60  # rows looked at to find delimiter and header
_NUMBER = re.compile(r"[-+(]?[.,'\s]*+\d[\d.,'\s]*+[%€$£)]?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T][\d:.+Z-]+)?")
_MOST_LINES_IN_CELL = 20  # more than that is a quotation mark that was never closed
_LONGEST_CELL = 60  # characters, on average
_NAMED_ROWS = 5
_LONGEST_NAME = 300  # characters of a column's name: each row repeats it
csv.field_size_limit(2**31 - 1)  # the limit on the file is enough: Python's own of 128 KB would lose rows

Row = list[str]


def extract(path: Path, limits: Limits) -> Extracted:
    return from_csv(read_text(path, limits))


def from_csv(read: Text) -> Extracted:
    """The rows of a table, each with its number (a spreadsheet's: the header is a row too).

    What stands above the header is kept as text. Rows with more or fewer cells than the header are taken
    as they are and named in the note. A file that is no table is read as plain text. Raises NoText.
    """
    delimiter = _delimiter(read.text)
    if delimiter is None:
        return from_text(read.text, join_notes(read.note, _("No table was found; read as text")))
    rows, problem = _rows(read.text, delimiter)
    header_at = _header_index(rows)
    header, first = _header(rows, header_at)
    parts = _preamble(rows[:header_at])
    ragged = []
    for number, row in enumerate(rows[first:], first + 1):
        text = _row_text(header, row)
        if text:
            parts.append(Part(text, Place(row=number, row_end=number), Unit.ROW))
            if len(row) != len(header):
                ragged.append(number)
    if not any(part.unit is Unit.ROW for part in parts):
        raise NoText(_("The table has no rows"))
    return Extracted(tuple(parts), {"columns": header}, join_notes(read.note, problem, _ragged_note(ragged)))


def _delimiter(text: str) -> str | None:
    """The one that cuts the most rows into the same number of cells; None where none makes a table."""
    scores = {delimiter: _score(text, delimiter) for delimiter in _DELIMITERS}
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] > 0 else None


def _score(text: str, delimiter: str) -> float:
    """How much the text looks like a table with this delimiter; 0: not at all."""
    sample = _sample(text)
    return max(
        _likeness(_read(sample, delimiter, quoting)) for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE)
    )


def _likeness(read: Iterator[Row]) -> float:
    """Prose has commas too: a different number in each line, long cells, and a full stop in the first line."""
    rows = [row for row in read if any(row)]
    cells = [cell for row in rows for cell in row]
    widths = Counter(len(row) for row in rows if len(row) > 1)
    if (
        not widths
        or sum(map(len, cells)) > _LONGEST_CELL * len(cells)
        or rows[0][-1].endswith((".", "!", "?"))
    ):
        return 0.0
    cut = widths.total() / len(rows)
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
    alike = count / len(rows)
    return cut + alike + 0.01 * min(width, 10) if cut > 0.5 and (alike >= 0.5 or cut > 0.9) else 0.0


def _sample(text: str) -> str:
    end = 0
    for _line in range(_SAMPLE):
        end = text.find("\n", end) + 1
        if end == 0:
            return text[: 4096 * _SAMPLE]
    return text[:end]


def _read(text: str, delimiter: str, quoting: int) -> Iterator[Row]:
    lines = io.StringIO(text, newline="")
    for row in csv.reader(lines, delimiter=delimiter, quoting=quoting, skipinitialspace=True):  # type: ignore[arg-type]
        yield [collapse(cell) for cell in row]


def _rows(text: str, delimiter: str) -> tuple[list[Row], str]:
    rows: list[Row] = []
    odd = text.count('"') % 2 == 1
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True):
            lines = max((cell.count("\n") for cell in row), default=0)
            if lines > _MOST_LINES_IN_CELL or (odd and lines):
                raise csv.Error
            rows.append([collapse(cell) for cell in row])
    except csv.Error:
        problem = _("A quotation mark near row {row} is never closed; quotation marks were taken as letters")
        return list(_read(text, delimiter, csv.QUOTE_NONE)), problem.format(row=len(rows) + 1)
    return rows, ""


def _header_index(rows: Sequence[Row]) -> int:
    """The first row that is as wide as most rows: banks put an account and a date above it."""
    widths = Counter(_width(row) for row in rows[:_SAMPLE] if _width(row) > 1)
    if not widths:
        return 0
    usual = max(widths.items(), key=lambda item: (item[1], item[0]))[0]
    return next((index for index, row in enumerate(rows) if _width(row) >= usual and len(row) > 1), 0)


def _width(row: Row) -> int:
    """Cells up to the last one that is filled."""
    return next((index for index in range(len(row), 0, -1) if row[index - 1]), 0)


def _header(rows: Sequence[Row], at: int) -> tuple[list[str], int]:
    """(column names, index of the first row of data). Columns are numbered where no header stands."""
    row = rows[at]
    numbered = [_("Column {number}").format(number=number) for number in range(1, len(row) + 1)]
    data = any(len(cell) > _LONGEST_NAME or _NUMBER.fullmatch(cell) for cell in row)
    if data or not any(has_words(cell) for cell in row):
        return numbered, at
    return [cell or number for cell, number in zip(row, numbered, strict=True)], at + 1


def _preamble(rows: Sequence[Row]) -> list[Part]:
    lines = [": ".join(filter(None, row)) for row in rows]
    text = "\n".join(filter(has_words, lines))
    return [Part(text, Place(row=1, row_end=len(rows)))] if text else []


def _row_text(header: Sequence[str], row: Row) -> str:
    if not any(has_words(cell) for cell in row):
        return ""
    names = [*header, *(_("Column {number}").format(number=n) for n in range(len(header) + 1, len(row) + 1))]
    return "; ".join(f"{name}: {cell}" for name, cell in zip(names, row, strict=False) if cell)


def _ragged_note(ragged: Sequence[int]) -> str:
    if not ragged:
        return ""
    note = ngettext(
        "{count} row has more or fewer cells than the header (row {rows})",
        "{count} rows have more or fewer cells than the header (rows {rows})",
        len(ragged),
    )
    return note.format(count=len(ragged), rows=listed(ragged, _NAMED_ROWS))


EXTRACTOR = Extractor("csv", (".csv", ".tsv"), extract)
