"""Whether names are replaced, and by which pseudonyms."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QPalette
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QWidget

from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.redaction.anonymous_copies import ordinary_names_in_words
from simcompare.report.wording import first_of
from simcompare.support.display_text import distinct_labels
from simcompare.support.i18n import _, ngettext
from simcompare.ui.export.form_rows import keep_room
from simcompare.ui.export.names_dialog import NamesDialog, pseudonyms_for
from simcompare.ui.export.preview_view import Asking, Wanted
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX

_SIGN_PX = 16
_MOST_TOLD = 3


class NamesWarning(QWidget):
    """A sign and a sentence in the colour of danger; hidden where there is nothing to tell."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sign, self._words = QLabel(), QLabel()
        self._words.setObjectName("danger")
        self._words.setWordWrap(True)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID_PX * 2)
        row.addWidget(self.sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._words, 1)
        self._draw_sign()
        self.hide()

    @property
    def text(self) -> str:
        """What it tells; empty where that is nothing."""
        return self._words.text()

    def tell(self, names: Sequence[str], ordinary: Sequence[str] = ()) -> None:
        """Tell of these files, of several the first ones by name and all of them in the tool tip.

        `ordinary` are names that are words as well.
        """
        words = "\n".join(filter(None, [_warning(names), ordinary_names_in_words(ordinary)]))
        if words and words != self.text:
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
        self._words.setText(words)
        self.setToolTip("\n".join(names) if len(names) > _MOST_TOLD else "")
        self.setVisible(bool(words))

    def event(self, event: QEvent) -> bool:
        """Have the sign in the colours of another theme."""
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_sign()
        return super().event(event)

    def _draw_sign(self) -> None:
        colour = self.palette().color(QPalette.ColorRole.BrightText)  # where the sheet finds that of danger
        self.sign.setPixmap(icon("warning", colour.name()).pixmap(_SIGN_PX, _SIGN_PX))


def _warning(names: Sequence[str]) -> str:
    if not names:
        return ""
    text = ngettext(
        "No student is known for {names}. A name in its text stays there; enter it under Who is who.",
        "No student is known for {count} files: {names}. Names in their texts stay there; enter them under "
        "Who is who.",
        len(names),
    )
    return text.format(count=f"{len(names):,}", names=", ".join(first_of(names, _MOST_TOLD)))


class NamesField(QWidget):
    """A box to tick, a button that shows who is who, and apart from them `warning`, what is unknown.

    `openings` are the beginnings of the texts of all files, empty where they are not known.
    """

    changed = Signal()
    """Names are replaced or not, or by other pseudonyms."""
    corrected = Signal(object)
    """A teacher said who is who: the pseudonyms to be kept."""

    def __init__(
        self,
        known: Pseudonyms | None,
        openings: Mapping[Path, str],
        asking: Asking,
        beside: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._known = known
        self._openings = openings
        self._files = tuple(openings)
        self._exported: Collection[Path] = ()
        self._asking = asking
        self._beside = beside
        self._dialog: NamesDialog | None = None
        self._error: Exception | None = None
        self.box, self.button = QCheckBox(_("Replace names")), QPushButton(_("Who is who…"))
        self.button.setAutoDefault(False)
        self.warning = NamesWarning()
        keep_room(self.button)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID_PX * 3)
        row.addWidget(self.box)
        row.addWidget(self.button)
        row.addStretch()
        self.box.toggled.connect(self._toggle)
        self.button.clicked.connect(self._show_dialog)
        asking.answered.connect(self._take)
        self._show()

    @property
    def pseudonyms(self) -> Pseudonyms | None:
        """What stands for names; None where they stay, or while that is not known yet."""
        return self._known if self.box.isChecked() and self._is_covering else None

    @property
    def is_ready(self) -> bool:
        """Whether it is known what stands for names."""
        return not self.box.isChecked() or self._is_covering

    @property
    def problem(self) -> str:
        """Why names cannot be replaced; empty where they can."""
        return str(self._error) if self._error is not None and not self.is_ready else ""

    def tell_of(self, files: Collection[Path]) -> None:
        """Tell of these, whose texts are to be exported, where it is not known whose they are."""
        self._exported = files
        self._show()

    def _unknown(self) -> list[str]:
        """Return what the files are called whose texts are exported though nobody knows whose they are."""
        names = self.pseudonyms
        if names is None:
            return []
        named = zip(names.known_students(self._files), distinct_labels(self._files), strict=True)
        return [called for one, called in named if not one.name and one.path in self._exported]

    def _ordinary(self) -> list[str]:
        """Return the names that are words as well, where texts are exported in which they may stay."""
        names = self.pseudonyms
        return names.ordinary_names if names is not None and self._exported else []

    @property
    def _is_covering(self) -> bool:
        known = self._known
        return known is not None and all(known.owner_of(file) is not None for file in self._files)

    def _toggle(self) -> None:
        if not self.is_ready:
            make = partial(pseudonyms_for, self._openings, self._known)
            self._asking.want(Wanted((self._files, self._known), make))
        self._show()
        self.changed.emit()

    def _take(self, answer: object) -> None:
        if self._dialog is not None:
            return  # that is what it asked for
        self._error = answer if isinstance(answer, Exception) else None
        if isinstance(answer, Pseudonyms):
            self._known = answer
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        self.button.setVisible(self.box.isChecked())
        self.button.setEnabled(self._is_covering)
        self.warning.tell(self._unknown(), self._ordinary())

    def _show_dialog(self) -> None:
        if self._known is not None:
            self._dialog = NamesDialog(self._known, self._files, self._asking, self._beside, self.window())
            self._dialog.changed.connect(self._correct)
            self._dialog.finished.connect(self._forget_dialog)
            self._dialog.open()

    def _correct(self, pseudonyms: Pseudonyms) -> None:
        self._known = pseudonyms
        self._show()
        self.corrected.emit(pseudonyms)
        self.changed.emit()

    def _forget_dialog(self) -> None:
        self._dialog = None
        self._asking.forget()  # an answer that is late was wanted by the dialog, and it was cancelled
