"""XML from strangers: entities are not expanded, nothing is fetched."""

import re
from typing import Any

from reverie.domain.text import clean
from reverie.i18n import _
from reverie.ingest.extractors.base import Unreadable
from reverie.ingest.extractors.files import decode

_OPENING = re.compile(
    r"(?:\s++|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^<>\[]*+(?:\[[^\]]*+\]\s*+)?>)*+<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)[\s/>]",
    re.DOTALL | re.IGNORECASE,
)
_KNOWN = ("html", "svg")  # roots with a reader of their own, also where no <?xml stands before them


def root_name(start: bytes) -> str:
    """The local name of the root element in lower case, where a file begins like markup; else "".

    "xml" for an XML file whose root has no reader of its own.
    """
    if not start.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0").startswith(b"<"):
        return ""
    try:
        text = decode(start[: len(start) // 2 * 2])[0].lstrip()
    except Unreadable:
        return ""
    if text[:14].lower() == "<!doctype html":
        return "html"
    found = _OPENING.match(text)
    root = found[1].lower() if found else ""
    return "xml" if text.startswith("<?xml") and root not in _KNOWN else root


def parse_xml(data: bytes | str) -> Any:
    """The root element (xml.etree). Raises Unreadable, with line and column for what is not well formed,
    and for entities of the file's own, which could grow without bound or read other files."""
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        return fromstring(data, forbid_entities=True, forbid_external=True)
    except ParseError as error:
        line, column = error.position
        raise Unreadable(
            _("Malformed XML at line {line}, column {column}").format(line=line, column=column + 1),
            detail=clean(str(error)),
            hint=_("Correct the file there, then retry"),
        ) from error
    except (DefusedXmlException, ValueError, LookupError) as error:
        raise Unreadable(
            _("This XML defines entities of its own, or is in an unknown encoding"),
            detail=type(error).__name__,
            hint=_("Save it as plain XML in UTF-8, then retry"),
        ) from error


def local_name(element: Any) -> str:
    """The tag without its namespace; "" for comments."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
