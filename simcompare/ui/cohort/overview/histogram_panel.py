"""Panel with the histogram of a class, its limit, and what is unusual in the class."""

import math
from itertools import product

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QSizePolicy, QSpinBox, QWidget

from simcompare.cohort.class_figures import BIN_COUNT
from simcompare.cohort.pair_scores import ClassShares
from simcompare.report.cohort.cohort_rows import false_alarms_in_words, rewritten_pairs_in_words
from simcompare.support.display_text import percent, with_sign
from simcompare.support.i18n import N_, _, joined_sentences, ngettext
from simcompare.ui.access.picture_table import PictureTable, PictureWithTips, TableAction
from simcompare.ui.actions import key_of
from simcompare.ui.cohort.overview.class_words import (
    MeaningSearch,
    bin_in_words,
    no_conclusion_in_words,
    not_searched_in_words,
    pairs_from_in_words,
    table_of_bars,
    unusual_in_words,
)
from simcompare.ui.compare.text_pane.text_painting import mixed
from simcompare.ui.state.cohort.class_filter import ClassPicture, ShareRange, bin_range
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.style.layouts import ENTER_KEYS, FocusFrame, WrappingRow, column_of, push_button, row_of
from simcompare.ui.style.text_labels import ElidedLabel, MutedLabel, announce, as_tooltip
from simcompare.ui.style.theme import GRID_PX, current_theme, follow_theme, scaled

LEAST_PERCENT, MOST_PERCENT = 1, 100
_SIDE_PX = 2 * GRID_PX
_TOP_PX = 4 * GRID_PX
_GRIP_PX = 6
"""Half the width of the handle of the limit."""
_NEAR_PX = 7
_LEAST_BAR_PX = 3
_PALE = 0.8
_SCALE = (1, 10, 100, 1_000, 10_000, 100_000)
_STEPS_PERCENT = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_PageUp: 10,
}
_MOST_BINS_SAID = 12


