"""A file made ready to be compared: its document, its prepared text and its fingerprint."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

from simcompare.fingerprint.fingerprint_value import Fingerprint
from simcompare.fingerprint.recipes import make_fingerprint
from simcompare.loading import load_document
from simcompare.loading.extraction import DEFAULT_OPTIONS, PastedText, ReadingOptions
from simcompare.loading.load import load_pasted
from simcompare.model.document import Document
from simcompare.text.prepared_text import PreparedText
from simcompare.text.text_preparation import prepare


@dataclass(frozen=True, slots=True, eq=False)
class PreparedDocument:
    """One side of a comparison."""

    document: Document
    prepared: PreparedText
    fingerprint: Fingerprint

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.document.path.name


def prepare_document(document: Document, recipe: str) -> PreparedDocument:
    """Prepare a document and fingerprint it.

    Raises NoUnitsError where the document holds no words, UnknownRecipeError for an unknown recipe.
    """
    prepared = prepare(document)
    return PreparedDocument(document, prepared, make_fingerprint(document, prepared, recipe))


def with_recipe(prepared_document: PreparedDocument, recipe: str) -> PreparedDocument:
    """Return the subject with a fingerprint by another recipe; the same where it has that one already.

    Raises NoTermsError where the recipe counts no word of the text, UnknownRecipeError.
    """
    if prepared_document.fingerprint.recipe_name == recipe:
        return prepared_document
    return replace(
        prepared_document,
        fingerprint=make_fingerprint(prepared_document.document, prepared_document.prepared, recipe),
    )


def prepare_read_document(_path: Path, document: Document, recipe: str) -> PreparedDocument:
    """Prepare a document whose file was read before; made to run in a process of its own.

    Raises NoUnitsError, UnknownRecipeError.
    """
    return prepare_document(document, recipe)


def read_prepared_document(
    path: Path, recipe: str, options: ReadingOptions = DEFAULT_OPTIONS
) -> PreparedDocument:
    """Load a file and prepare it; made to run in a process of its own.

    Raises FileError where the file cannot be read, NoUnitsError, UnknownRecipeError.
    """
    return prepare_document(load_document(path, options), recipe)


def read_prepared_pasted_text(
    path: Path, pasted: PastedText, recipe: str, options: ReadingOptions
) -> PreparedDocument:
    """Read a text that is in no file and prepare it; made to run in a process of its own.

    Raises FileError where it cannot be read, NoUnitsError, UnknownRecipeError.
    """
    return prepare_document(load_pasted(path, pasted, options), recipe)


PRELOADED = "simcompare.comparison.preloaded"
"""The module that a ReaderPool is to preload."""

_LESS_URGENT_THAN_THE_WINDOW = 5
"""Before the pairs, which are scored meanwhile, and behind what a person does."""
_IN_BOTH_LANGUAGES = PastedText("雾漫过河。\nFog covers the river.")


def preload_readers() -> None:
    """Load all that reading any text needs: modules, the lists of words and how rare they are."""
    prepare_document(load_pasted(Path("text"), _IN_BOTH_LANGUAGES), "improved")


def lower_process_priority() -> None:
    """Let the thread of a window come first, as the first thing a reading process does."""
    if hasattr(os, "nice"):
        os.nice(_LESS_URGENT_THAN_THE_WINDOW)
