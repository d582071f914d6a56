"""Fits the weights of messages in ``search/documents.py`` anew, and measures the cosine from which a row counts:

    python packaging/fit_ranking.py FOLDER      the folder of locomo-dev.json; about a minute

Listwise softmax over all turns of a conversation, each conversation held out in turn. Prints what the weights in the code,
those fitted to all, and those fitted without the conversation that is asked about find; changes nothing.
"""
# ruff: noqa: T201 (the table is the result)

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "core"), str(ROOT)]

from tests.bench.locomo import Conversation, conversations  # noqa: E402

from reverie import Vault  # noqa: E402 - the checkout's own, whatever is installed
from reverie.search import question  # noqa: E402
from reverie.search.documents import KINDS, Weights  # noqa: E402
from reverie.search.ranking import ranked  # noqa: E402
from reverie.search.sought import seek  # noqa: E402
from reverie.store.texts import MESSAGE  # noqa: E402

NAMES = [field.name for field in fields(Weights)]
FLOORS = (-1.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6)

_PENALTY = 1e-3
_STEPS = 25

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """Of each turn: signs (turns, weights), cosine, whether it is right, whether words alone find it."""

    signs: Floats
    cosine: Floats
    is_right: NDArray[np.bool_]
    has_words: NDArray[np.bool_]

    def recall(self, scores: Floats, found: NDArray[np.bool_] | None = None, cut: int = 10) -> float:
        """Share of the right turns among the first; found: only these."""
        if found is not None:
            scores = np.where(found, scores, -np.inf)
        best = np.argsort(-scores, kind="stable")[:cut]
        return float((self.is_right[best] & np.isfinite(scores[best])).sum() / self.is_right.sum())


def read(talk: Conversation, folder: Path) -> Iterator[Asked]:
    with Vault.open(folder) as vault:
        ids: list[str] = []
        for number in sorted({turn.session for turn in talk.said}):
            vault.conversations.append_many(
                f"s{number:03}",
                [
                    {"role": "user", "name": turn.speaker, "content": turn.text, "created_at": turn.at}
                    for turn in talk.said
                    if turn.session == number
                ],
            )
            ids += [message.id for message in vault.conversations.messages(f"s{number:03}")]
        vault.index.wait()
        yield from _asked(vault, talk, ids)


def _asked(vault: Vault, talk: Conversation, ids: Sequence[str]) -> Iterator[Asked]:
    embedder = vault.embedder()
    assert embedder is not None
    words, vectors = vault._finders.words(MESSAGE), vault._finders.vectors(MESSAGE, embedder)
    words.catch_up()
    vectors.catch_up()
    slots = np.flatnonzero(words.rows["alive"])
    seqs = words.rows["seq"][slots].tolist()
    stored = vault._database.sought_messages.load(seqs)
    row_of = {message: row for row, message in enumerate(ids)}
    rows = np.array([row_of[stored[seq].id] for seq in seqs])
    place = {seq: row for seq, row in zip(seqs, rows.tolist(), strict=True)}
    for each in talk.asked:
        sought = seek(words, question.read(each.question), (vectors, embedder.embed([each.question])[0]))
        signs = np.zeros((len(rows), len(NAMES)))
        for name in NAMES:
            # Alone, so that signs that share a part of the score (both neighbours) are told apart.
            words.kind = replace(
                KINDS[MESSAGE], weights=Weights(**{other: float(other == name) for other in NAMES})
            )
            found = ranked(sought, slots, "hybrid", 0.0)
            order = [place[seq] for seq in found.seqs]
            signs[order, NAMES.index(name)] = found.scores
        cosine = np.zeros(len(rows))
        cosine[order] = found.cosine
        is_right, has_words = np.zeros(len(rows), np.bool_), np.zeros(len(rows), np.bool_)
        is_right[list(each.evidence)] = True
        has_words[rows[np.isin(slots, sought.strength.slots)]] = True
        yield Asked(signs, cosine, is_right, has_words)


def fit(asked: Sequence[Asked]) -> Floats:
    """By Newton's method: the loss is convex."""
    weights = np.zeros(len(NAMES))
    for _step in range(_STEPS):
        slope = 2 * _PENALTY * weights
        curve = 2 * _PENALTY * np.eye(len(NAMES))
        for each in asked:
            scores = each.signs @ weights
            chance = np.exp(scores - scores.max())
            chance /= chance.sum()
            mean = chance @ each.signs
            slope += (mean - each.signs[each.is_right].mean(axis=0)) / len(asked)
            curve += ((each.signs * chance[:, None]).T @ each.signs - np.outer(mean, mean)) / len(asked)
        step = np.linalg.solve(curve, slope)
        weights -= step * min(1.0, 3 / np.linalg.norm(step))
        if np.abs(step).max() < 1e-6:
            break
    return weights


def recall(asked: Sequence[Asked], weights: Floats) -> float:
    return 100 * float(np.mean([each.recall(each.signs @ weights) for each in asked]))


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        talks = [
            list(read(talk, Path(scratch) / str(number))) for number, talk in enumerate(conversations(folder))
        ]
    everything = [each for talk in talks for each in talk]
    code = np.array([getattr(KINDS[MESSAGE].weights, name) for name in NAMES])
    fitted = fit(everything)
    left_out = [
        recall(talk, fit([each for other in talks if other is not talk for each in other])) for talk in talks
    ]
    shares = [len(talk) / len(everything) for talk in talks]
    scale = fitted[:3].mean()  # so that words, coverage and meaning weigh 1 together, as in the code
    print("weight           code  fitted")
    for name, is_now, would_be in zip(NAMES, code, fitted / scale, strict=True):
        print(f"{name:<14} {is_now:6.2f} {would_be:7.2f}")
    print(
        f"\nR@10 of {len(everything)} questions: {recall(everything, code):.1f} with the weights in the code,"
    )
    print(
        f"  {recall(everything, fitted):.1f} fitted to all, {np.dot(left_out, shares):.1f} each conversation left out"
    )
    print("\ncosine from   right turns   others   R@10 with words   R@10 by meaning alone")
    for floor in FLOORS:
        kept = np.concatenate([each.cosine[each.is_right] >= floor for each in everything]).mean()
        other = np.concatenate([each.cosine[~each.is_right] >= floor for each in everything]).mean()
        both = [
            each.recall(each.signs @ code, each.has_words | (each.cosine >= floor)) for each in everything
        ]
        alone = [each.recall(each.cosine, each.cosine >= floor) for each in everything]
        name = "any" if floor < 0 else f"{floor:.2f}"
        print(
            f"{name:<13} {100 * kept:10.1f}% {100 * other:7.1f}% {100 * np.mean(both):17.1f} {100 * np.mean(alone):23.1f}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    main(parser.parse_args().folder)
