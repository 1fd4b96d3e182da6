"""The status bar: how many documents, what is under way, which thesaurus is in use."""

import math

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QStatusBar, QWidget

from simcompare.support.i18n import _, ngettext
from simcompare.text.thesaurus import CILIN, NONE, STARTER
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.theme import GRID_PX

_BAR_WIDTH_PX = 160
_BAR_HEIGHT_PX = 6
_SAID_FOR_MS = 6_000
_SHOWN_EVERY_MS = 100
_SHORT_SECONDS = 90
_SECONDS_STEP = 5
"""Finer than so nobody can tell how long the rest takes."""


class StatusLine(QStatusBar):
    """Listens to the workspace."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._was_busy = False
        self._showing = QTimer(self, singleShot=True, interval=_SHOWN_EVERY_MS)
        self._showing.timeout.connect(self.retranslate)
        self.setSizeGripEnabled(False)
        self.setContentsMargins(GRID_PX * 3, 0, GRID_PX * 3, 0)
        self._documents, self._activity, self._thesaurus = QLabel(), QLabel(), QLabel()
        self.said = QLabel()
        self._forgetting = QTimer(self, singleShot=True, interval=_SAID_FOR_MS)
        self._forgetting.timeout.connect(self._forget)
        for label in (self._documents, self._activity, self._thesaurus, self.said):
            label.setObjectName("muted")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedSize(_BAR_WIDTH_PX, _BAR_HEIGHT_PX)
        self.cancel_button = QPushButton()
        self.cancel_button.clicked.connect(workspace.cancel)
        self.addWidget(self._documents)
        self.addWidget(self._activity)
        self.addWidget(self._bar)
        self.addWidget(self.cancel_button)
        self.addWidget(self.said)
        self.addPermanentWidget(self._thesaurus)
        for signal in (
            workspace.documents_changed,
            workspace.progress_changed,
            workspace.comparison_changed,
            workspace.settings_changed,
        ):
            signal.connect(self._follow)
        self.retranslate()

    def _follow(self) -> None:
        """Show the end of work at once, and its progress a few times a second.

        A progress bar paints itself, and all of the window that waits for it, at each new value.
        """
        if not (self._was_busy and self._workspace.is_busy):
            self.retranslate()
        elif not self._showing.isActive():
            self._showing.start()

    def say(self, text: str) -> None:
        """Tell in passing what was done; it is gone after a while."""
        self.said.setText(text)
        self._fit()
        self._forgetting.start()

    def _forget(self) -> None:
        self.said.clear()
        self._fit()

    def retranslate(self) -> None:
        """Show the state in the current language."""
        self._documents.setText(self._documents_text())
        self._thesaurus.setText(self._thesaurus_text())
        self.cancel_button.setText(_("Cancel"))
        self._bar.setAccessibleName(_("Progress"))
        self._was_busy = busy = self._workspace.is_busy
        for widget in (self._activity, self._bar, self.cancel_button):
            widget.setVisible(busy)
        if busy:
            self._show_progress()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Say in another width what there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out what can be looked up elsewhere where it would cut what is under way."""
        told = (self._documents, self._activity, self._bar, self.cancel_button, self.said)
        needed = sum(each.sizeHint().width() + 2 * GRID_PX for each in told if not each.isHidden())
        free = self.contentsRect().width() - needed
        self._thesaurus.setVisible(self._thesaurus.sizeHint().width() <= free)

    def _show_progress(self) -> None:
        read, files = self._workspace.documents.reading_count
        if read == files and self._workspace.pairs.is_comparing:
            done, total = self._workspace.pairs.progress
            text = _pairs_text(done, total, self._workspace.pairs.seconds_left)
        elif self._workspace.progress is not None:
            done, total = self._workspace.progress
            text = _("Comparing sentence {done} of {total}").format(done=f"{done:,}", total=f"{total:,}")
        else:
            done, total = read, files
            text = _("Reading file {done} of {total}").format(done=min(done + 1, total), total=total)
        self._activity.setText(text)
        self._bar.setRange(0, max(total, 1))
        self._bar.setValue(done)

    def _documents_text(self) -> str:
        entries = self._workspace.documents.entries.values()
        if not entries:
            return ""
        doubtful = sum(1 for e in entries if e.is_doubtful)
        ready = sum(1 for e in entries if e.prepared_document is not None) - doubtful
        failed = sum(1 for e in entries if e.error is not None)
        parts = [
            ngettext("{count} document", "{count} documents", len(entries)).format(count=len(entries)),
            _("{count} ready").format(count=ready),
        ]
        if doubtful:
            parts.append(_("{count} to look at").format(count=doubtful))
        if failed:
            parts.append(ngettext("{count} problem", "{count} problems", failed).format(count=failed))
        return " · ".join(parts)

    def _thesaurus_text(self) -> str:
        name = self._workspace.settings.thesaurus
        if name != NONE and self._workspace.comparison is not None and self._workspace.thesaurus is None:
            name = NONE
        text = _("Thesaurus: {name}").format(name=thesaurus_label(name))
        return text + " · " + _("offline, all on this computer")


def _pairs_text(done: int, total: int, seconds_left: float | None) -> str:
    text = _("Pairs {done} of {total}").format(done=f"{done:,}", total=f"{total:,}")
    if seconds_left is None:
        return text
    if seconds_left < _SHORT_SECONDS:
        seconds = max(_SECONDS_STEP, math.ceil(seconds_left / _SECONDS_STEP) * _SECONDS_STEP)
        left = ngettext("{count} second left", "{count} seconds left", seconds).format(count=seconds)
    else:
        minutes = math.ceil(seconds_left / 60)
        left = ngettext("{count} minute left", "{count} minutes left", minutes).format(count=minutes)
    return f"{text} · {left}"


def thesaurus_label(source: str) -> str:
    """Return what a person calls a thesaurus that settings name."""
    names = {STARTER: _("starter list"), CILIN: _("Cilin"), NONE: _("none")}
    return names.get(source) or source.replace("\\", "/").rpartition("/")[2]
