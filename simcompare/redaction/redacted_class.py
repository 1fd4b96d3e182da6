"""Redact a checked class: students by pseudonym, in the order of the pseudonyms.

Common sentences that name a school, a class or a student are not shown.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from pathlib import Path

from simcompare.cohort.class_check import ClassCheck, ClassHits, NamedEntry
from simcompare.cohort.cohort_scoring import Cohort, CohortPair, UnreadDocument, sorted_by_rank
from simcompare.cohort.common_text import FILLED_IN
from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.exclusions.excluded_sentences import find_exclusion_candidates, with_digests
from simcompare.comparison.exclusions.name_lines import is_name_line, names_school_or_class
from simcompare.comparison.passages.passage_columns import Passages
from simcompare.model.errors import FileError, SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.file_names import opening_of, propose
from simcompare.pseudonyms.pseudonymised_document import anonymous_excerpt
from simcompare.pseudonyms.pseudonyms import Pseudonyms, make_pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent, Student
from simcompare.report.annotated.annotations import Mark, Side, marks_of
from simcompare.report.evidence import Evidence
from simcompare.report.wording import NO_NUMBER
from simcompare.session.decisions import PairReview
from simcompare.session.school_class import ClassStudent, SchoolClass
from simcompare.support.display_text import file_name
from simcompare.support.i18n import _
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
        facts=evidence.facts.anonymous(names.replaced),
        is_anonymous=True,
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
        cohort_labels=(left.prepared_document.document.path.stem, right.prepared_document.document.path.stem),
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
        cohort_labels=tuple(each.document.path.stem for each in documents),
        student_labels=(),
        exclusion_candidates=tuple(
            with_digests(exclusion_candidates[place], cohort.documents[place].prepared) for place in order
        ),
        pairs=sorted_by_rank(documents, pairs),
        settings=anonymous_settings(cohort.settings, names),
        thesaurus=anonymous_thesaurus(cohort.thesaurus, names),
        unread=tuple(_unread(document, names) for document in unread),
        groups=_renumbered(cohort.groups, order),
        is_anonymous=True,
    )


def order_of_documents(cohort: Cohort, names: Pseudonyms) -> list[int]:
    return sorted(
        range(len(cohort.documents)), key=lambda place: names.order_of(cohort.documents[place].document.path)
    )


def _pair(pair: CohortPair, order: Sequence[int], names: Pseudonyms) -> CohortPair:
    left, right = order.index(pair.left), order.index(pair.right)
    pair = replace(pair, facts=pair.facts.anonymous(names.replaced))
    review, cause = anonymous_review(pair.review, names), names.replaced(pair.cause)
    if left < right:
        return replace(pair, left=left, right=right, review=review, cause=cause)
    summary = pair.summary and pair.summary.mirrored
    turned = replace(pair, left=right, right=left, summary=summary, review=review.mirrored, cause=cause)
    decided, facts = pair.decided and pair.decided[::-1], pair.facts.mirrored
    return replace(turned, decided=decided, facts=facts, copying=pair.copying[::-1])


def _renumbered(groups: Sequence[Sequence[int]], order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Map groups of documents to the new order, with their numbers unchanged.

    The numbers depend on figures only (`find_groups`), which the report shows anyway.
    """
    order_of = {old: new for new, old in enumerate(order)}
    return tuple(tuple(sorted(order_of[place] for place in members)) for members in groups)


def _unread(document: UnreadDocument, names: Pseudonyms) -> UnreadDocument:
    error = None if document.error is None else _error(document.error, document.path, names)
    return UnreadDocument(names.path_of(document.path), error)


def _error(error: SimcompareError, file: Path, names: Pseudonyms) -> SimcompareError:
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


