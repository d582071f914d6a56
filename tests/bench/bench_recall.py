"""What the shipped model finds by itself: recall on LoCoMo, each question within its own conversation.

    REVERIE_BENCH_DATA=FOLDER pytest -m bench -s tests/bench/bench_recall.py

REVERIE_BENCH_FP32: a folder with the 32-bit model, measured beside it; then the loss of recall@25 is held to 0.5 points.
"""
# ruff: noqa: T201 (the table is the result)

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reverie.embed.base import Embedder
from reverie.embed.factory import load_embedder

CUTS = (5, 10, 25)
LARGEST_LOSS = 0.5


def recall(embedder: Embedder, talks: Sequence[Any]) -> dict[int, float]:
    """Percent of a question's evidence among the first k turns by cosine, mean over the questions, by k."""
    shares: dict[int, list[float]] = {cut: [] for cut in CUTS}
    for talk in talks:
        turns = embedder.embed(talk.turns)
        asked = embedder.embed([each.question for each in talk.asked])
        ranked = np.argsort(-(asked @ turns.T), axis=1, kind="stable")
        for row, each in zip(ranked, talk.asked, strict=True):
            for cut in CUTS:
                shares[cut].append(len(each.evidence & set(row[:cut].tolist())) / len(each.evidence))
    return {cut: 100 * float(np.mean(found)) for cut, found in shares.items()}


@pytest.mark.bench
@pytest.mark.timeout(1800)
@pytest.mark.skipif("REVERIE_BENCH_DATA" not in os.environ, reason="REVERIE_BENCH_DATA names no folder")
def test_recall_on_locomo(talks: Sequence[Any]) -> None:
    found = {"shipped int8": recall(load_embedder(), talks)}
    if folder := os.environ.get("REVERIE_BENCH_FP32"):
        found["fp32"] = recall(load_embedder(Path(folder)), talks)
    print("\nmodel          " + "".join(f"  R@{cut:<4}" for cut in CUTS))
    for name, shares in found.items():
        print(f"{name:<14} " + "".join(f"{share:7.1f}" for share in shares.values()))
    if "fp32" in found:
        assert found["shipped int8"][25] >= found["fp32"][25] - LARGEST_LOSS
