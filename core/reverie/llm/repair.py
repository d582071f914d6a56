"""JSON out of prose: finds each value in a text, and mends what is broken outside its strings.

Strings are taken out before `json-repair` sees the rest and put back after it, so that no repair can
change a word of what a model wrote: a ``,]`` inside a string stays.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

# Private characters that stand around the number of a string that was taken out.
_OPEN, _CLOSE = "\ue000", "\ue001"
_PRIVATE = str.maketrans({_OPEN: "\ufffd", _CLOSE: "\ufffd"})

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|["{}\[\]]', re.DOTALL)
# What an object or a list can begin with, also a broken one. "[Memory 1]" and "{name}" are prose.
_BEGIN = re.compile(r"""\{\s*(?:["'}/#]|[A-Za-z_]\w*["']?\s*:|$)|\[\s*(?:[{\["'\]/#]|$)""")
_OPENER = re.compile(r"[{\[]")
_BAD_ESCAPE = re.compile(r"\\(?![\"\\/bfnrt]|u[0-9a-fA-F]{4})")
_PLACE = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_PARTNER = {"}": "{", "]": "["}
_CLOSER = {"{": "}", "[": "]"}
_MAX_VALUES = 1000
_MAX_BROKEN = 50
_MAX_DEPTH = 60  # of a broken value: mending takes time that grows with the square of it
_MAX_BROKEN_CHARS = 200_000
_decoder = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Found:
    """One value. ``value``: whole, or None where it was cut within a string. ``finished``: of a cut one, what holds
    nothing but finished objects, None where there is no such. ``start`` and ``end`` are places in the text."""

    value: Any
    finished: Any
    cut: bool
    start: int
    end: int


def find_values(text: str) -> Iterator[Found]:
    """Every object and list of a text that is not part of another, in order, broken ones mended."""
    at = count = broken = 0
    while count < _MAX_VALUES and (opener := _OPENER.search(text, at)):
        start = opener.start()
        try:
            value, end = _decoder.raw_decode(text, start)
            found: Found | None = Found(value, None, False, start, end)
        except (ValueError, RecursionError):
            broken += 1
            if broken > _MAX_BROKEN:
                return
            found = _mended(text, start) if _BEGIN.match(text, start) else None
        if found is not None:
            count += 1
            yield found
        at = found.end if found is not None else start + 1


def _mended(text: str, start: int) -> Found | None:
    try:
        skeleton = _Skeleton.of(text, start)
        if not skeleton.stack:
            return Found(skeleton.repair(skeleton.text), None, False, start, skeleton.end)
        whole = None if skeleton.in_string else skeleton.repair(skeleton.text)
        finished = skeleton.repair(skeleton.finished) if skeleton.finished else None
        return Found(whole, finished, True, start, skeleton.end)
    except (ValueError, RecursionError):
        return None


@dataclass(slots=True)
class _Skeleton:
    """A broken value without its strings. ``stack`` is what is open at its end, ``finished`` the part of it up to
    the last finished object of its list, closed again."""

    text: str
    strings: list[str]
    stack: list[str]
    in_string: bool
    finished: str
    end: int

    @classmethod
    def of(cls, text: str, start: int) -> "_Skeleton":
        pieces: list[str] = []
        strings: list[str] = []
        stack: list[str] = []
        finished: tuple[int, list[str]] | None = None
        at, in_string = start, False
        for token in _TOKEN.finditer(text, start):
            pieces.append(text[at : token.start()].translate(_PRIVATE))
            at, what = token.end(), token[0]
            if len(what) > 1:
                pieces.append(f'"{_OPEN}{len(strings)}{_CLOSE}"')
                strings.append(_read_string(what))
                continue
            if what == '"':
                in_string, at = True, len(text)
                break
            pieces.append(what)
            if what in _CLOSER:
                stack.append(what)
                if len(stack) > _MAX_DEPTH:
                    raise RecursionError
                continue
            _close(stack, _PARTNER[what])
            if not stack:
                break
            if what == "}" and "".join(stack) in ("[", "{["):
                finished = (len(pieces), list(stack))
        else:
            pieces.append(text[at:].translate(_PRIVATE))
            at = len(text)
        kept = ""
        if finished is not None:
            count, open_then = finished
            kept = "".join(pieces[:count]) + "".join(_CLOSER[each] for each in reversed(open_then))
        return cls("".join(pieces), strings, stack, in_string, kept, at)

    def repair(self, skeleton: str) -> Any:
        from json_repair import repair_json

        if len(skeleton) > _MAX_BROKEN_CHARS:
            raise ValueError("too long to be mended")
        return self._with_strings(repair_json(skeleton, return_objects=True, skip_json_loads=True))

    def _with_strings(self, value: Any) -> Any:
        if isinstance(value, str):
            return _PLACE.sub(self._string, value)
        if isinstance(value, list):
            return [self._with_strings(each) for each in value]
        if isinstance(value, dict):
            return {self._with_strings(key): self._with_strings(each) for key, each in value.items()}
        return value

    def _string(self, place: "re.Match[str]") -> str:
        number = int(place[1])  # one that was not taken out can come of an escape in single quotes
        return self.strings[number] if number < len(self.strings) else "\ufffd"


def _close(stack: list[str], opener: str) -> None:
    """Closes the nearest that is open, and what was left open inside it; a closer of nothing is passed over."""
    if opener in stack:
        while stack.pop() != opener:
            pass


def _read_string(literal: str) -> str:
    try:
        return str(json.loads(literal, strict=False))
    except ValueError:
        return str(json.loads(_BAD_ESCAPE.sub(r"\\\\", literal.replace("\\'", "'")), strict=False))
