"""The ten samples: two of each kind, and twenty questions whose answers stand in them."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from reverie.domain.text import collapse, words
from reverie.ingest.chunking import chunk
from reverie.ingest.extractors import SUFFIXES, extract

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "resources" / "samples"
QUESTIONS: list[dict[str, Any]] = json.loads(
    (ROOT / "tests" / "data" / "questions.json").read_text(encoding="utf-8")
)


def test_there_are_two_of_each_kind() -> None:
    kinds = Counter(SUFFIXES[path.suffix] for path in SAMPLES.iterdir())
    assert kinds == {"text": 2, "markdown": 2, "json": 2, "csv": 2, "pdf": 2}


def test_there_are_twenty_questions_over_all_files() -> None:
    assert len(QUESTIONS) == 20
    assert {question["file"] for question in QUESTIONS} == {path.name for path in SAMPLES.iterdir()}


def test_half_of_the_questions_use_other_words_than_the_answer() -> None:
    assert sum(not question["keywords"] for question in QUESTIONS) >= 10


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["question"])
def test_exactly_one_memory_holds_the_answer(question: dict[str, Any]) -> None:
    pieces = [piece.text for piece in chunk(extract(SAMPLES / question["file"]).parts)]
    assert sum(question["phrase"] in collapse(piece) for piece in pieces) == 1
    assert words(question["question"])
