"""Notebooks and e-books keep their order and their headings."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from reverie.ingest.extractors import Limits, NoText, TooLarge, Unreadable, extract, kind_of
from reverie.ingest.extractors.notebook import from_notebook
from reverie.ingest.isolated import extract_isolated


def notebook(*cells: dict[str, Any]) -> str:
    about = {"kernelspec": {"language": "python", "name": "python3"}}
    return json.dumps({"cells": list(cells), "metadata": about, "nbformat": 4, "nbformat_minor": 5})


PROSE = {
    "cell_type": "markdown",
    "source": ["# Roasts\n", "\n", "We weigh each one.\n", "## Loss\n", "In grams."],
}
CODE = {
    "cell_type": "code",
    "source": "loss = 12.5\nprint(loss)",
    "outputs": [
        {"output_type": "stream", "text": ["12.5 grams\n"]},
        {"output_type": "display_data", "data": {"image/png": "iVBOR" * 1000, "text/plain": "<Figure>"}},
    ],
}


def test_cells_under_their_headings_with_what_they_printed(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_text(notebook(PROSE, CODE), encoding="utf-8")
    read = extract(tmp_path / "a.ipynb")
    assert read.metadata == {"language": "python"}
    assert [(part.place.row, part.place.heading, part.text) for part in read.parts] == [
        (1, "Roasts", "We weigh each one."),
        (1, "Roasts > Loss", "In grams."),
        (
            2,
            "Roasts > Loss",
            "```python\nloss = 12.5\nprint(loss)\n```\n\nOutput:\n```\n12.5 grams\n<Figure>\n```",
        ),
    ]


@pytest.mark.parametrize(
    "text", ["[]", "3", '{"cells": 4}', notebook(), notebook({"cell_type": "code", "source": ""})]
)
def test_what_is_no_notebook_or_an_empty_one(text: str) -> None:
    with pytest.raises((Unreadable, NoText)):
        from_notebook(text)


def test_a_notebook_that_is_damaged_tells_the_place() -> None:
    with pytest.raises(Unreadable, match="line 1, column"):
        from_notebook(notebook(CODE)[:-5])
    with pytest.raises(Unreadable):
        from_notebook("[" * 100_000)


def book(folder: Path, extra: dict[str, bytes | str] | None = None, name: str = "a.epub") -> Path:
    chapter = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>{}</body></html>'
    members: dict[str, bytes | str] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        "OPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        "<dc:title>The Dike</dc:title><dc:creator>Ada N.</dc:creator></metadata><manifest>"
        '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        '<item id="b" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="i" href="cover.png" media-type="image/png"/></manifest>'
        '<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>',
        "OPS/nav.xhtml": chapter.format("<p>Table of contents</p>"),
        "OPS/text/one.xhtml": chapter.format("<h1>Flood</h1><p>The water came at night.</p>"),
        "OPS/text/two b.xhtml": chapter.format("<h1>Ebb</h1><h2>Morning</h2><p>It went by noon.</p>"),
        **(extra or {}),
    }
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in members.items():
            archive.writestr(member, data)
    return folder / name


def test_chapters_in_reading_order(tmp_path: Path) -> None:
    path = book(tmp_path, name="a.txt")
    assert kind_of(path) == "book"
    read = extract_isolated(path)
    assert read.metadata == {"title": "The Dike", "author": "Ada N.", "chapters": 2}
    assert [(part.place.heading, part.text) for part in read.parts] == [
        ("Flood", "The water came at night."),
        ("Ebb > Morning", "It went by noon."),
    ]


def test_a_chapter_that_is_missing_or_empty_does_not_stop_the_others(tmp_path: Path) -> None:
    path = book(tmp_path)
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(tmp_path / "b.epub", "w") as other:
        for name in archive.namelist():
            if not name.endswith("one.xhtml"):
                other.writestr(name, archive.read(name))
    read = extract(tmp_path / "b.epub")
    assert [part.place.heading for part in read.parts] == ["Ebb > Morning"]
    assert "damaged" in read.note


def test_books_that_are_too_large_empty_protected_or_damaged(tmp_path: Path) -> None:
    path = book(tmp_path)
    with pytest.raises(TooLarge):
        extract(path, Limits(text_bytes=30))
    assert len(extract(path, Limits(text_bytes=30, first_part=True)).parts) == 1
    with pytest.raises(TooLarge, match="Unpacked"):
        extract(book(tmp_path, {"OPS/big.png": bytes(3_000_000)}), Limits(file_bytes=1_000_000))
    nothing = {"OPS/text/one.xhtml": "<html/>", "OPS/text/two b.xhtml": "<html/>"}
    with pytest.raises(NoText):
        extract(book(tmp_path, nothing))
    with pytest.raises(Unreadable, match="protected"):
        extract(book(tmp_path, {**nothing, "META-INF/encryption.xml": "<encryption/>"}))
    with pytest.raises(Unreadable):
        extract(book(tmp_path, {"META-INF/container.xml": "<container/>"}))
    with pytest.raises(Unreadable, match="entities"):
        extract(book(tmp_path, {"OPS/book.opf": '<!DOCTYPE p [<!ENTITY a "b">]><package>&a;</package>'}))
