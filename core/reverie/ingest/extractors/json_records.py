"""JSON: each record becomes lines a person can read; a conversation becomes its turns."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from reverie.domain.memory import Place
from reverie.domain.text import clean, collapse, has_words, listed, shorten
from reverie.domain.title import HEADING_PATH
from reverie.i18n import _, ngettext
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part, Unit, Unreadable
from reverie.ingest.extractors.chat import turns_of
from reverie.ingest.extractors.files import join_notes, read_text

_NAMED_LINES = 10
_DEEPEST = 12  # levels that are looked into
_ARRAY = re.compile(r"\[\s*+(?=[{\[\"])")
_OPENING = re.compile(r'\s*+(?:\[\s*+)?(?:\{\s*+"[^"\n]*"\s*+:|\[\s*+"[^"\n]*"\s*+[,\]])')
_GAP = re.compile(r"[ \t\n,]*+")
_SHORT = 200  # characters of a value that is kept as metadata
_LONGEST_KEY = 300  # characters; each value below it repeats it
_LONGEST_NUMBER = 400  # digits; Python refuses to read longer ones than 4300


def extract(path: Path, limits: Limits) -> Extracted:
    read = read_text(path, limits)
    return from_json(read.text, read.note, cut=read.cut)


def from_json(text: str, note: str = "", *, cut: bool = False) -> Extracted:
    """The records of a JSON text. ``cut`` tells that its end is missing: the whole records before it count.

    Raises Unreadable with line and column, and NoText where there are no values.
    """
    value, problem = _first_records(text) if cut else _parse(text)
    return from_value(value, join_notes(note, problem))


def from_value(value: Any, note: str = "") -> Extracted:
    """The records of a JSON value. Raises NoText."""
    metadata, parts = _parts(value)
    if not parts:
        raise NoText(_("The file holds no records"))
    return Extracted(tuple(parts), metadata, note)


def _number(digits: str) -> int | str:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else digits


_DECODER = json.JSONDecoder(parse_int=_number, strict=False)


def _parse(text: str) -> tuple[Any, str]:
    try:
        return _DECODER.decode(text), ""
    except json.JSONDecodeError as error:
        lines = _json_lines(text)
        if lines is not None:
            return lines
        raise Unreadable(
            _("Malformed JSON at line {line}, column {column}").format(line=error.lineno, column=error.colno),
            detail=clean(error.msg),
            hint=_("Correct the file there, then retry"),
        ) from error
    except RecursionError as error:
        raise Unreadable(_("The JSON is nested too deep to be read")) from error


def _json_lines(text: str) -> tuple[list[Any], str] | None:
    """(records, problem) where each line is a JSON value of its own; None where that is not so.

    Two values on one line are both taken; a line that is cut off is named, and the rest is kept.
    """
    records: list[Any] = []
    bad: list[int] = []
    filled = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        filled += 1
        values, rest = _values(line)
        if rest:
            bad.append(number)
        records.extend(values)
        if filled == 1 and not (values and isinstance(values[0], (dict, list))):
            return None
    if filled < 2 or len(bad) > max(1, filled // 4):
        return None
    problem = ngettext(
        "Line {lines} is no JSON and was left out", "Lines {lines} are no JSON and were left out", len(bad)
    )
    return records, problem.format(lines=listed(bad, _NAMED_LINES)) if bad else ""


def _values(text: str, start: int = 0) -> tuple[list[Any], str]:
    """(values, what follows that is none) of JSON values that stand one after another."""
    values: list[Any] = []
    while True:
        gap = _GAP.match(text, start)
        start = gap.end() if gap else start
        if start >= len(text):
            return values, ""
        try:
            value, start = _DECODER.raw_decode(text, start)
        except (json.JSONDecodeError, RecursionError):
            return values, text[start : start + 20]
        values.append(value)


def _first_records(text: str) -> tuple[Any, str]:
    """Whole records from a JSON text that was cut off."""
    opening = _ARRAY.search(text)
    values = _values(text, opening.end())[0] if opening else _values(text)[0]
    problem = ngettext("It was cut after {count} record", "It was cut after {count} records", len(values))
    return values, problem.format(count=len(values))


def begins_like_json(text: str) -> bool:
    """Whether a text opens an object with a key, or an array with a value in it."""
    return _OPENING.match(text) is not None


# Records


def _parts(value: Any) -> tuple[Mapping[str, Any], list[Part]]:
    """(metadata, parts): what an object says of itself beside its arrays is metadata, if it is short."""
    parts: list[Part] = []
    if not isinstance(value, dict):
        return {}, _list_parts(value if isinstance(value, list) else [value], heading="")
    arrays = dict(_arrays(value))
    if not arrays:
        return {}, _list_parts([value], heading="")
    rest = _without(value, arrays)
    about = {_key(key): item for key, item in rest.items() if _is_short(item)}
    _append(parts, {key: item for key, item in rest.items() if not _is_short(item)}, Place())
    for path, items in arrays.items():
        parts += _list_parts(items, heading=HEADING_PATH.join(path))
    return {key: clean(item) if isinstance(item, str) else item for key, item in about.items()}, parts


def _is_short(item: Any) -> bool:
    return (
        item is None
        or isinstance(item, (bool, int, float))
        or (isinstance(item, str) and len(item) <= _SHORT)
    )


def _list_parts(items: Sequence[Any], heading: str) -> list[Part]:
    turns = turns_of(items)
    if turns is not None:
        return turns
    parts: list[Part] = []
    for number, item in enumerate(items, 1):
        _append(parts, item, Place(row=number, row_end=number, heading=heading))
    return parts


def _append(parts: list[Part], item: Any, place: Place) -> None:
    if isinstance(item, dict) and len(item) and all(isinstance(value, dict) for value in item.values()):
        for key, value in item.items():  # records by name
            _append_text(parts, {"": key, **value}, place)
        return
    _append_text(parts, item, place)


def _append_text(parts: list[Part], item: Any, place: Place) -> None:
    # Bullets keep the fields apart where the memory is shown as Markdown; the first line is its title.
    text = "\n- ".join(_lines(item))
    if has_words(text):
        parts.append(Part(text, place, Unit.RECORD))


def _arrays(
    value: Mapping[str, Any], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
    """The arrays of objects (or of arrays) inside an object, with the path of keys to each."""
    for key, item in value.items():
        here = (*path, shorten(clean(str(key)), _LONGEST_KEY))
        if isinstance(item, list) and any(isinstance(element, (dict, list)) for element in item):
            yield here, item
        elif isinstance(item, dict) and len(here) < _DEEPEST:
            yield from _arrays(item, here)


def _without(value: Mapping[str, Any], arrays: Mapping[tuple[str, ...], list[Any]]) -> dict[str, Any]:
    taken = {id(items) for items in arrays.values()}

    def prune(item: Any, depth: int) -> Any:
        if isinstance(item, dict) and depth < _DEEPEST:
            kept = {key: prune(inner, depth + 1) for key, inner in item.items() if id(inner) not in taken}
            return {key: inner for key, inner in kept.items() if inner not in ({}, None)}
        return item

    pruned: dict[str, Any] = prune(value, 0)
    return pruned


def _lines(item: Any) -> Iterator[str]:
    """ "key: value" lines; nested keys are joined by a dot."""
    if not isinstance(item, (dict, list)):
        yield from _filled(_scalar(item), lambda value: value)
        return
    yield from _nested(item, "", 0)


def _nested(item: Any, name: str, depth: int) -> Iterator[str]:
    label = f"{name}: " if name else ""
    if depth > _DEEPEST:
        yield label + clean(json.dumps(item, ensure_ascii=False, default=str)[:1000])
    elif isinstance(item, dict):
        for key, value in item.items():
            known = _key(key)
            if len(known) > _LONGEST_KEY:
                yield label + known
                known = shorten(known, _LONGEST_KEY)
            yield from _nested(value, ".".join(filter(None, (name, known))), depth + 1)
    elif isinstance(item, list):
        if all(not isinstance(element, (dict, list)) for element in item):
            yield from _filled(", ".join(filter(None, map(_scalar, item))), label.__add__)
        else:
            for element in item:
                yield from _nested(element, name, depth + 1)
    else:
        yield from _filled(_scalar(item), label.__add__)


def _filled(value: str, form: Callable[[str], str]) -> Iterator[str]:
    if value:
        yield form(value)


def _key(key: str) -> str:
    return collapse(clean(key)).replace("_", " ")


def _scalar(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return clean(str(value)).strip()


EXTRACTOR = Extractor("json", (".json", ".jsonl", ".ndjson"), extract)
