"""Fields of the export dialog: where to save, and replacing names by pseudonyms."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QStandardPaths, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from simcompare.export.export_context import ExportRequest
from simcompare.export.exports import ExportPlan
from simcompare.pseudonyms.pseudonyms import PossibleName, Pseudonyms
from simcompare.pseudonyms.students import OwnFiles, Student
from simcompare.redaction.anonymous_copies import possible_names_in_words
from simcompare.report.cohort.report_bundle import file_name_problem
from simcompare.report.report_forms import CASE_SUFFIX
from simcompare.report.wording import first_of
from simcompare.support.display_text import distinct_labels
from simcompare.support.i18n import _, current_language, joined_items, ngettext
from simcompare.ui.export.export_queue import RequestRunner
from simcompare.ui.export.names_dialog import NamesDialog, possible_names, pseudonyms_for
from simcompare.ui.file_dialogs import ask_for_folder
from simcompare.ui.preferences import Preferences
from simcompare.ui.style.layouts import keep_size_when_hidden, other_button, row_of
from simcompare.ui.style.text_labels import WrappedLabel, announce
from simcompare.ui.style.theme import GRID_PX, icon


class NameField(QWidget):
    """Line for a file name, followed by its suffix. A typed name is kept.

    If disabled, it is empty with a hint that the names are fixed.
    """

    edited = Signal()
    suffix_typed = Signal(str)
    """Another suffix, which may be that of a form."""
    folder_typed = Signal(str)
    """The folder of a typed absolute path."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line, self._suffix = QLineEdit(), QLabel()
        self.line.setPlaceholderText(_("Named after the files"))
        self._suffix.setObjectName("muted")
        self._typed = ""
        self.line.textEdited.connect(self._keep)
        self.line.editingFinished.connect(self.settle)
        row_of(self, (self.line, 1), self._suffix, spacing_px=GRID_PX)
        self.setFocusProxy(self.line)

    @property
    def name(self) -> str:
        return self.line.text().strip()

    def suggest(self, name: str, suffix: str) -> None:
        """Show a suffix, and a name unless another one was typed."""
        self._suffix.setText(suffix)
        self._suffix.setVisible(bool(suffix))
        text = (self._typed or name) if name else ""
        if self.line.text() != text:
            self.line.setText(text)
            self.line.setCursorPosition(0)  # the student's name is seen, not the end

    def _keep(self, text: str) -> None:
        self._typed = text
        self.edited.emit()

    def settle(self) -> None:
        """Split a folder and a suffix off the typed text."""
        typed = Path(self.name)
        if typed.is_absolute() and typed.name:
            self.line.setText(typed.name)
            self.folder_typed.emit(str(typed.parent))
        if typed.suffix:
            self.suffix_typed.emit(typed.suffix.lower())

    def remove_suffix(self, suffix: str) -> None:
        self._typed = self.name[: -len(suffix)]
        self.line.setText(self._typed)

    @property
    def problem(self) -> str:
        """Reason why the name is invalid, empty if it is valid. A folder typed before it is ignored."""
        typed = Path(self.name)
        return _(file_name_problem(typed.name if typed.is_absolute() else self.name))


