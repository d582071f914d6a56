"""Drawings (.svg): their title, description and the texts in them."""

from pathlib import Path
from typing import Any

from reverie.domain.text import clean, collapse, has_words
from reverie.i18n import _
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part
from reverie.ingest.extractors.files import opened, require_size
from reverie.ingest.extractors.markup import local_name, parse_xml

_TEXTS = ("title", "desc", "text")


def extract(path: Path, limits: Limits) -> Extracted:
    """Raises Unreadable (malformed, entities of its own), TooLarge and NoText. A drawing can't be read in part."""
    with opened(path) as (file, size):
        require_size(size, limits.text_bytes, limits)
        root = parse_xml(file.read())
    title = next((_said(child) for child in root if local_name(child) == "title"), "")
    texts = [_said(element) for element in root.iter() if local_name(element) in _TEXTS]
    lines = list(dict.fromkeys(filter(has_words, texts)))
    if not lines:
        raise NoText(_("The drawing holds no words"))
    return Extracted((Part("\n".join(lines)),), {"title": title} if title else {})


def _said(element: Any) -> str:
    return collapse(clean(" ".join(element.itertext())))


EXTRACTOR = Extractor("svg", (".svg",), extract, roots=("svg",), isolated=True)
