"""Run by Alembic: apply the migrations on the connection that `migration.py` hands over."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