class FolderField(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line, self.button = QLineEdit(), QPushButton(_("Browse…"))
        self.button.setAutoDefault(False)
        self.button.setAccessibleName(_("Choose a folder"))
        self.button.clicked.connect(self._choose)
        row_of(self, (self.line, 1), self.button, spacing_px=2 * GRID_PX)
        self.setFocusProxy(self.line)

    @property
    def folder(self) -> Path:
        return Path(self.line.text().strip()).expanduser()

    @folder.setter
    def folder(self, folder: Path) -> None:
        self.line.setText(str(folder))

    def _choose(self) -> None:
        ask_for_folder(self, _("Choose a folder"), self._use, str(self.folder))

    def _use(self, folder: Path) -> None:
        self.folder = folder


_SOURCES_OF_PAGE = {
    "compare": ("pair",),
    "pairs": ("chosen", "class", "grades", "table"),
    "sources": ("student",),
}
"""Keys of the sources of what a page of the window shows, the one to preselect first."""


class ExportMemory:
    """Choices of earlier exports: source, form, packing and folder in the preferences, the rest in a session.

    with_notes: whether notes were included last, by whether names were replaced; course, teacher: typed last.
    requested: key of the source to preselect; page: the current page of the window; folder_of_work: that of
    the session or the essays, or empty.
    """

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        self.forget()
        self.page = ""
        self.requested = ""
        self.folder_of_work = ""
        self._folders: dict[str, Path] = {}

    def forget(self) -> None:
        """Return to the defaults what would be wrong, or wrongly leave something out, for another class.

        Without names notes are left out: they may identify people in ways that no list covers.
        """
        self._language = ("", "")
        self.replaces_names = False
        self.with_notes = {False: True, True: False}
        self.course = self.teacher = ""

    @property
    def of_page(self) -> Sequence[str]:
        return _SOURCES_OF_PAGE.get(self.page, ())

    def source(self, offered: Sequence[str]) -> str:
        """Return the key to preselect: the requested one, what is selected, or the last one of the page."""
        last = self.choice(f"source of {self.page}")
        keys = (self.requested, *self.of_page[:1], last, *self.of_page)
        return next((key for key in keys if key in offered), offered[0])

    def choice(self, name: str) -> str:
        return self._preferences.export_choices.get(name, "")

    @property
    def language(self) -> str:
        """The last language; empty if the language of the program has changed since."""
        chosen, program_language = self._language
        return chosen if program_language == current_language() else ""

    @property
    def folder(self) -> Path:
        """The folder chosen for this work, else that of the essays, the last one or that for documents."""
        last = self.choice("folder")
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        names = (self._folders.get(self.folder_of_work, ""), self.folder_of_work, last, documents)
        return next((Path(name) for name in names if name and Path(name).is_dir()), Path.home())

    def remember(self, source: str, plan: ExportPlan) -> None:
        self._language = (plan.language, current_language())
        self._folders[self.folder_of_work] = plan.folder
        is_anonymous = plan.pseudonyms is not None
        if plan.form != CASE_SUFFIX:
            self.replaces_names = is_anonymous
        self.with_notes[is_anonymous] = plan.with_notes
        self.course, self.teacher = plan.course, plan.teacher
        self._preferences.export_choices = {
            **self._preferences.export_choices,
            f"source of {self.page}": source,
            f"form of {source}": plan.form,
            "packing": plan.packing or self.choice("packing"),
            "folder": str(plan.folder),
        }


_ICON_PX = 16
_MOST_NAMES = 3


class NamesWarning(QWidget):
    """Warning icon and sentence; hidden without a warning."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.icon, self._label = QLabel(), WrappedLabel("", "danger")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID_PX * 2)
        row.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._label, 1)
        self._draw_icon()
        self.hide()

    @property
    def text(self) -> str:
        return self._label.text()

    def warn(self, files: Sequence[str], left: str = "") -> None:
        """Warn of files without a known student: the first ones by name, all in the tool tip.

        `left`: sentence on what may still name someone.
        """
        hint = left and _("{problem} The list is under Name key.").format(problem=left)
        warning = "\n".join(filter(None, [_unknown_warning(files), hint]))
        if warning and warning != self.text:
            announce(self, warning)
        self._label.setText(warning)
        self.setToolTip("\n".join(files) if len(files) > _MOST_NAMES else "")
        self.setVisible(bool(warning))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_icon()
        return super().event(event)

    def _draw_icon(self) -> None:
        colour = self.palette().color(
            QPalette.ColorRole.BrightText
        )  # the style sheet keeps the warning colour there
        self.icon.setPixmap(icon("warning", colour.name()).pixmap(_ICON_PX, _ICON_PX))


def _unknown_warning(files: Sequence[str]) -> str:
    if not files:
        return ""
    return ngettext(
        "No student is known for {names}. A name in its text stays there; enter it under Name key.",
        "No student is known for {count} files: {names}. Names in their texts stay there; enter them under "
        "Name key.",
        len(files),
        names=joined_items(first_of(files, _MOST_NAMES)),
    )


class NamesField(QWidget):
    """Check box, button for the dialog of students, and `warning`, which the export dialog places.

    texts: those of all files, empty if not known; listed: students of class lists; students: of the class;
    work_folder: initial folder of the dialog for a list of students.
    """

    changed = Signal()
    """The choice or the pseudonyms changed."""
    corrected = Signal(object)
    """The pseudonyms after corrections by the teacher, to be kept."""

    def __init__(
        self,
        known: Pseudonyms | None,
        texts: Mapping[Path, str],
        listed: Sequence[Student],
        runner: RequestRunner,
        work_folder: str = "",
        parent: QWidget | None = None,
        students: OwnFiles = (),
    ) -> None:
        super().__init__(parent)
        self._known = known
        self._texts = texts
        self._files = tuple(texts)
        self._possible: Sequence[PossibleName] | None = None
        self._listed, self._students = listed, students
        self._is_found = False
        self._exported: Collection[Path] = ()
        self._runner = runner
        self._work_folder = work_folder
        self._dialog: NamesDialog | None = None
        self._error: Exception | None = None
        self._is_chosen = False
        self.box, self.button = QCheckBox(_("Replace names")), other_button(_("Name key…"), self._show_dialog)
        self.warning = NamesWarning()
        keep_size_when_hidden(self.button)
        row_of(self, self.box, self.button, None, spacing_px=GRID_PX * 3)
        self.box.pressed.connect(self._keep_choice)
        self.box.toggled.connect(self._toggle)
        runner.answered.connect(self._take)
        self._show()

    @property
    def pseudonyms(self) -> Pseudonyms | None:
        """The pseudonyms; None if names are not replaced, or until the pseudonyms are known."""
        return self._known if self.box.isChecked() and self._is_covering else None

    @property
    def is_ready(self) -> bool:
        """True if the pseudonyms are known, and what may still name someone; or if they are not needed."""
        return not self.box.isChecked() or (self._is_covering and self._possible is not None)

    @property
    def problem(self) -> str:
        return str(self._error) if self._error is not None and not self.is_ready else ""

    def suggest(self, *, replaced: bool) -> None:
        """Tick the box, or not, unless the user chose before."""
        if not self._is_chosen:
            self.box.setChecked(replaced)

    def _keep_choice(self) -> None:
        self._is_chosen = True

    def set_exported(self, files: Collection[Path]) -> None:
        """Set the files whose texts are exported; those without a known student are warned of."""
        self._exported = files
        self._find_possible()
        self._show()

    def _unknown_files(self) -> list[str]:
        names = self.pseudonyms
        if names is None:
            return []
        labelled = zip(names.known_students(self._files), distinct_labels(self._files), strict=True)
        return [label for student, label in labelled if not student.name and student.path in self._exported]

    @property
    def _is_covering(self) -> bool:
        known = self._known
        if known is None or any(known.owner_of(file) is None for file in self._files):
            return False
        return self._is_found or all(known.owner_of_student(student) for student in self._listed)

    def _toggle(self) -> None:
        if self.box.isChecked() and not self._is_covering:
            make = partial(pseudonyms_for, self._texts, self._listed, self._known, students=self._students)
            self._runner.request(ExportRequest((self._files, self._known), make))
        else:
            self._find_possible()
        self._show()
        self.changed.emit()

    def _take(self, answer: object) -> None:
        if self._dialog is not None:
            return  # the answer is for the dialog
        self._error = answer if isinstance(answer, Exception) else None
        if isinstance(answer, list):
            self._possible = answer
        if isinstance(answer, Pseudonyms):
            self._known, self._is_found = answer, True
            self._find_possible()
        self._show()
        self.changed.emit()

    def _find_possible(self) -> None:
        self._possible = None
        if self._known is not None and self._is_covering and self._dialog is None and self.box.isChecked():
            texts = self._exported_texts
            make = partial(possible_names, self._known, texts)
            self._runner.request(ExportRequest(("possible", self._known, *texts), make))

    @property
    def _exported_texts(self) -> Mapping[Path, str]:
        return {file: text for file, text in self._texts.items() if file in self._exported}

    def _show(self) -> None:
        self.button.setVisible(self.box.isChecked())
        self.button.setEnabled(self._is_covering)
        left = possible_names_in_words(self._possible or ())
        self.warning.warn(self._unknown_files(), left)

    def _show_dialog(self) -> None:
        if self._known is not None:
            self._dialog = NamesDialog(
                self._known, self._files, self._exported_texts, self._runner, self._work_folder, self.window()
            )
            self._dialog.changed.connect(self._correct)
            self._dialog.finished.connect(self._forget_dialog)
            self._dialog.open()

    def _correct(self, pseudonyms: Pseudonyms) -> None:
        self._known = pseudonyms
        self._show()
        self.corrected.emit(pseudonyms)
        self.changed.emit()

    def _forget_dialog(self) -> None:
        self._dialog = None
        self._runner.drop_request()  # a late answer is for the dialog, which was cancelled
        self._find_possible()
        self._show()
        self.changed.emit()
