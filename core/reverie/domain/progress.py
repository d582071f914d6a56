"""How long work reports how far it is, and is asked to stop: the same two functions for every long call."""

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""``progress(done, total, what)``; total 0 means unknown."""

Cancel = Callable[[], bool]
"""Asked between short steps; true means stop now, and :class:`~reverie.errors.Cancelled` is raised."""


def silent(done: int, total: int, what: str) -> None:
    """A progress that nobody watches."""


def never() -> bool:
    """A cancel that nobody asks for."""
    return False
