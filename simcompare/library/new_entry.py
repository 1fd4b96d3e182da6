"""What the library stores of a document, computed in any process."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.recipes import multilevel_fingerprints
from simcompare.library.index_terms import TERM_RECIPE, index_terms
from simcompare.library.store.stored_documents import document_columns
from simcompare.library.store.stored_numbers import SignedHashes, levels_as_bytes, signed_value
from simcompare.library.tags import Tag
from simcompare.loading.archive import bytes_of
from simcompare.loading.extraction import DEFAULT_OPTIONS, ReadingOptions
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import PreparedText

LIBRARY_RECIPE = ComparisonSettings().recipe
"""Fingerprint recipe of all documents that are added or searched."""


@dataclass(frozen=True, slots=True, eq=False)
class NewEntry:
    """A document that can be added: columns of `entries` and `fingerprints`, terms, and tags."""

    columns: dict[str, Any]
    fingerprints: dict[str, Any]
    terms: SignedHashes
    tags: Sequence[Tag]

    @property
    def name(self) -> str:
        """The file name."""
        return str(self.columns["name"])


def make_new_entry(prepared_document: PreparedDocument, tags: Sequence[Tag] = ()) -> NewEntry:
    """Compute what the library stores of a document.

    Raises ValueError for a document without the hash of its file, as one without names has none.
    """
    document, prepared = prepared_document.document, prepared_document.prepared
    if not document.sha256:
        raise ValueError(f"{document.path.name} has no hash")
    terms = index_terms(prepared)
    columns = document_columns(document) | {
        "text_sha256": text_sha256(prepared),
        "unit_count": prepared.unit_count,
        "language": "zh" if prepared.is_mostly_chinese else "en",
        "term_count": len(terms),
        "term_recipe": TERM_RECIPE,
    }
    levels = multilevel_fingerprints(document, prepared, LIBRARY_RECIPE)
    fingerprints = {
        "recipe": levels.document.recipe,
        "document": signed_value(levels.document.value),
        "levels": levels_as_bytes(levels.blocks, levels.sentences),
    }
    return NewEntry(columns, fingerprints, terms, tags)


def read_new_entry(path: Path, tags: Sequence[Tag], options: ReadingOptions = DEFAULT_OPTIONS) -> NewEntry:
    """Load and prepare a file to be added.

    Raises FileError if the file cannot be read, NoUnitsError.
    """
    return make_new_entry(read_prepared_document(path, LIBRARY_RECIPE, options), tags)


def file_sha256(path: Path) -> str:
    """Return the SHA-256 that the document of a file will have. Raises FileError if it cannot be opened."""
    return sha256(bytes_of(path)).hexdigest()


def text_sha256(prepared: PreparedText) -> str:
    """Return the SHA-256 of the comparable text: its units, separated by blanks, in UTF-8."""
    units = map(prepared.unit_vocabulary.__getitem__, prepared.unit_ids.tolist())
    return sha256(" ".join(units).encode()).hexdigest()
