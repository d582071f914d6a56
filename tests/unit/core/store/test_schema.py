"""The migrations make the very tables that the code works with; newer files are refused."""

import sqlite3

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from reverie.errors import UserError
from reverie.store import database as database_module
from reverie.store.database import Database
from reverie.store.migrations import runner
from reverie.store.tables import metadata


def test_migrations_and_tables_agree(database, tmp_path):
    engine = create_engine(f"sqlite:///{tmp_path / 'vault.db'}")
    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    engine.dispose()
    assert [d for d in differences if "memory_text" not in str(d) and "alembic_version" not in str(d)] == []


def test_head_is_the_newest_migration():
    assert ScriptDirectory(str(runner._HERE)).get_current_head() == database_module.HEAD


def test_a_newer_vault_is_refused_and_left_alone(database, tmp_path):
    database.memories.add("from the future")
    database.close()
    file = tmp_path / "vault.db"
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999_later'")
    connection.close()
    with pytest.raises(UserError, match="newer Reverie"):
        Database(file, tmp_path)
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999_later",)
    connection.close()


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path):
    file = tmp_path / "vault.db"
    file.write_bytes(b"this is a shopping list" * 100)
    with pytest.raises(UserError, match="no vault"):
        Database(file, tmp_path)
    assert file.read_bytes().startswith(b"this is a shopping list")


def test_opening_writes_nothing(database, reopen, tmp_path):
    database.memories.add("x")
    again = reopen()
    with again.readers.read() as connection:
        version = connection.exec_driver_sql("PRAGMA data_version").scalar_one()
    reopen()
    with again.readers.read() as connection:
        assert connection.exec_driver_sql("PRAGMA data_version").scalar_one() == version
