"""A mail gives its headers, its text, and what is attached, each under the subject."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from reverie.domain.title import title_of
from reverie.ingest.chunking import chunk
from reverie.ingest.extractors import Limits, NoText, TooLarge, Unreadable, extract, kind_of
from reverie.ingest.isolated import extract_isolated

SAMPLES = Path(__file__).parents[5] / "resources" / "samples"


def mail(text: str = "We meet on Friday.\n", subject: str = "Grüße vom Hafen") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Inés Duarte <ines@example.org>"
    message["To"] = "tomas@example.org"
    message["Date"] = "Thu, 12 Mar 2026 09:30:00 +0100"
    message["Subject"] = subject
    message["X-Spam-Score"] = "0.1"
    message.set_content(text)
    return message


def saved(folder: Path, message: EmailMessage, name: str = "a.eml") -> Path:
    (folder / name).write_bytes(message.as_bytes())
    return folder / name


def test_headers_and_text(tmp_path: Path) -> None:
    read = extract(saved(tmp_path, mail()))
    (part,) = read.parts
    assert read.metadata["subject"] == part.place.heading == "Grüße vom Hafen"
    assert part.text == (
        "- From Inés Duarte <ines@example.org>\n- To tomas@example.org\n- Sent Thu, 12 Mar 2026 09:30:00 +0100"
        "\n\nWe meet on Friday."
    )
    (piece,) = chunk(read.parts)
    assert title_of(piece.text, piece.place.heading) == "Grüße vom Hafen"


def test_the_plain_text_is_preferred_and_html_is_read_where_there_is_only_that(tmp_path: Path) -> None:
    message = mail()
    message.add_alternative("<p>We meet on <b>Friday</b>, in HTML.</p>", subtype="html")
    assert "in HTML" not in extract(saved(tmp_path, message)).parts[0].text
    message = mail()
    message.set_content("<html><script>track()</script><p>Only <b>HTML</b> here.</p></html>", subtype="html")
    text = extract(saved(tmp_path, message)).parts[0].text
    assert text.endswith("Only HTML here.")


def test_attachments_are_read_by_their_own_kind(tmp_path: Path) -> None:
    message = mail()
    pdf = (SAMPLES / "insurance-summary.pdf").read_bytes()
    message.add_attachment(pdf, maintype="application", subtype="octet-stream", filename="policy.pdf")
    message.add_attachment("name,age\nAda,36\nBob,7\n", subtype="csv", filename="people.csv")
    message.add_attachment(
        b"\x89PNG\r\n\x1a\n" + bytes(99), maintype="image", subtype="png", filename="logo.png"
    )
    message.add_attachment(mail("The inner text.", subject="Before"))
    read = extract_isolated(saved(tmp_path, message))
    assert read.metadata["attachments"][:3] == ["policy.pdf", "people.csv", "logo.png"]
    assert read.note == "Not read: logo.png."
    by_heading = {part.place.heading: part for part in read.parts}
    assert by_heading["Grüße vom Hafen > people.csv"].text == "name: Bob; age: 7"
    assert any(
        part.place.heading.startswith("Grüße vom Hafen > policy.pdf") and part.place.page
        for part in read.parts
    )
    assert by_heading["Grüße vom Hafen > Before"].text.endswith("The inner text.")


def test_a_mail_that_is_nothing_but_a_file(tmp_path: Path) -> None:
    message = mail()
    pdf = (SAMPLES / "insurance-summary.pdf").read_bytes()
    message.set_content(pdf, maintype="application", subtype="pdf", filename="scan.pdf")
    assert any(part.place.page for part in extract(saved(tmp_path, message)).parts)


@pytest.mark.parametrize("charset", ["iso-2022-jp", "shift_jis", "utf-8"])
def test_encodings_of_mail(tmp_path: Path, charset: str) -> None:
    message = mail()
    message.set_content("来週の木曜日に会いましょう。", charset=charset)
    assert extract(saved(tmp_path, message)).parts[0].text.endswith("来週の木曜日に会いましょう。")


def test_an_encoding_that_does_not_exist_loses_nothing(tmp_path: Path) -> None:
    for charset in (b"no-such", b"hex", b"idna"):
        (tmp_path / "a.eml").write_bytes(
            b"From: a@b.c\nSubject: S\nContent-Type: text/plain; charset="
            + charset
            + b"\n\nGr\xf6\xdfe bleibt."
        )
        assert extract(tmp_path / "a.eml").parts[0].text.endswith("Größe bleibt.")


def test_mails_inside_each_other_end_somewhere(tmp_path: Path) -> None:
    message = mail("level 0")
    for level in range(1, 30):
        outer = mail(f"level {level}")
        outer.add_attachment(message)
        message = outer
    read = extract(saved(tmp_path, message))
    assert "level 29" in read.parts[0].text
    assert read.note.startswith("Not read")


def test_a_mail_under_another_name(tmp_path: Path) -> None:
    path = tmp_path / "saved.txt"
    path.write_bytes(b"Return-Path: <a@b.c>\r\n" + mail().as_bytes())
    assert kind_of(path) == "mail"


@pytest.mark.parametrize(
    "data",
    [
        b'Subject: =?utf-8?b?!!!?=\nFrom: <<<@@@>>>, "\nDate: yesterday\nContent-Type: multipart/mixed; boundary\n\nwords',
        b"Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n!!w\n--b",
        b"Subject: x\nContent-Disposition: attachment; filename*=utf-8''%ff%zz\nContent-Type: a/b/c;;;\n\nwords",
    ],
)
def test_malformed_mail_is_read_as_far_as_it_goes(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.eml").write_bytes(data)
    assert extract(tmp_path / "a.eml").parts


def test_what_is_no_mail_empty_or_too_large(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(b"\n\nonly some words")
    with pytest.raises(Unreadable, match="no mail"):
        extract(tmp_path / "a.eml")
    (tmp_path / "a.eml").write_bytes(b"Subject: 123\n\n")
    with pytest.raises(NoText):
        extract(tmp_path / "a.eml")
    message = mail("word " * 500)
    with pytest.raises(TooLarge):
        extract(saved(tmp_path, message), Limits(text_bytes=1000))
    message = mail("short")
    message.add_attachment("word " * 500, filename="a.txt")
    with pytest.raises(TooLarge):
        extract(saved(tmp_path, message), Limits(text_bytes=1000))
    assert (
        "short" in extract(saved(tmp_path, message), Limits(text_bytes=1000, first_part=True)).parts[0].text
    )
