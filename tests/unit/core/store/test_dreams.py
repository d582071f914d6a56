"""Runs of living and dead processes, and the transaction that applies one."""

import os
import subprocess
import sys
import time
from datetime import timedelta

import pytest
from sqlalchemy import update

from reverie.domain.clock import now, to_micros
from reverie.domain.dream import Proposal, ProposalKind, RunState
from reverie.domain.ids import ProposalId
from reverie.errors import Conflict
from reverie.store import dreams
from reverie.store.tables import dream_runs

DIES = """
import os, sys
from pathlib import Path
from reverie.store.database import Database
database = Database(Path(sys.argv[1]) / "vault.db", Path(sys.argv[1]))
print(database.dreams.start("default", "builtin").id, flush=True)
os._exit(9)
"""


@pytest.fixture
def claim(database):
    """Says that a run is another process's, until an instant."""

    def run(run_id, holder, until=None):
        values = {"claimed_by": holder, "claimed_until": to_micros(until or now() + timedelta(minutes=1))}
        statement = update(dream_runs).where(dream_runs.c.id == run_id).values(values)
        database.writer.derive([], lambda connection: connection.execute(statement))

    return run


@pytest.mark.skipif(os.name == "nt", reason="there the claim alone tells, after a minute")
def test_a_run_of_a_process_that_died_is_failed_at_the_next_start(database, reopen, tmp_path):
    died = subprocess.run(
        [sys.executable, "-c", DIES, str(tmp_path)], capture_output=True, text=True, env=_environment()
    )
    run_id = died.stdout.strip()
    assert database.dreams.get(run_id).state is RunState.RUNNING, died.stderr
    reopen()
    run = database.dreams.get(run_id)
    assert run.state is RunState.FAILED
    assert run.ended_at is not None
    assert run.reason
    assert database.dreams.start("default", "builtin").state is RunState.RUNNING


def test_a_run_of_a_living_process_is_left_alone(database, reopen):
    run = database.dreams.start("default", "builtin")
    other = reopen()
    assert other.dreams.get(run.id).state is RunState.RUNNING
    with pytest.raises(Conflict):
        other.dreams.start("default", "builtin")


def test_a_run_on_another_machine_lives_as_long_as_its_claim(database, claim):
    run = database.dreams.start("default", "builtin")
    claim(run.id, "elsewhere/999999-abcd")
    database.dreams.settle()
    assert database.dreams.get(run.id).state is RunState.RUNNING
    claim(run.id, "elsewhere/999999-abcd", now() - timedelta(seconds=1))
    database.dreams.settle()
    assert database.dreams.get(run.id).state is RunState.FAILED


def test_a_beat_prolongs_the_claim(database, claim):
    run = database.dreams.start("default", "builtin")
    claim(run.id, "elsewhere/1-a", now() - timedelta(seconds=1))
    database.dreams.beat(run.id)
    database.dreams.settle()
    assert database.dreams.get(run.id).state is RunState.RUNNING


def test_what_was_taken_for_dead_writes_nothing(database):
    memory = database.memories.add("Ada")
    run = database.dreams.start("default", "builtin")
    database.dreams.end(run.id, RunState.FAILED, {}, "dead")
    step = Proposal(
        ProposalId("p"),
        run.id,
        ProposalKind.CONSOLIDATE,
        "",
        "",
        (memory.id,),
        {memory.id: to_micros(memory.updated_at)},
    )
    with pytest.raises(Conflict):
        database.dreams.apply(run.id, [step], {}, "")
    assert not database.memories.get(memory.id).is_consolidated
    assert database.dreams.proposals(run.id) == []


def test_two_dreams_over_the_same_reading_find_an_insight_once(database):
    """The second one may have read before the first one wrote; it sees that inside the transaction."""
    memory = database.memories.add("Ada")
    versions = {memory.id: to_micros(memory.updated_at)}
    for number in range(2):
        run = database.dreams.start("default", "builtin")
        steps = [
            Proposal(
                ProposalId(f"{kind}{number}"),
                run.id,
                kind,
                "",
                "",
                (memory.id,),
                versions,
                {"id": f"i{number}", "content": "It fits"} if kind is ProposalKind.INSIGHT else {},
            )
            for kind in (ProposalKind.INSIGHT, ProposalKind.CONSOLIDATE)
        ]
        run = database.dreams.apply(run.id, steps, {"read": 1}, "")
    assert database.insights.count() == 1
    assert run.counts == {"read": 1, "merged": 0, "insights": 0, "consolidated": 0, "skipped": 2}
    assert run.operation is None


def test_runs_and_their_proposals_are_listed(database):
    first = database.dreams.start("default", "builtin")
    database.dreams.end(first.id, RunState.CANCELLED, {"read": 3}, "Stopped")
    second = database.dreams.start("default", "builtin")
    assert [run.id for run in database.dreams.runs()] == [second.id, first.id]
    assert database.dreams.runs("default", limit=1)[0].id == second.id
    assert database.dreams.runs("nowhere") == []
    assert database.dreams.get(first.id).counts == {"read": 3}


def test_starting_and_ending_is_heard_of(database):
    heard = []
    database.events.subscribe(heard.append)
    run = database.dreams.start("default", "builtin")
    database.dreams.end(run.id, RunState.DONE, {}, "")
    for _ in range(200):
        if any(changes.touched(dreams.CHANGED) for changes in heard):
            return
        time.sleep(0.02)
    raise AssertionError("nobody was told")


def _environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
