"""One dream over a real store."""

import shutil
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie.domain.dream import Decision, ProposalKind, RunState
from reverie.domain.memory import LinkKind, MemoryFilter, State
from reverie.dream.passes import Tools
from reverie.dream.runner import Dreamer
from reverie.errors import Conflict, NotFound, UserError
from reverie.store.database import Database

ALL = MemoryFilter(states=tuple(State), expired=None)


@pytest.fixture
def dream(database, embedder, told, embed_all):
    def run(kb="default", **fields):
        embed_all()
        return Dreamer(database.dreams, Tools(told), embedder).run(kb, **fields)

    return run


@pytest.fixture
def twins(database):
    """Two memories that say the same (a key keeps the second from being told again)."""
    one = database.memories.add("Ada likes tea", tags=["a"])
    two = database.memories.add("Ada likes tea", key="tea", tags=["b"], importance=0.9)
    return one, two


def agreeing(memories):
    return [("They agree", [memories[0].id, memories[1].id])]


def everything(database):
    """All rows that a person could miss, without the ids that only one run knows."""
    rows = database.memories.list(ALL, limit=10_000)
    links = {link for row in rows for link in database.memories.links(row.id)}
    return rows, links, database.insights.list(limit=10_000)


def test_sources_are_superseded_and_tied_to_what_replaced_them(database, dream, twins):
    run = dream()
    assert run.state is RunState.DONE
    (merged,) = database.memories.list()
    assert merged.tags == ("a", "b")
    assert merged.key == "tea"
    assert merged.importance == 0.9
    assert merged.created_at == twins[0].created_at
    for source in twins:
        assert database.memories.get(source.id).state is State.SUPERSEDED
        links = {(link.source, link.kind, link.target) for link in database.memories.links(source.id)}
        assert links == {
            (source.id, LinkKind.REPLACED_BY, merged.id),
            (merged.id, LinkKind.MADE_FROM, source.id),
        }


def test_a_dream_is_one_changeset_and_undone_as_one(database, dream, twins, told):
    told.find = agreeing
    database.memories.add("Bob likes coffee")
    before = everything(database)
    run = dream()
    assert run.counts["merged"] == 2
    assert run.counts["insights"] == 1
    assert run.counts["consolidated"] == 2
    changes = database.history.get(run.operation)
    assert changes.author == f"dream:{run.id}"
    database.history.undo(run.operation)
    assert everything(database) == before


def test_insights_rest_on_what_merges_of_the_same_dream_made(database, dream, twins, told):
    told.find = agreeing
    bob = database.memories.add("Bob likes coffee")
    dream()
    (insight,) = database.insights.list()
    merged = next(memory for memory in database.memories.list() if memory.key == "tea")
    assert set(insight.sources) == {merged.id, bob.id}


