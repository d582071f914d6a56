"""Every bad file ends with a clear word, and a wrong name does not matter."""

import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.errors import UserError
from reverie.ingest.extractors import (
    EXTRACTORS,
    SUFFIXES,
    Limits,
    NoText,
    TooLarge,
    Unreadable,
    extract,
    kind_of,
)
from reverie.ingest.extractors.base import MEGABYTE

SAMPLES = Path(__file__).parents[5] / "resources" / "samples"
DATA = Path(__file__).parents[4] / "data"
MANUAL = SAMPLES / "aurelia-r7-manual.pdf"


def written(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def refusal(path: Path, kind: type[UserError], limits: Limits | None = None) -> UserError:
    with pytest.raises(kind) as raised:
        extract(path, limits)
    error = raised.value
    assert error.title
    str(error).encode()  # can be shown and stored
    return error


def test_every_kind_of_the_first_issue_is_registered() -> None:
    assert set(EXTRACTORS) >= {"text", "markdown", "json", "csv", "pdf"}
    assert {suffix: SUFFIXES[suffix] for suffix in (".txt", ".md", ".json", ".csv", ".pdf")} == {
        ".txt": "text",
        ".md": "markdown",
        ".json": "json",
        ".csv": "csv",
        ".pdf": "pdf",
    }


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.json", "a.csv", "a.pdf", "a"])
def test_an_empty_file(tmp_path: Path, name: str) -> None:
    error = refusal(written(tmp_path, name, b""), Unreadable)
    assert error.title == "The file is empty"
    assert error.retryable  # it may still be on its way


@pytest.mark.parametrize(
    ("name", "data"), [("a.txt", " \n\t\n"), ("a.md", "---\ntitle: x\n---\n"), ("a.txt", "*** --- ***")]
)
def test_a_file_without_words(tmp_path: Path, name: str, data: str) -> None:
    assert refusal(written(tmp_path, name, data), NoText).title == "The file holds no words"


def test_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "notes.md"
    folder.mkdir()
    assert "is a folder" in refusal(folder, Unreadable).title


def test_a_link_that_leads_to_itself(tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.symlink_to(other)
    other.symlink_to(one)
    assert "leads back to itself" in refusal(one, Unreadable).title


def test_a_link_to_nothing_and_a_file_that_is_gone(tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to(tmp_path / "gone.txt")
    assert refusal(link, Unreadable).retryable
    assert "is not there" in refusal(tmp_path / "gone.txt", Unreadable).title


@pytest.fixture
def nobody() -> Iterator[None]:
    """Runs as a user without rights, where the tests run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_no_permission(tmp_path: Path, nobody: None) -> None:
    os.seteuid(os.getuid())
    path = written(tmp_path, "secret.txt", "Nobody may read this.")
    path.chmod(0)
    if os.getuid() == 0:
        os.seteuid(65534)
    error = refusal(path, Unreadable)
    assert error.title == "No permission to read “secret.txt”"
    assert error.retryable


def test_pipes_and_sockets_are_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert "no ordinary file" in refusal(tmp_path / "pipe.txt", Unreadable).title
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.txt")
        assert "no ordinary file" in refusal(tmp_path / "s.txt", Unreadable).title


def test_a_name_that_is_not_utf8_is_read_all_the_same(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt"))
    path.write_text("The name is odd, the text is not.", encoding="utf-8")
    assert extract(path).parts[0].text == "The name is odd, the text is not."
    path.unlink()
    path.mkdir()
    assert refusal(path, Unreadable).title == "“caf�.txt” is a folder"


def test_names_that_no_file_can_have(tmp_path: Path) -> None:
    refusal(tmp_path / "a\0b.txt", Unreadable)
    assert "too long" in refusal(tmp_path / ("x" * 300), Unreadable).title


def test_a_large_text_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.write(b"A line of text.\n" * 1000)
        file.truncate(300 * MEGABYTE)  # a sparse file: reading it would find no text
    start = time.perf_counter()
    error = refusal(path, TooLarge)
    assert time.perf_counter() - start < 0.5
    assert error.title == "The file has 300 MB; the limit is 10 MB"
    assert "first 10 MB" in error.hint
    assert not error.retryable


def test_the_first_part_ends_at_a_border_and_says_so(tmp_path: Path) -> None:
    line = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.\n"
    path = written(tmp_path, "large.txt", line * 1000)
    read = extract(path, Limits(text_bytes=10_000, first_part=True))
    text = read.parts[0].text
    assert len(text.encode()) <= 10_000
    assert set(text.split("\n")) == {line.strip()}
    assert read.note == "Only the first 10 KB of 67 KB were read."


@pytest.mark.parametrize("unit", ["ä", "設", "x😀", "a"])
def test_the_first_part_of_one_long_line_tears_no_character(tmp_path: Path, unit: str) -> None:
    path = written(tmp_path, "line.txt", unit * 5000)
    text = extract(path, Limits(text_bytes=4001, first_part=True)).parts[0].text
    assert set(text) == set(unit)
    assert 3990 < len(text.encode()) <= 4001


def test_a_person_can_have_it_all(tmp_path: Path) -> None:
    path = written(tmp_path, "large.txt", "word " * 5000)
    assert len(extract(path, Limits(text_bytes=1000, anyway=True)).parts[0].text) > 24_000


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"PK\x03\x04" + bytes(100), "ZIP"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "picture"),
        (b"\xd0\xcf\x11\xe0" + bytes(100), "old office file"),
        (b"SQLite format 3\0" + bytes(100), "database"),
    ],
)
@pytest.mark.parametrize("name", ["notes.txt", "notes.pdf", "notes.csv"])
def test_what_is_something_else_is_named(tmp_path: Path, data: bytes, what: str, name: str) -> None:
    assert what in refusal(written(tmp_path, name, data), Unreadable).title


@pytest.mark.parametrize("name", ["notes.txt", "notes.pdf", "notes.csv", "notes"])
@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"{\\rtf1\\ansi Hello there}", "rtf"),
        (b"<!DOCTYPE html><html><body>Hello there</body></html>", "html"),
        (b"\xef\xbb\xbf\n<HTML lang='en'><p>Hello there</HTML>", "html"),
        (b"<?xml version='1.0'?>\n<a>Hello there</a>", "xml"),
    ],
)
def test_what_has_another_name_is_read_as_what_it_is(
    tmp_path: Path, data: bytes, kind: str, name: str
) -> None:
    path = written(tmp_path, name, data)
    assert kind_of(path) == kind
    assert "Hello there" in extract(path).parts[0].text


@pytest.mark.parametrize(
    "suffix", [suffix for suffix in SUFFIXES if EXTRACTORS[SUFFIXES[suffix]].told_by_content]
)
def test_a_text_with_the_name_of_another_kind_is_read_as_text(tmp_path: Path, suffix: str) -> None:
    assert "only notes" in extract(written(tmp_path, f"a{suffix}", "These are only notes.")).parts[0].text


def test_the_readme_names_each_kind_of_file() -> None:
    readme = (SAMPLES.parents[1] / "README.md").read_text(encoding="utf-8")
    assert [kind for kind, each in EXTRACTORS.items() if f"`{each.suffixes[0]}`" not in readme] == []


def test_a_refusal_names_what_can_be_read(tmp_path: Path) -> None:
    hint = refusal(written(tmp_path, "a.png", b"SQLite format 3\0" + bytes(100)), Unreadable).hint
    for extractor in EXTRACTORS.values():
        assert extractor.suffixes[0] in hint


@pytest.mark.parametrize("name", ["junk.txt", "junk.md", "junk.json", "junk.csv", "junk"])
def test_binary_junk(tmp_path: Path, name: str) -> None:
    junk = bytes(range(256)) * 40
    assert refusal(written(tmp_path, name, junk), Unreadable).title == "This is no text"


def test_a_pdf_called_text_is_read_as_a_pdf(tmp_path: Path) -> None:
    path = written(tmp_path, "manual.txt", MANUAL.read_bytes())
    assert kind_of(path) == "pdf"
    assert extract(path).metadata["pages"] >= 12


def test_a_text_called_pdf_is_read_as_text(tmp_path: Path) -> None:
    path = written(tmp_path, "notes.pdf", "These are only notes.")
    assert extract(path).parts[0].text == "These are only notes."


def test_a_text_that_speaks_of_pdf_stays_a_text(tmp_path: Path) -> None:
    assert kind_of(written(tmp_path, "notes.txt", "A PDF begins with %PDF-1.7 in its first line.")) == "text"


def test_json_called_text_is_read_as_json(tmp_path: Path) -> None:
    path = written(tmp_path, "dump.txt", '[{"name": "Ada"}, {"name": "Bob"}]')
    assert [part.text for part in extract(path).parts] == ["name: Ada", "name: Bob"]


def test_a_text_that_begins_with_a_bracket_stays_a_text(tmp_path: Path) -> None:
    path = written(tmp_path, "notes.txt", "[Monday] We met.\n{maybe} again")
    assert extract(path).parts[0].text.startswith("[Monday] We met.")


def test_an_unknown_ending_is_no_hindrance(tmp_path: Path) -> None:
    assert extract(written(tmp_path, "README", "Read me.")).parts[0].text == "Read me."


@pytest.mark.parametrize(
    ("data", "text", "note"),
    [
        (b"\xef\xbb\xbfWith a mark", "With a mark", ""),
        ("Größe".encode("utf-16"), "Größe", ""),
        (b"\xfe\xff" + "Größe".encode("utf-16-be"), "Größe", ""),
        ("A plain text without a mark".encode("utf-16-le"), "A plain text without a mark", ""),
        ("Größe".encode("utf-32"), "Größe", ""),
        (b"Gr\xf6\xdfe und so", "Größe und so", "Not UTF-8 at byte 2 (0xF6); read as Windows-1252."),
        (
            "Müller äöü ".encode() + b"\xaf end",
            "Müller äöü ¯ end",
            "Not UTF-8 at byte 15 (0xAF); read as Windows-1252.",
        ),
        (b"\x93quoted\x94", "“quoted”", "Not UTF-8 at byte 0 (0x93); read as Windows-1252."),
        (b"one\0 NUL in a long log file", "one� NUL in a long log file", ""),
        (b"cut \xef\xbb", "cut ï»", "Not UTF-8 at byte 4 (0xEF); read as Windows-1252."),
    ],
)
def test_encodings(tmp_path: Path, data: bytes, text: str, note: str) -> None:
    read = extract(written(tmp_path, "a.txt", data))
    assert read.parts[0].text == text
    assert read.note == note


CHINESE = "会议定于星期四上午在桂林举行，请带上设备清单。"
JAPANESE = "来週の木曜日に印刷所で打ち合わせをします。カメラも持って来てください。"


@pytest.mark.parametrize(
    ("text", "codec", "name"),
    [
        (CHINESE, "gb18030", "GB18030"),
        (CHINESE[:4], "gbk", "GB18030"),
        (f"Meeting: {CHINESE}", "gb2312", "GB18030"),
        (JAPANESE, "cp932", "Shift-JIS"),
        (f"Memo 7: {JAPANESE}", "shift_jis", "Shift-JIS"),
        ("Größe, Maß und Übergewicht in Äußerungen", "cp1252", "Windows-1252"),
        ("L’été à Besançon, où l’on goûte des œufs frais à côté du château", "cp1252", "Windows-1252"),
        ("“Señor Núñez” – ¿qué pasó?", "cp1252", "Windows-1252"),
    ],
)
def test_encodings_from_before_unicode_are_told_apart(
    tmp_path: Path, text: str, codec: str, name: str
) -> None:
    read = extract(written(tmp_path, "a.txt", text.encode(codec)))
    assert read.parts[0].text == text
    assert f"read as {name}" in read.note


def test_half_an_emoji_in_json_is_replaced(tmp_path: Path) -> None:
    path = written(tmp_path, "a.json", '[{"text": "half \\ud83d of it"}]')
    assert extract(path).parts[0].text == "text: half � of it"


@pytest.mark.parametrize(
    ("json", "place"),
    [
        ('{"a": 1,\n "b": }', "line 2, column 7"),
        ('[{"a": 1}, {"b": 2}', "line 1, column 20"),
        ("not json at all", "line 1, column 1"),
        ('{"a": 1} and prose', "line 1, column 10"),
    ],
)
def test_malformed_json_is_refused_with_its_place(tmp_path: Path, json: str, place: str) -> None:
    assert place in refusal(written(tmp_path, "a.json", json), Unreadable).title


def test_json_nested_too_deep_to_read(tmp_path: Path) -> None:
    refusal(written(tmp_path, "a.json", "[" * 100_000 + "]" * 100_000), Unreadable)


@pytest.mark.parametrize("json", ["[]", "{}", "null", '""', "[null, {}]"])
def test_json_with_nothing_in_it(tmp_path: Path, json: str) -> None:
    refusal(written(tmp_path, "a.json", json), NoText)


def test_a_locked_pdf_says_what_to_do() -> None:
    error = refusal(DATA / "locked.pdf", Unreadable)
    assert error.title == "The PDF is locked with a password"
    assert "without the password" in error.hint


def pdf(content: str = "") -> bytes:
    """A PDF of one page with what is drawn on it."""
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources "
        "<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
    ]
    body = "%PDF-1.4\n" + "".join(f"{n} 0 obj\n{text}\nendobj\n" for n, text in enumerate(objects, 1))
    return (body + "trailer\n<< /Root 1 0 R /Size 5 >>\n%%EOF\n").encode()


def test_a_pdf_without_a_text_layer(tmp_path: Path) -> None:
    path = written(tmp_path, "scan.pdf", pdf("0 0 100 100 re f"))
    error = refusal(path, NoText)
    assert error.title == "The PDF has no text layer"
    assert "OCR" in error.hint
    assert path.exists()


def test_a_small_pdf_with_text(tmp_path: Path) -> None:
    path = written(tmp_path, "small.pdf", pdf("BT /F 12 Tf 20 200 Td (Only one sentence here.) Tj ET"))
    assert extract(path).parts[0].text == "Only one sentence here."


@pytest.mark.parametrize("size", [8, 500, 9000])
def test_a_damaged_pdf(tmp_path: Path, size: int) -> None:
    path = written(tmp_path, "cut.pdf", MANUAL.read_bytes()[:size])
    with pytest.raises(UserError):
        extract(path)


def test_a_pdf_that_is_no_pdf(tmp_path: Path) -> None:
    assert "no PDF" in refusal(written(tmp_path, "a.pdf", bytes(range(256)) * 40), Unreadable).title


def test_a_pdf_with_too_much_text(tmp_path: Path) -> None:
    refusal(MANUAL, TooLarge, Limits(text_bytes=2000))
    part = extract(MANUAL, Limits(text_bytes=2000, first_part=True))
    assert part.note.startswith("Only the first 3 of 12 pages were read")
    refusal(MANUAL, TooLarge, Limits(file_bytes=100))
