import shutil

import pytest

from reverie.domain.memory import LinkKind, MemoryFilter, MemoryLink, State
from reverie.store import insights, memories
from reverie.store.database import Database

ALL = MemoryFilter(states=tuple(State), expired=None)


@pytest.fixture(scope="session")
def blank(tmp_path_factory):
    """The file of an empty vault, made once."""
    folder = tmp_path_factory.mktemp("blank")
    Database(folder / "vault.db", folder).close()
    return folder / "vault.db"


@pytest.fixture
def vault(tmp_path, blank):
    """Makes empty vaults' databases by name."""
    opened = []

    def make(name):
        folder = tmp_path / name
        if not folder.exists():
            folder.mkdir()
            shutil.copy(blank, folder / "vault.db")
        opened.append(Database(folder / "vault.db", folder))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


@pytest.fixture
def filled(vault):
    """A vault with something of all: bases, keys, the trash, superseded rows, insights, links, conversations."""
    database = vault("filled")
    add = database.memories.add
    first = add("Ada likes tea", tags=["drinks"], key="tea", metadata={"a": {"b": [1, None, 0.5]}})
    add("Zeile eins\nZeile zwei 😀", kb="work", category="notes/de", pinned=True, muted=True)
    third = add("Thrown away", importance=0.9)
    fourth = add("Replaced by the first")
    database.memories.trash(third.id)

    def tie(tx):
        memories.set_state(tx, [fourth.id], State.SUPERSEDED)
        memories.link(tx, [MemoryLink(fourth.id, first.id, LinkKind.REPLACED_BY)])
        insights.add(tx, kb="default", content="They agree", sources=[first.id, third.id], importance=0.7)

    database.writer.run("tie", tie)
    append = database.conversations.append
    append("chat", "user", "Where is Ada?\nAsking again 😀", "Bob", metadata={"a": [1]}, id="m-1")
    append("chat", "assistant", None, tool_calls=[{"id": "c1", "function": {"name": "find"}}])
    append("chat", "tool", "In Linz", tool_call_id="c1")
    append("job", "system", "Be brief", kb="work")
    database.knowledge_bases.update("work", always_on=True, consolidate_interval_mins=5)
    return database


@pytest.fixture
def everything():
    """All that a dump must carry, ready to be compared."""

    def look(database):
        rows = database.memories.list(ALL, limit=10_000)
        return {
            "memories": {memory.id: memory for memory in rows},
            "links": {link for memory in rows for link in database.memories.links(memory.id)},
            "insights": {
                i.id: i for i in database.insights.get_many(database.insights.ids(states=tuple(State)))
            },
            "conversations": [
                (session, database.conversations.messages(session.id))
                for session in database.conversations.sessions()
            ],
            "bases": {base.name: base for base in database.knowledge_bases.list()},
        }

    return look
