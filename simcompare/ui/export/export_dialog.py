"""Export dialog: source, form, language, names, destination, and a preview."""

from collections.abc import Callable, Sequence
from pathlib import Path, PurePath

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from simcompare.export.export_context import failure_cause
from simcompare.export.export_tasks import Preview
from simcompare.export.exports import FOLDER, ONE_FILE, ExportPlan, ExportSource
from simcompare.export.output_paths import existing, output_refusal
from simcompare.report.report_forms import CASE_SUFFIX
from simcompare.report.wording import named
from simcompare.support.display_text import display_name
from simcompare.support.i18n import LANGUAGES, _, current_language
from simcompare.ui.export.export_fields import ExportMemory, FolderField, NameField, NamesField
from simcompare.ui.export.export_questions import ReplaceDialog
from simcompare.ui.export.export_queue import RequestRunner
from simcompare.ui.export.preview_view import PreviewView
from simcompare.ui.state.document_listing import display_names
from simcompare.ui.style.dialogs import Dialog
from simcompare.ui.style.layouts import (
    Row,
    column_of,
    default_button,
    grid_of,
    keep_size_when_hidden,
    other_button,
    row_of,
    set_options,
)
from simcompare.ui.style.text_labels import MutedLabel, TwoLineLabel, announce, elided_name
from simcompare.ui.style.theme import GRID_PX, scaled

_MOST_LABEL_WIDTH_PX = 296
_NAME_SEPARATOR = " ↔ "


class SourceField(QWidget):
    """Radio buttons for the sources; a label if there is only one."""

    changed = Signal()

    def __init__(self, sources: Sequence[ExportSource], first: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sources = sources
        self.buttons = [_button(source) for source in sources]
        group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 2 * GRID_PX)
        column.setSpacing(0)  # six sources, all fields and a message fit in 600 pixels
        for button, source in zip(self.buttons, sources, strict=True):
            group.addButton(button)
            button.setChecked(source.key == first)
            column.addWidget(button)
        if self.is_plain:
            self.buttons[0].hide()
            column.addWidget(MutedLabel(sources[0].names or sources[0].title))
        group.buttonClicked.connect(self.changed)

    @property
    def is_plain(self) -> bool:
        return len(self._sources) == 1

    @property
    def source(self) -> ExportSource:
        return self._sources[next(n for n, button in enumerate(self.buttons) if button.isChecked())]


def _button(source: ExportSource) -> QRadioButton:
    """Return the button of a source; its text is the two names if there are only two, shortened to fit."""
    button = QRadioButton()
    label = _shortened(button.fontMetrics(), source.names or source.title)
    button.setText(label.replace("&", "&&"))
    button.setToolTip(source.names or (source.title if label != source.title else ""))
    button.setAccessibleName(named(source.title, source.names) if source.names else source.title)
    return button


