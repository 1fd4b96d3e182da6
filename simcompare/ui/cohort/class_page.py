"""Page of a class: histogram, pictures of all essays, students and pairs, filtered by each other."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QSplitter,
    QToolTip,
    QWidget,
)

from simcompare.cohort.pair_scores import ClassShares
from simcompare.comparison.figures import SIDES
from simcompare.session.school_class import Pair
from simcompare.support.display_text import display_name, percent
from simcompare.support.i18n import N_, _, ngettext
from simcompare.text.sentence_meaning import is_meaning_available
from simcompare.ui.access.window_text_size import ScrolledWhenLarge
from simcompare.ui.actions import leads_on
from simcompare.ui.cohort.overview.class_words import MeaningSearch
from simcompare.ui.cohort.overview.essay_graph import MapPanel
from simcompare.ui.cohort.overview.histogram_panel import PANEL_MARGINS_PX, HistogramPanel
from simcompare.ui.cohort.overview.student_list import StudentList, student_rows
from simcompare.ui.cohort.pair_order import UNDECIDED_CODE, Places, decision_codes, unusual_pairs
from simcompare.ui.cohort.pair_table_page import PairTablePage
from simcompare.ui.state.cohort.class_filter import ClassPicture, ShareRange, class_picture
from simcompare.ui.state.cohort.pair_rows_data import PairState
from simcompare.ui.state.cohort.student_labels import StudentLabels
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.layouts import column_of, push_button, row_of
from simcompare.ui.style.text_labels import ElidedLabel
from simcompare.ui.style.theme import APPEARANCE, GRID_PX, follow_theme, on_surface, scaled

_UPDATE_DELAY_MS = 120
_UNITS_A_SECOND, _SECONDS_A_PAIR = 6.0, 30.0
"""Of careful reading in Chinese, and for a decision."""
_LEFT_PART, _RIGHT_PART, _RIGHT_PART_OF_SMALL = 10, 15, 18
_TOP_PART, _BOTTOM_PART = 5, 7
_SMALL_PX = 220 * GRID_PX
"""Width below which the pairs need a larger part for names."""
_NARROW_PX, _LOW_PX = 200 * GRID_PX, 110 * GRID_PX
"""Least width for two parts beside each other, and height for all without scrolling."""
_HISTOGRAM_PX, _MAP_PX, _STUDENTS_PX, _PAIRS_PX = 64 * GRID_PX, 72 * GRID_PX, 64 * GRID_PX, 84 * GRID_PX
_LEAST_STACK_PX = 30 * GRID_PX
"""Height of the page that scrolls its parts."""


def class_in_words(folder: str, is_named: bool) -> str:
    """Return "Class", after the name of its folder if the class has no other name."""
    return " – ".join(filter(None, ("" if is_named else display_name(folder), _("Class"))))


def reading_time(minutes: int) -> str:
    """Return "90 min", from two hours on "28 h"."""
    if minutes < 120:
        return _("{minutes} min").format(minutes=minutes)
    return _("{hours} h").format(hours=f"{round(minutes / 60):,}")


class ClassPage(QWidget):
    """First page of three documents or more. A click in any part filters the others.

    opened: a pair was opened in Compare. reading_requested: undecided unusual pairs, to be read one after
    the other. sources_requested: key of an essay. export_requested: all unusual pairs are decided.
    """

    opened = Signal()
    reading_requested = Signal(object)
    export_requested = Signal()
    sources_requested = Signal(int)
    proposed_limit_changed = Signal(float, float)
    """The limit that the class had once all its pairs were compared, and the one it has now."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._labels = StudentLabels(workspace)
        self._picture: ClassPicture | None = None
        self._complete: ClassPicture | None = None
        self._shares: ClassShares | None = None
        self._search = MeaningSearch.IMPOSSIBLE
        self._is_complete = self._is_stacked = self._is_scrolled = False
        self._to_read: Sequence[Pair] = ()
        self._fitted = 1.0, _RIGHT_PART
        self._student_total = 0, 0
        self._shown_in_library: frozenset[int] | None = None
        self._steps: deque[Callable[[], None]] = deque()
        self.histogram, self.maps = HistogramPanel(), MapPanel()
        self.students, self.pairs = StudentList(), PairTablePage(workspace)
        self._student_head, self._student_count = QWidget(), ElidedLabel()
        self._student_count.setObjectName("panelTitle")
        self.missing_button = push_button(
            "", self.students.show_missing, N_("Show these students"), look="statusLink"
        )
        self.missing_button.hide()
        self.library_button = push_button(
            "", self._toggle_library, N_("List only these essays, or all again"), look="statusLink"
        )
        self.library_button.hide()
        self._student_hint = translated(ElidedLabel(), N_("Click a student to list their pairs."))
        self._student_hint.cut = Qt.TextElideMode.ElideRight
        self._student_hint.setObjectName("muted")
        self._update_delay = QTimer(self, singleShot=True, interval=_UPDATE_DELAY_MS)
        self._update_delay.timeout.connect(self._update)
        self._stepping = QTimer(self, interval=0)
        self._stepping.timeout.connect(self._step)
        on_surface(self)
        aside = QWidget()
        buttons = (self.missing_button, self.library_button)
        below = row_of(None, (self._student_hint, 1), *buttons, spacing_px=GRID_PX)
        head = (self._student_count, below, None)  # beside each other they would squeeze the pairs
        column_of(self._student_head, *head, spacing_px=GRID_PX, margins_px=PANEL_MARGINS_PX)
        column_of(aside, self._student_head, (self.students, 1))
        self._rows = (QSplitter(Qt.Orientation.Horizontal), QSplitter(Qt.Orientation.Horizontal))
        for row, widgets in zip(self._rows, ((self.histogram, self.maps), (aside, self.pairs)), strict=True):
            for widget, part in zip(widgets, (_LEFT_PART, _RIGHT_PART), strict=True):
                row.addWidget(widget)
                row.setStretchFactor(row.indexOf(widget), part)
            row.setChildrenCollapsible(False)
            row.setSizes([1000 * _LEFT_PART, 1000 * _RIGHT_PART])
        for row, other in (self._rows, self._rows[::-1]):
            row.splitterMoved.connect(lambda _place, _handle, row=row, other=other: self._follow(row, other))
        whole = QSplitter(Qt.Orientation.Vertical)
        for row, part in zip(self._rows, (_TOP_PART, _BOTTOM_PART), strict=True):
            whole.addWidget(row)
            whole.setStretchFactor(whole.indexOf(row), part)
        whole.setChildrenCollapsible(False)
        whole.setSizes([1000 * _TOP_PART, 1000 * _BOTTOM_PART])
        heights = (_HISTOGRAM_PX, _MAP_PX, _STUDENTS_PX, _PAIRS_PX)
        self._parts = dict(zip((self.histogram, self.maps, aside, self.pairs), heights, strict=True))
        self._whole = whole
        self._scrolled = ScrolledWhenLarge(whole)
        self._scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column_of(self, self._scrolled)
        chosen = workspace.class_filter
        for signal in (workspace.class_state.changed, workspace.review.changed, workspace.documents_changed):
            signal.connect(self._update_soon)
        workspace.library_shares.changed.connect(self._follow_library)
        workspace.progress_changed.connect(self._follow_progress)
        chosen.changed.connect(self._show_filter)
        self.histogram.limit_moved.connect(self.maps.show_limit)
        self.histogram.limit_chosen.connect(workspace.class_state.set_limit)
        self.histogram.range_chosen.connect(chosen.show_shares)
        self.histogram.search_requested.connect(self._search_by_meaning)
        self.histogram.lead_button.clicked.connect(self._lead_on)
        self.students.student_chosen.connect(lambda key: chosen.toggle_documents((key,)))
        self.students.sources_requested.connect(self._show_sources)
        self.maps.graph.essay_chosen.connect(self._choose)
        for view in (self.maps.map, self.maps.graph):
            view.pair_chosen.connect(self._choose)
            view.pair_opened.connect(self._open)
        self.pairs.opened.connect(self.opened)
        self.pairs.filter.resized.connect(self._align)
        self.pairs.started_over.connect(self.students.begin_class)
        follow_theme(self._fit)
        follow_language(self._show_student_count)
        follow_language(self._show_lead)

    def parts_in_order(self) -> list[QWidget]:
        """List the parts in tab order: the children of a splitter are in another one."""
        tables = (self._student_head, self.students, self.pairs.filter, self.pairs.table)
        return [self.histogram, self.maps, *tables]

    def focusInEvent(self, event: QFocusEvent) -> None:
        first = self.histogram.histogram if self._is_scrolled else self.pairs
        first.setFocus(event.reason())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
        QTimer.singleShot(0, self, self._align)

    def minimumSizeHint(self) -> QSize:
        needed = self._whole.minimumSizeHint()
        return QSize(needed.width(), scaled(_LEAST_STACK_PX)) if self._is_scrolled else needed

    def _fit(self) -> None:
        """In a small page, scroll the parts, and put all below each other if it is narrow."""
        is_stacked = APPEARANCE.is_cramped and self.width() < scaled(_NARROW_PX)
        is_scrolled = is_stacked or (APPEARANCE.is_cramped and self.height() < scaled(_LOW_PX))
        changed = (self._is_stacked, self._is_scrolled) != (is_stacked, is_scrolled)
        self._is_stacked, self._is_scrolled = is_stacked, is_scrolled
        for part, height_px in self._parts.items():
            part.setMinimumHeight(scaled(height_px) if is_scrolled else 0)
        self._whole.setMinimumSize(*((0, 0) if is_scrolled else (1, 1)))  # (0, 0): as the layout needs
        if changed:
            for row in self._rows:
                row.setOrientation(Qt.Orientation.Vertical if is_stacked else Qt.Orientation.Horizontal)
            self.updateGeometry()
        is_small = APPEARANCE.is_cramped or self.width() < scaled(_SMALL_PX)
        right_part = _RIGHT_PART_OF_SMALL if is_small else _RIGHT_PART
        if changed or self._fitted != (APPEARANCE.text_scale, right_part):
            self._fitted = APPEARANCE.text_scale, right_part
            for row in self._rows:
                row.setSizes([1000 * _LEFT_PART, 1000 * right_part])

    def _follow(self, row: QSplitter, other: QSplitter) -> None:
        if not self._is_stacked:
            other.setSizes(row.sizes())

    def _align(self) -> None:
        self._follow(self._rows[1], self._rows[0])
        head, filters = self._student_head, self.pairs.filter  # both tables begin at one height
        head.setFixedHeight(head.sizeHint().height() if self._is_stacked else filters.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self._workspace.class_filter.is_empty:
            self._workspace.class_filter.clear()
        elif leads_on(event) and not self.histogram.lead_button.isHidden():
            self._lead_on()
        else:
            super().keyPressEvent(event)

    # updates

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update_soon()

    def _update_soon(self) -> None:
        if self.isVisible() and not self._update_delay.isActive():
            self._update_delay.start()

    def _follow_library(self) -> None:
        chosen = self._workspace.class_filter
        if chosen.in_library is not None:
            found = self._in_library
            chosen.show_in_library(found or None)
        self._update_soon()

    @property
    def _in_library(self) -> frozenset[int]:
        """Essays of which a text of the library has an unusual share."""
        return self._workspace.library_shares.reaching(self._workspace.class_state.limit)

    def _toggle_library(self) -> None:
        """List only the pairs and students with an essay that is in the library, or all again."""
        chosen = self._workspace.class_filter
        chosen.show_in_library(self._in_library if chosen.in_library is None else None)

    def _follow_progress(self) -> None:
        is_provisional = self._workspace.class_state.is_provisional
        if self._is_complete != self._is_compared or self.students.is_provisional != is_provisional:
            self._update_soon()

    @property
    def _is_compared(self) -> bool:
        """True if the figures of all pairs are known and final, except of those that failed."""
        pairs = self._workspace.pairs
        is_final = np.isin(pairs.table.rows["state"], (PairState.CURRENT, PairState.FAILED))
        return not (self._workspace.class_state.is_provisional or pairs.is_busy) and bool(is_final.all())

    def _update(self) -> None:
        """Take the figures of this moment, and show them part by part, as all would take too long at once."""
        state = self._workspace.class_state
        before = self._picture
        reviews = self._workspace.review.pairs()
        self._workspace.pairs.apply_decisions(reviews)
        self._picture = class_picture(
            self._workspace.pairs, reviews, self._labels.text_of, state.limit, state.proposed_limit
        )
        self._shares, self._is_complete = state.shares, self._is_compared
        self._search = self._meaning_search()
        self._follow_limit(self._picture)
        if before is not None and self._workspace.class_filter.shares == ShareRange(before.limit):
            self._workspace.class_filter.show_shares(ShareRange(state.limit))
        self._steps = deque([self._show_histogram, self._show_map, self._show_graph, self._show_students])
        self._stepping.start()

    def _follow_limit(self, picture: ClassPicture) -> None:
        if not self._is_complete:
            return
        known, self._complete = self._complete or picture, picture
        is_same_class = np.isin(known.keys, picture.keys).any()
        limits = known.proposed_limit, picture.proposed_limit
        is_chosen = self._workspace.class_state.chosen_limit is not None
        if is_same_class and not is_chosen and len({*map(percent, limits)}) > 1:
            self.proposed_limit_changed.emit(*limits)

    def _step(self) -> None:
        if self._steps:
            self._steps.popleft()()
        else:
            self._stepping.stop()
            self._align()  # groups are a further field above the table of pairs

    def _show_histogram(self) -> None:
        if self._picture is not None and self._shares is not None:
            self.histogram.show_class(self._picture, self._shares, self._is_known, self._search)
            self._show_lead()

    @property
    def _is_known(self) -> bool:
        """True if all pairs were compared by their words when the page was last shown."""
        return self._is_complete or self._search is MeaningSearch.UNDER_WAY

    def _meaning_search(self) -> MeaningSearch:
        settings = self._workspace.settings
        if not is_meaning_available():
            return MeaningSearch.IMPOSSIBLE
        if settings.passages is None:
            return MeaningSearch.NOT_SO_STRICTLY
        if settings.meaning:
            is_provisional = self._is_complete or self._workspace.class_state.is_provisional
            is_under_way = self._workspace.pairs.are_compared_by_words and not is_provisional
            return MeaningSearch.UNDER_WAY if is_under_way else MeaningSearch.ALL
        return MeaningSearch.EARLIER_WORK if self._workspace.is_by_meaning else MeaningSearch.NONE

    def _search_by_meaning(self) -> None:
        self._workspace.set_settings(replace(self._workspace.settings, meaning=True))

    @property
    def overview(self) -> Sequence[QWidget]:
        """Everything but the histogram."""
        return self.maps, self._student_head, self.students, self.pairs

    def is_read(self) -> bool:
        """Return whether no undecided unusual pair was left when the page was last shown."""
        return not self._to_read

    def _show_lead(self) -> None:
        """Offer to read the undecided unusual pairs, or to export what was found in them."""
        pairs, reviews = self._workspace.pairs, self._workspace.review.pairs()
        limit = self._workspace.class_state.limit
        unusual = unusual_pairs(pairs, limit) if self._is_known else np.zeros(0, np.intp)
        unread = unusual[decision_codes(pairs, reviews)[unusual] == UNDECIDED_CODE]
        self._to_read = [pairs.table.pair_at(place) for place in unread.tolist()]
        minutes = self._minutes_to_read(unread)
        words = ngettext(
            "Read {count} pair · {time}",
            "Read {count} pairs · {time}",
            len(unread),
            time=reading_time(minutes),
        )
        export = _("Export…") if len(unusual) and self._is_complete else ""
        self.histogram.show_lead(words if len(unread) else export)

    def _minutes_to_read(self, places: Places) -> int:
        """Return how long the similar and rewritten parts of both texts of these pairs take to read."""
        rows, entries = self._workspace.pairs.table.rows[places], self._workspace.documents.entries
        read = {key: entry.prepared_document for key, entry in entries.items()}
        units = {key: each.prepared.unit_count for key, each in read.items() if each is not None}
        seconds = len(places) * _SECONDS_A_PAIR + 2 * int(rows["rewritten_units"].sum()) / _UNITS_A_SECOND
        for side, column in zip(SIDES, ("left", "right"), strict=True):
            lengths = [units.get(key, 0) for key in rows[column].tolist()]
            seconds += float(np.nansum(rows[f"after_exclusions_{side}"] * lengths)) / _UNITS_A_SECOND
        return max(1, round(seconds / 60))

    def _lead_on(self) -> None:
        if self._to_read:
            self.reading_requested.emit(self._to_read)
            self.opened.emit()
        else:
            self.export_requested.emit()

    def _show_map(self) -> None:
        if self._picture is not None:
            self.maps.map.show_class(self._picture)

    def _show_graph(self) -> None:
        if self._picture is not None:
            self.maps.show_graph(self._picture, self._is_known)

    def _show_students(self) -> None:
        if self._picture is None:
            return
        state, only = self._workspace.class_state, self._workspace.class_filter.in_library
        rows = student_rows(self._workspace, self._picture, self._labels)
        self._student_total = len(rows), sum(len(row.unread) == len(row.keys) for row in rows)
        listed = [row for row in rows if only is None or row.keys[0] in only]
        missing = state.school.missing if only is None else ()
        has_library = bool(self._workspace.library_shares.shares)
        self.students.show_students(listed, missing, has_library=has_library)
        self._show_student_count()

    def _show_student_count(self) -> None:
        missing = len(self._workspace.class_state.school.missing)
        count, unread = self._student_total
        count += missing  # as in the report and the grade sheet
        is_provisional = self._workspace.class_state.is_provisional
        is_known = not is_provisional and count > 0
        counted = ngettext("{count} student", "{count} students", count) if is_known else _("Students")
        state = self._workspace.class_state
        asked, students = set(state.proposed_templates), state.school.students if state.rosters else ()
        unlisted = sum(not (each.is_listed or asked.issuperset(each.files)) for each in students)
        of_list = ngettext("{count} not on the class list", "{count} not on the class list", unlisted)
        of_files = _("the files of {count} could not be read").format(count=unread)
        remarks = [of_list] * bool(unlisted) + [of_files] * bool(unread)
        remarks = remarks if is_known else [_("provisional")] * bool(is_provisional and count)
        self._student_count.setText(" · ".join([counted, *remarks]))
        self.students.show_provisional(is_provisional)
        self.missing_button.setText(ngettext("{count} not handed in", "{count} not handed in", missing))
        self.missing_button.setAccessibleName(self.missing_button.text())
        self.missing_button.setVisible(is_known and missing > 0)
        found = len(self._in_library)
        self.library_button.setText(
            ngettext("{count} also in the library", "{count} also in the library", found)
        )
        self.library_button.setAccessibleName(self.library_button.text())
        self.library_button.setVisible(found > 0)

    # filter

    def _choose(self, *indices: int) -> None:
        """Filter by documents of the picture, or no longer if they are what is filtered by."""
        if self._picture is not None:
            keys = {self._picture.key_at(index) for index in indices}
            self._workspace.class_filter.toggle_documents(keys)

    def _open(self, first: int, second: int) -> None:
        """Open a pair of the picture; the table then lists it for the steps to other pairs."""
        if self._picture is None:
            return
        pair = self._picture.pair_of(first, second)
        if self._workspace.class_filter.documents == frozenset(pair):
            self._workspace.class_filter.show_documents(())  # set by the first click of the two
        self._workspace.documents.choose_pair(*pair)
        self.pairs.select(pair)
        self.opened.emit()

    def _show_sources(self, key: int) -> None:
        if self._workspace.class_filter.documents == {key}:
            self._workspace.class_filter.show_documents(())  # set by the first click of the two
        if (error := self._workspace.documents.entries[key].error) is not None:
            self._workspace.warn("sources", str(error))
        else:
            self.sources_requested.emit(key)

    def _show_filter(self) -> None:
        chosen = self._workspace.class_filter
        QToolTip.hideText()
        self.histogram.histogram.show_chosen(chosen.shares)
        if chosen.in_library != self._shown_in_library:
            self._shown_in_library = chosen.in_library
            self._show_students()
        for view in (self.maps.map, self.maps.graph, self.students):
            view.show_chosen(chosen.documents)
