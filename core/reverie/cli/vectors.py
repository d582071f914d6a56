"""Vectors are made in the background, but a command ends: so it waits for them, within reason."""

import time
from typing import TYPE_CHECKING

from reverie.cli.output import warn
from reverie.domain.progress import Cancel, Progress, never, silent
from reverie.errors import UserError
from reverie.i18n import _, ngettext

if TYPE_CHECKING:
    from reverie.vault import Vault

_LOOK_S = 0.3
_STANDSTILL_S = 30.0  # longer than another process that died can keep the others from the work


def catch_up(
    vault: "Vault",
    limit_s: float = float("inf"),
    progress: Progress = silent,
    stopped: Cancel = never,
) -> None:
    """Waits until every memory has its vector, for ``limit_s`` seconds at most. What is left then is no
    loss: the next process makes it, and until then those memories are found by their words."""
    most = left = vault.index.pending()
    until = time.monotonic() + limit_s
    moved = time.monotonic()
    try:
        while left and not stopped() and time.monotonic() < min(until, moved + _STANDSTILL_S):
            vault.index.wait(min(_LOOK_S, limit_s))
            before, left = left, vault.index.pending()
            if left != before:
                moved = time.monotonic()
            progress(most - left, most, _("Making vectors"))
    except UserError as error:
        warn(_("Search is by words alone: {reason}").format(reason=error))
        return
    if left:
        warn(
            ngettext(
                "{count} memory has no vector yet and is found by its words alone",
                "{count} memories have no vector yet and are found by their words alone",
                left,
            ).format(count=left)
        )
