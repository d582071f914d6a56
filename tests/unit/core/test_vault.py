"""The public functions say what is wrong with an argument, whatever it is; none answers with a bare TypeError."""

import inspect
import shutil
from functools import partial

import pytest

from reverie import Vault
from reverie.domain.memory import MemoryFilter, State
from reverie.errors import UserError

WRONG = [object(), ["a", 1], {"a": 1}, b"bytes", 3.5]
PARTS = ["", "memories", "insights", "history", "kbs", "inbox", "dreams", "conversations", "working"]


@pytest.fixture(scope="module")
def vault(tmp_path_factory):
    with Vault.open(tmp_path_factory.mktemp("vault")) as vault:
        yield vault


def methods():
    """(part, function, parameter) of all that is public and declares a type."""
    from reverie.dream.dreaming import Dreaming
    from reverie.ingest.inbox import Inbox
    from reverie.search.searched import SearchedWorking
    from reverie.store.conversations import Conversations
    from reverie.store.history import History
    from reverie.store.insights import Insights
    from reverie.store.knowledge_bases import KnowledgeBases
    from reverie.store.memories import Memories

    for part, cls in zip(
        PARTS,
        (Vault, Memories, Insights, History, KnowledgeBases, Inbox, Dreaming, Conversations, SearchedWorking),
        strict=True,
    ):
        for name, function in inspect.getmembers(cls, inspect.isfunction):
            if name.startswith("_"):
                continue
            for parameter in inspect.signature(function).parameters.values():
                if parameter.name != "self" and parameter.kind is not parameter.VAR_KEYWORD:
                    yield part, name, parameter


@pytest.mark.parametrize(
    ("part", "name", "parameter"),
    list(methods()),
    ids=lambda value: getattr(value, "name", value) or "vault",
)
def test_a_value_of_the_wrong_type_is_refused_in_words(vault, part, name, parameter):
    if (
        parameter.annotation in (inspect.Parameter.empty, "Any")
        or getattr(parameter.annotation, "__name__", "") == "Any"
    ):
        pytest.skip("takes anything")
    function = getattr(getattr(vault, part) if part else vault, name)
    if parameter.kind is parameter.VAR_POSITIONAL:
        function, given = partial(function, object()), {}
    else:
        given = {parameter.name: object()}
    said = "no text" if (name, parameter.name) == ("add", "content") else f"“{parameter.name}”"
    with pytest.raises(UserError, match=said):
        function(**given)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda value: type(value).__name__)
class TestAsAKnowledgeBase:
    def test_of_a_new_memory(self, vault, wrong):
        with pytest.raises(UserError):
            vault.memories.add("text", kb=wrong)
        with pytest.raises(UserError):
            vault.memories.add_many([{"content": "text", "kb": wrong}])
        assert [base.name for base in vault.kbs.list()] == ["default"]

    def test_of_a_search_an_ingest_a_dream_an_export(self, vault, wrong, tmp_path):
        file = tmp_path / "a.txt"
        file.write_text("some text of a file", encoding="utf-8")
        for act in (
            lambda: vault.search("text", kb=wrong),
            lambda: vault.ingest(file, kb=wrong),
            lambda: vault.inbox.add([file], kb=wrong),
            lambda: vault.dream(wrong),
            lambda: vault.export(tmp_path / "x.json", kb=wrong),
            lambda: vault.empty_trash(wrong),
            lambda: vault.kbs.add(wrong),
            lambda: vault.insights.list(wrong),
        ):
            with pytest.raises(UserError):
                act()

    def test_of_a_filter(self, vault, wrong):
        for act in (vault.memories.list, vault.memories.count, vault.memories.ids, vault.memories.facets):
            with pytest.raises(UserError):
                act(MemoryFilter(kb=wrong))
        with pytest.raises(UserError):
            vault.search("text", filter=MemoryFilter(kb=wrong))


@pytest.mark.parametrize(
    "field", ["key", "category", "tags", "importance", "created_at", "metadata", "state"]
)
@pytest.mark.parametrize("wrong", [object(), b"bytes"], ids=lambda value: type(value).__name__)
def test_a_field_of_a_memory_that_can_hold_no_such_thing_is_named(vault, field, wrong):
    if field == "key":
        pytest.skip("anything has a text")
    with pytest.raises(UserError):
        vault.memories.add("text", **{field: wrong})


def test_what_is_declared_is_taken_in_any_of_its_forms(vault, tmp_path):
    memory = vault.memories.add("a text about gardens", tags=("a", "b"))
    assert vault.search("gardens", tags=["a"], mode="keyword")
    assert vault.search("gardens", tags=iter(["b"]), mode="keyword")
    assert vault.memories.get_many((memory.id,)) == vault.memories.get_many([memory.id])
    assert vault.memories.update(memory.id, state=State.ACTIVE, tags={"c"}).tags == ("c",)
    assert vault.export(str(tmp_path / "x.json"))


def test_a_single_text_is_no_list_of_tags(vault):
    with pytest.raises(UserError):
        vault.memories.add("text", tags="travel")
    with pytest.raises(UserError):
        vault.search("text", tags="travel")


def test_a_closed_vault_is_one_file(tmp_path):
    """Whoever copies vault.db has all of it: nothing waits in a write-ahead log."""
    with Vault.open(tmp_path / "vault") as vault:
        vault.memories.add("all of it")
        vault.search("all", mode="keyword")
    (tmp_path / "copy").mkdir()
    shutil.copy(tmp_path / "vault" / "vault.db", tmp_path / "copy")
    with Vault.open(tmp_path / "copy") as copy:
        assert [memory.content for memory in copy.memories.list()] == ["all of it"]
