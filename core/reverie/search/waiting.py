"""Waiting for the vectors that are made in the background, within reason."""

import time
from typing import Protocol

from reverie.domain.progress import Cancel, Progress, never, silent
from reverie.i18n import _

_LOOK_S = 0.3
_STANDSTILL_S = 30.0  # longer than another process that died can keep the others from the work


class Index(Protocol):
    """What makes them."""

    def wait(self, timeout: float | None = None) -> bool: ...

    def pending(self) -> int: ...


def wait_for_vectors(
    index: Index, progress: Progress = silent, stopped: Cancel = never, limit_s: float = float("inf")
) -> int:
    """Blocks until every memory has its vector; returns how many have none yet.

    That many are left where ``stopped()`` turned true, ``limit_s`` seconds have gone by, or 30 seconds without one
    vector more. Raises UserError where there is no embedder.
    """
    most = left = index.pending()
    until = time.monotonic() + limit_s
    moved = time.monotonic()
    while left and not stopped() and time.monotonic() < min(until, moved + _STANDSTILL_S):
        progress(most - left, most, _("Making vectors"))
        index.wait(min(_LOOK_S, limit_s))
        before, left = left, index.pending()
        most = max(most, left)
        if left != before:
            moved = time.monotonic()
    if most:
        progress(most - left, most, _("Making vectors"))
    return left
