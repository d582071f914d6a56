"""Which texts were touched, for indexes outside SQLite; the FTS5 table goes.

Revision ID: 0002_touched
Revises: 0001_initial
"""

import sqlalchemy as sa
from alembic import op

revision = "0002_touched"
down_revision = "0001_initial"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "touched",
        sa.Column("rev", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("rev", name=op.f("pk_touched")),
        sa.UniqueConstraint("kind", "seq", name=op.f("uq_touched_kind_seq")),
        sqlite_autoincrement=True,
    )
    op.execute("DROP TABLE memory_text")
    op.execute("DELETE FROM settings WHERE name = 'index_version'")
    # Messages and insights have vectors from now on.
    op.execute("INSERT OR IGNORE INTO dirty (kind, seq, stamp) SELECT 'message', seq, 1 FROM messages")
    op.execute("INSERT OR IGNORE INTO dirty (kind, seq, stamp) SELECT 'insight', seq, 1 FROM insights")
