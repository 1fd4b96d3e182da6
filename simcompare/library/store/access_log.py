"""Log of who searched and removed, in a library on a server; a library in a file has none.

It has neither texts nor names: of tags that name a student, only the name of the tag is written, as a
student who was removed must not stay in the log.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, insert

from simcompare.library.store.schema import ACCESS_LOG

SEARCH, REMOVE = "search", "remove"
_SERVER = "postgresql"


def log_access(connection: Connection, action: str, entry_count: int, tags: Sequence[str] = ()) -> None:
    """Log that the user of the connection found or removed this number of entries, within its transaction.

    tags: those that chose the entries, as the log shows them.
    """
    if connection.dialect.name == _SERVER:
        values = {"action": action, "entry_count": entry_count, "tags": "; ".join(tags)}
        # without RETURNING, which needs the right to read the log
        connection.execute(insert(ACCESS_LOG).inline().values(values))
