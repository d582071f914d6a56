"""Derived tables that stand in the same transaction as their row: text index, tags, rows without a vector.

All are kept by TEMP triggers on the writing connection, so that undo, cascades and bulk statements reach
them as well. A change of what is indexed raises INDEX_VERSION; the index is then rebuilt when opened.
"""

from sqlalchemy import Connection

INDEX_VERSION = "1"

_TEXT = {
    "key": "coalesce({row}.key, '')",
    "content": "{row}.content",
    "summary": "{row}.summary",
    "labels": "replace(replace(replace({row}.category, '/', ' '), '-', ' '), '_', ' ')"
    " || ' ' || {row}.tags || ' ' || {row}.entities || ' ' || {row}.topics",
    "source": "{row}.source",
}
_COLUMNS = ", ".join(_TEXT)
_WATCHED = "key, content, summary, category, tags, entities, topics, source"


def _values(row: str) -> str:
    return ", ".join(expression.format(row=row) for expression in _TEXT.values())


_INSERT_TEXT = f"INSERT INTO memory_text (rowid, {_COLUMNS}) VALUES (NEW.seq, {_values('NEW')});"
_DELETE_TEXT = (
    f"INSERT INTO memory_text (memory_text, rowid, {_COLUMNS}) VALUES ('delete', OLD.seq, {_values('OLD')});"
)
_INSERT_TAGS = (
    "INSERT OR IGNORE INTO memory_tags (folded, seq, tag)"
    " SELECT fold(value), NEW.seq, value FROM json_each(NEW.tags);"
)
_DELETE_TAGS = "DELETE FROM memory_tags WHERE seq = OLD.seq;"
_MARK_DIRTY = (
    "INSERT INTO dirty (kind, seq, stamp) VALUES ('memory', NEW.seq, 1)"
    " ON CONFLICT DO UPDATE SET stamp = stamp + 1;"
)

TRIGGERS = (
    f"CREATE TEMP TRIGGER memories_derive_insert AFTER INSERT ON main.memories BEGIN"
    f" {_INSERT_TEXT} {_INSERT_TAGS} {_MARK_DIRTY} END",
    "CREATE TEMP TRIGGER memories_derive_delete AFTER DELETE ON main.memories BEGIN"
    f" {_DELETE_TEXT} {_DELETE_TAGS}"
    " DELETE FROM dirty WHERE kind = 'memory' AND seq = OLD.seq;"
    " DELETE FROM embeddings WHERE kind = 'memory' AND seq = OLD.seq; END",
    f"CREATE TEMP TRIGGER memories_derive_text AFTER UPDATE OF {_WATCHED} ON main.memories BEGIN"
    f" {_DELETE_TEXT} {_INSERT_TEXT} END",
    "CREATE TEMP TRIGGER memories_derive_tags AFTER UPDATE OF tags ON main.memories"
    f" WHEN OLD.tags IS NOT NEW.tags BEGIN {_DELETE_TAGS} {_INSERT_TAGS} END",
    "CREATE TEMP TRIGGER memories_derive_vector AFTER UPDATE OF key, content ON main.memories"
    f" WHEN OLD.content IS NOT NEW.content OR OLD.key IS NOT NEW.key BEGIN {_MARK_DIRTY} END",
)


def install(connection: Connection) -> None:
    for trigger in TRIGGERS:
        connection.exec_driver_sql(trigger)


def rebuild(connection: Connection) -> None:
    """Make the text index and the tags anew from the rows."""
    connection.exec_driver_sql("INSERT INTO memory_text (memory_text) VALUES ('delete-all')")
    connection.exec_driver_sql(
        f"INSERT INTO memory_text (rowid, {_COLUMNS}) SELECT m.seq, {_values('m')} FROM memories m"
    )
    connection.exec_driver_sql("DELETE FROM memory_tags")
    connection.exec_driver_sql(
        "INSERT OR IGNORE INTO memory_tags (folded, seq, tag)"
        " SELECT fold(t.value), m.seq, t.value FROM memories m, json_each(m.tags) t"
    )


def purge_text_index(connection: Connection, pages: int = 200) -> bool:
    """One step of merging the text index until no deleted word is left in it; False when all is done.

    A deleted row's words stay in FTS5's segments until these are merged: "forget for good" needs this.
    """
    before = connection.exec_driver_sql("SELECT total_changes()").scalar_one()
    connection.exec_driver_sql("INSERT INTO memory_text (memory_text, rank) VALUES ('merge', ?)", (-pages,))
    after = connection.exec_driver_sql("SELECT total_changes()").scalar_one()
    return int(after) - int(before) >= 2
