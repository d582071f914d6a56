"""``reverie history``: who did what, and what it changed."""

from typing import Annotated

import typer

from reverie.cli.changes import describe
from reverie.cli.opening import opened
from reverie.cli.options import JsonOption, VaultOption
from reverie.cli.output import local, one_line, warn, write_json, write_table
from reverie.domain.changes import ChangeSet
from reverie.i18n import _


def register(app: typer.Typer) -> None:
    app.command("history", help=_("List what was done, by whom; with a number: what it changed"))(history)


def history(
    number: Annotated[
        int | None, typer.Argument(metavar="[NUMBER]", help=_("Show what this one changed, before and after"))
    ] = None,
    vault: VaultOption = None,
    author: Annotated[str | None, typer.Option("--author", help=_("Only what this author did"))] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help=_("At most this many"))] = 20,
    as_json: JsonOption = False,
) -> None:
    if number is not None:
        _show_one(vault, number, as_json)
        return
    with opened(vault) as found:
        acts = found.history.list(limit=limit, author=author)
    if as_json:
        write_json(acts)
    elif acts:
        write_table(
            (_("Number"), _("When"), _("Who"), _("What"), ""),
            [
                (act.id, local(act.at), act.author, _what(act), _("undone") if act.undone else "")
                for act in acts
            ],
        )
    else:
        warn(_("Nothing has happened in this vault yet"))


def _what(act: ChangeSet) -> str:
    undone = act.detail.get("undoes")
    if not undone:
        return describe(act)
    if act.kind == "redo":
        return _("did again what number {number} took back").format(number=undone[0]["id"])
    return _("took back: {what}").format(what=describe(act))


def _show_one(vault: str | None, number: int, as_json: bool) -> None:
    with opened(vault) as found:
        changes = found.history.changes(found.history.get(number).id)
    if as_json:
        write_json(changes)
        return
    rows: list[tuple[str, ...]] = []
    for change in changes:
        before, after = change.before or {}, change.after or {}
        for column in {**before, **after}:
            was, now = (one_line(str(side.get(column, "")), 40) for side in (before, after))
            rows.append((change.table, change.row, column, was, now))
    write_table((_("Table"), _("Row"), _("Field"), _("Before"), _("After")), rows)
