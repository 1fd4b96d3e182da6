"""Rows of the list of passages: their order, how they are painted, and by what they are filtered."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QColor, QFontMetrics, QIcon, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from simcompare.comparison.comparison_result import Comparison, Match, NearMiss
from simcompare.comparison.explanation import agreement_in_words
from simcompare.comparison.passages.numbered_passages import NumberedPassages, is_mostly_chinese
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.report.wording import detailed, enumerated, kind_name, number, passage_kind_name
from simcompare.session.decisions import Decision, NotedDecision
from simcompare.support.arrays import IndexArray
from simcompare.support.display_text import percent
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.access.rows_table import AnyIndex, RowsTable
from simcompare.ui.compare.matches.inspector_sentences import chip_size, paint_chip, paint_kind_line
from simcompare.ui.compare.text_pane.typography import is_latin
from simcompare.ui.labels import NOTE_ICON, decision_icon, decision_text
from simcompare.ui.state.language import NamedAction, Words, follow_language, translated
from simcompare.ui.state.review.found_decisions import DecisionFilter, PassageOrder
from simcompare.ui.state.review.review_history import ReviewHistory
from simcompare.ui.style.layouts import row_of
from simcompare.ui.style.theme import GRID_PX, bold, current_theme, icon, use_look, use_quotes

SIDE_PX = 4 * GRID_PX


class ListHeader(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._count = QLabel(), QLabel()
        for label in (self._title, self._count):
            label.setObjectName("muted")
        margins_px = (SIDE_PX, 3 * GRID_PX, SIDE_PX, 2 * GRID_PX)
        row_of(self, self._title, None, self._count, spacing_px=GRID_PX, margins_px=margins_px)

    def add_control(self, control: QWidget) -> None:
        row = self.layout()
        assert row is not None, "set by the constructor"
        row.addWidget(control)
        row.setContentsMargins(SIDE_PX, 3 * GRID_PX, GRID_PX, 2 * GRID_PX)  # the control has its own padding

    def show_count(self, title: str, count: str) -> None:
        self._title.setText(title)
        self._count.setText(count)


class KindSwitch(QAbstractButton):
    """Tile with the number of passages of one kind; filled while they are listed."""

    def __init__(self, kind: PassageKind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind = kind
        self._count = 0
        self.setCheckable(True)
        self.setChecked(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        tip = N_("Show or hide passages of this kind: {kind}")
        translated(self, tip=lambda: _(tip).format(kind=passage_kind_name(kind)))
        follow_language(self._name)

    def set_count(self, count: int) -> None:
        if count != self._count:
            self._count = count
            self._name()

    def _name(self) -> None:
        self.setAccessibleName(f"{passage_kind_name(self._kind)} {self._count}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = max(
            self.fontMetrics().horizontalAdvance(text) for text in (passage_kind_name(self._kind), "00,000")
        )
        return QSize(width + 2 * GRID_PX, 2 * self.fontMetrics().height() + 3 * GRID_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_tile(painter)
        theme = current_theme()
        look = theme.passages[self._kind]
        painter.setPen(QColor(look.ink if self.isChecked() else theme.muted))
        text = self.rect().adjusted(0, GRID_PX, 0, -2 * GRID_PX)
        name = QRect(text.left(), text.center().y() + 1, text.width(), text.height() // 2)
        painter.drawText(name, Qt.AlignmentFlag.AlignCenter, passage_kind_name(self._kind))
        if self.isChecked():
            width = QFontMetrics(self.font()).horizontalAdvance(passage_kind_name(self._kind))
            line = QRect(name.center().x() - width // 2, name.top(), width, name.height() + 2)
            paint_kind_line(painter, line, current_theme().passages[self._kind])
        painter.setFont(bold(self.font()))
        number = QRect(text.topLeft(), QSize(text.width(), text.height() // 2))
        painter.drawText(number, Qt.AlignmentFlag.AlignCenter, f"{self._count:,}")

    def _paint_tile(self, painter: QPainter) -> None:
        theme = current_theme()
        look = theme.passages[self._kind]
        checked = self.isChecked()
        painter.setPen(QPen(QColor(look.tint if checked else theme.line), 1))
        painter.setBrush(QColor(look.tint) if checked else Qt.BrushStyle.NoBrush)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2))
        elif self.underMouse():
            painter.setPen(QPen(QColor(look.ink), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), GRID_PX, GRID_PX)


_TILES_IN_A_ROW = 3


class KindFilter(QWidget):
    """Switches for the kinds of passages; only those of which there are passages are visible.

    Hidden while there is nothing to choose from: a single kind, which is listed.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(SIDE_PX, 0, SIDE_PX, 2 * GRID_PX)
        self._grid.setSpacing(2 * GRID_PX)
        self._switches = {kind: KindSwitch(kind, self) for kind in PassageKind}
        self._shown: list[PassageKind] = []
        for switch in self._switches.values():
            switch.hide()
            switch.toggled.connect(self.changed)
        self.hide()

    @property
    def checked_kinds(self) -> frozenset[PassageKind]:
        return frozenset(kind for kind, switch in self._switches.items() if switch.isChecked())

    def show_kinds(self, kinds: frozenset[PassageKind]) -> None:
        """Switch these kinds on and all others off, without a signal."""
        for kind, switch in self._switches.items():
            with QSignalBlocker(switch):
                switch.setChecked(kind in kinds)
        self._show_if_useful()

    def set_counts(self, counts: Mapping[PassageKind, int]) -> None:
        for kind, switch in self._switches.items():
            switch.set_count(counts[kind])
        shown = [kind for kind in PassageKind if counts[kind]]
        if shown != self._shown:
            self._shown = shown
            self._arrange()
            self._show_if_useful()

    def _show_if_useful(self) -> None:
        self.setVisible(len(self._shown) > 1 or not self.checked_kinds.issuperset(self._shown))

    def _arrange(self) -> None:
        for kind, switch in self._switches.items():
            self._grid.removeWidget(switch)
            switch.setVisible(kind in self._shown)
        for place, kind in enumerate(self._shown):
            self._grid.addWidget(self._switches[kind], *divmod(place, _TILES_IN_A_ROW))


