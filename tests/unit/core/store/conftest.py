import pytest

from reverie.domain.clock import now
from reverie.domain.ids import new_id
from reverie.domain.insight import Insight
from reverie.store import insights
from reverie.store.database import Database


@pytest.fixture
def database(tmp_path):
    database = Database(tmp_path / "vault.db", tmp_path)
    yield database
    database.close()


@pytest.fixture
def reopen(tmp_path):
    """Opens the same file again, as another process or after a restart would; closes all at the end."""
    opened = []

    def open_again():
        opened.append(Database(tmp_path / "vault.db", tmp_path))
        return opened[-1]

    yield open_again
    for each in opened:
        each.close()


@pytest.fixture
def add_insight(database):
    """Stores an insight on some memories, as a dream does; returns its id."""

    def add(content, sources, author="dream:1"):
        made = Insight(new_id(), "default", content, tuple(sources), now())
        database.writer.run("dream", lambda tx: insights.insert_exactly(tx, [made]), author=author)
        return made.id

    return add
