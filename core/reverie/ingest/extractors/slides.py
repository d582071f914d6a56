"""Presentations (.pptx): each slide a part, with its title, texts, tables and notes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reverie.domain.memory import Place
from reverie.domain.text import clean, collapse, has_words
from reverie.i18n import _
from reverie.ingest.extractors.archive import damaged, opened_archive
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part, Unit
from reverie.ingest.extractors.files import join_notes, require_size, size_text

_DEEPEST = 20  # groups inside each other


def extract(path: Path, limits: Limits) -> Extracted:
    """Raises Unreadable (damaged, locked), TooLarge and NoText. A slide's number is its page."""
    import pptx

    with opened_archive(path, limits):
        pass
    try:
        deck = pptx.Presentation(str(path))
        parts, note = _parts(deck, limits)
        about = _about(deck.core_properties)
    except (KeyError, ValueError, AttributeError, IndexError, TypeError, SyntaxError) as error:
        raise damaged() from error
    if not parts:
        raise NoText(
            _("The slides hold no words"), hint=_("If they are pictures, save them as PDF and run OCR")
        )
    return Extracted(tuple(parts), {**about, "slides": len(deck.slides)}, join_notes(note))


def _parts(deck: Any, limits: Limits) -> tuple[list[Part], str]:
    parts: list[Part] = []
    size = 0
    for number, slide in enumerate(deck.slides, 1):
        part = _slide(slide, number)
        size += len(part.text)
        if size > limits.text_bytes and not limits.anyway:
            require_size(size, limits.text_bytes, limits)
            note = _("Only the first {count} of {all} slides were read ({size} of text)")
            return parts, note.format(count=number - 1, all=len(deck.slides), size=size_text(size))
        if has_words(part.text):
            parts.append(part)
    return parts, ""


def _slide(slide: Any, number: int) -> Part:
    title = slide.shapes.title
    heading = collapse(clean(title.text_frame.text)) if title is not None else ""
    blocks = [text for shape in slide.shapes if shape != title for text in _texts(shape, 0)]
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        notes = clean(slide.notes_slide.notes_text_frame.text).strip()
        if has_words(notes):
            blocks.append(_("Notes: {notes}").format(notes=notes))
    text = "\n\n".join(filter(has_words, blocks))
    # A record: a short slide is not joined to the next, and keeps its number.
    if not text:
        return Part(heading, Place(page=number), Unit.RECORD)
    return Part(text, Place(page=number, heading=heading), Unit.RECORD)


def _texts(shape: Any, depth: int) -> Iterator[str]:
    from pptx.shapes.group import GroupShape

    if isinstance(shape, GroupShape):
        for inner in shape.shapes if depth < _DEEPEST else ():
            yield from _texts(inner, depth + 1)
    elif shape.has_text_frame:
        yield "\n".join(filter(None, map(_paragraph, shape.text_frame.paragraphs)))
    elif getattr(shape, "has_table", False):
        yield _table(shape.table)


def _paragraph(paragraph: Any) -> str:
    text = collapse(clean(paragraph.text))
    return f"{'  ' * (paragraph.level - 1)}- {text}" if text and paragraph.level else text


def _table(table: Any) -> str:
    rows = [[collapse(clean(cell.text)).replace("|", "\\|") for cell in row.cells] for row in table.rows]
    lines = [f"| {' | '.join(row)} |" for row in rows if any(row)]
    rule = f"|{' --- |' * len(rows[0])}" if rows else ""
    return "\n".join([*lines[:1], rule, *lines[1:]])


def _about(properties: Any) -> dict[str, str]:
    said = {
        "title": properties.title,
        "author": properties.author,
        "subject": properties.subject,
    }
    return {key: collapse(clean(value)) for key, value in said.items() if value and value.strip()}


EXTRACTOR = Extractor(
    "slides",
    (".pptx", ".pptm"),
    extract,
    members=("ppt/presentation.xml",),
    isolated=True,
    told_by_content=True,
)
