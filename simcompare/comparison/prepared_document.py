"""A document prepared for comparison: its text in sentences, units and words, and its fingerprint."""

from dataclasses import dataclass, replace

from simcompare.fingerprint.simhash import Fingerprint, make_fingerprint
from simcompare.model.document import Document
from simcompare.model.settings import UserWords
from simcompare.text.prepared_text import PreparedText, kept_meanings, prepare, with_meanings


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class PreparedDocument:
    """A document with its prepared text and its fingerprint: one side of a comparison."""

    document: Document
    prepared: PreparedText
    fingerprint: Fingerprint

    @property
    def name(self) -> str:
        """The file name."""
        return self.document.path.name

    @property
    def kept_meanings(self) -> bytes:
        """Vectors of the sentences as bytes, none without vectors."""
        return kept_meanings(self.document, self.prepared)

    def as_source(self, is_source: bool = True) -> "PreparedDocument":
        """Return it as a named source, or as none; the same object if it is that."""
        if self.prepared.is_source == is_source:
            return self
        return replace(self, prepared=replace(self.prepared, is_source=is_source))

    def with_meanings(self, wanted: bool) -> "PreparedDocument":
        """Return it with the vectors of its sentences, or without. Raises MeaningModelMissingError."""
        return replace(self, prepared=with_meanings(self.document, self.prepared, wanted))


def prepare_document(
    document: Document, recipe: str, own: UserWords | None = None, *, meaning: bool = False, kept: bytes = b""
) -> PreparedDocument:
    """Prepare a document and make its fingerprint; parameters as of `prepare`.

    Raises NoUnitsError if the document has no words, UnknownRecipeError for an unknown recipe.
    """
    prepared = prepare(document, own, meaning=meaning, kept=kept)
    return PreparedDocument(document, prepared, make_fingerprint(document, prepared, recipe))


def with_recipe(
    prepared_document: PreparedDocument, recipe: str, own: UserWords | None = None
) -> PreparedDocument:
    """Replace the fingerprint by one of another recipe; return the same object if it already has that recipe.

    The text is prepared again if it was with other words of the user.
    Raises NoTermsError if the recipe counts no word of the text, UnknownRecipeError.
    """
    if prepared_document.prepared.user_words != own:
        document, kept = prepared_document.document, prepared_document.kept_meanings
        again = prepare_document(document, recipe, own, meaning=bool(kept), kept=kept)
        return again.as_source(prepared_document.prepared.is_source)
    if prepared_document.fingerprint.recipe_name == recipe:
        return prepared_document
    return replace(
        prepared_document,
        fingerprint=make_fingerprint(prepared_document.document, prepared_document.prepared, recipe),
    )