_TEXTS = {
    DecisionFilter.ALL: N_("All passages"),
    DecisionFilter.UNDECIDED: N_("Undecided"),
    DecisionFilter.COPIED: N_("Copied"),
    DecisionFilter.FINE: N_("No concern"),
    DecisionFilter.NOTED: N_("With a note"),
    DecisionFilter.QUOTED_AND_CITED: N_("Quoted and cited"),
    DecisionFilter.CITED: N_("Cited without quotation marks"),
    DecisionFilter.QUOTED: N_("Quoted without a source"),
    DecisionFilter.NEITHER: N_("Neither quoted nor cited"),
}
_DECISIONS = {DecisionFilter.COPIED: Decision.COPIED, DecisionFilter.FINE: Decision.FINE}
_FILTER_ICON_PX = 16


_ORDERS = {
    PassageOrder.PLACE: N_("By place in the text"),
    PassageOrder.LENGTH: N_("Longest first"),
    PassageOrder.WORDS: N_("Most words in common first"),
}
_LEAST_UNITS = (0, 10, 20, 50, 100)


class DecisionFilterButton(QToolButton):
    """Shows "3 of 17 decided"; its menu filters the list by decision, citation or length, and orders it."""

    chosen = Signal(object)
    """The DecisionFilter that the user chose."""
    arranged = Signal(object, int, bool)
    """The PassageOrder, the fewest units of a passage, and whether headings are hidden."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choice = DecisionFilter.ALL
        self._heading_count = 0
        self._shows_total = True
        self._counts: Mapping[DecisionFilter, int] = dict.fromkeys(DecisionFilter, 0)
        self.setIconSize(QSize(_FILTER_ICON_PX, _FILTER_ICON_PX))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._actions: dict[DecisionFilter, QAction] = {}
        self.setMenu(self._build_menu())
        self.setObjectName("smallMenu")
        translated(self, tip=N_("List only some passages: by decision, length or how a source is cited"))
        follow_language(self._show_counts)

    def _build_menu(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(self)
        for choice in DecisionFilter:
            action = menu.addAction("", partial(self.chosen.emit, choice))
            action.setCheckable(True)
            action.setChecked(choice is self.choice)
            group.addAction(action)
            self._actions[choice] = action
        menu.insertSeparator(self._actions[DecisionFilter.UNDECIDED])
        menu.insertSeparator(self._actions[DecisionFilter.QUOTED_AND_CITED])
        menu.addSeparator()
        self._orders, self._lengths = QActionGroup(self), QActionGroup(self)
        order = translated(QMenu(menu), title=N_("Order"))
        short = translated(QMenu(menu), title=N_("Hide short ones"))
        for wanted, text in _ORDERS.items():
            self._add_choice(order, self._orders, text, wanted)
        for least in _LEAST_UNITS:
            self._add_choice(short, self._lengths, partial(_least_in_words, least), least)
        menu.addMenu(order)
        menu.addMenu(short)
        short.addSeparator()
        words = self._headings_in_words
        self._hides_headings = NamedAction(words, short, self._arrange, checkable=True, checked=True)
        return menu

    def _add_choice(self, menu: QMenu, group: QActionGroup, text: Words, value: object) -> None:
        action = NamedAction(text, menu, self._arrange, checkable=True, checked=not group.actions())
        action.setData(value)
        group.addAction(action)

    def _arrange(self) -> None:
        order, least = (group.checkedAction().data() for group in (self._orders, self._lengths))
        self.arranged.emit(order, least, self._hides_headings.isChecked())

    def _headings_in_words(self) -> str:
        return _("Headings that are the same in both texts ({count})").format(
            count=f"{self._heading_count:,}"
        )

    def set_counts(self, counts: Mapping[DecisionFilter, int], headings: int) -> None:
        """Show these counts; citations without one are not offered."""
        self._heading_count = headings
        self._hides_headings.setText(self._headings_in_words())
        self._counts = dict.fromkeys(DecisionFilter, 0) | dict(counts)
        for choice in DecisionFilter:
            self._actions[choice].setVisible(choice in counts)
        self._show_counts()

    def set_choice(self, choice: DecisionFilter) -> None:
        self.choice = choice
        with QSignalBlocker(self):
            self._actions[choice].setChecked(True)
        self._show_counts()
        self.setIcon(self._own_icon())
        use_look(self, "smallMenu" if choice is DecisionFilter.ALL else "smallMenuInUse")

    def show_total(self, is_shown: bool) -> None:
        """Show the number of all passages, unless it stands beside the button already."""
        if is_shown is not self._shows_total:
            self._shows_total = is_shown
            self._show_counts()

    def _show_counts(self) -> None:
        total, undecided = (self._counts[each] for each in (DecisionFilter.ALL, DecisionFilter.UNDECIDED))
        numbers = {"count": f"{total - undecided:,}", "total": f"{total:,}"}
        decided = _("{count} of {total} decided").format(**numbers)
        shown = decided if self._shows_total else _("{count} decided").format(**numbers)
        self.setText(shown if self.choice is DecisionFilter.ALL else _(_TEXTS[self.choice]))
        self.setAccessibleName(f"{decided}, {_(_TEXTS[self.choice])}")
        for choice, action in self._actions.items():
            action.setText(f"{_(_TEXTS[choice])}\t{self._counts[choice]:,}")

    def _own_icon(self) -> QIcon:
        """Icon of the filter on the button; in the menu it would hide the tick."""
        if self.choice is DecisionFilter.NOTED:
            return icon(NOTE_ICON, "muted")
        decision = _DECISIONS.get(self.choice)
        return QIcon() if decision is None else decision_icon(decision)


def _least_in_words(least: int) -> str:
    if not least:
        return _("Show all")
    return _("Under {count} characters or words").format(count=least)


_EXCERPT_LENGTH = 80  # more than fits into any list


class PassageRow(NamedTuple):
    """Indices of a passage and, for a pair of sentences in it, of the match."""

    passage: int
    match: int | None = None


_row_of = cache(PassageRow)  # thousands for each step of a slider


class PassageRows:
    """Rows of the listed passages, and of the pairs of sentences in those unfolded."""

    def __init__(self, review: ReviewHistory) -> None:
        self._review = review
        self._shown: tuple[Comparison, NumberedPassages] | None = None
        self._listed: IndexArray = np.zeros(0, np.intp)
        self._unfolded: set[int] = set()

    @property
    def _comparison(self) -> Comparison:
        assert self._shown is not None, "rows are of a comparison"
        return self._shown[0]

    @property
    def _passages(self) -> NumberedPassages:
        assert self._shown is not None, "rows are of passages"
        return self._shown[1]

    def show(self, shown: tuple[Comparison, NumberedPassages] | None, listed: IndexArray) -> None:
        """List the passages of a comparison with these indices, in their order.

        Unfolded passages that are also in the new list stay unfolded.
        """
        unfolded = _same_passages(self._passages, shown[1], self._unfolded) if self._shown and shown else ()
        self._shown, self._listed = shown, listed
        self._unfolded = {passage for passage in unfolded if self.can_unfold(passage)}

    def arranged(self) -> list[PassageRow]:
        """Return a row for each listed passage, and below unfolded ones a row for each pair of sentences."""
        rows = list(map(_row_of, self._listed.tolist()))
        if not self._unfolded:
            return rows
        return [each for row in rows for each in (row, *self._below(row.passage))]

    def _below(self, passage: int) -> Iterator[PassageRow]:
        if passage in self._unfolded:
            yield from (PassageRow(passage, match) for match in self._passages.matches_of(passage).tolist())

    def can_unfold(self, passage: int) -> bool:
        return len(self._passages.matches_of(passage)) > 1

    def is_unfolded(self, passage: int) -> bool:
        return passage in self._unfolded

    def set_unfolded(self, passage: int, unfolded: bool) -> None:
        if unfolded and self.can_unfold(passage):
            self._unfolded.add(passage)
        else:
            self._unfolded.discard(passage)

    @property
    def last_number(self) -> int:
        return int(self._listed.max(initial=-1)) + 1

    def kind(self, passage: int) -> PassageKind:
        return PASSAGE_KINDS[int(self._passages.kinds[passage])]

    def in_common(self, passage: int) -> str:
        """Share that both sides of a passage have: "61%"; "" if it was found by meaning."""
        if self.kind(passage) is PassageKind.MEANING:
            return ""
        return percent(float(self._passages.in_common[passage]))

    def length(self, passage: int) -> str:
        """Length of a passage: "312 ch." of Chinese, "57 words" of others.

        The longest one is the figure in the list of pairs.
        """
        units = self._passages.units_of(passage)
        if is_mostly_chinese(self._comparison, self._passages, passage):
            return _("{count} ch.").format(count=f"{units:,}")
        return ngettext("{count} word", "{count} words", units)

    def decision(self, row: PassageRow) -> NotedDecision:
        if row.match is None:
            return self._review.passage_decision(row.passage)
        decisions = self._review.matches
        return NotedDecision(decisions.decision(row.match), decisions.notes.get(row.match, ""))

    def is_partly_decided(self, row: PassageRow) -> bool:
        """Return whether a row is of a passage with decisions on some of its pairs of sentences only."""
        return row.match is None and bool(self._review.passages.partly[row.passage])

    def match_at(self, index: int) -> Match:
        return self._comparison.matches[index]

    def agreement(self, index: int) -> tuple[str, str]:
        """Say what the two sentences of a match have in common, and how many synonyms or ""."""
        return agreement_in_words(self._comparison, self.match_at(index))

    def excerpt(self, row: PassageRow) -> str:
        text = self._comparison.left.document.text
        if row.match is None:
            start, end = self._first_counted(row.passage), int(self._passages.left_spans[row.passage, 1])
        else:
            span = self._comparison.left_span(self.match_at(row.match))
            start, end = span.start, span.end
        return " ".join(text[start : min(end, start + _EXCERPT_LENGTH)].split())

    def _first_counted(self, passage: int) -> int:
        """Begin of a passage in the left text, after excluded sentences such as lines with a name."""
        span = self._passages.left_spans[passage : passage + 1]
        first, stop = self._comparison.left.prepared.sentences_in(span)[0].tolist()
        kept = self._comparison.left_excluded.kept[first:stop]
        counted = first + int(kept.argmax()) if kept.any() else first
        return max(int(span[0, 0]), self._comparison.left.prepared.sentence_span(counted).start)

    def description(self, row: PassageRow) -> str:
        if row.match is None:
            words = self._passage_in_words(row.passage)
            partly = _("Partly decided") if self.is_partly_decided(row) else ""
        else:
            words, partly = self._match_in_words(row.match), ""
        return "\n".join(filter(None, (words, partly, decision_text(self.decision(row)))))

    def _passage_in_words(self, passage: int) -> str:
        facts = [
            passage_kind_name(self.kind(passage)),
            self.length(passage),
        ]
        if share := self.in_common(passage):
            facts.append(_("{share} in common").format(share=share))
        if self.can_unfold(passage):
            count = len(self._passages.matches_of(passage))
            facts.append(ngettext("{count} sentence pair", "{count} sentence pairs", count))
        return _("Passage {number}: {facts}").format(number=passage + 1, facts=enumerated(facts))

    def _match_in_words(self, index: int) -> str:
        match = self.match_at(index)
        scores = [f"P = {number(match.p)}", *([] if match.w is None else [f"w = {number(match.w)}"])]
        places = _("{kind}: sentence {left} on the left, {right} on the right").format(
            kind=kind_name(match.kind), left=match.left + 1, right=match.right + 1
        )
        agreement = enumerated(filter(None, self.agreement(index)))
        return enumerated([places, detailed(agreement, enumerated(scores))])


def _same_passages(before: NumberedPassages, after: NumberedPassages, indices: set[int]) -> set[int]:
    """Find passages again, by their spans, in the list made with other settings."""
    found = set()
    for index in indices:
        same = (after.left_spans == before.left_spans[index]).all(axis=1)
        same &= (after.right_spans == before.right_spans[index]).all(axis=1)
        found |= set(np.flatnonzero(same)[:1].tolist())
    return found


_BAR_PX = 3
_ICON_PX = 16
_ARROW_MIDDLE_PX = 9  # in the margin, beside the bar of a selected row
_ARROW_TARGET_PX = 6 * GRID_PX
_INDENTATION_PX = 4 * GRID_PX
_LINE_PX = 1.5
_PARTLY_PX = 10
_LEAST_EXCERPT_PX = 20 * GRID_PX
"""Least width for the beginning of a sentence: a few characters tell nothing."""


def row_height(metrics: QFontMetrics) -> int:
    """Height of a row in pixels: a line with a chip above a line of text."""
    return chip_size(PassageKind.IDENTICAL, metrics).height() + metrics.height() + 5 * GRID_PX


def arrow_rect(row: QRect) -> QRect:
    """Part of a passage's row that unfolds it when clicked."""
    return QRect(row.topLeft(), QSize(_ARROW_TARGET_PX, row.height()))


