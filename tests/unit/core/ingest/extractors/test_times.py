"""Calendars and subtitles: what happens or is said, with its time."""

from pathlib import Path

import pytest

from reverie.domain.title import title_of
from reverie.ingest.chunking import chunk
from reverie.ingest.extractors import NoText, Unreadable, extract, kind_of
from reverie.ingest.extractors.calendar import from_calendar
from reverie.ingest.extractors.subtitles import from_subtitles

CALENDAR = r"""BEGIN:VCALENDAR
VERSION:2.0
X-WR-CALNAME:Family
BEGIN:VTIMEZONE
TZID:Europe/Berlin
END:VTIMEZONE
BEGIN:VEVENT
DTSTART;TZID=Europe/Berlin:20260312T143000
DTEND;TZID="Europe/Berlin":20260312T160000
SUMMARY:Printer\, second visit
LOCATION:Old harbour\; gate 4
ATTENDEE;CN="Duarte: Inés";ROLE=REQ-PARTICIPANT:mailto:ines@example.org
DESCRIPTION:Bring the proofs.\nAsk for the
  blue paper.
RRULE:FREQ=WEEKLY;COUNT=3
BEGIN:VALARM
DESCRIPTION:Reminder text
END:VALARM
END:VEVENT
BEGIN:VEVENT
DTSTART;VALUE=DATE:20260401
SUMMARY:Rent due
END:VEVENT
END:VCALENDAR
"""


def test_each_event_is_a_part_with_its_day(tmp_path: Path) -> None:
    path = tmp_path / "family.ics"
    path.write_bytes(CALENDAR.replace("\n", "\r\n").encode())
    read = extract(path)
    assert read.metadata == {"title": "Family"}
    assert [(part.place.row, part.place.heading) for part in read.parts] == [
        (1, "2026-03-12"),
        (2, "2026-04-01"),
    ]
    assert read.parts[0].text == (
        "Event: Printer, second visit\n- Begins: 2026-03-12 14:30 (Europe/Berlin)\n- Ends: 2026-03-12 16:00 (Europe/Berlin)"
        "\n- Repeats: FREQ=WEEKLY;COUNT=3\n- Where: Old harbour; gate 4\n- With: Duarte: Inés <ines@example.org>"
        "\n- Notes: Bring the proofs.\nAsk for the blue paper."
    )
    assert read.parts[1].text == "Event: Rent due\n- Begins: 2026-04-01"
    assert [title_of(piece.text, piece.place.heading) for piece in chunk(read.parts)] == [
        "Printer, second visit",
        "Rent due",
    ]


def test_calendars_that_are_cut_off_empty_or_none(tmp_path: Path) -> None:
    assert "Rent due" in from_calendar(CALENDAR[: CALENDAR.index("END:VCALENDAR") - 12]).parts[-1].text
    with pytest.raises(NoText):
        from_calendar("BEGIN:VCALENDAR\nEND:VCALENDAR\n")
    with pytest.raises(Unreadable):
        from_calendar("SUMMARY:nothing\n")
    (tmp_path / "a.txt").write_text(CALENDAR, encoding="utf-8")
    assert kind_of(tmp_path / "a.txt") == "calendar"


VTT = """WEBVTT - a talk

NOTE not for the audience

STYLE
::cue { color: red }

intro
00:01.000 --> 00:03.500 align:start
<v Inés>Good <b>morning</b> &amp; welcome.

01:00:05.250 --> 01:00:09.000
<v.loud Tomás>Beans
first.</v>
"""
SRT = "1\r\n00:00:01,000 --> 00:00:03,500\r\n{\\an8}<i>Good morning.</i>\r\n\r\n2\r\n00:00:03,600 --> 00:00:04,000\r\nBeans first.\r\n"


@pytest.mark.parametrize(
    ("name", "text", "parts"),
    [
        (
            "a.vtt",
            VTT,
            [(1.0, 3.5, "Inés: Good morning & welcome."), (3605.25, 3609.0, "Tomás: Beans first.")],
        ),
        ("a.srt", SRT, [(1.0, 4.0, "Good morning.\nBeans first.")]),
    ],
)
def test_subtitles_have_times(
    tmp_path: Path, name: str, text: str, parts: list[tuple[float, float, str]]
) -> None:
    (tmp_path / name).write_bytes(text.encode())
    found = extract(tmp_path / name).parts
    assert [(part.place.start, part.place.end, part.text) for part in found] == parts
    (piece,) = chunk(found)
    assert (piece.place.start, piece.place.end) == (parts[0][0], parts[-1][1])


def test_live_captions_that_roll_say_each_line_once() -> None:
    rolling = "".join(
        f"00:0{at}.000 --> 00:0{at + 1}.000\n{text}\n\n"
        for at, text in enumerate(("we meet", "we meet on friday", "on friday at nine"))
    )
    text = from_subtitles(rolling).parts[0].text
    assert text.split("\n")[:2] == ["we meet", "on friday"]


def test_long_talks_are_cut_and_each_piece_tells_when_it_was_said() -> None:
    cues = "".join(
        f"{n // 60:02d}:{n % 60:02d}.000 --> {n // 60:02d}:{n % 60:02d}.900\nSentence number {n} of the long talk.\n\n"
        for n in range(300)
    )
    pieces = chunk(from_subtitles(cues).parts)
    assert len(pieces) > 5
    starts = [piece.place.start for piece in pieces]
    assert starts == sorted(starts)  # type: ignore[type-var]
    assert all(f"Sentence number {int(piece.place.start or 0)} of" in piece.text for piece in pieces)


def test_subtitles_without_times_or_words() -> None:
    assert "read as text" in from_subtitles("Only prose.").note
    with pytest.raises(NoText):
        from_subtitles("00:01.000 --> 00:02.000\n♪\n")
