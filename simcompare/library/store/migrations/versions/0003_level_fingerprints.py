"""Create the table of the fingerprints of documents, paragraphs and sentences.

A migration never changes once it is released, and imports nothing from the program.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_TABLE = "level_fingerprints"
_BLOCKS = [f"block_{number}" for number in range(8)]


def upgrade() -> None:
    """Create the table, which a search fills, and the record of what it has."""
    op.create_table(
        _TABLE,
        sa.Column("entry", sa.Integer, autoincrement=False),
        sa.Column("level", sa.SmallInteger, autoincrement=False),
        sa.Column("value", sa.BigInteger, autoincrement=False),
        *(sa.Column(block, sa.SmallInteger, nullable=False) for block in _BLOCKS),
        sa.PrimaryKeyConstraint("entry", "level", "value", name=f"pk_{_TABLE}"),
        sa.ForeignKeyConstraint(["entry"], ["entries.id"], name=f"fk_{_TABLE}_entry", ondelete="CASCADE"),
        sqlite_with_rowid=False,
    )
    for block in _BLOCKS:
        op.create_index(f"ix_{_TABLE}_level_{block}_value_entry", _TABLE, ["level", block, "value", "entry"])
    op.add_column(
        "state", sa.Column("last_fingerprinted_entry", sa.Integer, nullable=False, server_default="0")
    )