def _shortened(metrics: QFontMetrics, label: str) -> str:
    """Shorten a label to fit; both of two names, without the parts that they share if possible."""
    if metrics.horizontalAdvance(label) <= scaled(_MOST_LABEL_WIDTH_PX):
        return label
    names = display_names([PurePath(name) for name in label.split(_NAME_SEPARATOR)])
    widths = [metrics.horizontalAdvance(name.text) for name in names]
    available = scaled(_MOST_LABEL_WIDTH_PX) - metrics.horizontalAdvance(_NAME_SEPARATOR) * (len(names) - 1)
    # a short name leaves its unused width to the other one
    limits = [max(available // len(names), available - sum(widths) + width) for width in widths]
    return _NAME_SEPARATOR.join(
        elided_name(metrics, name.text, limit, name.shared) for name, limit in zip(names, limits, strict=True)
    )


_SIZE_PX = QSize(980, 640)
_CHOICES_PX = 400
_CAPTION_LINES = 2
"""Lines of the longest caption, so that the preview above does not move."""
_PREVIEW_DELAY_MS = 120
_WAITING_MESSAGE_DELAY_MS = 300
"""A preview that is ready sooner is shown without a message before."""


class ExportDialog(Dialog):
    """Dialog for one export.

    originals: the compared files, never overwritten; `pending_paths` returns the paths of queued exports.
    """

    confirmed = Signal(object, object)
    """The source and the plan; emitted once."""

    def __init__(
        self,
        sources: Sequence[ExportSource],
        originals: Sequence[Path],
        previews: RequestRunner,
        names: NamesField,
        memory: ExportMemory,
        pending_paths: Callable[[], Sequence[Path]],
        parent: QWidget,
    ) -> None:
        super().__init__(_("Export"), parent)
        self._originals = originals
        self._pending_paths = pending_paths
        self._previews = previews
        self._memory = memory
        self.names = names
        self.resize(QSize(*map(scaled, _SIZE_PX.toTuple())).boundedTo(parent.size()))
        self.source_field = SourceField(sources, memory.source([source.key for source in sources]))
        self.form, self.language = QComboBox(), QComboBox()
        self.with_notes = QCheckBox(_("With my notes"))
        self.course, self.teacher = (QLineEdit(memory.course), QLineEdit(memory.teacher))
        self.name, self.folder, self.packing = NameField(), FolderField(), QComboBox()
        self.detail, self.message = TwoLineLabel(), MutedLabel()
        self.detail.setObjectName("muted")
        self.detail.cut = Qt.TextElideMode.ElideRight
        self.preview, self.caption = PreviewView(), MutedLabel()
        self.export_button = default_button(_("Export"), self._confirm)
        self.cancel_button = other_button(_("Cancel"), self.reject)
        self._preview_timer = QTimer(self, singleShot=True, interval=_PREVIEW_DELAY_MS)
        self._waiting_timer = QTimer(self, singleShot=True, interval=_WAITING_MESSAGE_DELAY_MS)
        self._fill()
        choices = QWidget()
        choices.setFixedWidth(scaled(_CHOICES_PX))
        below = ((self.caption, 1), self.cancel_button, self.export_button)
        buttons = row_of(None, *below, spacing_px=GRID_PX * 2)
        fields = (self._grid(), self.names.warning, self.message)
        column_of(choices, *fields, None, spacing_px=GRID_PX * 3)
        self.detail.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.caption.setMinimumHeight(_CAPTION_LINES * self.fontMetrics().lineSpacing())
        self.caption.setContentsMargins(choices.width() + GRID_PX * 5, 0, 0, 0)  # below the preview
        keep_size_when_hidden(self.caption)
        parts = row_of(None, choices, (self.preview, 1), spacing_px=GRID_PX * 5)
        column_of(self, (parts, 1), buttons, spacing_px=GRID_PX * 2, margins_px=GRID_PX * 4)
        self.source_field.changed.connect(self._show_forms)
        self.form.currentIndexChanged.connect(self._show_form)
        self.packing.currentIndexChanged.connect(self._show_form)
        self.language.currentIndexChanged.connect(self._show_name)
        self.language.currentIndexChanged.connect(self._preview_timer.start)
        self.with_notes.toggled.connect(self._preview_timer.start)
        self.with_notes.clicked.connect(self._keep_notes)
        self.names.box.toggled.connect(self._show_notes)
        self.names.changed.connect(self._show_form)
        for line in (self.course, self.teacher):
            line.textEdited.connect(self._preview_timer.start)
        self.name.edited.connect(self._show_state)
        self.name.suffix_typed.connect(self._apply_suffix)
        self.name.folder_typed.connect(self.folder.line.setText)
        self.folder.line.textChanged.connect(self._show_state)
        self._preview_timer.timeout.connect(self._request_preview)
        self._waiting_timer.timeout.connect(lambda: self.preview.show_message(_("Preparing the preview…")))
        self._previews.answered.connect(self._show_preview)
        self._previews.waiting.connect(self._waiting_timer.start)
        self._show_forms()
        self.form.setFocus()

    # build

    def _fill(self) -> None:
        for code, language in LANGUAGES.items():
            self.language.addItem(language.name, code)
        self.language.setCurrentIndex(self.language.findData(self._memory.language or current_language()))
        self._with_notes = dict(self._memory.with_notes)
        self._show_notes()
        self.folder.folder = self._memory.folder

    def _grid(self) -> QGridLayout:
        self._packing_label, self._case_label = QLabel(_("Pack as")), QLabel(_("Course"))
        self._case = QWidget()
        row_of(self._case, self.course, self.teacher, spacing_px=GRID_PX * 2)
        for line, name in ((self.course, _("Course")), (self.teacher, _("Teacher"))):
            line.setPlaceholderText(name)
            line.setAccessibleName(name)
            line.setToolTip(name)
        source_label = QLabel(_("Content"))
        source_label.setContentsMargins(0, 0 if self.source_field.is_plain else GRID_PX, 0, 0)
        for field, name in (
            (self.form, _("Save as")),
            (self.language, _("Language of the report")),
            (self.name.line, _("Name")),
            (self.folder.line, _("Folder")),
            (self.packing, _("Pack as")),
        ):
            field.setAccessibleName(name)
        rows: list[Row] = [
            (source_label, self.source_field),
            (QLabel(_("Save as")), self.form),
            (None, self.detail),
            (QLabel(_("Language")), self.language),
            (None, self.with_notes),
            (None, self.names),
            (QLabel(_("Name")), self.name),
            (QLabel(_("Folder")), self.folder),
            (self._packing_label, self.packing),
            (self._case_label, self._case),  # the last two, as they are hidden for most contents and forms
        ]
        return grid_of(rows, at_top=self.source_field)

    # choices

    @property
    def source(self) -> ExportSource:
        return self.source_field.source

    @property
    def plan(self) -> ExportPlan:
        return ExportPlan(
            self.form.currentData(),
            self.language.currentData(),
            self.with_notes.isChecked(),
            self.folder.folder,
            self.name.name,
            self.packing.currentData() or ONE_FILE,
            self.names.pseudonyms,
            self.course.text().strip(),
            self.teacher.text().strip(),
        )

    def _show_forms(self) -> None:
        source = self.source
        self.names.set_exported(source.files)
        set_options(
            self.form, source.forms, self._memory.choice(f"form of {source.key}") or source.kind.usual
        )
        has_one_file = any(packing == ONE_FILE for packing, _label in source.packings)
        set_options(
            self.packing, source.packings, ONE_FILE if has_one_file else self._memory.choice("packing")
        )
        for part in (self._packing_label, self.packing):
            part.setVisible(bool(source.packings))
        self._show_form()

    def _keep_notes(self, wanted: bool) -> None:
        self._with_notes[self.names.box.isChecked()] = wanted

    def _show_notes(self) -> None:
        """Restore the choice of notes, which is kept apart for anonymous exports."""
        self.with_notes.setChecked(self._with_notes[self.names.box.isChecked()])

    def _show_form(self) -> None:
        source, form = self.source, self.form.currentData()
        # a committee needs those of a case file, which is verified by them
        self.names.suggest(replaced=self._memory.replaces_names and form != CASE_SUFFIX)
        for part in (self._case_label, self._case):
            part.setVisible(form == CASE_SUFFIX and not self.names.box.isChecked())
        self.detail.setText(source.detail(form))
        self.caption.setText(source.caption(form))
        self.caption.setVisible(bool(source.caption(form)))
        self._show_name()
        self._show_state()
        self._request_preview()

    def _show_name(self) -> None:
        plan = self.plan
        name = self.source.name(plan)
        self.name.setEnabled(bool(name))
        self.name.suggest(name, plan.suffix if name else "")

    def _apply_suffix(self, suffix: str) -> None:
        # a bundle of .pdf reports is a folder or zip
        boxes = (
            (self.packing, self.form) if self.packing.currentData() in {None, ONE_FILE} else (self.packing,)
        )
        for box in boxes:
            index = box.findData(suffix)
            if index >= 0:
                self.name.remove_suffix(suffix)
                box.setCurrentIndex(index)
                return

    def _show_state(self) -> None:
        source, plan = self.source, self.plan
        problem = self.name.problem if source.name(plan) else ""
        if self.names.is_ready and not problem and not source.paths(plan):
            problem = _("None of these files can be annotated; see the preview.")
        has_folder = bool(self.folder.line.text().strip())
        self.export_button.setEnabled(not problem and has_folder and self.names.is_ready)
        self._show_message(problem or self.names.problem)

    def _show_message(self, text: str) -> None:
        self.message.setObjectName("danger")
        if text and text != self.message.text():
            announce(self, text)
        self.message.setText(text)
        self.message.setVisible(bool(text))
        layout = self.layout()
        needed_px = layout.totalMinimumHeightForWidth(self.width()) if layout is not None else 0
        self.resize(self.width(), max(self.height(), needed_px))  # space for the whole message

    # preview

    def _request_preview(self) -> None:
        if self.names.is_ready:
            self._previews.request(self.source.preview(self.plan))
        else:
            self.preview.show_message(_("Finding names…"))

    def _show_preview(self, preview: Preview | Exception) -> None:
        self._waiting_timer.stop()
        if not self.names.is_ready:
            return  # it contains names
        if isinstance(preview, Exception):
            self.preview.show_message(_("There is no preview: {cause}").format(cause=failure_cause(preview)))
        else:
            self.preview.show_preview(preview)

    # confirm

    def _confirm(self) -> None:
        self.name.settle()
        source, plan = self.source, self.plan
        paths = source.paths(plan)
        refusal = output_refusal(plan.folder, paths, self._originals, self._pending_paths())
        replaced = existing(paths)
        if not refusal and replaced and plan.packing == FOLDER:
            words = _("{name} already exists and is not replaced. Choose another name.")
            refusal = words.format(name=display_name(replaced[0].name))
        if refusal:
            self._show_message(refusal)
        elif replaced:
            question = ReplaceDialog(replaced, self)
            question.accepted.connect(lambda: self._finish(source, plan))
            question.open()
        else:
            self._finish(source, plan)

    def _finish(self, source: ExportSource, plan: ExportPlan) -> None:
        self._memory.remember(source.key, plan)
        self.accept()
        self.confirmed.emit(source, plan)
