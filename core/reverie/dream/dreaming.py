"""``vault.dreams``: dreams now, and what earlier dreams did."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from reverie.domain.arguments import checked
from reverie.domain.dream import DreamRun, Proposal
from reverie.domain.progress import Cancel, Progress, never, silent
from reverie.dream.passes import Tools
from reverie.dream.passes.duplicates import KnownTexts
from reverie.dream.runner import Dreamer, Journal
from reverie.embed.base import Embedder
from reverie.errors import UserError
from reverie.i18n import _
from reverie.reason.base import Reasoner
from reverie.search.waiting import Index, wait_for_vectors
from reverie.settings import Settings


class Records(Journal, Protocol):
    """The part of the store that a vault's dreams are kept in."""

    def runs(self, kb: str | None = None, limit: int = 500) -> Sequence[DreamRun]: ...

    def get(self, run: str) -> DreamRun: ...

    def proposals(self, run: str) -> Sequence[Proposal]: ...


@checked
class Dreaming:
    def __init__(
        self,
        records: Records,
        index: Index,
        embedder: Callable[[], Embedder | None],
        reasoner: Callable[[], Reasoner],
        settings: Callable[[], Settings],
    ) -> None:
        self._records = records
        self._index = index
        self._embedder = embedder
        self._reasoner = reasoner
        self._settings = settings
        self._known: KnownTexts = {}
        self._closed = threading.Event()
        self._at_work = threading.Condition()
        self._running = 0

    def run(
        self, kb: str = "default", progress: Progress | None = None, cancelled: Cancel | None = None
    ) -> DreamRun:
        """Dream once over a knowledge base, after its newest vectors have been made.

        ``DreamRun.state`` tells how it ended: cancelled where ``cancelled`` turned true or the vault was closed (nothing is
        changed then), failed where every pass failed, else done; ``reason`` names the passes that failed.
        ``DreamRun.operation`` is the changeset, None where there was nothing to change.
        Raises NotFound for a base that there is not, Conflict where one is going on in it, UserError (a full disk).
        """
        show = progress or silent
        asked = cancelled or never

        def stop() -> bool:
            return self._closed.is_set() or asked()

        with self._at_work:
            if self._closed.is_set():
                raise UserError(_("The vault is closed"))
            self._running += 1
        try:
            # Near duplicates of what was just stored should not have to wait for the next dream.
            with suppress(UserError):  # there is no embedder; the window says so
                wait_for_vectors(self._index, show, stop)
            wanted = self._settings().dream
            tools = Tools(
                self._reasoner(),
                cosine=wanted.near_duplicate_cosine,
                batch=wanted.batch,
                known=self._known,
            )
            return Dreamer(self._records, tools, self._embedder()).run(kb, progress=show, cancelled=stop)
        finally:
            with self._at_work:
                self._running -= 1
                self._at_work.notify_all()

    def runs(self, kb: str | None = None, limit: int = 500) -> Sequence[DreamRun]:
        """Newest first."""
        return self._records.runs(kb, limit)

    def get(self, run_id: str) -> DreamRun:
        """Raises NotFound."""
        return self._records.get(run_id)

    def proposals(self, run_id: str) -> Sequence[Proposal]:
        """Of one run, in the order in which they were made, with what became of each."""
        return self._records.proposals(run_id)

    def close(self) -> None:
        """Stops what is going on, and waits for it."""
        self._closed.set()
        with self._at_work:
            self._at_work.wait_for(lambda: not self._running)