class ShareHistogram(PictureWithTips):
    """Number of pairs by share, on a logarithmic scale so that a single pair is visible beside thousands.

    limit_moved: while the limit is dragged; limit_chosen: when it is released or moved by a key, None for
    the proposed one.
    range_chosen: a bar was clicked, or the pairs above the limit were asked for with Enter.
    """

    limit_moved = Signal(float)
    limit_chosen = Signal(object)
    range_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: ClassPicture | None = None
        self._most = 0  # pairs of the highest bar
        self.limit = 0.0
        self._chosen: ShareRange | None = None
        self._hovered: int | None = None
        self._is_dragging = False
        self._pressed_bin: int | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        FocusFrame(self)
        TableAction(self, self._as_table)
        translated(self, accessibleName=N_("How similar are the pairs?"))
        follow_language(self._describe)

    def show_class(self, picture: ClassPicture) -> None:
        """Show the shares of a class; the limit stays while it is being dragged."""
        self._picture = picture
        self._most = int(picture.figures.histogram.max())
        if not self._is_dragging:
            self.limit = picture.limit
        self._describe()
        self.update()

    def show_chosen(self, shares: ShareRange | None) -> None:
        self._chosen = shares
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(8 * BIN_COUNT, 40 * GRID_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(3 * BIN_COUNT, 19 * GRID_PX)

    # geometry

    @property
    def _area(self) -> QRect:
        highest = max((count for count in _SCALE if count <= self._most), default=1)
        left = _SIDE_PX + self.fontMetrics().horizontalAdvance(_count_label(highest)) + 2 * GRID_PX
        below = self.fontMetrics().height() + GRID_PX
        return self.rect().adjusted(left, _TOP_PX, -_SIDE_PX - GRID_PX, -below)

    def x_of(self, share: float) -> float:
        return _x_in(self._area, share)

    def _bin_at(self, x: float) -> int | None:
        area = self._area
        place = (x - area.left()) / max(area.width(), 1)
        return min(int(place * BIN_COUNT), BIN_COUNT - 1) if 0 <= place <= 1 else None

    def _height_of(self, count: int, area: QRect) -> float:
        if not count:
            return 0.0
        most = math.log1p(max(self._most, 9))
        return max(math.log1p(count) / most * area.height(), _LEAST_BAR_PX)

    # painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self._picture is not None:
                self._paint_scale(painter)
                self._paint_bars(painter, self._picture)
                self._paint_proposal(painter, self._picture)
                self._paint_limit(painter)

    def _paint_scale(self, painter: QPainter) -> None:
        theme, area, metrics = current_theme(), self._area, self.fontMetrics()
        baseline = free_from = area.bottom() + 1
        for count in _SCALE:
            y = round(baseline - self._height_of(count, area))
            if y < area.top() - 1 or count > max(self._most, 9):
                break
            painter.setPen(QColor(theme.line))
            painter.drawLine(area.left(), y, area.right(), y)
            if free_from - y < metrics.height() and count > 1:
                continue
            free_from = y
            painter.setPen(QColor(theme.muted))
            box = QRect(
                _SIDE_PX, y - metrics.height() // 2, area.left() - GRID_PX - _SIDE_PX, metrics.height()
            )
            painter.drawText(box, _AT_RIGHT, _count_label(count))
        painter.setPen(QColor(theme.muted))
        widest = metrics.horizontalAdvance(with_sign(100)) + 2 * GRID_PX
        for mark in range(0, 101, 20 if area.width() > 6 * widest else 50):
            x = round(self.x_of(mark / 100))
            text = with_sign(mark)
            width = metrics.horizontalAdvance(text)
            left = min(max(x - width // 2, area.left() - GRID_PX), self.width() - width - GRID_PX)
            painter.drawText(left, self.height() - metrics.descent(), text)
        painter.setPen(QPen(QColor(theme.muted), 1))
        painter.drawLine(area.left(), baseline, area.right(), baseline)

    def _paint_bars(self, painter: QPainter, picture: ClassPicture) -> None:
        theme, area = current_theme(), self._area
        above, below = QColor(theme.accent), mixed(theme.muted, theme.surface, _PALE)
        split = round(_x_in(area, self.limit))
        for number, count in enumerate(picture.figures.histogram.tolist()):
            left = round(_x_in(area, number / BIN_COUNT))
            right = round(_x_in(area, (number + 1) / BIN_COUNT))
            if number == self._hovered or self._is_chosen(number):
                painter.fillRect(left, area.top(), right - left, area.height() + 1, QColor(theme.accent_tint))
            height = round(self._height_of(count, area))
            bar = QRect(left + 1, area.bottom() + 1 - height, max(right - left - 1, 1), height)
            painter.fillRect(bar, below)
            painter.fillRect(bar & QRect(split, bar.top(), area.right() + 1, height), above)

    def _is_chosen(self, number: int) -> bool:
        chosen = self._chosen
        if chosen is None:
            return False
        start = number / BIN_COUNT
        slack = 1e-9
        return start + 1 / BIN_COUNT > chosen.least + slack and (
            chosen.below is None or start < chosen.below - slack
        )

    def _paint_proposal(self, painter: QPainter, picture: ClassPicture) -> None:
        """Mark the proposed limit below the axis, if the chosen limit is another one."""
        x, y = self.x_of(picture.proposed_limit), self._area.bottom() + 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current_theme().muted))
        painter.drawPolygon(QPolygonF([QPointF(x - 4, y + 6), QPointF(x + 4, y + 6), QPointF(x, y)]))

    def _paint_limit(self, painter: QPainter) -> None:
        theme, area, x = current_theme(), self._area, self.x_of(self.limit)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.accent), 2))
        painter.drawLine(QPointF(x, _GRIP_PX), QPointF(x, area.bottom() + 1))
        painter.setBrush(QColor(theme.accent if self._is_dragging else theme.surface))
        painter.drawRoundedRect(QRectF(x - _GRIP_PX, 1, 2 * _GRIP_PX, 2 * _GRIP_PX), 4, 4)

    # mouse

    def _is_near_limit(self, place: QPointF) -> bool:
        return abs(place.x() - self.x_of(self.limit)) <= _NEAR_PX

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._is_dragging = self._is_near_limit(event.position())
        self._pressed_bin = None if self._is_dragging else self._bin_at(event.position().x())
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._is_dragging:
            area = self._area
            self._move_to((event.position().x() - area.left()) / max(area.width(), 1))
            return
        near = self._is_near_limit(event.position())
        self.setCursor(Qt.CursorShape.SplitHCursor if near else Qt.CursorShape.ArrowCursor)
        self._hover(None if near else self._bin_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if self._is_dragging:
            self._is_dragging = False
            if self._picture is not None and self.limit != self._picture.limit:
                self.limit_chosen.emit(self.limit)
            self.update()
        elif self._pressed_bin is not None and self._pressed_bin == self._bin_at(event.position().x()):
            self._choose_bin(self._pressed_bin)
        self._pressed_bin = None

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def _hover(self, number: int | None) -> None:
        if number != self._hovered:
            self._hovered = number
            self.update()

    def _choose_bin(self, number: int) -> None:
        if self._picture is None or not self._picture.figures.histogram[number]:
            return
        chosen = bin_range(number)
        self.range_chosen.emit(None if chosen == self._chosen else chosen)

    # keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS_PERCENT.get(key_of(event))
        if self._picture is None:
            super().keyPressEvent(event)
        elif step is not None:
            before = self.limit
            self._move_to(self.limit + step / 100)
            if self.limit != before:
                self.limit_chosen.emit(self.limit)
                self._announce(self._picture)
        elif event.key() == Qt.Key.Key_Home:
            self._move_to(self._picture.proposed_limit)
            self.limit_chosen.emit(None)
            self._announce(self._picture)
        elif event.key() in ENTER_KEYS:
            self.range_chosen.emit(ShareRange(self.limit))
        else:
            super().keyPressEvent(event)

    def _announce(self, picture: ClassPicture) -> None:
        words = pairs_from_in_words(picture, self.limit)
        announce(self, words)

    def _move_to(self, share: float) -> None:
        limit = min(max(round(100 * share), LEAST_PERCENT), MOST_PERCENT) / 100
        if limit != self.limit:
            self.limit = limit
            self._describe()
            self.update()
            self.limit_moved.emit(limit)

    # words

    def tip_at(self, place: QPointF) -> tuple[str, QRect]:
        return as_tooltip(self._words_at(place)), QRect()

    def _words_at(self, place: QPointF) -> str:
        number = self._bin_at(place.x())
        if self._picture is None or number is None:
            return ""
        if self._is_near_limit(place):
            hint = _("Drag to move the limit.")
            return f"{pairs_from_in_words(self._picture, self.limit)}\n{hint}"
        scale = _("The heights are on a logarithmic scale.")
        return f"{bin_in_words(self._picture, number)}\n{scale}"

    def _as_table(self) -> PictureTable | None:
        return None if self._picture is None else table_of_bars(self._picture, self._choose_bin)

    def _describe(self) -> None:
        """Set the accessible description: bars by descending count, and the limit."""
        if self._picture is None:
            self.setAccessibleDescription("")
            return
        counts = self._picture.figures.histogram
        fullest = np.sort(np.argsort(-counts, kind="stable")[:_MOST_BINS_SAID])
        bars = [bin_in_words(self._picture, number) for number in fullest.tolist() if counts[number]]
        keys = _(
            "Arrow keys move the limit, Home proposes one, Enter lists the pairs above it, T shows a table."
        )
        above = pairs_from_in_words(self._picture, self.limit)
        self.setAccessibleDescription("\n".join([above, *bars, keys]))


_AT_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter) | int(Qt.TextFlag.TextDontClip)


