"""``reverie undo``: take back the last act, one by its number, or all down to one."""

from typing import Annotated

import typer

from reverie.cli.changes import describe
from reverie.cli.failures import SOME_FAILED
from reverie.cli.opening import opened
from reverie.cli.options import JsonOption, VaultOption
from reverie.cli.output import say, warn, write_json
from reverie.domain.changes import PERSON
from reverie.i18n import _


def register(app: typer.Typer) -> None:
    app.command("undo", help=_("Take back the last thing you did, or what you name"))(undo)


def undo(
    vault: VaultOption = None,
    changeset: Annotated[
        int | None,
        typer.Option("--changeset", metavar="NUMBER", help=_("This one, as “reverie history” shows it")),
    ] = None,
    to: Annotated[
        int | None,
        typer.Option("--to", metavar="NUMBER", help=_("All that came after this one, whoever did it")),
    ] = None,
    author: Annotated[str, typer.Option("--author", help=_("The last act of this author"))] = PERSON,
    as_json: JsonOption = False,
) -> None:
    if changeset is not None and to is not None:
        raise typer.BadParameter(_("--changeset and --to exclude each other"))
    with opened(vault) as found:
        if to is not None:
            done = found.history.undo_to(found.history.get(to).id)
        elif changeset is None and found.history.undoable(author) is None:
            done = None
        else:
            done = found.history.undo(changeset, author)
    if done is None:
        warn(_("There is nothing to undo"))
        raise typer.Exit(SOME_FAILED)
    if as_json:
        write_json(done)
    else:
        say(_("Undone: {what}").format(what=describe(done)))
