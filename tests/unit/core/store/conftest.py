import pytest

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
