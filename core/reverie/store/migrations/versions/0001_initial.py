"""The first schema: all of Reverie's words at once.

Revision ID: 0001_initial
"""

import sqlalchemy as sa
from alembic import op

revision = "0001_initial"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "dirty",
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("stamp", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("kind", "seq", name=op.f("pk_dirty")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "embeddings",
        sa.Column("rev", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("dimensions", sa.Integer(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("rev", name=op.f("pk_embeddings")),
        sa.UniqueConstraint("kind", "seq", "model", name=op.f("uq_embeddings_kind_seq_model")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "knowledge_bases",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_active", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("always_on", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("consolidate_interval_mins", sa.Integer(), server_default=sa.text("30"), nullable=False),
        sa.Column("inbox", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("reasoner", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("model", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_knowledge_bases")),
        sa.UniqueConstraint("name", name=op.f("uq_knowledge_bases_name")),
        info={"key": "id"},
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )
    op.create_table(
        "memory_tags",
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("folded", "seq", name=op.f("pk_memory_tags")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_memory_tags_seq", "memory_tags", ["seq"], unique=False)
    op.create_table(
        "operations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=True),
        sa.Column("detail", sa.Text(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("undone_by", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operations")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_operations_author", "operations", ["author", "id"], unique=False)
    op.create_index(
        "ix_operations_group_id",
        "operations",
        ["group_id"],
        unique=False,
        sqlite_where=sa.text("group_id IS NOT NULL"),
    )
    op.create_index(
        "ix_operations_undone_by",
        "operations",
        ["undone_by"],
        unique=False,
        sqlite_where=sa.text("undone_by IS NOT NULL"),
    )
    op.create_table(
        "revisions",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_revisions")),
    )
    op.create_table(
        "seen_files",
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("modified_ns", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("content_hash", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.PrimaryKeyConstraint("path", name=op.f("pk_seen_files")),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_settings")),
    )
    op.create_table(
        "staged_ranges",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_staged_ranges")),
    )
    op.create_index("ix_staged_ranges_first", "staged_ranges", ["first", "last"], unique=False)
    op.create_table(
        "working_memory",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("namespace", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("tags", sa.Text(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("stored_at", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_working_memory")),
    )
    op.create_index("ix_working_memory_expires_at", "working_memory", ["expires_at"], unique=False)
    op.create_index("ix_working_memory_namespace", "working_memory", ["namespace"], unique=False)
    op.create_table(
        "changes",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("operation_id", sa.Integer(), nullable=False),
        sa.Column("table_name", sa.Text(), nullable=False),
        sa.Column("row_key", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["operation_id"], ["operations.id"], name=op.f("fk_changes_operation_id")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_changes")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_changes_operation_id", "changes", ["operation_id"], unique=False)
    op.create_index("ix_changes_row", "changes", ["table_name", "row_key"], unique=False)
    op.create_table(
        "clients",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("default_kb_id", sa.Integer(), nullable=True),
        sa.Column("kbs", sa.Text(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("settings", sa.Text(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.Column("last_seen_at", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["default_kb_id"], ["knowledge_bases.id"], name=op.f("fk_clients_default_kb_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clients")),
        sa.UniqueConstraint("name", name=op.f("uq_clients_name")),
        info={"key": "id", "flags": ("last_seen_at",)},
    )
    op.create_table(
        "dream_runs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kb_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), server_default=sa.text("'running'"), nullable=False),
        sa.Column("reasoner", sa.Text(), server_default=sa.text("'builtin'"), nullable=False),
        sa.Column("reason", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("counts", sa.Text(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("operation_id", sa.Integer(), nullable=True),
        sa.Column("claimed_by", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("claimed_until", sa.Integer(), nullable=True),
        sa.Column("started_at", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["kb_id"], ["knowledge_bases.id"], name=op.f("fk_dream_runs_kb_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dream_runs")),
    )
    op.create_index("ix_dream_runs_started_at", "dream_runs", ["started_at"], unique=False)
    op.create_table(
        "entities",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kb_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), server_default=sa.text("'topic'"), nullable=False),
        sa.Column("aliases", sa.Text(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("metadata", sa.Text(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("state", sa.Text(), server_default=sa.text("'active'"), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Integer(), nullable=False),
        sa.Column("last_referenced_at", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["kb_id"], ["knowledge_bases.id"], name=op.f("fk_entities_kb_id")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_entities")),
        sa.UniqueConstraint("id", name=op.f("uq_entities_id")),
        info={"key": "id", "flags": ("last_referenced_at",)},
        sqlite_autoincrement=True,
    )
    op.create_index("ix_entities_folded", "entities", ["kb_id", "folded"], unique=False)
    op.create_table(
        "inbox_items",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kb_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("origin", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("state", sa.Text(), server_default=sa.text("'waiting'"), nullable=False),
        sa.Column("size", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("content_hash", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("reason", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("hint", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("retryable", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("progress", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("override", sa.Text(), server_default=sa.text("'none'"), nullable=False),
        sa.Column("claimed_by", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("claimed_until", sa.Integer(), nullable=True),
        sa.Column("duplicate_of", sa.Text(), nullable=True),
        sa.Column("metadata", sa.Text(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["kb_id"], ["knowledge_bases.id"], name=op.f("fk_inbox_items_kb_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox_items")),
    )
    op.create_index("ix_inbox_items_content_hash", "inbox_items", ["content_hash"], unique=False)
    op.create_index("ix_inbox_items_state", "inbox_items", ["state", "created_at"], unique=False)
    op.create_table(
        "insights",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kb_id", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("importance", sa.Float(), server_default=sa.text("0.5"), nullable=False),
        sa.Column("state", sa.Text(), server_default=sa.text("'active'"), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=True),
        sa.Column("content_hash", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["kb_id"], ["knowledge_bases.id"], name=op.f("fk_insights_kb_id")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_insights")),
        sa.UniqueConstraint("id", name=op.f("uq_insights_id")),
        info={"key": "id"},
        sqlite_autoincrement=True,
    )
    op.create_index("ix_insights_state_created_at", "insights", ["state", "created_at"], unique=False)
    op.create_table(
        "memories",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kb_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), server_default=sa.text("'note'"), nullable=False),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("category", sa.Text(), server_default=sa.text("'general'"), nullable=False),
        sa.Column("tags", sa.Text(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("entities", sa.Text(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("topics", sa.Text(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("importance", sa.Float(), server_default=sa.text("0.5"), nullable=False),
        sa.Column("source", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("file", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("place", sa.Text(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=True),
        sa.Column("chat", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("message", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("session_id", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("author", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("state", sa.Text(), server_default=sa.text("'active'"), nullable=False),
        sa.Column("pinned", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("muted", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("is_consolidated", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("content_hash", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("metadata", sa.Text(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Integer(), nullable=False),
        sa.Column("expires_at", sa.Integer(), nullable=True),
        sa.Column("valid_from", sa.Integer(), nullable=True),
        sa.Column("valid_until", sa.Integer(), nullable=True),
        sa.Column("reinforced", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("last_seen_at", sa.Integer(), nullable=True),
        sa.CheckConstraint("importance BETWEEN 0 AND 1", name=op.f("ck_memories_importance")),
        sa.ForeignKeyConstraint(["kb_id"], ["knowledge_bases.id"], name=op.f("fk_memories_kb_id")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_memories")),
        sa.UniqueConstraint("id", name=op.f("uq_memories_id")),
        info={"key": "id", "flags": ("is_consolidated", "reinforced", "last_seen_at")},
        sqlite_autoincrement=True,
    )
    op.create_index("ix_memories_category", "memories", ["category"], unique=False)
    op.create_index("ix_memories_content_hash", "memories", ["content_hash"], unique=False)
    op.create_index(
        "ix_memories_expires_at",
        "memories",
        ["expires_at"],
        unique=False,
        sqlite_where=sa.text("expires_at IS NOT NULL"),
    )
    op.create_index(
        "ix_memories_item_id",
        "memories",
        ["item_id"],
        unique=False,
        sqlite_where=sa.text("item_id IS NOT NULL"),
    )
    op.create_index("ix_memories_kb_id_state", "memories", ["kb_id", "state", "created_at"], unique=False)
    op.create_index(
        "ix_memories_pending",
        "memories",
        ["kb_id", "created_at"],
        unique=False,
        sqlite_where=sa.text("is_consolidated = 0 AND state = 'active'"),
    )
    op.create_index("ix_memories_state_created_at", "memories", ["state", "created_at", "seq"], unique=False)
    op.create_index("ix_memories_state_updated_at", "memories", ["state", "updated_at", "seq"], unique=False)
    op.create_index(
        "uq_memories_live_key",
        "memories",
        ["kb_id", "key"],
        unique=True,
        sqlite_where=sa.text("key IS NOT NULL AND state = 'active'"),
    )
    op.create_table(
        "pass_pointers",
        sa.Column("kb_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("pointer", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("updated_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["kb_id"], ["knowledge_bases.id"], name=op.f("fk_pass_pointers_kb_id"), ondelete="CASCADE"
        ),
        sa.UniqueConstraint("kb_id", "name", name=op.f("uq_pass_pointers_kb_id_name")),
    )
    op.create_table(
        "watched_folders",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kb_id", sa.Integer(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("is_active", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["kb_id"], ["knowledge_bases.id"], name=op.f("fk_watched_folders_kb_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_watched_folders")),
        sa.UniqueConstraint("path", name=op.f("uq_watched_folders_path")),
        info={"key": "id"},
    )
    op.create_table(
        "deliveries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Integer(), nullable=True),
        sa.Column("memory_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["memory_id"], ["memories.id"], name=op.f("fk_deliveries_memory_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deliveries")),
        sa.UniqueConstraint("session_id", "memory_id", name=op.f("uq_deliveries_session_id_memory_id")),
    )
    op.create_index("ix_deliveries_memory_id", "deliveries", ["memory_id"], unique=False)
    op.create_table(
        "insight_sources",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("insight_id", sa.Text(), nullable=False),
        sa.Column("memory_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["insight_id"], ["insights.id"], name=op.f("fk_insight_sources_insight_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["memory_id"], ["memories.id"], name=op.f("fk_insight_sources_memory_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_insight_sources")),
        sa.UniqueConstraint("insight_id", "memory_id", name=op.f("uq_insight_sources_insight_id_memory_id")),
        info={"key": "id"},
        sqlite_autoincrement=True,
    )
    op.create_index("ix_insight_sources_memory_id", "insight_sources", ["memory_id"], unique=False)
    op.create_table(
        "memory_links",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("target_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("relationship", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["source_id"], ["memories.id"], name=op.f("fk_memory_links_source_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["target_id"], ["memories.id"], name=op.f("fk_memory_links_target_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memory_links")),
        sa.UniqueConstraint(
            "source_id",
            "target_id",
            "kind",
            "relationship",
            name=op.f("uq_memory_links_source_id_target_id_kind_relationship"),
        ),
        info={"key": "id"},
        sqlite_autoincrement=True,
    )
    op.create_index("ix_memory_links_target_id", "memory_links", ["target_id"], unique=False)
    op.create_table(
        "proposals",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("why", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("sources", sa.Text(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("versions", sa.Text(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("after", sa.Text(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("decision", sa.Text(), server_default=sa.text("'pending'"), nullable=False),
        sa.Column("note", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["dream_runs.id"], name=op.f("fk_proposals_run_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proposals")),
    )
    op.create_index("ix_proposals_run_id", "proposals", ["run_id", "position"], unique=False)
    op.create_table(
        "recalls",
        sa.Column("memory_id", sa.Text(), nullable=False),
        sa.Column("count", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("last_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["memory_id"], ["memories.id"], name=op.f("fk_recalls_memory_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("memory_id", name=op.f("pk_recalls")),
    )
    op.create_table(
        "relations",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kb_id", sa.Integer(), nullable=False),
        sa.Column("subject_id", sa.Text(), nullable=False),
        sa.Column("predicate", sa.Text(), nullable=False),
        sa.Column("object_id", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), server_default=sa.text("0.5"), nullable=False),
        sa.Column("state", sa.Text(), server_default=sa.text("'active'"), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["kb_id"], ["knowledge_bases.id"], name=op.f("fk_relations_kb_id")),
        sa.ForeignKeyConstraint(
            ["object_id"], ["entities.id"], name=op.f("fk_relations_object_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["subject_id"], ["entities.id"], name=op.f("fk_relations_subject_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_relations")),
        sa.UniqueConstraint("id", name=op.f("uq_relations_id")),
        sa.UniqueConstraint(
            "subject_id", "predicate", "object_id", name=op.f("uq_relations_subject_id_predicate_object_id")
        ),
        info={"key": "id"},
        sqlite_autoincrement=True,
    )
    op.create_index("ix_relations_object_id", "relations", ["object_id"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kb_id", sa.Integer(), nullable=False),
        sa.Column("client_id", sa.Integer(), nullable=True),
        sa.Column("title", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("source", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("turns", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("turns_pending", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("failures", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("pointers", sa.Text(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("metadata", sa.Text(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.Column("last_active_at", sa.Integer(), nullable=False),
        sa.Column("last_consolidated_at", sa.Integer(), nullable=True),
        sa.Column("state", sa.Text(), server_default=sa.text("'active'"), nullable=False),
        sa.ForeignKeyConstraint(["client_id"], ["clients.id"], name=op.f("fk_sessions_client_id")),
        sa.ForeignKeyConstraint(["kb_id"], ["knowledge_bases.id"], name=op.f("fk_sessions_kb_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        info={"key": "id", "flags": ("turns", "turns_pending", "failures", "pointers", "last_active_at")},
    )
    op.create_table(
        "feedback",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("client_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("detail", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["client_id"], ["clients.id"], name=op.f("fk_feedback_client_id")),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name=op.f("fk_feedback_session_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_feedback")),
        info={"key": "id"},
        sqlite_autoincrement=True,
    )
    op.create_index("ix_feedback_created_at", "feedback", ["created_at"], unique=False)
    op.create_table(
        "messages",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("tool_calls", sa.Text(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("tool_call_id", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("metadata", sa.Text(), server_default=sa.text("'{}'"), nullable=False),
        sa.Column("content_hash", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("extracted", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name=op.f("fk_messages_session_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_messages")),
        sa.UniqueConstraint("id", name=op.f("uq_messages_id")),
        info={"key": "id", "flags": ("extracted",)},
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_messages_pending", "messages", ["created_at"], unique=False, sqlite_where=sa.text("extracted = 0")
    )
    op.create_index("ix_messages_session_id", "messages", ["session_id", "created_at", "seq"], unique=False)
    op.create_table(
        "mentions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entity_id", sa.Text(), nullable=False),
        sa.Column("memory_id", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["entity_id"], ["entities.id"], name=op.f("fk_mentions_entity_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["memory_id"], ["memories.id"], name=op.f("fk_mentions_memory_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["message_id"], ["messages.id"], name=op.f("fk_mentions_message_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mentions")),
        info={"key": "id"},
        sqlite_autoincrement=True,
    )
    op.create_index("ix_mentions_entity_id", "mentions", ["entity_id"], unique=False)
    op.create_index("ix_mentions_memory_id", "mentions", ["memory_id"], unique=False)
    op.create_table(
        "relation_sources",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("relation_id", sa.Text(), nullable=False),
        sa.Column("memory_id", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["memory_id"], ["memories.id"], name=op.f("fk_relation_sources_memory_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["message_id"], ["messages.id"], name=op.f("fk_relation_sources_message_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["relation_id"],
            ["relations.id"],
            name=op.f("fk_relation_sources_relation_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_relation_sources")),
        info={"key": "id"},
        sqlite_autoincrement=True,
    )
    op.create_index("ix_relation_sources_memory_id", "relation_sources", ["memory_id"], unique=False)
    op.create_index("ix_relation_sources_relation_id", "relation_sources", ["relation_id"], unique=False)
    op.execute(
        "CREATE VIRTUAL TABLE memory_text USING fts5(key, content, summary, labels, source,"
        " content='', tokenize='porter unicode61 remove_diacritics 2')"
    )
    op.execute("INSERT INTO settings (name, value) VALUES ('index_version', '1')")
    op.execute(
        "INSERT INTO knowledge_bases (name, created_at, updated_at)"
        " SELECT 'default', t, t FROM (SELECT CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER) AS t)"
    )
