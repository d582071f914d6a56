"""How a memory reads: a title, what follows it, and a plain line for a list. No Qt."""

import re
from functools import lru_cache

from reverie.domain.memory import Memory
from reverie.domain.title import plain, plain_lines


def title(memory: Memory) -> str:
    """What names the memory in lists and above its text."""
    return memory.title


def second(memory: Memory, passage: str = "") -> str:
    """What stands under the title in a list: the passage that matched, else what follows; no repeat."""
    heading = memory.provenance.place.heading
    return _second(title(memory), memory.content, bool(memory.key), heading, memory.summary, passage)


@lru_cache(maxsize=2048)  # rows are painted often
def _second(head: str, content: str, keyed: bool, heading: str, summary: str, passage: str) -> str:
    candidate = plain(passage)
    if heading and candidate.startswith(heading):
        candidate = candidate[len(heading) :].lstrip()
    if candidate and not candidate.rstrip(".…").casefold().startswith(head.rstrip("…").casefold()):
        return candidate
    lines = list(plain_lines(content))
    if lines and lines[0] == heading:
        text = " ".join(lines[1:])
    else:
        text, shown = " ".join(lines), head.rstrip("…").rstrip()
        if not keyed and text.startswith(shown):
            text = text[len(shown) :].lstrip(" .;:,")
    if text and text.casefold() != head.casefold():
        return text
    short = plain(summary)
    return short if short and short.casefold() not in head.casefold() else ""


def body(memory: Memory) -> str:
    """What the detail shows under the title: the content, without a first line that the title repeats."""
    if memory.key:
        return memory.content
    head = title(memory)
    first, _, rest = memory.content.lstrip().partition("\n")
    if memory.provenance.place.heading and first.strip() == memory.provenance.place.heading:
        return rest.strip("\n")
    if plain(first).rstrip(".") == head:
        return rest.strip("\n")
    said = re.match(r"[\s#]*" + r"\s+".join(map(re.escape, head.split())), memory.content)
    left = memory.content[said.end() :] if said else ""
    return left[1:].strip() if re.match(r"[.!?]\s", left) else memory.content


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
