"""A document prepared for comparison: its text in sentences, units and words, and its fingerprint."""

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
    """A document with its prepared text and its fingerprint: one side of a comparison."""

    document: Document
    prepared: PreparedText
    fingerprint: Fingerprint

    @property
    def name(self) -> str:
        """The file name."""
        return self.document.path.name


def prepare_document(document: Document, recipe: str) -> PreparedDocument:
    """Prepare a document and make its fingerprint.

    Raises NoUnitsError if the document has no words, UnknownRecipeError for an unknown recipe.
    """
    prepared = prepare(document)
    return PreparedDocument(document, prepared, make_fingerprint(document, prepared, recipe))


def with_recipe(prepared_document: PreparedDocument, recipe: str) -> PreparedDocument:
    """Replace the fingerprint by one of another recipe; return the same object if it already has that recipe.

    Raises NoTermsError if the recipe counts no word of the text, UnknownRecipeError.
    """
    if prepared_document.fingerprint.recipe_name == recipe:
        return prepared_document
    return replace(
        prepared_document,
        fingerprint=make_fingerprint(prepared_document.document, prepared_document.prepared, recipe),
    )


def prepare_read_document(_path: Path, document: Document, recipe: str) -> PreparedDocument:
    """Prepare a document that was read earlier; the signature is that of a ReaderPool task.

    Raises NoUnitsError, UnknownRecipeError.
    """
    return prepare_document(document, recipe)


def read_prepared_document(
    path: Path, recipe: str, options: ReadingOptions = DEFAULT_OPTIONS
) -> PreparedDocument:
    """Read a file and prepare it; a ReaderPool task.

    Raises FileError if the file cannot be read, NoUnitsError, UnknownRecipeError.
    """
    return prepare_document(load_document(path, options), recipe)


def read_prepared_pasted_text(
    path: Path, pasted: PastedText, recipe: str, options: ReadingOptions
) -> PreparedDocument:
    """Prepare pasted text, which has no file; a ReaderPool task.

    Raises FileError if it cannot be read, NoUnitsError, UnknownRecipeError.
    """
    return prepare_document(load_pasted(path, pasted, options), recipe)


PRELOADED = "simcompare.comparison.preloaded"
"""Name of the module that a ReaderPool preloads."""

_READER_NICENESS = 5
"""Niceness of reader processes: above the window, below pair scoring, which runs at the same time."""
_CHINESE_AND_ENGLISH = PastedText("雾漫过河。\nFog covers the river.")


def preload_readers() -> None:
    """Load all modules, word lists and IDF tables that reading and preparing any text needs."""
    prepare_document(load_pasted(Path("text"), _CHINESE_AND_ENGLISH), "improved")


def lower_process_priority() -> None:
    """Lower the priority of a reader process, so that the window stays responsive."""
    if hasattr(os, "nice"):
        os.nice(_READER_NICENESS)
