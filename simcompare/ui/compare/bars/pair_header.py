"""Header of the pair: both documents, the share of each in the other, the decision, fingerprints."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QSpacerItem, QToolButton, QWidget

from simcompare.cohort.pair_facts import NO_FACTS, PairFacts
from simcompare.comparison.comparison_result import BothShares, Comparison, Share
from simcompare.comparison.explanation import units_in_words
from simcompare.comparison.figures import SIDES
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import Document
from simcompare.report.receipts import doubts_summary
from simcompare.report.wording import (
    before_decisions_in_words,
    counted_in_words,
    decided_despite,
    enumerated,
    excluded_in_words,
    headline,
    named,
)
from simcompare.session.decisions import OUTCOMES, Decision, outcome_of
from simcompare.support.display_text import escape_invisible, percent
from simcompare.support.i18n import N_, _
from simcompare.ui.compare.bars.pair_details import FingerprintRow, PairDetailsButton, Sides
from simcompare.ui.compare.matches.decision_bar import DecisionBar, DecisionBarTexts, NotePopup
from simcompare.ui.labels import DECISION_KEYS, decision_icon, decision_name, doubts_meaning
from simcompare.ui.state.document_listing import NO_NAME, DocumentName, Side
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.state.review.review_history import ReviewHistory
from simcompare.ui.state.selection import Selection
from simcompare.ui.style.layouts import ICON_PX, column_of, push_button, row_of, tool_button
from simcompare.ui.style.text_labels import ElidedName, as_tooltip
from simcompare.ui.style.theme import APPEARANCE, GRID_PX, follow_theme, icon, scaled, use_look

_TEXTS = DecisionBarTexts(
    N_("Whole pair"),
    {Decision.FINE: N_("Pair: no concern"), Decision.COPIED: N_("Pair: copied")},
    {
        Decision.FINE: N_("Mark the pair as no concern; press again to undo (Shift+F)"),
        Decision.COPIED: N_("Mark the pair as copied; press again to undo (Shift+C)"),
    },
    N_("Note on the pair"),
    N_("Write a note on the pair (Shift+M)"),
)


def decision_tip(decision: Decision) -> str:
    """Tooltip of a button for a decision on the pair, with its key."""
    return _(_TEXTS.tips[decision])


class PairDecisionBar(DecisionBar):
    stored = Signal(object)
    """The Decision that the review has now; None if it was withdrawn."""

    def __init__(self, review: ReviewHistory, parent: QWidget | None = None) -> None:
        super().__init__(_TEXTS, parent, is_dense=True)
        self._review = review
        self._popup = NotePopup(_TEXTS.note_name, self)
        self.note = self._popup.field
        self.decided.connect(self._store)
        self.note_requested.connect(self.open_note)
        self.note.note_changed.connect(self._store_note)
        self._popup.closed.connect(review.end_typing)
        review.changed.connect(self.show_review)
        self.show_review()

    def toggle(self, decision: Decision) -> None:
        """Decide on the pair, or withdraw the decision if the pair has it already."""
        self._store(None if self._review.overall.decision is decision else decision)

    def _store(self, decision: Decision | None) -> None:
        if self._review.pair is not None:
            self._review.decide_pair(*self._review.pair, decision)
            self.stored.emit(decision)

    def _store_note(self, note: str) -> None:
        if self._review.pair is not None:
            self._review.note_pair(*self._review.pair, note)

    def open_note(self) -> None:
        self._popup.open_at(self.note_button, self.note_button.rect())

    def show_review(self) -> None:
        self.setVisible(self._review.pair is not None)
        self.show_decision(self._review.overall)
        self.note.show_note(self._review.overall.note)


_BUTTON_PX = 24
_NO_POSITION = "–"


class PairStepBar(QWidget):
    """Shows “‹ 2 of 10 ›”; the button for the next pair can offer the next undecided one by name."""

    step_requested = Signal(int)
    """-1: the previous pair, 1: the next or offered one."""
    resized = Signal()
    """Texts of another width are shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.position = push_button("", look="statusLink")
        self.position.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.previous_button, self.next_button = QToolButton(), QToolButton()
        # the chevron follows the text
        self.next_button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        for button, step in ((self.previous_button, -1), (self.next_button, 1)):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setIconSize(QSize(ICON_PX, ICON_PX))
            button.clicked.connect(lambda _on, step=step: self.step_requested.emit(step))
        self._spare = QSpacerItem(0, 0)
        row = row_of(self, self.previous_button, self.position, self.next_button, spacing_px=GRID_PX)
        row.insertItem(2, self._spare)
        self._index: int | None = None
        self._count = self._others = 0
        self.offered = ""
        self._is_compact = False
        self._widest_px = 0
        self.hide()
        follow_language(self._show)
        follow_theme(self._fit_buttons)

    def _fit_buttons(self) -> None:
        for button in (self.previous_button, self.next_button):
            button.setMinimumSize(scaled(_BUTTON_PX), scaled(_BUTTON_PX))
        self.resized.emit()

    def show_position(self, index: int | None, count: int, offered: str, others: int) -> None:
        """Show the place of the open pair among the listed ones.

        index: from 0; None if the pair is not listed. offered: label of the next undecided pair, offered in
        place of the next one; empty for none. others: number of the pairs of the table that a click leads
        to, instead of those to read; 0 if the table lists them.
        """
        shown = self._index, self._count, self.offered, self._others
        if shown != (index, count, offered, others):
            self._index, self._count, self.offered, self._others = index, count, offered, others
            self._show()

    def set_compact(self, is_compact: bool) -> None:
        """Show an offered pair by colour and tooltip only, or in words; its chevron stays in place."""
        self._is_compact = is_compact
        style = Qt.ToolButtonStyle
        self.next_button.setToolButtonStyle(
            style.ToolButtonIconOnly if is_compact else style.ToolButtonTextBesideIcon
        )
        spare_px = 0 if is_compact else self._widest_px - self.next_button.sizeHint().width()
        self._spare.changeSize(spare_px, 0)
        _lay_out_again(self)

    def _show(self) -> None:
        number = _NO_POSITION if self._index is None else f"{self._index + 1:,}"
        text = _("{number} of {total}").format(number=number, total=f"{self._count:,}")
        self.position.setText(text)
        self.position.setAccessibleName(_("Pair {place}").format(place=text))
        to_all = _("Place among the pairs to read. Click to step through all {count} pairs of the table.")
        in_table = _("Place of this pair in the table of all pairs as filtered and sorted")
        self.position.setToolTip(to_all.format(count=f"{self._others:,}") if self._others else in_table)
        self.position.setEnabled(self._others > 0)
        last = self._count - 1
        self.previous_button.setEnabled(bool(self._index))
        self.next_button.setEnabled(bool(self.offered) or (-1 if self._index is None else self._index) < last)
        self._show_buttons()
        self.set_compact(self._is_compact)
        self.resized.emit()

    def _show_buttons(self) -> None:
        offered = self.offered
        words = _("Next undecided pair: {pair}").format(pair=offered)
        self.next_button.setToolTip(as_tooltip(words) if offered else _("Next pair (Ctrl+→)"))
        self.next_button.setAccessibleName(words if offered else _("Next pair"))
        self.previous_button.setToolTip(_("Previous pair (Ctrl+←)"))
        self.previous_button.setAccessibleName(_("Previous pair"))
        for button, name in ((self.previous_button, "previous"), (self.next_button, "next")):
            is_offer = bool(offered) and button is self.next_button
            button.setIcon(icon(name, "accent" if is_offer else "ink"))
            use_look(button, "offer" if is_offer else "step")
        self.next_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._widest_px = 0
        texts = _("Next pair"), _("Next undecided")
        for text in texts if offered else reversed(texts):
            self.next_button.setText(text)
            self._widest_px = max(self._widest_px, self.next_button.sizeHint().width())


