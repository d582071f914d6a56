"""Every kind of file that Reverie reads. To add one: a module with an EXTRACTOR, and a line here."""

from pathlib import Path

from reverie.i18n import _
from reverie.ingest.extractors import (
    calendar,
    code,
    csv_rows,
    epub,
    html,
    json_records,
    mail,
    markdown,
    notebook,
    pdf,
    rtf,
    sheets,
    slides,
    subtitles,
    svg,
    text,
    word,
    xml_records,
)
from reverie.ingest.extractors.archive import member_names
from reverie.ingest.extractors.base import (
    Extracted,
    Extractor,
    Limits,
    NoText,
    Part,
    TooLarge,
    Unit,
    Unreadable,
)
from reverie.ingest.extractors.files import HEAD, decode, head, looks_binary
from reverie.ingest.extractors.markup import root_name

__all__ = [
    "EXTRACTORS",
    "SHOWN_SUFFIXES",
    "SUFFIXES",
    "Extracted",
    "Extractor",
    "Limits",
    "NoText",
    "Part",
    "TooLarge",
    "Unit",
    "Unreadable",
    "extract",
    "kind_of",
]

EXTRACTORS: dict[str, Extractor] = {
    extractor.kind: extractor
    for extractor in (
        text.EXTRACTOR,
        markdown.EXTRACTOR,
        json_records.EXTRACTOR,
        csv_rows.EXTRACTOR,
        pdf.EXTRACTOR,
        code.EXTRACTOR,
        xml_records.EXTRACTOR,
        html.EXTRACTOR,
        rtf.EXTRACTOR,
        word.EXTRACTOR,
        sheets.EXTRACTOR,
        slides.EXTRACTOR,
        mail.EXTRACTOR,
        calendar.EXTRACTOR,
        subtitles.EXTRACTOR,
        notebook.EXTRACTOR,
        epub.EXTRACTOR,
        svg.EXTRACTOR,
    )
}
SUFFIXES: dict[str, str] = {
    suffix: extractor.kind for extractor in EXTRACTORS.values() for suffix in extractor.suffixes
}

# The first suffix of each kind, as a person is told them.
SHOWN_SUFFIXES: tuple[str, ...] = tuple(extractor.suffixes[0] for extractor in EXTRACTORS.values())

# What can't be read yet, by the bytes it begins with.
_FOREIGN: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", _("a ZIP archive")),
    (b"PK\x05\x06", _("an empty ZIP archive")),
    (b"\xd0\xcf\x11\xe0", _("an old office file")),
    (b"\x89PNG", _("a picture")),
    (b"\xff\xd8\xff", _("a picture")),
    (b"GIF8", _("a picture")),
    (b"RIFF", _("a sound, a video or a picture")),
    (b"ID3", _("a sound")),
    (b"OggS", _("a sound")),
    (b"fLaC", _("a sound")),
    (b"\x1f\x8b", _("a compressed file")),
    (b"BZh", _("a compressed file")),
    (b"\xfd7zXZ", _("a compressed file")),
    (b"7z\xbc\xaf", _("a compressed file")),
    (b"\x7fELF", _("a program")),
    (b"MZ", _("a program")),
    (b"SQLite format 3\0", _("a database")),
)
_BLANK = b"\xef\xbb\xbf \t\r\n"
_KEPT_AS_CALLED = (code.EXTRACTOR.kind, markdown.EXTRACTOR.kind)  # kinds that may begin with markup


def extract(path: Path, limits: Limits | None = None) -> Extracted:
    """The text of a file, by what it holds rather than by what it is called.

    Raises Unreadable, TooLarge or NoText, each with a reason for a person. Blocks: for large files and
    the kinds that are ``isolated`` call ``reverie.ingest.isolated.extract_isolated``.
    """
    kind = kind_of(path)
    try:
        return EXTRACTORS[kind].extract(path, limits or Limits())
    except Unreadable:
        if kind != json_records.EXTRACTOR.kind or not _is_called_text(path):
            raise
    return text.EXTRACTOR.extract(path, limits or Limits())  # it only began like JSON


def kind_of(path: Path) -> str:
    """The kind (a key of EXTRACTORS): by the first bytes, then by the name. Raises Unreadable."""
    start = head(path)
    by_content = _by_content(path, start)
    if by_content:
        return by_content
    by_name = SUFFIXES.get(path.suffix.lower(), text.EXTRACTOR.kind)
    if by_name == pdf.EXTRACTOR.kind:
        return _called_pdf(start)
    _refuse_foreign(start)
    if EXTRACTORS[by_name].told_by_content:
        by_name = text.EXTRACTOR.kind  # only its name says so
    if by_name == text.EXTRACTOR.kind and _is_json(path, start):
        return json_records.EXTRACTOR.kind
    return by_name


def _by_content(path: Path, start: bytes) -> str:
    """The kind that the first bytes tell; "" where they tell none."""
    opening = start.lstrip(_BLANK)[:64].lower()
    for extractor in EXTRACTORS.values():
        if opening.startswith(tuple(mark.lower() for mark in extractor.magic)):
            return extractor.kind
    if start.startswith(b"PK\x03\x04"):
        names = member_names(path)
        return next((each.kind for each in EXTRACTORS.values() if names.intersection(each.members)), "")
    if SUFFIXES.get(path.suffix.lower()) in _KEPT_AS_CALLED:
        return ""
    root = root_name(start)
    return next((each.kind for each in EXTRACTORS.values() if root in each.roots), "")


def _is_called_text(path: Path) -> bool:
    return SUFFIXES.get(path.suffix.lower(), text.EXTRACTOR.kind) == text.EXTRACTOR.kind


def _called_pdf(start: bytes) -> str:
    """A file called .pdf that does not begin like one: junk before the mark, another kind, or damaged."""
    if any(mark in start[:1024] for mark in pdf.EXTRACTOR.magic):
        return pdf.EXTRACTOR.kind
    _refuse_foreign(start)
    if looks_binary(start):
        raise Unreadable(
            _("This is no PDF, or a damaged one"), hint=_("Try to open it in a PDF viewer and save it again")
        )
    return text.EXTRACTOR.kind


def _refuse_foreign(start: bytes) -> None:
    for magic, what in _FOREIGN:
        if start.startswith(magic) and (len(magic) > 3 or looks_binary(start)):
            raise Unreadable(
                _("This is {what}").format(what=what),
                hint=_("These can be read: {suffixes}").format(suffixes=" ".join(SHOWN_SUFFIXES)),
            )


def _is_json(path: Path, start: bytes) -> bool:
    """Whether a file that is called a text holds JSON; only a sound one counts, else it is text."""
    if not start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        return False
    if len(start) == HEAD:  # too long to try here: by what a JSON text begins with
        return json_records.begins_like_json(decode(start)[0])
    try:
        json_records.from_json(decode(start)[0])
    except (Unreadable, NoText):
        return False
    return True
