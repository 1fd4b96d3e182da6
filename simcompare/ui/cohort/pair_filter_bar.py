"""Filter bar above the table of pairs, with the numbers of listed and of not compared pairs."""

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QPushButton, QWidget

from simcompare.cohort.cohort_scoring import Group
from simcompare.comparison.figures import FIGURES
from simcompare.session.decisions import REASONS, Decision
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.cohort.overview.class_words import range_in_words
from simcompare.ui.cohort.pair_order import COMPLETE, DECISION_CODES, UNDECIDED_CODE, PairFact, PairFilter
from simcompare.ui.cohort.pair_rows import most_in_common, short_group_name
from simcompare.ui.labels import add_clear_button
from simcompare.ui.state.cohort.class_filter import ClassFilter
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.style.layouts import (
    BAR_MARGINS_PX,
    WrappingRow,
    column_of,
    push_button,
    row_of,
    set_options,
)
from simcompare.ui.style.theme import GRID_PX, follow_theme, icon, scaled

_CROSS = "✕"
_WIDEST_PX = 60 * GRID_PX


class FilterChips(QWidget):
    """A button for the documents, the shares and the library that are filtered by; a click removes it."""

    removed = Signal()

    def __init__(
        self, class_filter: ClassFilter, label_of: Callable[[int], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._filter, self._label_of = class_filter, label_of
        self.documents, self.shares, self.library = QPushButton(), QPushButton(), QPushButton()
        chips = (self.documents, self.shares, self.library)
        row_of(self, *chips, spacing_px=GRID_PX)
        for chip in chips:
            chip.setObjectName("chip")
            chip.setMaximumWidth(_WIDEST_PX)
        self.documents.clicked.connect(lambda: self._remove(lambda: class_filter.show_documents(())))
        self.shares.clicked.connect(lambda: self._remove(lambda: class_filter.show_shares(None)))
        self.library.clicked.connect(lambda: self._remove(lambda: class_filter.show_in_library(None)))
        class_filter.changed.connect(self.show_filter)
        follow_language(self.show_filter)

    def _remove(self, remove: Callable[[], None]) -> None:
        remove()
        self.removed.emit()

    def show_filter(self) -> None:
        documents, shares = self._filter.documents, self._filter.shares
        self._show(self.documents, self._documents_in_words() if documents else "")
        self._show(self.shares, range_in_words(shares) if shares is not None else "")
        self._show(self.library, _("Also in the library") if self._filter.in_library is not None else "")

    def _documents_in_words(self) -> str:
        keys = sorted(self._filter.documents)
        if len(keys) <= 2:
            return " – ".join(map(self._label_of, keys))
        return ngettext("{count} essay", "{count} essays", len(keys))

    def _show(self, chip: QPushButton, words: str) -> None:
        chip.setVisible(bool(words))
        width = _WIDEST_PX - 12 * GRID_PX
        short = chip.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, width)
        chip.setText(f"{short}  {_CROSS}".replace("&", "&&"))
        chip.setToolTip(_("Listed: {what}. Click to list all again (Esc).").format(what=words))
        chip.setAccessibleName(_("No longer filter by {what}").format(what=words))


_NARROWEST_TEXT_PX, _NARROWEST_LARGE_TEXT_PX = 22 * GRID_PX, 17 * GRID_PX
_WIDEST_TEXT_PX = 60 * GRID_PX
_WIDE_PX = 220 * GRID_PX
_LISTED_PX = 7 * GRID_PX
_MOST_GROUPS_OFFERED = 50
_LEAST_PERCENT = (0, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
_DECISIONS = (
    (frozenset(DECISION_CODES.values()), N_("All decisions")),
    (frozenset({UNDECIDED_CODE}), N_("Undecided")),
    (frozenset({DECISION_CODES[COMPLETE]}), N_("By passages")),
    (frozenset({DECISION_CODES[Decision.COPIED]}), N_("Copied")),
    (frozenset(DECISION_CODES[each] for each in (Decision.FINE, *REASONS)), N_("No concern")),
)

_ANY_FACT = ~PairFact.REWRITTEN
_FACTS = (
    (None, N_("All pairs")),
    (_ANY_FACT, N_("Other things in common")),
    (PairFact.PICTURES, N_("Same pictures")),
    (PairFact.MISTAKES, N_("Same mistakes")),
    (PairFact.TABLES, N_("Same tables")),
    (PairFact.FORMULAS, N_("Same formulas")),
    (PairFact.EDITING_IDS, N_("Common ids")),
    (PairFact.REWRITTEN, FIGURES["rewritten_units"].name),
)


class PairFilterBar(QWidget):
    """Emits `changed` whenever the user changes the filter, and `resized` as its rows wrap."""

    changed = Signal()
    resized = Signal()

    def __init__(self, chips: FilterChips, parent: QWidget | None = None) -> None:
        """chips: what else the pairs are filtered by."""
        super().__init__(parent)
        self.chips = chips
        self.text = translated(
            QLineEdit(),
            tip=N_("List pairs of which either name contains this (Ctrl+Shift+F)"),
            placeholderText=N_("Name"),
            accessibleName=N_("Name contains"),
        )
        self.text.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        add_clear_button(self.text)
        least_tip = N_("List pairs in which at least one of the two shares is this high")
        self.least = self._choice(N_("Minimum share, in per cent"), least_tip, _LEAST_PERCENT)
        decision_tip = N_("List pairs with this decision")
        self.decision = self._choice(N_("Decision"), decision_tip, [codes for codes, _text in _DECISIONS])
        self.group = self._choice(N_("Group"), N_("List only pairs within a group"))
        fact_tip = N_("List only pairs that have this in common besides their wording")
        self.fact = self._choice(N_("In common"), fact_tip, [fact for fact, _text in _FACTS])
        facts_tip = N_(
            "More than the wording: pictures, mistakes, tables or editing ids. Click to list them."
        )
        self.facts_button = push_button("", lambda: self._list(_ANY_FACT), facts_tip, look="statusLink")
        rewritten_tip = N_(
            "May say the same in other words; this never counts towards the shares. Click to list them."
        )
        self.rewritten_button = push_button(
            "", lambda: self._list(PairFact.REWRITTEN), rewritten_tip, look="statusLink"
        )
        matches_tip = N_("List only pairs that have similar sentences")
        self.only_matches = translated(QCheckBox(), N_("With similar sentences"), matches_tip)
        self.clear_button = push_button(
            N_("Clear"), self.clear, N_("List all pairs again"), look="statusLink"
        )
        self.rest_button = push_button(N_("Compare the rest"))
        self.default_order_button = push_button(
            "",
            tip=lambda: f"{_('Default order')}\n{most_in_common()}",
            accessibleName=N_("Default order"),
        )
        self.default_order_button.setIcon(icon("default-order"))
        kept = self.default_order_button.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # sorting moves no table
        self.default_order_button.setSizePolicy(kept)
        self.default_order_button.hide()
        self._count = QLabel()
        self._count.setObjectName("muted")
        self._counts = (0, 0, 0, False)
        self._fact_counts = 0, 0
        self._groups: Sequence[Group] = ()
        gap = GRID_PX * 2
        filters = self.text, self.least, self.decision, self.group
        fields = WrappingRow(*filters, None, spacing_px=gap)
        listed = WrappingRow(
            self._count,
            self.rewritten_button,
            self.facts_button,
            self.fact,
            self.rest_button,
            self.chips,
            self.clear_button,
            None,
            self.default_order_button,
            self.only_matches,
            spacing_px=gap,
            least_height_px=_LISTED_PX,  # chips come and go without moving the table
        )
        fields.may_wrap = listed.may_wrap = True  # what appears late may not squeeze the students
        column_of(self, fields, listed, spacing_px=GRID_PX, margins_px=BAR_MARGINS_PX)
        self.text.textChanged.connect(self._report)
        self.only_matches.toggled.connect(self._report)
        self.clear_button.clicked.connect(lambda: self.text.setFocus(Qt.FocusReason.OtherFocusReason))
        for widget in (self.rewritten_button, self.facts_button, self.fact):
            widget.hide()
        self.clear_button.hide()
        follow_theme(self._fit_name)
        follow_language(self._retranslate)

    def _list(self, fact: PairFact) -> None:
        self.fact.setCurrentIndex(self.fact.findData(fact))
        self.fact.setFocus(Qt.FocusReason.OtherFocusReason)  # it takes the place of the button

    def _choice(self, name: str, tip: str, values: Iterable[object] = ()) -> QComboBox:
        choice = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        for value in values:
            choice.addItem("", value)
        choice.currentIndexChanged.connect(self._report)
        return translated(choice, tip=tip, accessibleName=name)

    @property
    def pair_filter(self) -> PairFilter:
        return PairFilter(
            self.text.text().strip(),
            self.least.currentData(),
            self.decision.currentData(),
            self.only_matches.isChecked(),
            self.group.currentData(),
            fact=self.fact.currentData(),
        )

    def clear(self) -> None:
        for widget in (self.least, self.decision, self.group, self.fact, self.only_matches):
            with QSignalBlocker(widget):
                if isinstance(widget, QComboBox):
                    widget.setCurrentIndex(0)
                else:
                    widget.setChecked(False)
        with QSignalBlocker(self):
            self.text.clear()  # with its signals, or its clear button would stay
        self._report()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text.hasFocus() and self.text.text():
            self.text.clear()
        else:
            super().keyPressEvent(event)

    def _report(self) -> None:
        self.clear_button.setVisible(self.pair_filter != PairFilter())
        self.changed.emit()

    def show_groups(self, groups: Sequence[Group]) -> None:
        if groups == self._groups:
            return
        self._groups, chosen = groups, self.group.currentData()
        self._fill_groups(chosen)
        if self.group.currentData() != chosen:  # the chosen group no longer exists
            self._report()

    def show_facts(self, count: int, rewritten: int) -> None:
        """Say how many pairs have facts, and how many possibly rewritten text.

        While it is set, the filter by them takes the place of the words.
        """
        self._fact_counts, is_set = (count, rewritten), self.fact.currentData() is not None
        self.fact.setVisible(is_set)
        self.facts_button.setVisible(count > 0 and not is_set)
        # short, as a further row would take the place of a pair
        words = ngettext("{count} with more in common", "{count} with more in common", count)
        self.facts_button.setText(words)
        self.rewritten_button.setText(ngettext("{count} rewritten?", "{count} rewritten?", rewritten))
        self.rewritten_button.setVisible(rewritten > 0 and not is_set)

    def _fill_groups(self, chosen: int | None) -> None:
        offered = [(group.number, short_group_name(group)) for group in self._groups[:_MOST_GROUPS_OFFERED]]
        set_options(self.group, [(None, _("All groups")), (0, _("In a group")), *offered], chosen)
        self.group.setEnabled(bool(self._groups))  # not hidden, as its space would move the others

    def show_counts(self, listed: int, total: int, left_out: int, is_provisional: bool) -> None:
        self._counts = listed, total, left_out, is_provisional
        if listed == total:
            text = ngettext("{count} pair", "{count} pairs", total)
        else:
            text = _("{shown} of {total} pairs").format(shown=f"{listed:,}", total=f"{total:,}")
        if left_out:
            text += " · " + _("{count} not compared").format(count=f"{left_out:,}")
        if is_provisional and total:
            text += " · " + _("provisional")
        self._count.setText(text)
        self.rest_button.setVisible(left_out > 0)

    def _retranslate(self) -> None:
        for index, percent in enumerate(_LEAST_PERCENT):
            text = _("At least {percent}%").format(percent=percent) if percent else _("Any share")
            self.least.setItemText(index, text)
        for index, (_codes, text) in enumerate(_DECISIONS):
            self.decision.setItemText(index, _(text))
        for index, (_fact, text) in enumerate(_FACTS):
            self.fact.setItemText(index, _(text))
        self._fill_groups(self.group.currentData())
        self.show_facts(*self._fact_counts)
        self._fit()
        self.show_counts(*self._counts)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        self.resized.emit()

    def _fit(self) -> None:
        self.default_order_button.setText(_("Default order") if self.width() >= _WIDE_PX else "")

    def _fit_name(self) -> None:
        self.text.setMinimumWidth(max(_NARROWEST_TEXT_PX, scaled(_NARROWEST_LARGE_TEXT_PX)))
        self.text.setMaximumWidth(scaled(_WIDEST_TEXT_PX))
