"""What the library stores, by year, class and assignment, and what a search found in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSplitter,
    QTableView,
    QWidget,
)

from simcompare.comparison.explanation import units_in_words
from simcompare.comparison.figures import FIGURES
from simcompare.library.tags import STUDENT
from simcompare.pseudonyms.chinese_names import name_order
from simcompare.report.cohort.cohort_rows import figure_name
from simcompare.report.entry_words import local_time, shared_facts_in_words
from simcompare.report.wording import quoted
from simcompare.support.display_text import day_in_words, display_name, escape_invisible, percent
from simcompare.support.i18n import N_, _, joined_sentences, ngettext
from simcompare.ui.access.rows_table import Column, RowsTable
from simcompare.ui.labels import add_clear_button
from simcompare.ui.library.library_words import NO_VALUE, class_of, entry_details, essays_in_words, tag_of
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.state.library.library_state import MOST_LISTED, LibraryState
from simcompare.ui.style.layouts import BAR_MARGINS_PX, column_of, push_button, row_of
from simcompare.ui.style.text_labels import ElidedLabel, MutedLabel, as_tooltip
from simcompare.ui.style.theme import GRID_PX, icon

if TYPE_CHECKING:
    from simcompare.library.entries import EntryGroup, StoredEntry
    from simcompare.library.search.search import LibraryHit


@dataclass(frozen=True, slots=True)
class GroupRow:
    group: EntryGroup | None
    entries: int
    units: int
    last_added_at: str

    @property
    def key(self) -> tuple[str, ...] | None:
        return None if self.group is None else self.group.values


def _group_value(number: int, heading: str, *, is_stretched: bool = False) -> Column[GroupRow]:
    def text(row: GroupRow) -> str:
        if row.group is None:
            return "" if number else _("All essays")
        return row.group.values[number] or NO_VALUE

    def key(row: GroupRow) -> tuple[str, ...]:
        return () if row.group is None else name_order(text(row))

    return Column(heading, text, key, is_stretched=is_stretched)


def _expired(row: GroupRow) -> int:
    return 0 if row.group is None else row.group.expired


def _in_words(day: str | None) -> str:
    return "" if day is None else day_in_words(date.fromisoformat(day))


def _last_day(row: GroupRow) -> str:
    """Return the last day of a group, the first one of several, or that it is over."""
    group = row.group
    if group is None:
        return ""
    if group.first_last_day is None:
        return NO_VALUE
    if group.expired == group.entries:
        return _("{day}, expired").format(day=_in_words(group.final_last_day))
    if group.expired:
        return ngettext("{count} expired", "{count} expired", group.expired)
    is_same = group.first_last_day == group.final_last_day and group.dated == group.entries
    first = _in_words(group.first_last_day)
    return first if is_same else _("from {day}").format(day=first)


def _last_day_key(row: GroupRow) -> str:
    """Sort groups without a date last."""
    return "" if row.group is None else row.group.first_last_day or "9999-99-99"


def _last_days(row: GroupRow) -> str:
    """Return the tooltip of a cell: the dates that do not fit in it."""
    group = row.group
    if group is None:
        return ""
    if group.first_last_day is None:
        return _("No last day is set: these essays are kept until you delete them.")
    words = [_("The last day is between {first} and {last}.")]
    if group.first_last_day == group.final_last_day:
        words = [_("The last day is {first}.")]
    if group.dated < group.entries:
        words.append(_("{dated} of {entries} essays have one."))
    if group.expired:
        words.append(_("For {expired} of them it has passed."))
    return joined_sentences(words).format(
        first=_in_words(group.first_last_day),
        last=_in_words(group.final_last_day),
        dated=f"{group.dated:,}",
        entries=f"{group.entries:,}",
        expired=f"{group.expired:,}",
    )


GROUP_COLUMNS = (
    _group_value(0, N_("Year")),
    _group_value(1, N_("Class"), is_stretched=True),
    _group_value(2, N_("Assignment")),
    Column[GroupRow](
        N_("Essays"), lambda row: f"{row.entries:,}", lambda row: row.entries, True, True, rank=1
    ),
    Column[GroupRow](
        N_("Keep until"),
        _last_day,
        _last_day_key,
        tip=_last_days,
        ink=lambda row: "danger" if _expired(row) else "ink",
    ),
    Column[GroupRow](
        N_("Length"),
        lambda row: f"{row.units:,}",
        lambda row: row.units,
        True,
        True,
        heading_tip=lambda: _("characters or words"),
        rank=3,
    ),
    Column[GroupRow](
        N_("Last added"),
        lambda row: day_in_words(local_time(row.last_added_at)),
        lambda row: row.last_added_at,
        True,
        True,
        rank=2,
    ),
)


def _counted(entry: StoredEntry, units: int) -> str:
    return units_in_words(units, is_chinese=entry.language == "zh")


def _student(entry: StoredEntry) -> str:
    return tag_of(entry, STUDENT)


ENTRY_COLUMNS = (
    Column["StoredEntry"](
        N_("Student"),
        lambda entry: _student(entry) or NO_VALUE,
        lambda entry: name_order(_student(entry)),
        tip=entry_details,
    ),
    Column["StoredEntry"](
        N_("File"),
        lambda entry: display_name(entry.name),
        lambda entry: name_order(entry.name),
        is_stretched=True,
    ),
    Column["StoredEntry"](
        N_("Length"),
        lambda entry: _counted(entry, entry.unit_count),
        lambda entry: entry.unit_count,
        True,
        True,
        rank=2,
        copied=lambda entry: f"{entry.unit_count:,}",
    ),
    Column["StoredEntry"](
        N_("Class"), class_of, lambda entry: name_order(class_of(entry)), is_stretched=True
    ),
    Column["StoredEntry"](
        N_("Added"),
        lambda entry: day_in_words(local_time(entry.added_at)),
        lambda entry: (entry.added_at, entry.entry),
        True,
        True,
    ),
)


_SPLIT_PX = (460, 660)
_TABLE_MARGINS_PX = (GRID_PX + 1, 0, 0, 0)
"""With the margins of a cell, texts of a table begin where headings of the page do."""
_NARROWEST_YEAR_PX = 25 * GRID_PX
_WIDEST_FILTER_PX = 70 * GRID_PX
_CLASS = 3
"""Column of entries that is the same for a whole group."""


class StoredView(QSplitter):
    """Groups on the left; a click lists the entries of one on the right."""

    removal_requested = Signal(list)
    """Entries that are selected."""
    student_removal_requested = Signal(str)
    retention_requested = Signal(object)
    """The EntryGroup whose last day is to be set."""

    def __init__(self, library: LibraryState) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName("library")
        self._library = library
        self._is_showing = False
        self.groups = RowsTable[GroupRow](GROUP_COLUMNS, lambda row: row.key, _NARROWEST_YEAR_PX)
        translated(self.groups, accessibleName=N_("Stored classes"))
        self.groups.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.entries = RowsTable["StoredEntry"](ENTRY_COLUMNS, lambda entry: entry.entry)
        translated(self.entries, accessibleName=N_("Stored essays"))
        self.entries.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        name = N_("File, student, class or year contains")
        placeholder = N_("File, student, class or year")
        self.filter = translated(QLineEdit(), placeholderText=placeholder, accessibleName=name)
        self.filter.setMaximumWidth(_WIDEST_FILTER_PX)
        self.filter.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        add_clear_button(self.filter)
        self.listed_count, self.details = MutedLabel(), ElidedLabel()
        self.listed_count.setWordWrap(False)
        self.details.setObjectName("muted")
        self.details.cut = Qt.TextElideMode.ElideRight
        self._title = translated(QLabel(), N_("Classes"))
        self._title.setObjectName("panelTitle")
        self.class_button = push_button(N_("Back to the hits of the class"), look="statusLink")
        delete_tip = N_("Delete the selected essays from the library (Del)")
        self.delete_button = push_button(N_("Delete…"), self._ask_to_remove, delete_tip)
        self.delete_student_button = push_button(
            N_("Delete a student everywhere…"), self._ask_to_remove_student
        )
        keep_tip = N_("Set the last day on which the essays of the selected class may be kept (Enter)")
        self.keep_button = push_button(N_("Keep until…"), self._ask_until, keep_tip)
        expired_tip = N_("Delete all essays whose last day has passed, of every class")
        self.delete_expired_button = push_button(N_("Delete expired essays…"), tip=expired_tip)
        left, right = QWidget(), QWidget()
        head = row_of(None, self._title, None, self.class_button, margins_px=BAR_MARGINS_PX)
        head.addStrut(9 * GRID_PX)  # both tables begin at one height
        above = row_of(
            None, (self.filter, 1), self.listed_count, None, spacing_px=GRID_PX * 2, margins_px=BAR_MARGINS_PX
        )
        above.addStrut(9 * GRID_PX)
        buttons = (self.delete_student_button, self.delete_button)
        below = row_of(None, (self.details, 1), *buttons, spacing_px=GRID_PX * 2, margins_px=BAR_MARGINS_PX)
        of_groups = (None, self.delete_expired_button, self.keep_button)
        below_groups = row_of(None, *of_groups, spacing_px=GRID_PX * 2, margins_px=BAR_MARGINS_PX)
        groups, entries = (_with_margin(table) for table in (self.groups, self.entries))
        column_of(left, head, (groups, 1), below_groups)
        column_of(right, above, (entries, 1), below)
        for part in (left, right):
            self.addWidget(part)
        self.setStretchFactor(0, 2)
        self.setStretchFactor(1, 3)
        self.setChildrenCollapsible(False)
        self.setSizes(list(_SPLIT_PX))
        self._library.changed.connect(self.show_contents)
        self.groups.chosen_changed.connect(self._choose_group)
        self.entries.chosen_changed.connect(self._show_chosen)
        self.filter.textChanged.connect(self._list_entries)
        self.entries.deletion_requested.connect(self._ask_to_remove)
        delete_student = N_("Delete a student everywhere…"), self._ask_to_remove_student
        menu = (N_("Delete…"), self._ask_to_remove), delete_student
        self._entry_actions = [self.entries.add_to_menu(*each) for each in menu]
        self._keep_action = self.groups.add_to_menu(N_("Keep until…"), self._ask_until)
        self.groups.opened.connect(self._ask_until)
        follow_language(self._name_student_button)
        follow_language(self._list_entries)
        self.show_contents()

    # --- contents

    def show_contents(self) -> None:
        groups = self._library.groups
        rows = [GroupRow(group, group.entries, group.units, group.last_added_at) for group in groups]
        figures = self._library.figures
        if figures is not None and figures.last_added_at is not None:
            rows.insert(0, GroupRow(None, figures.entries, figures.units, figures.last_added_at))
        self._is_showing = True
        self.groups.show_rows(rows)
        if not self.groups.chosen() and rows:
            keys = [row.key for row in self.groups.model_of_rows.rows]
            chosen = None if self._library.group is None else self._library.group.values
            self.groups.select_row(keys.index(chosen) if chosen in keys else 0)
        self._is_showing = False
        self.delete_expired_button.setVisible(any(group.expired for group in groups))
        self._enable_keeping()
        self.entries.leave_out(() if self._library.group is None and len(groups) > 1 else (_CLASS,))
        self._list_entries()

    def _choose_group(self) -> None:
        chosen = self.groups.chosen()
        if chosen and not self._is_showing:
            self._enable_keeping()
            self._library.show_group(chosen[0].group)

    def _enable_keeping(self) -> None:
        chosen = self.groups.chosen()
        for keep in (self.keep_button, self._keep_action):
            keep.setEnabled(bool(chosen) and chosen[0].group is not None)

    def _ask_until(self) -> None:
        chosen = self.groups.chosen()
        if chosen and chosen[0].group is not None:
            self.retention_requested.emit(chosen[0].group)

    def _list_entries(self) -> None:
        wanted = self.filter.text().casefold().split()
        entries = self._library.entries
        found = [entry for entry in entries if all(map(_searched_text(entry).__contains__, wanted))]
        found.sort(key=lambda entry: name_order(entry.name))
        found.sort(
            key=lambda entry: day_in_words(local_time(entry.added_at)), reverse=True
        )  # the newest days, each by name
        self.entries.show_rows(found)
        count = essays_in_words(len(found))
        if len(found) < len(entries):
            words = _("{shown} of {total} essays")
            count = words.format(shown=f"{len(found):,}", total=f"{len(entries):,}")
        if len(entries) == MOST_LISTED:
            rest = _("only the newest are listed")
            count = f"{count} · {rest}"
        self.listed_count.setText(count)

    def _show_chosen(self) -> None:
        chosen, students = self.entries.chosen(), self._students()
        self.details.setText(entry_details(chosen[0]) if len(chosen) == 1 else "")
        if len(chosen) > 1:
            self.details.setText(_("{essays} selected").format(essays=essays_in_words(len(chosen))))
        self.details.setToolTip(self.details.text())
        delete, delete_student = self._entry_actions
        for part in (self.delete_button, delete):
            part.setEnabled(bool(chosen))
        for part in (self.delete_student_button, delete_student):
            part.setEnabled(len(students) == 1)
        self._name_student_button()

    def _students(self) -> set[str]:
        """Names of the students of the selected entries; also "" if one has none."""
        return {
            student
            for entry in self.entries.chosen()
            for student in ([tag.value for tag in entry.tags if tag.name == STUDENT] or [""])
        } - {""}

    def _ask_to_remove(self) -> None:
        if chosen := self.entries.chosen():
            self.removal_requested.emit(chosen)

    def _ask_to_remove_student(self) -> None:
        for student in self._students():
            self.student_removal_requested.emit(student)

    # --- language and theme

    def _name_student_button(self) -> None:
        students = self._students()
        tip = _("Select an essay of one student first.")
        if len(students) == 1:
            tip = _("Delete everything of {student}, of every class and year").format(student=students.pop())
        self.delete_student_button.setToolTip(tip)


def _searched_text(entry: StoredEntry) -> str:
    return "\n".join([entry.name, entry.title, *(tag.value for tag in entry.tags)]).casefold()


def _with_margin(table: QTableView) -> QHBoxLayout:
    table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # of files the end says the kind
    return row_of(None, (table, 1), margins_px=_TABLE_MARGINS_PX)


_ESSAY, _SHARE, _WORDING, _REWRITTEN, _DECISION = 1, 2, 3, 5, 6
"""Columns that not every search has."""


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A hit, and the essay that it was found for: its key and label, or 0 and "" for a sentence of none.

    is_chinese: of the essay, None for a sentence. decision: on the two, in words, "" without one.
    """

    key: int
    essay: str
    hit: LibraryHit
    sentence: str = ""
    is_chinese: bool | None = None
    decision: str = ""

    def counted(self, units: int) -> str:
        """Return units of both texts, without a name if they are in two languages."""
        is_translated = self.is_chinese is not None and self.is_chinese != (self.hit.entry.language == "zh")
        return f"{units:,}" if is_translated else _counted(self.hit.entry, units)


