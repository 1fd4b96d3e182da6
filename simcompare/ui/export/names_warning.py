"""Tells where names would stay: in texts of which nobody is known, and where they are words as well."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from simcompare.i18n import ngettext
from simcompare.report.anonymous.wording import ordinary_names_in_words
from simcompare.report.phrases import first_of
from simcompare.ui.looks.icons import icon
from simcompare.ui.looks.theme import GRID_PX

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
