"""``reverie redo``: the undo of an undo."""

import typer

from reverie.cli.changes import describe
from reverie.cli.failures import SOME_FAILED
from reverie.cli.opening import opened
from reverie.cli.options import JsonOption, VaultOption
from reverie.cli.output import say, warn, write_json
from reverie.i18n import _


def register(app: typer.Typer) -> None:
    app.command("redo", help=_("Do again what was undone last"))(redo)


def redo(vault: VaultOption = None, as_json: JsonOption = False) -> None:
    with opened(vault) as found:
        undone = found.history.redoable()
        if undone is None:
            warn(_("There is nothing to redo"))
            raise typer.Exit(SOME_FAILED)
        done = found.redo()
    if as_json:
        write_json(done)
    else:
        say(_("Done again: {what}").format(what=describe(undone)))
