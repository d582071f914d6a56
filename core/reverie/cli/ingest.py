"""``reverie ingest``: files become memories, with ``--recursive`` those in folders too."""

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli.failures import SOME_FAILED
from reverie.cli.interrupt import stoppable
from reverie.cli.opening import opened
from reverie.cli.options import JsonOption, KbOption, VaultOption
from reverie.cli.output import progress_bar, say, warn, write_json, write_table
from reverie.cli.vectors import catch_up
from reverie.domain.inbox import InboxItem, ItemState, Override
from reverie.domain.progress import Progress
from reverie.i18n import _, ngettext

if TYPE_CHECKING:
    from reverie.vault import Vault

_VECTORS_S, _VECTOR_S = (
    20.0,
    0.2,
)  # that vectors are waited for: in all, and for each memory; ten times what it takes
FAILED = (ItemState.FAILED, ItemState.TOO_LARGE)


class Large(StrEnum):
    ASK = "ask"
    FIRST_PART = "first-part"
    ANYWAY = "anyway"


OVERRIDES = {Large.FIRST_PART: Override.FIRST_PART, Large.ANYWAY: Override.ANYWAY}


def register(app: typer.Typer) -> None:
    app.command("ingest", help=_("Read files and folders into memories"))(ingest)


def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help=_("Files; folders with --recursive"))],
    vault: VaultOption = None,
    kb: KbOption = "default",
    large: Annotated[
        Large,
        typer.Option(
            "--large",
            help=_("What to do with files over the limit: leave them, read the first part, read all"),
        ),
    ] = Large.ASK,
    recursive: Annotated[
        bool, typer.Option("--recursive", "-r", help=_("Read what the folders hold"))
    ] = False,
    as_json: JsonOption = False,
) -> None:
    with opened(vault) as found, progress_bar() as progress, stoppable() as stopped:
        items = found.ingest(
            expand(paths) if recursive else paths, kb=kb, progress=progress, cancelled=stopped
        )
        if large in OVERRIDES:
            items = _read_large(found, items, OVERRIDES[large], progress)
        # Where the window has thousands of its own to make, those are not waited for.
        own = sum(len(item.memories) for item in items)
        catch_up(found, _VECTORS_S + own * _VECTOR_S, progress, stopped)
    if as_json:
        write_json(items)
    elif items:
        print_items(items)
    else:
        warn(_("There are no files in there"))
    if any(item.state in FAILED for item in items):
        raise typer.Exit(SOME_FAILED)


def expand(paths: list[Path]) -> list[Path]:
    """Files as they are named, and of a folder all that it holds, by name. Hidden files and links to
    folders inside it are left out; what does not exist stays, to become a failed item that says so."""
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        for folder, inner, names in os.walk(path):
            inner[:] = sorted(name for name in inner if not name.startswith("."))
            files += (Path(folder, name) for name in sorted(names) if not name.startswith("."))
    return files


def _read_large(
    vault: "Vault", items: list[InboxItem], override: Override, progress: Progress
) -> list[InboxItem]:
    waiting = [item.id for item in items if item.state == ItemState.TOO_LARGE]
    for item in waiting:
        vault.inbox.retry(item, override=override)
    if waiting:
        vault.inbox.run(progress=progress)
    return [vault.inbox.get(item.id) if item.id in waiting else item for item in items]


def print_items(items: list[InboxItem]) -> None:
    write_table(
        (_("File"), _("State"), _("Memories"), _("Reason")),
        [
            (
                item.name,
                _state(item.state),
                len(item.memories),
                " ".join(filter(None, (item.reason, item.hint))),
            )
            for item in items
        ],
    )
    memories = sum(len(item.memories) for item in items)
    failed = sum(item.state in FAILED for item in items)
    total = ngettext("{count} memory made", "{count} memories made", memories).format(count=memories)
    if failed:
        total += ", " + ngettext("{count} file not read", "{count} files not read", failed).format(
            count=failed
        )
    say(total)


def _state(state: ItemState) -> str:
    return {
        ItemState.WAITING: _("waiting"),
        ItemState.READING: _("reading"),
        ItemState.DONE: _("done"),
        ItemState.KNOWN: _("already known"),
        ItemState.FAILED: _("failed"),
        ItemState.TOO_LARGE: _("too large"),
        ItemState.IGNORED: _("ignored"),
    }[state]
