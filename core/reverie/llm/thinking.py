"""Takes out of an answer what a model said to itself. JSON inside it is never acted on."""

import json
import re

_NAMES = "think|thinking|thought|reasoning|reflection"
_TAG = re.compile(rf"<(/?)(?:{_NAMES})(?:\s[^<>]*)?>|\[(/?)THINK\]", re.IGNORECASE)
_STOP = re.compile(rf"[{{\[]|<(/?)(?:{_NAMES})(?:\s[^<>]*)?>", re.IGNORECASE)
_TRIES = 100  # a broken text of a megabyte is given up in a second
_decoder = json.JSONDecoder(strict=False)


def without_thinking(text: str) -> str:
    """The answer alone. A tag inside a string of well-formed JSON is text; one that is not closed opens
    thinking up to the end, one that is not opened closes thinking from the beginning."""
    kept: list[str] = []
    at = begun = 0
    tries = _TRIES
    while found := _STOP.search(text, at):
        tag = _TAG.match(text, found.start())
        if tag is None:
            end = _end_of_value(text, found.start()) if tries > 0 else None
            tries -= 1
            at = end if end is not None else found.end()
        elif tag[1] or tag[2]:
            kept.clear()
            at = begun = tag.end()
        else:
            kept.append(text[begun : tag.start()])
            at = begun = _end_of_thinking(text, tag.end())
    kept.append(text[begun:])
    return " ".join(part for part in map(str.strip, kept) if part)


def _end_of_thinking(text: str, at: int) -> int:
    """Behind the tag that closes what was opened before ``at``; the end of the text where none does."""
    depth = 1
    for tag in _TAG.finditer(text, at):
        depth += -1 if tag[1] or tag[2] else 1
        if depth == 0:
            return tag.end()
    # Opened twice and closed once happens; a model that never closes is one that never came to its answer.
    closing = [tag.end() for tag in _TAG.finditer(text, at) if tag[1] or tag[2]]
    return closing[-1] if closing else len(text)


def _end_of_value(text: str, at: int) -> int | None:
    try:
        _value, end = _decoder.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return end
