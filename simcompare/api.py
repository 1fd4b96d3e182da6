"""The core as a library: load documents, compare two of them, make fingerprints.

`import simcompare` offers these names and imports this module when one of them is first used. Everything
runs in the calling process, so a script needs no `if __name__ == "__main__"`. Reading a file therefore has
no limit of time and memory; the command line and the window read each file in a process that can be stopped.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path

from simcompare.cohort.pair_facts import facts_of_comparison
from simcompare.comparison.compare_documents import compare as compare_prepared
from simcompare.comparison.comparison_result import Comparison, PairShares
from simcompare.comparison.passage_explanation import explain_passage
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.fingerprint.simhash import Fingerprint
from simcompare.loading.extraction import PastedText, ReadingOptions
from simcompare.loading.load import load_document, load_pasted
from simcompare.model.document import Document, Span
from simcompare.model.settings import ComparisonSettings
from simcompare.report.plain_text import comparison_as_text
from simcompare.text.prepared_text import prepare
from simcompare.text.thesaurus import Thesaurus, load_thesaurus

_DEFAULTS = ComparisonSettings()


@dataclass(frozen=True, slots=True)
class ExplainedPassage:
    """A passage that two documents share, in reading order of the left text.

    left, right: code points in the `text` of each document; left_text, right_text: the text there
    kind: identical, edited, reworded, reordered, summary or meaning (possibly rewritten)
    summary: the passage in one line; reasons: why it was found and has its kind, two to five sentences
    """

    left: Span
    right: Span
    left_text: str
    right_text: str
    kind: PassageKind
    summary: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ComparedPair:
    """The result of `compare`: a comparison of two documents, in the terms of its reports.

    `comparison` has all the rest: matrix, matches, excluded sentences.
    """

    comparison: Comparison = field(repr=False)
    thesaurus: Thesaurus | None = field(repr=False)

    @property
    def share(self) -> PairShares:
        """Share of the left text that is in the right one too, and the reverse, in [0, 1] of the units.

        `share.left_in_right.raw` is of all units, `share.left_in_right.after_exclusions` of those that count,
        and None if none does. A unit is a Han character or a word of another script.
        """
        return self.comparison.share

    @property
    def hamming_distance_bits(self) -> int:
        """Number of bits in which the two fingerprints differ, 0 to 64."""
        return self.comparison.hamming_distance_bits

    @cached_property
    def passages(self) -> tuple[ExplainedPassage, ...]:
        """The passages that both texts share, explained in the current language (`set_language`)."""
        comparison, listed = self.comparison, numbered_passages(self.comparison)
        texts = comparison.left.document.text, comparison.right.document.text
        found = []
        for index, passage in enumerate(listed):
            words = explain_passage(comparison, listed, index, self.thesaurus)
            found.append(
                ExplainedPassage(
                    passage.left,
                    passage.right,
                    passage.left.of(texts[0]),
                    passage.right.of(texts[1]),
                    passage.kind,
                    words.summary,
                    words.reasons,
                )
            )
        return tuple(found)

    @property
    def explanation(self) -> str:
        """The result in words, as `simcompare compare` prints it, in the current language."""
        return comparison_as_text(self.comparison, self.thesaurus, None, facts_of_comparison(self.comparison))


def load(path: str | PathLike[str], *, password: str | None = None, whole_page: bool = False) -> Document:
    """Read a file of any supported format, detected from its content.

    password: of an encrypted file. whole_page: keep all text of a web page, not only the article.

    Raises FileError if the file cannot be read; its subclasses in `simcompare.model.errors` say why. The text
    of scanned pages is not recognised: NoTextError. `simcompare extract` and the window recognise it.
    """
    return load_document(Path(path), ReadingOptions(password, whole_page))


def load_text(text: str, name: str = "text") -> Document:
    """Make a document of a plain text that is in no file; `name` is its name in explanations and errors.

    Raises EmptyFileError if there is no text in it, FileTooLargeError above 10 MB or 300,000 lines.
    """
    return load_pasted(Path(name), PastedText(text))


def compare(
    left: Document | str | PathLike[str],
    right: Document | str | PathLike[str],
    settings: ComparisonSettings = _DEFAULTS,
) -> ComparedPair:
    """Compare two documents, or two files by their paths, sentence by sentence (Lv et al., section 3.2).

    settings: thresholds, thesaurus, exclusions; `PRESETS` has three of them, the default is "balanced".

    Raises FileError if a file, or the prompt of the settings, cannot be read; NoUnitsError if a text has no
    words; UnknownRecipeError and LexiconError for a recipe or a thesaurus that is not there;
    MeaningModelMissingError if the settings want what was rewritten and the extra `meaning` is not installed.
    """
    thesaurus = load_thesaurus(settings.thesaurus)
    prompt = None if settings.prompt is None else prepare(load(settings.prompt), settings.user_words)
    documents = _prepared(left, settings), _prepared(right, settings)
    return ComparedPair(compare_prepared(*documents, settings, thesaurus, prompt=prompt), thesaurus)


def fingerprint_of(document: Document | str | PathLike[str], recipe: str = _DEFAULTS.recipe) -> Fingerprint:
    """Make the fingerprint of a document, or of a file by its path: 64 bits (Simhash, Lv et al., section 2).

    `hamming_distance_bits` compares two fingerprints of one recipe.

    Raises FileError, NoUnitsError if the text has no words, NoTermsError if the recipe counts none of them,
    UnknownRecipeError.
    """
    return _prepared(document, replace(_DEFAULTS, recipe=recipe)).fingerprint


def _prepared(document: Document | str | PathLike[str], settings: ComparisonSettings) -> PreparedDocument:
    read = document if isinstance(document, Document) else load(document)
    return prepare_document(read, settings.recipe, settings.user_words, meaning=bool(settings.meaning))
