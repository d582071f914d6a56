"""A look at a vault's file that opens nothing for writing: it also works on one that is damaged or too new."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

_MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class FileHealth:
    """size in bytes, with the write-ahead log; revision is the schema's, "" where there is none. problems
    are SQLite's own words (at most 20), empty where the file is sound."""

    size: int
    revision: str
    sqlite_version: str
    problems: tuple[str, ...]


def examine(file: Path) -> FileHealth:
    """Reads the whole file (about a second for 500 MB). Raises FileNotFoundError where there is none."""
    size = file.stat().st_size
    log = file.with_name(file.name + "-wal")
    if log.exists():
        size += log.stat().st_size
    revision = ""
    problems: tuple[str, ...] = ()
    try:
        uri = f"file:{quote(file.resolve().as_posix())}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=10)) as connection:
            revision = _revision(connection)
            problems = _problems(connection)
    except sqlite3.DatabaseError as error:
        problems = (str(error),)
    return FileHealth(size, revision, sqlite3.sqlite_version, problems)


def _revision(connection: sqlite3.Connection) -> str:
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone() if known else None
    return str(row[0]) if row else ""


def _problems(connection: sqlite3.Connection) -> tuple[str, ...]:
    rows = connection.execute(f"PRAGMA integrity_check({_MOST_PROBLEMS})").fetchall()
    found = [str(row[0]) for row in rows if row[0] != "ok"]
    found += [
        f"{table} {row}: {parent}"
        for table, row, parent, _key in connection.execute("PRAGMA foreign_key_check")
    ]
    return tuple(found[:_MOST_PROBLEMS])
