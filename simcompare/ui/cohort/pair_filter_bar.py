"""Filter bar above the table of pairs, with the numbers of listed and of not compared pairs."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from simcompare.cohort.cohort_scoring import Group
from simcompare.session.decisions import Decision
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.cohort.filter_chips import FilterChips
from simcompare.ui.cohort.pair_order import COMPLETE, DECISION_CODES, UNDECIDED_CODE, PairFilter
from simcompare.ui.cohort.pair_rows import most_in_common, short_group_name
from simcompare.ui.labels import name_clear_button
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.icons import icon
from simcompare.ui.style.layouts import BAR_MARGINS_PX, WrappingRow, column_of
from simcompare.ui.style.theme import GRID_PX, current_theme, follow_theme, scaled

_NARROWEST_TEXT_PX, _NARROWEST_LARGE_TEXT_PX = 26 * GRID_PX, 17 * GRID_PX
_WIDEST_TEXT_PX = 60 * GRID_PX
_WIDE_PX = 160 * GRID_PX
_LISTED_PX = 7 * GRID_PX
_MOST_GROUPS_OFFERED = 50
_LEAST_PERCENT = (0, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
_DECISIONS = (
    (frozenset(DECISION_CODES.values()), N_("All decisions")),
    (frozenset({UNDECIDED_CODE}), N_("Undecided")),
    (frozenset({DECISION_CODES[COMPLETE]}), N_("By passages")),
    (frozenset({DECISION_CODES[Decision.COPIED]}), N_("Copied")),
    (frozenset({DECISION_CODES[Decision.FINE]}), N_("No concern")),
)


class PairFilterBar(QWidget):
    """Emits `changed` whenever the user changes the filter."""

    changed = Signal()
    rest_requested = Signal()
    """Compare the pairs that were left out."""
    default_order_requested = Signal()

    def __init__(self, chips: FilterChips, parent: QWidget | None = None) -> None:
        """chips: what else the pairs are filtered by."""
        super().__init__(parent)
        self.chips = chips
        self.text = QLineEdit()
        self.text.setClearButtonEnabled(True)
        self._search_icon = self.text.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        self.least = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        for percent in _LEAST_PERCENT:
            self.least.addItem("", percent)
        self.decision = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        for codes, _text in _DECISIONS:
            self.decision.addItem("", codes)
        self.group = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.only_matches = QCheckBox()
        self.clear_button = QPushButton()
        self.rest_button = QPushButton()
        self.default_order_button = QPushButton()
        self.default_order_button.hide()
        self._count = QLabel()
        self._count.setObjectName("muted")
        self._counts = (0, 0, 0)
        self._groups: Sequence[Group] = ()
        gap = GRID_PX * 2
        fields = WrappingRow(self.text, self.least, self.decision, self.group, None, spacing_px=gap)
        listed = WrappingRow(
            self._count,
            self.rest_button,
            self.chips,
            self.clear_button,
            None,
            self.default_order_button,
            self.only_matches,
            spacing_px=gap,
            least_height_px=_LISTED_PX,  # chips come and go without moving the table
        )
        column_of(self, fields, listed, spacing_px=GRID_PX, margins_px=BAR_MARGINS_PX)
        self.text.textChanged.connect(self._report)
        self.least.currentIndexChanged.connect(self._report)
        self.decision.currentIndexChanged.connect(self._report)
        self.group.currentIndexChanged.connect(self._report)
        self.only_matches.toggled.connect(self._report)
        self.clear_button.clicked.connect(self.clear)
        self.clear_button.clicked.connect(lambda: self.text.setFocus(Qt.FocusReason.OtherFocusReason))
        self.rest_button.clicked.connect(self.rest_requested)
        self.default_order_button.clicked.connect(self.default_order_requested)
        self.clear_button.hide()
        self.clear_button.setObjectName("statusLink")
        follow_theme(self._apply_theme)
        follow_language(self._retranslate)

    @property
    def pair_filter(self) -> PairFilter:
        return PairFilter(
            self.text.text().strip(),
            self.least.currentData(),
            self.decision.currentData(),
            self.only_matches.isChecked(),
            self.group.currentData(),
        )

    def clear(self) -> None:
        for widget in (self.least, self.decision, self.group, self.only_matches):
            with QSignalBlocker(widget):
                self._reset(widget)
        with QSignalBlocker(self):
            self.text.clear()  # with its signals, or its clear button would stay
        self._report()

    @staticmethod
    def _reset(widget: QWidget) -> None:
        if isinstance(widget, QComboBox):
            widget.setCurrentIndex(0)
        elif isinstance(widget, QCheckBox):
            widget.setChecked(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
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
        with QSignalBlocker(self.group):
            self._fill_groups(chosen)
        if self.group.currentData() != chosen:  # the chosen group no longer exists
            self._report()

    def _fill_groups(self, chosen: int | None) -> None:
        self.group.clear()
        self.group.addItem(_("All groups"), None)
        self.group.addItem(_("In a group"), 0)
        for group in self._groups[:_MOST_GROUPS_OFFERED]:
            self.group.addItem(short_group_name(group), group.number)
        self.group.setCurrentIndex(max(self.group.findData(chosen), 0))
        self.group.setVisible(bool(self._groups))

    def show_counts(self, listed: int, total: int, left_out: int) -> None:
        self._counts = listed, total, left_out
        if listed == total:
            text = ngettext("{count} pair", "{count} pairs", total)
        else:
            text = _("{shown} of {total} pairs").format(shown=f"{listed:,}", total=f"{total:,}")
        if left_out:
            text += " · " + _("{count} not compared").format(count=f"{left_out:,}")
        self._count.setText(text)
        self.rest_button.setVisible(left_out > 0)

    def _retranslate(self) -> None:
        self.text.setPlaceholderText(_("Name"))
        self.text.setAccessibleName(_("Name contains"))
        name_clear_button(self.text)
        self.text.setToolTip(_("List pairs of which either name contains this (Ctrl+Shift+F)"))
        for index, percent in enumerate(_LEAST_PERCENT):
            text = _("at least {percent} %").format(percent=percent) if percent else _("any share")
            self.least.setItemText(index, text)
        self.least.setAccessibleName(_("Minimum share, in per cent"))
        self.least.setToolTip(_("List pairs in which at least one of the two shares is this high"))
        self.decision.setAccessibleName(_("Decision"))
        self.decision.setToolTip(_("List pairs with this decision"))
        for index, (_codes, text) in enumerate(_DECISIONS):
            self.decision.setItemText(index, _(text))
        with QSignalBlocker(self.group):
            self._fill_groups(self.group.currentData())
        self.group.setAccessibleName(_("Group"))
        self.group.setToolTip(_("List only pairs within a group"))
        self.only_matches.setText(_("Only with similar sentences"))
        self.only_matches.setToolTip(_("List only pairs that have similar sentences"))
        self.clear_button.setText(_("Clear"))
        self.clear_button.setToolTip(_("List all pairs again"))
        self.rest_button.setText(_("Compare the rest"))
        self.default_order_button.setAccessibleName(_("Default order"))
        self.default_order_button.setToolTip(f"{_('Default order')}\n{most_in_common()}")
        self._fit()
        self.show_counts(*self._counts)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.default_order_button.setText(_("Default order") if self.width() >= _WIDE_PX else "")

    def _apply_theme(self) -> None:
        self.text.setMinimumWidth(max(_NARROWEST_TEXT_PX, scaled(_NARROWEST_LARGE_TEXT_PX)))
        self.text.setMaximumWidth(scaled(_WIDEST_TEXT_PX))
        self.default_order_button.setIcon(icon("default-order", current_theme().ink))
        self._search_icon.setIcon(icon("search", current_theme().muted))
