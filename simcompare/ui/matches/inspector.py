"""One match in words: its numbers, its two sentences, and why they were judged similar."""
# ruff: noqa: N802 - Qt names the methods it calls

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFont, QResizeEvent, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from simcompare.comparison.values import Alignment, Comparison, Match, MatchKind, NearMiss
from simcompare.i18n import _
from simcompare.report.wording import number
from simcompare.settings import ComparisonSettings
from simcompare.ui.looks.palette import muted_palette, surface_palette
from simcompare.ui.looks.theme import GRID_PX, LATIN_FIRST_FAMILIES, LIGHT, Theme
from simcompare.ui.matches.inspector_sentences import Piece, QuietText, SentencesView, both_sides
from simcompare.ui.matches.kind_chip import KindChip
from simcompare.ui.text_pane.typography import is_latin

_NARROWEST_REASON_PX = 65 * GRID_PX


def verdict_text(match: Match, settings: ComparisonSettings) -> str:
    """Return the numbers of a match, with the threshold that the deciding one reached."""
    p = f"P = {number(match.p)}"
    reached = f" ≥ {settings.right_weight:.2f}"
    if match.w is not None:
        return f"{p}   w = {number(match.w)}{reached}"
    return p if match.kind is MatchKind.EXACT else p + reached


class Inspector(QWidget):
    """Shows the match that is selected, or a hint how to select one."""

    previous_requested = Signal()
    next_requested = Signal()
    width_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._show_again: Callable[[], None] = _nothing
        self._number = QLabel(self)
        self._chip = KindChip(self)
        self._verdict = QLabel(self)
        self._previous = QPushButton(self)
        self._next = QPushButton(self)
        self._sentences = SentencesView(self)
        self._reason_title = QLabel(self)
        self._reason = QuietText(self)
        self._divider = QFrame(self)
        self._hint = QLabel(self)
        self._lay_out()
        self._previous.clicked.connect(self.previous_requested)
        self._next.clicked.connect(self.next_requested)
        self.setAutoFillBackground(True)
        self.apply_theme(LIGHT)
        self.clear()

    # --- arrangement

    def _lay_out(self) -> None:
        self._number.setFont(_bold(self.font()))
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint.setWordWrap(True)
        self._divider.setFixedWidth(1)
        self._divider.setAutoFillBackground(True)
        self._match_page = QWidget(self)
        row = QHBoxLayout(self._match_page)
        row.setContentsMargins(4 * GRID_PX, 3 * GRID_PX, 4 * GRID_PX, 3 * GRID_PX)
        row.setSpacing(4 * GRID_PX)
        row.addLayout(self._match_column(), 3)
        row.addWidget(self._divider)
        row.addLayout(self._reason_column(), 2)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._match_page)
        self._pages.addWidget(self._hint)

    def _match_column(self) -> QVBoxLayout:
        numbers = QHBoxLayout()
        numbers.setSpacing(3 * GRID_PX)
        for part in (self._number, self._chip, self._verdict):
            numbers.addWidget(part)
        numbers.addStretch()
        for button in (self._previous, self._next):
            numbers.addWidget(button)
        column = QVBoxLayout()
        column.setSpacing(2 * GRID_PX)
        column.addLayout(numbers)
        column.addWidget(self._sentences, 1)
        return column

    def _reason_column(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(GRID_PX)
        column.addWidget(self._reason_title)
        column.addWidget(self._reason, 1)
        self._reason.setMinimumWidth(_NARROWEST_REASON_PX)
        return column

    # --- what is shown

    def show_match(
        self, comparison: Comparison, index: int, alignment: Alignment, explanation: Sequence[str]
    ) -> None:
        """Show the match `index` of a comparison, what its sentences share, and the reasons line by line."""
        self._show_again = partial(self.show_match, comparison, index, alignment, explanation)
        match = comparison.matches[index]
        count = len(comparison.matches)
        heading = _("Match {number} of {count}").format(number=f"{index + 1:,}", count=f"{count:,}")
        self._chip.set_kind(match.kind)
        self._chip.show()
        self._show_pair(heading, verdict_text(match, comparison.settings), explanation)
        self._sentences.show_sentences(self._labelled(comparison, match, alignment))

    def show_near_miss(
        self, comparison: Comparison, miss: NearMiss, alignment: Alignment, explanation: Sequence[str]
    ) -> None:
        """Show two sentences that are no match, what they share nevertheless, and why they are none."""
        self._show_again = partial(self.show_near_miss, comparison, miss, alignment, explanation)
        self._chip.hide()
        counts = (
            comparison.left_excluded.reason(miss.left) is None
            and comparison.right_excluded.reason(miss.right) is None
        )
        self._show_pair(_("No match") if counts else _("Excluded"), _numbers(miss), explanation)
        self._sentences.show_sentences(self._labelled(comparison, miss, alignment))

    def enable_steps(self, previous: bool, following: bool) -> None:
        """Say whether there is a match to step to before and after what is shown."""
        self._previous.setEnabled(previous)
        self._next.setEnabled(following)

    def needed_height(self) -> int:
        """Return the height at which both sentences and all reasons are seen, in pixels."""
        if self._pages.currentWidget() is not self._match_page:
            return 0
        row = self._match_page.layout()
        assert row is not None, "laid out when it was made"
        self._match_page.setGeometry(self.rect())  # a page just shown is given its place only later
        row.activate()
        margins = row.contentsMargins()
        columns = (
            self._next.sizeHint().height() + 2 * GRID_PX + self._sentences.needed_height(),
            self._reason_title.sizeHint().height() + GRID_PX + self._reason.needed_height(),
        )
        return max(columns) + margins.top() + margins.bottom()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines break elsewhere in another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.width_changed.emit()

    def _show_pair(self, heading: str, verdict: str, explanation: Sequence[str]) -> None:
        self._number.setText(heading)
        self._verdict.setText(verdict)
        self._show_reason(explanation)
        self._pages.setCurrentWidget(self._match_page)

    def _labelled(
        self, comparison: Comparison, match: Match | NearMiss, alignment: Alignment
    ) -> list[tuple[str, Sequence[Piece]]]:
        left, right = both_sides(
            alignment,
            (comparison.left.document.text, comparison.right.document.text),
            (comparison.left_span(match), comparison.right_span(match)),
        )
        return [
            (_("left {number}").format(number=match.left + 1), left),
            (_("right {number}").format(number=match.right + 1), right),
        ]

    def _show_reason(self, explanation: Sequence[str]) -> None:
        self._reason.clear()
        cursor = self._reason.textCursor()
        spaced = QTextBlockFormat()
        spaced.setBottomMargin(GRID_PX)
        spaced.setLineHeight(115, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(spaced)
        ink = QTextCharFormat()
        ink.setForeground(QColor(self._theme.ink))
        if is_latin("".join(explanation)):
            ink.setFontFamilies(LATIN_FIRST_FAMILIES)
        for place, line in enumerate(explanation):
            if place:
                cursor.insertBlock(spaced)
            cursor.insertText(line, ink)
        self._reason.moveCursor(QTextCursor.MoveOperation.Start)

    def clear(self, hint: str | None = None) -> None:
        """Show no match, but how to come to one, or another hint."""
        self._show_again = partial(self._hint.setText, hint) if hint is not None else _nothing
        self._pages.setCurrentWidget(self._hint)
        self.retranslate()

    def retranslate(self) -> None:
        """Show the texts in the current language."""
        self._hint.setText(_("Choose a match in a text, the heatmap or the list."))
        self._previous.setText(_("‹ Previous"))
        self._previous.setToolTip(_("Go to the match before this one (P)"))
        self._next.setText(_("Next ›"))
        self._next.setToolTip(_("Go to the match after this one (N)"))
        self._reason_title.setText(_("Why"))
        self._sentences.setAccessibleName(_("The two sentences"))
        self._reason.setAccessibleName(_("Why"))
        self._show_again()

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self._theme = theme
        self.setPalette(surface_palette(theme))
        for label in (self._verdict, self._reason_title, self._hint):
            label.setPalette(muted_palette(theme))
        line = surface_palette(theme)
        line.setColor(line.ColorRole.Window, QColor(theme.line))
        self._divider.setPalette(line)
        for button in (self._previous, self._next):
            button.setStyleSheet(_button_style(theme))
        for part in (self._chip, self._sentences, self._reason):
            part.apply_theme(theme)
        self._show_again()


def _nothing() -> None:
    """Nothing is shown that could be shown again."""


def _numbers(miss: NearMiss) -> str:
    return f"P = {number(miss.p)}   w = {number(miss.w)}"


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setBold(True)
    return bold


def _button_style(theme: Theme) -> str:
    return f"""
        QPushButton {{ color: {theme.ink}; background: {theme.surface}; border: 1px solid {theme.line};
                       border-radius: 6px; padding: {GRID_PX}px {3 * GRID_PX}px; }}
        QPushButton:hover {{ background: {theme.raised}; border-color: {theme.muted}; }}
        QPushButton:pressed {{ background: {theme.accent_tint}; }}
        QPushButton:focus {{ border-color: {theme.accent}; }}
        QPushButton:disabled {{ color: {theme.muted}; border-style: dashed; }}
    """