class PassageRowPainter(QStyledItemDelegate):
    """Paints rows of two lines.

    A passage: number, kind, decision, share of common words; length and the beginning of the left text.
    A pair of sentences, indented: sentence numbers, the beginning of the left sentence if there is room for
    it, number of synonyms, decision; how much of the two is the same.
    """

    def __init__(self, rows: PassageRows, table: RowsTable[PassageRow]) -> None:
        super().__init__(table)
        self._rows, self._table = rows, table
        self._note_icon = icon(NOTE_ICON, "muted")
        self._icons = {decision: decision_icon(decision) for decision in Decision}

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.save()
        painter.setFont(option.font)
        rect: QRect = option.rect
        row = self._table.model_of_rows.rows[index.row()]
        paint_row_ground(painter, option, current_theme().accent_tint)
        line_height = chip_size(PassageKind.IDENTICAL, painter.fontMetrics()).height()
        inner = rect.adjusted(SIDE_PX, 2 * GRID_PX, -SIDE_PX, -2 * GRID_PX)
        if row.match is None and self._rows.can_unfold(row.passage):
            middle = QPointF(rect.left() + _ARROW_MIDDLE_PX, inner.top() + line_height / 2)
            _paint_arrow(painter, middle, self._rows.is_unfolded(row.passage))
        elif row.match is not None:
            inner.setLeft(inner.left() + _INDENTATION_PX)
        upper = QRect(inner.topLeft(), QSize(inner.width(), line_height))
        lower = inner.adjusted(0, line_height + GRID_PX, 0, 0)
        if row.match is None:
            self._paint_passage(painter, upper, lower, row, index.data())
        else:
            self._paint_match(painter, upper, lower, row, index.data())
        painter.restore()

    def _paint_passage(
        self, painter: QPainter, upper: QRect, lower: QRect, row: PassageRow, excerpt: str
    ) -> None:
        theme, rows = current_theme(), self._rows
        painter.setPen(QColor(theme.muted))
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter, f"{row.passage + 1:,}")
        widest = painter.fontMetrics().horizontalAdvance(f"{rows.last_number:,}")
        corner = QPoint(upper.left() + widest + 2 * GRID_PX, upper.top())
        chip = paint_chip(painter, corner, rows.kind(row.passage), theme)
        free = _paint_bold_at_right(painter, upper, rows.in_common(row.passage))
        self._paint_decision(painter, free.adjusted(chip.right() - free.left(), 0, 0, 0), row)
        free = _paint_at_right(painter, lower, rows.length(row.passage), theme.muted)
        _paint_elided(painter, free, excerpt, theme.ink)

    def _paint_match(
        self, painter: QPainter, upper: QRect, lower: QRect, row: PassageRow, excerpt: str
    ) -> None:
        assert row.match is not None, "a row of a pair of sentences has a match"
        theme, numbers = current_theme(), sentence_numbers(self._rows.match_at(row.match))
        painter.setPen(QColor(theme.muted))
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter, numbers)
        same, synonyms = self._rows.agreement(row.match)
        free = _paint_at_right(painter, self._paint_decision(painter, upper, row), synonyms, theme.muted)
        free.setLeft(free.left() + painter.fontMetrics().horizontalAdvance(numbers) + 2 * GRID_PX)
        if free.width() >= _LEAST_EXCERPT_PX:
            _paint_elided(painter, free, excerpt, theme.muted)
        _paint_elided(painter, lower.adjusted(0, 0, SIDE_PX // 2, 0), same, theme.ink)

    def _paint_decision(self, painter: QPainter, free: QRect, row: PassageRow) -> QRect:
        """Paint the marks of decision and note, from the right; return the free rectangle to their left.

        A pair of sentences has a mark of its own only if it differs from its passage.
        """
        noted = self._rows.decision(row)
        if row.match is not None and noted.decision is self._rows.decision(PassageRow(row.passage)).decision:
            noted = replace(noted, decision=None)
        place = QRect(free.right() - _ICON_PX, free.center().y() - _ICON_PX // 2, _ICON_PX, _ICON_PX)
        if noted.decision is not None:
            self._icons[noted.decision].paint(painter, place)
        elif self._rows.is_partly_decided(row):
            _paint_half_disc(painter, place)
        else:
            place.translate(_ICON_PX + GRID_PX, 0)
        if noted.note:
            place.translate(-_ICON_PX - GRID_PX, 0)
            self._note_icon.paint(painter, place)
        return free.adjusted(0, 0, place.left() - GRID_PX - free.right(), 0)


def sentence_numbers(match: Match | NearMiss) -> str:
    """Numbers of two sentences: "5 ↔ 6"."""
    return f"{match.left + 1:,} ↔ {match.right + 1:,}"


def _paint_arrow(painter: QPainter, middle: QPointF, unfolded: bool) -> None:
    points = [QPointF(-GRID_PX / 2, -GRID_PX), QPointF(GRID_PX / 2, 0.0), QPointF(-GRID_PX / 2, GRID_PX)]
    if unfolded:
        points = [QPointF(point.y(), point.x()) for point in points]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(current_theme().muted), _LINE_PX))
    painter.drawPolyline([middle + point for point in points])
    painter.restore()


def _paint_half_disc(painter: QPainter, place: QRect) -> None:
    """Paint the mark of a passage that is partly decided."""
    margin = (_ICON_PX - _PARTLY_PX) / 2
    disc = QRectF(place).adjusted(margin, margin, -margin, -margin)
    ink = QColor(current_theme().muted)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(ink, _LINE_PX))
    painter.drawEllipse(disc)
    painter.setBrush(ink)
    painter.drawPie(disc, 90 * 16, 180 * 16)
    painter.restore()


