"""Rows of the students of a checked class: files, figures, decisions and what is to be looked at."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.cohort_scoring import CohortPair, UnreadDocument
from simcompare.cohort.student_groups import student_labels
from simcompare.model.errors import NotAnEssayError
from simcompare.pseudonyms.chinese_names import name_order
from simcompare.pseudonyms.students import Student
from simcompare.report.cohort.cohort_rows import note_of, rewritten_units, unread_in_words
from simcompare.report.entry_words import stored_student
from simcompare.report.receipts import doubts_in_words
from simcompare.report.wording import also_named, decisions_counted, detailed, listed, named
from simcompare.session.school_class import ClassStudent, DocumentRole, FileRole
from simcompare.support.display_text import distinct_labels, escape_invisible
from simcompare.support.i18n import N_, _

_ROLES = {FileRole.DRAFT: N_("draft"), FileRole.APPENDIX: N_("appendix"), FileRole.DUPLICATE: N_("duplicate")}


@dataclass(frozen=True, slots=True)
class ReportedStudent:
    """A student of the class.

    number, name: "" if unknown. label: of the student, or of the file without a student. file: the one that
    counts, "" if nothing was handed in. others: further files, each with its role. share: highest share of
    this text in another one after decisions, in [0, 1], None if nothing was compared; share_before: the same
    before decisions. is_decided: something in a pair is of no concern. nearest: label of the other student or
    document of the pair with `share`, "" for a share of 0. is_unusual: in an unusual pair that is not
    cleared, whichever of its shares is the larger. longest_passage_units: in the pair with `share`, for a
    share of 0 in that with `share_before`. verdict: how many pairs were decided how, which does not say who
    copied. rank_score: highest of any pair; rarest: label of the other document of that pair, "" if it is
    `nearest`. remark: why there are no figures, or what is to be checked in the files.
    """

    number: str
    name: str
    label: str
    file: str = ""
    others: tuple[str, ...] = ()
    share: float | None = None
    share_before: float | None = None
    is_decided: bool = False
    nearest: str = ""
    is_unusual: bool = False
    longest_passage_units: int | None = None
    verdict: str = ""
    note: str = ""
    remark: str = ""
    rank_score: float | None = None
    rarest: str = ""


class ClassLabels:
    """Labels of the documents of a check: the student of a handed-in file, otherwise the document."""

    def __init__(self, check: ClassCheck) -> None:
        self._check, self.paths = check, check.cohort.paths

    @cached_property
    def pairs_of(self) -> Mapping[int, Sequence[CohortPair]]:
        """Pairs of each document, by its index."""
        pairs: defaultdict[int, list[CohortPair]] = defaultdict(list)
        for pair in self._check.cohort.pairs:
            pairs[pair.left].append(pair)
            pairs[pair.right].append(pair)
        return pairs

    @cached_property
    def files(self) -> Sequence[str]:
        """Label of each file, also of those that were not read."""
        return list(map(escape_invisible, distinct_labels(self.paths)))

    @cached_property
    def _documents(self) -> Sequence[str]:
        labels = document_labels(
            self._check.cohort.names, self._check.roles, self._check.school.owners, self._labels
        )
        stored = map(stored_student, self.paths)
        return [escape_invisible(known or label) for known, label in zip(stored, labels, strict=False)]

    def document(self, place: int) -> str:
        return self._documents[place]

    @cached_property
    def _labels(self) -> Mapping[int, str]:
        students = ((each.current, each.name, each.number) for each in self._check.school.students)
        return student_labels(students, with_numbers=True)

    def name_and_label(self, student: ClassStudent) -> tuple[str, str]:
        """Return name and label of a student, both with the file if only that tells who it is."""
        is_clear = self._labels[student.current] or not student.name
        name = student.name if is_clear else detailed(student.name, self.files[student.current])
        return escape_invisible(name), escape_invisible(student.label if is_clear else name)


def document_labels(
    names: Sequence[str],
    roles: Sequence[DocumentRole],
    student_of: Mapping[int, ClassStudent],
    labels: Mapping[int, str],
) -> Iterator[str]:
    """Yield the label of each document: its student if that is clear, otherwise its file.

    labels: `student_labels` by the first documents of the students.
    """
    for place, (name, role) in enumerate(zip(names, roles, strict=True)):
        student = student_of.get(place)
        if role is DocumentRole.OLD:
            yield detailed(name, _("earlier work"))
        elif student is None:
            yield name
        elif role is DocumentRole.CURRENT:
            yield labels[student.current] or name
        else:
            yield detailed(labels[student.current] or student.label, name)


def student_rows(check: ClassCheck, labels: ClassLabels) -> list[ReportedStudent]:
    """Return a row for each student, also for those without a file that was read, by number and name."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, role in enumerate(check.roles):
        if role is DocumentRole.CURRENT:
            places[check.school.owners[place].id].append(place)
    rows = [
        *(_row(check, labels, student, places[student.id]) for student in check.students),
        *(
            _unread_row(check, labels, each)
            for each in check.school.students
            if not check.is_read(each.current)
        ),
        *map(_missing_row, check.school.missing),
    ]
    return sorted(rows, key=lambda row: (not row.number, name_order(f"{row.number} {row.label}")))


