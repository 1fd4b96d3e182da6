"""Page without documents: where to drop essays, samples, the library, and the last sessions."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import zip_longest
from pathlib import Path

from PySide6.QtCore import QEvent, QLocale, QSize, Qt, QTime, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from simcompare.model.file_kinds import kinds_of_files
from simcompare.support.display_text import day_in_words, display_name, escape_invisible
from simcompare.support.i18n import N_, _, current_language, joined_items
from simcompare.ui.preferences import Preferences
from simcompare.ui.session.recent_sessions import RecentSession, RecentSessions
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.style.layouts import column_of, push_button, row_of
from simcompare.ui.style.text_labels import ElidedLabel, MutedLabel, as_tooltip, fit_height
from simcompare.ui.style.theme import GRID_PX, follow_theme, icon, scaled

_MARGINS_PX = (2 * GRID_PX, GRID_PX, 2 * GRID_PX, GRID_PX)


class StartRow(QPushButton):
    """Opens a sample or a session; texts longer than the row are shortened, the tool tip has them all."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("startRow")
        self.title, self.detail = ElidedLabel(), ElidedLabel()
        self.title.setObjectName("startRowTitle")
        self.detail.setObjectName("muted")
        self.detail.cut = Qt.TextElideMode.ElideRight
        for label in (self.title, self.detail):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column_of(self, self.title, self.detail, margins_px=_MARGINS_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_texts(self, title: str, detail: str, tip: str = "") -> None:
        self.title.setText(title)
        self.detail.setText(detail)
        self.setAccessibleName(title)
        self.setAccessibleDescription(detail)
        self.setToolTip(tip)

    def event(self, event: QEvent) -> bool:
        is_shortened = self.title.is_shortened or self.detail.is_shortened
        if isinstance(event, QHelpEvent) and is_shortened and not self.toolTip():
            texts = f"{self.title.text()}\n{self.detail.text()}"
            QToolTip.showText(event.globalPos(), as_tooltip(texts), self)
            return True
        return super().event(event)

    def sizeHint(self) -> QSize:
        """Height of both lines with their margins; a button without a text would be one line high."""
        layout = self.layout()
        return super().sizeHint() if layout is None else layout.sizeHint()

    def minimumSizeHint(self) -> QSize:
        layout = self.layout()
        return super().minimumSizeHint() if layout is None else layout.minimumSize()


def heading(text: str) -> QLabel:
    label = translated(QLabel(), text)
    label.setObjectName("panelTitle")
    label.setContentsMargins(2 * GRID_PX, 0, 0, GRID_PX)
    return label


def _what_to_do() -> str:
    return _(
        "Files, a folder or a zip archive with the essays of a class, Chinese or English: {kinds}. "
        "All pairs are compared; the most similar come first."
    ).format(kinds=joined_items(_(kind) for kind, _suffixes in kinds_of_files()))


_WIDTH_PX, _LEAST_WIDTH_PX = 720, 560
_AROUND_TEXT_PX = 90
_BESIDE_PX = 12 * GRID_PX  # margins, and a scroll bar of the window
_ICON_SIZE_PX = 40
_MOST_SESSIONS = 4
"""As many as the smallest window has space for; all are in File > Open recent."""


class StartPage(QWidget):
    """Says what to do first, and offers samples, the library and the last sessions."""

    session_requested = Signal(object)
    """Path of the session."""

    def __init__(self, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sessions = RecentSessions(preferences, self)
        self._sessions.found.connect(self._show_times)
        self._picture, self._title = QLabel(), translated(QLabel(), N_("Drop essays here"))
        self._title.setObjectName("share")
        promise = N_("Everything is compared on this computer; nothing leaves it.")
        self._text, self._promise = translated(MutedLabel(), _what_to_do), translated(MutedLabel(), promise)
        self.add_button = push_button(N_("Add documents…"), look="primary")
        self.folder_button = push_button(N_("Add a folder…"))
        self._samples_heading = heading(N_("Try it with samples"))
        self._library_heading = heading(N_("Library"))
        self._sessions_heading = heading(N_("Recent sessions"))
        self.class_row, self.pair_row, self.library_row = (StartRow() for _row in range(3))
        self.session_rows = [StartRow() for _row in range(_MOST_SESSIONS)]
        self._paths: Sequence[Path] = ()
        for place, row in enumerate(self.session_rows):
            row.clicked.connect(
                lambda _checked=False, place=place: self.session_requested.emit(self._paths[place])
            )
        self._body, self._library = QWidget(), QWidget()
        self._lay_out()
        follow_theme(self._apply_theme)
        follow_language(self._retranslate)

    def _lay_out(self) -> None:
        place = QFrame()
        place.setObjectName("dropPlace")
        column = QVBoxLayout(place)
        column.setContentsMargins(*[6 * GRID_PX] * 4)
        column.setSpacing(3 * GRID_PX)
        for label in (self._picture, self._title, self._text, self._promise):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label, 0, Qt.AlignmentFlag.AlignHCenter)
        buttons = row_of(None, None, self.add_button, self.folder_button, None, spacing_px=3 * GRID_PX)
        column.insertLayout(3, buttons)
        column_of(self._library, self._library_heading, self.library_row)
        samples = column_of(None, self._samples_heading, self.class_row, self.pair_row)
        left = column_of(None, samples, self._library, None, spacing_px=3 * GRID_PX)
        right = column_of(None, self._sessions_heading, *self.session_rows, None)
        columns = row_of(None, (left, 1), (right, 1), spacing_px=6 * GRID_PX)
        column_of(self._body, place, columns, spacing_px=6 * GRID_PX)
        whole = column_of(self, None, row_of(None, None, self._body, None), None, margins_px=4 * GRID_PX)
        whole.setStretch(0, 2)  # a little above the middle
        whole.setStretch(2, 3)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.add_button.setFocus(event.reason())

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST_WIDTH_PX + _BESIDE_PX, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()

    def _fit_width(self) -> None:
        """Set the width for the text size, but not above that of the page; then the heights of the texts."""
        width_px = min(scaled(_WIDTH_PX), max(_LEAST_WIDTH_PX, self.width() - _BESIDE_PX))
        self._body.setFixedWidth(width_px)
        for label in (self._text, self._promise):
            label.setFixedWidth(width_px - _AROUND_TEXT_PX)
            if label.text():
                fit_height(label, width_px - _AROUND_TEXT_PX)

    def showEvent(self, event: QShowEvent) -> None:
        """List the sessions, as other windows add some."""
        super().showEvent(event)
        self._list_sessions()

    def _list_sessions(self) -> None:
        self._paths = self._sessions.look()[:_MOST_SESSIONS]
        for row, path in zip_longest(self.session_rows, self._paths):
            row.setVisible(path is not None)
            row.setEnabled(True)
            if path is None:
                row.show_texts(_("Recent sessions"), "")  # hidden, but every button has a name
            else:
                row.show_texts(display_name(path.stem), "", as_tooltip(escape_invisible(str(path))))
        self._sessions_heading.setVisible(bool(self._paths))

    def _show_times(self, sessions: Sequence[RecentSession]) -> None:
        times = {session.path: session.saved for session in sessions}
        for row, path in zip(self.session_rows, self._paths, strict=False):
            if path not in times:
                continue
            saved = times[path]
            detail = _("Not found: moved, renamed or deleted") if saved is None else _time_in_words(saved)
            row.show_texts(row.title.text(), detail, row.toolTip())
            row.setEnabled(saved is not None)

    def _apply_theme(self) -> None:
        size_px = scaled(_ICON_SIZE_PX)
        self._picture.setPixmap(icon("document", "muted").pixmap(size_px, size_px))
        self._fit_width()

    def _retranslate(self) -> None:
        self._fit_width()
        self.class_row.show_texts(
            _("Open a sample class"), _("Six essays and their question; two similar pairs")
        )
        self.pair_row.show_texts(_("Open two sample essays"), _("One was rewritten from the other"))
        self._list_sessions()


def _time_in_words(time: datetime) -> str:
    """Write "Saved today, 14:05", "Saved yesterday, 9:30" or "Saved on 3 May 2026"."""
    locale = QLocale(current_language())
    clock = locale.toString(QTime(time.hour, time.minute), "H:mm")
    today = datetime.now().date()
    if time.date() == today:
        return _("Saved today, {time}").format(time=clock)
    if time.date() == today - timedelta(days=1):
        return _("Saved yesterday, {time}").format(time=clock)
    return _("Saved on {date}").format(date=day_in_words(time))
