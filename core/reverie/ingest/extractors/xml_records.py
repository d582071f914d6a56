"""XML: elements that hold values become records, as in JSON; what is no sound XML is read as text."""

from pathlib import Path
from typing import Any

from reverie.domain.text import clean, collapse, has_words
from reverie.i18n import _
from reverie.ingest.extractors import json_records, text
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Unreadable
from reverie.ingest.extractors.files import join_notes, opened, read_text, require_size
from reverie.ingest.extractors.markup import local_name, parse_xml

_DEEPEST = 100  # elements inside each other; below it, only the text is kept


def extract(path: Path, limits: Limits) -> Extracted:
    """Raises Unreadable (no text at all), TooLarge and NoText."""
    with opened(path) as (file, size):
        require_size(size, limits.text_bytes, limits)
        data = file.read() if size <= limits.text_bytes or limits.anyway else b""
    problem = _("Only its first part was read, as text")
    if data:
        try:
            return _from_xml(data)
        except Unreadable as error:
            problem = _("{reason}; read as text").format(reason=error.title)
    read = read_text(path, limits)
    return text.from_text(read.text, join_notes(read.note, problem))


def _from_xml(data: bytes) -> Extracted:
    root = parse_xml(data)
    value = _value(root, 0)
    try:
        return json_records.from_value(value if isinstance(value, dict) else {local_name(root): value})
    except NoText:
        raise NoText(_("The file holds no words"), hint=_("Put some text into it, then retry")) from None


def _value(element: Any, depth: int) -> Any:
    """A JSON value of an element: its text, or its attributes and children by name. Prose with marks in it stays prose."""
    children = [child for child in element if local_name(child)]
    own = clean((element.text or "").strip())
    mixed = own or any(has_words(child.tail or "") for child in children)
    if children and (mixed or depth > _DEEPEST):
        return clean(collapse("".join(element.itertext())))
    if not children and not element.attrib:
        return own
    found: dict[str, Any] = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
    if own:
        _put(found, local_name(element), own)
    for child in children:
        _put(found, local_name(child), _value(child, depth + 1))
    return found


def _put(found: dict[str, Any], name: str, value: Any) -> None:
    """A name that comes again makes a list of what stands under it."""
    if name not in found:
        found[name] = value
    elif isinstance(found[name], list):
        found[name].append(value)
    else:
        found[name] = [found[name], value]


EXTRACTOR = Extractor("xml", (".xml",), extract, roots=("xml",))
