"""Questions about exports: replace files, and close the window while reports are written."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from simcompare.support.display_text import display_name, escape_invisible
from simcompare.support.i18n import _, ngettext
from simcompare.ui.style.dialogs import QuestionDialog
from simcompare.ui.style.layouts import default_button, other_button

_WIDTH_PX = 440


class ReplaceDialog(QuestionDialog):
    def __init__(self, paths: Sequence[Path], parent: QWidget) -> None:
        super().__init__(
            _("Replace?"), _replace_question(paths), _replace_explanation(paths), parent, _WIDTH_PX
        )
        self.replace_button = other_button(_("Replace"), self.accept)
        self.lay_out(None, self.replace_button, self.cancel_button)


class ClosingDialog(QuestionDialog):
    """Asks whether to wait for exports (accepted) or to stop them; closes before it emits a signal."""

    stop_chosen = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(
            _("Reports are being saved"),
            _("{name} is still being saved.").format(name=display_name(name)),
            _("If you stop now, nothing is saved."),
            parent,
            _WIDTH_PX,
        )
        self.wait_button = default_button(_("Close when done"), self.accept)
        self.stop_button = other_button(_("Stop and close"), self.reject)
        self.stop_button.clicked.connect(self.stop_chosen)
        self.lay_out(self.stop_button, self.wait_button, self.wait_button)


def _replace_question(paths: Sequence[Path]) -> str:
    if len(paths) == 1:
        return _("{name} already exists. Replace it?").format(name=display_name(paths[0].name))
    return ngettext(
        "{count} file already exists. Replace it?",
        "{count} files already exist. Replace them?",
        len(paths),
    )


def _replace_explanation(paths: Sequence[Path]) -> str:
    folder = escape_invisible(str(paths[0].parent))
    if len(paths) == 1:
        return folder
    return "\n".join([folder, *(display_name(path.name) for path in paths)])
