"""Redact a checked class: students by pseudonym, in the order of the pseudonyms.

Common sentences that name a school, a class or a student are not shown.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from simcompare.cohort.class_check import ClassCheck, ClassHit, ClassHits, NamedEntry
from simcompare.cohort.common_text import CommonSentence
from simcompare.cohort.near_duplicates import FILLED_IN
from simcompare.cohort.students.student_groups import ClassStudent, StudentFile, StudentGroups
from simcompare.comparison.exclusions.name_lines import is_name_line, names_school_or_class
from simcompare.pseudonyms.file_names import propose
from simcompare.pseudonyms.opening_lines import opening_of
from simcompare.pseudonyms.pseudonyms import Pseudonyms, make_pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent, Student
from simcompare.redaction.redacted_cohort import anonymous_cohort, order_of_documents
from simcompare.report.wording import NO_NUMBER
from simcompare.support.i18n import _


def class_pseudonyms(check: ClassCheck, listed: Sequence[Student]) -> Pseudonyms:
    """Make pseudonyms for the students of a check and of the class list, a pseudonym for each student."""
    known = {file.path: student for student in check.groups.students for file in student.files}
    openings = {each.document.path: opening_of(each.document) for each in check.cohort.documents}
    recognised = [
        _with_student(each, known.get(each.path)) for each in propose([*openings], listed, openings)
    ]
    names = make_pseudonyms(()).extended(recognised, listed, check.groups.own_files)
    return names.including_files(check.cohort.paths)


def _with_student(recognised: RecognisedStudent, student: ClassStudent | None) -> RecognisedStudent:
    if student is None or not (student.name or student.number):
        return recognised
    return replace(recognised, name=student.name, number=student.number)


def anonymous_check(check: ClassCheck, pseudonyms: Pseudonyms) -> ClassCheck:
    """Return a check with names replaced; figures, roles and decisions are those of the original.

    Files without a pseudonym get a new one.
    """
    names = pseudonyms.including_files(check.cohort.paths)
    names = names.extended([], check.groups.missing, check.groups.own_files)
    order = order_of_documents(check.cohort, names)
    # documents get other numbers, which decide the order of groups of equal size and shares
    return replace(
        check,
        cohort=anonymous_cohort(check.cohort, names),
        roles=tuple(check.roles[place] for place in order),
        order=tuple(order),
        groups=_groups(check.groups, names),
        common=tuple(_common(sentence, order, names) for sentence in check.common),
        library_hits=None if check.library_hits is None else _library_hits(check.library_hits, order),
    ).with_linked_groups()


def _groups(groups: StudentGroups, names: Pseudonyms) -> StudentGroups:
    missing = sorted(_label_of(student, names) for student in groups.missing)
    return StudentGroups(
        _students(groups.students, names),
        tuple(Student((label,)) for label in missing),
        _students(groups.unread, names),
    )


def _students(students: Sequence[ClassStudent], names: Pseudonyms) -> tuple[ClassStudent, ...]:
    ordered = sorted(students, key=lambda student: names.order_of(student.current))
    counts = Counter(names.owner_of(student.current) for student in students)
    return tuple(
        _student(student, names, is_only=counts[names.owner_of(student.current)] == 1) for student in ordered
    )


def _student(student: ClassStudent, names: Pseudonyms, *, is_only: bool) -> ClassStudent:
    files = tuple(StudentFile(names.path_of(file.path), file.role) for file in student.files)
    owner = names.owner_of(student.current)
    # files that the class takes as those of two students may have one owner
    label = names.label(owner) if is_only and owner is not None else files[0].path.stem
    return ClassStudent(label, label, "", files, student.is_listed, tuple(map(names.path_of, student.unread)))


def _label_of(student: Student, names: Pseudonyms) -> str:
    """Return the pseudonym of a student of the class list."""
    owner = names.owner_of_student(student)
    return NO_NUMBER if owner is None else names.label(owner)


def _common(sentence: CommonSentence, order: Sequence[int], names: Pseudonyms) -> CommonSentence:
    places = {old: new for new, old in enumerate(order)}
    documents = tuple(sorted(places[place] for place in sentence.documents))
    return CommonSentence("", _common_text(sentence.text, names), documents)


def _library_hits(hits: ClassHits, order: Sequence[int]) -> ClassHits:
    """Return the hits without names and tags of entries, which may be those of anyone, in the new order."""
    places = {old: new for new, old in enumerate(order)}
    own = [(places[place], _entry(entry)) for place, entry in hits.own]
    return replace(
        hits,
        hits=_hits(hits.hits, places),
        own=tuple(sorted(own, key=itemgetter(0))),
        failed=_hits(hits.failed, places),
    )


def _hits(hits: Sequence[ClassHit], places: Mapping[int, int]) -> tuple[ClassHit, ...]:
    moved = [replace(hit, place=places[hit.place], entry=_entry(hit.entry)) for hit in hits]
    return tuple(sorted(moved, key=lambda hit: hit.place))


def _entry(entry: NamedEntry) -> NamedEntry:
    return replace(entry, name="", tags=())


def _common_text(text: str, names: Pseudonyms) -> str:
    if text.endswith(FILLED_IN) or is_name_line(text) or names_school_or_class(text):
        return _("(not shown: it names a school, a class or a student)")
    return names.replaced(text)
