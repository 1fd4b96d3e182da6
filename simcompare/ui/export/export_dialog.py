"""The dialog in which a person says what is exported, as what and where to, and sees how that will look."""

from collections.abc import Callable, Sequence
from pathlib import Path, PurePath

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFontMetrics
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from simcompare.export.export_jobs import why_not_made
from simcompare.export.export_tasks import Preview
from simcompare.export.output_paths import taken, why_not_there
from simcompare.report.wording import named
from simcompare.support.display_text import display_name
from simcompare.support.i18n import LANGUAGES, _, current_language
from simcompare.ui.export.destination_field import FolderField, NameField, Remembered
from simcompare.ui.export.export_questions import ReplaceDialog
from simcompare.ui.export.export_sources import FOLDER, ZIP, Plan, Source
from simcompare.ui.export.form_rows import Row, at_right, grid_of, keep_room, offer
from simcompare.ui.export.names_field import NamesField
from simcompare.ui.export.preview_view import Asking, PreviewView
from simcompare.ui.state.document_listing import display_names
from simcompare.ui.style.elided_label import MutedLabel, elided_name
from simcompare.ui.style.theme import GRID_PX

_MOST_PX = 296
_BETWEEN = " ↔ "


class WhatField(QWidget):
    """Buttons of which one is chosen; where there is but one thing, its name alone."""

    changed = Signal()

    def __init__(self, sources: Sequence[Source], first: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sources = sources
        self.buttons = [_button(source) for source in sources]
        group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 2 * GRID_PX)
        column.setSpacing(GRID_PX)
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
        """Whether there is nothing to choose."""
        return len(self._sources) == 1

    @property
    def source(self) -> Source:
        """What is chosen."""
        return self._sources[next(n for n, button in enumerate(self.buttons) if button.isChecked())]


def _button(source: Source) -> QRadioButton:
    """Return what chooses something; one that is about two texts names them, as far as there is room."""
    button = QRadioButton()
    words = source.names or source.title
    shown = _shortened(button.fontMetrics(), words)
    button.setText(shown.replace("&", "&&"))
    button.setToolTip(source.names)
    button.setAccessibleName(named(source.title, source.names) if source.names else source.title)
    return button


