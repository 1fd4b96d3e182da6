"""Panel with the histogram of a class, its limit, and what is unusual in the class."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSpinBox, QWidget

from simcompare.cohort.unusual import ClassShares
from simcompare.report.cohort.unusual_words import false_alarms_in_words
from simcompare.support.i18n import _, ngettext
from simcompare.support.percentages import percent
from simcompare.ui.cohort.overview.class_words import (
    no_conclusion_in_words,
    pairs_from_in_words,
    unusual_in_words,
)
from simcompare.ui.cohort.overview.share_histogram import LEAST_PERCENT, MOST_PERCENT, ShareHistogram
from simcompare.ui.state.cohort.class_filter import ShareRange
from simcompare.ui.state.cohort.class_picture import ClassPicture
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import follow_theme, scaled
from simcompare.ui.style.box_layouts import column_of
from simcompare.ui.style.elided_label import MutedLabel
from simcompare.ui.style.theme import GRID_PX
from simcompare.ui.style.tool_tips import as_tooltip
from simcompare.ui.style.wrapping_row import WrappingRow

PANEL_MARGINS_PX = (4 * GRID_PX, 3 * GRID_PX, 4 * GRID_PX, 3 * GRID_PX)
PANEL_HEAD_PX = 7 * GRID_PX
"""Least height of the title of a panel, so that those side by side are on one line."""

_LIMIT_PX = 19 * GRID_PX
_LEAST_HEIGHT_PX = 64 * GRID_PX
"""Height from which the rate of false alarms is shown; otherwise it is a tooltip."""


class HistogramPanel(QWidget):
    """Histogram with the number of pairs above the limit, which a click lists.

    limit_moved: while the limit is dragged; limit_chosen: afterwards, None for the proposed one.
    range_chosen: a ShareRange to list, or None.
    """

    limit_moved = Signal(float)
    limit_chosen = Signal(object)
    range_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: ClassPicture | None = None
        self._shares: ClassShares | None = None
        self._is_complete = False
        self._title, self._before, self._after = QLabel(), QLabel(), QLabel()
        self._title.setObjectName("panelTitle")
        self.histogram = ShareHistogram()
        self.count_button = QPushButton()
        self.count_button.setObjectName("statusLink")
        self.limit_box = QSpinBox(minimum=LEAST_PERCENT, maximum=MOST_PERCENT)
        self.limit_box.setKeyboardTracking(False)
        self.limit_box.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.proposed_button = QPushButton()
        self.proposed_button.setObjectName("statusLink")
        self.verdict, self.alarms = QLabel(), MutedLabel()
        self.verdict.setWordWrap(True)
        limit_row = WrappingRow(
            self.count_button,
            self._before,
            self.limit_box,
            self._after,
            self.proposed_button,
            None,
            spacing_px=GRID_PX,
        )
        column_of(
            self,
            self._title,
            (self.histogram, 1),
            limit_row,
            self.verdict,
            self.alarms,
            spacing_px=GRID_PX,
            margins_px=PANEL_MARGINS_PX,
        )
        self.histogram.limit_moved.connect(self._follow_drag)
        self.histogram.limit_chosen.connect(self.limit_chosen.emit)
        self.histogram.range_chosen.connect(self.range_chosen.emit)
        self.limit_box.valueChanged.connect(lambda value: self.limit_chosen.emit(value / 100))
        self.count_button.clicked.connect(lambda: self.range_chosen.emit(ShareRange(self.histogram.limit)))
        self.proposed_button.clicked.connect(self._choose_proposed)
        follow_theme(self._fit_sizes)
        follow_language(self._retranslate)

    def show_class(self, picture: ClassPicture, shares: ClassShares, is_complete: bool = True) -> None:
        """Show the shares of a class and their rarity; no conclusion before all pairs are compared."""
        self._picture, self._shares, self._is_complete = picture, shares, is_complete
        self.histogram.show_class(picture)
        self._show_words()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Hide the rate of false alarms if the panel is low."""
        super().resizeEvent(event)
        self._hide_alarms_if_low()

    def _hide_alarms_if_low(self) -> None:
        self.alarms.setVisible(self.height() >= scaled(_LEAST_HEIGHT_PX))
        self._fit_alarms()

    def _fit_alarms(self) -> None:
        """Set the height of the rate of false alarms so that all its lines are visible."""
        self.alarms.setMinimumHeight(0)  # which heightForWidth would return at least
        width = self.width() - PANEL_MARGINS_PX[0] - PANEL_MARGINS_PX[2]
        self.alarms.setMinimumHeight(max(self.alarms.heightForWidth(width), 0))

    def _choose_proposed(self) -> None:
        """Choose the proposed limit; the button, which disappears then, leaves its focus to the limit."""
        self.limit_box.setFocus(Qt.FocusReason.OtherFocusReason)
        self.limit_chosen.emit(None)

    def _follow_drag(self, limit: float) -> None:
        self._show_words()
        self.limit_moved.emit(limit)

    def _show_words(self) -> None:
        """Show the count, the limit and the sentence on it."""
        if self._picture is None or self._shares is None:
            return
        self._show_limit(self._picture)
        limit = self.histogram.limit
        verdict, alarms = "", ""  # without pairs
        if not self._is_complete:
            verdict = no_conclusion_in_words()
        elif self._picture.figures.known_count:
            verdict = unusual_in_words(self._picture, self._shares, limit)
            alarms = false_alarms_in_words(self._shares, limit)
        self.verdict.setText(verdict)
        self.alarms.setText(alarms)
        self._fit_alarms()
        self.verdict.setToolTip(as_tooltip(self.alarms.text()))

    def _show_limit(self, picture: ClassPicture) -> None:
        limit, proposed = self.histogram.limit, picture.proposed_limit
        count = picture.figures.count_from(limit)
        self.count_button.setText(ngettext("{count} pair", "{count} pairs", count))
        self.count_button.setEnabled(count > 0)
        self.count_button.setAccessibleName(pairs_from_in_words(picture, limit))
        with QSignalBlocker(self.limit_box):
            self.limit_box.setValue(round(100 * limit))
        proposed_count = picture.figures.count_from(proposed)
        self.proposed_button.setText(
            ngettext(
                "proposed limit {limit}: {count} pair",
                "proposed limit {limit}: {count} pairs",
                proposed_count,
                limit=percent(proposed),
            )
        )
        is_other = round(100 * limit) != round(100 * proposed)
        self.proposed_button.setVisible(self._is_complete and is_other)

    def _fit_sizes(self) -> None:
        self.limit_box.setFixedWidth(scaled(_LIMIT_PX))
        self._title.setMinimumHeight(scaled(PANEL_HEAD_PX))
        self._hide_alarms_if_low()

    def _retranslate(self) -> None:
        self._title.setText(_("How similar are the pairs?"))
        before, _limit, after = _("at {limit} or more").partition("{limit}")
        for label, words in ((self._before, before.strip()), (self._after, after.strip())):
            label.setText(words)
            label.setVisible(bool(words))
        self.limit_box.setSuffix(_(" %"))
        self.limit_box.setAccessibleName(_("Limit, in per cent"))
        self.limit_box.setToolTip(_("Pairs from this share on are counted here and linked in the graph."))
        self.count_button.setToolTip(_("List these pairs"))
        self.count_button.setAccessibleName(_("List these pairs"))
        self.proposed_button.setAccessibleName(_("Proposed limit"))
        self.proposed_button.setToolTip(
            _("Use the limit that follows from the shares of this class: chance hardly reaches it.")
        )
        self._show_words()
