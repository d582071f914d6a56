"""How a memory reads: a title, what follows it, and a plain line for a list. No Qt."""

import re
from functools import lru_cache

from reverie.domain.memory import Memory

TITLE_LIMIT = 120  # characters that a title may have
_LOOKED_AT = 800  # characters of a content that a row looks at
_MARKUP = re.compile(r"^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)+")
_INLINE = re.compile(r"(\*\*|__|`+|~~)(.+?)\1")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+(?=\S)")


def plain(line: str) -> str:
    """A line without Markdown's marks."""
    line = _LINK.sub(r"\1", _MARKUP.sub("", line))
    return " ".join(_INLINE.sub(r"\2", line).split())


@lru_cache(maxsize=2048)
def _lines(content: str) -> tuple[str, ...]:
    found = (plain(line) for line in content[:_LOOKED_AT].splitlines())
    return tuple(line for line in found if line)


def title(memory: Memory) -> str:
    """The key, else the first line, cut to its first sentence where it is long."""
    if memory.key:
        return memory.key
    lines = _lines(memory.content)
    if not lines:
        return ""
    if len(lines[0]) <= TITLE_LIMIT:
        return lines[0]
    return _SENTENCE.split(lines[0], maxsplit=1)[0]


def second(memory: Memory, passage: str = "") -> str:
    """What stands under the title in a list: the passage that matched, else what follows; no repeat."""
    head = title(memory)
    candidate = plain(passage)
    if candidate and candidate.casefold() not in head.casefold():
        return candidate
    lines = list(_lines(memory.content))
    if lines and not memory.key:
        rest = lines[0][len(head) :].strip(" .;:,") if lines[0].startswith(head) else lines[0]
        lines[0] = rest
    text = " ".join(line for line in lines if line)
    if text and text.casefold() != head.casefold():
        return text
    summary = plain(memory.summary)
    return summary if summary and summary.casefold() not in head.casefold() else ""


def body(memory: Memory) -> str:
    """What the detail shows under the title: the content, without a first line that the title repeats."""
    if memory.key:
        return memory.content
    first, _, rest = memory.content.lstrip().partition("\n")
    return rest.strip("\n") if plain(first) == title(memory) else memory.content


def place_words(memory: Memory) -> str:
    """Where in its source a memory stood: "page 3", "rows 10 to 19", "Setup > Proxy"."""
    from reverie.i18n import _

    place = memory.provenance.place
    parts = []
    if place.heading:
        parts.append(place.heading)
    if place.page is not None:
        parts.append(_("page {n}").format(n=place.page))
    if place.row is not None and place.row_end not in (None, place.row):
        parts.append(_("rows {a} to {b}").format(a=place.row, b=place.row_end))
    elif place.row is not None:
        parts.append(_("row {n}").format(n=place.row))
    if place.start is not None:
        parts.append(_("at {m}:{s:02d}").format(m=int(place.start // 60), s=int(place.start % 60)))
    return ", ".join(parts)
