"""Reads locomo-dev.json (Maharana et al., ACL 2024; CC BY-NC 4.0) where it lies; nothing of it is kept here."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Conversation:
    """turns: what is searched, in order. questions: each with the row numbers of its evidence (never empty)."""

    turns: tuple[str, ...]
    questions: tuple[tuple[str, frozenset[int]], ...]


def conversations(folder: Path) -> list[Conversation]:
    content = json.loads((folder / "locomo-dev.json").read_text(encoding="utf-8"))
    return [_conversation(entry["conversation"], entry["qa"]) for entry in content]


def _conversation(sessions: Mapping[str, Any], asked: list[dict[str, Any]]) -> Conversation:
    numbers = sorted(
        int(key.removeprefix("session_")) for key in sessions if re.fullmatch(r"session_\d+", key)
    )
    turns = [turn for number in numbers for turn in sessions[f"session_{number}"]]
    rows = {turn["dia_id"]: row for row, turn in enumerate(turns)}
    questions = []
    for entry in asked:
        # A few evidence strings hold several ids or stray characters.
        named = [f"D{a}:{b}" for text in entry["evidence"] for a, b in re.findall(r"D:?(\d+):(\d+)", text)]
        if evidence := frozenset(rows[name] for name in named if name in rows):
            questions.append((entry["question"], evidence))
    return Conversation(tuple(map(_words, turns)), tuple(questions))


def _words(turn: Mapping[str, str]) -> str:
    picture = turn.get("blip_caption")
    return f"{turn['speaker']}: {turn['text']}" + (f" [image: {picture}]" if picture else "")
