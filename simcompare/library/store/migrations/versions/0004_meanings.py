"""Create the table of the vectors of sentences.

A migration never changes once it is released, and imports nothing from the program.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table, which a search by meaning fills."""
    op.create_table(
        "meanings",
        sa.Column("entry", sa.Integer, autoincrement=False),
        sa.Column("model", sa.String(64), nullable=False),
        sa.Column("vectors", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("entry", name="pk_meanings"),
        sa.ForeignKeyConstraint(["entry"], ["entries.id"], name="fk_meanings_entry", ondelete="CASCADE"),
    )
