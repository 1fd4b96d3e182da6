"""Redact a cohort: replace names and sort documents by pseudonym, for tables and bundles of reports."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from simcompare.cohort.cohort_data import Cohort, CohortPair, UnreadDocument, sorted_by_share
from simcompare.comparison.exclusions.excluded_sentences import find_exclusion_candidates, with_digests
from simcompare.model.errors import FileError, SimcompareError
from simcompare.pseudonyms.pseudonymised_document import anonymous_excerpt
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.redaction.redacted_evidence import anonymous_review, anonymous_settings, anonymous_thesaurus


def anonymous_cohort(cohort: Cohort, pseudonyms: Pseudonyms) -> Cohort:
    """Return a cohort with names replaced; figures and decisions are those of the originals.

    Documents are sorted by pseudonym and pairs by coverage, as the order of the originals often follows a
    roster. Files without a pseudonym get a new one.
    """
    names = pseudonyms.including_files(cohort.paths)
    order = order_of_documents(cohort, names)
    documents = tuple(names.prepared_document(cohort.documents[place]) for place in order)
    # found in the originals: a line that holds only a name is not recognised after redaction
    exclusion_candidates = cohort.exclusion_candidates or [
        find_exclusion_candidates(prepared_document, cohort.prompt, cohort.thesaurus)
        for prepared_document in cohort.documents
    ]
    pairs = [_pair(pair, order, names) for pair in cohort.pairs]
    unread = sorted(cohort.unread, key=lambda document: names.order_of(document.path))
    return replace(
        cohort,
        documents=documents,
        cohort_labels=(),
        student_labels=(),
        exclusion_candidates=tuple(
            with_digests(exclusion_candidates[place], cohort.documents[place].prepared) for place in order
        ),
        pairs=sorted_by_share(documents, pairs),
        settings=anonymous_settings(cohort.settings, names),
        thesaurus=anonymous_thesaurus(cohort.thesaurus, names),
        unread=tuple(_unread(document, names) for document in unread),
        groups=_renumbered(cohort.groups, order),
    )


def order_of_documents(cohort: Cohort, names: Pseudonyms) -> list[int]:
    """Return the indices of the documents in the order of their pseudonyms."""
    return sorted(
        range(len(cohort.documents)), key=lambda place: names.order_of(cohort.documents[place].document.path)
    )


def _pair(pair: CohortPair, order: Sequence[int], names: Pseudonyms) -> CohortPair:
    """Return a pair with the document that is first in the new order on the left."""
    left, right = order.index(pair.left), order.index(pair.right)
    review, cause = anonymous_review(pair.review, names), names.replaced(pair.cause)
    if left < right:
        return replace(pair, left=left, right=right, review=review, cause=cause)
    summary = pair.summary and replace(
        pair.summary,
        share=pair.summary.share.mirrored,
        sentence_share=pair.summary.sentence_share.mirrored,
    )
    turned = replace(pair, left=right, right=left, summary=summary, review=review.mirrored, cause=cause)
    return replace(turned, decided=pair.decided and pair.decided.mirrored)


def _renumbered(groups: Sequence[Sequence[int]], order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Map groups of documents to the new order, with their numbers unchanged.

    The numbers depend on figures only (cohort/groups.py), which the report shows anyway.
    """
    order_of = {old: new for new, old in enumerate(order)}
    return tuple(tuple(sorted(order_of[place] for place in members)) for members in groups)


def _unread(document: UnreadDocument, names: Pseudonyms) -> UnreadDocument:
    error = None if document.error is None else _error(document.error, document.path, names)
    return UnreadDocument(names.path_of(document.path), error)


def _error(error: SimcompareError, file: Path, names: Pseudonyms) -> SimcompareError:
    """Return an error with the pseudonym of a file in place of its name."""
    path = names.path_of(file)

    def redacted(key: str, value: object) -> object:
        if key == "name":
            return path.name
        if not isinstance(value, str):
            return value
        return anonymous_excerpt(names, value, file) if key == "excerpt" else names.replaced(value, file)

    values = {key: redacted(key, value) for key, value in error.values.items() if key != "path"}
    if not isinstance(error, FileError):
        return type(error)(**values)
    del values["name"]  # taken from the path
    return type(error)(path, **values)
