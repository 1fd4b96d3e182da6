"""The evidence of a pair under pseudonyms; forms make of it what they make of any other."""

from collections.abc import Sequence
from dataclasses import replace

from simcompare.comparison.comparison_result import Comparison, Passage
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.report.annotated.annotation_marks import Mark, Side, marks_of
from simcompare.report.evidence import Evidence
from simcompare.session.decisions import NotedDecision, PairReview
from simcompare.support.display_text import file_name
from simcompare.text.thesaurus import CILIN, NONE, STARTER, Thesaurus


def anonymous_evidence(evidence: Evidence, pseudonyms: Pseudonyms) -> Evidence:
    """Return evidence in which nobody is named; figures, matches and decisions are those of the originals.

    Files that the pseudonyms were not made for get some of their own.
    """
    comparison = evidence.comparison
    files = [prepared_document.document.path for prepared_document in (comparison.left, comparison.right)]
    names = pseudonyms.covering(files)
    return replace(
        evidence,
        comparison=_comparison(comparison, names),
        thesaurus=anonymous_thesaurus(evidence.thesaurus, names),
        review=anonymous_review(evidence.review, names),
    )


def _comparison(comparison: Comparison, names: Pseudonyms) -> Comparison:
    left, right = names.moved(comparison.left), names.moved(comparison.right)

    def moved(passages: Sequence[Passage]) -> tuple[Passage, ...]:
        return tuple(Passage(left.text.span(one.left), right.text.span(one.right)) for one in passages)

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
    )


def anonymous_settings(settings: ComparisonSettings, names: Pseudonyms) -> ComparisonSettings:
    """Return settings that name files without their folders, and nobody."""
    prompt = None if settings.prompt is None else names.replaced(file_name(settings.prompt))
    is_file = settings.thesaurus not in {STARTER, CILIN, NONE}
    thesaurus = names.replaced(file_name(settings.thesaurus)) if is_file else settings.thesaurus
    return replace(settings, prompt=prompt, thesaurus=thesaurus)


def anonymous_thesaurus(thesaurus: Thesaurus | None, names: Pseudonyms) -> Thesaurus | None:
    """Return the thesaurus under a name in which nobody is named."""
    return None if thesaurus is None else replace(thesaurus, name=names.replaced(thesaurus.name))


def anonymous_review(review: PairReview, names: Pseudonyms) -> PairReview:
    """Return the decisions with notes in which nobody is named."""

    def anonymous(noted_decision: NotedDecision) -> NotedDecision:
        return replace(noted_decision, note=names.replaced(noted_decision.note))

    return PairReview(
        anonymous(review.overall), {key: anonymous(held) for key, held in review.matches.items()}
    )


def anonymous_marks(evidence: Evidence, anonymous: Evidence, side: Side) -> Sequence[Mark]:
    """Return the marks of an original file, at its own places, with the words of anonymous evidence."""
    return [
        replace(mark, text=told.text, lines=told.lines)
        for mark, told in zip(marks_of(evidence, side), marks_of(anonymous, side), strict=True)
    ]
