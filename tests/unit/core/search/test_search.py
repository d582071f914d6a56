"""Finding through the vault: literal, filtered inside, by words and by meaning."""

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie import Vault
from reverie.domain.memory import MemoryFilter
from reverie.errors import UserError

TEXTS = {
    "seats": "Prefers window seats on trains, and an aisle seat on planes.",
    "ticket": "Ticket BENCH-100821 asks for self-healing indexes in 20.04.",
    "code": "The template grammar::fa is written in C++, see a/b and don't touch it.",
    "food": "Aiko is allergic to shellfish; Lena is vegetarian.",
    "cafe": "Das Café Müller öffnet um 8 Uhr.",
    "cluster": "The staging cluster runs Postgres 16.2 on two nodes in Linz.",
    "mail": "Write to priya.n@example.org about the weekly digest.",
    "party": "We celebrate 🎉 on Friday.",
}


@pytest.fixture(scope="module")
def vault(tmp_path_factory):
    with Vault.open(tmp_path_factory.mktemp("search") / "vault") as vault:
        for name, text in TEXTS.items():
            vault.memories.add(text, source=name, tags=[name], category=f"notes/{name}")
        vault.index.wait()
        yield vault


def names(hits):
    return [hit.memory.provenance.source for hit in hits]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("BENCH-100821", "ticket"),
        ("self-healing", "ticket"),
        ("20.04", "ticket"),
        ("a/b", "code"),
        ("don't", "code"),
        ("grammar::fa", "code"),
        ("C++", "code"),
        ("CAFE muller", "cafe"),
        ("priya.n@example.org", "mail"),
        ("seat", "seats"),
        ("16.2", "cluster"),
        ('"two nodes"', "cluster"),
        ("llergi", "food"),
        ("🎉", "party"),
        ("what is it that Aiko must not eat, being allergic?", "food"),
    ],
)
def test_literal_queries_find_their_text_by_words(vault, query, name):
    assert names(vault.search(query, mode="keyword"))[:1] == [name]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("who must not eat fish?", "food"),
        ("which database does the test system use", "cluster"),
        ("where to sit on a journey", "seats"),
    ],
)
def test_meaning_finds_what_shares_no_word(vault, query, name):
    assert names(vault.search(query, mode="semantic"))[:1] == [name]
    assert names(vault.search(query))[:1] == [name]


@pytest.mark.parametrize("query", ["", "   ", "\n"])
def test_nothing_asked_finds_nothing(vault, query):
    assert vault.search(query) == []


@pytest.mark.parametrize(
    "query", ['"', "*", "(", "NEAR", "AND", "OR OR", "a AND", "^x", "col:x", "{", "\ud83d", "\0", "-", "…"]
)
@pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
def test_no_input_is_a_syntax_error(vault, query, mode):
    vault.search(query, mode=mode)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=40), prefix=st.booleans())
def test_any_text_is_a_query(vault, query, prefix):
    vault.search(query, mode="keyword", prefix=prefix)


def test_an_unknown_mode_is_refused(vault):
    with pytest.raises(UserError, match="no way to search"):
        vault.search("x", mode="telepathy")


def test_the_last_word_may_be_a_beginning(vault):
    assert names(vault.search("staging clus", mode="keyword", prefix=True))[:1] == ["cluster"]


class TestFilters:
    @pytest.mark.parametrize("mode", ["hybrid", "keyword", "semantic"])
    def test_hold_in_every_mode(self, vault, mode):
        query = "Aiko allergic Postgres seats Linz window"
        assert set(names(vault.search(query, tags=["food"], mode=mode))) <= {"food"}
        assert set(names(vault.search(query, category="notes/cluster", mode=mode))) <= {"cluster"}
        assert vault.search(query, kb="elsewhere", mode=mode) == []
        assert vault.search(query, until=datetime(2000, 1, 1, tzinfo=UTC), mode=mode) == []

    def test_a_rare_filter_still_fills_the_page(self, tmp_path):
        with Vault.open(tmp_path / "vault") as vault:
            records = [{"content": f"The harbour report number {n}"} for n in range(600)]
            records += [{"content": f"A harbour rarity, number {n}", "tags": ["rare"]} for n in range(5)]
            vault.memories.add_many(records)
            assert len(vault.search("harbour report", tags=["rare"], limit=5, mode="keyword")) == 5

    def test_trashed_and_superseded_are_left_out_muted_are_not(self, tmp_path):
        with Vault.open(tmp_path / "vault") as vault:
            gone = vault.memories.add("the gone harbour")
            muted = vault.memories.add("the muted harbour", muted=True)
            old = vault.memories.add("the superseded harbour")
            vault.memories.update(old.id, state="superseded")
            vault.memories.trash(gone.id)
            vault.index.wait()
            for mode in ("hybrid", "keyword", "semantic"):
                assert [hit.memory.id for hit in vault.search("harbour", mode=mode)] == [muted.id]
            assert vault.search("harbour", filter=MemoryFilter(muted=False)) == []