def _paint_bold_at_right(painter: QPainter, line: QRect, text: str) -> QRect:
    regular = painter.font()
    painter.setFont(bold(regular))
    free = _paint_at_right(painter, line, text, current_theme().ink)
    painter.setFont(regular)
    return free


def _paint_at_right(painter: QPainter, free: QRect, text: str, ink: str) -> QRect:
    """Paint a text at the right end of a line; return the free rectangle to its left."""
    painter.setPen(QColor(ink))
    painter.drawText(free, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
    return free.adjusted(0, 0, -painter.fontMetrics().horizontalAdvance(text) - 2 * GRID_PX, 0)


def _paint_elided(painter: QPainter, free: QRect, text: str, ink: str) -> None:
    painter.setPen(QColor(ink))
    font = painter.font()
    use_quotes(font, latin=is_latin(text))
    painter.setFont(font)
    elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, free.width())
    painter.drawText(free, Qt.AlignmentFlag.AlignVCenter, elided)


def paint_row_ground(painter: QPainter, option: QStyleOptionViewItem, chosen: str) -> None:
    """Paint the background of a list row: selected, hovered or plain; a frame for the keyboard focus."""
    theme, state = current_theme(), option.state
    rect: QRect = option.rect
    if state & QStyle.StateFlag.State_Selected:
        painter.fillRect(rect, QColor(chosen))
        painter.fillRect(QRect(rect.topLeft(), QSize(_BAR_PX, rect.height())), QColor(theme.accent))
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(rect, QColor(theme.raised))
    if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
        painter.setPen(QColor(theme.accent))
        painter.drawRect(rect.adjusted(0, 0, -1, -1))
