"""Options that several verbs share."""

from datetime import datetime
from typing import Annotated

import typer

from reverie.errors import UserError
from reverie.i18n import _

VaultOption = Annotated[
    str | None,
    typer.Option(
        "--vault", metavar="PATH", help=_("Folder of the vault; default: REVERIE_VAULT, else your own vault")
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help=_("Print JSON for a program instead of text for a person"))
]
KbOption = Annotated[str, typer.Option("--kb", metavar="NAME", help=_("Knowledge base"))]
AnyKbOption = Annotated[
    str | None, typer.Option("--kb", metavar="NAME", help=_("Only this knowledge base; default: all"))
]
CategoryOption = Annotated[
    str | None, typer.Option("--category", metavar="PATH", help=_("Category, such as projects/apollo"))
]
TagOption = Annotated[
    list[str] | None, typer.Option("--tag", metavar="TAG", help=_("Tag; may be given several times"))
]


def instant(text: str | None) -> datetime | None:
    """A date or time as a person writes it (2026-03-01, 2026-03-01T10:00, 2026-03-01T10:00Z), in local
    time where no zone is given. Raises UserError."""
    if not text:
        return None
    try:
        return datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        raise UserError(
            _("“{text}” is no date").format(text=text),
            hint=_("Write it as 2026-03-01 or 2026-03-01T10:00"),
        ) from None
