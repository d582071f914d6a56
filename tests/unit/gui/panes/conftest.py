"""Insights are made by dreams only, or come with a dump; a dump is what tests can write by hand."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from reverie import Vault

Memories = Mapping[str, tuple[str, str]]
Insights = Sequence[tuple[str, str, list[str]]]
TakeIn = Callable[[Memories, Insights], None]


@pytest.fixture
def take_in(vault: Vault, tmp_path: Path) -> TakeIn:
    """Memories by id as (content, created), insights as (id, claim, ids of its memories)."""

    def take(memories: Memories, insights: Insights) -> None:
        dump = {
            "format": "reverie",
            "version": 1,
            "memories": [
                {"id": each, "content": content, "created_at": created}
                for each, (content, created) in memories.items()
            ],
            "insights": [
                {"id": each, "content": claim, "sources": sources, "created_at": "2025-11-02T10:00:00+00:00"}
                for each, claim, sources in insights
            ],
        }
        file = tmp_path / "dump.json"
        file.write_text(json.dumps(dump), encoding="utf-8")
        vault.import_(file)

    return take