def _share(row: FoundRow) -> str:
    share, _entry_share = row.hit.summary.after_exclusions
    if share is None:
        return NO_VALUE
    if row.sentence and share == 1.0:  # which says nothing of its words
        return _("identical") if _is_identical(row) else _("with changes")
    return percent(share)


def _is_identical(row: FoundRow) -> bool:
    return _letters(row.sentence) in _letters(row.hit.excerpt)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _name(row: FoundRow) -> str:
    return _student(row.hit.entry) or display_name(row.hit.entry.name)


def _entry_name(row: FoundRow) -> str:
    name, same_file = _name(row), _("the same file") if row.hit.is_same_file else ""
    return " · ".join(filter(None, [name, same_file, shared_facts_in_words(row.hit.facts)]))


def _rewritten(row: FoundRow) -> str:
    units = row.hit.summary.rewritten_units
    return row.counted(units) if units else NO_VALUE


def _reason(row: FoundRow) -> str:
    reason = _("Found by the meaning of its sentences; it does not count towards the share. Read both sides.")
    return reason if row.hit.summary.rewritten_units else ""


_COLUMNS = (
    Column[FoundRow](
        N_("In the library"), _entry_name, lambda row: name_order(_name(row)), is_stretched=True
    ),
    Column[FoundRow](
        N_("Essay of the class"), lambda row: row.essay, lambda row: name_order(row.essay), is_stretched=True
    ),
    Column[FoundRow](
        N_("Share"),
        _share,
        lambda row: row.hit.share,
        True,
        True,
        heading_tip=lambda: _("The share of the essay of the class that is in the stored text"),
    ),
    Column[FoundRow](
        N_("Wording"), _share, lambda row: (_is_identical(row), row.hit.share), is_greatest_first=True
    ),
    Column[FoundRow](
        N_("Longest"),
        lambda row: row.counted(row.hit.summary.longest_passage_units),
        lambda row: row.hit.summary.longest_passage_units,
        True,
        True,
        heading_tip=lambda: _("Length of the longest passage, in characters or words"),
        copied=lambda row: f"{row.hit.summary.longest_passage_units:,}",
    ),
    Column[FoundRow](
        FIGURES["rewritten_units"].heading,
        _rewritten,
        lambda row: row.hit.summary.rewritten_units,
        True,
        True,
        name=lambda: figure_name("rewritten_units"),
        tip=_reason,
        copied=lambda row: f"{row.hit.summary.rewritten_units:,}",
    ),
    Column[FoundRow](N_("Decision"), lambda row: row.decision or NO_VALUE, lambda row: row.decision),
    Column[FoundRow](
        N_("File"),
        lambda row: display_name(row.hit.entry.name),
        lambda row: name_order(row.hit.entry.name),
        rank=2,
    ),
    Column[FoundRow](
        N_("Class"),
        lambda row: class_of(row.hit.entry),
        lambda row: name_order(class_of(row.hit.entry)),
        is_stretched=True,
    ),
    Column[FoundRow](
        N_("Added"),
        lambda row: day_in_words(local_time(row.hit.entry.added_at)),
        lambda row: row.hit.entry.added_at,
        True,
        rank=1,
    ),
)


