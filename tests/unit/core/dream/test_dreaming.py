import threading
from types import SimpleNamespace

import pytest

from reverie.domain.dream import RunState
from reverie.dream.dreaming import Dreaming
from reverie.errors import UserError


class Index:
    """So many vectors are missing; each wait makes one."""

    def __init__(self, missing=0, problem=None):
        self.missing, self.problem, self.waits = missing, problem, 0

    def pending(self):
        return self.missing

    def wait(self, timeout=None):
        self.waits += 1
        if self.problem:
            raise UserError(self.problem)
        self.missing = max(0, self.missing - 1)
        return not self.missing


@pytest.fixture
def dreams(database, embedder, told):
    settings = SimpleNamespace(dream=SimpleNamespace(near_duplicate_cosine=0.95, batch=2))

    def make(index):
        return Dreaming(database.dreams, index, lambda: embedder, lambda: told, lambda: settings)

    return make


def test_it_waits_for_the_newest_vectors(dreams):
    index = Index(missing=3)
    seen = []
    run = dreams(index).run(progress=lambda done, total, what: seen.append((done, total)))
    assert run.state is RunState.DONE
    assert index.missing == 0
    assert seen[:3] == [(0, 3), (1, 3), (2, 3)]


def test_without_an_embedder_it_dreams_all_the_same(dreams):
    assert dreams(Index(missing=3, problem="no model")).run().state is RunState.DONE


def test_the_settings_are_those_of_now(database, dreams, told):
    for n in range(4):
        database.memories.add(f"Note {n}")
    dreams(Index()).run()
    assert [len(batch) for batch in told.given] == [2, 2]


def test_its_runs_and_proposals_can_be_read(database, dreams):
    each = dreams(Index())
    database.memories.add("Note one")
    database.memories.add("Note two")
    run = each.run()
    assert each.runs() == [run]
    assert each.get(run.id) == run
    assert [step.run for step in each.proposals(run.id)] == [run.id]


def test_closing_stops_what_is_going_on_and_changes_nothing(database, dreams, told):
    each = dreams(Index())
    for n in range(6):
        database.memories.add(f"Note {n}")
    thinking, go_on, ended = threading.Event(), threading.Event(), []

    def find(memories):
        thinking.set()
        go_on.wait(20)
        return []

    told.find = find
    thread = threading.Thread(target=lambda: ended.append(each.run()))
    thread.start()
    assert thinking.wait(20)
    threading.Timer(0.1, go_on.set).start()
    each.close()
    thread.join(20)
    assert ended[0].state is RunState.CANCELLED
    assert len(told.given) == 1
    assert not any(memory.is_consolidated for memory in database.memories.list())
    with pytest.raises(UserError):
        each.run()
