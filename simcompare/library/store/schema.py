"""Tables of a library, as the newest migration leaves them."""

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    text,
)

REVISION = "0005"
"""Newest migration; revisions are numbers, so that a greater one is of a newer program."""

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
METADATA = MetaData(naming_convention=_NAMES)
SERVER_METADATA = MetaData(naming_convention=_NAMES)
"""Tables that only a library on a server has."""

STATE = Table(
    "state",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("changes", BigInteger, nullable=False),
    Column("last_merged_entry", Integer, nullable=False),
    Column("last_fingerprinted_entry", Integer, nullable=False, server_default="0"),
)
"""One row. changes: number of transactions that changed the library; last_merged_entry: the terms of all
entries up to this one are in `postings`, those of later entries in `recent_postings`, but for what an
unfinished merge has moved; last_fingerprinted_entry: `level_fingerprints` has the entries up to this one."""

ENTRIES = Table(
    "entries",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("file_sha256", String(64), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("receipt", Text, nullable=False),
    Column("unit_count", Integer, nullable=False),
    Column("language", String(8), nullable=False),
    Column("term_count", Integer, nullable=False),
    Column("term_recipe", String(64), nullable=False),
    Column("added_at", String(32), nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("pictures", LargeBinary),
    sqlite_autoincrement=True,
)
"""Submissions: a file that several students handed in has several entries. An id is never used again.

content, pictures: the document, compressed (`stored_documents.py`); no pictures if the entry was added before
they were kept. added_at: UTC in ISO 8601; term_count, term_recipe: number of postings of the entry, and how
they were made.
"""

TAGS = Table(
    "tags",
    METADATA,
    Column("entry", Integer, ForeignKey(ENTRIES.c.id, ondelete="CASCADE"), primary_key=True),
    Column("name", String(64), primary_key=True),
    Column("value", Text, primary_key=True),
    Index(None, "name", "value"),
)
"""class, year, assignment, student, and any other name; an entry may have several values of one name."""

FINGERPRINTS = Table(
    "fingerprints",
    METADATA,
    Column(
        "entry", Integer, ForeignKey(ENTRIES.c.id, ondelete="CASCADE"), primary_key=True, autoincrement=False
    ),
    Column("recipe", String(64), nullable=False),
    Column("document", BigInteger, nullable=False),
)
"""document: as a signed number (`stored_postings.py`)."""


BLOCK_NAMES = [f"block_{number}" for number in range(8)]
LEVEL_FINGERPRINTS = Table(
    "level_fingerprints",
    METADATA,
    Column(
        "entry", Integer, ForeignKey(ENTRIES.c.id, ondelete="CASCADE"), primary_key=True, autoincrement=False
    ),
    Column("level", SmallInteger, primary_key=True, autoincrement=False),
    Column("value", BigInteger, primary_key=True, autoincrement=False),
    *(Column(block, SmallInteger, nullable=False) for block in BLOCK_NAMES),
    *(Index(None, "level", block, "value", "entry") for block in BLOCK_NAMES),
    sqlite_with_rowid=False,
)
"""Fingerprints of an entry, its paragraphs and its sentences (`level_search.py`), as signed numbers, and
their 8 blocks of 8 bits, the highest first. A search reads the indexes only, not the table."""


MEANINGS = Table(
    "meanings",
    METADATA,
    Column(
        "entry", Integer, ForeignKey(ENTRIES.c.id, ondelete="CASCADE"), primary_key=True, autoincrement=False
    ),
    Column("model", String(64), nullable=False),
    Column("vectors", LargeBinary, nullable=False),
)
"""Vectors of the sentences of an entry (`meaning_search.py`), and the model that made them."""


FACTS = Table(
    "facts",
    METADATA,
    Column(
        "entry", Integer, ForeignKey(ENTRIES.c.id, ondelete="CASCADE"), primary_key=True, autoincrement=False
    ),
    Column("kind", SmallInteger, primary_key=True, autoincrement=False),
    Column("value", BigInteger, primary_key=True, autoincrement=False),
    Index(None, "kind", "value", "entry"),
    sqlite_with_rowid=False,
)
"""Editing ids, pictures and references of an entry as numbers (`shared_facts.py`)."""


def _postings(name: str) -> Table:
    return Table(
        name,
        METADATA,
        Column("gram", BigInteger, primary_key=True, autoincrement=False),
        Column("entry", Integer, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )


POSTINGS = _postings("postings")
RECENT_POSTINGS = _postings("recent_postings")
"""Which terms (`index_terms.py`) are in which entries. New entries go to the small table, which is fast, and
are merged in order of the terms into the large one. No foreign key, as it would need an index by entry.

On PostgreSQL the primary key has all columns, so that a search does not read the table. An index of the terms
that INCLUDEs the entries has the same size (31.5 bytes a row), and would be a second one."""

ACCESS_LOG = Table(
    "access_log",
    SERVER_METADATA,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False, server_default=text("now()")),
    Column("database_user", Text, nullable=False, server_default=text("session_user")),
    Column("action", String(16), nullable=False),
    Column("entry_count", Integer, nullable=False),
    Column("tags", Text, nullable=False),
)
"""Who searched and removed. The server fills in time and user, so that a user who may only insert the other
columns cannot write another name (`resources/postgresql_roles.sql`). tags: see `log_access`."""
