"""Reads locomo-dev.json (Maharana et al., ACL 2024; CC BY-NC 4.0) where it lies; nothing of it is kept here."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

CATEGORIES = {4: "single-hop", 1: "multi-hop", 2: "temporal", 3: "open domain", 5: "adversarial"}


@dataclass(frozen=True)
class Turn:
    """at: the session's time and a second for each turn before it. text: with the caption of its picture."""

    session: int
    speaker: str
    text: str
    at: datetime

    @property
    def words(self) -> str:
        return f"{self.speaker}: {self.text}"


@dataclass(frozen=True)
class Asked:
    """evidence: row numbers of what answers it, never empty."""

    question: str
    category: str
    evidence: frozenset[int]


@dataclass(frozen=True)
class Conversation:
    """said: what is searched, in order. facts: sentences about what was said, each true by itself; about_facts asks for
    them."""

    said: tuple[Turn, ...]
    asked: tuple[Asked, ...]
    facts: tuple[str, ...]
    about_facts: tuple[Asked, ...]

    @cached_property
    def turns(self) -> tuple[str, ...]:
        return tuple(turn.words for turn in self.said)


def conversations(folder: Path) -> list[Conversation]:
    content = json.loads((folder / "locomo-dev.json").read_text(encoding="utf-8"))
    return [_conversation(entry) for entry in content]


def _conversation(entry: Mapping[str, Any]) -> Conversation:
    ids, turns = zip(*_turns(entry["conversation"]), strict=True)
    rows: dict[str, set[int]] = {name: {row} for row, name in enumerate(ids)}
    facts, about = [], {}
    for row, (fact, named) in enumerate(_facts(entry["observation"])):
        facts.append(fact)
        for name in named:
            about.setdefault(name, set()).add(row)
    return Conversation(
        turns, tuple(_asked(entry["qa"], rows)), tuple(facts), tuple(_asked(entry["qa"], about))
    )


def _turns(sessions: Mapping[str, Any]) -> Iterator[tuple[str, Turn]]:
    numbers = sorted(
        int(key.removeprefix("session_")) for key in sessions if re.fullmatch(r"session_\d+", key)
    )
    for number in numbers:
        at = datetime.strptime(sessions[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
        for n, turn in enumerate(sessions[f"session_{number}"]):
            picture = turn.get("blip_caption")
            text = turn["text"] + (f" [image: {picture}]" if picture else "")
            when = at.replace(tzinfo=UTC) + timedelta(seconds=n)
            yield turn["dia_id"], Turn(number, turn["speaker"], text, when)


def _facts(observed: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    for by_speaker in observed.values():
        for told in by_speaker.values():
            yield from ((fact, _named(evidence)) for fact, evidence in told)


def _asked(entries: list[dict[str, Any]], rows: Mapping[str, set[int]]) -> Iterator[Asked]:
    """Questions of which some evidence is there."""
    for entry in entries:
        evidence = frozenset(row for name in _named(entry["evidence"]) for row in rows.get(name, ()))
        if evidence:
            yield Asked(entry["question"], CATEGORIES[entry["category"]], evidence)


def _named(evidence: object) -> list[str]:
    # A few evidence strings hold several ids or stray characters.
    return [f"D{a}:{b}" for a, b in re.findall(r"D:?(\d+):(\d+)", json.dumps(evidence))]