def _count_label(count: int) -> str:
    return f"{count:,}" if count < 10_000 else f"{count // 1000}k"


def _x_in(area: QRect, share: float) -> float:
    return area.left() + share * area.width()


PANEL_MARGINS_PX = (4 * GRID_PX, 3 * GRID_PX, 4 * GRID_PX, 3 * GRID_PX)
PANEL_HEAD_PX = 7 * GRID_PX
"""Least height of the title of a panel, so that those side by side are on one line."""

_LIMIT_PX, _LEAST_LEAD_PX = 19 * GRID_PX, 24 * GRID_PX
_LEAST_HEIGHT_PX = 70 * GRID_PX
"""Height from which the rate of false alarms is shown; otherwise it is a tooltip. All lines fit in less."""


class _Title(ElidedLabel):
    """Heading that is whole, short or not there: a few letters of it would say nothing."""

    def _shortened(self) -> str:
        texts = (self.text(), _("How similar?"))
        fits = (text for text in texts if self.fontMetrics().horizontalAdvance(text) <= self.width())
        return next(fits, "")


class HistogramPanel(QWidget):
    """Histogram with the number of pairs above the limit, which a click lists.

    limit_moved: while the limit is dragged; limit_chosen: afterwards, None for the proposed one.
    range_chosen: a ShareRange to list, or None. search_requested: for possibly rewritten passages.
    """

    limit_moved = Signal(float)
    limit_chosen = Signal(object)
    range_chosen = Signal(object)
    search_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: ClassPicture | None = None
        self._shares: ClassShares | None = None
        self._is_complete = False
        self._search = MeaningSearch.IMPOSSIBLE
        self.title, self._before, self._after = _Title(), QLabel(), QLabel()
        translated(self.title, N_("How similar are the pairs?"))
        self.title.setObjectName("panelTitle")
        self.histogram = ShareHistogram()
        tip = N_("List these pairs")
        self.count_button = push_button(
            "",
            lambda: self.range_chosen.emit(ShareRange(self.histogram.limit)),
            tip,
            look="flushLink",
            accessibleName=tip,
        )
        self.limit_box = translated(
            QSpinBox(minimum=LEAST_PERCENT, maximum=MOST_PERCENT),
            tip=N_("Pairs from this share on are counted here and linked in the graph."),
            accessibleName=N_("Limit, in per cent"),
            suffix="%",
        )
        self.limit_box.setKeyboardTracking(False)
        self.limit_box.setAlignment(Qt.AlignmentFlag.AlignCenter)
        tip = N_("Use the limit that follows from the shares of this class: chance hardly reaches it.")
        self.proposed_button = push_button(
            "", self._choose_proposed, tip, look="statusLink", accessibleName=N_("Proposed limit")
        )
        self.verdict, self.alarms = QLabel(), MutedLabel()
        self.verdict.setWordWrap(True)
        tip = N_("Find passages that may have been rewritten in all pairs (takes longer)")
        self.search_button = push_button("", self._request_search, tip, look="flushLink", accessibleName=tip)
        self.search_button.setMinimumWidth(_LEAST_LEAD_PX)  # as that of the lead
        self.search_button.hide()
        self._conclusion = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._conclusion.setSpacing(GRID_PX)
        self._conclusion.addWidget(self.verdict)
        self._conclusion.addWidget(self.search_button, 1, Qt.AlignmentFlag.AlignLeft)
        self.lead_button = push_button("", look="primary")
        self.lead_button.setMinimumWidth(_LEAST_LEAD_PX)  # wide fonts may not widen the smallest window
        self.show_lead("")
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
            row_of(None, (self.title, 1), self.lead_button, spacing_px=2 * GRID_PX),
            (self.histogram, 1),
            limit_row,
            self._conclusion,
            self.alarms,
            spacing_px=GRID_PX,
            margins_px=PANEL_MARGINS_PX,
        )
        self.histogram.limit_moved.connect(self._follow_drag)
        self.histogram.limit_chosen.connect(self.limit_chosen.emit)
        self.histogram.range_chosen.connect(self.range_chosen.emit)
        self.limit_box.valueChanged.connect(lambda value: self.limit_chosen.emit(value / 100))
        follow_theme(self._fit_sizes)
        follow_language(self._retranslate)

    def show_class(
        self,
        picture: ClassPicture,
        shares: ClassShares,
        is_complete: bool = True,
        search: MeaningSearch = MeaningSearch.IMPOSSIBLE,
    ) -> None:
        """Show the shares of a class and their rarity; no conclusion before all are compared by words."""
        self._picture, self._shares, self._is_complete, self._search = picture, shares, is_complete, search
        self.histogram.show_class(picture)
        self._show_words()

    def show_lead(self, words: str) -> None:
        """Offer what is to be done next; empty for nothing."""
        self.lead_button.setText(words or _("Export…"))  # a name also while it is hidden
        self.lead_button.setVisible(bool(words))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._hide_alarms_if_low()

    @property
    def _is_low(self) -> bool:
        return self.height() < scaled(_LEAST_HEIGHT_PX)

    def _hide_alarms_if_low(self) -> None:
        self.alarms.setVisible(not self._is_low)
        self._fit_words()

    def _fit_words(self) -> None:
        width = self.width() - PANEL_MARGINS_PX[0] - PANEL_MARGINS_PX[2]
        for label in (self.verdict, self.alarms):  # or the bars would be flat above long words
            label.setMinimumHeight(0)  # which heightForWidth would return at least
            label.setMinimumHeight(max(label.heightForWidth(width), 0))
        self._fit_search(width)

    def _fit_search(self, width: int) -> None:
        """Show the longest form of the offer to search that fits, beside the verdict or else below it.

        In a low panel a short form beside the verdict is preferred to a long one below it.
        """
        button, kinds, is_low = self.search_button, QBoxLayout.Direction, self._is_low
        offer = not_searched_in_words(self._search) if self.alarms.text() else ""
        texts = (offer, _("Search for rewriting")) if offer else ()
        button.setText(offer)
        advance = self.fontMetrics().horizontalAdvance
        padding_px = button.sizeHint().width() - advance(offer)
        beside_px = width - advance(self.verdict.text()) - 2 * GRID_PX
        rooms = ((kinds.LeftToRight, beside_px), (kinds.TopToBottom, width))
        forms = sorted(product(texts, rooms), key=lambda form: is_low and form[1] is rooms[1])
        fitting = ((text, kind) for text, (kind, px) in forms if advance(text) + padding_px <= px)
        text, kind = next(fitting, ("", kinds.LeftToRight))
        button.setText(text)
        button.setVisible(bool(text))
        self._conclusion.setDirection(kind)

    def _request_search(self) -> None:
        """Ask for the search; the button, which disappears then, leaves its focus to the histogram."""
        self.histogram.setFocus(Qt.FocusReason.OtherFocusReason)
        self.search_requested.emit()

    def _choose_proposed(self) -> None:
        """Choose the proposed limit; the button, which disappears then, leaves its focus to the limit."""
        self.limit_box.setFocus(Qt.FocusReason.OtherFocusReason)
        self.limit_chosen.emit(None)

    def _follow_drag(self, limit: float) -> None:
        self._show_words()
        self.limit_moved.emit(limit)

    def _show_words(self) -> None:
        if self._picture is None or self._shares is None:
            return
        self._show_limit(self._picture)
        limit = self.histogram.limit
        verdict, alarms = "", ""  # without pairs
        figures = self._picture.figures
        if not self._is_complete:
            verdict = no_conclusion_in_words()
        elif figures.known_count:
            verdict = unusual_in_words(self._picture, self._shares, limit)
            if self._search is MeaningSearch.UNDER_WAY:
                verdict = joined_sentences([verdict, _("Searching for possibly rewritten passages…")])
            elif (count := len(self._picture.rewritten)) or self._search is MeaningSearch.ALL:
                verdict = joined_sentences([verdict, rewritten_pairs_in_words(count)])
            elif self._search is MeaningSearch.NOT_SO_STRICTLY:
                not_searched = _("Possibly rewritten passages are not searched for at this strictness.")
                verdict = joined_sentences([verdict, not_searched])
            alarms = false_alarms_in_words(self._shares, limit)
        self.verdict.setText(verdict)
        self.alarms.setText(alarms)
        self._fit_words()
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
        self.title.setMinimumHeight(scaled(PANEL_HEAD_PX))
        self._hide_alarms_if_low()

    def _retranslate(self) -> None:
        before, _limit, after = _("at {limit} or more").partition("{limit}")
        for label, words in ((self._before, before.strip()), (self._after, after.strip())):
            label.setText(words)
            label.setVisible(bool(words))
        self._show_words()
