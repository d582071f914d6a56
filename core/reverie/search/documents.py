"""How a row of each kind is read for searching: its fields and their weights, its neighbours, its signals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntFlag
from typing import Any

from reverie.domain.clock import from_micros
from reverie.search.terms import spaced, terms
from reverie.search.times import MONTHS, WEEKDAYS
from reverie.store import stored
from reverie.store.derived import INSIGHT, MEMORY, MESSAGE

# Quarters of a mention: a field of weight 1/2 counts its words half.
BODY, DOUBLE, HALF, QUARTER = 4, 8, 2, 1

DATE = "\n"  # in front of a date's words: they are asked for as a date, and no term of a text begins so

_TIME_WORDS = (
    "yesterday today tonight tomorrow last next ago since recently just day days week weeks month months year years weekend"
    " morning evening night"
)
_TIME = frozenset(_TIME_WORDS.split()).union(WEEKDAYS, MONTHS, (str(year) for year in range(1900, 2100)))


class Signal(IntFlag):
    """What a text shows by itself."""

    NONE = 0
    ASKS = 1  # holds a question
    ENDS_ASKING = 2
    TELLS_TIME = 4


@dataclass(frozen=True, slots=True)
class Document:
    """fields: (text, weight in quarters of a mention). chain: what it stands in a row with, "" for nothing; rows of a
    chain are in order of ``at`` (microseconds), then ``seq``."""

    seq: int
    fields: tuple[tuple[str, int], ...]
    at: int
    chain: str = ""
    speaker: str = ""
    signals: Signal = Signal.NONE
    length: int = 0  # characters of the body


@dataclass(frozen=True, slots=True)
class Weights:
    """What each sign adds to the score; all signs but ``length`` are 0..1 (a cosine -1..1).

    Fitted on the development half of LoCoMo (listwise softmax, each conversation held out in turn) and rounded.
    """

    keyword: float = 1.0  # BM25F as a share of what the question could reach
    coverage: float = 1.0  # share of the question's information that is there at all
    cosine: float = 1.0
    cosine_before: float = 0.0  # of the neighbour before; a row without one counts itself
    cosine_after: float = 0.0
    speaker: float = 0.0  # the question names who said it
    asks: float = 0.0  # a text that asks answers little
    answers: float = 0.0  # the neighbour before ends with a question
    time: float = 0.0  # the question is when, the text tells a time
    length: float = 0.0  # natural logarithm of 1 + characters
    dated: float = 0.5  # the question names a time, the row is of it


@dataclass(frozen=True, slots=True)
class Kind:
    """neighbours: share of a mention that one in the rows before, after and two before counts (0..1).
    is_found_by_neighbours: whether a row that holds none of the words itself may be found by theirs; a word that only
    they hold then covers as much of the question as one of its own, else its share."""

    name: str
    read: Callable[[Any], Document]
    weights: Weights
    neighbours: tuple[float, float, float] = (0.0, 0.0, 0.0)
    is_found_by_neighbours: bool = False


def _memory(row: Any) -> Document:
    content = stored.text(row.content)
    heading = "" if row.place in ("", "{}") else stored.text(stored.mapping(row.place).get("heading"))
    labels = spaced(" ".join(map(stored.text, (row.category, row.tags, row.entities, row.topics))))
    return Document(
        row.seq,
        (
            (content, BODY),
            (stored.text(row.key), DOUBLE),
            (stored.text(row.summary), HALF),
            (heading, HALF),
            (labels, HALF),
            (stored.text(row.source), QUARTER),
        ),
        stored.whole(row.created_at),
        stored.text(row.item_id),
        signals=signals(content),
        length=len(content),
    )


def _message(row: Any) -> Document:
    speaker, content = stored.text(row.name), stored.text(row.content)
    body = f"{speaker}: {content}" if speaker else content
    return Document(
        row.seq,
        ((body, BODY),),
        stored.whole(row.created_at),
        stored.text(row.session_id),
        speaker,
        signals(content),
        len(content),
    )


def _insight(row: Any) -> Document:
    content = stored.text(row.content)
    fields = ((content, BODY), (stored.text(row.summary), HALF))
    return Document(row.seq, fields, stored.whole(row.created_at), length=len(content))


def signals(text: str) -> Signal:
    found = Signal.NONE
    if "?" in text:
        found = Signal.ASKS
        if text.rstrip().endswith("?"):
            found |= Signal.ENDS_ASKING
    if not _TIME.isdisjoint(terms(text)):  # a third of what a regular expression takes
        found |= Signal.TELLS_TIME
    return found


def date_terms(at: int) -> tuple[str, ...]:
    """A date in words: weekday, day, month, year."""
    try:
        when = from_micros(at).astimezone()
    except (OverflowError, ValueError, OSError):  # stored by an older program, or a foreign one
        return ()
    return (
        f"{DATE}{WEEKDAYS[when.weekday()]}",
        f"{DATE}{when.day}",
        f"{DATE}{MONTHS[when.month - 1]}",
        f"{DATE}{when.year}",
    )


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            MEMORY,
            _memory,
            Weights(cosine=0.9, cosine_before=0.2, cosine_after=0.1, time=0.2),
            neighbours=(0.25, 0.25, 0.0),
        ),
        Kind(
            MESSAGE,
            _message,
            Weights(
                cosine_before=0.6,
                cosine_after=0.2,
                speaker=0.2,
                asks=-0.15,
                answers=0.15,
                time=0.45,
                length=0.12,
            ),
            neighbours=(0.5, 0.25, 0.25),
            is_found_by_neighbours=True,
        ),
        Kind(INSIGHT, _insight, Weights()),
    )
}
