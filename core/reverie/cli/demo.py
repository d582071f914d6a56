"""``reverie demo``: the whole way once, on sample files, in a folder of its own."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.dream import print_run
from reverie.cli.failures import SOME_FAILED
from reverie.cli.ingest import FAILED, expand, print_items
from reverie.cli.opening import opened
from reverie.cli.output import one_line, progress_bar, say, warn, write_table
from reverie.cli.vectors import catch_up
from reverie.cli.window import window_module
from reverie.errors import UserError
from reverie.i18n import _, ngettext
from reverie.resources import resource

if TYPE_CHECKING:
    from reverie.vault import Vault

PICTURES_TIME_LIMIT_S = 300
QUESTION = "Why is the back door a problem for the new roaster?"  # English, as the samples are


def register(app: typer.Typer) -> None:
    app.command(
        "demo", help=_("Try it all on sample files, in a folder of its own; your vault is not touched")
    )(demo)


def demo(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[FOLDER]", help=_("An empty or new folder; default: a new one"))
    ] = None,
) -> None:
    if not run(folder):
        raise typer.Exit(SOME_FAILED)


def run(folder: Path | None) -> bool:
    """The whole demo; returns whether every part of it went well. Raises UserError for a folder in use."""
    place = _empty_folder(folder)
    with opened(str(place / "vault")) as vault:
        whole = _fill(vault)
        vault.export(place / "export.json")
        say(_("4. Exported to {path}").format(path=place / "export.json"))
    whole = _take_pictures(place) and whole
    say(_("All of it is in {folder}").format(folder=place))
    say(_("Open it with: {command}").format(command=f"reverie --vault {place / 'vault'}"))
    return whole


def _empty_folder(folder: Path | None) -> Path:
    if folder is None:
        return Path(tempfile.mkdtemp(prefix="reverie-demo-"))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(
            _("The demo wants a folder of its own"),
            detail=str(folder),
            hint=_("Name an empty or new one; nothing was changed"),
        )
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()


def _fill(vault: "Vault") -> bool:
    """Files in, a dream, a search. Returns whether every file was read."""
    with progress_bar() as progress:
        say(_("1. Sample files become memories"))
        items = vault.ingest(expand([resource("samples")]), progress=progress)
        print_items(items)
        catch_up(vault, progress=progress)
        say(_("2. A dream"))
        run = vault.dreams.run("default", progress=progress)
        print_run(run, vault.dreams.proposals(run.id))
    say(_("3. Searching for “{question}”").format(question=QUESTION))
    write_table(
        (_("Relevance"), _("Memory")),
        [
            (f"{hit.relevance:.0%}", one_line(hit.passage or hit.memory.title))
            for hit in vault.search(QUESTION, limit=3)
        ],
    )
    return not any(item.state in FAILED for item in items)


def _take_pictures(place: Path) -> bool:
    """Pictures of every pane, by ``reverie snapshot`` in a process of its own: Qt wants the main thread
    and a platform without a screen. Returns False where they failed, not where there is no window."""
    if window_module() is None:
        say(_("5. No pictures: the window is not installed (pip install 'reverie[gui]')"))
        return True
    pictures = place / "pictures"
    command = [sys.executable, "-m", "reverie", "snapshot", str(pictures), "--vault", str(place / "vault")]
    try:
        done = subprocess.run(
            command,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=PICTURES_TIME_LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        warn(_("The pictures took too long and were left out"))
        return False
    count = len(list(pictures.glob("*.png"))) if pictures.is_dir() else 0
    if done.returncode or not count:
        warn(_("The pictures could not be made"))
        warn(done.stderr.strip())
        return False
    say(
        ngettext(
            "5. {count} picture of the window in {folder}",
            "5. {count} pictures of the window in {folder}",
            count,
        ).format(count=count, folder=pictures)
    )
    return True
