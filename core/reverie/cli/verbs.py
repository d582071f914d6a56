"""The one place where verbs are listed. A verb is a module with ``register(app)``."""

import os
from typing import Annotated

import typer

from reverie.cli import add, demo, doctor, dream, export, history, ingest, redo, search, undo
from reverie.cli.window import not_installed, open_window, window_module
from reverie.i18n import _

VERBS = (add, search, ingest, dream, export, undo, redo, history, demo, doctor)


def build() -> typer.Typer:
    """The program with all its verbs; the window adds its own where it is installed."""
    app = typer.Typer(
        name="reverie",
        help=_(
            "Keeps what AI agents remember: nothing disappears without a trace, and you see what the agent sees"
        ),
        pretty_exceptions_enable=False,
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_without_verb)
    for verb in VERBS:
        verb.register(app)
    module = window_module()
    if module is not None:
        module.register(app)
    else:
        _register_absent(app)
    return app


def _without_verb(
    context: typer.Context,
    vault: Annotated[
        str | None,
        typer.Option("--vault", metavar="PATH", help=_("Folder of the vault to open in the window")),
    ] = None,
    version: Annotated[bool, typer.Option("--version", help=_("Print the version and stop"))] = False,
) -> None:
    if version:
        from reverie import __version__

        typer.echo(__version__)
        raise typer.Exit
    if context.invoked_subcommand is None:
        raise typer.Exit(open_window(vault))
    if vault:  # `reverie --vault PATH search ...` means the same as `reverie search --vault PATH ...`
        os.environ["REVERIE_VAULT"] = vault


def _register_absent(app: typer.Typer) -> None:
    """The window's verbs where there is no window: they say how to get it."""
    anything = {"allow_extra_args": True, "ignore_unknown_options": True}

    def absent() -> None:
        raise not_installed()

    app.command("open", help=_("Open the window (not installed)"), context_settings=anything)(absent)
    app.command("snapshot", help=_("Picture every pane (window not installed)"), context_settings=anything)(
        absent
    )
