"""The tables as they stand now. Migrations are frozen texts; a test holds both to each other.

Instants are integer microseconds (UTC). JSON columns are text. A table's ``info["key"]`` names the column
that identifies a row in the change log and in events; tables without it are not in the change log.
``info["flags"]`` are bookkeeping columns that do not stand in the way of undoing an insert.
"""

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _number(name: str, default: int = 0) -> Column[int]:
    return Column(name, Integer, nullable=False, server_default=text(str(default)))


def _string(name: str, default: str = "") -> Column[str]:
    return Column(name, Text, nullable=False, server_default=text(f"'{default}'"))


def _instant(name: str, *, optional: bool = False) -> Column[int]:
    return Column(name, Integer, nullable=optional)


def _cascading(name: str, target: str, *, optional: bool = False) -> Column[str]:
    return Column(name, ForeignKey(target, ondelete="CASCADE"), nullable=optional)


knowledge_bases = Table(
    "knowledge_bases",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    _number("is_active", 1),
    _number("always_on"),
    _number("consolidate_interval_mins", 30),
    _string("inbox"),
    _string("reasoner"),
    _string("model"),
    _instant("created_at"),
    _instant("updated_at"),
    info={"key": "id"},
)

memories = Table(
    "memories",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("kb_id", ForeignKey("knowledge_bases.id"), nullable=False),
    _string("kind", "note"),
    Column("key", Text),
    Column("content", Text, nullable=False),
    _string("summary"),
    _string("category", "general"),
    _string("tags", "[]"),
    _string("entities", "[]"),
    _string("topics", "[]"),
    Column("importance", Float, nullable=False, server_default=text("0.5")),
    _string("source"),
    _string("file"),
    _string("place", "{}"),
    Column("item_id", Text),
    _string("chat"),
    _string("message"),
    _string("session_id"),
    _string("author"),
    _string("state", "active"),
    _number("pinned"),
    _number("muted"),
    _number("is_consolidated"),
    _string("content_hash"),
    _string("metadata", "{}"),
    _instant("created_at"),
    _instant("updated_at"),
    _instant("expires_at", optional=True),
    _instant("valid_from", optional=True),
    _instant("valid_until", optional=True),
    _number("reinforced"),
    _instant("last_seen_at", optional=True),
    CheckConstraint("importance BETWEEN 0 AND 1", name="importance"),
    Index("ix_memories_state_created_at", "state", "created_at", "seq"),
    Index("ix_memories_state_updated_at", "state", "updated_at", "seq"),
    Index("ix_memories_kb_id_state", "kb_id", "state", "created_at"),
    Index("ix_memories_category", "category"),
    Index("ix_memories_content_hash", "content_hash"),
    Index("ix_memories_item_id", "item_id", sqlite_where=text("item_id IS NOT NULL")),
    Index(
        "ix_memories_pending",
        "kb_id",
        "created_at",
        sqlite_where=text("is_consolidated = 0 AND state = 'active'"),
    ),
    Index("ix_memories_expires_at", "expires_at", sqlite_where=text("expires_at IS NOT NULL")),
    Index(
        "uq_memories_live_key",
        "kb_id",
        "key",
        unique=True,
        sqlite_where=text("key IS NOT NULL AND state = 'active'"),
    ),
    info={"key": "id", "flags": ("is_consolidated", "reinforced", "last_seen_at")},
    sqlite_autoincrement=True,
)

