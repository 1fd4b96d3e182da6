"""Bring the tables of a library up to date with Alembic."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from simcompare.library.store.schema import REVISION

MIGRATIONS = Path(__file__).with_name("migrations")


def revision_of(connection: Connection) -> str | None:
    """Return the revision of the tables; None without any table, "" if the tables are of something else."""
    inspector = inspect(connection)
    if inspector.has_table("alembic_version"):
        return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")
    return "" if inspector.get_table_names() else None


def is_newer(revision: str) -> bool:
    """Return whether a revision is one of a newer program."""
    return revision.isdecimal() and int(revision) > int(REVISION)


def migrate(connection: Connection) -> None:
    """Apply the missing migrations within the transaction of the connection."""
    # loading Alembic takes longer than opening a library that needs no migration
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    # the configuration would replace % signs
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    command.upgrade(config, "head")
