"""The one line that names a memory in lists, made from its text."""

import re
from functools import lru_cache

from reverie.domain.text import collapse, sentence_spans, shorten

TITLE_LIMIT = 120  # characters
HEADING_PATH = " > "  # between the headings above a piece of a file, the outermost first
_LOOKED_AT = 800  # characters of a text
_WRAPPED = 40  # characters: a shorter line was ended on purpose, and not for want of room
_MARKUP = re.compile(r"^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)+")
_INLINE = re.compile(r"(\*\*|__|`+|~~)(.+?)\1")
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})[\w+#.-]*\s*")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_FIELD = re.compile(r"[\w /]{1,24}: (?=\S)")


def plain(line: str) -> str:
    """A line without Markdown's marks; "" for one that only opens or closes code."""
    if _FENCE.fullmatch(line):
        return ""
    line = _LINK.sub(r"\1", _MARKUP.sub("", line))
    return " ".join(_INLINE.sub(r"\2", line).split())


@lru_cache(maxsize=2048)
def plain_lines(content: str) -> tuple[str, ...]:
    """The first lines of a text that say something, without marks."""
    found = (plain(line) for line in content[:_LOOKED_AT].splitlines())
    return tuple(line for line in found if line)


def _first_paragraph(content: str) -> str:
    """Its lines as they stand, without marks; a heading or an item of a list is one by itself."""
    found: list[str] = []
    for line in content[:_LOOKED_AT].splitlines():
        said = plain(line)
        if found and (not said or _MARKUP.match(line) or len(found[-1]) < _WRAPPED):
            break
        if said:
            found.append(said)
            if line.lstrip().startswith("#"):
                break
    return "\n".join(found)


@lru_cache(maxsize=4096)
def title_of(content: str, heading: str = "") -> str:
    """The first sentence of the text, without its full stop.

    A piece of a file begins with the path of headings above it: then it is the last of these, or, in a
    record, the value of its first field.
    """
    lines = plain_lines(content)
    if not lines:
        return ""
    if heading and lines[0] == heading:
        field = _FIELD.match(lines[1]) if len(lines) > 1 else None
        named = lines[1][field.end() :] if field else heading.rpartition(HEADING_PATH)[2]
        return shorten(named, TITLE_LIMIT)
    first = _first_paragraph(content)
    found = collapse(next((first[start:end] for start, end in sentence_spans(first)), lines[0]))
    if len(found) > TITLE_LIMIT:
        found = shorten(found, TITLE_LIMIT)
    return found[:-1] if found.endswith(".") and not found.endswith("..") else found
