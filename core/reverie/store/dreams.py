"""Dream runs and their proposals, what a run reads, and its end.

Runs and proposals are job state, so outside the change log; what a run does to memories is in it.
"""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, insert, or_, select, update

from reverie.domain.clock import from_micros, now, span_micros, to_micros
from reverie.domain.dream import Decision, DreamRun, Head, Proposal, ProposalKind, RunState
from reverie.domain.ids import MemoryId, OperationId, ProposalId, RunId, new_id
from reverie.domain.memory import Memory, State
from reverie.domain.text import clean
from reverie.errors import Conflict, NotFound
from reverie.i18n import _
from reverie.store import filters, knowledge_bases, memory_rows
from reverie.store.dream_outcome import Outcome, merged_rows
from reverie.store.leases import HOLDER
from reverie.store.memory_rows import to_json
from reverie.store.readers import Readers
from reverie.store.slices import batches
from reverie.store.tables import dream_runs, embeddings, proposals
from reverie.store.tables import memories as rows
from reverie.store.writer import Tx, Writer, announce

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHANGED = "dream_runs"
CLAIM = timedelta(seconds=60)

_VECTORS = "memory"  # kind of embedding
_HOST = platform.node()


class Dreams:
    def __init__(self, writer: Writer, readers: Readers) -> None:
        self._writer = writer
        self._readers = readers

    # What a run reads

    def heads(self, kb: str) -> Sequence[Head]:
        """Live memories of a base, oldest first."""
        m = rows.c
        live = or_(m.expires_at.is_(None), m.expires_at > to_micros(now()))
        statement = (
            select(m.id, m.content_hash, m.created_at, m.updated_at, m.pinned, m.muted, m.is_consolidated)
            .where(m.kb_id == filters.kb_id(kb), m.state == State.ACTIVE, live, filters.is_visible())
            .order_by(m.created_at, m.id)
        )
        with self._readers.read() as connection:
            return [
                Head(MemoryId(id), text, created, version, bool(pinned), bool(muted), bool(seen))
                for id, text, created, version, pinned, muted, seen in connection.execute(statement)
            ]

    def memories(self, ids: Sequence[MemoryId]) -> Sequence[Memory]:
        """In the order asked for; ids that the vault does not hold are left out."""
        with self._readers.read() as connection:
            return memory_rows.fetch(connection, ids)

    def vectors(self, model: str, ids: Sequence[MemoryId]) -> "tuple[list[MemoryId], NDArray[np.float32]]":
        """Which of ``ids`` have a vector of this model, in that order, and float32 (n, dimensions)."""
        import numpy as np

        found: dict[str, bytes] = {}
        with self._readers.read() as connection:
            for batch in batches(ids):
                statement = (
                    select(rows.c.id, embeddings.c.vector)
                    .join(embeddings, embeddings.c.seq == rows.c.seq)
                    .where(rows.c.id.in_(batch), embeddings.c.kind == _VECTORS, embeddings.c.model == model)
                )
                found.update((id, vector) for id, vector in connection.execute(statement))
        known = [id for id in ids if id in found]
        if not known:
            return [], np.empty((0, 0), np.float32)
        matrix = np.frombuffer(b"".join(found[id] for id in known), "<f2").reshape(len(known), -1)
        return known, matrix.astype(np.float32)

    def declined(self, kb: str) -> frozenset[str]:
        """Marks (``Proposal.mark``) of what was vetoed or rejected in earlier runs."""
        statement = (
            select(proposals)
            .join(dream_runs, dream_runs.c.id == proposals.c.run_id)
            .where(dream_runs.c.kb_id == filters.kb_id(kb))
            .where(proposals.c.decision.in_([Decision.VETOED, Decision.REJECTED]))
        )
        with self._readers.read() as connection:
            return frozenset(_proposal(row).mark for row in connection.execute(statement))

    # Runs

    def runs(self, kb: str | None = None, limit: int = 500) -> Sequence[DreamRun]:
        """Newest first."""
        statement = select(dream_runs).order_by(dream_runs.c.started_at.desc(), dream_runs.c.id)
        if kb is not None:
            statement = statement.where(dream_runs.c.kb_id == filters.kb_id(kb))
        with self._readers.read() as connection:
            names = knowledge_bases.names(connection)
            return [_run(row, names) for row in connection.execute(statement.limit(limit))]

    def get(self, run: str) -> DreamRun:
        with self._readers.read() as connection:
            row = connection.execute(select(dream_runs).where(dream_runs.c.id == run)).first()
            if row is None:
                raise NotFound(_("There is no dream {id}").format(id=run))
            return _run(row, knowledge_bases.names(connection))

    def proposals(self, run: str) -> Sequence[Proposal]:
        """In the order in which they were made."""
        statement = select(proposals).where(proposals.c.run_id == run).order_by(proposals.c.position)
        with self._readers.read() as connection:
            return [_proposal(row) for row in connection.execute(statement)]

    def settle(self) -> None:
        """Marks runs of processes that have died as failed; nothing is written where there are none."""
        with self._readers.read() as connection:
            if not any(map(_is_dead, _running(connection))):
                return
        self._writer.derive([CHANGED], _settle)

    def start(self, kb: str, reasoner: str) -> DreamRun:
        """A new run. Raises NotFound for a base that there is not, Conflict where one is going on in it."""
        run = RunId(new_id())

        def act(connection: Connection) -> None:
            _settle(connection)
            kb_id = connection.execute(select(filters.kb_id(kb))).scalar()
            if kb_id is None:
                raise NotFound(_("There is no knowledge base “{name}”").format(name=kb))
            if any(row.kb_id == kb_id for row in _running(connection)):
                raise Conflict(
                    _("“{name}” is dreaming already").format(name=kb),
                    hint=_("Wait until that dream is over, or stop it"),
                )
            at = to_micros(now())
            values = {"id": run, "kb_id": kb_id, "reasoner": reasoner, "started_at": at, **_claimed(at)}
            connection.execute(insert(dream_runs).values(values))

        self._writer.derive([CHANGED], act, background=False)
        return self.get(run)

    def beat(self, run: RunId) -> None:
        """The run is alive."""

        def act(connection: Connection) -> None:
            mine = dream_runs.c.id == run, dream_runs.c.state == RunState.RUNNING
            connection.execute(update(dream_runs).where(*mine).values(_claimed(to_micros(now()))))

        self._writer.derive([], act)

    def end(self, run: RunId, state: RunState, counts: Mapping[str, int], reason: str) -> DreamRun:
        """Ends a run that changed nothing."""
        self._writer.derive([CHANGED], lambda c: _end(c, run, state, counts, reason), background=False)
        return self.get(run)

    def apply(
        self, run: RunId, steps: Sequence[Proposal], counts: Mapping[str, int], reason: str
    ) -> DreamRun:
        """Applies the pending steps, stores all of them with what became of them, and ends the run as done: one
        transaction, one changeset of author ``dream:<run>``. A step of which a memory has changed since it was
        read is skipped. Raises Conflict where the run is no longer going on; nothing is written then.

        It is one transaction, however many: about 1,000 merges hold the write lock for 200 ms."""
        made = merged_rows(steps)

        def act(tx: Tx) -> None:
            row = tx.connection.execute(select(dream_runs).where(dream_runs.c.id == run)).first()
            if row is None or row.state != RunState.RUNNING:
                raise Conflict(_("This dream was taken for dead; nothing was changed"))
            kb = knowledge_bases.names(tx.connection)[row.kb_id]
            outcome = Outcome(tx, run, kb, steps, made)
            outcome.write()
            total = {**counts, **outcome.counts}
            operation = tx.operation if outcome.wrote else None
            _end(tx.connection, run, RunState.DONE, total, reason, operation)
            _store(tx.connection, outcome.decided)
            tx.detail.update(run=run)
            announce(tx.connection, CHANGED)

        self._writer.run("dream", act, author=f"dream:{run}")
        return self.get(run)


