"""What can go wrong with a model, told apart by kind: each is a UserError that says what to do.

Those of an `AnswerFailure` came from a model that did answer. None of them ever means "nothing to do".
"""

from reverie.errors import UserError


class ModelFailure(UserError):
    """The root of all of them. ``retryable`` where the same call may succeed a little later."""


class NoServer(ModelFailure):
    """Nothing answers at the address, or the connection broke."""


class TooSlow(ModelFailure):
    """The answer was not whole when the time limit was over."""


class KeyRefused(ModelFailure):
    """401 or 403, or no key where one is needed."""


class ModelMissing(ModelFailure):
    """The server is there and does not have the model."""


class Busy(ModelFailure):
    """429, after all tries. ``wait_s`` is what the server asked for, None where it said nothing."""

    def __init__(self, title: str, *, detail: str = "", hint: str = "", wait_s: float | None = None) -> None:
        super().__init__(title, detail=detail, hint=hint, retryable=True)
        self.wait_s = wait_s


class ServerFailed(ModelFailure):
    """5xx, after all tries."""


class RequestRefused(ModelFailure):
    """Another 4xx: the server did not like what was asked."""


class NotAnEndpoint(ModelFailure):
    """Something answers that is no OpenAI-compatible endpoint: a web page, a redirect, broken data."""


class AnswerFailure(ModelFailure):
    """The model answered, and nothing can be made of it. ``answer`` is what it said, for the log."""

    def __init__(self, title: str, *, detail: str = "", hint: str = "", answer: str = "") -> None:
        super().__init__(title, detail=detail, hint=hint, retryable=True)
        self.answer = answer


class Refused(AnswerFailure):
    """The model says that it will not or can not."""


class Empty(AnswerFailure):
    """No answer, or nothing but thinking."""


class NotJson(AnswerFailure):
    """Prose where an object was asked for."""


class Cut(AnswerFailure):
    """The answer ends in the middle, and holds no part that is finished."""


class TooLong(AnswerFailure):
    """More than anybody asked for: reading was stopped."""


class WrongShape(AnswerFailure):
    """An object, and not the one that was asked for: a field is missing or of another kind."""


class WrongIds(AnswerFailure):
    """It names ids that it was not given. ``ids`` are those."""

    def __init__(
        self, title: str, *, ids: tuple[str, ...] = (), detail: str = "", hint: str = "", answer: str = ""
    ) -> None:
        super().__init__(title, detail=detail, hint=hint, answer=answer)
        self.ids = ids
