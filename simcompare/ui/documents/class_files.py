"""Commands that add documents, earlier work, class lists and samples, and notices about class lists."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from pathlib import Path

from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QPushButton, QWidget

from simcompare.model.file_kinds import CLASS_LISTS
from simcompare.pseudonyms.chinese_names import name_order
from simcompare.pseudonyms.students import Student
from simcompare.session.school_class import DocumentRole, Roster
from simcompare.support.display_text import display_name, escape_invisible
from simcompare.support.i18n import N_, _, joined_items, language_among, ngettext
from simcompare.support.resources import resource_path
from simcompare.ui.access.rows_table import Column, RowsTable
from simcompare.ui.actions import Command
from simcompare.ui.file_dialogs import (
    ARCHIVES,
    SESSIONS,
    ask_for_class_list,
    ask_for_documents,
    ask_for_folder,
)
from simcompare.ui.notice_bar import NoticeBar
from simcompare.ui.state.changes import follow_parts
from simcompare.ui.state.cohort.class_state import ClassPart
from simcompare.ui.state.document_store import DocumentStore
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.dialogs import Dialog
from simcompare.ui.style.layouts import column_of, other_button, row_of
from simcompare.ui.style.text_labels import MutedLabel
from simcompare.ui.style.theme import GRID_PX

_SIZE_PX = QSize(620, 520)


def roster_in_words(roster: Roster, missing: Collection[Student]) -> str:
    """Return the number of students on a class list, and of those who have not handed in."""
    without = sum(student in missing for student in roster.students)
    students = ngettext("{count} student", "{count} students", len(roster.students))
    if not without:
        return students
    absent = ngettext("{count} has not handed in", "{count} have not handed in", without)
    return _("{students}, {absent}").format(students=students, absent=absent)


def absent_names(roster: Roster, missing: Collection[Student]) -> list[str]:
    """Return the names, or else the numbers, of the students of a class list who have not handed in.

    A name that others on the list have, too, has the number beside it.
    """
    absent = (student for student in roster.students if student in missing)
    counts = Counter(student.names[:1] for student in roster.students)
    return [
        escape_invisible(
            student.display_name if counts[student.names[:1]] > 1 else (*student.names, *student.numbers)[0]
        )
        for student in absent
    ]


@dataclass(frozen=True, slots=True)
class ListedStudent:
    """A student of a class list, with the names of the files or "Not handed in"."""

    student: Student
    is_missing: bool
    files: str

    def number(self) -> str:
        return escape_invisible("".join(self.student.numbers[:1]))

    def name(self) -> str:
        return escape_invisible("".join(self.student.names[:1]))


class ClassListDialog(Dialog):
    """Table of the students of a class list with their files, those who have not handed in first."""

    def __init__(self, workspace: Workspace, roster: Roster, parent: QWidget) -> None:
        super().__init__(_("Students in {name}").format(name=display_name(roster.path.name)), parent)
        self._workspace = workspace
        self._roster = roster
        self.summary = MutedLabel()
        self.table = self._make_table()
        self.remove_button = other_button(_("Stop using this list"), self._remove)
        self.close_button = QPushButton(_("Close"))
        self.close_button.clicked.connect(self.reject)
        buttons = row_of(None, self.remove_button, None, self.close_button, spacing_px=GRID_PX * 2)
        parts = (self.summary, (self.table, 1), buttons)
        column_of(self, *parts, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 5)
        self.resize(_SIZE_PX.boundedTo(parent.size()))
        follow_parts(self, workspace.class_state.changed, ClassPart.STUDENTS, self._show)
        self._show()
        self.table.setFocus()

    def _make_table(self) -> RowsTable[ListedStudent]:
        columns = (
            Column[ListedStudent](
                N_("Student number"), ListedStudent.number, lambda row: name_order(row.number())
            ),
            Column[ListedStudent](N_("Student"), ListedStudent.name, lambda row: name_order(row.name())),
            Column[ListedStudent](
                N_("Files"),
                lambda row: row.files,
                lambda row: (not row.is_missing, row.files),
                ink=lambda row: "danger" if row.is_missing else "ink",
                is_stretched=True,
            ),
        )
        table = RowsTable(columns, lambda row: row.student)
        table.setAccessibleName(self.windowTitle())
        return table

    def _show(self) -> None:
        missing = frozenset(self._workspace.class_state.school.missing)
        self.summary.setText(roster_in_words(self._roster, missing))
        students = sorted(self._roster.students, key=lambda student: student not in missing)
        self.table.show_rows([self._row_of(student, student in missing) for student in students])

    def _row_of(self, student: Student, is_missing: bool) -> ListedStudent:
        files = _("Not handed in") if is_missing else joined_items(self._files_of(student))
        return ListedStudent(student, is_missing, escape_invisible(files))

    def _files_of(self, student: Student) -> Iterator[str]:
        """Names of the files of a student, the one that counts first."""
        for found in self._workspace.class_state.school.students:
            is_same = found.number in student.numbers if found.number else found.name in student.names
            if found.is_listed and is_same:
                yield from map(self._workspace.documents.name_of, found.files)

    def _remove(self) -> None:
        self._workspace.class_state.remove_roster(self._roster.path)
        self.accept()


_MOST_NAMED = 5


class ClassFileCommands(QObject):
    """Adds documents, earlier work and class lists; a notice names the students who have not handed in."""

    def __init__(
        self,
        workspace: Workspace,
        notice: NoticeBar,
        show_message: Callable[[str], object],
        add_files: Callable[[Iterable[Path]], object],
        window: QWidget,
    ) -> None:
        """show_message: shows a message for a moment. add_files: adds documents or opens a session."""
        super().__init__(window)
        self._add_files = add_files
        self._workspace = workspace
        self._notice = notice
        self._window = window
        self._known: set[Path] = set()
        self._newest: Path | None = None
        """Class list of the latest notice."""
        self._words = ""
        workspace.class_state.changed.connect(self._follow)
        workspace.progress_changed.connect(self._update_notice)
        workspace.documents.files_skipped.connect(lambda count: show_message(_skipped_in_words(count)))

    def adding(self) -> list[Command]:
        return [
            Command("add", N_("Add documents…"), QKeySequence.StandardKey.Open, self.ask_for_documents),
            Command("add_folder", N_("Add a folder…"), "Ctrl+Shift+A", self.ask_for_folder),
        ]

    def commands(self) -> list[Command]:
        return [
            Command("add_old", N_("Add earlier work…"), (), self.ask_for_earlier_work),
            Command("add_old_folder", N_("Add a folder of earlier work…"), (), self.ask_for_earlier_folder),
            Command("add_roster", N_("Add a class list…"), (), self.ask_for_class_list),
        ]

    def ask_for_folder(self) -> None:
        ask_for_folder(self._window, _("Add a folder"), lambda path: self._add_files([path]))

    def ask_for_documents(self) -> None:
        also = (*ARCHIVES, *CLASS_LISTS)
        ask_for_documents(self._window, _("Add documents"), self._add_files, also)

    def ask_for_earlier_work(self) -> None:
        add, also = self._workspace.earlier_work.add, (*ARCHIVES, *SESSIONS)
        ask_for_documents(self._window, _("Add earlier work"), add, also)

    def ask_for_earlier_folder(self) -> None:
        add = self._workspace.earlier_work.add
        ask_for_folder(self._window, _("Add a folder of earlier work"), lambda path: add([path]))

    def ask_for_class_list(self) -> None:
        ask_for_class_list(self._window, self._workspace.class_state.use_roster)

    def show_list(self, roster: Roster) -> None:
        ClassListDialog(self._workspace, roster, self._window).open()

    # --- notices

    def skip_notice(self) -> None:
        """Show no notice on the current class lists: it was shown when the session was made."""
        self._known = {roster.path for roster in self._workspace.class_state.rosters}
        self._notice.withdraw(self._words)

    def _follow(self, changed: ClassPart) -> None:
        if ClassPart.STUDENTS in changed:
            self._known &= {roster.path for roster in self._workspace.class_state.rosters}
            self._update_notice()

    def _update_notice(self) -> None:
        """Show a notice on a new class list once all files are read, and update it later."""
        state = self._workspace.class_state
        done, total = self._workspace.documents.reading_count
        if done < total or state.is_busy:
            return
        new = [roster.path for roster in state.rosters if roster.path not in self._known]
        self._known.update(new)
        if new:
            self._newest = new[-1]
        elif not self._notice.shows(self._words):
            return
        roster = next((roster for roster in state.rosters if roster.path == self._newest), None)
        if roster is None:
            self._notice.withdraw(self._words)
        elif new or self._in_words(roster) != self._words:
            self._words = self._in_words(roster)
            self._notice.show_notice(self._words, partial(self.show_list, roster), _("Show"))

    def _in_words(self, roster: Roster) -> str:
        """Return the text of the notice; many missing students are counted instead of named."""
        name, missing = display_name(roster.path.name), self._workspace.class_state.school.missing
        absent = absent_names(roster, missing)
        if not 0 < len(absent) <= _MOST_NAMED:
            students = roster_in_words(roster, missing)
            return _("In {name}: {students}.").format(name=name, students=students)
        names = reduce(
            lambda listed, absent: _("{listed}, {next}").format(listed=listed, next=absent), absent
        )
        return _("In {name}: {students}. Not handed in: {names}.").format(
            name=name, students=roster_in_words(roster, ()), names=names
        )


def _skipped_in_words(count: int) -> str:
    return ngettext(
        "{count} file that is not a document was skipped.",
        "{count} files that are not documents were skipped.",
        count,
    )


_PAIRS = {
    "zh": ("家乡的石桥.docx", "心中的桥.html"),
    "en": ("The last bus.docx", "Waiting for the last bus.pdf"),
}
_CLASSES = {"zh": "示例班级", "en": "Sample class"}
"""Folders, which a saved session is named after."""
_QUESTIONS = {"zh": "作文题目.txt", "en": "Essay question.txt"}
"""Files of the classes that are not essays, but the template of all."""


class SampleEssays:
    def __init__(
        self, documents: DocumentStore, begin_with: Callable[[Callable[[], object]], object]
    ) -> None:
        """begin_with: starts an empty session and calls a function that adds documents to it."""
        self._documents = documents
        self._begin_with = begin_with

    def commands(self) -> list[Command]:
        return [
            Command("sample_class", N_("Open a sample class"), (), self.open_class),
            Command("sample_pair", N_("Open two sample essays"), (), self.open_pair),
        ]

    def open_pair(self) -> None:
        pair = [resource_path("samples", name) for name in _PAIRS[language_among(_PAIRS)]]
        self._begin_with(lambda: self._documents.add(pair))

    def open_class(self) -> None:
        self._begin_with(self._add_class)

    def _add_class(self) -> None:
        language = language_among(_CLASSES)
        question = resource_path("samples", _CLASSES[language], _QUESTIONS[language])
        essays = sorted(path for path in question.parent.glob("*.txt") if path != question)
        self._documents.add(essays)
        self._documents.add([question], DocumentRole.TEMPLATE)