def _shortened(metrics: QFontMetrics, words: str) -> str:
    """Return what fits; of two names as much of each as tells them apart."""
    if metrics.horizontalAdvance(words) <= _MOST_PX:
        return words
    names = display_names([PurePath(name) for name in words.split(_BETWEEN)])
    widths = [metrics.horizontalAdvance(name.text) for name in names]
    room = _MOST_PX - metrics.horizontalAdvance(_BETWEEN) * (len(names) - 1)
    rooms = [max(room // len(names), room - sum(widths) + width) for width in widths]  # what others leave
    return _BETWEEN.join(
        elided_name(metrics, name.text, own_room, name.shared)
        for name, own_room in zip(names, rooms, strict=True)
    )


_SIZE_PX = QSize(980, 640)
_CHOICES_PX = 400
_DETAIL_LINES = 2
"""As many as the longest explanation of a form has, so that nothing jumps below it."""
_PREVIEW_AFTER_MS = 120
_SOON_MS = 300
"""What comes sooner is shown without a word in between."""


class ExportDialog(QDialog):
    """Tells what is to be written, once: `confirmed` carries the source and the plan.

    originals: the files to compare, which nothing replaces; `under_way` returns what is being written.
    """

    confirmed = Signal(object, object)

    def __init__(
        self,
        sources: Sequence[Source],
        originals: Sequence[Path],
        previewing: Asking,
        names: NamesField,
        remembered: Remembered,
        under_way: Callable[[], Sequence[Path]],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._originals = originals
        self._under_way = under_way
        self._previewing = previewing
        self._remembered = remembered
        self.names = names
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Export"))
        self.resize(_SIZE_PX.boundedTo(parent.size()))
        self.what = WhatField(sources, remembered.source([source.key for source in sources]))
        self.form, self.language = QComboBox(), QComboBox()
        self.with_notes = QCheckBox(_("With my notes"))
        self.name, self.folder, self.packing = NameField(), FolderField(), QComboBox()
        self.detail, self.message = MutedLabel(), MutedLabel()
        self.preview, self.caption = PreviewView(), MutedLabel()
        self.export_button, self.cancel_button = QPushButton(_("Export")), QPushButton(_("Cancel"))
        self._preview_soon = QTimer(self, singleShot=True, interval=_PREVIEW_AFTER_MS)
        self._wait_soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._fill()
        self._lay_out()
        self._listen()
        self._show_forms()
        self.form.setFocus()

    # what is there to choose

    def _fill(self) -> None:
        for code, name in LANGUAGES.items():
            self.language.addItem(name, code)
        self.language.setCurrentIndex(self.language.findData(self._remembered.language or current_language()))
        self._with_notes = {
            anonymous: self._remembered.with_notes(anonymous=anonymous) for anonymous in (False, True)
        }
        self.names.box.setChecked(self._remembered.replaces_names)
        self._show_notes()
        self.folder.folder = self._remembered.folder

    def _lay_out(self) -> None:
        self.export_button.setObjectName("primary")
        self.export_button.setDefault(True)
        self.cancel_button.setAutoDefault(False)
        choices = QWidget()
        choices.setFixedWidth(_CHOICES_PX)
        column = QVBoxLayout(choices)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID_PX * 3)
        column.addLayout(self._grid())
        column.addWidget(self.names.warning)
        column.addWidget(self.message)
        column.addStretch()
        column.addLayout(at_right(self.cancel_button, self.export_button))
        right = QVBoxLayout()
        right.setSpacing(GRID_PX * 2)
        right.addWidget(self.preview, 1)
        right.addWidget(self.caption)
        line_px = self.fontMetrics().lineSpacing()
        self.detail.setMinimumHeight(_DETAIL_LINES * line_px)
        self.detail.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.caption.setMinimumHeight(line_px)
        keep_room(self.caption)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(*[GRID_PX * 5] * 4)
        whole.setSpacing(GRID_PX * 5)
        whole.addWidget(choices)
        whole.addLayout(right, 1)

    def _grid(self) -> QGridLayout:
        self._packing_label = QLabel(_("Put in"))
        what_label = QLabel(_("What"))
        what_label.setContentsMargins(0, 0 if self.what.is_plain else GRID_PX, 0, 0)
        for field, name in (
            (self.form, _("As")),
            (self.language, _("Language of the report")),
            (self.name.line, _("Name")),
            (self.folder.line, _("Folder")),
            (self.packing, _("Put in")),
        ):
            field.setAccessibleName(name)
        rows: list[Row] = [
            (what_label, self.what),
            (QLabel(_("As")), self.form),
            (None, self.detail),
            (QLabel(_("Language")), self.language),
            (None, self.with_notes),
            (None, self.names),
            (QLabel(_("Name")), self.name),
            (QLabel(_("Folder")), self.folder),
            (self._packing_label, self.packing),  # last, as it comes and goes
        ]
        return grid_of(rows, at_top=self.what)

    def _listen(self) -> None:
        self.what.changed.connect(self._show_forms)
        self.form.currentIndexChanged.connect(self._show_form)
        self.packing.currentIndexChanged.connect(self._show_form)
        self.language.currentIndexChanged.connect(self._show_name)
        self.language.currentIndexChanged.connect(self._preview_soon.start)
        self.with_notes.toggled.connect(self._preview_soon.start)
        self.with_notes.clicked.connect(self._keep_notes)
        self.names.box.toggled.connect(self._show_notes)
        self.names.changed.connect(self._show_form)
        self.name.edited.connect(self._show_state)
        self.name.ending_typed.connect(self._take_ending)
        self.name.folder_typed.connect(lambda folder: setattr(self.folder, "folder", Path(folder)))
        self.folder.edited.connect(self._show_state)
        self.export_button.clicked.connect(self._confirm)
        self.cancel_button.clicked.connect(self.reject)
        self._preview_soon.timeout.connect(self._want_preview)
        self._wait_soon.timeout.connect(lambda: self.preview.say(_("The preview is being made…")))
        self._previewing.answered.connect(self._show_preview)
        self._previewing.waiting.connect(self._wait_soon.start)

    # what is chosen

    @property
    def source(self) -> Source:
        """What is to be exported."""
        return self.what.source

    @property
    def plan(self) -> Plan:
        """How it is to be written."""
        return Plan(
            self.form.currentData(),
            self.language.currentData(),
            self.with_notes.isChecked(),
            self.folder.folder,
            self.name.name,
            self.packing.currentData() or "",
            self.names.pseudonyms,
        )

    def _show_forms(self) -> None:
        """Offer the forms of what is chosen, beginning with the one that it had last."""
        source = self.source
        self.names.tell_of(source.files)
        offer(self.form, source.forms, self._remembered.form_of(source.key))
        offer(self.packing, source.packings, self._remembered.packing)
        for part in (self._packing_label, self.packing):
            part.setVisible(bool(source.packings))
        self._show_form()

    def _keep_notes(self, wanted: bool) -> None:
        self._with_notes[self.names.box.isChecked()] = wanted

    def _show_notes(self) -> None:
        """Tick the box of notes as it was the last time, with names or without."""
        self.with_notes.setChecked(self._with_notes[self.names.box.isChecked()])

    def _show_form(self) -> None:
        source, form = self.source, self.form.currentData()
        self.detail.setText(source.detail(form))
        self.caption.setText(source.caption(form))
        self.caption.setVisible(bool(source.caption(form)))
        self._show_name()
        self._show_state()
        self._want_preview()

    def _show_name(self) -> None:
        """Suggest a name, in the language of what is written."""
        name = self.source.name(self.plan)
        self.name.setEnabled(bool(name))
        endings = {"": self.form.currentData(), FOLDER: "", ZIP: ZIP}
        self.name.suggest(name, endings[self.packing.currentData() or ""] if name else "")

    def _take_ending(self, ending: str) -> None:
        """Let an ending that was typed choose the form, where there is such a form."""
        box = self.packing if self.packing.count() else self.form
        place = box.findData(ending)
        if place >= 0:
            self.name.without_ending(ending)
            box.setCurrentIndex(place)

    def _show_state(self) -> None:
        source, plan = self.source, self.plan
        problem = self.name.problem if source.name(plan) else ""
        if self.names.is_ready and not problem and not source.places(plan):
            problem = _("None of these files can be annotated; the preview says why.")
        placed = bool(self.folder.line.text().strip())
        self.export_button.setEnabled(not problem and placed and self.names.is_ready)
        self._say(problem or self.names.problem)

    def _say(self, words: str) -> None:
        self.message.setObjectName("danger")
        if words and words != self.message.text():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
        self.message.setText(words)
        self.message.setVisible(bool(words))
        layout = self.layout()
        needed_px = layout.totalMinimumHeightForWidth(self.width()) if layout is not None else 0
        self.resize(self.width(), max(self.height(), needed_px))  # no sentence is cut

    # the preview

    def _want_preview(self) -> None:
        if self.names.is_ready:
            self._previewing.want(self.source.preview(self.plan))
        else:
            self.preview.say(_("Names are being recognised…"))

    def _show_preview(self, preview: Preview | Exception) -> None:
        self._wait_soon.stop()
        if not self.names.is_ready:
            return  # it names somebody
        if isinstance(preview, Exception):
            self.preview.say(_("There is no preview: {cause}").format(cause=why_not_made(preview)))
        else:
            self.preview.show_preview(preview)

    # the end

    def _confirm(self) -> None:
        """Look whether it can be written there, and ask before anything is replaced."""
        self.name.settle()
        source, plan = self.source, self.plan
        places = source.places(plan)
        refusal = why_not_there(plan.folder, places, self._originals, self._under_way())
        there = taken(places)
        if not refusal and there and plan.packing == FOLDER:
            words = _("{name} is there already, and nothing in it is replaced. Choose another name.")
            refusal = words.format(name=display_name(there[0].name))
        if refusal:
            self._say(refusal)
        elif there:
            asking = ReplaceDialog(there, self)
            asking.accepted.connect(lambda: self._end(source, plan))
            asking.open()
        else:
            self._end(source, plan)

    def _end(self, source: Source, plan: Plan) -> None:
        self._remembered.remember(source.key, plan)
        self.accept()
        self.confirmed.emit(source, plan)
