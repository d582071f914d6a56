"""What the window tells the person: a toast for an event, a banner for a state. Never a traceback."""

import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Signal

from reverie.errors import Cancelled, Conflict, UserError

log = logging.getLogger("reverie.window")
Tone = Literal["error", "warn", "ok"]
Act = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Toast:
    """A result that can't be seen otherwise, e.g. "Memory deleted" with "Undo"."""

    text: str
    action: str = ""
    act: Act | None = None


@dataclass(frozen=True, slots=True)
class Banner:
    """A state of a pane: what happened, where, what to do next. ``details`` is text for a bug report."""

    title: str
    detail: str = ""
    hint: str = ""
    tone: Tone = "error"
    action: str = ""
    act: Act | None = None
    details: str = ""


class Notices(QObject):
    """Signals: ``toasted(Toast)``, ``bannered(Banner)`` to be shown; ``cleared()`` takes the banner away."""

    toasted = Signal(object)
    bannered = Signal(object)
    cleared = Signal()

    def toast(self, text: str, *, action: str = "", act: Act | None = None) -> None:
        self.toasted.emit(Toast(text, action, act))

    def banner(self, banner: Banner) -> None:
        self.bannered.emit(banner)

    def clear(self) -> None:
        self.cleared.emit()

    def failure(self, error: BaseException, *, retry: Act | None = None) -> None:
        """Shows an error in words: a UserError in its own, anything else as a fault of Reverie."""
        if isinstance(error, Cancelled):
            return
        self.bannered.emit(self.worded(error, retry))

    def worded(self, error: BaseException, retry: Act | None = None) -> Banner:
        """The banner for an error; ``retry`` is offered where trying again may help."""
        if isinstance(error, UserError):
            tone: Tone = "warn" if isinstance(error, Conflict) else "error"
            again = retry if error.retryable or isinstance(error, Conflict) else None
            return Banner(
                error.title, error.detail, error.hint, tone, self.tr("Try again") if again else "", again
            )
        log.error("unexpected error", exc_info=error)
        return Banner(
            self.tr("Something went wrong in Reverie"),
            f"{type(error).__name__}: {error}".rstrip(": "),
            self.tr("Nothing that was saved is lost. Try again, or copy the details for a report."),
            action=self.tr("Try again") if retry else "",
            act=retry,
            details="".join(traceback.format_exception(error)),
        )
