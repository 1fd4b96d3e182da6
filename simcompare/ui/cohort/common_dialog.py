"""View of the sentences common to the class: which count, and who has each of them."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QWidget,
)

from simcompare.report.wording import enumerated
from simcompare.session.school_class import CommonSentence, DocumentRole
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.access.rows_table import Column, RowsTable
from simcompare.ui.labels import add_clear_button, role_name
from simcompare.ui.notice_bar import NoticeBar
from simcompare.ui.state.changes import SettingsPart, follow_parts
from simcompare.ui.state.cohort.class_state import MIN_DOCUMENTS, ClassPart
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.dialogs import ButtonKeysDialog
from simcompare.ui.style.layouts import FocusFrame, column_of, push_button, row_of
from simcompare.ui.style.text_labels import MutedLabel, WrappedLabel
from simcompare.ui.style.theme import GRID_PX, scaled

_NEARLY_ALL = 0.8


class CommonTextBar(NoticeBar):
    """Shows the number of sentences left out as common to the class, until it is answered or dismissed.

    A document that consists of common sentences is proposed as a template first.
    """

    view_requested = Signal()
    """Show the common sentences."""
    question_changed = Signal()

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("quietNotice")
        for button in (self.also_button, self.show_button, self.dismiss_button):
            button.setObjectName("statusLink")
        self._workspace = workspace
        self._is_answered = False
        self.dismiss_button.clicked.connect(self._forget_question)
        of_class = ClassPart.STUDENTS | ClassPart.COMMON
        follow_parts(self, workspace.class_state.changed, of_class, self._show_question)
        follow_parts(self, workspace.settings_changed, SettingsPart.EXCLUSIONS, self._show_question)
        workspace.documents_changed.connect(self._follow_documents)
        follow_language(self._show_question)

    def _follow_documents(self) -> None:
        """Reset the question if another class is opened."""
        if not self._workspace.documents.entries:
            self._is_answered = False
            self._show_question()

    def _show_question(self) -> None:
        if templates := self._proposed_templates():
            self._propose(templates)
        elif sentences := self._left_out():
            text = common_in_words(sentences, self._workspace)
            count = ngettext("Count it", "Count all of them", len(sentences))
            self.show_notice(text, self._count_them, count, (_("Show"), self.view_requested.emit))
        else:
            self.hide()
        self.question_changed.emit()

    def _propose(self, keys: Sequence[int]) -> None:
        names = [*map(self._workspace.documents.name_of, keys)]
        if all(map(self._workspace.class_state.is_named_as_task, keys)):
            text = _("This looks like the question, not an essay: {name}. Use it as a template?")
        elif len(keys) == 1:
            text = _("{name} consists of sentences that nearly all essays have. Is it a template?")
        else:
            text = _(
                "{count} documents consist of sentences that nearly all essays have. Are they templates?"
            )
        text = text.format(name=enumerated(names), count=f"{len(keys):,}")
        words = ngettext("Use it", "Use them", len(keys))
        self.show_notice(
            text,
            lambda: self._use_as(keys, DocumentRole.TEMPLATE),
            words,
            (_("No"), lambda: self._use_as(keys, DocumentRole.CURRENT)),
        )

    @property
    def is_urgent(self) -> bool:
        """True if all figures depend on the answer."""
        return bool(self._proposed_templates())

    def _proposed_templates(self) -> list[int]:
        is_class = len(self._workspace.documents.entries) >= MIN_DOCUMENTS
        return [*self._workspace.class_state.proposed_templates] if is_class else []

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
            self._use_as(templates, DocumentRole.CURRENT)  # as an answer: it is kept with the session
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


_SIZE_PX = QSize(920, 580)
_HOLDER_PX = 7 * GRID_PX
_SPLIT_PX = (600, 280)
_KEY = Qt.ItemDataRole.UserRole


class CommonSentencesDialog(ButtonKeysDialog):
    pair_requested = Signal(int, int)
    """Keys of two documents that have the current sentence."""
    class_requested = Signal()
    """Show the class, which is filtered by the documents that have the current sentence."""

    def __init__(self, workspace: Workspace, parent: QWidget) -> None:
        super().__init__(parent)
        translated(self, windowTitle=N_("Common sentences"))
        self._workspace = workspace
        self._window = parent
        self.explanation = translated(
            MutedLabel(),
            N_(
                "These sentences are in many essays, or in both of two: the question, a cover, a declaration "
                "or a form. A ticked sentence is left out of all shares. Sentences that only a group of "
                "similar essays has are not listed here; they count."
            ),
        )
        self.exclude_box = translated(QCheckBox(), N_("Leave out common sentences"))
        search = N_("Sentence or name contains")
        self.search = translated(QLineEdit(), placeholderText=search, accessibleName=search)
        add_clear_button(self.search)
        self.table = RowsTable(self._columns(), lambda sentence: sentence.digest)
        translated(self.table, accessibleName=N_("Common sentences"))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.sentence, self.holders_title, self.count = WrappedLabel(), MutedLabel(), MutedLabel()
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.holders = translated(QListWidget(), accessibleName=N_("Documents with this sentence"))
        self.holders.setObjectName("plainTable")
        self.holders.setFrameShape(QFrame.Shape.NoFrame)
        self.holders.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.filter_button = push_button(N_("Show these essays in the class"), self._filter_class)
        self.open_button = push_button(N_("Open side by side"), self._open_pair)
        self.close_button = push_button(N_("Close"), self.reject)
        buttons = (self.filter_button, self.open_button, self.close_button)
        for button in buttons:
            button.setAutoDefault(False)
        FocusFrame(self.holders)
        above = row_of(None, self.exclude_box, None, self.search, spacing_px=GRID_PX * 3)
        right = QWidget()
        beside = (self.sentence, self.holders_title, (self.holders, 1))
        column_of(right, *beside, spacing_px=GRID_PX * 2, margins_px=(GRID_PX * 4, GRID_PX * 2, 0, 0))
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.addWidget(self.table)
        halves.addWidget(right)
        halves.setStretchFactor(0, 1)
        halves.setSizes(list(_SPLIT_PX))
        halves.setChildrenCollapsible(False)
        below = row_of(None, (self.count, 1), *buttons, spacing_px=GRID_PX * 2)
        parts = (self.explanation, above, (halves, 1), below)
        column_of(self, *parts, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 5)
        self.search.setMinimumWidth(_SPLIT_PX[1])
        self.table.model_of_rows.ticked.connect(self._tick)
        self.exclude_box.clicked.connect(self._exclude)
        self.search.textChanged.connect(self._follow)
        self.table.selectionModel().currentRowChanged.connect(self._show_holders)
        self.holders.itemSelectionChanged.connect(self._enable_buttons)
        self.holders.itemActivated.connect(self._open_pair)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.search.setFocus)
        workspace.class_state.changed.connect(self._follow_class)
        workspace.settings_changed.connect(self._follow_settings)
        follow_language(self._follow)

    def _columns(self) -> tuple[Column[CommonSentence], ...]:
        return (
            Column(
                N_("Sentence"),
                lambda sentence: " ".join(escape_invisible(sentence.text).split()),
                lambda sentence: sentence.text.casefold(),
                tip=lambda sentence: escape_invisible(sentence.text),
                spoken=self._spoken,
                is_ticked=self._is_left_out,
                is_stretched=True,
            ),
            Column(
                N_("Essays"),
                lambda sentence: f"{len(self._essays_of(sentence)):,}",
                lambda sentence: len(self._essays_of(sentence)),
                is_number=True,
                is_greatest_first=True,
            ),
        )

    def open_view(self) -> None:
        if not self.testAttribute(Qt.WidgetAttribute.WA_Resized):
            self.resize(_SIZE_PX.boundedTo(self._window.size()))
        self._follow()
        self.show()
        self.raise_()
        self.activateWindow()
        self.table.setFocus()

    # --- contents

    def _follow_class(self, changed: ClassPart) -> None:
        if self.isVisible() and changed & (ClassPart.STUDENTS | ClassPart.COMMON):
            self._follow()

    def _follow(self) -> None:
        """List the sentences of the class as it is now that match the filter; the current one stays."""
        self.filter_button.setVisible(len(self._workspace.documents.entries) >= MIN_DOCUMENTS)
        self.table.show_rows([each for each in self._workspace.class_state.common if self._matches(each)])
        if self.table.current() is None:
            self.table.select_row(0)
        self._show_texts()
        self._show_holders()

    def _matches(self, sentence: CommonSentence) -> bool:
        wanted, names = self.search.text().strip().casefold(), self._workspace.documents.names
        holders = (names[key].text for key in sentence.documents if key in names)
        return any(wanted in text.casefold() for text in (sentence.text, *holders))

    def _is_left_out(self, sentence: CommonSentence) -> bool:
        state = self._workspace.class_state
        return self._workspace.settings.exclude_common and not state.is_counted(sentence.digest)

    def _spoken(self, sentence: CommonSentence) -> str:
        words = _("left out: {sentence}") if self._is_left_out(sentence) else _("counts: {sentence}")
        return words.format(sentence=escape_invisible(sentence.text))

    def _essays_of(self, sentence: CommonSentence) -> list[int]:
        role_of = self._workspace.class_state.role_of
        return [key for key in sentence.documents if role_of(key) is DocumentRole.CURRENT]

    def _follow_settings(self, changed: SettingsPart) -> None:
        if SettingsPart.EXCLUSIONS in changed:
            self.table.model_of_rows.emit_changed()
            self._show_texts()

    def _show_texts(self) -> None:
        # without exclusion of common sentences nothing can be ticked
        self.table.model_of_rows.can_tick = self._workspace.settings.exclude_common
        self.exclude_box.setChecked(self._workspace.settings.exclude_common)
        sentences = self._workspace.class_state.common
        left_out = sum(map(self._is_left_out, sentences))
        words = ngettext("{count} sentence", "{count} sentences", len(sentences))
        self.count.setText(
            f"{words} · " + ngettext("{count} not in the shares", "{count} not in the shares", left_out)
        )

    def _show_holders(self) -> None:
        sentence = self.table.current()
        self.holders.clear()
        self.sentence.setText(self._none_in_words() if sentence is None else escape_invisible(sentence.text))
        self.holders_title.setText("")
        if sentence is not None:
            self._list_holders(sentence)
        self._enable_buttons()

    def _none_in_words(self) -> str:
        if self._workspace.class_state.common:
            return _("No sentence or file name contains this.")
        return _("The essays of this class have no such sentences.")

    def _list_holders(self, sentence: CommonSentence) -> None:
        state, names = self._workspace.class_state, self._workspace.documents.names
        keys = [key for key in sentence.documents if key in names]
        for key in sorted(keys, key=lambda key: state.role_of(key) is not DocumentRole.CURRENT):
            role, name = state.role_of(key), names[key].text
            item = QListWidgetItem(name if role is DocumentRole.CURRENT else f"{name} · {role_name(role)}")
            item.setToolTip(name)
            item.setData(_KEY, key)
            item.setSizeHint(QSize(0, scaled(_HOLDER_PX)))
            if role is not DocumentRole.CURRENT:
                item.setForeground(self.palette().placeholderText())
            self.holders.addItem(item)
        text = _("In {count} of {total} essays").format(
            count=len(self._essays_of(sentence)), total=len(read_essays(self._workspace))
        )
        self.holders_title.setText(text)

    # --- actions

    def _tick(self, sentences: Sequence[CommonSentence], is_left_out: bool) -> None:
        digests = [sentence.digest for sentence in sentences]
        self._workspace.class_state.count_common(digests, not is_left_out)

    def _exclude(self, excluded: bool) -> None:
        settings = self._workspace.settings
        self._workspace.set_settings(replace(settings, exclude_common=excluded))

    def _enable_buttons(self) -> None:
        self.filter_button.setEnabled(self.table.current() is not None)
        can_open = bool(self.holders.selectedItems()) and self.holders.count() > 1
        self.open_button.setEnabled(can_open)
        tip = _("Choose two essays in the list above, or one to open it beside another.")
        self.open_button.setToolTip("" if can_open else tip)

    def _open_pair(self) -> None:
        """Open the two selected documents, or the current one beside another that has the sentence."""
        chosen = [item.data(_KEY) for item in self.holders.selectedItems()]
        others = [self.holders.item(row).data(_KEY) for row in range(self.holders.count())]
        pair = list(dict.fromkeys([*chosen, *others]))[:2]
        if chosen and len(pair) > 1:
            self.pair_requested.emit(*pair)

    def _filter_class(self) -> None:
        """Filter the class by the essays that have the current sentence, and leave the view."""
        sentence = self.table.current()
        if sentence is not None:
            self._workspace.class_filter.show_documents(self._essays_of(sentence))
            self.accept()
            self.class_requested.emit()
