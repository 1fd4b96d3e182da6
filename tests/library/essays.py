"""Essays to put into a library, and their terms in the database."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import select

from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.library.changes import add_entries, make_new_entry
from simcompare.library.index_terms import entry_terms
from simcompare.library.store.open_library import Library, open_library
from simcompare.library.store.schema import POSTINGS, RECENT_POSTINGS
from simcompare.library.tags import parsed_tag
from tests.helpers.documents import make_document, unrelated_essays

SENTENCES = 12


def empty_library(path: Path) -> Library:
    """Open an empty library in a new file: a copy of one, as making it takes four times as long."""
    path.touch(0o600)
    path.write_bytes(_made_library())
    return open_library(path)


@cache
def _made_library() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "empty.sqlite"
        open_library(path, create=True).close()
        return path.read_bytes()


def essay(*paragraphs: str, name: str = "essay.txt") -> PreparedDocument:
    """A prepared document with the hash that a file of its paragraphs would have."""
    document = make_document(*paragraphs, title=Path(name).stem)
    digest = sha256("\n".join(paragraphs).encode()).hexdigest()
    return prepare_document(replace(document, path=Path(name), sha256=digest), "improved")


def essays(count: int) -> list[PreparedDocument]:
    """Essays without a common sentence, called essay-1.txt and so on."""
    texts = unrelated_essays(count, SENTENCES)
    return [essay(*text, name=f"essay-{number}.txt") for number, text in enumerate(texts, start=1)]


def add(library: Library, *documents: PreparedDocument, tags: str = "") -> list[int | None]:
    """Add documents with tags such as "class=3 year=2025"; return their entries, None for known ones."""
    parsed = list(map(parsed_tag, tags.split()))
    return list(add_entries(library, [make_new_entry(document, parsed) for document in documents]))


def expected_terms(entries: Mapping[int, PreparedDocument]) -> set[tuple[int, int]]:
    """The (gram, entry) pairs that documents have in the database."""
    return {
        (term, entry)
        for entry, document in entries.items()
        for term in entry_terms(document.prepared, document.fingerprint).tolist()
    }


def stored_terms(library: Library) -> dict[str, set[tuple[int, int]]]:
    """The (gram, entry) pairs of both tables of postings."""
    with library.reading() as connection:
        return {
            table.name: {(row.gram, row.entry) for row in connection.execute(select(table))}
            for table in (POSTINGS, RECENT_POSTINGS)
        }
