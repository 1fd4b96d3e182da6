"""Bar above the class that says once that common sentences are left out, and proposes templates."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from simcompare.session.school_class import CommonSentence, DocumentRole
from simcompare.support.i18n import _, ngettext
from simcompare.ui.notice_bar import NoticeBar
from simcompare.ui.state.changes import SettingsPart
from simcompare.ui.state.cohort.class_state import MIN_DOCUMENTS, ClassPart
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.workspace import Workspace

_NEARLY_ALL = 0.8


class CommonTextBar(NoticeBar):
    """Shows the number of sentences left out as common to the class, until it is answered or dismissed.

    A document that consists of common sentences is proposed as a template first.
    """

    view_requested = Signal()
    """Show the common sentences."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("quietNotice")
        for button in (self.also_button, self.show_button, self.dismiss_button):
            button.setObjectName("statusLink")
        self._workspace = workspace
        self._is_answered = False
        self._dismissed_templates: set[int] = set()
        self.dismiss_button.clicked.connect(self._forget_question)
        workspace.class_state.changed.connect(self._follow_class)
        workspace.settings_changed.connect(self._follow_settings)
        workspace.documents_changed.connect(self._follow_documents)
        follow_language(self._show_question)

    def _follow_class(self, changed: ClassPart) -> None:
        if changed & (ClassPart.STUDENTS | ClassPart.COMMON):
            self._show_question()

    def _follow_settings(self, changed: SettingsPart) -> None:
        if SettingsPart.EXCLUSIONS in changed:
            self._show_question()

    def _follow_documents(self) -> None:
        """Reset the question if another class is opened."""
        if not self._workspace.documents.entries:
            self._is_answered = False
            self._dismissed_templates.clear()
            self._show_question()

    def _show_question(self) -> None:
        if templates := self._proposed_templates():
            self._propose(templates)
        elif sentences := self._left_out():
            text = common_in_words(sentences, self._workspace)
            self.show_notice(
                text, self._count_them, _("Count all of them"), (_("Show"), self.view_requested.emit)
            )
        else:
            self.hide()

    def _propose(self, keys: Sequence[int]) -> None:
        if len(keys) == 1:
            text = _("{name} consists of sentences that nearly all essays have. Is it a template?")
        else:
            text = _(
                "{count} documents consist of sentences that nearly all essays have. Are they templates?"
            )
        text = text.format(name=self._workspace.documents.name_of(keys[0]), count=f"{len(keys):,}")
        words = ngettext("Use as template", "Use as templates", len(keys))
        other = ngettext("Not a template", "Not templates", len(keys))
        self.show_notice(
            text,
            lambda: self._use_as(keys, DocumentRole.TEMPLATE),
            words,
            (other, lambda: self._use_as(keys, DocumentRole.CURRENT)),
        )

    def _proposed_templates(self) -> list[int]:
        is_class = len(self._workspace.documents.entries) >= MIN_DOCUMENTS
        proposed = self._workspace.class_state.proposed_templates if is_class else ()
        return [key for key in proposed if key not in self._dismissed_templates]

    def _left_out(self) -> list[CommonSentence]:
        state = self._workspace.class_state
        if self._is_answered or not self._workspace.settings.exclude_common:
            return []
        return [each for each in state.common if not state.is_counted(each.digest)]

    def skip_question(self) -> None:
        """Show no notice on common sentences: it was shown when the session was made."""
        self._is_answered = True
        self._show_question()

    # --- answers

    def _use_as(self, keys: Collection[int], role: DocumentRole) -> None:
        self._workspace.class_state.set_role(keys, role)

    def _count_them(self) -> None:
        self._workspace.set_settings(replace(self._workspace.settings, exclude_common=False))

    def _forget_question(self) -> None:
        if templates := self._proposed_templates():
            self._dismissed_templates.update(templates)
            self._show_question()
        else:
            self.skip_question()


def common_in_words(sentences: Sequence[CommonSentence], workspace: Workspace) -> str:
    """Return the numbers of sentences left out and of essays that have them."""
    essays = read_essays(workspace)
    if len(essays) < MIN_DOCUMENTS:
        return ngettext(
            "{count} sentence of the task, cover or declaration is in both and is left out.",
            "{count} sentences of the task, cover or declaration are in both and are left out.",
            len(sentences),
        )
    fewest = min(len({*each.documents}.intersection(essays)) for each in sentences)
    if fewest >= _NEARLY_ALL * len(essays):
        return ngettext(
            "{count} sentence is in nearly all essays and is left out.",
            "{count} sentences are in nearly all essays and are left out.",
            len(sentences),
        )
    return ngettext(
        "{count} sentence is in many essays and is left out.",
        "{count} sentences are in many essays and are left out.",
        len(sentences),
    )


def read_essays(workspace: Workspace) -> set[int]:
    """Return the keys of the essays of the class that could be read."""
    role_of, entries = workspace.class_state.role_of, workspace.documents.entries.items()
    return {key for key, entry in entries if entry.error is None and role_of(key) is DocumentRole.CURRENT}
