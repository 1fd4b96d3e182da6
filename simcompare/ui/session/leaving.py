"""Leaving work: a person is asked what is to become of what is not saved."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from simcompare.ui.session.keeper import SessionKeeper
from simcompare.ui.session.saving import Saving
from simcompare.ui.session.unsaved_dialog import UnsavedDialog
from simcompare.visible import visible_name


class Leaving:
    """Goes on to something else once no work is lost by it."""

    def __init__(self, window: QWidget, keeper: SessionKeeper, saving: Saving) -> None:
        self._window = window
        self._keeper = keeper
        self._saving = saving
        self._dialog: UnsavedDialog | None = None
        self._may_close = False

    def may_close(self) -> bool:
        """Whether the window can be closed; else a person is asked, and it closes if that is the answer."""
        if self._may_close or not (self._keeper.is_modified or self._keeper.is_saving):
            return True
        self.leave(self._close_window)
        return False

    def leave(self, then: Callable[[], object]) -> None:
        """Go on at once where no work is lost by it; else ask what is to become of it."""
        if self._dialog is not None:
            return  # it is being asked
        if self._keeper.is_saving:
            self._saving.go_on_with(lambda: self.leave(then))
            return
        if not self._keeper.is_modified:
            then()
            return
        name = visible_name(self._keeper.path.stem) if self._keeper.path else ""
        self._dialog = dialog = UnsavedDialog(name, self._window)
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
        self._saving.go_on_with(lambda: self._go_on(then))
        self._saving.save()

    def _go_on(self, then: Callable[[], object]) -> None:
        """Go on once all is saved; what was judged meanwhile is asked about, what was read is not."""
        if self._keeper.has_unsaved_judgements:
            self.leave(then)
        else:
            then()
