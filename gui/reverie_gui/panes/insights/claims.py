"""Insights with what a row says of the memories that they stand on. No Qt."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from reverie.domain.insight import Insight
from reverie.domain.memory import State
from reverie.domain.text import fold
from reverie.domain.title import title_of
from reverie.i18n import _, ngettext
from reverie_gui.bridge.tasks import Task
from reverie_gui.context import Context
from reverie_gui.models.ordered_ids import OrderedIds
from reverie_gui.widgets.row_delegate import RowLook
from reverie_gui.wording import age, ago, capital, exact, kind_word, month, number

_BATCH = 500
TRASHED = "trashed"


@dataclass(frozen=True, slots=True)
class Claim:
    """``first`` and ``last``: when the oldest and the newest of its memories were created."""

    insight: Insight
    first: datetime | None = None
    last: datetime | None = None


@dataclass(frozen=True, slots=True)
class FoundClaims:
    """total: how many there are without the words; trashed: how many lie in the trash."""

    query: str
    words: str
    ids: OrderedIds
    values: tuple[Claim, ...]
    total: int
    current: int
    trashed: int
    in_trash: bool


def find_claims(context: Context, query: str, words: str, in_trash: bool, task: Task[None]) -> FoundClaims:
    """On a worker. Words are literal: a claim holds them as they stand, upper case and accents aside."""
    store, kb = context.vault.insights, context.settings.text("kb") or None
    current = store.ids(kb)
    trashed = store.ids(kb, (State.TRASHED,))
    ids: Sequence[str] = trashed if in_trash else current
    total = len(ids)
    wanted = fold(words)
    if wanted:
        kept: list[str] = []
        for start in range(0, len(ids), _BATCH):
            if task.cancelled():
                break
            batch = store.get_many(ids[start : start + _BATCH])
            kept += [each.id for each in batch if wanted in fold(each.content) or each.id == words]
        ids = kept
    return FoundClaims(
        query,
        words,
        OrderedIds(ids),
        tuple(load_claims(context, ids[:64])),
        total,
        len(current),
        len(trashed),
        in_trash,
    )


def load_claims(context: Context, ids: Iterable[str]) -> list[Claim]:
    """On a worker: insights with the span of time that their memories cover."""
    insights = context.vault.insights.get_many(list(ids))
    wanted = list(dict.fromkeys(source for insight in insights for source in insight.sources))
    created = {memory.id: memory.created_at for memory in context.vault.memories.get_many(wanted)}
    found = []
    for insight in insights:
        times = sorted(created[source] for source in insight.sources if source in created)
        found.append(Claim(insight, times[0], times[-1]) if times else Claim(insight))
    return found


def basis(claim: Claim, now: datetime | None = None) -> str:
    """What it stands on: "from 4 memories, March to October"."""
    count = len(claim.insight.sources)
    if not count or claim.first is None or claim.last is None:
        return _("its memories are gone")
    words = ngettext("from {n} memory", "from {n} memories", count).format(n=number(count))
    return f"{words}, {span(claim.first, claim.last, now)}"


def span(first: datetime, last: datetime, now: datetime | None = None) -> str:
    """ "March", "March to October", "November 2024 to March 2025"; the year only where it is not this one."""
    now = (now or datetime.now(UTC)).astimezone()
    first, last = first.astimezone(), last.astimezone()
    begin, end = (month(each.month, short=False) for each in (first, last))
    if first.year != last.year:
        return _("{begin} {year} to {end} {other}").format(
            begin=begin, year=first.year, end=end, other=last.year
        )
    months = begin if first.month == last.month else _("{begin} to {end}").format(begin=begin, end=end)
    return months if last.year == now.year else f"{months} {last.year}"


def heading(insight: Insight) -> str:
    """The first sentence of the claim."""
    return title_of(insight.content)


def rest(insight: Insight) -> str:
    """What the claim says after its heading, a quotation a line."""
    said = insight.content.strip()
    head = heading(insight)
    return said[len(head) :].lstrip(". \n") if said.startswith(head) else said


def _line(insight: Insight, marks: tuple[str, ...]) -> str:
    """Of what the claim says after its heading the line that was looked for, else the first."""
    lines = [line for line in rest(insight).splitlines() if line.strip()]
    wanted = [fold(mark) for mark in marks]
    found = (line for line in lines if any(each in fold(line) for each in wanted))
    return next(found, lines[0] if lines else "")


def look(claim: Claim, marks: tuple[str, ...]) -> RowLook:
    insight = claim.insight
    return RowLook(
        title=heading(insight),
        second=_line(insight, marks) or basis(claim),
        kind="insight",
        right=age(insight.created_at),
        faint=insight.state is State.TRASHED,
        marks=marks,
        tip="\n".join(
            (
                insight.content,
                capital(basis(claim)),
                _("Found {when}").format(when=exact(insight.created_at)),
            )
        ),
    )


def describe(claim: Claim) -> str:
    """A row in words, for screen readers."""
    insight = claim.insight
    return ", ".join((kind_word("insight"), heading(insight), basis(claim), ago(insight.created_at)))
