"""The engine ranks as the oracle does: with and without vectors, from memory, from a snapshot, in another process."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.unit.core.search.oracle import Oracle, Row

from reverie import Vault
from reverie.domain.memory import Provenance, State
from reverie.search.documents import KINDS
from reverie.store.texts import SELECTS

START = datetime(2023, 5, 1, 12, tzinfo=UTC)

SAID = st.sampled_from(
    [
        "When did Ada hike there?",
        "Ada likes hiking in the Alps. Yesterday it rained.",
        "Bo and Ada use self-healing pipes (v1.2.3)",
        "设备清单 and 雨",
        "The harbour was closed on Monday, they say",
        "Possibility of rain",
        "it is possible, Bo said?",
        "harbour harbour harbour bridge",
        "Das Haus ist nicht alt und die Häuser sind neu",
        "cat",
        "concatenate two files in May",
        "Café C++ 🎉",
        "the",
    ]
)
ASKED = st.sampled_from(
    [
        "hike", "hiking in the Alps", "when did Ada hike?", "self-healing", "harbour bridge", "possible rain", "设备", "雨",
        "cat", "the", "Häuser", "what happened in May 2023?", "Bo", '"closed on Monday"', "cafe 🎉", "onca", "v1.2.3",
        "nothing of it", "Ada Bo harbour rain possible cat May",
    ]
)  # fmt: skip
WHEN = st.integers(0, 60).map(lambda days: START + timedelta(days=days))
NUMBER = st.integers(0, 20)

memory_acts = st.lists(
    st.one_of(
        st.tuples(
            st.just("add"),
            SAID,
            st.sampled_from([None, "one", "two"]),
            WHEN,
            st.sampled_from([[], ["rain"], ["x-y"]]),
        ),
        st.tuples(st.just("edit"), NUMBER, SAID),
        st.tuples(st.just("trash"), NUMBER),
        st.tuples(st.just("undo")),
    ),
    min_size=1,
    max_size=10,
)
message_acts = st.lists(
    st.one_of(
        st.tuples(
            st.just("say"),
            st.sampled_from(["s1", "s2"]),
            SAID,
            st.sampled_from(["Ada", "Bo", None, "…"]),
            WHEN,
        ),
        st.tuples(st.just("edit"), NUMBER, SAID),
        st.tuples(st.just("undo")),
    ),
    min_size=1,
    max_size=10,
)


def act_on_memories(vault, act, made):
    if act[0] == "add":
        _add, content, item, at, tags = act
        provenance = Provenance(source="notes.md", item=item) if item else Provenance()
        made.append(
            vault.memories.add(f"{content} ({len(made)})", provenance=provenance, created_at=at, tags=tags).id
        )
    elif act[0] == "undo":
        undo(vault)
    else:
        there = [memory.id for memory in vault.memories.get_many(made) if memory.state is State.ACTIVE]
        if there and act[0] == "edit":
            vault.memories.update(there[act[1] % len(there)], content=f"{act[2]} ({len(made)})")
        elif there:
            vault.memories.trash(there[act[1] % len(there)])


def act_on_messages(vault, act, made):
    if act[0] == "say":
        _say, session, content, name, at = act
        made.append(vault.conversations.append(session, "user", content, name=name, created_at=at).id)
    elif act[0] == "undo":
        undo(vault)
    else:
        there = [message.id for message in vault.conversations.get_many(made)]
        if there:
            vault.conversations.update(there[act[1] % len(there)], content=act[2])


def undo(vault):
    if vault.history.undoable() is not None:
        vault.undo()


def stored(vault, kind):
    """The rows that an index reads, with what the oracle needs to know besides."""
    with vault._database.readers.read() as connection:
        return connection.execute(SELECTS[kind]).all()


def memories_of(vault):
    documents = {row.seq: KINDS["memory"].read(row) for row in stored(vault, "memory")}
    with vault._database.readers.read() as connection:
        ids = dict(connection.exec_driver_sql("SELECT seq, id FROM memories").all())
    known = {memory.id: memory for memory in vault.memories.get_many(list(ids.values()))}
    return [
        Row(
            ids[seq],
            document,
            known[ids[seq]].content,
            "\n".join(filter(None, (known[ids[seq]].content, known[ids[seq]].summary))),
            known[ids[seq]].state is State.ACTIVE,
        )
        for seq, document in documents.items()
    ]


def messages_of(vault):
    with vault._database.readers.read() as connection:
        ids = dict(connection.exec_driver_sql("SELECT seq, id FROM messages").all())
    return [
        Row(
            ids[row.seq],
            KINDS["message"].read(row),
            f"{row.name}: {row.content}" if row.name else row.content,
            row.content,
        )
        for row in stored(vault, "message")
    ]


KIND = {
    "memory": SimpleNamespace(
        act=act_on_memories,
        rows=memories_of,
        search=lambda vault, text, mode: vault.search(text, limit=100, mode=mode),
    ),
    "message": SimpleNamespace(
        act=act_on_messages,
        rows=messages_of,
        search=lambda vault, text, mode: vault.conversations.search(text, limit=100, mode=mode),
    ),
}


def compare(kind, vault, questions, embedder):
    oracle = Oracle(KINDS[kind], KIND[kind].rows(vault), embedder)
    for mode in ("keyword", "hybrid", "semantic"):
        for text in questions:
            expected = oracle.scores(text, mode)
            hits = KIND[kind].search(vault, text, mode)
            found = {hit.record.id: hit.score for hit in hits}
            assert found == pytest.approx(expected, abs=1e-4), (mode, text)
            assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@settings(
    max_examples=4,
    deadline=None,
    phases=(Phase.generate,),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@pytest.mark.parametrize("kind", ["memory", "message"])
@given(data=st.data())
def test_the_engine_ranks_as_the_oracle(kind, data, by_words, small_snapshots, tmp_path_factory):
    acts = memory_acts if kind == "memory" else message_acts
    path = tmp_path_factory.mktemp("oracle") / "vault"
    made = []
    questions = data.draw(st.lists(ASKED, min_size=1, max_size=4), label="questions")

    def act_and_compare(vault):
        for act in data.draw(acts, label="acts"):
            KIND[kind].act(vault, act, made)
            if data.draw(st.booleans(), label="look in between"):
                KIND[kind].search(vault, questions[0], "hybrid")
        vault.index.wait()
        compare(kind, vault, questions, by_words)

    with Vault.open(path) as vault:
        act_and_compare(vault)
        vault._finders.tidy()
        compare(kind, vault, questions, by_words)
        with Vault.open(path) as other:
            act_and_compare(other)
        compare(kind, vault, questions, by_words)
    with Vault.open(path) as vault:
        compare(kind, vault, questions, by_words)
        act_and_compare(vault)
