"""Makes the vectors that are missing, in the background, in whichever process gets to it."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta

from reverie.domain.index import IndexStatus
from reverie.embed.slot import EmbedderSlot
from reverie.errors import ReverieError, UserError
from reverie.i18n import _
from reverie.store.embeddings import Embeddings
from reverie.store.leases import Leases

BATCH = 64  # texts a round: about half a second here
QUIET_S = 0.25  # between a write and the first round, so that a burst of writes is one round
_YIELDS = 4  # times QUIET_S that a batch may be put off
IDLE_S = 5.0  # another process may have died with the lease
_LEASE, _SPAN = "vectors", timedelta(seconds=20)


class Indexer:
    """``wake`` after writes; ``wait`` until nothing is missing. One process at a time holds the lease.
    ``tidy`` is called when all is done."""

    def __init__(
        self,
        embeddings: Embeddings,
        leases: Leases,
        embedder: EmbedderSlot,
        tidy: Callable[[], None] = lambda: None,
    ) -> None:
        self._embeddings = embeddings
        self._leases = leases
        self._embedder = embedder
        self._tidy = tidy
        self._wake = threading.Event()
        self._hurry = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="reverie-indexer", daemon=True)
        self._starting = threading.Lock()
        self._is_started = False
        self._is_healed = False
        self._is_ill = False  # the last round ended with a bug

    def wake(self) -> None:
        """There may be something to do; starts the thread with the first call."""
        with self._starting:
            if not self._is_started and not self._stop.is_set():
                self._thread.start()
                self._is_started = True
        self._wake.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Block until all that is stored has its vector; False where ``timeout`` seconds were not enough, or making
        vectors failed.

        Raises UserError where there is no embedder.
        """
        until = None if timeout is None else time.monotonic() + timeout
        self._hurry.set()
        self.wake()
        try:
            while self._embeddings.pending():
                if self._embedder.get() is None:
                    raise UserError(_("There is no embedding model"), detail=self._embedder.problem)
                if until is not None and time.monotonic() > until:
                    return False
                if self._stop.wait(0.02) or self._is_ill:
                    return False
            return True
        finally:
            self._hurry.clear()

    def pending(self) -> int:
        return self._embeddings.pending()

    def status(self) -> IndexStatus:
        embedder = None if self._embedder.problem or not self._is_started else self._embedder.get()
        return IndexStatus(self.pending(), embedder.name if embedder else "", self._embedder.problem)

    @property
    def state(self) -> str:
        """ "ready", or why no vectors can be made."""
        return self._embedder.problem or "ready"

    def close(self) -> None:
        with self._starting:
            self._stop.set()
        self._wake.set()
        if self._is_started:
            self._thread.join()

    def _work(self) -> None:
        while not self._stop.is_set():
            self._wake.wait(IDLE_S)
            self._wake.clear()
            if not self._hurry.is_set():
                self._stop.wait(QUIET_S)
            try:
                self._drain()
                self._tidy()
                self._is_ill = False
            except ReverieError:
                continue  # a full disk or a held lock: the rows keep waiting, the next round tries again
            except Exception as error:  # a bug: it is told, and ends neither this thread nor who waits for it
                self._is_ill = True
                threading.excepthook(threading.ExceptHookArgs((type(error), error, None, self._thread)))

    def _give_way(self) -> None:
        """While texts keep coming in, they go first; but vectors are never put off for long."""
        for _round in range(_YIELDS):
            if not self._wake.is_set() or self._hurry.is_set() or self._stop.is_set():
                return
            self._wake.clear()
            self._stop.wait(QUIET_S)

    def _drain(self) -> None:
        held = False
        try:
            while not self._stop.is_set() and self._embeddings.pending():
                embedder = self._embedder.get()
                if embedder is None or not self._leases.take(_LEASE, _SPAN):
                    return
                held = True
                if not self._is_healed:
                    self._is_healed = True
                    self._embeddings.heal(embedder.name)
                self._give_way()
                rows = self._embeddings.waiting(BATCH)
                if not rows:
                    break
                self._embeddings.store(embedder.name, rows, embedder.embed([row.text for row in rows]))
        finally:
            if held:  # also where this process ends: the next one would wait for nothing
                self._leases.release(_LEASE)
