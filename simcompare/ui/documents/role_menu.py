"""Menu of the roles of documents: essay of the class, draft, earlier work, template."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from simcompare.cohort.class_check import DocumentRole
from simcompare.support.i18n import N_, _
from simcompare.ui.documents.document_rows import DocumentRow
from simcompare.ui.labels import role_name
from simcompare.ui.state.language import follow_language

_TIPS = {
    DocumentRole.CURRENT: N_("Compared with the other essays of the class and with earlier work."),
    DocumentRole.DRAFT: N_("Not compared: another file of the student counts."),
    DocumentRole.OLD: N_("Compared with the essays of the class, but not with other earlier work."),
    DocumentRole.TEMPLATE: N_("Not compared. Its sentences are left out of all essays."),
}


class RoleMenu(QMenu):
    """Ticks the common role of the selected documents, and marks the one that was detected."""

    chosen = Signal(object)
    """A DocumentRole, or None for the one that was detected."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setToolTipsVisible(True)
        self._detected: DocumentRole | None = None
        self.roles = {role: self._add(partial(self.chosen.emit, role)) for role in _TIPS}
        for action in self.roles.values():
            action.setCheckable(True)
        self.addSeparator()
        self.as_detected = self._add(partial(self.chosen.emit, None))
        follow_language(self._retranslate)

    def _add(self, do: "partial[None]") -> QAction:
        action = self.addAction("")
        action.triggered.connect(lambda _checked: do())
        return action

    def show_roles(self, rows: Sequence[DocumentRow]) -> None:
        """Show the roles of documents; without any the menu is hidden."""
        self.menuAction().setVisible(bool(rows))
        roles, is_chosen = {row.role for row in rows}, any(row.is_chosen for row in rows)
        for role, action in self.roles.items():
            action.setChecked(roles == {role})
        self._detected = None if is_chosen or len(roles) != 1 else next(iter(roles))
        self.as_detected.setEnabled(is_chosen)
        self._show_names()

    def _show_names(self) -> None:
        for role, action in self.roles.items():
            name = role_name(role)
            action.setText(_("{role} (detected)").format(role=name) if role is self._detected else name)

    def _retranslate(self) -> None:
        self.setTitle(_("Use as"))
        self.as_detected.setText(_("As detected"))
        for role, action in self.roles.items():
            action.setToolTip(_(_TIPS[role]))
        self._show_names()
