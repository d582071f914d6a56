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

    def then(self, later: "Change") -> "Change":
        """This and a later change of the same row as one."""
        before: Mapping[str, Any] | None = None
        after: Mapping[str, Any] | None = None
        if self.before is not None:
            before = {**(later.before or {}), **self.before} if self.after is not None else self.before
        if later.after is not None:
            after = {**(self.after or {}), **later.after}
        return Change(self.table, self.row, before, after)


@dataclass(frozen=True, slots=True)
class Version:
    """One change in the history of one row: what its changeset was, and the columns before and after."""

    changeset: ChangeSet
    change: Change


@dataclass(slots=True)
class Act:
    """Several writes that are one act to whoever makes them: the pauses of one spell of typing.

    Give the same one to each write. A write joins the changeset of the one before as long as that stands and
    the author has done nothing else since; else it begins a new one.
    """

    changeset: OperationId | None = None
