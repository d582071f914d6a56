"""XML becomes records; it can neither blow up nor reach outside itself."""

from pathlib import Path

import pytest

from reverie.ingest.extractors import Limits, NoText, TooLarge, extract, kind_of

ORDERS = """<?xml version="1.0" encoding="{encoding}"?>
<!-- from the till -->
<orders shop="Aurelia" xmlns="urn:till">
  <order id="17"><customer>Zoë Ångström</customer><item>Kaffee</item><item>Filter</item></order>
  <order id="18"><customer>Tomás</customer><item>Mühle</item></order>
</orders>"""


def write(folder: Path, data: bytes, name: str = "a.xml") -> Path:
    (folder / name).write_bytes(data)
    return folder / name


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
@pytest.mark.parametrize("name", ["orders.xml", "orders.txt", "orders"])
def test_repeated_elements_are_records_in_any_encoding_under_any_name(
    tmp_path: Path, encoding: str, name: str
) -> None:
    read = extract(write(tmp_path, ORDERS.format(encoding=encoding).encode(encoding), name))
    assert read.metadata == {"shop": "Aurelia"}
    assert [part.text for part in read.parts] == [
        "id: 17\n- customer: Zoë Ångström\n- item: Kaffee, Filter",
        "id: 18\n- customer: Tomás\n- item: Mühle",
    ]
    assert [part.place.row for part in read.parts] == [1, 2]


def test_prose_with_marks_in_it_stays_prose(tmp_path: Path) -> None:
    path = write(tmp_path, b"<note><p>The <b>Sylter</b> dike is closed.</p></note>")
    assert "The Sylter dike is closed." in extract(path).parts[0].text


def test_a_bomb_of_entities_is_not_expanded(tmp_path: Path) -> None:
    entities = '<!ENTITY a "ha">' + "".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True)
    )
    read = extract(write(tmp_path, f'<?xml version="1.0"?><!DOCTYPE x [{entities}]><x>&j;</x>'.encode()))
    assert sum(len(part.text) for part in read.parts) < 2000
    assert "entities of its own" in read.note


def test_no_other_file_is_read(tmp_path: Path) -> None:
    secret = write(tmp_path, b"the secret of the house", "secret.txt")
    read = extract(
        write(
            tmp_path,
            f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY s SYSTEM "{secret}">]><x>say &s;</x>'.encode(),
        )
    )
    assert "the secret of the house" not in "".join(part.text for part in read.parts)


def test_malformed_xml_is_read_as_text_with_the_place_of_the_fault(tmp_path: Path) -> None:
    read = extract(write(tmp_path, b'<?xml version="1.0"?>\n<a><b>half a sentence</a>'))
    assert "half a sentence" in read.parts[0].text
    assert read.note.startswith("Malformed XML at line 2, column")


def test_elements_nested_without_end(tmp_path: Path) -> None:
    read = extract(write(tmp_path, b"<a>" * 3000 + b"deep words" + b"</a>" * 3000))
    assert "deep words" in "".join(part.text for part in read.parts)


def test_xml_without_words_and_xml_that_is_too_large(tmp_path: Path) -> None:
    with pytest.raises(NoText):
        extract(write(tmp_path, b"<a><b/></a>"))
    large = write(tmp_path, ORDERS.format(encoding="utf-8").encode())
    with pytest.raises(TooLarge):
        extract(large, Limits(text_bytes=100))
    assert "first part" in extract(large, Limits(text_bytes=100, first_part=True)).note


def test_what_begins_with_a_bracket_is_not_yet_markup(tmp_path: Path) -> None:
    assert kind_of(write(tmp_path, b"<3 this is a love letter", "a.txt")) == "text"
    assert kind_of(write(tmp_path, b"<Ada> hello\n<Bob> hi", "chat.txt")) == "text"
