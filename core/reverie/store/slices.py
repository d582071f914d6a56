"""Long work on many rows, cut by time into transactions that nobody has to wait for."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

SLICE_S = 0.015  # of work in one transaction: with the last step and the commit it stays below 50 ms

ID_BATCH = 500  # SQLite takes at most 999 variables in older builds

T = TypeVar("T")


def batches(values: Sequence[T], size: int = ID_BATCH) -> Iterable[Sequence[T]]:
    for start in range(0, len(values), size):
        yield values[start : start + size]


def work_off(waiting: Sequence[T], start: int, step: int, act: Callable[[Sequence[T]], None]) -> int:
    """Inside a transaction: ``act`` on ``step`` after ``step`` of what waits from ``start`` on, until the time
    of one transaction is used up; returns where the next one goes on."""
    until = time.monotonic() + SLICE_S
    while start < len(waiting):
        act(waiting[start : start + step])
        start = min(start + step, len(waiting))
        if time.monotonic() >= until:
            break
    return start
