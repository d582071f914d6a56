"""How well search finds, on LoCoMo (its development half), beside other ways over the same texts in the same run.

REVERIE_BENCH_DATA names the folder of locomo-dev.json. One setting for everything; the shipped model; nothing is sent out.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.bench import rivals
from tests.bench.locomo import CATEGORIES, Asked, Conversation

from reverie import Vault
from reverie.embed.base import Embedder
from reverie.embed.factory import shipped_embedder

pytestmark = [
    pytest.mark.bench,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(
        "REVERIE_BENCH_DATA" not in os.environ,
        reason="REVERIE_BENCH_DATA names no folder with locomo-dev.json",
    ),
]

CUTS = (5, 10, 25, 50)
OURS = "Reverie"
LEAST_RECALL = 82.5  # at 10, one conversation a vault

Rank = Callable[[Asked], Sequence[int]]


class Found:
    """Recall and reciprocal rank of each question, percent."""

    def __init__(self) -> None:
        self._recall: dict[int, list[float]] = {cut: [] for cut in CUTS}
        self._first: list[float] = []
        self._categories: list[str] = []

    def take(self, asked: Iterable[Asked], rank: Rank) -> None:
        for each in asked:
            ranked = [int(row) for row in rank(each)]
            for cut, shares in self._recall.items():
                shares.append(100 * len(each.evidence.intersection(ranked[:cut])) / len(each.evidence))
            first = next((place for place, row in enumerate(ranked, 1) if row in each.evidence), 0)
            self._first.append(1 / first if first else 0)
            self._categories.append(each.category)

    def recall(self, cut: int = 10, category: str = "") -> float:
        shares = zip(self._recall[cut], self._categories, strict=True)
        return float(np.mean([share for share, of in shares if not category or of == category]))

    def cells(self) -> list[str]:
        return [
            *(f"{self.recall(cut):.1f}" for cut in CUTS),
            f"{np.mean(self._first):.3f}",
            *(f"{self.recall(10, category):.1f}" for category in CATEGORIES.values()),
        ]


HEADER = [*(f"R@{cut}" for cut in CUTS), "MRR", *(f"{category} R@10" for category in CATEGORIES.values())]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return shipped_embedder()


def searchers(texts: Sequence[str], vectors: np.ndarray) -> list[rivals.Rival]:
    return [
        rivals.RankBm25(texts),
        rivals.Fts5(texts),
        rivals.Fts5(texts, "porter unicode61"),
        rivals.Fts5(texts, "porter unicode61", telling=True),
        rivals.Bm25s(texts),
        rivals.Tantivy(texts),
        rivals.Cosine(vectors),
        rivals.HalfAndHalf(texts, vectors),
    ]


def take_rivals(
    found: dict[str, Found], texts: Sequence[str], asked: Sequence[Asked], embedder: Embedder
) -> None:
    questions = embedder.embed([each.question for each in asked])
    vectors = dict(zip([each.question for each in asked], questions, strict=True))
    for rival in searchers(texts, embedder.embed(texts)):
        found.setdefault(rival.name, Found()).take(
            asked, lambda each, rival=rival: rival.rank(each.question, vectors[each.question], max(CUTS))
        )


def store(vault: Vault, talk: Conversation, prefix: str = "") -> list[str]:
    """Message ids in the order of what was said."""
    ids: list[str] = []
    for number in sorted({turn.session for turn in talk.said}):
        session = f"{prefix}s{number:03}"
        turns = [turn for turn in talk.said if turn.session == number]
        vault.conversations.append_many(
            session,
            [
                {"role": "user", "name": turn.speaker, "content": turn.text, "created_at": turn.at}
                for turn in turns
            ],
        )
        kept = vault.conversations.messages(session)
        assert [message.content for message in kept] == [turn.text for turn in turns]
        ids += [message.id for message in kept]
    return ids


def searching(vault: Vault, rows: dict[str, int], sessions: Sequence[str] | None = None) -> Rank:
    def rank(asked: Asked) -> list[int]:
        hits = vault.conversations.search(asked.question, sessions, limit=max(CUTS))
        return [rows[hit.message.id] for hit in hits]

    return rank


def test_one_conversation_a_vault(
    talks: Sequence[Conversation], embedder: Embedder, tmp_path: Path, table: Any
) -> None:
    found = {OURS: Found()}
    for number, talk in enumerate(talks):
        with Vault.open(tmp_path / str(number)) as vault:
            rows = {message: row for row, message in enumerate(store(vault, talk))}
            vault.index.wait()
            found[OURS].take(talk.asked, searching(vault, rows))
        take_rivals(found, talk.turns, talk.asked, embedder)
    table.sheet(
        "LoCoMo, one conversation at a time", HEADER, {name: each.cells() for name, each in found.items()}
    )
    table.least("LoCoMo, R@10 of one conversation", found[OURS].recall(), "%", LEAST_RECALL)
    best = max(each.recall() for name, each in found.items() if name != OURS)
    table.least("LoCoMo, R@10 over that of the best other way", found[OURS].recall() - best, "points", 0)


def test_all_conversations_in_one_vault(
    talks: Sequence[Conversation], embedder: Embedder, tmp_path: Path, table: Any
) -> None:
    alone, within = "Reverie, sessions named", f"{OURS}, all searched"
    found = {within: Found(), alone: Found()}
    pooled: list[Asked] = []
    start = 0
    with Vault.open(tmp_path / "all") as vault:
        ids = [store(vault, talk, f"c{number}-") for number, talk in enumerate(talks)]
        vault.index.wait()
        rows = {message: row for row, message in enumerate(id for part in ids for id in part)}
        for number, talk in enumerate(talks):
            moved = [
                Asked(each.question, each.category, frozenset(start + row for row in each.evidence))
                for each in talk.asked
            ]
            sessions = sorted({f"c{number}-s{turn.session:03}" for turn in talk.said})
            found[within].take(moved, searching(vault, rows))
            found[alone].take(moved, searching(vault, rows, sessions))
            pooled += moved
            start += len(talk.said)
    take_rivals(found, [turn for talk in talks for turn in talk.turns], pooled, embedder)
    table.sheet(
        "LoCoMo, all conversations in one store", HEADER, {name: each.cells() for name, each in found.items()}
    )
    others = [each.recall() for name, each in found.items() if name not in (within, alone)]
    table.least(
        "LoCoMo in one store, R@10 over the best other way", found[within].recall() - max(others), "points", 0
    )


def test_facts_that_stand_alone(
    talks: Sequence[Conversation], embedder: Embedder, tmp_path: Path, table: Any
) -> None:
    found = {OURS: Found()}
    for number, talk in enumerate(talks):
        with Vault.open(tmp_path / str(number)) as vault:
            made = vault.memories.add_many([{"content": fact} for fact in talk.facts])
            rows = {memory.id: row for row, memory in enumerate(made)}
            vault.index.wait()
            found[OURS].take(
                talk.about_facts,
                lambda each, vault=vault, rows=rows: [
                    rows[hit.memory.id] for hit in vault.search(each.question, limit=max(CUTS))
                ],
            )
        take_rivals(found, talk.facts, talk.about_facts, embedder)
    table.sheet(
        "LoCoMo's observations, as memories", HEADER, {name: each.cells() for name, each in found.items()}
    )
    half = next(each for name, each in found.items() if name.startswith("half and half"))
    for cut in (5, 10):
        table.least(
            f"observations, R@{cut} over half and half",
            found[OURS].recall(cut) - half.recall(cut),
            "points",
            0,
        )
