"""No filter leaks, in any mode; a rare one fills the page; what is not to be seen is not found."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie import Vault
from reverie.domain.clock import now
from reverie.domain.memory import Kind, MemoryFilter, Provenance, State
from reverie.search.modes import MODES
from reverie.store.memory_rows import to_row
from reverie.store.memory_writes import insert_rows
from reverie.store.staging import Stage

START = datetime(2024, 1, 1, tzinfo=UTC)
COUNT = 300  # more than one side names


@pytest.fixture(scope="module")
def vault(tmp_path_factory, bag_of_words):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reverie.vault._load_embedder", lambda: bag_of_words)
        with Vault.open(tmp_path_factory.mktemp("filters") / "vault") as vault:
            vault.memories.add_many(
                [
                    {
                        "content": f"harbour report {n} about rain" + " rain" * (n % 7),
                        "kb": ["default", "work"][n % 2],
                        "category": ["notes", "notes/sea", "notesea", "general"][n % 4],
                        "tags": [["Sea"], [], ["sea", "rare"], ["dock"]][n % 4] if n % 50 == 2 else ["dock"],
                        "kind": list(Kind)[n % len(Kind)],
                        "muted": n % 5 == 0,
                        "pinned": n % 7 == 0,
                        "importance": (n % 11) / 10,
                        "created_at": START + timedelta(days=n),
                        "provenance": Provenance(source=["a.md", "b.md"][n % 2]),
                        "expires_at": START if n % 13 == 0 else None,
                    }
                    for n in range(COUNT)
                ]
            )
            for n, memory_id in enumerate(vault.memories.ids(MemoryFilter(expired=None))):
                if n % 17 == 0:
                    vault.memories.trash(memory_id)
                elif n % 19 == 0:
                    vault.memories.update(memory_id, state="superseded")
            for n in range(60):
                vault.conversations.append(
                    f"s{n % 6}", "user", f"harbour talk {n}", kb=["default", "work"][n % 2]
                )
            vault.index.wait()
            yield vault


days = st.integers(0, COUNT).map(lambda n: START + timedelta(days=n))
some = {
    "kb": st.sampled_from(["default", "work", "nowhere"]),
    "category": st.sampled_from(["notes", "notes/sea", "note", "general"]),
    "tags": st.sampled_from([("sea",), ("SEA", "rare"), ("dock",), ("none",)]),
    "kinds": st.sampled_from([(Kind.FACT,), (Kind.NOTE, Kind.TIMELINE)]),
    "states": st.sampled_from([(State.TRASHED,), (State.SUPERSEDED,), tuple(State)]),
    "since": days,
    "until": days,
    "source": st.just("a.md"),
    "pinned": st.booleans(),
    "muted": st.booleans(),
    "min_importance": st.floats(0, 1),
    "expired": st.sampled_from([None, True]),
    "without_tags": st.just(("sea",)),
    "without_kinds": st.just((Kind.FACT,)),
    "without_categories": st.just(("notes",)),
}
wanted = st.fixed_dictionaries({}, optional=some).map(lambda fields: MemoryFilter(**fields))
quiet = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@quiet
@given(
    wanted,
    st.sampled_from(MODES),
    st.integers(1, 20),
    st.sampled_from(["harbour rain", "harbour", "report 7"]),
)
def test_every_hit_passes_and_the_page_is_full(vault, wanted, mode, limit, text):
    passing = set(vault.memories.ids(wanted))
    hits = vault.search(text, filter=wanted, mode=mode, limit=limit)
    found = [hit.memory.id for hit in hits]
    assert set(found) <= passing
    assert len(found) == len(set(found))
    if mode != "semantic":
        assert len(found) == min(limit, len(passing))


@quiet
@given(
    st.none() | st.lists(st.sampled_from(["s0", "s1", "s5", "none"]), max_size=3),
    st.sampled_from([None, "default", "work"]),
    st.sampled_from(MODES),
)
def test_messages_are_of_the_sessions_that_are_asked_for(vault, sessions, kb, mode):
    hits = vault.conversations.search("harbour talk", sessions, limit=60, kb=kb, mode=mode)
    known = {f"s{n}": ["default", "work"][n % 2] for n in range(6)}
    asked = {
        name for name, base in known.items() if (sessions is None or name in sessions) and kb in (None, base)
    }
    assert {hit.message.session for hit in hits} == asked
    assert len(hits) == 10 * len(asked)


any_query = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            [
                "AND",
                "OR",
                "NOT",
                "NEAR",
                "NEAR/3",
                '"',
                "*",
                "(",
                ")",
                "^",
                ":",
                "col:x",
                "-",
                "harbour",
                "雨",
                "'",
            ]
        ),
        max_size=8,
    ).map(" ".join),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(any_query, st.sampled_from(MODES), st.booleans())
def test_no_text_raises_in_any_mode(vault, text, mode, prefix):
    for hit in vault.search(text, mode=mode, prefix=prefix):
        content = hit.memory.content
        assert all(0 <= start < end <= len(content) for start, end in hit.marks)
        assert all(word in content for word in hit.words)
    vault.conversations.search(text, mode=mode)
    vault.insights.search(text, mode=mode)


@pytest.mark.parametrize("limit", [0, -1])
def test_no_rows_are_asked_for(vault, limit):
    assert vault.search("harbour", limit=limit) == []


def test_more_rows_than_there_are(vault):
    assert len(vault.search("harbour", limit=10**9)) == vault.memories.count()


def in_each_mode(*contents):
    return {mode: list(contents) for mode in MODES}


class TestNotToBeSeen:
    @pytest.fixture
    def own(self, tmp_path, by_words):
        with Vault.open(tmp_path / "vault") as vault:
            yield vault

    def found(self, vault, text="zeppelin", **how):
        vault.index.wait()
        return {mode: [hit.memory.content for hit in vault.search(text, mode=mode, **how)] for mode in MODES}

    def test_expired(self, own):
        own.memories.add("zeppelin", expires_at=now() - timedelta(seconds=1))
        own.memories.add("zeppelin tomorrow", expires_at=now() + timedelta(days=1))
        assert self.found(own) == in_each_mode("zeppelin tomorrow")

    def test_staged(self, own):
        with Stage(own._database.writer, "import", "import:1") as act:
            act.stage(lambda tx: insert_rows(tx, [to_row({"content": "zeppelin"}, "import:1")]))
            assert self.found(own) == in_each_mode()
            act.show()
            assert self.found(own) == in_each_mode("zeppelin")

    def test_deleted_by_undo_trashed_and_erased_also_after_reopening(self, own):
        own.memories.add("zeppelin undone")
        own.index.wait()
        own.undo()
        trashed = own.memories.add("zeppelin trashed")
        own.memories.trash(trashed.id)
        assert self.found(own) == in_each_mode()
        own.empty_trash()
        assert self.found(own) == in_each_mode()
        assert self.found(own, filter=MemoryFilter(states=tuple(State))) == in_each_mode()
        with Vault.open(own.path) as other:
            assert self.found(other) == in_each_mode()

    def test_what_came_back_is_found_again(self, own):
        memory = own.memories.add("zeppelin")
        own.undo()
        own.redo()
        assert self.found(own) == in_each_mode("zeppelin")
        own.memories.trash(memory.id)
        own.undo()
        assert self.found(own) == in_each_mode("zeppelin")


def test_what_another_process_wrote_is_found_at_once_by_words(tmp_path, by_words):
    script = "import sys; from reverie import Vault\nwith Vault.open(sys.argv[1]) as vault: "
    with Vault.open(tmp_path / "vault") as vault:
        gone = vault.memories.add("airship")
        assert vault.search("zeppelin", mode="keyword") == []
        acts = f'vault.memories.add("zeppelin"); vault.memories.trash({gone.id!r})'
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[4] / "core")}
        subprocess.run(
            [sys.executable, "-c", script + acts, vault.path], check=True, timeout=60, env=environment
        )
        assert [hit.memory.content for hit in vault.search("zeppelin", mode="keyword")] == ["zeppelin"]
        assert vault.search("airship", mode="keyword") == []
