"""A document prepared for comparison, with its text units and its fingerprint."""

from dataclasses import dataclass, replace

from simcompare.fingerprint.fingerprint_value import Fingerprint
from simcompare.fingerprint.recipes import make_fingerprint
from simcompare.model.document import Document
from simcompare.text.prepared_text import PreparedText
from simcompare.text.text_preparation import prepare


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

    Raises NoUnitsError if the document holds no words, UnknownRecipeError for an unknown recipe.
    """
    prepared = prepare(document)
    return Subject(document, prepared, make_fingerprint(document, prepared, recipe))


def with_recipe(subject: Subject, recipe: str) -> Subject:
    """Return the subject with a fingerprint by another recipe, or itself if it has that recipe.

    Raises NoTermsError if the recipe counts no word of the text, UnknownRecipeError.
    """
    if subject.fingerprint.recipe_name == recipe:
        return subject
    return replace(subject, fingerprint=make_fingerprint(subject.document, subject.prepared, recipe))
