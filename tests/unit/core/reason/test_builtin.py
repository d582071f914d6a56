"""The reasoner without a model: it quotes, and what it quotes stands in the memories."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reverie.domain.ids import MemoryId
from reverie.domain.memory import Kind, Memory
from reverie.domain.text import collapse, has_words, sentences
from reverie.errors import Cancelled
from reverie.ingest.chunking import chunk
from reverie.ingest.extractors import extract
from reverie.reason.builtin import Builtin
from reverie.reason.summaries import MOST_SENTENCES, bare, word_vectors
from reverie.reason.topics import CANDIDATES

SAMPLES = Path(__file__).parents[4] / "resources" / "samples"
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def memory(number: int, content: str) -> Memory:
    return Memory(MemoryId(f"{number:012x}"), "default", Kind.NOTE, content, "general", NOW, NOW)


def pieces(path: Path) -> list[str]:
    return [piece.text for piece in chunk(extract(path).parts)]


def _is_made_of_sentences(summary: str, text: str) -> bool:
    """Whether nothing is left of a summary when the sentences of its text are taken out of it."""
    lines = [bare(sentence).partition("notes: ")[2] or bare(sentence) for sentence in sentences(text)]
    for line in sorted([bare(sentence) for sentence in sentences(text)] + lines, key=len, reverse=True):
        summary = summary.replace(line, "")
    return not has_words(summary)


@pytest.mark.parametrize("with_embedder", [True, False])
@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.*")), ids=lambda path: path.name)
def test_the_samples_are_described(path: Path, with_embedder: bool, hashing: Any) -> None:
    texts = pieces(path)
    described = Builtin(hashing if with_embedder else None).describe(texts)
    assert len(described) == len(texts)
    for text, found in zip(texts, described, strict=True):
        assert found.summary
        assert _is_made_of_sentences(found.summary, text)
        assert len(found.topics) <= 4
        assert all(len(topic) >= 3 and any(map(str.isalpha, topic)) for topic in found.topics)
        assert 0 <= found.importance <= 1
        assert len(set(found.entities)) == len(found.entities)
    assert sum(len(found.topics) >= 2 for found in described) >= 0.9 * len(described)


def test_sentences_of_many_texts_are_embedded_together(hashing: Any) -> None:
    texts = [f"This is the first sentence of text {n}. This is its second sentence." for n in range(50)]
    Builtin(hashing).describe(texts)
    assert len(hashing.calls) <= 3


def test_a_long_text_costs_no_more_than_a_short_one(hashing: Any) -> None:
    Builtin(hashing).describe(["Here comes one more sentence with words. " * 20_000])
    assert sum(hashing.calls) <= MOST_SENTENCES + CANDIDATES


def test_nothing_to_describe(hashing: Any) -> None:
    assert Builtin(hashing).describe([]) == []
    empty = Builtin(hashing).describe(["", "...", "\ud83d"])
    assert [found.topics for found in empty] == [(), (), ()]


def test_describing_can_be_stopped(hashing: Any) -> None:
    with pytest.raises(Cancelled):
        Builtin(hashing).describe(["A sentence of five words."], cancelled=lambda: True)


ROOF = [
    "The roof over the north room leaks in every storm.",
    "The slater wants 2,300 euros for the roof of the north room.",
    "The cat prefers dark rye bread.",
]


@pytest.mark.parametrize("with_embedder", [True, False])
def test_related_memories_give_a_finding_that_quotes_them(with_embedder: bool, hashing: Any) -> None:
    memories = [memory(n, content) for n, content in enumerate(ROOF)]
    found = Builtin(hashing if with_embedder else None).consolidate(memories, word_vectors(ROOF) * 0)
    assert [finding.sources for finding in found] == [(memories[0].id, memories[1].id)]
    said = found[0].insight.split("\n")
    assert said == ["2 memories speak of “north room” and “roof”.", f"“{ROOF[0]}”", f"“{ROOF[1]}”"]


def test_a_finding_prefers_sentences_that_stand_by_themselves() -> None:
    texts = [
        "The roof leaks over the north room. It was never mended by anybody so far.",
        "She says so every time that it rains. The roof of the north room needs a slater.",
    ]
    memories = [memory(n, content) for n, content in enumerate(texts)]
    (found,) = Builtin().consolidate(memories, np.ones((2, 1), dtype=np.float32))
    assert found.insight.split("\n")[1:] == [
        "“The roof leaks over the north room.”",
        "“The roof of the north room needs a slater.”",
    ]


def test_memories_with_no_phrase_in_common_are_said_to_be_related() -> None:
    memories = [
        memory(n, content)
        for n, content in enumerate(["Trains to Ellerby leave late.", "Nobody mends harbour cranes now."])
    ]
    (found,) = Builtin().consolidate(memories, np.ones((2, 1), dtype=np.float32))
    assert found.insight.startswith("2 memories say related things.\n“")


def test_the_vectors_decide_what_belongs_together() -> None:
    memories = [memory(n, content) for n, content in enumerate(ROOF)]
    vectors = np.array([[1, 0], [0, 1], [1, 0]], dtype=np.float32)
    assert [finding.sources for finding in Builtin().consolidate(memories, vectors)] == [
        (memories[0].id, memories[2].id)
    ]


def test_unrelated_memories_give_none() -> None:
    memories = [memory(0, "The roof leaks."), memory(1, "Cats like bread."), memory(2, "Trains are late.")]
    assert Builtin().consolidate(memories, np.eye(3, dtype=np.float32)) == []
    assert Builtin().consolidate([], np.zeros((0, 3), dtype=np.float32)) == []


def test_the_same_text_twice_is_no_insight() -> None:
    memories = [memory(0, "The roof leaks."), memory(1, "The  roof leaks.")]
    assert Builtin().consolidate(memories, np.ones((2, 1), dtype=np.float32)) == []


def test_rows_of_a_table_are_no_insight() -> None:
    memories = [memory(n, f"Date: {n}; Payee: Card sales; Amount: {n}") for n in range(4)]
    assert Builtin().consolidate(memories, np.ones((4, 1), dtype=np.float32)) == []


def test_the_same_memories_give_the_same_findings(hashing: Any) -> None:
    texts = [text for path in sorted(SAMPLES.glob("*.md")) for text in pieces(path)]
    memories = [memory(n, content) for n, content in enumerate(texts)]
    vectors = hashing.embed(texts)
    findings = Builtin(hashing).consolidate(memories, vectors)
    assert findings == Builtin(hashing).consolidate(memories, vectors)
    given = {memory.id for memory in memories}
    said = collapse("\n".join(texts))
    for finding in findings:
        assert len(finding.sources) >= 2
        assert set(finding.sources) <= given
        head, *quotes = finding.insight.split("\n")
        assert head.startswith(f"{len(finding.sources)} memories s")
        for quote in quotes:  # never a word that is not the memories' own
            assert quote.strip("“”").removesuffix("…") in said
