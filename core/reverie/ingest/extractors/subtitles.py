"""Subtitles and transcripts (.vtt, .srt): what was said, with its times."""

import re
from collections.abc import Iterator
from pathlib import Path

from reverie.domain.memory import Place
from reverie.domain.text import collapse, has_words
from reverie.i18n import _
from reverie.ingest.extractors.base import Extracted, Extractor, Limits, NoText, Part, Unit
from reverie.ingest.extractors.files import join_notes, read_text
from reverie.ingest.extractors.text import from_text

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d\d)[.,](\d{1,3})"
_TIMING = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}.*")
_SPEAKER = re.compile(r"<v(?:\.[^ >]*)?[ \t]+([^>]*)>")
_TAG = re.compile(r"</?[A-Za-z0-9][^<>\n]*>|\{\\[^}]*\}")
_NOT_SAID = ("NOTE", "STYLE", "REGION", "WEBVTT")
_LONGEST = 900  # characters of a part: about one memory
_PAUSE_S = 20.0  # seconds of silence after which a new part begins

Cue = tuple[float, float, str]


def extract(path: Path, limits: Limits) -> Extracted:
    read = read_text(path, limits)
    return from_subtitles(read.text, read.note)


def from_subtitles(text: str, note: str = "") -> Extracted:
    """Neighbouring cues together up to the size of a memory, with start and end in seconds.

    A text without cues is read as plain text. Raises NoText.
    """
    cues = list(_without_rolling(_cues(text)))
    if not cues:
        if _TIMING.search(text):
            raise NoText(_("The subtitles hold no words"))
        return from_text(text, join_notes(note, _("No times were found; read as text")))
    return Extracted(tuple(_parts(cues)), {}, note)


def _cues(text: str) -> Iterator[Cue]:
    for block in re.split(r"\n[ \t]*\n", text):
        lines = block.strip("\n").split("\n")
        if lines[0].startswith(_NOT_SAID) and "-->" not in lines[0] and len(lines) and not _timed(lines):
            continue
        for at, line in enumerate(lines):
            timing = _TIMING.fullmatch(line)
            if timing:
                said = _said(lines[at + 1 :])
                if has_words(said):
                    yield _seconds(timing.groups()[:4]), _seconds(timing.groups()[4:]), said
                break


def _timed(lines: list[str]) -> bool:
    return any(_TIMING.fullmatch(line) for line in lines[:4])


def _said(lines: list[str]) -> str:
    text = "\n".join(lines)
    text = _SPEAKER.sub(lambda found: f"{collapse(found[1])}: ", text)
    text = _TAG.sub("", text)
    for name, char in (("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&amp;", "&")):
        text = text.replace(name, char)
    return collapse(text)


def _without_rolling(cues: Iterator[Cue]) -> Iterator[Cue]:
    """Live captions show each line twice, as it rolls up: what the last cue ended with is not said again."""
    last = ""
    for start, end, said in cues:
        fresh = said.removeprefix(last).strip() if last else said
        if fresh:
            yield start, end, fresh
        last = said


def _seconds(groups: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, part = groups
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0) + float(f"0.{part}")


def _parts(cues: list[Cue]) -> Iterator[Part]:
    begun, ended, lines = cues[0][0], cues[0][1], list[str]()
    for start, end, said in cues:
        size = sum(map(len, lines))
        if lines and (size + len(said) > _LONGEST or start - ended > _PAUSE_S):
            yield _part(begun, ended, lines)
            begun, lines = start, []
        lines.append(said)
        ended = max(end, start)
    yield _part(begun, ended, lines)


def _part(start: float, end: float, lines: list[str]) -> Part:
    return Part("\n".join(lines), Place(start=start, end=end), Unit.TURN)


EXTRACTOR = Extractor("subtitles", (".vtt", ".srt"), extract)
