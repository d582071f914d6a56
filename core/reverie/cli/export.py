"""``reverie export``: take everything away."""

from pathlib import Path
from typing import Annotated

import typer

from reverie.cli.opening import opened
from reverie.cli.options import JsonOption, VaultOption
from reverie.cli.output import progress_bar, say, write_json
from reverie.i18n import _


def register(app: typer.Typer) -> None:
    app.command("export", help=_("Write the whole vault to a file that other programs can read"))(export)


def export(
    path: Annotated[Path, typer.Argument(metavar="PATH", help=_("File to write"))],
    vault: VaultOption = None,
    format: Annotated[str, typer.Option("--format", metavar="json", help=_("Format of the file"))] = "json",
    as_json: JsonOption = False,
) -> None:
    with opened(vault) as found, progress_bar() as progress:
        report = found.export(path, format=format, progress=progress)
    if as_json:
        write_json(report)
        return
    say(_("Exported to {path}").format(path=report.path))
    say(", ".join(f"{section}: {count}" for section, count in report.counts.items() if count))
