"""Vectors are made in the background, but a command ends: so it waits for them, and tells what is left."""

from typing import TYPE_CHECKING

from reverie.cli.output import warn
from reverie.domain.progress import Cancel, Progress, never, silent
from reverie.errors import UserError
from reverie.i18n import _, ngettext
from reverie.search.waiting import wait_for_vectors

_A_SECOND = 400  # vectors at most, of short texts on a fast machine

if TYPE_CHECKING:
    from reverie.vault import Vault


def catch_up(
    vault: "Vault",
    limit_s: float = float("inf"),
    progress: Progress = silent,
    stopped: Cancel = never,
) -> None:
    """Waits until every memory has its vector, for ``limit_s`` seconds at most, and not at all where that can't be
    enough. What is left then is no loss: the next process makes it, and until then those memories are found by their
    words."""
    try:
        left = vault.index.pending()
        if left <= limit_s * _A_SECOND:
            left = wait_for_vectors(vault.index, progress, stopped, limit_s)
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
