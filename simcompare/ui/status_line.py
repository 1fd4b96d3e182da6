"""Status bar: number of documents, work in progress, thesaurus in use."""

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QWidget

from simcompare.model.progress import Pace, with_time_left
from simcompare.support.i18n import N_, _, ngettext
from simcompare.text.thesaurus import CILIN, NONE, STARTER
from simcompare.ui.labels import problem_counts
from simcompare.ui.state.changes import ComparisonPart, SettingsPart, follow_parts
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.layouts import push_button
from simcompare.ui.style.theme import GRID_PX

_BAR_WIDTH_PX = 160
_BAR_HEIGHT_PX = 6
_SAID_FOR_MS = 6_000
_SHOWN_EVERY_MS = 100
"""Rounding step of the remaining time, which is not known more exactly."""


class StatusLine(QStatusBar):
    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._was_busy = self._has_server = False
        self._documents_differ = True
        self._pace: Pace | None = None
        """Time and number of files read when the window began to read."""
        self._showing = QTimer(self, singleShot=True, interval=_SHOWN_EVERY_MS)
        self._showing.timeout.connect(self._show_state)
        self.setSizeGripEnabled(False)
        self.setContentsMargins(GRID_PX * 3, 0, GRID_PX * 3, 0)
        self._documents, self._activity, self._thesaurus = QLabel(), QLabel(), QLabel()
        self.message = QLabel()
        self._forgetting = QTimer(self, singleShot=True, interval=_SAID_FOR_MS)
        self._forgetting.timeout.connect(self._forget)
        for label in (self._documents, self._activity, self._thesaurus, self.message):
            label.setObjectName("muted")
        self._bar = translated(QProgressBar(), accessibleName=N_("Progress"))
        self._bar.setTextVisible(False)
        self._bar.setFixedSize(_BAR_WIDTH_PX, _BAR_HEIGHT_PX)
        self.cancel_button = push_button(N_("Cancel"), workspace.cancel, look="statusLink")
        name = N_("Files to check")
        self.problems_button = push_button(
            "", tip=N_("Show the files"), look="statusLink", accessibleName=name
        )
        self.addWidget(self._documents)
        self.addWidget(self.problems_button)
        self.addWidget(self._activity)
        self.addWidget(self._bar)
        self.addWidget(self.cancel_button)
        self.addWidget(self.message)
        self.addPermanentWidget(self._thesaurus)
        workspace.documents_changed.connect(self._follow_documents)
        workspace.progress_changed.connect(self._follow)
        workspace.comparison_changed.connect(self._follow_comparison)
        follow_parts(self, workspace.settings_changed, SettingsPart.METHOD, self._show_thesaurus)
        follow_language(self._retranslate)

    def _follow_documents(self) -> None:
        self._documents_differ = True
        self._follow()

    def _follow_comparison(self, changed: ComparisonPart) -> None:
        if ComparisonPart.TEXTS in changed:
            self._show_thesaurus()
            self._follow()

    def _follow(self) -> None:
        """Show the end of work at once, and progress a few times a second.

        A progress bar repaints itself, and all of the window that awaits painting, at each new value.
        """
        if not (self._was_busy and self._workspace.is_busy):
            self._show_state()
        elif not self._showing.isActive():
            self._showing.start()

    def show_server(self, is_used: bool) -> None:
        self._has_server = is_used
        self._show_thesaurus()

    def show_message(self, text: str) -> None:
        self.message.setText(text)
        self._fit()
        self._forgetting.start()

    def _forget(self) -> None:
        self.message.clear()
        self._fit()

    def _retranslate(self) -> None:
        self._documents_differ = True
        self._show_thesaurus()
        self._show_state()

    def _show_thesaurus(self) -> None:
        self._thesaurus.setText(self._thesaurus_text())
        self._fit()

    def _show_state(self) -> None:
        if self._documents_differ:
            self._documents_differ = False
            self._documents.setText(self._documents_text())
            problems = problem_counts(self._workspace.documents)
            self.problems_button.setText(problems)
            self.problems_button.setAccessibleDescription(problems)
            self.problems_button.setVisible(bool(problems))
        self._was_busy = busy = self._workspace.is_busy
        read, files = self._workspace.documents.reading_count
        if read == files:
            self._pace = None
        for widget in (self._activity, self.cancel_button):
            widget.setVisible(busy)
        if busy:
            self._show_progress()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show what there is space for beside what happens now."""
        needed = (self._activity, self.message, self.problems_button, self.cancel_button)
        free = self.contentsRect().width() - sum(_width_px(each) for each in needed if not each.isHidden())
        for part, is_wanted in (
            (self._documents, True),
            (self._bar, self._was_busy),
            (self._thesaurus, True),
        ):
            is_shown = is_wanted and _width_px(part) <= free
            part.setVisible(is_shown)
            free -= _width_px(part) if is_shown else 0

    def _show_progress(self) -> None:
        read, files = self._workspace.documents.reading_count
        if read == files and self._workspace.pairs.is_comparing:
            done, total = self._workspace.pairs.progress
            text = _("Pairs {done} of {total}").format(done=f"{done:,}", total=f"{total:,}")
            text = with_time_left(text, self._workspace.pairs.seconds_left)
        elif self._workspace.progress is not None:
            done, total = self._workspace.progress
            text = _("Comparing sentence {done} of {total}").format(done=f"{done:,}", total=f"{total:,}")
        elif read == files:
            done = total = 0
            text = self._text_of_other_work()
        else:
            done, total = read, files
            is_preparing = self._workspace.documents.is_preparing
            words = (
                _("Preparing text {done} of {total}") if is_preparing else _("Reading file {done} of {total}")
            )
            text = words.format(done=min(done + 1, total), total=total)
            self._pace = self._pace or Pace.from_now(done)
            text = with_time_left(text, self._pace.seconds_left(done, total))
        self._activity.setText(text)
        self._bar.setUpdatesEnabled(False)  # or each new value repaints the window at once
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        self._bar.setUpdatesEnabled(True)

    def _text_of_other_work(self) -> str:
        if self._workspace.documents.is_listing:
            return _("Looking for the files…")
        if self._workspace.class_state.is_busy:
            return _("Looking for common text…")
        return _("Updating the shares…")

    def _documents_text(self) -> str:
        entries = self._workspace.documents.entries.values()
        if not entries:
            return ""
        ready = sum(1 for e in entries if e.document is not None)
        parts = [
            ngettext("{count} document", "{count} documents", len(entries)),
            _("{count} ready").format(count=f"{ready:,}"),
        ]
        return " · ".join(parts)

    def _thesaurus_text(self) -> str:
        name = self._workspace.settings.thesaurus
        if name != NONE and self._workspace.comparison is not None and self._workspace.thesaurus is None:
            name = NONE
        text = _("Thesaurus: {name}").format(name=thesaurus_label(name))
        if self._has_server:
            return text + " · " + _("library on a server, all else on this computer")
        return text + " · " + _("offline, all on this computer")


def _width_px(part: QWidget) -> int:
    return part.sizeHint().width() + 2 * GRID_PX


def thesaurus_label(source: str) -> str:
    names = {STARTER: _("built-in"), CILIN: _("Cilin"), NONE: _("none")}
    return names.get(source) or source.replace("\\", "/").rpartition("/")[2]
