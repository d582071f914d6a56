"""What a pass is, and what it may read."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from reverie.domain.dream import Head, Proposal
from reverie.domain.ids import MemoryId, RunId
from reverie.domain.memory import Memory
from reverie.domain.progress import Cancel, Progress
from reverie.embed.base import Vectors
from reverie.errors import Cancelled

_LOOK_S = 0.1  # between two looks at a cancel

T = TypeVar("T")


class Material(Protocol):
    """The live memories of one knowledge base: active, not expired. It may change while it is read: who
    needs to be sure compares versions."""

    @property
    def kb(self) -> str: ...

    def heads(self) -> Sequence[Head]:
        """All of them, oldest first (created, then id)."""

    def memories(self, ids: Sequence[MemoryId]) -> list[Memory]:
        """In the order of ``ids``; those that have gone meanwhile are left out."""

    def vectors(self, ids: Sequence[MemoryId], *, make: bool = False) -> tuple[list[MemoryId], Vectors]:
        """Which of ``ids`` have a vector, in that order, and float32 (n, dimensions) with unit rows. ``make``:
        those that have none yet are made on the spot, where there is an embedder."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The circumstances of a run: its id and its instant."""

    run: RunId
    at: datetime


class Pass(Protocol):
    """One way to consolidate. It reads, and it writes nothing.

    ``propose`` yields proposals as it finds them. It raises :class:`~reverie.errors.Cancelled` within a second
    after ``cancelled`` turns true, and another ReverieError when it can't go on; what it yielded before stands.

    ``Proposal.after`` is JSON-able: for a MERGE the whole record of the memory that would be made
    (:func:`reverie.domain.records.memory_record`), for an INSIGHT ``{"id", "content", "summary", "importance"}``,
    for a CONSOLIDATE nothing.
    """

    @property
    def name(self) -> str:
        """A word for counts and logs."""

    @property
    def title(self) -> str:
        """What the person reads."""

    def propose(
        self, material: Material, setting: Setting, *, progress: Progress, cancelled: Cancel
    ) -> Iterable[Proposal]: ...


def stop_if(cancelled: Cancel) -> None:
    if cancelled():
        raise Cancelled


def unless(cancelled: Cancel, call: Callable[[], T]) -> T:
    """What ``call`` gives. It may think for long without looking up: a cancel does not wait for it, and its answer is
    dropped."""
    answer: Future[T] = Future()

    def think() -> None:
        try:
            answer.set_result(call())
        except BaseException as error:  # noqa: BLE001 - handed to whoever asked
            answer.set_exception(error)

    threading.Thread(target=think, name="reverie-reasoner", daemon=True).start()
    while True:
        try:
            return answer.result(_LOOK_S)
        except TimeoutError:
            if answer.done():  # its own error, not ours
                raise
            stop_if(cancelled)


def in_batches(ids: Sequence[MemoryId], size: int) -> Iterator[Sequence[MemoryId]]:
    for start in range(0, len(ids), size):
        yield ids[start : start + size]
