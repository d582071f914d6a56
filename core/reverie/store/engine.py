"""Connections to a vault's file: one writing engine, and read-only ones that a query can't hold up."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Engine, ExceptionContext, create_engine, event
from sqlalchemy.pool import NullPool, StaticPool

from reverie.domain.text import clean, fold
from reverie.errors import UserError
from reverie.i18n import _

BUSY_TIMEOUT_S = 10.0
READING = "BEGIN"  # as the execution option "begin" of the writing engine: without the write lock


def writing_engine(file: Path) -> Engine:
    """One connection, for the writer thread alone; every transaction begins IMMEDIATE."""

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(
            file, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False, cached_statements=512
        )
        for pragma in (
            "journal_mode = WAL",
            "synchronous = NORMAL",
            "foreign_keys = ON",
            "recursive_triggers = ON",  # so that REPLACE reaches the change log too
            "secure_delete = ON",  # "forget for good" leaves no byte behind in free pages
            "temp_store = MEMORY",
            "cache_size = -65536",
            "journal_size_limit = 67108864",
        ):
            connection.execute(f"PRAGMA {pragma}")
        connection.create_function("fold", 1, fold, deterministic=True)
        return connection

    return _engine(connect, "BEGIN IMMEDIATE", pooled=True)


def reading_engine(file: Path) -> Engine:
    """A new read-only connection each time; whoever keeps one (the readers) keeps it in a thread."""

    def connect() -> sqlite3.Connection:
        uri = f"file:{quote(file.resolve().as_posix())}?mode=ro"
        connection = sqlite3.connect(
            uri,
            uri=True,
            timeout=BUSY_TIMEOUT_S,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=512,
        )
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA cache_size = -16384")
        # No mmap_size: no faster here (measured), and each page that was read would count as the process's memory.
        return connection

    return _engine(connect, "BEGIN", pooled=False)


def _engine(connect: Callable[[], sqlite3.Connection], begin: str, *, pooled: bool) -> Engine:
    engine = create_engine("sqlite://", creator=connect, poolclass=StaticPool if pooled else NullPool)

    @event.listens_for(engine, "begin")
    def _begin(connection) -> None:  # type: ignore[no-untyped-def]
        # sqlite3 would begin by itself, and DEFERRED: a read that turns into a write then fails as locked.
        connection.exec_driver_sql(connection.get_execution_options().get("begin", begin))

    @event.listens_for(engine, "handle_error")
    def _explain(context: ExceptionContext) -> None:
        if isinstance(context.original_exception, (UnicodeEncodeError, OverflowError)):
            raise UserError(
                _("The vault can't look for this"),
                detail=clean(str(context.original_exception)),
                hint=_("Use whole characters, and numbers of at most 18 digits"),
            ) from context.original_exception

    return engine