def _name_and_key(decision: Decision) -> str:
    key = QKeySequence(f"Shift+{DECISION_KEYS[decision]}")
    return f"{decision_name(decision)} ({key.toString(QKeySequence.SequenceFormat.NativeText)})"


_QUESTION_MARGINS_PX = (4 * GRID_PX, GRID_PX, 4 * GRID_PX, GRID_PX)


class PairQuestionBar(QWidget):
    """Line with the question and a button for each decision; it lies over the texts."""

    answered = Signal(object)
    """The chosen Decision."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pairQuestion")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        question = N_("All passages are decided. What about the whole pair?")
        self.question = translated(QLabel(), question)
        self.buttons = {decision: QPushButton() for decision in OUTCOMES}
        for decision, button in self.buttons.items():
            translated(button, partial(_name_and_key, decision), partial(decision_tip, decision))
            button.setObjectName("quiet")
            button.setIcon(decision_icon(decision))
            button.setIconSize(QSize(ICON_PX, ICON_PX))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _on, decision=decision: self.answered.emit(decision))
        parts = (None, self.question, *self.buttons.values(), None)
        row_of(self, *parts, spacing_px=2 * GRID_PX, margins_px=_QUESTION_MARGINS_PX)
        self.hide()


_MARGINS_PX = (3 * GRID_PX, GRID_PX, 3 * GRID_PX, GRID_PX)
_SPACING_PX = 4 * GRID_PX
_MOST_NAME_PX = 60 * GRID_PX
"""Width up to which a name is shown whole before captions and texts of buttons."""
_NAME_WITH_BUTTONS_PX = 18 * GRID_PX
"""Width that each name keeps before the buttons of the decision lose their texts."""
_PART_SPACING_PX = 2 * GRID_PX
_SHARE_HEIGHT_PX = 28
"""Digits need less height than the lines of a Chinese font."""
_WHOLE = Share(1.0, 1.0)


def _before_in_words(share: Share | None, has_words: bool) -> str:
    if share is None:
        return ""
    short = _("was {share}")
    return before_decisions_in_words(share) if has_words else short.format(share=counted_in_words(share))


class DocumentHeader(QWidget):
    """One document: its name and the share of it that is in the other document."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = ElidedName()
        self._name.setObjectName("pairName")
        self._author, self._caption, self._share, self._before = QLabel(), QLabel(), QLabel(), QLabel()
        for label in (self._caption, self._before):
            label.setObjectName("muted")
        self._share.setObjectName("share")
        self._undecided: Share | None = None
        self._remarks: tuple[str, ...] = ()
        self._has_words = True
        follow_language(self._find_widest)
        self._before.hide()
        self.doubt_button = tool_button(icon("warning", "caution"), "quietButton")
        self.doubt_button.hide()
        parts = (
            *(self.doubt_button, self._name, self._author, None),
            *(self._caption, self._share, self._before),
        )
        row_of(self, *parts, spacing_px=_PART_SPACING_PX)

    def needed_px(self, most_name_px: int) -> int:
        """Return the width that all parts need, before any decision or after one alike."""
        shown = [part for part in (self._author, self._caption) if part.text() and not part.isHidden()]
        button = [] if self.doubt_button.isHidden() else [self.doubt_button]
        others_px = sum(part.sizeHint().width() + _PART_SPACING_PX for part in (*button, *shown))
        share = self._share.text() if self._undecided is None else counted_in_words(self._undecided)
        others_px += self._share.fontMetrics().horizontalAdvance(share) + 2 * _PART_SPACING_PX
        advance = self._before.fontMetrics().horizontalAdvance
        others_px += max(map(advance, (self._widest_before[self._has_words], self._before.text())))
        return others_px + min(self._name.sizeHint().width(), most_name_px)

    def _find_widest(self) -> None:
        self._widest_before = {has_words: _before_in_words(_WHOLE, has_words) for has_words in (False, True)}

    def shorten(self, has_caption: bool, has_words: bool) -> None:
        """Leave out the caption of the share, and words beside the share before decisions."""
        self._share.setMaximumHeight(scaled(_SHARE_HEIGHT_PX))
        self._caption.setVisible(has_caption)
        self._has_words = has_words
        before = _before_in_words(self._undecided, has_words)
        # or "0% possibly rewritten" would be read as one
        leading = ("",) if self._remarks else ()
        self._before.setText(" · ".join([*leading, *self._remarks, *filter(None, [before])]).lstrip())

    def show_document(self, document: Document | None, name: DocumentName, common_author: str) -> None:
        """Show a document, or only its name while it is being read.

        common_author: author named by both files; empty to name none.
        """
        self._name.show_name(name.text, name.shared)
        path = [escape_invisible(str(document.path))] if document else []
        self._name.setToolTip(as_tooltip("\n".join([name.text, *path])))
        self._author.setText(_("same author") if common_author else "")
        both = _(
            "Both files name {name} as their author or the last person to save them. "
            "So does every copy of a file that was handed out."
        )
        self._author.setToolTip(both.format(name=escape_invisible(common_author)) if common_author else "")
        self._author.setVisible(bool(common_author))
        doubts = doubts_summary(document.receipt) if document else ""
        reason = _("Check {name}: {doubts}").format(name=name.text, doubts=doubts)
        self.doubt_button.setVisible(bool(doubts))
        self.doubt_button.setAccessibleName(reason)
        meaning = doubts_meaning(document.receipt) if document else ""
        lines = (reason, meaning, _("Click to see what was read."))
        self.doubt_button.setToolTip(as_tooltip("\n".join(filter(None, lines))))

    def show_provisional(self, is_provisional: bool) -> None:
        """Show the share muted, as it may change."""
        if bool(self._share.property("provisional")) is not is_provisional:
            self._share.setProperty("provisional", is_provisional)
            self._share.style().polish(self._share)

    def show_share(
        self, share: Share | None, before: Share | None, explanation: str, remarks: tuple[str, ...] = ()
    ) -> None:
        """Show a share after exclusions and decisions, in words if nothing counts; None if it is not known.

        before: the share before decisions; None without decisions that something is fine. remarks: beside it.
        """
        is_counted = share is not None and share.after_exclusions is not None
        self._caption.setText(_("share") if is_counted else "")
        self._share.setText(counted_in_words(share) if share is not None else "")
        if self._share.property("words") is not (not is_counted):
            self._share.setProperty("words", not is_counted)
            self._share.style().polish(self._share)
        if before is not None and counted_in_words(before) == counted_in_words(share):
            before = None
        self._undecided, self._remarks = before, remarks
        spoken = [*remarks, *([] if before is None else [before_decisions_in_words(before)])]
        self._before.setVisible(bool(spoken))
        self._before.setAccessibleName(enumerated(spoken))
        for label in (self._caption, self._share, self._before):
            label.setToolTip(as_tooltip(explanation))
        self._share.setAccessibleName(explanation)


