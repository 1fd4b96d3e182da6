"""The class in the window: students, roles of documents, class lists, common text, and what is unusual."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Flag, auto
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from simcompare.cohort.class_check import documents_of_common_text, is_named_as_task
from simcompare.cohort.pair_facts import NO_FACTS, PairFacts, facts_of_class
from simcompare.cohort.pair_scores import ClassShares, PairRarity
from simcompare.cohort.scored_class import RestoredScores, ScoredClass
from simcompare.cohort.student_groups import SubmittedText, group_by_student, submitted_text
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import Document
from simcompare.model.errors import NotAnEssayError
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.roster import read_students
from simcompare.pseudonyms.students import Student
from simcompare.session.school_class import (
    APART,
    ClassStudent,
    CommonSentence,
    DocumentRole,
    Pair,
    Roster,
    SchoolClass,
)
from simcompare.session.session_file import is_remote
from simcompare.support.display_text import common_folder_name, display_name, reaches
from simcompare.support.i18n import N_
from simcompare.ui.state.changes import ValueChange
from simcompare.ui.state.cohort.class_common import ClassCommonText
from simcompare.ui.state.cohort.pair_comparisons import PairComparisons
from simcompare.ui.state.cohort.pair_rows_data import larger_share
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.document_store import DocumentStore, removed_label
from simcompare.ui.state.task import Background

_DELAY_MS = 20
_PAUSE_PER_GROUPING = 4
"""While files are read, the pause between two groupings is a multiple of the time that one takes."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """Key, path and text of each document that a student may have handed in, and the listed students.

    decided: keys of documents with decided pairs; later decisions are no reason to group again.
    is_complete: all files are read.
    """

    files: tuple[tuple[int, Path, Document | None], ...] = ()
    listed: tuple[Student, ...] = ()
    decided: frozenset[int] = frozenset()
    is_complete: bool = True


def _found(school: SchoolClass) -> tuple[object, ...]:
    # the first file of a student counts, and equal mappings may have other orders
    return school.roles, school.missing, school.students, [[*each.files] for each in school.students]


_Texts = dict[int, tuple[Document, SubmittedText]]
_Grouped = tuple[SchoolClass, float]
"""The students, and duration in seconds."""


class StudentGrouping(QObject):
    """Groups documents again when they or the class lists differ from before."""

    ended = Signal()
    """A grouping is over; `groups` may be others."""

    def __init__(self, pool: QThreadPool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.groups = SchoolClass()
        self._background = Background(self, pool)
        self._texts: _Texts = {}  # used by the task only, of which there is one at a time
        self._known, self._wanted = Submitted(), Submitted()
        self._delay = QTimer(self, singleShot=True)
        self._delay.timeout.connect(self._start)

    @property
    def is_busy(self) -> bool:
        """True if documents are being grouped or will be."""
        return self._background.is_busy or self._delay.isActive()

    def follow(self, submitted: Submitted) -> None:
        """Group these documents soon, if they differ from those grouped last."""
        was_complete, self._wanted = self._wanted.is_complete, submitted
        if self._background.is_busy or not self._is_other:
            return
        if not self._delay.isActive() or (submitted.is_complete and not was_complete):
            self._delay.start(_DELAY_MS)

    def restore(self, groups: SchoolClass) -> None:
        self._delay.stop()
        self.groups, self._known = groups, Submitted()

    def forget(self) -> None:
        self._background.cancel()
        self.restore(SchoolClass())
        self._wanted = Submitted()

    def close(self) -> None:
        self._delay.stop()
        self._background.close()

    @property
    def _is_other(self) -> bool:
        return (self._wanted.files, self._wanted.listed) != (self._known.files, self._known.listed)

    def _start(self) -> None:
        wanted = self._wanted
        self._background.start(partial(_group, wanted, self._texts), partial(self._use, wanted))

    def _use(self, submitted: Submitted, grouped: _Grouped) -> None:
        self._known, (self.groups, seconds) = submitted, grouped
        if self._is_other:
            pause = 0 if self._wanted.is_complete else _PAUSE_PER_GROUPING * seconds
            self._delay.start(_DELAY_MS + round(1000 * pause))
        self.ended.emit()


def _group(submitted: Submitted, known: _Texts) -> _Grouped:
    """Group documents; `known` holds the properties of texts from one call to the next."""
    began = time.monotonic()
    texts = []
    for key, path, document in submitted.files:
        if document is None:
            texts.append(SubmittedText(path))
            continue
        if key not in known or known[key][0] is not document:
            # a session from elsewhere must not make the program contact other computers
            text = SubmittedText(path) if is_remote(str(path)) else submitted_text(document)
            known[key] = document, text
        texts.append(replace(known[key][1], is_decided=key in submitted.decided))
    keys = {place: key for place, (key, _path, _document) in enumerate(submitted.files)}
    return group_by_student(texts, submitted.listed).renumbered(keys), time.monotonic() - began


MIN_DOCUMENTS = 3
"""Two documents make one pair, which Compare shows."""


class ClassPart(Flag):
    STUDENTS = auto()
    """Students, roles of documents, class lists and missing students."""
    COMMON = auto()
    SHARES = auto()
    """Shares of the pairs, and the limit."""


@dataclass(frozen=True, slots=True)
class SettingsAccess:
    """Reads and changes the settings of the workspace, and tells whether the prompt is prepared.

    decided: returns the keys of documents with decided pairs.
    """

    get: Callable[[], ComparisonSettings]
    change: Callable[[ComparisonSettings], None]
    is_prompt_ready: Callable[[], bool]
    decided: Callable[[], frozenset[int]]


_LIMIT_ID = 3


class _LimitChange(ValueChange):
    def id(self) -> int:
        return _LIMIT_ID

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _LimitChange):
            return False
        self._after = other._after
        self.setObsolete(self._after == self._before)
        return True


class ClassState(QObject):
    """Groups documents by student in the background, and lists the pairs that count in the table of pairs.

    A document has pairs once its role is known. Documents are named by their keys.
    """

    changed = Signal(object)
    """The ClassPart that differs from before."""
    facts_found = Signal()
    """Facts that take long to find are known."""
    busy_changed = Signal()
    """Work in the background has begun or is over; `is_busy` may differ."""
    templates_chosen = Signal()
    """Documents have become templates."""
    roster_refused = Signal(object)
    """The SimcompareError of a file that cannot be used as a class list."""

    def __init__(
        self,
        documents: DocumentStore,
        pairs: PairComparisons,
        history: QUndoStack,
        settings: SettingsAccess,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.rosters: tuple[Roster, ...] = ()
        self.chosen_roles: Mapping[int, DocumentRole] = {}
        self.chosen_limit: float | None = None
        self._documents = documents
        self._pairs = pairs
        self._history = history
        self._settings = settings
        self._known_templates: set[int] = set()
        self.school = SchoolClass()
        """The students, and the roles of all documents."""
        self._settled: tuple[object, ...] | None = None
        self._shares: ClassShares | None = None
        # what is known, the documents of these ids, the facts
        self._facts: tuple[object, object, Mapping[Pair, PairFacts]] = None, None, {}
        self._are_facts_full = False
        self._facts_background = Background(self)
        self._pool = QThreadPool(self, maxThreadCount=1)
        self._background = Background(self, self._pool)
        self.grouping = StudentGrouping(self._pool, self)
        self.grouping.ended.connect(self.follow)
        self.grouping.ended.connect(self.busy_changed)
        self.common_text = ClassCommonText(self._pool, self)
        self.common_text.changed.connect(lambda: self.changed.emit(ClassPart.COMMON))
        self.common_text.busy_changed.connect(self._settle)
        self.common_text.busy_changed.connect(self.busy_changed)
        documents.roster_found.connect(self._use_found_roster)
        documents.role_chosen.connect(self._use_added_role)
        pairs.changed.connect(self._forget_shares)

    @property
    def is_busy(self) -> bool:
        """True if documents are being grouped, common sentences searched or templates prepared."""
        return self.grouping.is_busy or self.common_text.is_busy or self._is_prompt_awaited

    @property
    def is_provisional(self) -> bool:
        """True until all files are read and the text common to the class is known: figures then change.

        They do not while known texts are only prepared again.
        """
        documents = self._documents
        if documents.is_listing or documents.is_reading_files or self._is_prompt_awaited:
            return True
        done, total = documents.reading_count
        return (done < total or self.is_busy) and self._basis != self._settled

    @property
    def _is_prompt_awaited(self) -> bool:
        return bool(self._documents.entries) and not self._settings.is_prompt_ready()

    @property
    def _basis(self) -> tuple[object, ...]:
        """What the students and the common text are found in."""
        entries = self._documents.entries.items()
        documents = {key: entry.document for key, entry in entries}
        return documents, self.chosen_roles, self.rosters, self._settings.get().common_share

    def _settle(self) -> None:
        done, total = self._documents.reading_count
        if done == total and not self.is_busy:
            self._settled = self._basis

    def close(self) -> None:
        self._background.close()
        self._facts_background.close()
        self.grouping.close()
        self.common_text.close()
        self._pool.waitForDone()

    def follow(self) -> None:
        awaited = self._documents.awaited
        self.common_text.await_again(awaited)
        self.common_text.use_restored(self._documents.prepared_by_key, awaited)
        if len(self._documents.entries) < MIN_DOCUMENTS:
            self.grouping.forget()
            prepared = self._prepared()
            self.common_text.follow(prepared, prepared, 1.0) if len(
                prepared
            ) > 1 else self.common_text.forget()
            self._arrange()
            return
        self._arrange()
        submitted = self._all_submitted()
        self.grouping.follow(submitted)
        if submitted.is_complete and not self.grouping.is_busy:
            essays, share = self.school.with_role(DocumentRole.CURRENT), self._settings.get().common_share
            self.common_text.follow(self._prepared(), essays, share, self.school.not_compared)
            self._settle()

    def _all_submitted(self) -> Submitted:
        done, total = self._documents.reading_count
        listed = dict.fromkeys(student for roster in self.rosters for student in roster.students)
        files = tuple(
            (key, entry.path, entry.document)
            for key, entry in self._documents.entries.items()
            if self.chosen_roles.get(key) not in APART and not entry.may_be_class_list
        )
        return Submitted(files, tuple(listed), self._settings.decided(), done == total)

    def _prepared(self) -> dict[int, PreparedDocument]:
        """Texts that are compared as they are."""
        awaited = self._documents.awaited
        prepared = self._documents.prepared_by_key.items()
        return {key: document for key, document in prepared if key not in awaited}

    # students and roles

    def student_of(self, key: int) -> ClassStudent | None:
        """Return the student of a document; None for earlier work, templates and before it is known."""
        return self.school.owners.get(key)

    def role_of(self, key: int) -> DocumentRole:
        """Return the role of a document, CURRENT until it is known."""
        return self.school.role_of(key)

    @property
    def folder(self) -> str:
        """Name of the folder of what was added first, or of all that was handed in; "" without any."""
        entries, first = self._documents.entries, self._documents.added_first
        paths = {key: entry.path for key, entry in entries.items() if self.role_of(key) not in APART}
        added_first = [path for key, path in paths.items() if key in first]
        return common_folder_name(added_first if len(added_first) > 1 else paths.values())

    def set_role(self, keys: Iterable[int], role: DocumentRole | None) -> None:
        """Choose the role of documents, or with None the one that was detected; one undo step."""
        entries = self._documents.entries
        wanted = [key for key in keys if key in entries and self.chosen_roles.get(key) is not role]
        if wanted:
            names = removed_label([entries[key] for key in wanted])
            before, after = {key: self.chosen_roles.get(key) for key in wanted}, dict.fromkeys(wanted, role)
            self._history.push(ValueChange(N_("role of {names}"), names, self._change_roles, before, after))

    def _use_added_role(self, keys: Sequence[int], role: DocumentRole) -> None:
        """Choose the role of added documents, without an undo step; that of essays is detected."""
        if role is not DocumentRole.CURRENT:
            self._change_roles(dict.fromkeys(keys, role))

    def _change_roles(self, changes: Mapping[int, DocumentRole | None]) -> None:
        roles = {**self.chosen_roles, **changes}
        self.chosen_roles = {key: role for key, role in roles.items() if role is not None}
        self._known_templates &= self._with_chosen(DocumentRole.TEMPLATE)
        self.follow()

    def _with_chosen(self, role: DocumentRole) -> set[int]:
        return {key for key, chosen in self.chosen_roles.items() if chosen is role}

    @property
    def templates(self) -> dict[Path, Document | None]:
        chosen = self._with_chosen(DocumentRole.TEMPLATE)
        entries = self._documents.entries.items()
        return {entry.path: entry.document for key, entry in entries if key in chosen}

    def _arrange(self) -> None:
        """Apply the chosen roles to the groups; compare the documents that count."""
        entries, before = self._documents.entries, self.school
        now = replace(self.grouping.groups, roles=self.chosen_roles).renumbered({key: key for key in entries})
        templates = set(now.with_role(DocumentRole.TEMPLATE))
        added, self._known_templates = templates - self._known_templates, self._known_templates | templates
        errors = {key: entry.error for key, entry in entries.items() if entry.error is not None}
        no_essays = {key for key, error in errors.items() if isinstance(error, NotAnEssayError)}
        self.school = now.arranged(errors, no_essays)
        self._follow_pairs()
        if _found(self.school) != _found(before):
            self._shares = None
            self.changed.emit(ClassPart.STUDENTS | ClassPart.SHARES)
        if added:
            self.templates_chosen.emit()

    def _follow_pairs(self) -> None:
        """List the pairs that count; not before the prompt is ready, as all would be classified twice."""
        if not self._settings.is_prompt_ready():
            return
        sides, prepared, school = self._documents.sides, self._prepared(), self.school
        compared = school.roles.keys() - school.not_compared
        awaited = self._documents.awaited & compared
        is_class = len(prepared) + len(awaited) >= MIN_DOCUMENTS
        counted = {key: document for key, document in prepared.items() if key in compared}
        self._pairs.follow(
            counted if is_class else {},
            frozenset(awaited if is_class else ()),
            (awaited & self._documents.prepared_by_key.keys()) | self._documents.put_off,
            frozenset(school.with_role(DocumentRole.OLD)),
            (sides[Side.LEFT], sides[Side.RIGHT]) if len(sides) == 2 else None,
        )

    def facts(self, *, wait: bool = False) -> Mapping[Pair, PairFacts]:
        """Facts on pairs of documents by their keys, the lower one first; see `facts_of_class`.

        Without `wait`, those that take long are sought in the background once all files are read, and may be
        missing until `facts_found`.
        """
        entries = self._documents.entries.items()
        read = {key: entry.document for key, entry in entries if entry.document is not None}
        known = {key: id(document) for key, document in read.items()}, self.school.roles
        if self._facts[0] != known or (wait and not self._are_facts_full):
            self._facts_background.cancel()
            found = facts_of_class(read, self.school, in_full=wait)
            self._facts, self._are_facts_full = (known, read, found), wait
        if not (self._are_facts_full or self._facts_background.is_busy or self._documents.awaited):
            self._facts_background.start(partial(facts_of_class, read, self.school), self._use_facts)
        return self._facts[2]

    def _use_facts(self, found: Mapping[Pair, PairFacts]) -> None:
        self._facts, self._are_facts_full = (*self._facts[:2], found), True
        self.facts_found.emit()

    def shown_facts(self, *, wait: bool = False) -> PairFacts:
        """Facts on the two documents that are shown; `wait` as in `facts`."""
        sides = self._documents.sides
        if len(sides) < len(Side):
            return NO_FACTS
        left, right = sides[Side.LEFT], sides[Side.RIGHT]
        found = self.facts(wait=wait).get((min(left, right), max(left, right)), NO_FACTS)
        return found if left < right else found.mirrored

    # common sentences

    @property
    def common(self) -> tuple[CommonSentence, ...]:
        """Sentences common to the class, with the keys of the documents that have them."""
        return self.common_text.sentences

    @property
    def proposed_templates(self) -> tuple[int, ...]:
        """Keys of documents that hardly have text besides the common sentences, or are called the task.

        Only while no role was chosen for them.
        """
        unknown = {key for student in self.school.students if not student.name for key in student.files}
        prepared = self._prepared()
        found = documents_of_common_text(prepared, self.common_text.by_text, unknown)
        unlisted = {key for student in self.school.students if not student.is_listed for key in student.files}
        named = [key for key in prepared if key in unlisted and self.is_named_as_task(key)]
        is_current, proposed = DocumentRole.CURRENT, dict.fromkeys([*found, *named])
        return tuple(k for k in proposed if k not in self.chosen_roles and self.role_of(k) is is_current)

    def is_named_as_task(self, key: int) -> bool:
        prepared, is_current = self._prepared(), DocumentRole.CURRENT
        texts = [each.document.text for k, each in prepared.items() if self.role_of(k) is is_current]
        return is_named_as_task(self._documents.entries[key].path, texts)

    def is_counted(self, digest: str) -> bool:
        """Return whether a common sentence counts by itself, though common sentences are excluded."""
        return digest in self._settings.get().counted_common

    def count_common(self, digests: Iterable[str], counted: bool) -> None:
        """Count common sentences again, or exclude them as the others; one undo step."""
        settings, chosen = self._settings.get(), tuple(digests)
        kept = tuple(digest for digest in settings.counted_common if digest not in chosen)
        self._settings.change(replace(settings, counted_common=(*kept, *chosen) if counted else kept))

    # class lists

    def use_roster(self, path: Path) -> None:
        self._background.start(partial(_read_roster, path), self._use_roster, self.roster_refused.emit)

    def _use_found_roster(self, path: Path) -> None:
        """Use a class list that was added with documents, unless it is of an earlier year."""
        keys = [key for key, entry in self._documents.entries.items() if entry.path == path]
        if not any(self.chosen_roles.get(key) is DocumentRole.OLD for key in keys):
            self.use_roster(path)

    def remove_roster(self, path: Path) -> None:
        kept = tuple(roster for roster in self.rosters if roster.path != path)
        if kept != self.rosters:
            name = display_name(path.name)
            step = ValueChange(N_("Remove {names}"), name, self._set_rosters, self.rosters, kept)
            self._history.push(step)

    def read_as_essay(self, path: Path) -> None:
        self._set_rosters(tuple(roster for roster in self.rosters if roster.path != path))
        self._documents.add([path], DocumentRole.CURRENT)

    def _use_roster(self, roster: Roster) -> None:
        others = [held for held in self.rosters if held.path != roster.path]
        self._set_rosters((*others, roster))

    def _set_rosters(self, rosters: tuple[Roster, ...]) -> None:
        self.rosters = rosters
        self.follow()
        self.changed.emit(ClassPart.STUDENTS)

    # shares

    @property
    def shares(self) -> ClassShares:
        """Larger shares after exclusions of the pairs of current documents that are compared."""
        if self._shares is None:
            rows = self._pairs.table.rows
            old = self.school.with_role(DocumentRole.OLD)
            shares = larger_share(rows)
            is_old = np.isin([rows["left"], rows["right"]], old).any(axis=0) if old else np.False_
            self._shares = ClassShares(shares[~(np.isnan(shares) | is_old)])
        return self._shares

    @property
    def proposed_limit(self) -> float:
        return self.shares.limit

    @property
    def limit(self) -> float:
        """Share from which pairs are shown as unusual: the chosen or else the proposed one."""
        return self.proposed_limit if self.chosen_limit is None else self.chosen_limit

    def set_limit(self, share: float | None) -> None:
        """Choose the limit; None for the proposed one. Several choices in a row are one undo step."""
        if share != self.chosen_limit:
            self._history.push(_LimitChange(N_("limit"), "", self._use_limit, self.chosen_limit, share))

    def _use_limit(self, share: float | None) -> None:
        self.chosen_limit = share
        self.changed.emit(ClassPart.SHARES)

    def rarity(self, share: float) -> PairRarity:
        return replace(self.shares.rarity(share), is_unusual=reaches(share, self.limit))

    def _forget_shares(self) -> None:
        self._shares = None
        self.changed.emit(ClassPart.SHARES)

    # sessions

    def saved(self) -> SchoolClass:
        """Return the class by the places of its documents."""
        roles, rosters, limit = self.chosen_roles, self.rosters, self.chosen_limit
        school = replace(self.grouping.groups, roles=roles, rosters=rosters, limit=limit)
        return school.renumbered({key: place for place, key in enumerate(self._documents.entries)})

    def scored(self) -> ScoredClass:
        return self._pairs.scored(self._prepared(), self.common, dict(self.common_text.awaited))

    def restore(self, saved: SchoolClass, restored: RestoredScores | None = None) -> None:
        """Use the class of a session, whose documents are listed, and its scores by their keys.

        What was found of the class is shown until it has been found again.
        """
        school = saved.renumbered(dict(enumerate(self._documents.entries)))
        self.chosen_roles, self.rosters, self.chosen_limit = school.roles, school.rosters, school.limit
        self._known_templates = self._with_chosen(DocumentRole.TEMPLATE)
        if school.students:
            self.grouping.restore(school)
        if restored is None:
            self._pairs.kept_scores.clear()
        else:
            self.common_text.restore(restored.common, restored.by_document)
            self._pairs.kept_scores.restore(restored, self.common_text.by_text)
            self._settled = self._basis
        self.follow()
        self.changed.emit(ClassPart.STUDENTS | ClassPart.SHARES)


def _read_roster(path: Path) -> Roster:
    return Roster(path, read_students(path))
