"""``reverie doctor``: is everything in its place?"""

import typer


def register(app: typer.Typer) -> None:
    from reverie.i18n import _

    app.command("doctor", help=_("Check the vault and what Reverie needs"))(doctor)


def doctor() -> None:
    raise NotImplementedError
