"""Rich text (RTF): its text, without looks."""

from pathlib import Path

from reverie.domain.text import clean
from reverie.i18n import _
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, Unreadable
from reverie.ingest.extractors.files import join_notes, opened, require_size, size_text
from reverie.ingest.extractors.text import from_text


def extract(path: Path, limits: Limits) -> Extracted:
    """Raises Unreadable, TooLarge and NoText."""
    from striprtf.striprtf import rtf_to_text

    with opened(path) as (file, size):
        require_size(size, limits.file_bytes, limits)
        data = file.read()
    try:
        # RTF is ASCII; other characters stand in it as numbers.
        text = clean(rtf_to_text(data.decode("latin-1"), errors="replace"))  # type: ignore[no-untyped-call]
    except (ValueError, LookupError, IndexError, KeyError, TypeError) as error:
        raise Unreadable(
            _("The rich text is damaged"),
            detail=clean(f"{type(error).__name__}: {error}")[:200],
            hint=_("Try to open it in a word processor and save it again"),
        ) from error
    note = ""
    if len(text) > limits.text_bytes and not limits.anyway:
        require_size(len(text), limits.text_bytes, limits)
        note = _("Only the first {limit} of its text were read").format(limit=size_text(limits.text_bytes))
        text = text[: limits.text_bytes]
    return from_text(text, join_notes(note))


EXTRACTOR = Extractor("rtf", (".rtf",), extract, magic=(b"{\\rtf",), isolated=True, told_by_content=True)
