"""A file made ready to be compared: its document, its prepared text and its fingerprint."""

from dataclasses import dataclass, replace
from pathlib import Path

from simcompare.document import Document
from simcompare.fingerprint.fingerprint import Fingerprint
from simcompare.fingerprint.recipes import make_fingerprint
from simcompare.loading import load_document
from simcompare.loading.load import load_pasted
from simcompare.loading.options import DEFAULT_OPTIONS, ReadingOptions
from simcompare.loading.pasted import PastedText
from simcompare.text.prepare import prepare
from simcompare.text.prepared import PreparedText


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """One side of a comparison."""

    document: Document
    prepared: PreparedText
    fingerprint: Fingerprint

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.document.path.name


def make_subject(document: Document, recipe: str) -> Subject:
    """Prepare a document and fingerprint it.

    Raises NoUnitsError where the document holds no words, UnknownRecipeError for an unknown recipe.
    """
    prepared = prepare(document)
    return Subject(document, prepared, make_fingerprint(document, prepared, recipe))


def with_recipe(subject: Subject, recipe: str) -> Subject:
    """Return the subject with a fingerprint by another recipe; the same where it has that one already.

    Raises NoTermsError where the recipe counts no word of the text, UnknownRecipeError.
    """
    if subject.fingerprint.recipe_name == recipe:
        return subject
    return replace(subject, fingerprint=make_fingerprint(subject.document, subject.prepared, recipe))


def prepare_subject(_path: Path, document: Document, recipe: str) -> Subject:
    """Prepare a document whose file was read before; made to run in a process of its own.

    Raises NoUnitsError, UnknownRecipeError.
    """
    return make_subject(document, recipe)


def read_subject(path: Path, recipe: str, options: ReadingOptions = DEFAULT_OPTIONS) -> Subject:
    """Load a file and prepare it; made to run in a process of its own.

    Raises FileError where the file cannot be read, NoUnitsError, UnknownRecipeError.
    """
    return make_subject(load_document(path, options), recipe)


def read_pasted_subject(path: Path, pasted: PastedText, recipe: str, options: ReadingOptions) -> Subject:
    """Read a text that is in no file and prepare it; made to run in a process of its own.

    Raises FileError where it cannot be read, NoUnitsError, UnknownRecipeError.
    """
    return make_subject(load_pasted(path, pasted, options), recipe)
