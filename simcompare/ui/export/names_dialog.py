"""The dialog that shows whom each file was taken to be from, and lets a teacher correct that."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from simcompare.export.export_jobs import Bench, awaited_for_file
from simcompare.export.export_tasks import corrected_pseudonyms, listed_students, made_pseudonyms
from simcompare.model.errors import FileError, SimcompareError
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.pseudonyms.students import RecognisedStudent, Student
from simcompare.support.display_text import display_name, distinct_labels, escape_invisible
from simcompare.support.i18n import N_, _, ngettext
from simcompare.support.worker_pool import WorkerError, WorkerTimeoutError
from simcompare.ui.export.preview_view import Asking, Wanted
from simcompare.ui.file_dialogs import prepare_dialog
from simcompare.ui.style.elided_label import MutedLabel
from simcompare.ui.style.theme import GRID_PX


class NamesBrokeOffError(SimcompareError):
    """The process that looks for names died, or took too long."""

    template = N_(
        "Whose the files are could not be found out: the search for names ended unexpectedly, perhaps as "
        "memory was short. Close other programs and try again."
    )


class NameBrokeOffError(FileError):
    """The process that looks for names dies at one file."""

    template = N_(
        "Whose {name} is could not be found out: the search for names ended unexpectedly at this file. "
        "Take it off the list, or save it again in the program that made it and add the new file."
    )


def pseudonyms_for(openings: Mapping[Path, str], known: Pseudonyms | None, bench: Bench) -> Pseudonyms:
    """Return pseudonyms for files with the beginnings of their texts; those known already stay what they are.

    Raises NameBrokeOffError where one file is to blame that the process died, else NamesBrokeOffError.
    """
    try:
        return bench.begin(made_pseudonyms, Path(), openings, known)()
    except WorkerError as error:
        blamed = None if isinstance(error, WorkerTimeoutError) else _first_that_ends_it(openings, bench)
        raise NamesBrokeOffError if blamed is None else NameBrokeOffError(blamed) from error


def _first_that_ends_it(openings: Mapping[Path, str], bench: Bench) -> Path | None:
    for path, opening in openings.items():
        try:
            bench.begin(made_pseudonyms, path, {path: opening}, None)()
        except WorkerError:
            return path
    return None


def corrected(
    known: Pseudonyms, recognised: Sequence[RecognisedStudent], listed: Sequence[Student], bench: Bench
) -> Pseudonyms:
    """Return pseudonyms after a teacher has said whose files are. Raises NamesBrokeOffError."""
    try:
        return bench.begin(corrected_pseudonyms, Path(), known, recognised, listed)()
    except WorkerError as error:
        raise NamesBrokeOffError from error


def students_listed(
    path: Path, files: Sequence[Path], bench: Bench
) -> tuple[Sequence[Student], Sequence[RecognisedStudent]]:
    """Return the students of a list, and whose files are with its help. Raises FileError, which names it."""
    return awaited_for_file(path, bench.begin(listed_students, path, files))


_SIZE_PX = QSize(760, 520)
_NARROWEST_PX = 120
_FILE, _NAME, _NUMBER, _PSEUDONYM = range(4)
_TOLD = Qt.ItemDataRole.UserRole  # what a cell shows, with signs that nobody sees


class NamesDialog(QDialog):
    """A row a file: name and number can be corrected, and the pseudonym follows.

    `beside` is the folder of the work, in which a list is looked for first; it may be empty.
    """

    changed = Signal(object)
    """The pseudonyms, where something in them is other than before; told once, when the dialog ends."""

    def __init__(
        self, pseudonyms: Pseudonyms, files: Sequence[Path], asking: Asking, beside: str, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._beside = beside
        self._before = self._pseudonyms = pseudonyms
        self._files = files
        self._asking = asking
        self._listed: tuple[Student, ...] = ()
        self._is_settled, self._is_ending = True, False
        self._is_corrected, self._reads_list = True, False  # the first: pseudonyms are those of the rows
        self._trouble = ""  # why the last list was not taken
        self._typed: set[int] = set()  # rows that were changed while a list is read
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Who is who"))
        self.resize(_SIZE_PX.boundedTo(parent.size()))
        self.explanation, self.message = MutedLabel(), MutedLabel()
        self.table = self._make_table()
        self.list_button, self.cancel_button = QPushButton(_("Add a list…")), QPushButton(_("Cancel"))
        self.ok_button = QPushButton(_("OK"))
        self._lay_out()
        recognised = pseudonyms.known_students(files)
        self._show_rows(recognised)
        self._show_pseudonyms()
        unknown = (row for row, one in enumerate(recognised) if not one.name)
        self.table.setCurrentCell(next(unknown, 0), _NAME)
        self.table.setFocus()
        self.table.cellChanged.connect(self._edit)
        self.list_button.clicked.connect(self._choose_list)
        self.ok_button.clicked.connect(self._end)
        self.cancel_button.clicked.connect(self.reject)
        asking.answered.connect(self._take)

    def _make_table(self) -> QTableWidget:
        table = QTableWidget(len(self._files), 4)
        table.setObjectName("plainTable")
        table.setHorizontalHeaderLabels([_("File"), _("Student"), _("Student number"), _("Pseudonym")])
        table.setAccessibleName(_("Who is who"))
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(_PSEUDONYM, QHeaderView.ResizeMode.ResizeToContents)
        header.setMinimumSectionSize(_NARROWEST_PX)
        return table

    def _lay_out(self) -> None:
        self.explanation.setText(
            _(
                "Names and numbers are replaced in file names, texts and notes: in full, in parts and as "
                "initials. Nicknames, and Chinese names in pinyin, are found only if a list of the class has "
                "them: add one, and correct what was recognised wrongly."
            )
        )
        self.ok_button.setObjectName("primary")
        self.ok_button.setDefault(True)
        for button in (self.list_button, self.cancel_button):
            button.setAutoDefault(False)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX * 2)
        buttons.addWidget(self.list_button)
        buttons.addStretch()
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.ok_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[GRID_PX * 5] * 4)
        column.setSpacing(GRID_PX * 3)
        column.addWidget(self.explanation)
        column.addWidget(self.table, 1)
        column.addWidget(self.message)
        column.addLayout(buttons)

    # what is shown

    def _show_rows(self, recognised: Sequence[RecognisedStudent]) -> None:
        self.table.blockSignals(True)
        for row, (name, one) in enumerate(zip(distinct_labels(self._files), recognised, strict=True)):
            for column, text in ((_FILE, name), (_NAME, one.name), (_NUMBER, one.number), (_PSEUDONYM, "")):
                self.table.setItem(row, column, self._cell(column, text))
        self.table.blockSignals(False)

    def _cell(self, column: int, text: str) -> QTableWidgetItem:
        item = QTableWidgetItem(escape_invisible(text))
        item.setData(_TOLD, text)
        if column in {_FILE, _PSEUDONYM}:
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
            item.setForeground(self.palette().placeholderText())
        return item

    def _show_listed(self, recognised: Sequence[RecognisedStudent]) -> None:
        """Show what a list says of each file.

        Where it says nothing, and where a person typed meanwhile or still does, what the row says stays.
        """
        typed = {*self._typed, *([self.table.currentRow()] if self._is_typing() else [])}
        self.table.blockSignals(True)
        for row, one in enumerate(recognised):
            if (one.name or one.number) and row not in typed:
                for column, text in ((_NAME, one.name), (_NUMBER, one.number)):
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
        others = _others(len(_without_files(self._pseudonyms, self._files)))
        self._say(self._trouble or self._question() or others)

    def _question(self) -> str:
        """Return what a person should say where several students have the name of a row."""
        for row in self._recognised():
            owner = self._pseudonyms.owner_of(row.path)
            if row.name and owner is not None and owner.student is None:
                text = _("Several students are called {name}: give the student number for {file}.")
                return text.format(name=escape_invisible(row.name), file=display_name(row.path.name))
        return ""

    def _say(self, words: str) -> None:
        self.message.setText(words)

    def _item(self, row: int, column: int) -> QTableWidgetItem:
        item = self.table.item(row, column)
        assert item is not None, "every cell is filled"
        return item

    # what a person does

    def _recognised(self) -> tuple[RecognisedStudent, ...]:
        """Return whom each file is from, as the rows say."""
        return tuple(
            RecognisedStudent(file, _said(self._item(row, _NAME)), _said(self._item(row, _NUMBER)))
            for row, file in enumerate(self._files)
        )

    def _edit(self, row: int) -> None:
        self._trouble = ""
        if self._reads_list:
            self._typed.add(row)  # its answer comes first, and leaves this row as it is
            self._is_corrected = False
        else:
            self._correct()

    def _correct(self) -> None:
        """Have pseudonyms made for what the rows say now."""
        self._is_corrected = self._reads_list = False
        self.ok_button.setEnabled(True)
        recognised, listed = self._recognised(), self._listed
        make = partial(corrected, self._before, recognised, listed)
        self._is_settled = False
        self._asking.want(Wanted((self._before, recognised, listed), make))

    def _choose_list(self) -> None:
        dialog = QFileDialog(self, _("Add a list of students"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([_("Text and CSV files") + " (*.txt *.csv)", _("All files") + " (*)"])
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        prepare_dialog(dialog)
        if self._beside:
            dialog.setDirectory(self._beside)
        dialog.fileSelected.connect(lambda name: self.read_list(Path(name)))
        dialog.open()

    def read_list(self, path: Path) -> None:
        """Read a list of students and recognise whose the files are with its help."""
        self._is_settled, self._reads_list, self._trouble = False, True, ""
        self._typed.clear()
        self.list_button.setEnabled(False)
        self._say(_("{name} is being read…").format(name=display_name(path.name)))
        self._asking.want(
            Wanted(("list", path, object()), partial(students_listed, path, tuple(self._files)))
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
            if self._is_ending:
                self._end()
        elif isinstance(answer, tuple):
            students, recognised = answer
            self._listed = (*self._listed, *students)
            self._show_listed(recognised)
            self._correct()

    def _fail(self, words: str) -> None:
        """Say why there is no answer. Without pseudonyms for what the rows say, nothing can be confirmed."""
        self._is_ending = False
        if self._is_corrected or not self._reads_list:
            self._reads_list = False
            self._say(words)
            self.ok_button.setEnabled(self._is_corrected)
        else:  # the list came in between
            self._trouble = words
            self._correct()

    def _end(self) -> None:
        """Close, once it is known what comes of the last correction."""
        self.table.setCurrentCell(-1, -1)  # what is being typed counts
        self._is_ending = True
        if not self._is_settled:
            return
        if self._pseudonyms != self._before:
            self.changed.emit(self._pseudonyms)
        self.accept()


def _without_files(pseudonyms: Pseudonyms, files: Sequence[Path]) -> tuple[Student, ...]:
    """Return the students of whom there is no file."""
    there = {pseudonyms.owner_of(file) for file in files}
    return tuple(owner.student for owner in pseudonyms.owners if owner.student and owner not in there)


def _others(count: int) -> str:
    if not count:
        return ""
    text = ngettext(
        "{count} other student is known, of whom there is no file.",
        "{count} other students are known, of whom there is no file.",
        count,
    )
    return text.format(count=f"{count:,}")


def _said(cell: QTableWidgetItem) -> str:
    """Return what a cell says, as it was before it was made visible where nobody has changed it."""
    told, text = str(cell.data(_TOLD)), cell.text()
    return told if text == escape_invisible(told) else text.strip()
