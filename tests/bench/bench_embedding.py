"""How fast texts become vectors: the shipped int8 file beside the 32-bit model it was made from.

    pytest -m bench -s tests/bench/bench_embedding.py

REVERIE_BENCH_FP32: a folder with the 32-bit model (packaging/export_model.py --fp32 makes one); without it only
the shipped file is timed. REVERIE_BENCH_DATA: a folder with locomo-dev.json, whose turns are then the texts.
"""
# ruff: noqa: T201 (the table is the result)

import os
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reverie.embed.base import Embedder
from reverie.embed.factory import load_embedder

THREADS = 2
ROUNDS = 5
TEXTS = 160
WORDS = [
    "the",
    "ferry",
    "to",
    "bergen",
    "leaves",
    "at",
    "six",
    "so",
    "she",
    "packed",
    "her",
    "boots",
    "a",
    "thermos",
    "and",
    "the",
    "letter",
    "from",
    "the",
    "bank",
]


def _texts(talks: Sequence[Any]) -> list[str]:
    draw = random.Random(7)
    if talks:
        return draw.sample([turn for talk in talks for turn in talk.turns], TEXTS)
    return [" ".join(draw.choices(WORDS, k=draw.randint(5, 45))) for _ in range(TEXTS)]


def _seconds(embedder: Embedder, texts: Sequence[str]) -> float:
    start = time.perf_counter()
    embedder.embed(texts)
    return time.perf_counter() - start


@pytest.mark.bench
@pytest.mark.timeout(1200)
def test_sentences_a_second(talks: Sequence[Any]) -> None:
    embedders = {"shipped int8": load_embedder(threads=THREADS)}
    if folder := os.environ.get("REVERIE_BENCH_FP32"):
        embedders["fp32"] = load_embedder(Path(folder), threads=THREADS)
    # Equal small loads in turn, and the best of each: other work on the machine then weighs on all alike.
    texts = sorted(_texts(talks), key=len)
    loads = [texts[start : start + 32] for start in range(0, len(texts), 32)]
    best = {name: [float("inf")] * len(loads) for name in embedders}
    for _ in range(ROUNDS):
        for number, load in enumerate(loads):
            for name, embedder in embedders.items():
                best[name][number] = min(best[name][number], _seconds(embedder, load))
    print(
        f"\n{len(texts)} texts, {THREADS} threads, best of {ROUNDS}\nmodel          sentences/s   times fp32"
    )
    for name, seconds in best.items():
        ratio = f"{sum(best['fp32']) / sum(seconds):10.2f}" if "fp32" in best else "not measured"
        print(f"{name:<14} {len(texts) / sum(seconds):11.0f} {ratio:>12}")
