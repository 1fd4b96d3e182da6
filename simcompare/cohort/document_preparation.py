"""List and read submitted files, and prepare their texts for comparison in worker processes."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.loading import load_document
from simcompare.loading.extraction import DEFAULT_OPTIONS, PastedText, ReadingOptions
from simcompare.loading.file_listing import list_files
from simcompare.loading.load import load_pasted
from simcompare.model.document import Document
from simcompare.model.errors import FileError
from simcompare.pseudonyms.roster import is_roster
from simcompare.support.i18n import N_

PRELOADED = "simcompare.cohort.preloaded"
"""The module that a worker pool preloads where its workers read or compare texts."""

_NICENESS = 5
"""Above the workers that score pairs, below the window."""
_IN_BOTH_LANGUAGES = PastedText("雾锁石桥。\nFog hides the stone bridge.")


class ClassListFoundError(FileError):
    """A file that was to be read as an essay is a class list."""

    template = N_("{name} is a class list, not an essay.")


@dataclass(frozen=True, slots=True)
class SubmittedFiles:
    """Files of folders and archives: documents, class lists, and what is not read.

    documents: in order, members of archives as "class.zip/folder/essay.docx". refused: a sentence for each
    archive or member that is not read. skipped: number of files that are no documents, such as .DS_Store.
    """

    documents: tuple[Path, ...]
    rosters: tuple[Path, ...] = ()
    refused: tuple[FileError, ...] = ()
    skipped: int = 0


def submitted_files(paths: Iterable[Path]) -> SubmittedFiles:
    """List the files in folders, zip archives and single paths; class lists are recognised by content."""
    listed = list_files(paths)
    rosters = tuple(filter(is_roster, listed.files))
    documents = tuple(path for path in listed.files if path not in rosters)
    return SubmittedFiles(documents, rosters, listed.refused, listed.skipped)


def preload_readers() -> None:
    """Load all that reading any text needs: modules, word lists and word frequencies."""
    prepare_document(load_pasted(Path("text"), _IN_BOTH_LANGUAGES), "improved")


def lower_process_priority() -> None:
    """Lower the priority of a worker below that of the window; called when the worker starts."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)


def prepare_read_document(_path: Path, document: Document, recipe: str) -> PreparedDocument:
    """Prepare a document whose file was read before.

    Raises NoUnitsError, UnknownRecipeError.
    """
    return prepare_document(document, recipe)


def read_prepared_document(
    path: Path, recipe: str, options: ReadingOptions = DEFAULT_OPTIONS
) -> PreparedDocument:
    """Load a file and prepare it.

    Raises FileError if the file cannot be read, NoUnitsError, UnknownRecipeError.
    """
    return prepare_document(load_document(path, options), recipe)


def read_submitted_document(
    path: Path, recipe: str, options: ReadingOptions = DEFAULT_OPTIONS
) -> PreparedDocument:
    """Load and prepare a file as `read_prepared_document`, but for class lists.

    Raises ClassListFoundError for these.
    """
    if is_roster(path):
        raise ClassListFoundError(path)
    return read_prepared_document(path, recipe, options)


def read_prepared_pasted_text(
    path: Path, pasted: PastedText, recipe: str, options: ReadingOptions
) -> PreparedDocument:
    """Load a pasted text, with `path` as its name, and prepare it.

    Raises FileError if it cannot be read, NoUnitsError, UnknownRecipeError.
    """
    return prepare_document(load_pasted(path, pasted, options), recipe)
