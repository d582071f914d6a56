"""How a memory reads: a title, what follows it, and a plain line for a list. No Qt."""

import re
from functools import lru_cache

from reverie.domain.memory import Memory
from reverie.domain.text import sentence_spans, shorten

TITLE_LIMIT = 120  # characters that a title may have
_LOOKED_AT = 800  # characters of a content that a row looks at
_MARKUP = re.compile(r"^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)+")
_INLINE = re.compile(r"(\*\*|__|`+|~~)(.+?)\1")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def plain(line: str) -> str:
    """A line without Markdown's marks."""
    line = _LINK.sub(r"\1", _MARKUP.sub("", line))
    return " ".join(_INLINE.sub(r"\2", line).split())


@lru_cache(maxsize=2048)
def _lines(content: str) -> tuple[str, ...]:
    found = (plain(line) for line in content[:_LOOKED_AT].splitlines())
    return tuple(line for line in found if line)


def title(memory: Memory) -> str:
    """The key, else the first sentence of the first line, without its full stop."""
    return memory.key or _title(memory.content)


@lru_cache(maxsize=4096)
def _title(content: str) -> str:
    lines = _lines(content)
    if not lines:
        return ""
    found = next((lines[0][start:end] for start, end in sentence_spans(lines[0])), lines[0])
    if len(found) > TITLE_LIMIT:
        found = shorten(found, TITLE_LIMIT)
    return found[:-1] if found.endswith(".") and not found.endswith("..") else found


def second(memory: Memory, passage: str = "") -> str:
    """What stands under the title in a list: the passage that matched, else what follows; no repeat."""
    head = title(memory)
    candidate = plain(passage)
    if candidate and not candidate.rstrip(".…").casefold().startswith(head.rstrip("…").casefold()):
        return candidate
    lines = list(_lines(memory.content))
    if lines and not memory.key:
        lines[0] = lines[0][len(head) :].lstrip(" .;:,") if lines[0].startswith(head) else lines[0]
    text = " ".join(line for line in lines if line)
    if text and text.casefold() != head.casefold():
        return text
    summary = plain(memory.summary)
    return summary if summary and summary.casefold() not in head.casefold() else ""


def body(memory: Memory) -> str:
    """What the detail shows under the title: the content, without a first line that the title repeats."""
    if memory.key:
        return memory.content
    head = title(memory)
    first, _, rest = memory.content.lstrip().partition("\n")
    bare = first.strip().lstrip("#").strip()
    if plain(first).rstrip(".") == head:
        return rest.strip("\n")
    if bare.startswith(head) and bare[len(head) :].startswith((". ", "! ", "? ")):
        left = bare[len(head) + 2 :].lstrip()
        return f"{left}\n{rest}" if rest else left
    return memory.content


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
