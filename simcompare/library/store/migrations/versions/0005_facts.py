"""Create the table of what entries may have in common besides their wording, and the column of pictures.

A migration never changes once it is released, and imports nothing from the program.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create both; entries that are added later have them."""
    op.create_table(
        "facts",
        sa.Column("entry", sa.Integer, autoincrement=False),
        sa.Column("kind", sa.SmallInteger, autoincrement=False),
        sa.Column("value", sa.BigInteger, autoincrement=False),
        sa.PrimaryKeyConstraint("entry", "kind", "value", name="pk_facts"),
        sa.ForeignKeyConstraint(["entry"], ["entries.id"], name="fk_facts_entry", ondelete="CASCADE"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_facts_kind_value_entry", "facts", ["kind", "value", "entry"])
    op.add_column("entries", sa.Column("pictures", sa.LargeBinary))