def _store(connection: Connection, steps: Sequence[Proposal]) -> None:
    if not steps:
        return
    connection.execute(
        insert(proposals),
        [
            {
                "id": step.id,
                "run_id": step.run,
                "position": position,
                "kind": step.kind,
                "title": clean(step.title),
                "why": clean(step.why),
                "sources": to_json(list(step.sources)),
                "versions": to_json(dict(step.versions)),
                "after": to_json(dict(step.after)),
                "decision": step.decision,
                "note": clean(step.note),
            }
            for position, step in enumerate(steps)
        ],
    )


def _end(
    connection: Connection,
    run: RunId,
    state: RunState,
    counts: Mapping[str, int],
    reason: str,
    operation: OperationId | None = None,
) -> None:
    mine = dream_runs.c.id == run, dream_runs.c.state == RunState.RUNNING
    values = {
        "state": state,
        "counts": to_json(dict(counts)),
        "reason": clean(reason),
        "operation_id": operation,
        "ended_at": to_micros(now()),
    }
    connection.execute(update(dream_runs).where(*mine).values(values))


def _settle(connection: Connection) -> None:
    reason = _("The program ended before the dream did; nothing was changed")
    for row in _running(connection):
        if _is_dead(row):
            _end(connection, RunId(row.id), RunState.FAILED, json.loads(row.counts), reason)


def _running(connection: Connection) -> Sequence[Any]:
    return connection.execute(select(dream_runs).where(dream_runs.c.state == RunState.RUNNING)).all()


def _is_dead(row: Any) -> bool:
    """Its claim ran out, or its process is gone from this very machine. A run that was wrongly taken for dead
    does no harm: it finds out before it writes."""
    if row.claimed_until is None or row.claimed_until < to_micros(now()):
        return True
    host, _slash, holder = row.claimed_by.rpartition("/")
    process = holder.partition("-")[0]
    return host == _HOST and process.isdigit() and not _lives(int(process))


def _lives(process: int) -> bool:
    if os.name == "nt":  # signal 0 is no question there; the claim alone tells
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _claimed(at: int) -> dict[str, Any]:
    return {
        "claimed_by": f"{_HOST}/{HOLDER}",
        "claimed_until": at + span_micros(CLAIM),
    }


def _run(row: Any, names: Mapping[int, str]) -> DreamRun:
    return DreamRun(
        id=RunId(row.id),
        kb=names.get(row.kb_id, ""),
        state=RunState(row.state),
        started_at=from_micros(row.started_at),
        ended_at=None if row.ended_at is None else from_micros(row.ended_at),
        reasoner=row.reasoner,
        operation=None if row.operation_id is None else OperationId(row.operation_id),
        counts=json.loads(row.counts),
        reason=row.reason,
    )


def _proposal(row: Any) -> Proposal:
    return Proposal(
        id=ProposalId(row.id),
        run=RunId(row.run_id),
        kind=ProposalKind(row.kind),
        title=row.title,
        why=row.why,
        sources=tuple(MemoryId(id) for id in json.loads(row.sources)),
        versions={MemoryId(id): version for id, version in json.loads(row.versions).items()},
        after=json.loads(row.after),
        decision=Decision(row.decision),
        note=row.note,
    )
