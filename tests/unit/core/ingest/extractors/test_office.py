"""Office files give their words with their place; a bad one is refused with a clear word."""

import struct
import zipfile
from datetime import date
from pathlib import Path

import pptx
import pytest
import xlsxwriter

from reverie import Vault
from reverie.domain.inbox import ItemState
from reverie.ingest.extractors import Limits, NoText, TooLarge, Unreadable, extract, kind_of
from reverie.ingest.extractors.base import Unit
from reverie.ingest.isolated import extract_isolated

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def paragraph(text: str, style: str = "", more: str = "") -> str:
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{more}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


LISTED = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
TABLE = "<w:tbl>" + "".join(
    "<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) + "</w:tr>"
    for row in (("Room", "Key"), ("Cellar", "blue"))
) + "</w:tbl>"  # fmt: skip
BODY = (
    paragraph("The house", "Heading1")
    + paragraph("We move in on Friday.")
    + paragraph("Keys", "Heading2")
    + paragraph("Front door", more=LISTED)
    + paragraph("Garden gate", more=LISTED)
    + TABLE
)


def word(folder: Path, body: str = BODY, document: str = "", name: str = "a.docx") -> Path:
    """A document as Word writes it, without what is not needed to read it."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{n}"><w:name w:val="heading {n}"/></w:style>'
        for n in (1, 2)
    )
    members = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{OFFICE}/styles" Target="styles.xml"/>'
        f'<Relationship Id="r2" Type="{OFFICE}/numbering" Target="numbering.xml"/></Relationships>',
        "word/styles.xml": f'<w:styles xmlns:w="{W}">{styles}</w:styles>',
        "word/numbering.xml": f'<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl>'
        '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>',
        "word/document.xml": document or f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>',
        "docProps/core.xml": '<p xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Moving plan</dc:title><dc:creator>Inés</dc:creator></p>',
    }
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, text in members.items():
            archive.writestr(member, text)
    return folder / name


def sheets(folder: Path, name: str = "a.xlsx") -> Path:
    book = xlsxwriter.Workbook(folder / name)
    first = book.add_worksheet("Costs 2026")
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    first.write(0, 0, "All prices in euros")
    for at, title in enumerate(("What", "Price", "Paid on", "Sure")):
        first.write(2, at, title)
    first.write_row(3, 0, ("Van", 240))
    first.write_datetime(3, 2, date(2026, 3, 20), day)
    first.write_boolean(3, 3, True)
    first.write_row(4, 0, ("Boxes", 31.5))
    book.add_worksheet("Empty")
    book.add_worksheet("People").write_row(0, 0, ("Only", "a header"))
    book.close()
    return folder / name


def slides(folder: Path, name: str = "a.pptx", body: str = "Sell more beans\nHire Tomás") -> Path:
    deck = pptx.Presentation()
    deck.core_properties.title = "Year plan"
    one = deck.slides.add_slide(deck.slide_layouts[1])
    one.shapes.title.text = "Goals"
    one.placeholders[1].text = body
    one.notes_slide.notes_text_frame.text = "Say thanks first."
    deck.slides.add_slide(deck.slide_layouts[6])
    three = deck.slides.add_slide(deck.slide_layouts[5])
    three.shapes.title.text = "Budget"
    table = three.shapes.add_table(2, 2, 0, 0, 100, 100).table
    for place, text in (((0, 0), "Item"), ((0, 1), "Cost"), ((1, 0), "Drum"), ((1, 1), "900")):
        table.cell(*place).text = text
    deck.save(folder / name)
    return folder / name


def test_a_word_document_has_headings_lists_and_tables(tmp_path: Path) -> None:
    read = extract(word(tmp_path))
    assert read.metadata == {"title": "Moving plan", "author": "Inés"}
    assert [(part.place.heading, part.text) for part in read.parts] == [
        ("The house", "We move in on Friday."),
        (
            "The house > Keys",
            "- Front door\n- Garden gate\n\n| Room | Key |\n| --- | --- |\n| Cellar | blue |",
        ),
    ]


def test_a_spreadsheet_has_rows_under_its_header_and_sheet(tmp_path: Path) -> None:
    read = extract(sheets(tmp_path))
    assert read.metadata == {"sheets": ["Costs 2026", "Empty", "People"]}
    assert [(part.place.heading, part.place.row, part.text) for part in read.parts] == [
        ("Costs 2026", 1, "All prices in euros"),
        ("Costs 2026", 4, "What: Van; Price: 240; Paid on: 2026-03-20; Sure: yes"),
        ("Costs 2026", 5, "What: Boxes; Price: 31.5"),
        ("People", 1, "Only, a header"),
    ]
    assert {part.unit for part in read.parts} == {Unit.ROW}


def test_a_presentation_has_a_part_for_each_slide_with_words(tmp_path: Path) -> None:
    read = extract(slides(tmp_path))
    assert read.metadata["title"] == "Year plan"
    assert read.metadata["slides"] == 3
    assert [(part.place.page, part.place.heading, part.text) for part in read.parts] == [
        (1, "Goals", "Sell more beans\nHire Tomás\n\nNotes: Say thanks first."),
        (3, "Budget", "| Item | Cost |\n| --- | --- |\n| Drum | 900 |"),
    ]


@pytest.mark.parametrize(("make", "kind"), [(word, "word"), (sheets, "sheets"), (slides, "slides")])
def test_an_office_file_is_known_by_what_it_holds_and_read_in_a_process_of_its_own(
    tmp_path: Path, make, kind: str
) -> None:
    path = make(tmp_path)
    other = path.rename(tmp_path / "minutes.txt")
    assert kind_of(other) == kind
    assert extract_isolated(other).parts


@pytest.mark.parametrize("make", [word, sheets, slides])
def test_limits_of_office_files(tmp_path: Path, make) -> None:
    path = make(tmp_path)
    with pytest.raises(TooLarge):
        extract(path, Limits(file_bytes=500))
    with pytest.raises(TooLarge):
        extract(path, Limits(text_bytes=20))
    assert extract(path, Limits(text_bytes=20, anyway=True)).parts


@pytest.mark.parametrize("make", [word, sheets, slides])
def test_what_unpacks_to_far_too_much_is_not_unpacked(tmp_path: Path, make) -> None:
    path = make(tmp_path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/zeros.xml", bytes(3_000_000))
    assert path.stat().st_size < 100_000
    for limits in (Limits(file_bytes=2_000_000), Limits(file_bytes=2_000_000, anyway=True)):
        with pytest.raises(TooLarge, match="Unpacked"):
            extract(path, limits)


@pytest.mark.parametrize("make", [word, sheets, slides])
@pytest.mark.parametrize("hurt", ["cut", "torn", "locked"])
def test_damaged_and_locked_office_files(tmp_path: Path, make, hurt: str) -> None:
    path = make(tmp_path)
    data = bytearray(path.read_bytes())
    if hurt == "cut":
        del data[len(data) // 2 :]
    elif hurt == "torn":
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():  # each compressed stream is overwritten
                start = member.header_offset + 30 + len(member.filename)
                data[start : start + member.compress_size] = b"\xff" * member.compress_size
    else:
        at = 0
        while (at := data.find(b"PK\x01\x02", at)) >= 0:
            data[at + 8 : at + 10] = struct.pack("<H", 1)
            at += 4
    path.write_bytes(data)
    with pytest.raises(Unreadable) as raised:
        extract_isolated(path)
    if hurt == "locked":
        assert "password" in raised.value.title


def test_a_bomb_of_entities_in_a_document_is_refused(tmp_path: Path) -> None:
    document = f'<!DOCTYPE w [<!ENTITY a "ha">]><w:document xmlns:w="{W}"><w:body>{paragraph("&a;")}</w:body></w:document>'
    with pytest.raises(Unreadable, match="entities"):
        extract(word(tmp_path, document=document))


def test_office_files_without_words(tmp_path: Path) -> None:
    with pytest.raises(NoText, match="document holds no words"):
        extract(word(tmp_path, body="<w:p/>"))
    book = xlsxwriter.Workbook(tmp_path / "a.xlsx")
    book.add_worksheet()
    book.close()
    with pytest.raises(NoText, match="sheets hold no words"):
        extract(tmp_path / "a.xlsx")
    pptx.Presentation().save(tmp_path / "a.pptx")
    with pytest.raises(NoText, match="slides hold no words"):
        extract(tmp_path / "a.pptx")


def test_a_slide_becomes_a_memory_that_knows_its_slide_and_is_found(tmp_path: Path) -> None:
    long = "Sell more of the green beans from Sidamo to the harbour cafés. " * 12
    path = slides(tmp_path, body=long)
    with Vault.open(tmp_path / "vault") as vault:
        (item,) = vault.ingest(path)
        assert item.state == ItemState.DONE
        found = vault.search("which beans do we sell to the harbour cafés", mode="keyword")[0].memory
        assert (found.provenance.source, found.provenance.place.page) == ("a.pptx", 1)
        assert found.provenance.place.heading == "Goals"


def test_any_other_archive_is_still_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.docx", "w") as archive:
        archive.writestr("readme.txt", "only an archive")
    with pytest.raises(Unreadable, match="ZIP archive"):
        extract(tmp_path / "a.docx")
