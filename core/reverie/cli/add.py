"""``reverie add``: one memory from the command line."""

import sys
from typing import Annotated

import typer

from reverie.cli.opening import opened
from reverie.cli.options import CategoryOption, JsonOption, KbOption, TagOption, VaultOption
from reverie.cli.output import one_line, say, write_json
from reverie.cli.vectors import catch_up
from reverie.domain.memory import Kind
from reverie.domain.records import memory_record
from reverie.errors import UserError
from reverie.i18n import _

VECTOR_TIME_LIMIT_S = 10.0


def register(app: typer.Typer) -> None:
    app.command("add", help=_("Store one memory"))(add)


def add(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help=_("The text, or - to read it from standard input"))
    ],
    vault: VaultOption = None,
    kb: KbOption = "default",
    category: CategoryOption = None,
    tag: TagOption = None,
    key: Annotated[
        str | None, typer.Option("--key", help=_("A name for it, unique in its knowledge base"))
    ] = None,
    kind: Annotated[Kind, typer.Option("--kind", help=_("What sort of memory it is"))] = Kind.NOTE,
    importance: Annotated[float, typer.Option("--importance", help=_("From 0 to 1"))] = 0.5,
    pinned: Annotated[bool, typer.Option("--pin", help=_("Never merged, retired or decayed"))] = False,
    as_json: JsonOption = False,
) -> None:
    content = sys.stdin.buffer.read().decode("utf-8-sig", errors="replace") if text == "-" else text
    if not content.strip():
        raise UserError(_("There is no text to store"), hint=_("Give a text, or - and one on standard input"))
    with opened(vault) as found:
        memory = found.memories.add(
            content,
            kb=kb,
            category=category,
            key=key,
            tags=tuple(tag or ()),
            importance=importance,
            kind=kind,
            pinned=pinned,
            source="person",
        )
        catch_up(found, VECTOR_TIME_LIMIT_S)
    if as_json:
        write_json(memory_record(memory))
    else:
        say(_("Stored {id}: {title}").format(id=memory.id, title=one_line(memory.title)))
