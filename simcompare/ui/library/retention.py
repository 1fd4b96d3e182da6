"""Last day on which the essays of a class may be kept: the dialog that asks for it, and its command."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QLabel, QLineEdit, QPushButton, QWidget

from simcompare.library.library_errors import RetentionDateError
from simcompare.library.tags import parsed_date
from simcompare.support.i18n import _, ngettext
from simcompare.ui.library.library_words import essays_in_words, group_in_words
from simcompare.ui.library.stored_view import StoredView
from simcompare.ui.notice_bar import NoticeBar
from simcompare.ui.state.library.library_state import LibraryState
from simcompare.ui.style.box_layouts import column_of, row_of
from simcompare.ui.style.elided_label import MutedLabel
from simcompare.ui.style.form_rows import grid_of, set_options
from simcompare.ui.style.theme import GRID_PX

if TYPE_CHECKING:
    from simcompare.library.listing import EntryGroup

_WIDTH_PX = 440
_YEARS = (1, 2, 3, 5, 10)
_OTHER, _NEVER = "other", "never"


class RetentionDialog(QDialog):
    """Asks how long the essays of a class may be kept: a number of years, another date, or without end."""

    confirmed = Signal(object)
    """The last day as a date, or None."""

    def __init__(self, group: EntryGroup, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Keep until"))
        self.setFixedWidth(_WIDTH_PX)
        self.heading = QLabel(_("How long may {name} be kept?").format(name=group_in_words(group)))
        self.heading.setObjectName("pairName")
        self.heading.setWordWrap(True)
        self.heading.setTextFormat(Qt.TextFormat.PlainText)
        self.choice, self.field = QComboBox(), QLineEdit()
        years = [(str(count), ngettext("{count} year", "{count} years", count)) for count in _YEARS]
        options = [*years, (_OTHER, _("Until another day")), (_NEVER, _("Without a last day"))]
        set_options(self.choice, options, _OTHER if group.final_last_day else str(_YEARS[0]))
        self.field.setPlaceholderText(_("Year-month-day, such as 2028-07-31"))
        self.explanation = MutedLabel()
        self.save_button, self.cancel_button = QPushButton(_("Save")), QPushButton(_("Cancel"))
        self._lay_out()
        self.choice.currentIndexChanged.connect(self._show_day)
        self.choice.activated.connect(self._go_to_field)
        self.field.textEdited.connect(self._follow_field)
        self.save_button.clicked.connect(self._confirm)
        self.cancel_button.clicked.connect(self.reject)
        self._show_day()
        if group.final_last_day:
            self.field.setText(group.final_last_day)
        self._explain()

    def _lay_out(self) -> None:
        self.save_button.setObjectName("primary")
        self.save_button.setDefault(True)
        self.cancel_button.setAutoDefault(False)
        fields = {_("Keep for"): self.choice, _("Last day"): self.field}
        for name, field in fields.items():
            field.setAccessibleName(name)
        grid = grid_of([(QLabel(name), field) for name, field in fields.items()], at_top=self.explanation)
        buttons = row_of(None, None, self.cancel_button, self.save_button, spacing_px=GRID_PX * 2)
        parts = (self.heading, grid, self.explanation, buttons)
        column_of(self, *parts, spacing_px=GRID_PX * 4, margins_px=GRID_PX * 5)

    def _show_day(self) -> None:
        """Show the day that is chosen; another one can be typed."""
        chosen = self.choice.currentData()
        if chosen not in {_OTHER, _NEVER}:
            self.field.setText(QDate.currentDate().addYears(int(chosen)).toString("yyyy-MM-dd"))
        elif chosen == _NEVER:
            self.field.clear()
        self.field.setEnabled(chosen != _NEVER)
        self._explain()

    def _go_to_field(self) -> None:
        if self.choice.currentData() == _OTHER:
            self.field.setFocus()
            self.field.selectAll()

    def _follow_field(self) -> None:
        self.choice.setCurrentIndex(self.choice.findData(_OTHER))
        self._explain()

    def _day(self) -> date | None:
        """Return the last day, or None without one. Raises RetentionDateError."""
        return None if self.choice.currentData() == _NEVER else parsed_date(self.field.text().strip())

    def _explain(self) -> None:
        try:
            is_date = self._day() is not None
        except RetentionDateError as error:
            self.explanation.setText(str(error) if self.field.text().strip() else _("Type the last day."))
            self.save_button.setEnabled(False)
            return
        self.save_button.setEnabled(True)
        self.explanation.setText(
            _("Nothing is deleted by itself. After that day the class is marked, and deleted with one click.")
            if is_date
            else _("The essays are kept until you delete them.")
        )

    def _confirm(self) -> None:
        day = self._day()
        self.accept()
        self.confirmed.emit(day)


class RetentionCommands(QObject):
    """Sets the last day of the class that is selected on the page."""

    def __init__(self, library: LibraryState, view: StoredView, notice: NoticeBar, window: QWidget) -> None:
        super().__init__(window)
        self._library, self._notice, self._window = library, notice, window
        view.retention_requested.connect(self.ask_until)
        library.retained.connect(self._tell)

    def ask_until(self, group: EntryGroup) -> None:
        """Ask for the last day of a group, and set it."""
        dialog = RetentionDialog(group, self._window)
        dialog.confirmed.connect(lambda day: self._library.retain(group, day))
        dialog.open()

    def _tell(self, until: date | None, count: int) -> None:
        essays = essays_in_words(count)
        words = _("{essays} may be kept until {day}.") if until else _("{essays} have no last day any more.")
        self._notice.show_notice(words.format(essays=essays, day=until), passes=True)
