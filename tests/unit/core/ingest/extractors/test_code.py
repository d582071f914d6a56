"""Source code and settings stay as they are written, each piece with its lines."""

from itertools import pairwise
from pathlib import Path

import pytest

from reverie.domain.title import title_of
from reverie.ingest.chunking import chunk
from reverie.ingest.extractors import extract, kind_of
from reverie.ingest.extractors.code import from_code

PYTHON = '''"""Prices of one roast."""

import math

RATE = 0.19


@cached
def gross(net: float) -> float:
    """Net and tax."""

    return net * (1 + RATE)


class Roast:
    def weight(self) -> float:
        return 12.5
'''


def test_pieces_begin_at_definitions_and_tell_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "price.py"
    path.write_text(PYTHON, encoding="utf-8")
    read = extract(path)
    assert read.metadata == {"language": "python"}
    assert [(part.place.heading, part.place.row, part.place.row_end) for part in read.parts] == [
        ("", 1, 5),
        ("def gross(net: float) -> float", 8, 12),
        ("class Roast", 15, 17),
    ]
    assert read.parts[1].text.startswith("```python\n@cached\ndef gross")


def test_small_definitions_share_a_memory_whose_lines_reach_from_the_first_to_the_last() -> None:
    (piece,) = chunk(from_code(PYTHON, "python").parts)
    assert (piece.place.row, piece.place.row_end) == (1, 17)
    for line in filter(str.strip, PYTHON.split("\n")):
        assert line in piece.text


def test_a_piece_of_code_is_named_by_its_definition_or_its_first_line() -> None:
    assert title_of("```python\nimport math\n```") == "import math"
    assert title_of("class Roast\n\n```python\nclass Roast:\n```", "class Roast") == "class Roast"


def test_yaml_keeps_its_comments_and_is_never_expanded(tmp_path: Path) -> None:
    path = tmp_path / "proxy.yml"
    bomb = "a: &a [x, x]\n" + "".join(
        f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdef", "bcdefg", strict=True)
    )
    path.write_text(f"# The printer must stay reachable.\nproxy:\n  port: 8443\n\n{bomb}", encoding="utf-8")
    text = "\n".join(part.text for part in extract(path).parts)
    assert "# The printer must stay reachable.\nproxy:\n  port: 8443" in text
    assert "g: &g [*f, *f]" in text


def test_a_long_function_is_cut_and_nothing_of_it_is_lost() -> None:
    body = "".join(f"    step_{number} = prepare({number})\n" for number in range(500))
    read = from_code(f"def all():\n{body}")
    assert len(read.parts) > 10
    assert {part.place.heading for part in read.parts} == {"def all()"}
    rows = [(part.place.row, part.place.row_end) for part in read.parts]
    assert rows[0][0] == 1
    assert rows[-1][1] == 501
    assert all(before[1] + 1 == after[0] for before, after in pairwise(rows))


def test_backticks_in_the_code_do_not_close_its_fence() -> None:
    assert from_code("x = '```'", "python").parts[0].text == "````python\nx = '```'\n````"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.log", "text"),
        ("a.yaml", "code"),
        ("a.YML", "code"),
        ("a.rs", "code"),
        ("a.toml", "code"),
        ("a.vue", "code"),
    ],
)
def test_names_of_code_and_settings(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / name).write_text("<template>{}</template>\n", encoding="utf-8")
    assert kind_of(tmp_path / name) == kind
