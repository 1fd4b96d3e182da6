"""Read files and prepare their texts for comparison; the functions run in worker processes."""

import os
from pathlib import Path

from simcompare.cohort.students.submitted_files import ClassListFoundError
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.loading import load_document
from simcompare.loading.extraction import DEFAULT_OPTIONS, PastedText, ReadingOptions
from simcompare.loading.load import load_pasted
from simcompare.model.document import Document
from simcompare.pseudonyms.roster import is_roster

PRELOADED = "simcompare.cohort.preloaded"
"""The module that a worker pool preloads where its workers read or compare texts."""

_NICENESS = 5
"""Above the workers that score pairs, below the window."""
_IN_BOTH_LANGUAGES = PastedText("雾锁石桥。\nFog hides the stone bridge.")


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
