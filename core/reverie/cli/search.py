"""``reverie search``: find memories by words and by meaning."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from reverie.cli.opening import opened
from reverie.cli.options import AnyKbOption, CategoryOption, JsonOption, TagOption, VaultOption, instant
from reverie.cli.output import local, one_line, warn, write_json, write_table
from reverie.cli.vectors import catch_up
from reverie.domain.records import memory_record
from reverie.domain.search import Hit
from reverie.i18n import _

VECTOR_TIME_LIMIT_S = 5.0


class Mode(StrEnum):
    HYBRID = "hybrid"
    KEYWORD = "keyword"
    SEMANTIC = "semantic"


def register(app: typer.Typer) -> None:
    app.command("search", help=_("Find memories by words and by meaning"))(search)


def search(
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help=_("What to look for, taken literally"))],
    vault: VaultOption = None,
    kb: AnyKbOption = None,
    category: CategoryOption = None,
    tag: TagOption = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help=_("Made at or after this time"))
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="DATE", help=_("Made before this time"))
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help=_("At most this many"))] = 10,
    mode: Annotated[Mode, typer.Option("--mode", help=_("By words, by meaning, or both"))] = Mode.HYBRID,
    as_json: JsonOption = False,
) -> None:
    with opened(vault) as found:
        if mode is not Mode.KEYWORD:
            catch_up(found, VECTOR_TIME_LIMIT_S)
        hits = found.search(
            " ".join(query),
            kb=kb,
            category=category,
            tags=tuple(tag or ()),
            since=instant(since),
            until=instant(until),
            limit=limit,
            mode=mode.value,
        )
    if as_json:
        write_json([as_record(hit) for hit in hits])
    elif hits:
        write_table(
            (_("Relevance"), _("Memory"), _("Category"), _("Made"), _("Id")),
            [
                (
                    f"{hit.relevance:.0%}",
                    one_line(hit.passage or hit.memory.title),
                    hit.memory.category,
                    local(hit.memory.created_at),
                    hit.memory.id,
                )
                for hit in hits
            ],
        )
    else:
        warn(_("Nothing found"))


def as_record(hit: Hit) -> dict[str, Any]:
    """The memory's fields as in a dump, with those of the hit beside them."""
    return {
        **memory_record(hit.memory),
        "source": hit.memory.provenance.source,
        "score": hit.score,
        "relevance": hit.relevance,
        "keyword": hit.keyword,
        "cosine": hit.cosine,
        "why": hit.why,
        "passage": hit.passage,
        "words": list(hit.words),
        "marks": [list(mark) for mark in hit.marks],
        "parts": dict(hit.parts),
    }
