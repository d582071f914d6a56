"""CSV: delimiter, header, ragged rows, and quotation marks that go wrong."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import UserError
from reverie.ingest.extractors.base import Extracted, Unit
from reverie.ingest.extractors.csv_rows import from_csv
from reverie.ingest.extractors.files import Text


def read(text: str) -> Extracted:
    return from_csv(Text(text))


def rows(text: str) -> list[tuple[int | None, str]]:
    return [(part.place.row, part.text) for part in read(text).parts if part.unit is Unit.ROW]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    text = "\n".join(delimiter.join(cells) for cells in (["name", "age"], ["Ada", "36"], ["Alan", "41"]))
    assert rows(text) == [(2, "name: Ada; age: 36"), (3, "name: Alan; age: 41")]


def test_decimal_commas_do_not_hide_a_semicolon() -> None:
    text = "Date;Payee;Amount\n01.01.2026;Volta, Energy;-82,40\n02.01.2026;Rent;-1.150,00\n"
    assert rows(text)[0] == (2, "Date: 01.01.2026; Payee: Volta, Energy; Amount: -82,40")


def test_ragged_rows_are_read_and_named() -> None:
    found = read("a,b,c\n1,2,x\n1,y\n1,2,z,4\n5,6,w\n")
    assert [part.text for part in found.parts] == [
        "a: 1; b: 2; c: x",
        "a: 1; b: y",
        "a: 1; b: 2; c: z; Column 4: 4",
        "a: 5; b: 6; c: w",
    ]
    assert found.note == "2 rows have more or fewer cells than the header (rows 3, 4)."


def test_lines_above_the_header_are_kept_as_text() -> None:
    found = read("Account;DE12\nOwner;Ada\n\nDate;Payee;Amount\n1.1.2026;Rent;5,00\n2.1.2026;Bread;1,00\n")
    assert found.parts[0].text == "Account: DE12\nOwner: Ada"
    assert found.parts[0].unit is Unit.TEXT
    assert found.parts[1].text == "Date: 1.1.2026; Payee: Rent; Amount: 5,00"
    assert found.parts[1].place.row == 5  # as a spreadsheet counts: blank lines too


def test_without_a_header_the_columns_are_numbered() -> None:
    assert rows("Ada,1815\nAlan,1912\n") == [
        (1, "Column 1: Ada; Column 2: 1815"),
        (2, "Column 1: Alan; Column 2: 1912"),
    ]


def test_quoted_cells_may_hold_delimiters_and_line_ends() -> None:
    assert rows('name,note\nAda,"one, two\nthree"\nBob,x\n')[0] == (2, "name: Ada; note: one, two three")


@pytest.mark.parametrize("count", [1, 50])
def test_a_quotation_mark_that_is_never_closed_swallows_nothing(count: int) -> None:
    found = read('name,note\nAda,"open\n' + "".join(f"person{n},x\n" for n in range(count)))
    assert len([part for part in found.parts if part.unit is Unit.ROW]) == count + 1
    assert "never closed" in found.note


def test_empty_cells_and_rows_leave_nothing_behind() -> None:
    assert rows("a,b,c\n,,\nx,,z\n,,\n") == [(3, "a: x; c: z")]


def test_prose_called_csv_is_read_as_text() -> None:
    found = read(
        "We met, talked, and ate.\nThen, much later than anybody had thought, we went home.\nIt was late.\n"
    )
    assert found.parts[0].unit is Unit.TEXT
    assert found.note == "No table was found; read as text."


@given(st.text(st.sampled_from(",;\t|\"\n ab1.'")))
def test_any_text_is_read_or_holds_nothing(text: str) -> None:
    try:
        found = read(text)
    except UserError:
        return
    assert all(part.text.strip() for part in found.parts)


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_cell_of_any_length_loses_no_row(quote: str) -> None:
    lines = [f"{n},row {n}" for n in range(80)]
    long = (
        f"{quote}{'word ' * 40_000}{quote},the long one"  # 200 KB: over what Python's reader takes by itself
    )
    found = rows("\n".join(["number,text", *lines, long, "99,the last one"]))
    assert len(found) == 82
    assert "the last one" in found[-1][1]


def test_a_long_cell_of_digits_takes_no_time() -> None:
    started = time.perf_counter()
    rows("a,b\n" + "1" * 100_000 + "x,hello\n" + "2,there\n" * 60)
    assert time.perf_counter() - started < 2