class HitsView(QWidget):
    """Hits of the class or of a sentence; Enter or a double click opens one beside its essay or alone."""

    opened = Signal(object)
    """The FoundRow of a hit."""

    def __init__(self) -> None:
        super().__init__()
        self._words: Callable[[], str] = str
        self._is_over = self._is_stored = self.has_essays = self._is_beside = False
        self.title, self.hint = ElidedLabel(), MutedLabel()
        self.title.setObjectName("panelTitle")
        self.title.cut = Qt.TextElideMode.ElideRight
        self.close_button = push_button(N_("Show what is stored"), look="statusLink")
        self.open_button = push_button(N_("Open in Compare"), self._open)
        self.table = RowsTable[FoundRow](_COLUMNS, lambda row: (row.key, row.hit.entry.entry))
        translated(self.table, accessibleName=N_("Found in the library"))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.excerpt = ElidedLabel()
        self.excerpt.cut = Qt.TextElideMode.ElideRight
        head = row_of(
            None, (self.title, 1), self.close_button, spacing_px=GRID_PX * 2, margins_px=BAR_MARGINS_PX
        )
        head.addStrut(9 * GRID_PX)
        self._hint_row = QWidget()
        row_of(self._hint_row, self.hint, margins_px=BAR_MARGINS_PX)
        below = row_of(
            None, (self.excerpt, 1), self.open_button, spacing_px=GRID_PX * 2, margins_px=BAR_MARGINS_PX
        )
        column_of(self, head, self._hint_row, (_with_margin(self.table), 1), below)
        self._open_action = self.table.add_to_menu(N_("Open in Compare"), self._open)
        self.table.opened.connect(self._open)
        self.table.chosen_changed.connect(self._show_chosen)
        follow_language(self._show_words)

    def show_class(
        self,
        hits: Mapping[int, Sequence[LibraryHit]],
        found: int,
        label_of: Callable[[int], str],
        is_chinese: Callable[[int], bool | None],
        decision_on: Callable[[int, LibraryHit], str],
        *,
        is_over: bool,
        is_stored: bool = False,
    ) -> None:
        """Show the hits of the class, the largest share first.

        found: essays with an unusual share. label_of, is_chinese: of an essay by its key. decision_on: on it
        and a hit, in words. is_over: no further essays are searched. is_stored: the class was found itself,
        which is no hit.
        """
        rows = [
            FoundRow(key, label_of(key), hit, is_chinese=is_chinese(key), decision=decision_on(key, hit))
            for key, own in hits.items()
            for hit in own
        ]
        rows.sort(key=lambda row: (-row.hit.share, -row.hit.summary.rewritten_units, row.key))
        essays = len(hits)
        rewritten = sum(any(hit.summary.rewritten_units for hit in own) for own in hits.values())
        stored = sum(row.hit.summary.rewritten_units > 0 for row in rows)

        def words() -> str:
            searched = ngettext("{count} essay searched", "{count} essays searched", essays)
            known = ngettext("{count} also in the library", "{count} also in the library", found)
            by_meaning = ngettext("{count} possibly rewritten", "{count} possibly rewritten", rewritten)
            if stored > rewritten:  # as more rows say so
                by_meaning = _("{essays}, from {count} stored essays").format(
                    essays=by_meaning, count=f"{stored:,}"
                )
            return " · ".join([searched, *([known] if found else []), *([by_meaning] if rewritten else [])])

        self._is_stored = is_stored
        self._show(rows, words, has_essays=True, is_over=is_over)

    def show_sentence(self, sentence: str, hits: Sequence[LibraryHit], key: int, essay: str) -> None:
        """Show the entries that have a sentence, first those with its words, then the one added first.

        key, essay: of the essay of the class that has it, with its label; 0 and "" without one.
        """
        rows, self._is_stored = [FoundRow(key, essay, hit, sentence) for hit in hits], False
        rows.sort(key=_is_identical, reverse=True)
        self._show(rows, lambda: quoted(escape_invisible(sentence)), has_essays=False, is_over=True)

    def _show(
        self, rows: Sequence[FoundRow], words: Callable[[], str], *, has_essays: bool, is_over: bool
    ) -> None:
        self._words, self._is_over, self.has_essays = words, is_over, has_essays
        is_rewritten = any(row.hit.summary.rewritten_units for row in rows)
        is_decided = any(row.decision for row in rows)
        self._is_beside = has_essays or any(row.key for row in rows)
        unused = {_REWRITTEN: not is_rewritten, _DECISION: not is_decided, _ESSAY: not self._is_beside}
        unused |= {_WORDING: has_essays, _SHARE: not has_essays}
        self.table.leave_out([column for column in unused if unused[column]])
        is_first = self.table.chosen_rows() in ([], [0])  # or the user chose another, which stays
        self.table.show_rows(rows)
        if rows and is_first:
            self.table.select_row(0)
            self.table.scrollToTop()
        self._show_words()
        self._show_chosen()

    def _show_chosen(self) -> None:
        chosen = self.table.chosen()
        self.open_button.setEnabled(bool(chosen))
        excerpt = " ".join(escape_invisible(chosen[0].hit.excerpt).split()) if chosen else ""
        self.excerpt.setText(quoted(excerpt) if excerpt else "")
        self.excerpt.setToolTip(self.excerpt.text())

    def _open(self) -> None:
        chosen = self.table.chosen()
        if chosen:
            self.opened.emit(chosen[0])

    def _show_words(self) -> None:
        for part in (self.open_button, self._open_action):
            part.setText(_("Open in Compare") if self._is_beside else _("Read in full"))
        beside = _("Open the essay beside the stored text (Enter)")
        alone = _("Read the stored text with the sentence marked (Enter)")
        self.open_button.setToolTip(beside if self._is_beside else alone)
        self.title.setText(self._words())
        self.title.setToolTip(as_tooltip(self._words()))
        is_empty = not self.table.model_of_rows.rows
        nothing, later = _("Nothing like it is in the library."), _("Hits are listed here as they are found.")
        if self._is_stored:
            nothing = _("Apart from this class itself, nothing like it is in the library.")
        self.hint.setText("" if not is_empty else nothing if self._is_over else later)
        self._hint_row.setVisible(is_empty)