def test_the_next_dream_over_unchanged_data_changes_nothing(database, dream, twins, told):
    told.find = agreeing
    database.memories.add("Bob likes coffee")
    dream()
    before = everything(database)
    for _ in range(20):
        run = dream()
        assert run.operation is None
        assert database.dreams.proposals(run.id) == []
    assert everything(database) == before


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_thousand_dreams_over_unchanged_data_change_nothing(database, dream, told):
    told.find = agreeing
    database.memories.add_many(
        {"content": f"Note {n // 3}", "key": f"k{n}" if n % 3 == 2 else None, "tags": [f"t{n % 5}"]}
        for n in range(300)
    )
    dream()
    before = everything(database)
    for _ in range(1000):
        assert dream().operation is None
    assert everything(database) == before


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "content": st.sampled_from(
                    [
                        "Ada likes tea",
                        "Ada  likes tea",
                        "ada likes tea!",
                        "Ada likes 5 teas",
                        "Bob is in Rome",
                    ]
                ),
                "key": st.sampled_from([None, None, "a", "b", "c"]),
                "tags": st.lists(st.sampled_from("xyz"), max_size=2),
                "category": st.sampled_from([None, "people", "people/ada", "drinks"]),
                "pinned": st.booleans(),
                "muted": st.booleans(),
                "metadata": st.dictionaries(st.sampled_from("pq"), st.integers(0, 1), max_size=2),
            }
        ),
        max_size=12,
    )
)
def test_whatever_is_stored_a_dream_loses_nothing_and_a_second_one_finds_nothing(
    tmp_path_factory, blank, embedder, told, records
):
    told.find = agreeing if len(records) > 3 else lambda memories: []
    folder = tmp_path_factory.mktemp("vault")
    shutil.copy(blank, folder / "vault.db")
    database = Database(folder / "vault.db", folder)
    try:
        for record in records:
            try:
                database.memories.add(**record)
            except Conflict:
                continue
        waiting = database.embeddings.waiting(100)
        if waiting:
            database.embeddings.store(embedder.name, waiting, embedder.embed([w.text for w in waiting]))
        before = {memory.id: memory for memory in database.memories.list(ALL, limit=1000)}
        run = Dreamer(database.dreams, Tools(told), embedder).run()
        after = {memory.id: memory for memory in database.memories.list(ALL, limit=1000)}
        live = [memory for memory in after.values() if memory.state is State.ACTIVE]
        assert before.keys() <= after.keys()
        for memory in before.values():
            assert any(
                memory.content.split()[-1].strip("!") in each.content
                and {tag.casefold() for tag in memory.tags} <= {tag.casefold() for tag in each.tags}
                and each.muted == memory.muted
                and (memory.key is None or memory.key == each.key)
                for each in live
            )
            if memory.pinned:
                assert after[memory.id].state is State.ACTIVE
        again = Dreamer(database.dreams, Tools(told), embedder).run()
        assert again.operation is None
        if run.operation is not None:
            database.history.undo(run.operation)
        assert {memory.id: memory for memory in database.memories.list(ALL, limit=1000)} == before
    finally:
        database.close()


def test_a_memory_that_changed_since_it_was_read_is_skipped_and_reported(database, dream, twins, told):
    bob, eve = database.memories.add("Bob likes coffee"), database.memories.add("Eve likes milk")
    told.find = lambda memories: [("They agree", [bob.id, eve.id])]

    def change(done, total, what):
        if told.given:  # all has been read and proposed
            database.memories.update(twins[0].id, content="Ada likes cocoa")
            database.memories.update(bob.id, content="Bob likes cocoa")

    run = dream(progress=change)
    assert run.state is RunState.DONE
    assert database.memories.get(twins[0].id).content == "Ada likes cocoa"
    assert database.memories.get(twins[1].id).state is State.ACTIVE
    assert database.insights.list() == []
    decisions = {step.kind: step for step in database.dreams.proposals(run.id)}
    assert decisions[ProposalKind.MERGE].decision is Decision.SKIPPED
    assert twins[0].id in decisions[ProposalKind.MERGE].note
    assert decisions[ProposalKind.INSIGHT].decision is Decision.SKIPPED
    assert run.counts["skipped"] >= 2
    # What an insight that was skipped rests on is looked at again.
    assert not database.memories.get(eve.id).is_consolidated


def test_a_tag_that_was_added_meanwhile_is_not_lost(database, dream, twins, told):
    def tell_again(done, total, what):
        database.memories.add("Ada likes tea", tags=["new"])

    told.find = lambda memories: []
    dream(progress=tell_again)
    live = database.memories.list()
    assert any("new" in memory.tags for memory in live)


def test_a_veto_is_stored_once_and_not_proposed_again(database, dream, told):
    database.memories.add("Ada likes tea")
    database.memories.add("Bob likes coffee")
    told.find = lambda memories: [("They agree", [memories[0].id, "12"]), ("So it is", [memories[0].id])]
    run = dream()
    steps = database.dreams.proposals(run.id)
    assert [step.decision for step in steps] == [Decision.VETOED, Decision.APPLIED, Decision.APPLIED]
    assert run.counts["vetoed"] == 1
    assert [insight.content for insight in database.insights.list()] == ["So it is"]
    database.history.undo(run.operation)
    again = dream()
    assert [step.decision for step in database.dreams.proposals(again.id)] == [Decision.APPLIED] * 2


