"""What a failure looks like on the command line, and the exit code that it ends with."""

import sys
import traceback

from reverie.errors import Cancelled, Conflict, UserError
from reverie.i18n import _, ngettext

SOME_FAILED = 1
WRONG_USE = 2
BUG = 70
INTERRUPTED = 130
BROKEN_PIPE = 141


def exit_code_of(error: BaseException) -> int:
    """Wrong use is 2. What the world stood against (a conflict, a busy or full disk) is a failed item: 1."""
    if isinstance(error, Cancelled):
        return INTERRUPTED
    if isinstance(error, UserError):
        return SOME_FAILED if isinstance(error, Conflict) or error.retryable else WRONG_USE
    return BUG


def show(error: BaseException) -> None:
    """Tells the person on stderr: what happened, where, and what to do. A bug alone has a traceback."""
    if isinstance(error, UserError):
        lines = [f"reverie: {error.title}", *(f"  {text}" for text in (error.detail, error.hint) if text)]
        if isinstance(error, Conflict):
            lines += [f"  {table} {row}" for table, row in error.rows]
        _write("\n".join(lines))
    elif isinstance(error, Cancelled):
        _write(
            "reverie: "
            + ngettext(
                "Stopped. {count} item was finished and is kept",
                "Stopped. {count} items were finished and are kept",
                error.finished,
            ).format(count=error.finished)
        )
    else:
        _write("".join(traceback.format_exception(error)))
        _write("reverie: " + _("This is a bug in Reverie. The lines above say where; please report them"))


def _write(text: str) -> None:
    sys.stderr.write(text.rstrip("\n") + "\n")