def _row(
    check: ClassCheck, labels: ClassLabels, student: ClassStudent, places: Collection[int]
) -> ReportedStudent:
    """Return the row of a student; places: of the documents that count, more than one if so chosen."""
    nearest = [(*check.nearest[place], place) for place in places if place in check.nearest]
    share, other, own = max(nearest, key=itemgetter(0), default=(None, 0, 0))
    pairs = [pair for place in places for pair in labels.pairs_of[place]]
    shares = [
        (known, pair.summary.longest_passage_units, {pair.left, pair.right} == {own, other})
        for pair in pairs
        if pair.summary and (known := pair.summary.after_exclusions[pair.left not in places]) is not None
    ]
    before, longest, _is_nearest = max(shares, key=itemgetter(0), default=(None, None, False))
    if share:
        longest = next(units for _known, units, is_nearest in shares if is_nearest)
    elif before == 0:
        longest = 0
    first = max(pairs, key=lambda pair: pair.rank_score or 0.0, default=None)
    rarest = [place for place in (first.left, first.right) if place not in places] if first else []
    decided = [pair.review for pair in pairs if pair.review.has_decision]
    doubts = [doubts_in_words(check.cohort.documents[place].document.receipt) for place in places]
    other_names = also_named(student.other_names)
    _first, *others = student.files
    unread = [place for place in others if not check.is_read(place)]
    return ReportedStudent(
        student.number,
        *labels.name_and_label(student),
        labels.files[student.current],
        tuple(_file_in_words(check, labels, place) for place in others),
        share,
        before,
        any(pair.decided for pair in pairs),
        labels.document(other) if share else _rewritten_partner(check, labels, places, pairs),
        any(check.is_unusual(pair) and not check.is_cleared(pair) for pair in pairs),
        longest,
        decisions_counted(Counter(each.overall.decision for each in decided), of_pairs=True),
        listed(_notes(labels, places, pairs)),
        escape_invisible(listed(filter(None, [other_names, *doubts, *_reasons(check, unread)]))),
        None if first is None else first.rank_score,
        labels.document(rarest[0]) if rarest and not (share and rarest[0] == other) else "",
    )


def _rewritten_partner(
    check: ClassCheck, labels: ClassLabels, places: Collection[int], pairs: Iterable[CohortPair]
) -> str:
    """Name the partner with the most possibly rewritten text, as such; "" without any."""
    found = [(rewritten_units(check.cohort, pair), pair.left, pair.right) for pair in pairs]
    units, left, right = max(found, default=(0, 0, 0))
    other = labels.document(right if left in places else left)
    return detailed(other, _("possibly rewritten")) if units else ""


def _file_in_words(check: ClassCheck, labels: ClassLabels, place: int) -> str:
    """Return the label of a file with its role, or that it was not read."""
    role = _ROLES.get(check.school.owners[place].files[place]) if check.is_read(place) else N_("not checked")
    return labels.files[place] if role is None else detailed(labels.files[place], _(role))


def _notes(labels: ClassLabels, places: Collection[int], pairs: Iterable[CohortPair]) -> Iterator[str]:
    for pair in pairs:
        if note := note_of(pair):
            other = pair.right if pair.left in places else pair.left
            yield named(labels.document(other), " ".join(note.split()))


def _unread_row(check: ClassCheck, labels: ClassLabels, student: ClassStudent) -> ReportedStudent:
    file, *others = (labels.files[place] for place in student.files)
    document = check.cohort.unread[student.current - len(check.cohort.documents)]
    return ReportedStudent(
        student.number,
        *labels.name_and_label(student),
        file,
        tuple(others),
        remark=handed_in_words(document, unread_in_words(document)),
    )


def _reasons(check: ClassCheck, unread: Iterable[int]) -> list[str]:
    """Say of each file without a text that it was handed in or is no essay, and why, with its name."""
    documents = (check.cohort.unread[place - len(check.cohort.documents)] for place in unread)
    return [handed_in_words(each, str(each.error)) for each in documents]


def handed_in_words(document: UnreadDocument, reason: str) -> str:
    """Say of a file without a text that it was handed in or is no essay, and why."""
    if document.error is None:
        return unread_in_words(document)
    is_no_essay = isinstance(document.error, NotAnEssayError)
    return named(_("not checked") if is_no_essay else _("handed in, could not be read"), reason)


def _missing_row(student: Student) -> ReportedStudent:
    name = escape_invisible("".join(student.names[:1]))
    number = "".join(student.numbers[:1])
    return ReportedStudent(number, name, student.display_name, remark=_("not handed in"))