class TestScores:
    def test_relevance_is_absolute(self, vault):
        (sure, *_rest) = vault.search("Aiko is allergic to shellfish")
        assert sure.relevance > 0.8
        assert all(hit.relevance < 0.3 for hit in vault.search("quarterly revenue of the zoo"))

    def test_every_number_is_in_its_range(self, vault):
        for hit in vault.search("Aiko weekly nodes train"):
            assert 0 <= hit.score <= 1
            assert 0 <= hit.relevance <= 1
            assert hit.keyword is None or 0 <= hit.keyword <= 1
            assert hit.cosine is None or -1.001 <= hit.cosine <= 1.001

    def test_a_hit_tells_why(self, vault):
        (hit, *_rest) = vault.search("allergies to shellfish")
        assert "shellfish" in hit.words
        assert "shellfish" in hit.why
        assert hit.passage.startswith("Aiko is allergic")


class TestFreshness:
    def test_what_was_just_written_is_found_by_words_at_once(self, vault):
        memory = vault.memories.add("a brand new zeppelin")
        assert vault.search("zeppelin")[0].memory.id == memory.id
        vault.memories.update(memory.id, content="a brand new dirigible")
        assert vault.search("zeppelin", mode="keyword") == []
        vault.memories.trash(memory.id)
        assert vault.search("dirigible", mode="keyword") == []

    def test_and_by_meaning_when_its_vector_is_there_also_in_another_vault_object(self, tmp_path):
        with Vault.open(tmp_path / "vault") as here, Vault.open(tmp_path / "vault") as there:
            assert there.search("animals", mode="semantic") == []
            memory = here.memories.add("Two cats and a dog live in the house.")
            here.index.wait()
            assert [hit.memory.id for hit in there.search("pets", mode="semantic")] == [memory.id]
            here.memories.update(memory.id, content="The tax return is due in May.")
            here.index.wait()
            assert [hit.memory.id for hit in there.search("income statement deadline", mode="semantic")] == [
                memory.id
            ]


def test_without_an_embedder_search_is_by_words_and_says_so(tmp_path, monkeypatch):
    def fail():
        raise UserError("The embedding model is missing", hint="Install Reverie again")

    monkeypatch.setattr("reverie.vault._load_embedder", fail)
    with Vault.open(tmp_path / "vault") as vault:
        vault.memories.add("Two cats live here")
        assert [hit.memory.content for hit in vault.search("cats")] == ["Two cats live here"]
        assert vault.search("pets") == []
        with pytest.raises(UserError, match="no embedding model"):
            vault.index.wait()
        assert "missing" in vault.index.state
        assert vault.index.pending() == 1


def test_every_way_of_writing_makes_a_vector(tmp_path):
    with Vault.open(tmp_path / "vault") as vault:
        one = vault.memories.add("by add")
        vault.memories.add_many([{"content": f"by add_many {n}"} for n in range(450)])
        vault.memories.update(one.id, content="by update")
        vault.memories.trash(one.id)
        vault.undo()
        assert vault.index.pending() > 0
        vault.index.wait()
        assert vault.index.pending() == 0
        with vault._database.readers.read() as connection:
            count = "SELECT (SELECT count(*) FROM embeddings), (SELECT count(*) FROM memories)"
            vectors, rows = connection.exec_driver_sql(count).one()
        assert vectors == rows == 451
