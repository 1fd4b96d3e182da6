"""The line at the foot of the window that tells what is being written."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QWidget

from simcompare.i18n import _
from simcompare.ui.export.jobs import Job
from simcompare.ui.export.writing import Writing
from simcompare.ui.looks.elided_label import ElidedLabel
from simcompare.ui.looks.theme import GRID_PX
from simcompare.visible import visible_name

_BAR_WIDTH_PX = 240
_BAR_HEIGHT_PX = 6


class WritingBar(QWidget):
    """Shown while something is written; Cancel gives up that and what waits."""

    def __init__(self, writing: Writing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._writing = writing
        self.setObjectName("writing")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.label = ElidedLabel()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(_BAR_WIDTH_PX, _BAR_HEIGHT_PX)
        self.cancel_button = QPushButton()
        self.cancel_button.clicked.connect(self._cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID_PX * 4, GRID_PX * 2, GRID_PX * 4, GRID_PX * 2)
        row.setSpacing(GRID_PX * 3)
        row.addWidget(self.label, 1)
        row.addWidget(self.bar)
        row.addWidget(self.cancel_button)
        writing.changed.connect(self._follow)
        self.retranslate()

    def _cancel(self) -> None:
        self._writing.cancel()
        self._follow()

    def _follow(self) -> None:
        jobs, (done, total) = self._writing.jobs, self._writing.progress
        self.setVisible(bool(jobs))
        if not jobs:
            return
        self.bar.setRange(0, total)  # without parts it only tells that something goes on
        self.bar.setValue(done)
        self.cancel_button.setEnabled(not all(map(self._writing.is_given_up, jobs)))
        self.label.setText(self._words(jobs[0], done, total, len(jobs) - 1))

    def _words(self, job: Job, done: int, total: int, waiting: int) -> str:
        name = visible_name(job.title)
        if self._writing.is_given_up(job):
            text = _("Giving up {name}…").format(name=name)
        elif total > 1:
            words = _("Writing {name}: {done} of {total}")
            text = words.format(name=name, done=f"{min(done + 1, total):,}", total=f"{total:,}")
        else:
            text = _("Writing {name}…").format(name=name)
        more = _("{count} more to follow").format(count=f"{waiting:,}") if waiting else ""
        return f"{text} · {more}" if more else text

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        self.cancel_button.setText(_("Cancel"))
        self.bar.setAccessibleName(_("Progress of writing"))
        self._follow()
