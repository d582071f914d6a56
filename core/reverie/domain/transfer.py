"""What an export wrote and what an import found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ExportReport:
    """``size`` in bytes; ``counts`` of records by section ("memories", "insights", ...)."""

    path: Path
    format: str
    size: int
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Problem:
    """A record that was not taken: its section, its number there (from 1; 0: the file itself), and why."""

    section: str
    number: int
    reason: str


Verdict = str | None
"""What became of a record: None where it is new, "" where the vault holds it already, else why it is not taken."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """``id`` is the changeset's author without "import:". ``new`` records were stored, ``known`` ones the vault
    holds already (they were left as they are), both by section."""

    id: str
    new: Mapping[str, int] = field(default_factory=dict)
    known: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
