"""What the library stores of a document, computed in any process."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from simcompare.cohort.document_preparation import read_prepared_document
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.library.index_terms import TERM_RECIPE, entry_terms
from simcompare.library.store.stored_documents import document_columns
from simcompare.library.store.stored_numbers import SignedHashes, signed_value
from simcompare.library.students import FileLabels
from simcompare.library.tags import UNTIL, Tag
from simcompare.loading.archive import bytes_of
from simcompare.loading.extraction import DEFAULT_OPTIONS, ReadingOptions
from simcompare.model.settings import ComparisonSettings

PRELOADED = "simcompare.library.preloaded"
"""The module that a worker pool preloads where its workers make new entries: in each, that takes 0.3 s."""
LIBRARY_RECIPE = ComparisonSettings().recipe
"""Fingerprint recipe of all documents that are added or searched."""


@dataclass(frozen=True, slots=True)
class SubmissionKey:
    """What makes a submission the same one if it is added again: the file, its name and its tags.

    The same file under another name or with other tags is another submission; another date until which it
    may be kept makes no difference.
    """

    file_sha256: str
    name: str
    tags: frozenset[Tag]

    @classmethod
    def of(cls, file_sha256: str, name: str, tags: Iterable[Tag]) -> Self:
        return cls(file_sha256, name, frozenset(tag for tag in tags if tag.name != UNTIL))


@dataclass(frozen=True, slots=True, eq=False)
class NewEntry:
    """A document that can be added: columns of `entries` and `fingerprints`, terms, and tags."""

    columns: dict[str, Any]
    fingerprints: dict[str, Any]
    terms: SignedHashes
    tags: Sequence[Tag]

    @property
    def submission(self) -> SubmissionKey:
        return SubmissionKey.of(self.columns["file_sha256"], self.columns["name"], self.tags)


def make_new_entry(prepared_document: PreparedDocument, tags: Sequence[Tag] = ()) -> NewEntry:
    """Compute what the library stores of a document.

    Raises ValueError for a document without the hash of its file, as one without names has none.
    """
    document, prepared = prepared_document.document, prepared_document.prepared
    if not document.sha256:
        raise ValueError(f"{document.path.name} has no hash")
    fingerprint = prepared_document.fingerprint
    terms = entry_terms(prepared, fingerprint)
    columns = document_columns(document) | {
        "unit_count": prepared.unit_count,
        "language": "zh" if prepared.is_mostly_chinese else "en",
        "term_count": len(terms),
        "term_recipe": TERM_RECIPE,
    }
    fingerprints = {"recipe": fingerprint.recipe, "document": signed_value(fingerprint.value)}
    return NewEntry(columns, fingerprints, terms, tags)


def read_new_entry(path: Path, tags: Sequence[Tag], options: ReadingOptions = DEFAULT_OPTIONS) -> NewEntry:
    """Load and prepare a file to be added.

    Raises FileError if the file cannot be read, NoUnitsError.
    """
    return make_new_entry(read_prepared_document(path, LIBRARY_RECIPE, options), tags)


def read_unnamed_entry(
    path: Path, tags: Sequence[Tag], options: ReadingOptions = DEFAULT_OPTIONS
) -> NewEntry:
    """Load and prepare a file as `read_new_entry`, without its name and folders, which may name a student."""
    read = read_prepared_document(path, LIBRARY_RECIPE, options)
    title = "" if read.document.title == path.stem else read.document.title
    unnamed = replace(read.document, path=Path("essay").with_suffix(path.suffix), title=title)
    return make_new_entry(replace(read, document=unnamed), tags)


def labelled(new: NewEntry, labels: FileLabels) -> NewEntry:
    """Return an entry with another name and other tags."""
    return replace(new, columns=new.columns | {"name": labels.name}, tags=labels.tags)


def submission_of(path: Path, labels: FileLabels) -> SubmissionKey:
    """Return the submission that a file will be, without reading its text.

    Raises FileError if it cannot be opened.
    """
    return SubmissionKey.of(sha256(bytes_of(path)).hexdigest(), labels.name, labels.tags)
