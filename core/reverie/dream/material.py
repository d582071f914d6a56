"""What the passes of one run read: the stored memories, and over them what earlier passes of this run have accepted."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from reverie.domain.clock import to_micros
from reverie.domain.dream import Head, Proposal
from reverie.domain.ids import MemoryId
from reverie.domain.memory import Memory, State, embedded_text
from reverie.domain.records import read_memory
from reverie.dream.passes.base import Material
from reverie.embed.base import Embedder, Vectors


class Source(Protocol):
    """The part of the store that a run reads from; every call is a read of its own, outside any transaction."""

    def heads(self, kb: str) -> Sequence[Head]: ...

    def memories(self, ids: Sequence[MemoryId]) -> Sequence[Memory]: ...

    def vectors(self, model: str, ids: Sequence[MemoryId]) -> tuple[list[MemoryId], Vectors]: ...


class Stored:
    """The memories of one base as they are in the store. The list of heads is read once and stays for the run."""

    def __init__(self, source: Source, kb: str, embedder: Embedder | None) -> None:
        self.kb = kb
        self._source = source
        self._embedder = embedder
        self._heads: Sequence[Head] | None = None

    def heads(self) -> Sequence[Head]:
        if self._heads is None:
            self._heads = self._source.heads(self.kb)
        return self._heads

    def memories(self, ids: Sequence[MemoryId]) -> list[Memory]:
        return [memory for memory in self._source.memories(ids) if memory.state is State.ACTIVE]

    def vectors(self, ids: Sequence[MemoryId], *, make: bool = False) -> tuple[list[MemoryId], Vectors]:
        if self._embedder is None:
            return [], np.empty((0, 0), np.float32)
        found, matrix = self._source.vectors(self._embedder.name, ids)
        if not make or len(found) == len(ids):
            return found, matrix
        known = frozenset(found)
        missing = self.memories([id for id in ids if id not in known])
        if not missing:
            return found, matrix
        fresh = self._embedder.embed([embedded_text(memory.key, memory.content) for memory in missing])
        return _in_order(
            ids, [*found, *(m.id for m in missing)], np.vstack([matrix, fresh]) if found else fresh
        )


class Overlay:
    """A material as it will be once these merges are applied: so that one run leaves nothing for the next."""

    def __init__(self, below: Material, merges: Sequence[Proposal]) -> None:
        self._below = below
        self._made = {memory.id: memory for memory in (read_memory(merge.after) for merge in merges)}
        self._gone = frozenset(id for merge in merges for id in merge.sources)
        self._likeness = {MemoryId(merge.after["id"]): merge.sources[0] for merge in merges}
        self._heads: list[Head] | None = None

    @property
    def kb(self) -> str:
        return self._below.kb

    def heads(self) -> Sequence[Head]:
        if self._heads is None:
            heads = [head for head in self._below.heads() if head.id not in self._gone]
            heads += map(head_of, self._made.values())
            self._heads = sorted(heads, key=lambda head: (head.created, head.id))
        return self._heads

    def memories(self, ids: Sequence[MemoryId]) -> list[Memory]:
        below = [id for id in ids if id not in self._made and id not in self._gone]
        found = {memory.id: memory for memory in self._below.memories(below)} if below else {}
        found.update((id, self._made[id]) for id in ids if id in self._made)
        return [found[id] for id in ids if id in found]

    def vectors(self, ids: Sequence[MemoryId], *, make: bool = False) -> tuple[list[MemoryId], Vectors]:
        """A merged memory has the text of the first of its sources, and so its vector."""
        asked = {self._likeness.get(id, id): id for id in ids if id in self._made or id not in self._gone}
        found, matrix = self._below.vectors(list(asked), make=make)
        return [asked[id] for id in found], matrix


def head_of(memory: Memory) -> Head:
    return Head(
        id=memory.id,
        content_hash=memory.content_hash,
        created=to_micros(memory.created_at),
        version=to_micros(memory.updated_at),
        pinned=memory.pinned,
        muted=memory.muted,
        consolidated=memory.is_consolidated,
    )


def _in_order(
    ids: Sequence[MemoryId], found: Sequence[MemoryId], matrix: Vectors
) -> tuple[list[MemoryId], Vectors]:
    row = {id: at for at, id in enumerate(found)}
    ordered = [id for id in ids if id in row]
    return ordered, matrix[[row[id] for id in ordered]]
