"""Dialog for the students recognised in the files, with corrections and a list of the class."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QWidget

from simcompare.export.export_context import ExportContext, ExportRequest, wait_for_file
from simcompare.export.export_tasks import extend_pseudonyms, read_student_list
from simcompare.model.errors import FileError, SimcompareError
from simcompare.pseudonyms.pseudonyms import PossibleName, Pseudonyms
from simcompare.pseudonyms.students import OwnFiles, RecognisedStudent, Student
from simcompare.redaction.anonymous_copies import places_in_words, possible_names_in_words
from simcompare.support.display_text import display_name, distinct_labels, escape_invisible
from simcompare.support.i18n import N_, _, ngettext
from simcompare.support.workers.worker_pool import WorkerError, WorkerTimeoutError
from simcompare.ui.access.rows_table import Column, RowsTable
from simcompare.ui.export.export_queue import RequestRunner
from simcompare.ui.file_dialogs import ask_for_class_list
from simcompare.ui.style.dialogs import Dialog
from simcompare.ui.style.layouts import column_of, default_button, other_button, row_of
from simcompare.ui.style.text_labels import MutedLabel
from simcompare.ui.style.theme import GRID_PX


class NameSearchError(SimcompareError):
    template = N_(
        "The names could not be found: the search ended unexpectedly, "
        "perhaps because memory was low. Close other programs and try again."
    )


class NameSearchFileError(FileError):
    template = N_(
        "No name could be found for {name}: the search ended unexpectedly at "
        "this file. Remove it from the list, or save it again in the program that made it and add the"
        " new file."
    )


def pseudonyms_for(
    openings: Mapping[Path, str],
    listed: Sequence[Student],
    known: Pseudonyms | None,
    context: ExportContext,
    students: OwnFiles = (),
) -> Pseudonyms:
    """Return pseudonyms that include all files and students of class lists.

    openings: the texts of the files, or their beginnings. students: of the class, with their files. Known
    pseudonyms do not change. Raises NameSearchFileError if one file makes the worker die, otherwise
    NameSearchError.
    """
    try:
        return context.start(extend_pseudonyms, openings, listed, known, students)()
    except WorkerError as error:
        culprit = None if isinstance(error, WorkerTimeoutError) else _fatal_file(openings, context)
        raise NameSearchError if culprit is None else NameSearchFileError(culprit) from error


def _fatal_file(openings: Mapping[Path, str], context: ExportContext) -> Path | None:
    """Return the first file that makes a worker die when it is searched alone."""
    for path, opening in openings.items():
        try:
            context.start(extend_pseudonyms, {path: opening}, (), None)()
        except WorkerError:
            return path
    return None


def corrected_pseudonyms(
    known: Pseudonyms,
    recognised: Sequence[RecognisedStudent],
    listed: Sequence[Student],
    context: ExportContext,
) -> Pseudonyms:
    """Return pseudonyms after the teacher's corrections. Raises NameSearchError."""
    try:
        return context.start(Pseudonyms.corrected, known, recognised, listed)()
    except WorkerError as error:
        raise NameSearchError from error


def possible_names(
    known: Pseudonyms, texts: Mapping[Path, str], context: ExportContext
) -> list[PossibleName]:
    """Find words that may still identify a person in these texts. Raises NameSearchError."""
    try:
        return context.start(Pseudonyms.possible_names, known, texts)()
    except WorkerError as error:
        raise NameSearchError from error


def listed_students(
    path: Path, files: Sequence[Path], context: ExportContext
) -> tuple[Sequence[Student], Sequence[RecognisedStudent]]:
    """Return the students of a list, and those recognised in the files with its help. Raises FileError."""
    return wait_for_file(path, context.start(read_student_list, path, files))


_SIZE_PX = QSize(820, 640)
_LEAST_COLUMN_WIDTH_PX = 120
_FILE, _NAME, _NUMBER, _PSEUDONYM = range(4)
_RAW_TEXT = Qt.ItemDataRole.UserRole  # the text of a cell with invisible characters