memory_tags = Table(
    "memory_tags",
    metadata,
    Column("folded", Text, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("tag", Text, nullable=False),
    Index("ix_memory_tags_seq", "seq"),
    sqlite_with_rowid=False,
)

memory_links = Table(
    "memory_links",
    metadata,
    Column("id", Integer, primary_key=True),
    _cascading("source_id", "memories.id"),
    _cascading("target_id", "memories.id"),
    Column("kind", Text, nullable=False),
    _string("relationship"),
    _instant("created_at"),
    UniqueConstraint("source_id", "target_id", "kind", "relationship"),
    Index("ix_memory_links_target_id", "target_id"),
    info={"key": "id"},
    sqlite_autoincrement=True,
)

insights = Table(
    "insights",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("kb_id", ForeignKey("knowledge_bases.id"), nullable=False),
    Column("content", Text, nullable=False),
    _string("summary"),
    Column("importance", Float, nullable=False, server_default=text("0.5")),
    _string("state", "active"),
    Column("run_id", Text),
    _string("content_hash"),
    _instant("created_at"),
    _instant("updated_at"),
    Index("ix_insights_state_created_at", "state", "created_at"),
    info={"key": "id"},
    sqlite_autoincrement=True,
)

insight_sources = Table(
    "insight_sources",
    metadata,
    Column("id", Integer, primary_key=True),
    _cascading("insight_id", "insights.id"),
    _cascading("memory_id", "memories.id"),
    UniqueConstraint("insight_id", "memory_id"),
    Index("ix_insight_sources_memory_id", "memory_id"),
    info={"key": "id"},
    sqlite_autoincrement=True,
)

working_memory = Table(
    "working_memory",
    metadata,
    Column("key", Text, primary_key=True),
    _string("namespace"),
    Column("value", Text, nullable=False),
    _string("category"),
    _string("tags", "[]"),
    _instant("stored_at"),
    _instant("expires_at"),
    Index("ix_working_memory_namespace", "namespace"),
    Index("ix_working_memory_expires_at", "expires_at"),
)

clients = Table(
    "clients",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    _string("token_hash"),
    Column("default_kb_id", ForeignKey("knowledge_bases.id")),
    _string("kbs", "[]"),
    _string("settings", "{}"),
    _instant("created_at"),
    _instant("last_seen_at", optional=True),
    info={"key": "id", "flags": ("last_seen_at",)},
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kb_id", ForeignKey("knowledge_bases.id"), nullable=False),
    Column("client_id", ForeignKey("clients.id")),
    _string("title"),
    _string("source"),
    _number("turns"),
    _number("turns_pending"),
    _number("failures"),
    _string("pointers", "{}"),
    _string("metadata", "{}"),
    _instant("created_at"),
    _instant("last_active_at"),
    _instant("last_consolidated_at", optional=True),
    _string("state", "active"),
    info={"key": "id", "flags": ("turns", "turns_pending", "failures", "pointers", "last_active_at")},
)

messages = Table(
    "messages",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    _cascading("session_id", "sessions.id"),
    Column("role", Text, nullable=False),
    _string("name"),
    Column("content", Text, nullable=False),
    _string("tool_calls", "[]"),
    _string("tool_call_id"),
    _string("metadata", "{}"),
    _string("content_hash"),
    _number("extracted"),
    _instant("created_at"),
    Index("ix_messages_session_id", "session_id", "created_at", "seq"),
    Index("ix_messages_pending", "created_at", sqlite_where=text("extracted = 0")),
    info={"key": "id", "flags": ("extracted",)},
    sqlite_autoincrement=True,
)

feedback = Table(
    "feedback",
    metadata,
    Column("id", Integer, primary_key=True),
    _cascading("session_id", "sessions.id", optional=True),
    Column("client_id", ForeignKey("clients.id")),
    Column("kind", Text, nullable=False),
    _string("summary"),
    _string("detail"),
    Column("message_id", Text),
    _instant("created_at"),
    Index("ix_feedback_created_at", "created_at"),
    info={"key": "id"},
    sqlite_autoincrement=True,
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("session_id", Text, nullable=False),
    Column("client_id", Integer),
    _cascading("memory_id", "memories.id"),
    _instant("created_at"),
    UniqueConstraint("session_id", "memory_id"),
    Index("ix_deliveries_memory_id", "memory_id"),
)

recalls = Table(
    "recalls",
    metadata,
    Column("memory_id", ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    _number("count"),
    _instant("last_at"),
)

entities = Table(
    "entities",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("kb_id", ForeignKey("knowledge_bases.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("folded", Text, nullable=False),
    _string("type", "topic"),
    _string("aliases", "[]"),
    _string("metadata", "{}"),
    _string("state", "active"),
    _instant("created_at"),
    _instant("updated_at"),
    _instant("last_referenced_at", optional=True),
    Index("ix_entities_folded", "kb_id", "folded"),
    info={"key": "id", "flags": ("last_referenced_at",)},
    sqlite_autoincrement=True,
)

relations = Table(
    "relations",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("kb_id", ForeignKey("knowledge_bases.id"), nullable=False),
    _cascading("subject_id", "entities.id"),
    Column("predicate", Text, nullable=False),
    _cascading("object_id", "entities.id"),
    Column("confidence", Float, nullable=False, server_default=text("0.5")),
    _string("state", "active"),
    _instant("created_at"),
    _instant("updated_at"),
    UniqueConstraint("subject_id", "predicate", "object_id"),
    Index("ix_relations_object_id", "object_id"),
    info={"key": "id"},
    sqlite_autoincrement=True,
)

relation_sources = Table(
    "relation_sources",
    metadata,
    Column("id", Integer, primary_key=True),
    _cascading("relation_id", "relations.id"),
    _cascading("memory_id", "memories.id", optional=True),
    _cascading("message_id", "messages.id", optional=True),
    Index("ix_relation_sources_relation_id", "relation_id"),
    Index("ix_relation_sources_memory_id", "memory_id"),
    info={"key": "id"},
    sqlite_autoincrement=True,
)

mentions = Table(
    "mentions",
    metadata,
    Column("id", Integer, primary_key=True),
    _cascading("entity_id", "entities.id"),
    _cascading("memory_id", "memories.id", optional=True),
    _cascading("message_id", "messages.id", optional=True),
    Index("ix_mentions_entity_id", "entity_id"),
    Index("ix_mentions_memory_id", "memory_id"),
    info={"key": "id"},
    sqlite_autoincrement=True,
)

inbox_items = Table(
    "inbox_items",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kb_id", ForeignKey("knowledge_bases.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("path", Text, nullable=False),
    _string("origin"),
    _string("state", "waiting"),
    _number("size"),
    _string("content_hash"),
    _string("reason"),
    _string("hint"),
    _number("retryable"),
    Column("progress", Float, nullable=False, server_default=text("0")),
    _number("attempts"),
    _string("override", "none"),
    _string("claimed_by"),
    _instant("claimed_until", optional=True),
    Column("duplicate_of", Text),
    _string("metadata", "{}"),
    _instant("created_at"),
    _instant("updated_at"),
    Index("ix_inbox_items_state", "state", "created_at"),
    Index("ix_inbox_items_content_hash", "content_hash"),
)

watched_folders = Table(
    "watched_folders",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kb_id", ForeignKey("knowledge_bases.id"), nullable=False),
    Column("path", Text, nullable=False, unique=True),
    _number("is_active", 1),
    _instant("created_at"),
    info={"key": "id"},
)

seen_files = Table(
    "seen_files",
    metadata,
    Column("path", Text, primary_key=True),
    _number("size"),
    _number("modified_ns"),
    _string("content_hash"),
)

dream_runs = Table(
    "dream_runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kb_id", ForeignKey("knowledge_bases.id"), nullable=False),
    _string("state", "running"),
    _string("reasoner", "builtin"),
    _string("reason"),
    _string("counts", "{}"),
    Column("operation_id", Integer),
    _string("claimed_by"),
    _instant("claimed_until", optional=True),
    _instant("started_at"),
    _instant("ended_at", optional=True),
    Index("ix_dream_runs_started_at", "started_at"),
)

proposals = Table(
    "proposals",
    metadata,
    Column("id", Text, primary_key=True),
    _cascading("run_id", "dream_runs.id"),
    Column("position", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    _string("title"),
    _string("why"),
    _string("sources", "[]"),
    _string("versions", "{}"),
    _string("after", "{}"),
    _string("decision", "pending"),
    _string("note"),
    Index("ix_proposals_run_id", "run_id", "position"),
)

pass_pointers = Table(
    "pass_pointers",
    metadata,
    _cascading("kb_id", "knowledge_bases.id"),
    Column("name", Text, nullable=False),
    _string("pointer"),
    _instant("updated_at"),
    UniqueConstraint("kb_id", "name"),
)

embeddings = Table(
    "embeddings",
    metadata,
    Column("rev", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("model", Text, nullable=False),
    Column("dimensions", Integer, nullable=False),
    Column("vector", LargeBinary, nullable=False),
    UniqueConstraint("kind", "seq", "model"),
    sqlite_autoincrement=True,
)

touched = Table(  # the newest revision of each text that an index reads; the row may be gone by now
    "touched",
    metadata,
    Column("rev", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    UniqueConstraint("kind", "seq"),
    sqlite_autoincrement=True,
)

dirty = Table(
    "dirty",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("seq", Integer, primary_key=True),
    _number("stamp"),
    sqlite_with_rowid=False,
)

settings = Table(
    "settings",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

staged_ranges = Table(
    "staged_ranges",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("group_id", Integer, nullable=False),
    Column("first", Integer, nullable=False),
    Column("last", Integer, nullable=False),
    Index("ix_staged_ranges_first", "first", "last"),
)

revisions = Table(
    "revisions",
    metadata,
    Column("name", Text, primary_key=True),
    _number("number"),
)

leases = Table(
    "leases",
    metadata,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    _instant("expires_at"),
)

operations = Table(
    "operations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("author", Text, nullable=False),
    _instant("at"),
    Column("group_id", Integer),
    _string("detail", "{}"),
    Column("undone_by", Integer),
    Index("ix_operations_author", "author", "id"),
    Index("ix_operations_undone_by", "undone_by", sqlite_where=text("undone_by IS NOT NULL")),
    Index("ix_operations_group_id", "group_id", sqlite_where=text("group_id IS NOT NULL")),
    sqlite_autoincrement=True,
)

changes = Table(
    "changes",
    metadata,
    Column("seq", Integer, primary_key=True),
    Column("operation_id", ForeignKey("operations.id"), nullable=False),
    Column("table_name", Text, nullable=False),
    Column("row_key", Text, nullable=False),
    Column("before", Text),
    Column("after", Text),
    Index("ix_changes_operation_id", "operation_id"),
    Index("ix_changes_row", "table_name", "row_key"),
    sqlite_autoincrement=True,
)

TRACKED: tuple[Table, ...] = tuple(table for table in metadata.sorted_tables if "key" in table.info)
