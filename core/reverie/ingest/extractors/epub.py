"""E-books (.epub): the chapters in reading order, each under its title."""

import posixpath
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from reverie.domain.text import clean, collapse
from reverie.i18n import _
from reverie.ingest.extractors.archive import damaged, opened_archive, read_member
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part, Unreadable
from reverie.ingest.extractors.files import join_notes, require_size, size_text
from reverie.ingest.extractors.html import decode_html, from_html
from reverie.ingest.extractors.markup import local_name, parse_xml

_CONTAINER = "META-INF/container.xml"
_LOCKS = "META-INF/encryption.xml"
_PAGES = ("application/xhtml+xml", "text/html")
_ABOUT = {"title": "title", "creator": "author", "language": "language", "date": "date"}


def extract(path: Path, limits: Limits) -> Extracted:
    """Raises Unreadable (damaged, protected), TooLarge and NoText. metadata: title, author, language, date."""
    with opened_archive(path, limits) as archive:
        package = _package_path(archive)
        root = parse_xml(read_member(archive, package))
        about = _about(root)
        chapters = [
            posixpath.normpath(posixpath.join(posixpath.dirname(package), name)) for name in _spine(root)
        ]
        parts, note = _read(archive, chapters, limits)
        locked = _LOCKS in archive.namelist()
    if not parts:
        if locked:
            raise Unreadable(
                _("The book is protected against copying"), hint=_("Add a copy without the protection")
            )
        raise NoText(_("The book holds no words"))
    return Extracted(tuple(parts), {**about, "chapters": len(chapters)}, note)


def _package_path(archive: zipfile.ZipFile) -> str:
    for element in parse_xml(read_member(archive, _CONTAINER)).iter():
        if local_name(element) == "rootfile" and element.get("full-path"):
            return str(element.get("full-path"))
    raise damaged()


def _about(root: Any) -> dict[str, str]:
    about: dict[str, str] = {}
    for element in root.iter():
        key, said = _ABOUT.get(local_name(element)), collapse(clean(element.text or ""))
        if key and said:
            about.setdefault(key, said[:1000])
    return about


def _spine(root: Any) -> Iterator[str]:
    """The files of the chapters, as the package names them; the table of contents is none."""
    pages: dict[str, str] = {}
    for element in root.iter():
        if local_name(element) == "item" and element.get("media-type") in _PAGES:
            if "nav" not in element.get("properties", "").split():
                pages[element.get("id", "")] = unquote(element.get("href", ""))
        elif local_name(element) == "itemref" and element.get("idref") in pages:
            yield pages[element.get("idref")]


def _read(archive: zipfile.ZipFile, chapters: list[str], limits: Limits) -> tuple[list[Part], str]:
    parts: list[Part] = []
    size = 0
    missing = 0
    for number, name in enumerate(chapters):
        try:
            found = from_html(decode_html(read_member(archive, name))[0])
        except NoText:
            continue
        except Unreadable:
            missing += 1
            continue
        size += sum(len(part.text) for part in found.parts)
        if size > limits.text_bytes and not limits.anyway:
            require_size(size, limits.text_bytes, limits)
            note = _("Only the first {count} of {all} chapters were read ({size} of text)")
            return parts, note.format(count=number, all=len(chapters), size=size_text(size))
        parts += found.parts
    return parts, join_notes(_("{count} chapters are damaged").format(count=missing)) if missing else ""


EXTRACTOR = Extractor("book", (".epub",), extract, members=(_CONTAINER,), isolated=True, told_by_content=True)