def _share_explanation(name: str, share: Share, before: Share | None, sentence: Share, excluded: str) -> str:
    lines = [
        named(_("Share of {name}").format(name=name), counted_in_words(share)),
        *([before_decisions_in_words(before)] if before is not None else []),
        named(_("Sentence share"), counted_in_words(sentence)),
    ]
    if excluded:
        lines += [named(_("Share before exclusions"), percent(share.raw)), named(_("Excluded"), excluded)]
    return "\n".join(lines)


def _lay_out_again(widget: QWidget) -> None:
    """Compute layout and size hints of a widget; Qt keeps old ones if parts are hidden during a resize."""
    if (layout := widget.layout()) is not None:
        layout.invalidate()
        layout.activate()
    widget.updateGeometry()


_Decided = tuple[BothShares | None, bool, str, tuple[int, int]]
"""Shares after decisions, whether something is fine, what a decision on the pair leaves, units rewritten."""


class PairHeader(QWidget):
    """Position of the pair in the table, both documents with their shares, decision on the pair, details."""

    receipt_requested = Signal(object)
    """The Side whose document is doubtful: show what was read of it."""

    def __init__(self, review: ReviewHistory, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._review, self._selection = review, selection
        self.setObjectName("pairHeader")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._left, self._right = DocumentHeader(), DocumentHeader()
        self.step_bar = PairStepBar()
        self.decision_bar = PairDecisionBar(review)
        self.details_button = PairDetailsButton()
        self._above, self._below = (row_of(None, spacing_px=_SPACING_PX) for _row in range(2))
        rows = column_of(None, self._above, self._below, margins_px=_MARGINS_PX)
        self._filler = QWidget()
        self._has_two_rows = True
        self._arrange(has_two_rows=False)
        self.fingerprints = FingerprintRow()
        self.question_bar = PairQuestionBar()
        column_of(self, rows, self.fingerprints)
        self.question_bar.answered.connect(self.decision_bar.toggle)
        for side, header in ((Side.LEFT, self._left), (Side.RIGHT, self._right)):
            header.doubt_button.clicked.connect(lambda _on, side=side: self.receipt_requested.emit(side))
        review.changed.connect(self._show_decisions)
        self.step_bar.resized.connect(self._fit)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._sides: Sides = (None, None)
        self._names = (NO_NAME, NO_NAME)
        self._author = ""
        self._common = NO_FACTS
        self._comparison: Comparison | None = None
        self._decided: _Decided = None, False, "", (0, 0)
        follow_language(self._refresh)
        follow_theme(self._fit)

    def show_pair(
        self,
        left: PreparedDocument | None,
        right: PreparedDocument | None,
        names: tuple[DocumentName, DocumentName],
        author: str,
        common: PairFacts,
    ) -> None:
        """Show the chosen documents; one that is still being read has only its name.

        author: named by both files; empty to name none
        """
        shown = self._sides, self._names, self._author, self._common
        if shown != ((left, right), names, author, common):
            self._sides, self._names, self._author, self._common = (left, right), names, author, common
            self._refresh()
        self.decision_bar.show_review()  # the decision is known however long the comparison takes
        self._fit()

    def show_comparison(self, comparison: Comparison | None) -> None:
        self._comparison = comparison
        self._show_shares()
        self._show_question()

    def show_provisional(self, is_provisional: bool) -> None:
        """Mute the shares until what is common to the class is known."""
        for side in (self._left, self._right):
            side.show_provisional(is_provisional)

    def _show_decisions(self) -> None:
        if self._find_decided() != self._decided:
            self._show_shares()
        self._show_question()

    def _show_question(self) -> None:
        undecided, hidden = self._review.passages.undecided, self._selection.hidden_headings
        listed = undecided[~hidden] if len(hidden) == len(undecided) else undecided
        is_asked = self._comparison is not None and len(listed) > 0 and not listed.any()
        self.question_bar.setVisible(is_asked and self._review.overall.decision is None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Make space for the names: hide words of shares, then captions, then texts of buttons."""
        for level in range(5):
            for document in (self._left, self._right):
                document.shorten(has_caption=level < 2, has_words=level < 1)
            self.step_bar.set_compact(level > 2)
            self.decision_bar.set_compact(level > 3, has_note_text=level < 3)
            # buttons that decide keep their texts longer than names
            most_name_px = scaled(_MOST_NAME_PX if level < 3 else _NAME_WITH_BUTTONS_PX)
            sides = {side: side.needed_px(most_name_px) for side in (self._left, self._right)}
            documents = sum(sides.values()) if level == 3 else 2 * max(sides.values())
            for side, side_px in sides.items():  # at the cost of the other one
                side.setMinimumWidth(side_px if level == 3 else 0)
            spaces = _MARGINS_PX[0] + _MARGINS_PX[2] + (len(self._bars) + 1) * _SPACING_PX
            needed_px = sum(bar.sizeHint().width() for bar in self._bars) + documents + spaces
            if needed_px <= self.width():
                break
        for part in (*self._bars, self._left, self._right, self):
            _lay_out_again(part)
        # not in a large window with the usual text, where names are shortened instead
        self._arrange(has_two_rows=needed_px > self.width() and APPEARANCE.is_cramped)

    def _arrange(self, *, has_two_rows: bool) -> None:
        if has_two_rows == self._has_two_rows:
            return
        self._has_two_rows = has_two_rows
        self._filler.setVisible(has_two_rows)
        bars = (self.step_bar, self._filler, self.decision_bar, self.details_button)
        for part in (*bars, self._left, self._right):
            self._above.removeWidget(part)
            self._below.removeWidget(part)
        for bar in bars:
            self._above.addWidget(bar, 1 if bar is self._filler else 0)
        for place, side in zip((1, 4), (self._left, self._right), strict=True):
            if has_two_rows:
                self._below.addWidget(side, 1)
            else:
                self._above.insertWidget(place, side, 1)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        needed = super().minimumSizeHint()
        if not APPEARANCE.is_cramped:
            return needed
        margins_px = _MARGINS_PX[0] + _MARGINS_PX[2]
        bars_px = sum(bar.minimumSizeHint().width() + _SPACING_PX for bar in self._bars)
        names_px = self._left.minimumSizeHint().width() + self._right.minimumSizeHint().width()
        return QSize(max(bars_px, names_px) + margins_px, needed.height())

    @property
    def _bars(self) -> list[QWidget]:
        bars = (self.step_bar, self.decision_bar, self.details_button)
        return [bar for bar in bars if not bar.isHidden()]

    def _refresh(self) -> None:
        authors = (self._author, "")  # once for both
        widgets = (self._left, self._right)
        for widget, side, name, author in zip(widgets, self._sides, self._names, authors, strict=True):
            widget.show_document(side.document if side else None, name, author)
        self.fingerprints.show_fingerprints([side.fingerprint if side else None for side in self._sides])
        self._show_shares()

    def _find_decided(self) -> _Decided:
        if self._comparison is None:
            return None, False, "", (0, 0)
        review, passages, decision = self._review, self._review.passages, self._review.overall.decision
        is_fine = outcome_of(decision) is Decision.FINE
        is_counted = is_fine and any(review.shares or ())
        remark = decided_despite(decision, passages) or (_("still counted") if is_counted else "")
        rewritten = (0, 0) if is_fine else passages.open_rewritten_units
        return review.shares, bool(review.matches.fine.any() or passages.closed.any()), remark, rewritten

    def _show_shares(self) -> None:
        comparison = self._comparison
        self._decided = decided, *_others = self._find_decided()
        self.details_button.set_pair((self._sides, self._names, comparison, decided, self._common))
        if comparison is None or decided is None:
            for widget in (self._left, self._right):
                widget.show_share(None, None, "")
        else:
            self._show_sides(comparison, decided)
        self._fit()

    def _show_sides(self, comparison: Comparison, decided: BothShares) -> None:
        _shares, is_any_fine, remark, rewritten = self._decided
        counted = _(
            "A decision on the whole pair leaves the shares as they are; passages of no concern do not count."
        )
        widgets = zip((self._left, self._right), self._names, comparison.excluded, rewritten, strict=True)
        sides = zip(SIDES, decided, (comparison.left, comparison.right), widgets, strict=True)
        for direction, after_decisions, side, (widget, name, excluded, units) in sides:
            share: Share = getattr(comparison.share, direction)
            sentence_share: Share = getattr(comparison.sentence_share, direction)
            rest = replace(share, after_exclusions=after_decisions)
            has_before = is_any_fine and share.after_exclusions is not None
            before = share if has_before and headline(rest) != headline(share) else None
            left_out = "" if excluded.kept.all() else excluded_in_words(side, excluded)
            words = _share_explanation(name.text, rest, before, sentence_share, left_out)
            length = units_in_words(units, is_chinese=side.prepared.is_mostly_chinese)
            # of a copied pair the share before decisions is beside it
            shown = "" if self._review.overall.decision is Decision.COPIED else remark
            remarks = [shown, _("{length} rewritten?").format(length=length) if units else ""]
            explanation = "\n".join([words, *([remark, counted] if remark else [])])
            widget.show_share(rest, before, explanation, tuple(filter(None, remarks)))
