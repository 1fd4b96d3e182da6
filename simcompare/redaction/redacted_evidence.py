"""Redact the evidence of a pair, so that all report forms render it without names."""

from collections.abc import Sequence
from dataclasses import replace

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.passages.passage_columns import Passages
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.report.annotated.annotation_marks import Mark, Side, marks_of
from simcompare.report.evidence import Evidence
from simcompare.session.decisions import PairReview
from simcompare.support.display_text import file_name
from simcompare.text.thesaurus import CILIN, NONE, STARTER, Thesaurus


def anonymous_evidence(evidence: Evidence, pseudonyms: Pseudonyms) -> Evidence:
    """Return evidence with names replaced; figures, matches and decisions are those of the originals.

    Files without a pseudonym get a new one.
    """
    comparison = evidence.comparison
    files = [prepared_document.document.path for prepared_document in (comparison.left, comparison.right)]
    names = pseudonyms.including_files(files)
    return replace(
        evidence,
        comparison=_comparison(comparison, names),
        thesaurus=anonymous_thesaurus(evidence.thesaurus, names),
        review=anonymous_review(evidence.review, names),
    )


def _comparison(comparison: Comparison, names: Pseudonyms) -> Comparison:
    left, right = names.redact(comparison.left), names.redact(comparison.right)

    def moved(passages: Passages) -> Passages:
        return Passages.of(
            replace(
                passage,
                left=left.text.map_span(passage.left),
                right=right.text.map_span(passage.right),
            )
            for passage in passages
        )

    return replace(
        comparison,
        left=left.prepared_document,
        right=right.prepared_document,
        settings=anonymous_settings(comparison.settings, names),
        passages=moved(comparison.passages),
        detected_passages=None
        if comparison.detected_passages is None
        else moved(comparison.detected_passages),
        cohort_labels=None,
        student_labels=None,
    )


def anonymous_settings(settings: ComparisonSettings, names: Pseudonyms) -> ComparisonSettings:
    """Return settings with names replaced in file names, without folders and texts of sentences left out."""
    prompt = None if settings.prompt is None else names.replaced(file_name(settings.prompt))
    is_file = settings.thesaurus not in {STARTER, CILIN, NONE}
    thesaurus = names.replaced(file_name(settings.thesaurus)) if is_file else settings.thesaurus
    left_out = tuple(replace(sentence, text="") for sentence in settings.left_out)
    own = settings.user_words and replace(
        settings.user_words, file=names.replaced(file_name(settings.user_words.file))
    )
    return replace(settings, prompt=prompt, thesaurus=thesaurus, left_out=left_out, user_words=own)


def anonymous_thesaurus(thesaurus: Thesaurus | None, names: Pseudonyms) -> Thesaurus | None:
    """Return the thesaurus with names replaced in its file name."""
    return None if thesaurus is None else replace(thesaurus, name=names.replaced(thesaurus.name))


def anonymous_review(review: PairReview, names: Pseudonyms) -> PairReview:
    """Return the decisions with names replaced in the notes."""
    return review.with_notes(names.replaced)


def anonymous_marks(evidence: Evidence, anonymous: Evidence, side: Side) -> Sequence[Mark]:
    """Return the marks of an original file at its own positions with the texts of the anonymous evidence."""
    return [
        replace(mark, text=redacted.text, lines=redacted.lines)
        for mark, redacted in zip(marks_of(evidence, side), marks_of(anonymous, side), strict=True)
    ]
