"""A dream run and what it proposes."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from reverie.domain.ids import MemoryId, OperationId, ProposalId, RunId


class RunState(StrEnum):
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class ProposalKind(StrEnum):
    MERGE = "merge"
    INSIGHT = "insight"
    CONSOLIDATE = "consolidate"  # marks its sources as seen; nothing else changes


class Decision(StrEnum):
    PENDING = "pending"
    APPLIED = "applied"
    REJECTED = "rejected"
    VETOED = "vetoed"  # a check refused it
    SKIPPED = "skipped"  # a source changed since it was read


class Head(NamedTuple):
    """As much of a memory as fits in mind a hundred thousand times; ``created`` and ``version`` (its updated_at)
    are in microseconds."""

    id: MemoryId
    content_hash: str
    created: int
    version: int
    pinned: bool
    muted: bool
    consolidated: bool


@dataclass(frozen=True, slots=True)
class Proposal:
    """One step that a pass wants. ``sources`` are the memories it read, ``versions`` their updated_at
    (microseconds) at that time; ``after`` holds the fields of what would be made."""

    id: ProposalId
    run: RunId
    kind: ProposalKind
    title: str
    why: str
    sources: tuple[MemoryId, ...]
    versions: Mapping[MemoryId, int] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    decision: Decision = Decision.PENDING
    note: str = ""

    @property
    def mark(self) -> str:
        """The same for the same step over the same versions of the same memories, in any run."""
        read = [(memory, self.versions.get(memory)) for memory in sorted(self.sources)]
        step = json.dumps([self.kind, read, self.after.get("content")])
        return hashlib.sha256(step.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class DreamRun:
    """``counts`` has numbers by word. Memories: read, merged (that went into merges), consolidated, left (that wait for
    the next dream). Steps: insights, skipped, vetoed. Passes: failed."""

    id: RunId
    kb: str
    state: RunState
    started_at: datetime
    ended_at: datetime | None = None
    reasoner: str = "builtin"
    operation: OperationId | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
