"""A search reads the rows that it finds and what was written since the last one, and walks through no table."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from reverie import Vault

_WALK = re.compile(r"^SCAN (memories|messages|embeddings|touched)\b|\(kind=\?\):")

Asked = list[tuple[str, Any]]


@pytest.fixture
def asked() -> Iterator[Asked]:
    """Every statement with its parameters, as SQLite is asked."""
    found: Asked = []

    def take(_connection: object, _cursor: object, statement: str, parameters: Any, *_rest: object) -> None:
        found.append((statement, parameters))

    event.listen(Engine, "before_cursor_execute", take)
    yield found
    event.remove(Engine, "before_cursor_execute", take)


def walks(file: Path, asked: Asked) -> list[str]:
    """Steps of these statements that look at every row of a table, or at every row of a kind."""
    with sqlite3.connect(file) as connection:
        plans = [
            f"{step}: {statement}"
            for statement, parameters in asked
            if statement.startswith("SELECT")
            for *_numbers, step in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
        ]
    return [step for step in plans if _WALK.search(step)]


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_a_search_walks_through_no_table(tmp_path: Path, asked: Asked, mode: Any) -> None:
    with Vault.open(tmp_path) as vault:
        vault.memories.add_many([{"content": f"Ada moved meeting {n} to the harbour"} for n in range(300)])
        vault.conversations.append_many(
            "s1", [{"role": "user", "content": f"Where is meeting {n} now?"} for n in range(300)]
        )
        vault.index.wait()
        vault.search("the meeting at the harbour", mode=mode)
        vault.conversations.search("the meeting at the harbour", mode=mode)
        asked.clear()

        assert vault.search("which meeting", mode=mode)
        assert vault.conversations.search("which meeting", mode=mode)

        assert asked
        assert walks(vault.file, asked) == []
