"""Create the log of searches and removals, on a server only.

A migration never changes once it is released, and imports nothing from the program.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    op.create_table(
        "access_log",
        sa.Column("id", sa.BigInteger, sa.Identity(always=True)),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False, server_default=sa.text("now()")),
        sa.Column("database_user", sa.Text, nullable=False, server_default=sa.text("session_user")),
        sa.Column("action", sa.String(16), nullable=False),
        sa.Column("entry_count", sa.Integer, nullable=False),
        sa.Column("tags", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_access_log"),
    )