def test_cancelled_before_it_is_applied_it_leaves_nothing(database, dream, twins, told):
    told.find = agreeing
    database.memories.add("Bob likes coffee")
    before = everything(database)
    run = dream(cancelled=lambda: bool(told.given))
    assert run.state is RunState.CANCELLED
    assert run.operation is None
    assert everything(database) == before
    assert database.dreams.proposals(run.id) == []
    assert dream().state is RunState.DONE


def test_a_pass_that_fails_stops_no_other(database, dream, twins, told):
    def find(memories):
        raise UserError("The model answered nothing")

    told.find = find
    database.memories.add("Bob likes coffee")
    run = dream()
    assert run.state is RunState.DONE
    assert run.counts["merged"] == 2
    assert run.counts["failed"] == 1
    assert "The model answered nothing" in run.reason
    assert not any(memory.is_consolidated for memory in database.memories.list())


def test_a_dream_of_which_every_pass_fails_has_failed(database, embedder, told):
    def find(memories):
        raise UserError("The model answered nothing")

    told.find = find
    for n in range(2):
        database.memories.add(f"Note {n}")
    run = Dreamer(database.dreams, Tools(told), embedder, passes=("consolidate",)).run()
    assert run.state is RunState.FAILED
    assert "The model answered nothing" in run.reason


def test_what_a_failing_pass_found_before_stands(database, embedder, told):
    def find(memories):
        if len(told.given) == 2:
            raise UserError("The model answered nothing")
        return agreeing(memories)

    told.find = find
    for n in range(4):
        database.memories.add(f"Note {n}")
    run = Dreamer(database.dreams, Tools(told, batch=2), embedder, passes=("consolidate",)).run()
    assert run.state is RunState.DONE
    assert (run.counts["insights"], run.counts["consolidated"], run.counts["failed"]) == (1, 2, 1)


def test_a_bug_in_a_pass_is_no_running_dream(database, dream, twins, told):
    def find(memories):
        raise ZeroDivisionError("oops")

    told.find = find
    database.memories.add("Bob likes coffee")
    before = everything(database)
    with pytest.raises(ZeroDivisionError):
        dream()
    (run,) = database.dreams.runs()
    assert run.state is RunState.FAILED
    assert everything(database) == before


def test_one_dream_at_a_time_in_a_base(database, dream, told, twins):
    database.memories.add("Bob likes coffee")
    thinking, go_on = threading.Event(), threading.Event()

    def find(memories):
        thinking.set()
        go_on.wait(20)
        return []

    told.find = find
    ended = []
    thread = threading.Thread(target=lambda: ended.append(dream()))
    thread.start()
    assert thinking.wait(20)
    with pytest.raises(Conflict):
        dream()
    database.knowledge_bases.add("work")
    assert dream("work").state is RunState.DONE
    go_on.set()
    thread.join()
    assert ended[0].state is RunState.DONE


def test_what_is_left_for_the_next_dream_is_told(database, embedder, told):
    for n in range(9):
        database.memories.add(f"Note {n}")
    left = []
    for _ in range(4):
        run = Dreamer(database.dreams, Tools(told, batch=2, limit=4), embedder).run()
        left.append(run.counts["left"])
    assert left == [5, 1, 1, 1]


def test_a_base_that_there_is_not(dream):
    with pytest.raises(NotFound):
        dream("nowhere")


def test_an_empty_base_dreams_of_nothing(dream):
    run = dream()
    assert run.state is RunState.DONE
    assert run.counts["read"] == 0


def test_other_bases_are_left_alone(database, dream, twins):
    other = database.memories.add("Ada likes tea", kb="work")
    dream()
    assert database.memories.get(other.id) == other
