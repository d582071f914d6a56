"""What searches a vault: one engine a kind, each with its indexes, and their snapshots on disk."""

import threading
import zlib
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TypeVar, cast

from reverie.domain.conversation import MessageFilter
from reverie.domain.insight import InsightFilter
from reverie.domain.memory import MemoryFilter
from reverie.embed.base import Embedder
from reverie.search import snapshot
from reverie.search.documents import KINDS
from reverie.search.engine import SearchEngine
from reverie.search.keyword_index import KeywordIndex
from reverie.search.rows import Rows
from reverie.search.vectors import VectorIndex
from reverie.store.database import Database
from reverie.store.derived import INSIGHT, MEMORY, MESSAGE
from reverie.store.snapshots import FOLDER

_SMALL = 2_000  # rows that are read faster than a snapshot
_FRESH_SHARE = 0.2  # of an index that is in no snapshot yet before the next one is made
_LEASE, _SPAN = "snapshot", timedelta(minutes=2)
_ABANDONED = timedelta(minutes=10)

Wanted = TypeVar("Wanted")
Index = KeywordIndex | VectorIndex
AnyIndex = TypeVar("AnyIndex", KeywordIndex, VectorIndex)


class Finders:
    """Loaded when first asked for: it brings NumPy."""

    def __init__(
        self,
        database: Database,
        folder: Path,
        embedder: Callable[[], Embedder | None],
        floor: Callable[[], float],
    ) -> None:
        self._database = database
        self._folder = folder / FOLDER
        self._embedder = embedder
        self._floor = floor
        self._indexes: dict[str, Index] = {}
        self._lock = threading.Lock()
        self._is_unwritable = False
        self.memories: SearchEngine[MemoryFilter] = self._engine(MEMORY, database.sought_memories)
        self.messages: SearchEngine[MessageFilter] = self._engine(MESSAGE, database.sought_messages)
        self.insights: SearchEngine[InsightFilter] = self._engine(INSIGHT, database.sought_insights)

    def vectors(self, kind: str, embedder: Embedder) -> VectorIndex:
        """The vectors of a kind that this model made."""
        name = f"vectors-{kind}-{zlib.crc32(embedder.name.encode()):08x}"
        parts = kind, self._database.embeddings, embedder.name, embedder.dimensions
        return self._index(name, lambda: VectorIndex(*parts))

    def words(self, kind: str) -> KeywordIndex:
        return self._index(f"words-{kind}", lambda: KeywordIndex(KINDS[kind], self._database.texts))

    def warm_up(self) -> None:
        self.words(MEMORY).catch_up()

    def tidy(self, *, first_only: bool = False) -> None:
        """Write snapshots of indexes that have grown much since the last one. Takes a second for 100,000 rows.

        first_only: only where there is none, or none that could be read.
        """
        with self._lock:
            indexes = dict(self._indexes)
        for name, index in indexes.items():
            token = self._database.snapshots.token(name)
            snapshot.sweep(self._folder, token, name, _ABANDONED)
            if index.size <= _SMALL or self._is_unwritable:
                continue
            is_first = not token or index.fresh >= index.size
            if is_first or (not first_only and index.fresh > max(_SMALL, _FRESH_SHARE * index.size)):
                self._save(name, index)

    def _engine(self, kind: str, rows: Rows[Wanted]) -> SearchEngine[Wanted]:
        return SearchEngine(
            lambda: self.words(kind),
            lambda embedder: self.vectors(kind, embedder),
            rows,
            self._embedder,
            self._floor,
        )

    def _index(self, name: str, make: Callable[[], AnyIndex]) -> AnyIndex:
        """The index of that name; made with the first call, out of its snapshot where there is one."""
        with self._lock:
            if name not in self._indexes:
                index = make()
                token = self._database.snapshots.token(name)
                found = snapshot.load(self._folder, name, token) if token else None
                if found is not None:
                    with suppress(KeyError, ValueError, TypeError):  # damaged: it is made anew from the store
                        index.thaw(found)
                self._indexes[name] = index
            return cast(AnyIndex, self._indexes[name])

    def _save(self, name: str, index: Index) -> None:
        leases, snapshots = self._database.leases, self._database.snapshots
        if not leases.take(_LEASE, _SPAN):
            return
        try:
            erasures = snapshots.erasures()
            index.catch_up()
            frozen = index.freeze()
            token = snapshot.save(self._folder, name, frozen)
            if not snapshots.keep(name, token, erasures):
                snapshot.drop(self._folder, name)
            elif (made := snapshot.load(self._folder, name, token)) is not None:
                index.thaw(made)
        except OSError:
            self._is_unwritable = True  # a full disk: the index goes on in memory
        finally:
            leases.release(_LEASE)