class NamesDialog(Dialog):
    """Table with a row per file: name and number can be corrected, the pseudonym follows.

    A second table lists what may still name someone in the texts, to be replaced all at once or by row.
    texts: of the exported files; `work_folder`: initial folder of the dialog for a list; may be empty.
    """

    changed = Signal(object)
    """The pseudonyms, if they differ from those before; emitted once, when the dialog is accepted."""

    def __init__(
        self,
        pseudonyms: Pseudonyms,
        files: Sequence[Path],
        texts: Mapping[Path, str],
        runner: RequestRunner,
        work_folder: str,
        parent: QWidget,
    ) -> None:
        super().__init__(_("Name key"), parent)
        self._texts = texts
        self._work_folder = work_folder
        self._before = self._pseudonyms = pseudonyms
        self._files = files
        self._runner = runner
        self._listed: tuple[Student, ...] = ()
        self._is_settled, self._is_ending = True, False
        self._is_corrected = True  # the pseudonyms are those of the rows
        self._is_reading_list = False
        self._list_error = ""
        self._typed: set[int] = set()  # rows changed while a list is read
        self.resize(_SIZE_PX.boundedTo(parent.size()))
        self.explanation, self.message = MutedLabel(), MutedLabel()
        self.table = self._make_table()
        self.possible = self._make_possible_table()
        self.possible_title, self.replace_button = QLabel(), other_button("", self._replace)
        self.list_button = other_button(_("Add a list…"), self._choose_list)
        self.cancel_button = other_button(_("Cancel"), self.reject)
        self.ok_button = default_button(_("OK"), self._end)
        self.explanation.setText(
            _(
                "Names and numbers are replaced in file names, texts and notes, in full, in part, with "
                "initials (E. Clarke) and in pinyin; addresses and telephone numbers, too. Add a class list "
                "with nicknames, and correct what is wrong here."
            )
        )
        right = (self.cancel_button, self.ok_button)
        buttons = row_of(None, self.list_button, None, *right, spacing_px=GRID_PX * 2)
        above = row_of(None, self.possible_title, None, self.replace_button)
        lists = ((self.table, 3), self.message, above, (self.possible, 2))
        parts = (self.explanation, *lists, buttons)
        column_of(self, *parts, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 5)
        recognised = pseudonyms.known_students(files)
        self._show_rows(recognised)
        self._show_pseudonyms()
        unknown = (row for row, student in enumerate(recognised) if not student.name)
        self.table.setCurrentCell(next(unknown, 0), _NAME)
        self.table.setFocus()
        self.table.cellChanged.connect(self._edit)
        self.possible.chosen_changed.connect(self._show_replace_button)
        runner.answered.connect(self._take)
        self._show_possible([])
        self._find_possible()

    def _make_table(self) -> QTableWidget:
        heads = [_("File"), _("Student"), _("Student number"), _("Pseudonym")]
        table = QTableWidget(len(self._files), len(heads))
        table.setObjectName("plainTable")
        table.setHorizontalHeaderLabels(heads)
        table.setAccessibleName(_("Name key"))
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(_PSEUDONYM, QHeaderView.ResizeMode.ResizeToContents)
        header.setMinimumSectionSize(_LEAST_COLUMN_WIDTH_PX)
        return table

    def _make_possible_table(self) -> RowsTable[PossibleName]:
        columns = (
            Column[PossibleName](
                N_("In the texts"), lambda name: escape_invisible(name.text), lambda name: name.text
            ),
            Column[PossibleName](N_("Perhaps"), _perhaps, _perhaps),
            Column[PossibleName](
                N_("Count"), lambda name: f"{len(name.places):,}", lambda name: len(name.places)
            ),
            Column[PossibleName](N_("Places"), self._places_of, self._places_of, is_stretched=True),
        )
        table = RowsTable(columns, lambda name: name.text)
        table.setAccessibleName(_("What may still identify a student"))
        return table

    def _places_of(self, name: PossibleName) -> str:
        return escape_invisible(places_in_words(name, self._texts))

    # show

    def _show_rows(self, recognised: Sequence[RecognisedStudent]) -> None:
        self.table.blockSignals(True)
        for row, (file_name, student) in enumerate(
            zip(distinct_labels(self._files), recognised, strict=True)
        ):
            texts = {_FILE: file_name, _NAME: student.name, _NUMBER: student.number, _PSEUDONYM: ""}
            for column, text in texts.items():
                self.table.setItem(row, column, self._cell(column, text))
        self.table.blockSignals(False)

    def _cell(self, column: int, text: str) -> QTableWidgetItem:
        item = QTableWidgetItem(escape_invisible(text))
        item.setData(_RAW_TEXT, text)
        if column in {_FILE, _PSEUDONYM}:
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
            item.setForeground(self.palette().placeholderText())
        return item

    def _show_listed(self, recognised: Sequence[RecognisedStudent]) -> None:
        """Show the students recognised with a list.

        Rows without a result, and rows that were or are being edited meanwhile, stay as they are.
        """
        typed = {*self._typed, *([self.table.currentRow()] if self._is_typing() else [])}
        self.table.blockSignals(True)
        for row, student in enumerate(recognised):
            if (student.name or student.number) and row not in typed:
                for column, text in ((_NAME, student.name), (_NUMBER, student.number)):
                    self.table.setItem(row, column, self._cell(column, text))
        self.table.blockSignals(False)

    def _is_typing(self) -> bool:
        return self.table.state() == QAbstractItemView.State.EditingState

    def _show_pseudonyms(self) -> None:
        self.table.blockSignals(True)
        for row, file in enumerate(self._files):
            owner = self._pseudonyms.owner_of(file)
            self._item(row, _PSEUDONYM).setText(self._pseudonyms.label(owner) if owner else "")
        self.table.blockSignals(False)
        others = _others_note(len(_students_without_files(self._pseudonyms, self._files)))
        self.message.setText(self._list_error or self._question() or others)

    def _question(self) -> str:
        """Ask for a student number if several students have the name of a row; else return empty."""
        for row in self._recognised():
            owner = self._pseudonyms.owner_of(row.path)
            if row.name and owner is not None and owner.student is None:
                text = _("Several students are called {name}: give the student number for {file}.")
                return text.format(name=escape_invisible(row.name), file=display_name(row.path.name))
        return ""

    def _find_possible(self) -> None:
        make = partial(possible_names, self._pseudonyms, self._texts)
        self._runner.request(ExportRequest(("possible", self._pseudonyms, *self._texts), make))

    def _show_possible(self, found: Sequence[PossibleName]) -> None:
        self.possible.clearSelection()
        self.possible.show_rows(found)
        self.possible_title.setText(possible_names_in_words(found))
        for part in (self.possible_title, self.possible, self.replace_button):
            part.setVisible(bool(found))
        self._show_replace_button()

    def _show_replace_button(self) -> None:
        is_some = bool(self.possible.chosen_rows())
        self.replace_button.setText(_("Replace selected") if is_some else _("Replace all"))

    def _replace(self) -> None:
        names = self.possible.chosen() or self.possible.model_of_rows.rows
        self._listed = (*self._listed, *(name.spelling for name in names))
        self._correct()

    def _item(self, row: int, column: int) -> QTableWidgetItem:
        item = self.table.item(row, column)
        assert item is not None, "every cell is filled"
        return item

    # edit

    def _recognised(self) -> tuple[RecognisedStudent, ...]:
        return tuple(
            RecognisedStudent(file, _cell_text(self._item(row, _NAME)), _cell_text(self._item(row, _NUMBER)))
            for row, file in enumerate(self._files)
        )

    def _edit(self, row: int) -> None:
        self._list_error = ""
        if self._is_reading_list:
            self._typed.add(row)  # the result of the list must not overwrite this row
            self._is_corrected = False
        else:
            self._correct()

    def _correct(self) -> None:
        self._is_corrected = self._is_reading_list = False
        self.ok_button.setEnabled(True)
        recognised, listed = self._recognised(), self._listed
        make = partial(corrected_pseudonyms, self._before, recognised, listed)
        self._is_settled = False
        self._runner.request(ExportRequest((self._before, recognised, listed), make))

    def _choose_list(self) -> None:
        ask_for_class_list(self, self.read_list, self._work_folder)

    def read_list(self, path: Path) -> None:
        self._is_settled, self._is_reading_list, self._list_error = False, True, ""
        self._typed.clear()
        self.list_button.setEnabled(False)
        self.message.setText(_("Reading {name}…").format(name=display_name(path.name)))
        self._runner.request(
            ExportRequest(("list", path, object()), partial(listed_students, path, tuple(self._files)))
        )

    def _take(self, answer: object) -> None:
        self._is_settled = True
        self.list_button.setEnabled(True)
        if isinstance(answer, Exception):
            self._fail(str(answer))
        elif isinstance(answer, Pseudonyms):
            self._pseudonyms = answer
            self._is_corrected = True
            self._show_pseudonyms()
            self._find_possible()
            if self._is_ending:
                self._end()
        elif isinstance(answer, list):
            self._show_possible(answer)
        elif isinstance(answer, tuple):
            students, recognised = answer
            self._listed = (*self._listed, *students)
            self._show_listed(recognised)
            self._correct()

    def _fail(self, message: str) -> None:
        self._is_ending = False
        if self._is_corrected or not self._is_reading_list:
            self._is_reading_list = False
            self.message.setText(message)
            self.ok_button.setEnabled(self._is_corrected)
        else:  # the rows were edited while the list was read
            self._list_error = message
            self._correct()

    def _end(self) -> None:
        self.table.setCurrentCell(-1, -1)  # commits the cell being edited
        self._is_ending = True
        if not self._is_settled:
            return
        if self._pseudonyms != self._before:
            self.changed.emit(self._pseudonyms)
        self.accept()


def _perhaps(name: PossibleName) -> str:
    return escape_invisible(name.student.display_name) if name.student else ""


def _students_without_files(pseudonyms: Pseudonyms, files: Sequence[Path]) -> tuple[Student, ...]:
    owners = {pseudonyms.owner_of(file) for file in files}
    return tuple(owner.student for owner in pseudonyms.owners if owner.student and owner not in owners)


def _others_note(count: int) -> str:
    if not count:
        return ""
    return ngettext(
        "{count} other student has no file.",
        "{count} other students have no file.",
        count,
    )


def _cell_text(cell: QTableWidgetItem) -> str:
    """Return the text of a cell; the raw text, with invisible characters, if it was not edited."""
    raw, text = str(cell.data(_RAW_TEXT)), cell.text()
    return raw if text == escape_invisible(raw) else text.strip()
