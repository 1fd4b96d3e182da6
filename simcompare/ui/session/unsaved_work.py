"""Question before unsaved work is lost, and the guard that asks it."""

from collections.abc import Callable, Collection, Iterator

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QWidget

from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_, _, joined_items
from simcompare.ui.session.session_keeper import SessionKeeper, WorkPart
from simcompare.ui.session.session_saving import SessionSaving
from simcompare.ui.style.box_layouts import column_of, row_of
from simcompare.ui.style.elided_label import fit_height
from simcompare.ui.style.theme import GRID_PX

_WIDTH_PX = 420
_MARGIN_PX = 5 * GRID_PX


class UnsavedDialog(QDialog):
    """Asks whether to save, discard or cancel (Esc); closes before it emits the choice."""

    save_chosen = Signal()
    discard_chosen = Signal()

    def __init__(self, name: str, unsaved: Collection[WorkPart], parent: QWidget) -> None:
        """name: of the session, empty if it has none; unsaved: what would be lost."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Unsaved work"))
        self.setFixedWidth(_WIDTH_PX)
        question = _("Save the changes to {name}?").format(name=name) if name else _("Save your work?")
        self.question, self.explanation = QLabel(question), QLabel()
        self.explanation.setText("\n".join(_losses(unsaved)))
        self.question.setObjectName("pairName")
        self.explanation.setObjectName("muted")
        for label in (self.question, self.explanation):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.save_button, self.cancel_button = QPushButton(_("Save")), QPushButton(_("Cancel"))
        self.discard_button = QPushButton(_("Don't save"))
        self.save_button.setObjectName("primary")
        self._lay_out()
        for label in (self.question, self.explanation):
            label.ensurePolished()  # the height depends on the font of the style sheet
            fit_height(label, _WIDTH_PX - 2 * _MARGIN_PX)
        self.save_button.clicked.connect(lambda: self._choose(self.save_chosen))
        self.discard_button.clicked.connect(lambda: self._choose(self.discard_chosen))
        self.cancel_button.clicked.connect(self.reject)
        self.save_button.setFocus()

    def _lay_out(self) -> None:
        for button in (self.discard_button, self.cancel_button):
            button.setAutoDefault(False)
        self.save_button.setDefault(True)
        shown = (self.discard_button, None, self.cancel_button, self.save_button)
        buttons = row_of(None, *shown, spacing_px=2 * GRID_PX, margins_px=(0, 2 * GRID_PX, 0, 0))
        parts = (self.question, self.explanation, buttons)
        column_of(self, *parts, spacing_px=2 * GRID_PX, margins_px=_MARGIN_PX)

    def _choose(self, chosen: SignalInstance) -> None:
        self.accept()
        chosen.emit()


_PARTS = {
    WorkPart.DECISIONS: N_("decisions and notes"),
    WorkPart.SETTINGS: N_("settings"),
    WorkPart.CLASS: N_("the comparison of the class"),
    WorkPart.DOCUMENTS: N_("the list of files"),
    WorkPart.PSEUDONYMS: N_("the name key"),
}


def _losses(unsaved: Collection[WorkPart]) -> Iterator[str]:
    """Say what is lost without saving."""
    if unsaved:
        parts = joined_items(_(name) for part, name in _PARTS.items() if part in unsaved)
        yield _("Lost if you don't save: {parts}.").format(parts=parts)
    if WorkPart.PSEUDONYMS in unsaved:
        yield _(
            "Without the name key you can no longer tell which students the reports exported without names "
            "are about."
        )


class UnsavedWorkGuard:
    """Runs an action that discards the session, after unsaved work is saved or discarded."""

    def __init__(self, window: QWidget, keeper: SessionKeeper, saving: SessionSaving) -> None:
        self._window = window
        self._keeper = keeper
        self._saving = saving
        self._dialog: UnsavedDialog | None = None
        self._may_close = False

    def may_close(self) -> bool:
        """Return whether the window can be closed; if not, ask, and close it depending on the answer."""
        if self._may_close or not (self._keeper.is_modified or self._keeper.is_saving):
            return True
        self.run_if_saved(self._close_window)
        return False

    def run_if_saved(self, then: Callable[[], object]) -> None:
        """Run `then` at once if no work would be lost; otherwise ask first."""
        if self._dialog is not None:
            return  # already asking
        if self._keeper.is_saving:
            self._saving.run_after_saving(lambda: self.run_if_saved(then))
            return
        if not self._keeper.is_modified:
            then()
            return
        name = display_name(self._keeper.path.stem) if self._keeper.path else ""
        self._dialog = dialog = UnsavedDialog(name, self._keeper.unsaved, self._window)
        dialog.finished.connect(self._forget_dialog)
        dialog.save_chosen.connect(lambda: self._save_then(then))
        dialog.discard_chosen.connect(then)
        dialog.open()

    def _close_window(self) -> None:
        self._may_close = True
        self._window.close()

    def _forget_dialog(self) -> None:
        self._dialog = None

    def _save_then(self, then: Callable[[], object]) -> None:
        self._saving.run_after_saving(lambda: self._continue(then))
        self._saving.save()

    def _continue(self, then: Callable[[], object]) -> None:
        """Continue after saving; ask again only for decisions made meanwhile, not for files."""
        if self._keeper.has_unsaved_decisions:
            self.run_if_saved(then)
        else:
            then()
