"""Files of an odd shape take no more work for their size than a plain text does.

The work is counted: memories, characters in them, texts and characters that are embedded. Each shape is read in one
size and in four times that; a step that is not linear shows in the counts, or runs into the time limit of the suite.
"""

import base64
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.core.reason.conftest import Hashing

from reverie import Vault
from reverie.domain.inbox import ItemState
from reverie.ingest.chunking import chunk
from reverie.ingest.extractors import extract
from reverie.reason.builtin import Builtin

WORDS = [
    "harbour",
    "bridge",
    "ferry",
    "Monday",
    "Ada",
    "plan",
    "costs",
    "rent",
    "window",
    "garden",
    "report",
    "signed",
    "invoice",
    "with",
    "and",
    "the",
    "of",
]


def prose(words: int) -> str:
    chance = random.Random(words)
    return " ".join(chance.choices(WORDS, k=words))


def noise(size: int) -> str:
    return base64.b64encode(random.Random(size).randbytes(size * 3 // 4)).decode()


def lines_of(text: str, width: int) -> str:
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


SHAPES: dict[str, Callable[[int], str]] = {
    "one line.txt": lambda size: prose(size // 6),
    "one word.txt": lambda size: "".join(random.Random(size).choices("abcdefghij", k=size)),
    "base64.txt": noise,
    "base64 in lines.txt": lambda size: lines_of(noise(size), 76),
    "punctuation.txt": lambda size: "Ada" + "".join(random.Random(size).choices("!?.,;:-()[]\"'`~*", k=size)),
    "full stops.txt": lambda size: "a." * (size // 2),
    "ellipses.txt": lambda size: "Ada said that she would come. " + "." * size,
    "line ends.txt": lambda size: "Hello world" + "\n" * size + "and good night",
    "blanks.txt": lambda size: "Hello" + " " * size + "world",
    "accents.txt": lambda size: "Hello e" + "\u0301" * size,
    "short lines.txt": lambda size: lines_of(prose(size // 6), 10),
    "bullets.md": lambda size: "\n".join(f"- {prose(2)} {n}" for n in range(size // 15)),
    "headings alone.md": lambda size: "\n".join(f"# Plan {n}" for n in range(size // 10)),
    "empty sections.md": lambda size: "\n".join(f"# Plan {n}\n--" for n in range(size // 12)),
    "deep headings.md": lambda size: "\n".join(
        f"{'#' * (n % 6 + 1)} {'Plan ' * 9}{n}\n{prose(20)}" for n in range(size // 200)
    ),
    "a heading without end.md": lambda size: f"# {prose(size // 12)}\n\n{prose(size // 12)}",
    "a heading of blanks.md": lambda size: f"# Ada{' ' * size}x\n# Ada{' ' * size}{'#' * size}x\nA sentence here.",
    "fences.md": lambda size: "Hello world\n" + "```\n" * (size // 4),
    "minified.json": lambda size: json.dumps(
        [{"id": n, "name": prose(2), "in": {"note": prose(9)}} for n in range(size // 110)], separators=(",", ":")
    ),
    "minified without an end.txt": lambda size: '{"id":1,"name":"Ada","town":"Linz"},' * (size // 36),
    "one value.json": lambda size: json.dumps({"note": noise(size)}),
    "a key without end.json": lambda size: json.dumps(
        {"k" * (size // 2): {f"v{n}": f"Ada {n}" for n in range(size // 40)}}
    ),
    "one giant cell.csv": lambda size: f'name,town,note\nAda,Linz,short\nBob,Graz,"{prose(size // 6)}"\n',
    "a name without end.csv": lambda size: f"{'name ' * (size // 10)},town\n" + "Ada,Linz\n" * (size // 18),
    "wide.csv": lambda size: f"{','.join(f'c{n}' for n in range(size // 12))}\n"
    + ",".join(f"Ada {n}" for n in range(size // 12)),
}  # fmt: skip
SIZE = 15_000


def work(path: Path) -> dict[str, int]:
    parts = chunk(extract(path).parts)
    embedder = Hashing()
    described = Builtin(embedder).describe([part.text for part in parts])
    assert len(described) == len(parts)
    return {
        "memories": len(parts),
        "characters": sum(len(part.text) for part in parts),
        "embedded texts": sum(embedder.calls),
    }


@pytest.mark.parametrize("name", SHAPES)
def test_the_work_is_linear_and_small(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(SHAPES[name](SIZE), encoding="utf-8")
    small = work(path)
    path.write_text(SHAPES[name](4 * SIZE), encoding="utf-8")
    length = path.stat().st_size
    large = work(path)
    assert 0 < large["memories"] <= 4 + length / 100
    assert large["characters"] <= 4 * length
    assert large["embedded texts"] <= 14 * large["memories"]  # eight sentences and six phrases
    for count, before in small.items():
        assert large[count] <= 6 * before + 20, count


@pytest.mark.parametrize("name", ["one word.txt", "base64.txt", "base64 in lines.txt", "one value.json"])
def test_what_nobody_wrote_to_be_read_takes_few_memories_and_is_kept_whole(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    text = SHAPES[name](400_000)
    path.write_text(text, encoding="utf-8")
    parts = chunk(extract(path).parts)
    assert len(parts) <= 150
    kept = "".join("".join(part.text.split()) for part in parts)
    assert "".join(text.strip('{}"').removeprefix('note": "').split()) in kept


def test_a_text_that_comes_again_and_again_is_described_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    described: list[str] = []
    real = Builtin.describe

    def counting(self: Builtin, texts: list[str], **rest: object) -> object:
        described.extend(texts)
        return real(self, texts, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Builtin, "describe", counting)
    path = tmp_path / "log.txt"
    path.write_text("The ferry is late. " * 4000, encoding="utf-8")
    with Vault.open(tmp_path / "vault") as vault:
        (item,) = vault.ingest(path)
    assert item.state is ItemState.DONE
    assert len(described) == len(set(described)) <= 3


def test_the_columns_of_a_wide_table_are_kept_but_not_repeated_by_each_memory(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(SHAPES["wide.csv"](40_000), encoding="utf-8")
    with Vault.open(tmp_path / "vault") as vault:
        (item,) = vault.ingest(path)
        memories = vault.memories.get_many(item.memories)
    with_columns = [memory for memory in memories if "file" in memory.metadata]
    assert len(memories) > 10
    assert len(with_columns) == 1
    assert with_columns[0].metadata["file"]["columns"][-1] == f"c{40_000 // 12 - 1}"
