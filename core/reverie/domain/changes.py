"""What one act changed. A ChangeSet is computed from the change log, never declared by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from reverie.domain.ids import OperationId

PERSON = "person"
RETENTION = "retention"  # what the retention settings remove by themselves


@dataclass(frozen=True, slots=True)
class RowDelta:
    """Ids of one table that an act touched."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """One act: ``kind`` is a word such as "edit memory"; ``author`` is "person", "agent:<name>",
    "dream:<run>", "ingest:<item>", "import:<id>" or "retention"; ``rows`` is by table name. ``derived`` names
    untracked tables that changed (inbox items, vectors), for events only.

    ``detail["pruned"]`` is true where a retention setting has removed what it changed, ``detail["forgotten"]``
    where a text in it was forgotten for good: it can't be undone."""

    id: OperationId
    kind: str
    author: str
    at: datetime
    rows: Mapping[str, RowDelta] = field(default_factory=dict)
    detail: Mapping[str, Any] = field(default_factory=dict)
    undone: bool = False
    derived: frozenset[str] = frozenset()

    def touched(self, table: str) -> bool:
        return table in self.rows or table in self.derived


@dataclass(frozen=True, slots=True)
class Change:
    """One row of one table, before and after: None where it did not exist; updates hold only the
    columns that changed."""

    table: str
    row: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Version:
    """One change in the history of one row: what its operation was, and the columns before and after."""

    changeset: ChangeSet
    change: Change
