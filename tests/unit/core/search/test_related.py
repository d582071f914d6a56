"""What is about the same, and what says nearly the same."""

import pytest

from reverie import Vault
from reverie.domain.memory import MemoryFilter, State
from reverie.errors import NotFound, UserError

TEXTS = [
    "The staging cluster runs Postgres 16.2 on two nodes in Linz.",
    "Postgres on the staging cluster was moved to Linz in spring.",
    "The backup of the staging Postgres is taken at night.",
    "Aiko is allergic to shellfish; Lena is vegetarian.",
    "Lena asked for a vegetarian menu.",
]


@pytest.fixture(scope="module")
def vault(tmp_path_factory):
    with Vault.open(tmp_path_factory.mktemp("related") / "vault") as vault:
        made = vault.memories.add_many([{"content": text} for text in TEXTS])
        vault.memories.add("Postgres runs elsewhere", kb="other")
        vault.index.wait()
        vault.ids = [memory.id for memory in made]
        yield vault


def contents(hits):
    return [hit.memory.content for hit in hits]


def test_related_ones_share_words_or_meaning_and_are_not_the_memory_itself(vault):
    assert set(contents(vault.related(vault.ids[0], limit=2))) == set(TEXTS[1:3])
    assert contents(vault.related(vault.ids[3], limit=1)) == [TEXTS[4]]


def test_related_ones_are_of_the_same_base(vault):
    assert "Postgres runs elsewhere" not in contents(vault.related(vault.ids[0], limit=10))


def test_nothing_is_related_to_what_is_not_there(vault):
    with pytest.raises(NotFound):
        vault.related("0123456789ab")


def test_what_a_memory_replaced_is_not_related_to_it(tmp_path):
    with Vault.open(tmp_path / "vault") as vault:
        vault.memories.add("Ines moved to Porto in May.", tags=["a"])
        vault.memories.add("Ines moved to Porto, in May.", tags=["b"])
        vault.index.wait()
        vault.dream()
        (kept,) = vault.memories.list()
        assert len(vault.memories.ids(MemoryFilter(states=(State.SUPERSEDED,)))) == 2
        assert vault.related(kept.id) == []


def test_duplicates_are_pairs_of_what_says_nearly_the_same(tmp_path):
    with Vault.open(tmp_path / "vault") as vault:
        first = vault.memories.add("The printer on the second floor is out of toner.")
        second = vault.memories.add("The printer on the second floor is out of toner again.")
        vault.memories.add("Aiko is allergic to shellfish.")
        vault.index.wait()
        ((older, newer, cosine),) = vault.duplicates()
        assert (older.id, newer.id) == (first.id, second.id)
        assert 0.88 <= cosine <= 1
        vault.memories.trash(second.id)
        assert vault.duplicates() == []
        with pytest.raises(UserError, match="threshold"):
            vault.duplicates(threshold=7)
