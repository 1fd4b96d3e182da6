"""Create the tables of the first version.

A migration never changes once it is released, and imports nothing from the program.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables, and the row of `state`."""
    state = op.create_table(
        "state",
        sa.Column("id", sa.Integer, autoincrement=False),
        sa.Column("changes", sa.BigInteger, nullable=False),
        sa.Column("last_merged_entry", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_state"),
    )
    op.bulk_insert(state, [{"id": 1, "changes": 0, "last_merged_entry": 0}])
    op.create_table(
        "entries",
        sa.Column("id", sa.Integer),
        sa.Column("file_sha256", sa.String(64), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("size_bytes", sa.BigInteger, nullable=False),
        sa.Column("receipt", sa.Text, nullable=False),
        sa.Column("unit_count", sa.Integer, nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("term_count", sa.Integer, nullable=False),
        sa.Column("term_recipe", sa.String(64), nullable=False),
        sa.Column("added_at", sa.String(32), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_entries"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_entries_file_sha256", "entries", ["file_sha256"])
    op.create_table(
        "tags",
        sa.Column("entry", sa.Integer, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("entry", "name", "value", name="pk_tags"),
        sa.ForeignKeyConstraint(["entry"], ["entries.id"], name="fk_tags_entry", ondelete="CASCADE"),
    )
    op.create_index("ix_tags_name_value", "tags", ["name", "value"])
    op.create_table(
        "fingerprints",
        sa.Column("entry", sa.Integer, autoincrement=False),
        sa.Column("recipe", sa.String(64), nullable=False),
        sa.Column("document", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("entry", name="pk_fingerprints"),
        sa.ForeignKeyConstraint(["entry"], ["entries.id"], name="fk_fingerprints_entry", ondelete="CASCADE"),
    )
    for name in ("postings", "recent_postings"):
        op.create_table(
            name,
            sa.Column("gram", sa.BigInteger, autoincrement=False),
            sa.Column("entry", sa.Integer, autoincrement=False),
            sa.PrimaryKeyConstraint("gram", "entry", name=f"pk_{name}"),
            sqlite_with_rowid=False,
        )
