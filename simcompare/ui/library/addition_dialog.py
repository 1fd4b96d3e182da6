"""Dialog that asks for the tags of documents before they are added to the library."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QDialog, QLabel, QLineEdit, QPushButton, QWidget

from simcompare.library.students import StudentNaming
from simcompare.support.i18n import _
from simcompare.ui.state.library.additions import AdditionTags
from simcompare.ui.style.box_layouts import column_of, row_of
from simcompare.ui.style.elided_label import MutedLabel
from simcompare.ui.style.form_rows import grid_of, set_options
from simcompare.ui.style.stylesheet import use_sheet
from simcompare.ui.style.theme import GRID_PX

_WIDTH_PX = 480


class AdditionDialog(QDialog):
    """Class, year and assignment, filled in with what is known, and how students are stored."""

    confirmed = Signal(object)
    """The AdditionTags."""

    def __init__(
        self,
        what: str,
        known: AdditionTags,
        values: Sequence[Sequence[str]],
        parent: QWidget,
        *,
        may_use_pseudonyms: bool,
        aside: str = "",
    ) -> None:
        """Take a sentence that says what is added, and years, classes and assignments as proposals.

        aside: which files are not added, "" if none.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Add to the library"))
        self.setFixedWidth(_WIDTH_PX)
        self.what = QLabel(what)
        self.what.setObjectName("pairName")
        self.what.setWordWrap(True)
        self.what.setTextFormat(Qt.TextFormat.PlainText)
        self.aside = MutedLabel(aside)
        self.school_class, self.year = QLineEdit(known.school_class), QLineEdit(known.year)
        self.assignment = QLineEdit(known.assignment)
        for field, proposals in zip((self.year, self.school_class, self.assignment), values, strict=True):
            completer = QCompleter(list(proposals), field)
            popup = completer.popup()
            assert popup is not None, "a completer makes one"
            use_sheet(popup)  # as it has no parent
            field.setCompleter(completer)
        self.students = QComboBox()
        options = [(StudentNaming.NAME.value, _("By name"))]
        if may_use_pseudonyms:
            options.append((StudentNaming.PSEUDONYM.value, _("By pseudonym")))
        options.append((StudentNaming.NONE.value, _("Not stored")))
        set_options(self.students, options, known.students.value)
        self.explanation = MutedLabel()
        self.add_button, self.cancel_button = QPushButton(_("Add")), QPushButton(_("Cancel"))
        self._lay_out()
        self.students.currentIndexChanged.connect(self._explain)
        self.add_button.clicked.connect(self._confirm)
        self.cancel_button.clicked.connect(self.reject)
        self._explain()
        self.school_class.setFocus()

    def _lay_out(self) -> None:
        self.add_button.setObjectName("primary")
        self.add_button.setDefault(True)
        self.cancel_button.setAutoDefault(False)
        fields = {
            _("Class"): self.school_class,
            _("Year"): self.year,
            _("Assignment"): self.assignment,
            _("Students"): self.students,
        }
        for name, field in fields.items():
            field.setAccessibleName(name)
        grid = grid_of([(QLabel(name), field) for name, field in fields.items()], at_top=self.explanation)
        buttons = row_of(None, None, self.cancel_button, self.add_button, spacing_px=GRID_PX * 2)
        parts = (self.what, self.aside, grid, self.explanation, buttons)
        column_of(self, *parts, spacing_px=GRID_PX * 4, margins_px=GRID_PX * 5)
        self.aside.setVisible(bool(self.aside.text()))

    def _naming(self) -> StudentNaming:
        return StudentNaming(self.students.currentData())

    def _explain(self) -> None:
        words = {
            StudentNaming.NAME: _(
                "Names come from the class list and from the names of the files. With them, everything of a "
                "student can be deleted at once."
            ),
            StudentNaming.PSEUDONYM: _(
                "Names in texts and names of files are replaced. On this computer, everything of a student "
                "can still be deleted by name. Only this session can tell who is who, so save it."
            ),
            StudentNaming.NONE: _(
                "The essays are stored without a student; their texts and the names of their files stay as "
                "they are."
            ),
        }
        self.explanation.setText(words[self._naming()])

    def _confirm(self) -> None:
        fields = self.school_class, self.year, self.assignment
        school_class, year, assignment = (field.text().strip() for field in fields)
        self.accept()
        self.confirmed.emit(AdditionTags(school_class, year, assignment, self._naming()))
