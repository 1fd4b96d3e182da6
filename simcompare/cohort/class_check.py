"""Check a class: which documents count, common text, the pairs of students, and which of them are unusual."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from itertools import combinations, product
from pathlib import Path
from threading import Event
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.cohort_scoring import (
    Cohort,
    CohortDocuments,
    CohortPair,
    UnreadDocument,
    known_shares,
    larger_share,
    make_cohort,
    with_detected_groups,
)
from simcompare.cohort.common_text import CommonSentence, find_common_text
from simcompare.cohort.pair_scores import ClassShares, PairScores
from simcompare.cohort.students.file_roles import FileRole, SubmittedText, submitted_text
from simcompare.cohort.students.student_groups import StudentGroups, group_by_student
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted
from simcompare.model.document import Document
from simcompare.model.errors import NotAnEssayError
from simcompare.model.progress import Tick
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.students import Student
from simcompare.session.session_data import Pair
from simcompare.support.display_text import reaches
from simcompare.support.i18n import N_
from simcompare.text.prepared_text import PreparedText

_TEMPLATE = N_("only text that is common to the class: a template; give it with --template")
_LEAST_OWN = 0.1
"""A document with a smaller share of text of its own has only the common text."""
_MOST_HEADING_SHARE, _MOST_HEADING_UNITS = 0.25, 30
"""So has a document of no student if its own text is only a heading, such as 七年级语文第三次作文."""
Key = TypeVar("Key")


class DocumentRole(StrEnum):
    """Role of a document in a check; the values are stable identifiers.

    DRAFT is any other file of a student: also an appendix or a duplicate.
    """

    CURRENT = "current"
    DRAFT = "draft"
    OLD = "old"
    TEMPLATE = "template"


@dataclass(frozen=True, slots=True, eq=False)
class ClassFiles:
    """The documents of a class that were read, and the others.

    submitted: what the students handed in; old: earlier work; templates: texts that do not count; unread: the
    files that students handed in, then those of earlier work.
    """

    submitted: tuple[PreparedDocument, ...]
    old: tuple[PreparedDocument, ...] = ()
    templates: tuple[PreparedDocument, ...] = ()
    unread: tuple[UnreadDocument, ...] = ()
    unread_old: tuple[UnreadDocument, ...] = ()
    listed: tuple[Student, ...] = ()

    @property
    def documents(self) -> tuple[PreparedDocument, ...]:
        """All documents that were read."""
        return (*self.submitted, *self.old, *self.templates)


@dataclass(frozen=True, slots=True)
class NamedEntry:
    """What names an entry of the library. tags: names and values; added_at: UTC in ISO 8601.

    Without names of students, `name` and `tags` are empty.
    """

    number: int
    name: str
    tags: tuple[tuple[str, str], ...]
    added_at: str


@dataclass(frozen=True, slots=True)
class ClassHit:
    """An entry of the library that shares text with a current document, or could not be compared with it.

    place: index of the document. share, entry_share: of the document in the entry, and the reverse, after
    exclusions; None if no unit of the text counts. longest_passage_units: as in `PairSummary`. cause: why the
    comparison failed, "" if that is not known; None if it did not fail.
    """

    place: int
    entry: NamedEntry
    share: float | None
    entry_share: float | None
    longest_passage_units: int
    cause: str | None = None

    @property
    def larger_share(self) -> float:
        """The larger of the two shares, 0 if neither is known."""
        return max(self.share or 0.0, self.entry_share or 0.0)


@dataclass(frozen=True, slots=True)
class ClassHits:
    """What a library has of a class.

    hits: by document, largest share first; failed: entries that could not be compared. own: documents that
    are entries themselves, by index, and their entries, which are no hits of theirs. top: number of entries
    that were compared with each document, the best candidates.
    """

    hits: tuple[ClassHit, ...]
    own: tuple[tuple[int, NamedEntry], ...]
    failed: tuple[ClassHit, ...]
    top: int

    def above(self, least: float) -> "ClassHits":
        """Return only the hits that reach this share, which is the larger of the two."""
        return replace(self, hits=tuple(hit for hit in self.hits if reaches(hit.larger_share, least)))


@dataclass(frozen=True, eq=False)
class ClassCheck:
    """Result of a check.

    cohort: all documents with their `roles`; its pairs are those of the current documents with each other and
    with old ones, sorted by share. common: sentences with the indices of the documents that have them.
    chosen_limit: share from which pairs are unusual, if a teacher chose one. library_hits: None if no library
    was searched. order: of the documents before they were sorted by pseudonym. The groups of the cohort are
    those that unusual pairs link (`with_linked_groups`).
    """

    cohort: Cohort
    roles: tuple[DocumentRole, ...]
    groups: StudentGroups
    common: tuple[CommonSentence, ...]
    chosen_limit: float | None = None
    library_hits: ClassHits | None = None
    order: tuple[int, ...] = ()

    @property
    def limit(self) -> float:
        """Share from which a pair is unusual: the chosen one, otherwise the proposed one."""
        return self.shares.limit if self.chosen_limit is None else self.chosen_limit

    def is_unusual(self, pair: CohortPair) -> bool:
        """Return whether a pair reaches the limit."""
        share = larger_share(pair)
        return share is not None and reaches(share, self.limit)

    @cached_property
    def shares(self) -> ClassShares:
        """Shares of the pairs of current documents."""
        own = (pair for pair in self.cohort.pairs if DocumentRole.OLD not in self.roles_of(pair))
        shares = [share for pair in own if (share := larger_share(pair)) is not None]
        return ClassShares(np.array(shares, np.float64))

    def roles_of(self, pair: CohortPair) -> tuple[DocumentRole, DocumentRole]:
        """Return the roles of both documents of a pair."""
        return self.roles[pair.left], self.roles[pair.right]

    @property
    def pairs_with_drafts(self) -> int:
        """Number of pairs that are not compared because one document is a draft."""
        current, drafts, old = (
            self.roles.count(role) for role in (DocumentRole.CURRENT, DocumentRole.DRAFT, DocumentRole.OLD)
        )
        return drafts * (drafts - 1) // 2 + drafts * (current + old)

    def essays_with(self, sentence: CommonSentence) -> list[int]:
        """Return the current documents that have a common sentence, without drafts and old work."""
        return [place for place in sentence.documents if self.roles[place] is DocumentRole.CURRENT]

    @property
    def uncompared(self) -> tuple[CohortPair, ...]:
        """Pairs whose comparison failed."""
        return tuple(pair for pair in self.cohort.pairs if pair.summary is None)

    @cached_property
    def nearest(self) -> Mapping[int, tuple[float, int]]:
        """The highest share after decisions of each document, if it has one, and the other document.

        Of equal ones the document is taken that `ClassFigures.nearest` takes.
        """
        ranks: dict[int, tuple[float, float, int, int]] = {}
        order = self.order or range(len(self.roles))
        for pair in self.cohort.pairs:
            if shares := known_shares(pair):
                for own, other in ((pair.left, pair.right), (pair.right, pair.left)):
                    rank = max(shares), min(shares), -order[other], other
                    ranks[own] = max(ranks.get(own, rank), rank)
        return {own: (larger, other) for own, (larger, _smaller, _order, other) in ranks.items()}

    def with_linked_groups(self) -> "ClassCheck":
        """Return the check with the groups of documents that its unusual pairs link."""
        return replace(self, cohort=with_detected_groups(self.cohort, self.limit))

    def above(self, least: float) -> "ClassCheck":
        """Return the check with only the pairs that reach this share, and those that failed."""
        kept = tuple(
            pair
            for pair in self.cohort.pairs
            if pair.summary is None or reaches(larger_share(pair) or 0.0, least)
        )
        return replace(self, cohort=replace(self.cohort, pairs=kept))


def check_class(
    files: ClassFiles,
    settings: ComparisonSettings,
    made_at: datetime,
    tick: Tick,
    stop: Event,
    kept: dict[Pair, PairScores] | None = None,
) -> ClassCheck:
    """Group the documents by student, find their common text and compare the pairs that count.

    kept: where the scores of the pairs are put, if anywhere.

    The sentences of the templates are excluded as those of a prompt, under `settings.prompt`. `tick` counts
    pairs. Raises Cancelled soon after `stop` is set, and what `tick` raises.
    """
    groups = _students(files)
    roles = tuple(_roles(files, groups.roles))
    documents = files.documents
    current = _places(roles, DocumentRole.CURRENT)
    common = find_common_text(documents, current, settings.common_share)
    joined = joined_templates(files.templates)
    prompt = None if joined is None else joined.prepared
    by_text = common.by_text(documents)
    unknown = {student.current for student in groups.students if not student.name}
    texts = {document.document.path: document for document in files.submitted}
    found = documents_of_common_text(texts, by_text, unknown)
    if templates := unknown.intersection(found):
        errors = (UnreadDocument(path, NotAnEssayError(path, cause=_TEMPLATE)) for path in sorted(templates))
        submitted = tuple(text for path, text in texts.items() if path not in templates)
        files = replace(files, submitted=submitted, unread=(*files.unread, *errors))
        return check_class(files, settings, made_at, tick, stop, kept)
    cohort = make_cohort(
        CohortDocuments(documents, {}, (*files.unread, *files.unread_old), prompt),
        settings,
        made_at,
        tick,
        stop,
        by_text,
        [*combinations(current, 2), *product(current, _places(roles, DocumentRole.OLD))],
        kept,
    )
    return ClassCheck(cohort, roles, groups, common.sentences).with_linked_groups()


def documents_of_common_text(
    documents: Mapping[Key, PreparedDocument],
    by_text: Mapping[PreparedText, NDArray[np.str_]],
    without_student: Collection[Key],
) -> list[Key]:
    """Return the keys of the documents that have hardly any text of their own, such as templates.

    by_text: the digest of each common sentence of a text, "" for others.
    """
    found = []
    for key, document in documents.items():
        text = document.prepared
        if (digests := by_text.get(text)) is None:
            continue
        own = int(text.sentence_lengths[digests == ""].sum())
        is_heading = own <= min(_MOST_HEADING_UNITS, _MOST_HEADING_SHARE * text.unit_count)
        if own < _LEAST_OWN * text.unit_count or (is_heading and key in without_student):
            found.append(key)
    return found


def joined_templates(templates: Sequence[PreparedDocument]) -> PreparedDocument | None:
    """Join templates to one text with the path of the first, or return None without any."""
    if not templates:
        return None
    document = joined_text([template.document for template in templates])
    first = templates[0]
    return prepare_document(document, first.fingerprint.recipe_name, first.prepared.user_words)


def joined_text(templates: Sequence[Document]) -> Document:
    """Join at least one template to one text with the path of the first."""
    text = "\n\n".join(template.text for template in templates)
    return load_pasted(templates[0].path, PastedText(text))


def _students(files: ClassFiles) -> StudentGroups:
    """Group what was read; a listed student whose file could not be read is not missing.

    Another file that could not be read is no student.
    """
    texts = [submitted_text(document.document) for document in files.submitted]
    unread = [SubmittedText(document.path) for document in files.unread]
    groups, all_groups = (group_by_student(each, files.listed) for each in (texts, [*texts, *unread]))
    read = set(groups.roles)
    unread_beside: dict[Path, tuple[Path, ...]] = {}
    without_text = []
    for student in all_groups.students:
        paths = [file.path for file in student.files]
        if read.isdisjoint(paths):
            if student.is_listed:
                without_text.append(student)
        else:
            lost = tuple(path for path in paths if path not in read)
            unread_beside |= {path: lost for path in paths if path in read and lost}
    students = (
        replace(student, unread=unread_beside.get(student.current, ())) for student in groups.students
    )
    return replace(groups, students=tuple(students), missing=all_groups.missing, unread=tuple(without_text))


def _roles(files: ClassFiles, roles: Mapping[Path, FileRole]) -> Iterator[DocumentRole]:
    for document in files.submitted:
        is_current = roles[document.document.path] is FileRole.CURRENT
        yield DocumentRole.CURRENT if is_current else DocumentRole.DRAFT
    yield from (DocumentRole.OLD for _document in files.old)
    yield from (DocumentRole.TEMPLATE for _document in files.templates)


def _places(roles: Sequence[DocumentRole], role: DocumentRole) -> list[int]:
    return [place for place, each in enumerate(roles) if each is role]
