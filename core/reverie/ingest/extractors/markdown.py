"""Markdown: front matter becomes metadata, headings the place of each section, fenced code stays whole."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from reverie.domain.memory import Place
from reverie.domain.text import collapse, has_words
from reverie.domain.title import HEADING_PATH
from reverie.i18n import _
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part
from reverie.ingest.extractors.files import join_notes, read_text

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_LONGEST_FRONT_MATTER = 64 * 1024  # characters
_MOST_VALUES = 2000
_DEEPEST = 8
_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_LONGEST_HEADING = 300  # characters; each piece of its section repeats it, so that a longer line is text
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_NO_PARAGRAPH = re.compile(r"[ \t]*([-*+>|#]|\d+[.)]\s|$)|\t| {4}")


def extract(path: Path, limits: Limits) -> Extracted:
    read = read_text(path, limits)
    return from_markdown(read.text, read.note)


def from_markdown(text: str, note: str = "") -> Extracted:
    """Sections of a Markdown text, each with the path of headings above it. Raises NoText."""
    metadata, body, problem = _front_matter(text)
    parts = tuple(_sections(body.split("\n")))
    if not any(has_words(part.text) or has_words(part.place.heading) for part in parts):
        raise NoText(
            _("The file holds no words"),
            detail=_("Only front matter") if metadata else "",
            hint=_("Put some text into it, then retry"),
        )
    return Extracted(parts, metadata, join_notes(note, problem))


def _front_matter(text: str) -> tuple[Mapping[str, Any], str, str]:
    """(metadata, body, problem). Front matter that is no YAML mapping stays in the body."""
    found = _FRONT_MATTER.match(text, 0, _LONGEST_FRONT_MATTER)
    if found is None:
        return {}, text, ""
    import yaml  # only files with front matter pay for it

    body = text[found.end() :]
    if not found[1].strip():
        return {}, body, ""
    try:
        values = yaml.safe_load(found[1])
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 2 if mark else 1
        return {}, text, _("The front matter is no valid YAML (line {line}); kept as text").format(line=line)
    if not isinstance(values, dict):
        return {}, text, ""
    budget = [_MOST_VALUES]
    return {collapse(str(key)): _plain(value, budget) for key, value in values.items()}, body, ""


def _plain(value: object, budget: list[int], depth: int = 0) -> Any:
    """A JSON value. YAML aliases can make a few lines into billions of values, so they are counted."""
    budget[0] -= 1
    if budget[0] < 0 or depth > _DEEPEST:
        return None
    if isinstance(value, dict):
        return {str(key): _plain(item, budget, depth + 1) for key, item in _first(value.items(), budget)}
    if isinstance(value, (list, tuple, set)):
        return [_plain(item, budget, depth + 1) for item in _first(value, budget)]
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return value if isinstance(value, float) and value - value == 0 else str(value)


def _first(items: Any, budget: list[int]) -> Iterator[Any]:
    for item in items:
        if budget[0] <= 0:
            return
        yield item


def _sections(lines: list[str]) -> Iterator[Part]:
    path: list[str] = []  # by level; "" where a level was left out
    body: list[str] = []
    level = 0
    fence = ""
    index = 0
    while index < len(lines):
        line = lines[index]
        heading, taken = ("", 0) if fence else _heading(lines, index)
        if taken:
            above, level = level, int(heading[0])
            yield from _section(path, body, is_last=level <= above)
            path[level - 1 :] = [""] * (level - 1 - len(path)) + [heading[1:]]
            body = []
            index += taken
            continue
        fence = _fence_after(fence, line)
        body.append(line)
        index += 1
    yield from _section(path, body, is_last=True)


def _section(path: list[str], body: list[str], *, is_last: bool) -> Iterator[Part]:
    """A heading with no text is in the path of those below it; ``is_last`` where there are none, and it stands
    for itself."""
    text = "\n".join(body).strip("\n").rstrip()
    above = [title for title in path if title]
    if text.strip():
        yield Part(text, Place(heading=HEADING_PATH.join(above)))
    elif is_last and above:
        yield Part(above[-1], Place(heading=HEADING_PATH.join(above[:-1])))


def _heading(lines: list[str], index: int) -> tuple[str, int]:
    """("<level><title>", lines taken), or ("", 0)."""
    line = lines[index]
    atx = _ATX.match(line)
    if atx and len(line) <= _LONGEST_HEADING:
        return f"{len(atx[1])}{_title(line[atx.end() :])}", 1
    if len(line) > _LONGEST_HEADING:
        return "", 0
    following = lines[index + 1] if index + 1 < len(lines) else ""
    underline = _SETEXT.fullmatch(following) if following else None
    after_paragraph = index > 0 and lines[index - 1].strip() != ""
    if underline and not after_paragraph and not _NO_PARAGRAPH.match(line):
        return f"{1 if underline[1][0] == '=' else 2}{collapse(line)}", 2
    return "", 0


def _title(rest: str) -> str:
    """Of a heading, without the marks that may close it: "Plan ##"."""
    title = collapse(rest)
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare.endswith(" ") else title


def _fence_after(fence: str, line: str) -> str:
    """The fence that is open after this line; "" for none."""
    mark = _FENCE.match(line)
    if mark is None:
        return fence
    if not fence:
        return mark[1]
    closes = mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and line.strip() == mark[1]
    return "" if closes else fence


EXTRACTOR = Extractor("markdown", (".md", ".markdown", ".mdown", ".mkd"), extract)
