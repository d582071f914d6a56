"""What can go wrong in a way that a person can do something about. Anything else is a bug."""

from collections.abc import Sequence


class ReverieError(Exception):
    """The root of every error that Reverie raises on purpose."""


class UserError(ReverieError):
    """Bad input or a state of the world: says what happened, where, and what to do.

    title: one sentence, e.g. "The file is empty". detail: the place or cause. hint: what to do next.
    retryable: whether the same act may succeed later without a change by the person.
    """

    def __init__(self, title: str, *, detail: str = "", hint: str = "", retryable: bool = False) -> None:
        super().__init__(title)
        self.title = title
        self.detail = detail
        self.hint = hint
        self.retryable = retryable

    @property
    def reason(self) -> str:
        """What happened and where, in sentences, for where the hint stands by itself."""
        return _sentences(self.title, self.detail)

    def __str__(self) -> str:
        return _sentences(self.title, self.detail, self.hint)


class NotFound(UserError):
    """A name or id that the vault does not hold."""


class Conflict(UserError):
    """What an act would change has changed since; nothing was written. ``rows`` lists (table, id)."""

    def __init__(
        self, title: str, *, rows: Sequence[tuple[str, str]] = (), detail: str = "", hint: str = ""
    ) -> None:
        super().__init__(title, detail=detail, hint=hint)
        self.rows = tuple(rows)


class Cancelled(ReverieError):
    """The person stopped it. ``finished`` counts the whole items that were kept."""

    def __init__(self, finished: int = 0) -> None:
        super().__init__(finished)
        self.finished = finished


def _sentences(*parts: str) -> str:
    return " ".join(part.rstrip(".") + "." for part in parts if part)
