"""One dream: it reads, the passes propose, the checks veto, and what is left is applied as one changeset.

Nothing is written but the run's own row before the last transaction; a crash or a cancel at any point leaves
either nothing or everything. No model is called inside a transaction.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Protocol

from reverie.domain.clock import now
from reverie.domain.dream import Decision, DreamRun, Proposal, ProposalKind, RunState
from reverie.domain.ids import RunId
from reverie.domain.progress import Cancel, Progress, never, silent
from reverie.dream.checks import Checks
from reverie.dream.material import Overlay, Source, Stored
from reverie.dream.passes import PASSES, Tools
from reverie.dream.passes.base import Material, Setting, stop_if
from reverie.dream.passes.consolidate import is_pending
from reverie.embed.base import Embedder
from reverie.errors import Cancelled, ReverieError
from reverie.i18n import _

HEARTBEAT_S = 10.0  # how often a run says that it is alive


class Journal(Source, Protocol):
    """The part of the store that keeps runs and proposals."""

    def start(self, kb: str, reasoner: str) -> DreamRun:
        """A new run. Runs of processes that have died are marked as failed. Raises NotFound for a base that there
        is not, Conflict where a dream of this base is going on."""

    def beat(self, run: RunId) -> None:
        """The run is alive."""

    def declined(self, kb: str) -> frozenset[str]:
        """Marks of the proposals that were vetoed or rejected before."""

    def apply(
        self, run: RunId, proposals: Sequence[Proposal], counts: Mapping[str, int], reason: str
    ) -> DreamRun:
        """Applies every pending proposal and ends the run, in one transaction."""

    def end(self, run: RunId, state: RunState, counts: Mapping[str, int], reason: str) -> DreamRun:
        """Ends a run that changed nothing."""


class Dreamer:
    """Runs dreams over the bases of one vault. ``passes`` by name, in their order."""

    def __init__(
        self,
        journal: Journal,
        tools: Tools,
        embedder: Embedder | None,
        passes: Sequence[str] = tuple(PASSES),
    ) -> None:
        self._journal = journal
        self._tools = tools
        self._embedder = embedder
        self._passes = [PASSES[name](tools) for name in passes]

    def run(
        self, kb: str = "default", *, progress: Progress | None = None, cancelled: Cancel | None = None
    ) -> DreamRun:
        """Dreams once over a knowledge base and tells what came of it.

        ``DreamRun.state`` is cancelled where ``cancelled`` turned true (nothing is applied), failed where every pass
        failed and nothing was found, else done; ``reason`` names the passes that failed. Raises NotFound for an unknown base,
        Conflict where a dream of it is going on, and what the store raises (a full disk).
        """
        asked = cancelled or never
        run = self._journal.start(kb, self._tools.reasoner.name)
        counts: dict[str, int] = {}
        try:
            with _Heartbeat(self._journal, run.id):
                proposals, failures = self._propose(run, counts, progress or silent, asked)
                stop_if(asked)
                reason = "\n".join(failures)
                nothing = all(proposal.decision is not Decision.PENDING for proposal in proposals)
                if nothing and len(failures) == len(self._passes):
                    return self._journal.end(run.id, RunState.FAILED, counts, reason)
                return self._journal.apply(run.id, proposals, counts, reason)
        except Cancelled:
            return self._journal.end(run.id, RunState.CANCELLED, counts, _("Stopped; nothing was changed"))
        except BaseException as error:
            # The error itself goes on to whoever asked; the run's row must not look alive.
            self._journal.end(run.id, RunState.FAILED, counts, str(error) or type(error).__name__)
            raise

    def _propose(
        self, run: DreamRun, counts: dict[str, int], progress: Progress, cancelled: Cancel
    ) -> tuple[list[Proposal], list[str]]:
        setting = Setting(run.id, now())
        material: Material = Stored(self._journal, run.kb, self._embedder)
        declined = self._journal.declined(run.kb)
        counts["read"] = len(material.heads())
        proposals: list[Proposal] = []
        failures: list[str] = []
        for each in self._passes:
            stop_if(cancelled)
            mine: list[Proposal] = []
            try:
                found = each.propose(material, setting, progress=progress, cancelled=cancelled)
                checks = Checks(run.kb, setting, material.memories)
                for proposal in checks.review(_new(found, declined)):
                    stop_if(cancelled)
                    mine.append(proposal)
            except Cancelled:
                raise
            except ReverieError as error:
                failures.append(f"{each.title}: {error}")
            proposals += mine
            merges = [p for p in mine if p.kind is ProposalKind.MERGE and p.decision is Decision.PENDING]
            if merges:
                material = Overlay(material, merges)
        counts["vetoed"] = sum(proposal.decision is Decision.VETOED for proposal in proposals)
        counts["failed"] = len(failures)
        seen = {id for p in proposals if p.kind is ProposalKind.CONSOLIDATE for id in p.sources}
        counts["left"] = sum(is_pending(head) and head.id not in seen for head in material.heads())
        return proposals, failures


def _new(proposals: Iterable[Proposal], declined: frozenset[str]) -> Iterator[Proposal]:
    """Without those that were declined before and would be again: else every dream would list them anew."""
    return (proposal for proposal in proposals if proposal.mark not in declined)


class _Heartbeat:
    """Says every few seconds that the run is alive, also while a model thinks for minutes."""

    def __init__(self, journal: Journal, run: RunId) -> None:
        self._journal = journal
        self._run = run
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="reverie-dream", daemon=True)

    def _beat(self) -> None:
        while not self._stop.wait(HEARTBEAT_S):
            try:
                self._journal.beat(self._run)
            except ReverieError:
                continue  # a lost beat costs nothing; a lost claim shows when the run is applied

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
