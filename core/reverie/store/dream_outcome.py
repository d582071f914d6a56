"""What a dream does to memories: its steps, compared with how their sources stand now, and applied, in one transaction."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select, update

from reverie.domain.clock import from_micros
from reverie.domain.dream import Decision, Proposal, ProposalKind
from reverie.domain.ids import InsightId, MemoryId, ProposalId, RunId
from reverie.domain.insight import Insight
from reverie.domain.memory import LinkKind, MemoryLink, State
from reverie.domain.records import memory_fields
from reverie.domain.text import listed
from reverie.i18n import _, ngettext
from reverie.store import filters, insights, memory_rows, memory_writes
from reverie.store.tables import memories as rows
from reverie.store.writer import Tx

_NAMED = 12  # memories in one note


Row = dict[str, Any]


def merged_rows(steps: Sequence[Proposal]) -> dict[ProposalId, Row]:
    """The memories that merges would make, as rows: a good part of the work, and none for a transaction."""
    made: dict[ProposalId, Row] = {}
    for step in steps:
        if step.kind is ProposalKind.MERGE and step.decision is Decision.PENDING:
            fields = memory_fields(step.after)
            made[step.id] = memory_rows.to_row(fields, str(fields.pop("author")))
    return made


class Outcome:
    """What is left of the steps once each source is compared with how it stands inside the transaction."""

    def __init__(
        self, tx: Tx, run: RunId, kb: str, steps: Sequence[Proposal], made: Mapping[ProposalId, Row]
    ) -> None:
        self._tx = tx
        self._rows = made
        self._run = run
        self._kb = kb
        self._now = _current(tx.connection, sorted({id for step in steps for id in step.sources}))
        self._made: set[MemoryId] = set()
        self._held: set[MemoryId] = (
            set()
        )  # sources of insights that were skipped: they wait for the next dream
        self._merges: list[Proposal] = []
        self._insights: list[Proposal] = []
        self._seen: list[MemoryId] = []
        self.decided: list[Proposal] = []
        place = {step.id: n for n, step in enumerate(steps)}
        for kind in (ProposalKind.MERGE, ProposalKind.INSIGHT, ProposalKind.CONSOLIDATE):
            self.decided += [self._decide(step) for step in steps if step.kind is kind]
        self.decided.sort(key=lambda step: place[step.id])
        merged = [id for step in self._merges for id in step.sources]
        self.counts = {
            "merged": len(merged),
            "insights": len(self._insights),
            "consolidated": len(self._seen),
            "skipped": sum(step.decision is Decision.SKIPPED for step in self.decided),
        }
        self.wrote = bool(merged or self._insights or self._seen)

    def _decide(self, step: Proposal) -> Proposal:
        if step.decision is not Decision.PENDING:
            return step
        changed = [id for id in step.sources if not self._is_as_read(step, id)]
        if step.kind is ProposalKind.CONSOLIDATE:
            return self._decide_seen(step, changed)
        if changed:
            if step.kind is ProposalKind.INSIGHT:
                self._held.update(step.sources)
            return _skipped(step, changed)
        if step.kind is ProposalKind.MERGE:
            self._merges.append(step)
            self._made.add(MemoryId(step.after["id"]))
        else:
            self._insights.append(step)
        return _decided(step, Decision.APPLIED)

    def _decide_seen(self, step: Proposal, changed: Sequence[MemoryId]) -> Proposal:
        left_out = self._held.union(changed)
        seen = [id for id in step.sources if id not in left_out]
        self._seen += seen
        if not seen:
            return _skipped(step, changed)
        note = _changed_note(changed) if changed else ""
        return _decided(step, Decision.APPLIED, note)

    def _is_as_read(self, step: Proposal, id: MemoryId) -> bool:
        if id in self._made:  # by a merge of this very run
            return True
        row = self._now.get(id)
        if row is None or row.state != State.ACTIVE or row.updated_at != step.versions.get(id):
            return False
        if step.kind is not ProposalKind.MERGE:
            return not row.is_consolidated  # else another dream was quicker
        tags = {tag.casefold() for tag in step.after.get("tags", ())}
        return not row.pinned and all(tag.casefold() in tags for tag in json.loads(row.tags))

    def write(self) -> None:
        self._write_merges()
        self._write_insights()
        fresh = filters.among(rows.c.id, self._seen), rows.c.is_consolidated == 0
        self._tx.connection.execute(update(rows).where(*fresh).values(is_consolidated=1))

    def _write_merges(self) -> None:
        if not self._merges:
            return
        # Sources first: a merged memory may carry the key of one of them, and a key is unique among live ones.
        memory_writes.set_state(
            self._tx, [id for step in self._merges for id in step.sources], State.SUPERSEDED
        )
        memory_writes.insert_exactly(
            self._tx, [{**self._rows[step.id], "updated_at": self._tx.at} for step in self._merges]
        )
        links: list[MemoryLink] = []
        for step in self._merges:
            made = MemoryId(step.after["id"])
            links += [MemoryLink(id, made, LinkKind.REPLACED_BY) for id in step.sources]
            links += [MemoryLink(made, id, LinkKind.MADE_FROM) for id in step.sources]
        memory_writes.link(self._tx, links)

    def _write_insights(self) -> None:
        made = [
            Insight(
                id=InsightId(step.after["id"]),
                kb=self._kb,
                content=step.after["content"],
                sources=step.sources,
                created_at=from_micros(self._tx.at),
                run=self._run,
                summary=step.after.get("summary", ""),
                importance=step.after.get("importance", 0.5),
            )
            for step in self._insights
        ]
        insights.insert_exactly(self._tx, made)


def _current(connection: Connection, ids: Sequence[MemoryId]) -> dict[MemoryId, Any]:
    """How the memories stand now."""
    statement = select(
        rows.c.id, rows.c.updated_at, rows.c.state, rows.c.is_consolidated, rows.c.pinned, rows.c.tags
    ).where(filters.among(rows.c.id, ids))
    return {MemoryId(row.id): row for row in connection.execute(statement)}


def _decided(step: Proposal, decision: Decision, note: str = "") -> Proposal:
    return replace(step, decision=decision, note=note or step.note)


def _skipped(step: Proposal, changed: Sequence[MemoryId]) -> Proposal:
    return _decided(step, Decision.SKIPPED, _changed_note(changed))


def _changed_note(changed: Sequence[MemoryId]) -> str:
    if not changed:
        return _("Left for the next dream, with an insight that was skipped")
    return ngettext(
        "{count} memory has changed since it was read: {ids}",
        "{count} memories have changed since they were read: {ids}",
        len(changed),
    ).format(count=len(changed), ids=listed(changed, _NAMED))
