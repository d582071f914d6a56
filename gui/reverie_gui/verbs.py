"""The verbs that the window adds to the command line. Nothing of Qt is imported until one of them runs."""

from pathlib import Path
from typing import Annotated, Any


def register(app: Any) -> None:
    """Adds ``open`` and ``snapshot`` to the typer application of the core's command line."""
    import typer

    from reverie.cli.options import VaultOption
    from reverie.i18n import _

    @app.command("open", help=_("Open the window"))  # type: ignore[untyped-decorator]
    def open_verb(vault: VaultOption = None) -> None:
        from reverie.cli.window import open_window

        raise typer.Exit(open_window(vault))

    @app.command("snapshot", help=_("Picture every pane into PNG files; needs no display"))  # type: ignore[untyped-decorator]
    def snapshot_verb(
        folder: Annotated[Path, typer.Argument(help=_("Folder that the pictures go into"))],
        vault: VaultOption = None,
    ) -> None:
        from reverie.cli.output import say

        for picture in snapshot(folder, vault):
            say(str(picture))


def open_window(vault: str | None = None) -> int:
    """Opens the window on a vault (None: the default one); the exit code, when it was closed."""
    from reverie_gui.preflight import check_display

    check_display()
    from reverie_gui.opening import open_vault, start_opening

    future = start_opening(lambda: open_vault(vault))
    from reverie_gui.app import run

    return run(future)


def snapshot(folder: Path, vault: str | None = None) -> list[Path]:
    """Draws each pane of a vault, light and dark; the pictures' paths. Raises UserError."""
    from reverie.cli.opening import opened
    from reverie.errors import UserError
    from reverie.i18n import _
    from reverie_gui.snapshot import render_panes, use_offscreen

    use_offscreen()
    with opened(vault) as found:
        try:
            return render_panes(found, folder)
        except OSError as error:
            raise UserError(_("The pictures could not be written"), detail=str(error)) from error