def class_pseudonyms(check: ClassCheck, listed: Sequence[Student]) -> Pseudonyms:
    """Make pseudonyms for the students of a check and of the class list, a pseudonym for each student."""
    paths = check.read_files
    known = {paths[place]: each for place, each in check.school.owners.items() if place in paths}
    openings = dict.fromkeys(check.cohort.paths, "")
    openings |= {each.document.path: opening_of(each.document) for each in check.cohort.documents}
    recognised = [
        _with_student(each, known.get(each.path)) for each in propose([*openings], listed, openings)
    ]
    return make_pseudonyms(()).extended(recognised, listed, check.school.own_files(paths))


def _with_student(recognised: RecognisedStudent, student: ClassStudent | None) -> RecognisedStudent:
    if student is None or not (student.name or student.number):
        return recognised
    names = [name for name in (recognised.name, *recognised.spellings) if name and student.name]
    others = tuple(name for name in names if name.isascii() != student.name.isascii())
    return replace(recognised, name=student.name, number=student.number, spellings=others)


def anonymous_check(check: ClassCheck, pseudonyms: Pseudonyms) -> ClassCheck:
    """Return a check with names replaced; figures, roles and decisions are those of the original.

    Files without a pseudonym get a new one.
    """
    names = pseudonyms.including_files(check.cohort.paths)
    names = names.extended([], check.school.missing, check.school.own_files(check.read_files))
    order = order_of_documents(check.cohort, names)
    # documents get other numbers, which decide the order of groups of equal size and shares
    return replace(
        check,
        cohort=anonymous_cohort(check.cohort, names),
        school=_school(check, order, names),
        order=tuple(order),
        original_ranks=tuple(check.name_ranks[place] for place in order),
        library_hits=None if check.library_hits is None else _library_hits(check.library_hits, order, names),
    ).with_linked_groups()


def _school(check: ClassCheck, order: Sequence[int], names: Pseudonyms) -> SchoolClass:
    paths = list(map(names.path_of, check.cohort.paths))
    owners = map(names.owner_of_student, check.school.missing)
    missing = sorted(NO_NUMBER if owner is None else names.label(owner) for owner in owners)
    rank = [names.order_of(path) for path in check.cohort.paths]
    unread = sorted(range(len(order), len(paths)), key=rank.__getitem__)
    students = sorted(check.school.students, key=lambda student: rank[student.current])
    counts = Counter(names.owner_of(check.cohort.paths[student.current]) for student in students)

    def renamed(student: ClassStudent) -> ClassStudent:
        owner = names.owner_of(check.cohort.paths[student.current])
        # files that the class takes as those of two students may have one owner
        label = paths[student.current].stem if owner is None or counts[owner] > 1 else names.label(owner)
        return replace(student, id=label, name=label, number="", other_names=())

    return replace(
        check.school,
        rosters=(),
        students=tuple(map(renamed, students)),
        missing=tuple(Student((label,)) for label in missing),
        common=tuple(
            replace(each, digest="", text=_common_text(each.text, names)) for each in check.school.common
        ),
    ).renumbered({old: new for new, old in enumerate([*order, *unread])})


def _library_hits(hits: ClassHits, order: Sequence[int], names: Pseudonyms) -> ClassHits:
    """Return the hits without names and tags of entries, which may be those of anyone, in the new order."""
    places = {old: new for new, old in enumerate(order)}
    own = [(places[place], _entry(entry)) for place, entry in hits.own]
    failed = [(places[place], _entry(entry), cause) for place, entry, cause in hits.failed]
    moved = [
        replace(
            hit, place=places[hit.place], entry=_entry(hit.entry), facts=hit.facts.anonymous(names.replaced)
        )
        for hit in hits.hits
    ]
    return replace(
        hits,
        hits=tuple(sorted(moved, key=lambda hit: hit.place)),
        own=tuple(sorted(own, key=itemgetter(0))),
        failed=tuple(sorted(failed, key=itemgetter(0))),
    )


def _entry(entry: NamedEntry) -> NamedEntry:
    return replace(entry, name="", tags=())


def _common_text(text: str, names: Pseudonyms) -> str:
    if text.endswith(FILLED_IN) or is_name_line(text) or names_school_or_class(text):
        return _("(not shown: it names a school, a class or a student)")
    return names.replaced(text)
