"""SQLite: a library in a file."""

from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, create_engine, event

from simcompare.library.store.backends.backend import BUSY_SECONDS, Backend
from simcompare.library.store.library_file import FileAccess

_APPLICATION_ID = 0x53434C42
"""Mark of a library in the header of its file: SCLB."""
_BEGIN = "simcompare_begin"
_CHECKPOINT_SECONDS = 1.0
"""Time to wait for readers when the log of recent changes is emptied."""
_MODES = {
    FileAccess.WRITING: {"mode": "rw"},
    FileAccess.READING: {"mode": "ro"},
    FileAccess.UNCHANGING: {"mode": "ro", "immutable": "1"},
}


def sqlite_backend(path: Path, access: FileAccess = FileAccess.WRITING) -> Backend:
    """Return the backend of a library in a file, which exists."""
    url = URL.create("sqlite", database=path.resolve().as_uri(), query=_MODES[access] | {"uri": "true"})
    engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, hide_parameters=True)
    event.listen(engine, "connect", _set_up_connection)
    event.listen(engine, "begin", _begin)
    return Backend(
        reading=engine,
        # a transaction that only becomes a writer later could not wait for another writer
        writing=engine.execution_options(**{_BEGIN: "BEGIN IMMEDIATE"}),
        outside=engine.execution_options(**{_BEGIN: ""}),
        is_own=lambda connection: (
            connection.exec_driver_sql("PRAGMA application_id").scalar() == _APPLICATION_ID
        ),
        size="SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
        # the log of recent changes still has what was removed; while another transaction reads for long, it
        # stays until the last process closes the library
        forget_removed=[
            f"PRAGMA busy_timeout = {_CHECKPOINT_SECONDS * 1000:.0f}",
            "PRAGMA wal_checkpoint(TRUNCATE)",
            f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}",
        ],
        # VACUUM INTO and damage set another mode, in which a writer waits for readers of its own process
        prepare=["PRAGMA journal_mode = WAL"] if access is FileAccess.WRITING else [],
        begin_update=[f"PRAGMA application_id = {_APPLICATION_ID}"],
    )


def _set_up_connection(connection: Any, _record: object) -> None:
    # Python's module would begin and end transactions itself, and would commit before a table is created
    connection.isolation_level = None
    cursor = connection.cursor()
    # 64 MB: the upper levels of a large index stay in memory
    for setting in ("foreign_keys = ON", "secure_delete = ON", "synchronous = FULL", "cache_size = -65536"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _begin(connection: Connection) -> None:
    statement = connection.get_execution_options().get(_BEGIN, "BEGIN")
    if statement:
        connection.exec_driver_sql(statement)
