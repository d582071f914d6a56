"""What follows from the rows and is kept in the same transaction: tags, which texts were touched, which lack a vector.

TEMP triggers on the writing connection keep it, so that undo, cascades and bulk statements are caught as well.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, Table

from reverie.store.tables import insights, memories, messages

MEMORY, MESSAGE, INSIGHT = "memory", "message", "insight"


@dataclass(frozen=True, slots=True)
class Searched:
    """A table that is searched. read: columns that an index reads; embedded: those that the vector stands for, the
    text last, before it what labels it."""

    kind: str
    table: Table
    read: tuple[str, ...]
    embedded: tuple[str, ...]


SEARCHED = (
    Searched(
        MEMORY,
        memories,
        (
            "key",
            "content",
            "summary",
            "category",
            "tags",
            "entities",
            "topics",
            "source",
            "place",
            "item_id",
            "created_at",
        ),
        ("key", "content"),
    ),
    Searched(MESSAGE, messages, ("session_id", "name", "content", "created_at"), ("name", "content")),
    Searched(INSIGHT, insights, ("content", "summary", "created_at"), ("content",)),
)

_INSERT_TAGS = (
    "INSERT OR IGNORE INTO memory_tags (folded, seq, tag)"
    " SELECT fold(value), NEW.seq, value FROM json_each(NEW.tags);"
)
_DELETE_TAGS = "DELETE FROM memory_tags WHERE seq = OLD.seq;"


def _changed(columns: Iterable[str]) -> str:
    return " OR ".join(f"OLD.{name} IS NOT NEW.{name}" for name in columns)


def _triggers(of: Searched) -> tuple[str, ...]:
    name, table = f"{of.table.name}_searched", f"main.{of.table.name}"
    touch = "INSERT OR REPLACE INTO touched (kind, seq) VALUES ('{kind}', {row}.seq);"
    touch_new = touch.format(kind=of.kind, row="NEW")
    touch_old = touch.format(kind=of.kind, row="OLD")
    mark_dirty = (
        f"INSERT INTO dirty (kind, seq, stamp) VALUES ('{of.kind}', NEW.seq, 1)"
        " ON CONFLICT DO UPDATE SET stamp = stamp + 1;"
    )
    return (
        f"CREATE TEMP TRIGGER {name}_insert AFTER INSERT ON {table} BEGIN {touch_new} {mark_dirty} END",
        f"CREATE TEMP TRIGGER {name}_delete AFTER DELETE ON {table} BEGIN {touch_old}"
        f" DELETE FROM dirty WHERE kind = '{of.kind}' AND seq = OLD.seq;"
        f" DELETE FROM embeddings WHERE kind = '{of.kind}' AND seq = OLD.seq; END",
        f"CREATE TEMP TRIGGER {name}_update AFTER UPDATE OF {', '.join(of.read)} ON {table}"
        f" WHEN {_changed(of.read)} BEGIN {touch_new} END",
        f"CREATE TEMP TRIGGER {name}_vector AFTER UPDATE OF {', '.join(of.embedded)} ON {table}"
        f" WHEN {_changed(of.embedded)} BEGIN {mark_dirty} END",
    )


TRIGGERS = (
    *(trigger for of in SEARCHED for trigger in _triggers(of)),
    f"CREATE TEMP TRIGGER memories_tags_insert AFTER INSERT ON main.memories BEGIN {_INSERT_TAGS} END",
    f"CREATE TEMP TRIGGER memories_tags_delete AFTER DELETE ON main.memories BEGIN {_DELETE_TAGS} END",
    "CREATE TEMP TRIGGER memories_tags_update AFTER UPDATE OF tags ON main.memories"
    f" WHEN OLD.tags IS NOT NEW.tags BEGIN {_DELETE_TAGS} {_INSERT_TAGS} END",
)


def install(connection: Connection) -> None:
    for trigger in TRIGGERS:
        connection.exec_driver_sql(trigger)
