"""Word documents (.docx): headings, lists and tables, by way of HTML."""

from pathlib import Path
from typing import Any

from reverie.domain.text import clean, collapse
from reverie.i18n import _
from reverie.ingest.extractors.archive import damaged, opened_archive, read_member
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Unreadable
from reverie.ingest.extractors.files import join_notes, require_size, size_text
from reverie.ingest.extractors.html import from_html
from reverie.ingest.extractors.markup import local_name, parse_xml

_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => h2:fresh
comment-reference => sup
"""
_ABOUT = {"title": "title", "creator": "author", "subject": "subject", "description": "description"}
_CORE = "docProps/core.xml"
_READ_AS_XML = (".xml", ".rels")


def extract(path: Path, limits: Limits) -> Extracted:
    """Raises Unreadable (damaged, locked), TooLarge and NoText."""
    with opened_archive(path, limits) as archive:
        for name in archive.namelist():
            if name.endswith(_READ_AS_XML):
                parse_xml(read_member(archive, name))  # refuses entities, which mammoth would expand
        about = _about(read_member(archive, _CORE)) if _CORE in archive.namelist() else {}
    text = _to_html(path)
    note = ""
    if len(text) > limits.text_bytes and not limits.anyway:
        require_size(len(text), limits.text_bytes, limits)
        note = _("Only the first {limit} of its text were read").format(limit=size_text(limits.text_bytes))
        text = text[: limits.text_bytes]
    try:
        read = from_html(text)
    except NoText as error:
        raise NoText(
            _("The document holds no words"), hint=_("If its pages are pictures, save it as PDF and run OCR")
        ) from error
    return Extracted(read.parts, about, join_notes(note))


def _to_html(path: Path) -> str:
    import mammoth

    try:
        with path.open("rb") as file:
            converted = mammoth.convert_to_html(
                file, style_map=_STYLES, convert_image=mammoth.images.img_element(_no_image)
            )
    except (KeyError, ValueError, AttributeError, IndexError, TypeError, OSError) as error:
        raise damaged() from error
    return str(converted.value)


def _no_image(_image: Any) -> dict[str, str]:
    """A picture is not taken in; its description stays (mammoth adds it as alt)."""
    return {"src": ""}


def _about(data: bytes) -> dict[str, str]:
    try:
        root = parse_xml(data)
    except Unreadable:
        return {}
    said = {_ABOUT.get(local_name(element), ""): collapse(clean(element.text or "")) for element in root}
    return {key: value for key, value in said.items() if key and value}


EXTRACTOR = Extractor(
    "word", (".docx", ".docm"), extract, members=("word/document.xml",), isolated=True, told_by_content=True
)
