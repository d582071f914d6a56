"""Looks for what several memories say together: memories that no dream has seen, in batches, oldest first."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from reverie.domain.clock import to_micros
from reverie.domain.dream import Head, Proposal, ProposalKind
from reverie.domain.ids import MemoryId, ProposalId, new_id
from reverie.domain.memory import Memory
from reverie.domain.progress import Cancel, Progress
from reverie.domain.text import shorten
from reverie.dream.passes.base import (
    Material,
    Setting,
    in_batches,
    stop_if,
    unless,
)
from reverie.embed.base import Vectors
from reverie.errors import Cancelled, ReverieError, UserError
from reverie.i18n import _, ngettext
from reverie.reason.base import Finding, Reasoner

_FAILURES = 3  # in a row, after which the rest is left for another dream


class Consolidate:
    """Proposes, for each batch, the insights that the reasoner found in it and that its memories count as seen.

    batch: memories a batch (Google's agent: its newest 10, so that a backlog starves; here the oldest first). A batch
    of one is left for the time when there is another. Muted memories wait: an insight would tell an agent what they say.
    A memory without a vector (there is no embedder) comes with a row of zeros, near to nothing.
    """

    name = "consolidate"

    def __init__(self, reasoner: Reasoner, batch: int = 20, limit: int = 2000) -> None:
        self.reasoner = reasoner
        self.batch = batch
        self.limit = limit

    @property
    def title(self) -> str:
        return _("Find insights")

    def propose(
        self, material: Material, setting: Setting, *, progress: Progress, cancelled: Cancel
    ) -> Iterator[Proposal]:
        """Raises UserError at the end where the reasoner failed on some batches; those stay as they are."""
        pending = [head.id for head in material.heads() if is_pending(head)][: self.limit]
        failed: list[ReverieError] = []
        in_a_row = 0
        for done, ids in enumerate(in_batches(pending, self.batch)):
            stop_if(cancelled)
            progress(done * self.batch, len(pending), _("Looking for insights"))
            try:
                yield from self._batch(ids, material, setting, cancelled)
                in_a_row = 0
            except Cancelled:
                raise
            except ReverieError as error:
                failed.append(error)
                in_a_row += 1
                if in_a_row == _FAILURES:
                    break
        progress(len(pending), len(pending), _("Looking for insights"))
        if failed:
            raise UserError(
                ngettext(
                    "The reasoner failed on {count} batch of memories",
                    "The reasoner failed on {count} batches of memories",
                    len(failed),
                ).format(count=len(failed)),
                detail=str(failed[-1]),
                hint=_("They are looked at again in the next dream"),
                retryable=True,
            )

    def _batch(
        self, ids: Sequence[MemoryId], material: Material, setting: Setting, cancelled: Cancel
    ) -> Iterator[Proposal]:
        memories = material.memories(ids)
        if len(memories) < 2:
            return
        versions = {memory.id: to_micros(memory.updated_at) for memory in memories}
        rows = _rows(memories, material)
        for finding in unless(cancelled, lambda: self.reasoner.consolidate(memories, rows)):
            yield _insight(finding, memories, versions, setting)
        yield Proposal(
            id=ProposalId(new_id()),
            run=setting.run,
            kind=ProposalKind.CONSOLIDATE,
            title=ngettext("{count} memory seen", "{count} memories seen", len(memories)).format(
                count=len(memories)
            ),
            why=_("Looked at together, oldest first"),
            sources=tuple(versions),
            versions=versions,
        )


def is_pending(head: Head) -> bool:
    """Whether a memory waits to be consolidated."""
    return not head.consolidated and not head.muted


def _rows(memories: Sequence[Memory], material: Material) -> Vectors:
    """One row a memory; zeros where there is no vector."""
    ids = [memory.id for memory in memories]
    found, matrix = material.vectors(ids, make=True)
    rows = np.zeros((len(ids), matrix.shape[1] if matrix.ndim == 2 and len(matrix) else 1), np.float32)
    place = {id: at for at, id in enumerate(ids)}
    if found:
        rows[[place[id] for id in found]] = matrix
    return rows


def _insight(
    finding: Finding, memories: Sequence[Memory], versions: Mapping[MemoryId, int], setting: Setting
) -> Proposal:
    """As important as the most important memory that it rests on."""
    sources = tuple(dict.fromkeys(finding.sources))
    weights = [memory.importance for memory in memories if memory.id in sources]
    after = {
        "id": new_id(),
        "content": finding.insight,
        "summary": "",
        "importance": max(weights, default=0.5),
    }
    count = len(sources)
    return Proposal(
        id=ProposalId(new_id()),
        run=setting.run,
        kind=ProposalKind.INSIGHT,
        title=shorten(finding.insight, 80),
        why=ngettext("Said by {count} memory", "Said by {count} memories together", count).format(
            count=count
        ),
        sources=sources,
        versions={id: versions[id] for id in sources if id in versions},
        after=after,
    )
