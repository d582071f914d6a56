import threading
import time

import numpy as np
import pytest

from reverie.domain.dream import ProposalKind
from reverie.dream.passes.consolidate import Consolidate
from reverie.errors import Cancelled, UserError


def kinds(proposals):
    return [proposal.kind for proposal in proposals]


def test_batches_go_oldest_first_so_that_nothing_starves(memory, shelf, propose, told):
    texts = [memory(f"Note {n}") for n in range(45)]
    found = propose(Consolidate(told, batch=20), shelf(reversed(texts)))
    ids = [text.id for text in texts]
    assert told.given == [ids[:20], ids[20:40], ids[40:]]
    assert kinds(found) == [ProposalKind.CONSOLIDATE] * 3
    assert [id for proposal in found for id in proposal.sources] == ids


def test_one_dream_looks_at_so_many_and_the_next_goes_on(memory, shelf, propose, told):
    texts = [memory(f"Note {n}") for n in range(9)]
    found = propose(Consolidate(told, batch=2, limit=6), shelf(texts))
    assert [id for proposal in found for id in proposal.sources] == [text.id for text in texts[:6]]


def test_each_insight_is_tied_to_its_memories_and_all_of_the_batch_count_as_seen(
    memory, shelf, propose, told
):
    texts = [memory(f"Note {n}") for n in range(4)]
    told.find = lambda memories: [
        ("Two notes agree", [memories[0].id, memories[1].id]),
        ("So do these", [memories[1].id, memories[2].id]),
    ]
    one, two, seen = propose(Consolidate(told), shelf(texts))
    assert (one.kind, one.after["content"], one.sources) == (
        ProposalKind.INSIGHT,
        "Two notes agree",
        (texts[0].id, texts[1].id),
    )
    assert two.sources == (texts[1].id, texts[2].id)
    assert seen.sources == tuple(text.id for text in texts)
    assert set(one.versions) == set(one.sources)


def test_a_single_memory_waits_for_another(memory, shelf, propose, told):
    texts = [memory(f"Note {n}") for n in range(21)]
    (seen,) = propose(Consolidate(told, batch=20), shelf(texts))
    assert texts[20].id not in seen.sources
    assert propose(Consolidate(told), shelf([memory()])) == []


def test_what_was_seen_or_is_muted_is_left_out(memory, shelf, propose, told):
    texts = [memory("a", is_consolidated=True), memory("b", muted=True), memory("c"), memory("d")]
    (seen,) = propose(Consolidate(told), shelf(texts))
    assert seen.sources == (texts[2].id, texts[3].id)


def test_vectors_that_are_missing_are_made(memory, shelf, propose, told):
    texts = [memory("a"), memory("b")]
    rows = []
    told.consolidate = lambda memories, vectors: rows.append(vectors) or []
    propose(Consolidate(told), shelf(texts, without=[texts[0].id]))
    assert (abs(rows[0]).sum(axis=1) > 0).all()


def test_without_an_embedder_rows_are_zeros(memory, shelf, propose, told):
    rows = []
    told.consolidate = lambda memories, vectors: rows.append(vectors) or []
    material = shelf([memory("a"), memory("b")])
    material.vectors = lambda ids, make=False: ([], np.empty((0, 0), np.float32))
    propose(Consolidate(told), material)
    assert rows[0].shape[0] == 2
    assert not rows[0].any()


def test_a_batch_that_fails_stops_no_other_and_is_told_at_the_end(memory, shelf, setting, told):
    texts = [memory(f"Note {n}") for n in range(6)]

    def find(memories):
        if memories[0].id == texts[2].id:
            raise UserError("The model answered nothing")
        return []

    told.find = find
    found = []
    steps = Consolidate(told, batch=2).propose(
        shelf(texts), setting, progress=lambda *a: None, cancelled=lambda: False
    )
    with pytest.raises(UserError, match="1 batch") as error:
        found.extend(steps)
    assert "The model answered nothing" in str(error.value)
    assert [proposal.sources[0] for proposal in found] == [texts[0].id, texts[4].id]


def test_a_reasoner_that_keeps_failing_is_not_asked_for_ever(memory, shelf, setting, told):
    asked = []

    def find(memories):
        asked.append(1)
        raise UserError("No answer")

    told.find = find
    with pytest.raises(UserError):
        list(
            Consolidate(told, batch=2).propose(
                shelf([memory(f"Note {n}") for n in range(40)]),
                setting,
                progress=lambda *a: None,
                cancelled=lambda: False,
            )
        )
    assert len(asked) == 3


def test_a_stop_does_not_wait_for_a_reasoner_that_thinks(memory, shelf, propose, told):
    go_on = threading.Event()
    told.find = lambda memories: go_on.wait(20) and []
    begun = time.monotonic()
    with pytest.raises(Cancelled):
        propose(Consolidate(told), shelf([memory("a"), memory("b")]), cancelled=lambda: bool(told.given))
    assert time.monotonic() - begun < 5
    go_on.set()


def test_it_stops_between_batches(memory, shelf, propose, told):
    texts = [memory(f"Note {n}") for n in range(40)]
    with pytest.raises(Cancelled):
        propose(Consolidate(told, batch=2), shelf(texts), cancelled=lambda: len(told.given) >= 3)
    assert len(told.given) == 3
