"""The verbs that the window adds to the command line. Nothing of Qt is imported until one of them runs."""

from pathlib import Path
from typing import Annotated, Any


def register(app: Any) -> None:
    """Adds ``open`` and ``snapshot`` to the typer application of the core's command line."""
    import typer

    from reverie.i18n import _

    vault_option = typer.Option("--vault", help=_("The vault's folder."))

    @app.command("open", help=_("Open the window."))  # type: ignore[untyped-decorator]
    def open_window(vault: Annotated[Path | None, vault_option] = None) -> None:
        raise typer.Exit(open_verb(vault))

    @app.command("snapshot", help=_("Draw each pane of a vault into PNG files, with no display."))  # type: ignore[untyped-decorator]
    def snapshot(
        folder: Annotated[Path, typer.Argument(help=_("Where the pictures go."))],
        vault: Annotated[Path | None, vault_option] = None,
    ) -> None:
        for picture in snapshot_verb(folder, vault):
            typer.echo(str(picture))


def open_verb(vault: Path | None = None) -> int:
    """Opens the window on a vault (None: the default one); the exit code. Raises UserError with no display."""
    from reverie_gui.preflight import check

    check()
    from reverie_gui.app import run

    return run(vault)


def snapshot_verb(folder: Path, vault: Path | None = None) -> list[Path]:
    """Draws the panes of a vault; the pictures' paths."""
    from reverie_gui.snapshot import use_offscreen

    use_offscreen()
    from reverie import Vault
    from reverie_gui.snapshot import render_panes

    with Vault.open(vault) as opened:
        return render_panes(opened, folder)
