"""Reads one large JSON object piece by piece: the elements of its lists one at a time, in bounded memory.

A record that is no JSON stops no other; a file that breaks off gives what stands before the break.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from reverie.errors import UserError
from reverie.i18n import _

_CHUNK = 1 << 20  # characters
_BLANK = re.compile(r"\s*")
# A whole string, a sign of structure, or a quote whose string goes on beyond what was read.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],]|"', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Value:
    """One value of the top level: ``number`` counts the elements of a list from 1, and is 0 for what stands by
    itself. ``problem`` says why there is no value."""

    section: str
    number: int
    value: Any = None
    problem: str = ""


def read_object(stream: TextIO) -> Iterator[Value]:
    """Every value of a JSON object, in the order of the file. Raises UserError where the file holds no object."""
    return _Reader(stream).values()


class _BrokenOffError(Exception):
    pass


class _Reader:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._text = ""
        self._at = 0
        self._ended = False

    def values(self) -> Iterator[Value]:
        try:
            first = self._peek()
        except _BrokenOffError:
            first = ""
        if first != "{":
            raise UserError(
                _("This is no dump of Reverie"),
                detail=_("It does not hold a JSON object"),
                hint=_("Choose a file that Reverie has exported"),
            )
        self._at += 1
        section = ""
        try:
            while self._peek() == '"':
                section = str(json.loads(self._raw()))
                if self._peek() != ":":
                    break
                self._at += 1
                if self._peek() == "[":
                    yield from self._elements(section)
                else:
                    yield _parsed(section, 0, self._raw())
                if self._peek() == ",":
                    self._at += 1
            if self._peek() != "}":
                yield Value(section, 0, problem=_("The file is damaged after this section"))
        except _BrokenOffError:
            yield Value(section, 0, problem=_("The file breaks off in this section"))
        except ValueError:
            yield Value(section, 0, problem=_("The file is damaged after this section"))

    def _elements(self, section: str) -> Iterator[Value]:
        self._at += 1
        number = 0
        while (sign := self._peek()) != "]":
            if sign == ",":
                self._at += 1
                continue
            if sign in "}:":
                raise ValueError
            try:
                raw = self._raw()
            except _BrokenOffError:
                yield from _lines(section, number, self._text[self._at :])
                raise
            number += 1
            value = _parsed(section, number, raw)
            if value.problem and "\n" in raw:  # a record without its end has swallowed the next ones
                for value in _lines(section, number - 1, raw):
                    number = value.number
                    yield value
            else:
                yield value
        self._at += 1

    def _peek(self) -> str:
        """The next sign that is not blank. Raises _BrokenOffError at the end of the file."""
        while True:
            blank = _BLANK.match(self._text, self._at)
            self._at = blank.end() if blank else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            self._fill()

    def _raw(self) -> str:
        """The text of the value that begins here."""
        depth = 0
        at = self._at
        while True:
            token = _TOKEN.search(self._text, at)
            if token is None or token[0] == '"':
                at = len(self._text) - self._at if token is None else token.start() - self._at
                self._fill()  # moves what stands here to the front
                continue
            sign, at = token[0], token.end()
            if sign in "{[":
                depth += 1
            elif sign in "}],":
                if depth == 0:  # of what is around: a bare number or word ends here
                    return self._take(token.start())
                depth -= sign != ","
                if depth == 0 and sign != ",":
                    return self._take(at)
            elif depth == 0:  # a whole string
                return self._take(at)

    def _take(self, end: int) -> str:
        raw = self._text[self._at : end]
        self._at = end
        return raw

    def _fill(self) -> None:
        """Reads on; what is before ``_at`` is forgotten."""
        chunk = "" if self._ended else self._stream.read(max(_CHUNK, len(self._text) - self._at))
        self._text, self._at = self._text[self._at :] + chunk, 0
        if not chunk:
            self._ended = True
            raise _BrokenOffError


def _parsed(section: str, number: int, raw: str) -> Value:
    try:
        return Value(section, number, json.loads(raw))
    except json.JSONDecodeError as error:
        where = _("{problem} (character {place})").format(problem=error.msg, place=error.pos + 1)
        return Value(section, number, problem=where)
    except (ValueError, RecursionError) as error:
        return Value(section, number, problem=str(error))


def _lines(section: str, number: int, text: str) -> Iterator[Value]:
    """Reverie writes one record a line: what is whole among damaged ones can be told by that."""
    for line in text.splitlines():
        bare = line.strip().rstrip(",")
        if bare and bare not in "[]{}":
            number += 1
            yield _parsed(section, number, bare)
