"""What a search found in the library: a row for each entry, the largest share first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from simcompare.report.entry_words import also_in_words, day
from simcompare.report.wording import quoted
from simcompare.support.display_text import display_name, escape_invisible, percent
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.access.rows_table import Column, RowsTable
from simcompare.ui.library.library_words import NO_VALUE, class_of, tag_of
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.style.layouts import BAR_MARGINS_PX, column_of, push_button, row_of
from simcompare.ui.style.text_labels import ElidedLabel, MutedLabel, as_tooltip
from simcompare.ui.style.theme import GRID_PX

if TYPE_CHECKING:
    from simcompare.library.search.search import LibraryHit

_ESSAY = 1


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A hit, and the essay that it was found for: its key and label, or 0 and "" for a sentence."""

    key: int
    essay: str
    hit: LibraryHit
    sentence: str = ""


def _share(row: FoundRow) -> str:
    share, _entry_share = row.hit.summary.after_exclusions
    if share is None:
        return NO_VALUE
    if row.sentence and share == 1.0:
        # the share of a whole sentence says nothing of its words
        is_same = _letters(row.sentence) in _letters(row.hit.excerpt)
        return _("identical") if is_same else _("with changes")
    return percent(share)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _entry_name(row: FoundRow) -> str:
    name, same_file = display_name(row.hit.entry.name), _("the same file") if row.hit.is_same_file else ""
    return " · ".join(filter(None, [name, same_file, also_in_words(row.hit.summary, row.hit.facts)]))


def _name_and_reason(row: FoundRow) -> str:
    reason = _("Found by the meaning of its sentences; it does not count for the share. Read both sides.")
    return "\n".join([_entry_name(row), *([reason] if row.hit.summary.rewritten_units else [])])


_COLUMNS = (
    Column[FoundRow](
        N_("In the library"), _entry_name, lambda row: row.hit.entry.name.casefold(), tip=_name_and_reason
    ),
    Column[FoundRow](N_("Essay"), lambda row: row.essay, lambda row: row.essay.casefold()),
    Column[FoundRow](N_("Share"), _share, lambda row: row.hit.share, True, True),
    Column[FoundRow](
        N_("Longest"),
        lambda row: f"{row.hit.summary.longest_passage_units:,}",
        lambda row: row.hit.summary.longest_passage_units,
        True,
        True,
        tip=lambda _row: _("Length of the longest passage, in characters or words"),
    ),
    Column[FoundRow](
        N_("Student"),
        lambda row: tag_of(row.hit.entry, "student") or NO_VALUE,
        lambda row: tag_of(row.hit.entry, "student").casefold(),
    ),
    Column[FoundRow](
        N_("Class"), lambda row: class_of(row.hit.entry), lambda row: class_of(row.hit.entry).casefold()
    ),
    Column[FoundRow](
        N_("Added"), lambda row: day(row.hit.entry.added_at), lambda row: row.hit.entry.added_at, True, rank=1
    ),
)


class HitsView(QWidget):
    """Hits of the class or of a sentence; Enter or a double click opens one beside its essay."""

    opened = Signal(object)
    """The FoundRow of a hit of the class."""
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._words: Callable[[], str] = str
        self._is_over = False
        self.title, self.hint = ElidedLabel(), MutedLabel()
        self.title.setObjectName("panelTitle")
        self.title.cut = Qt.TextElideMode.ElideRight
        self.close_button = push_button(N_("Show what is stored"), self.closed, look="statusLink")
        open_tip = N_("Open the essay beside the stored text (Enter)")
        self.open_button = push_button(N_("Open in Compare"), self._open, open_tip)
        self.table = RowsTable[FoundRow](_COLUMNS, lambda row: (row.key, row.hit.entry.entry))
        translated(self.table, accessibleName=N_("Found in the library"))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.excerpt = ElidedLabel()
        head = row_of(
            None, (self.title, 1), self.close_button, spacing_px=GRID_PX * 2, margins_px=BAR_MARGINS_PX
        )
        head.addStrut(9 * GRID_PX)
        self._hint_row = QWidget()
        row_of(self._hint_row, self.hint, margins_px=BAR_MARGINS_PX)
        below = row_of(
            None, (self.excerpt, 1), self.open_button, spacing_px=GRID_PX * 2, margins_px=BAR_MARGINS_PX
        )
        column_of(self, head, self._hint_row, (self.table, 1), below)
        self.table.opened.connect(self._open)
        self.table.chosen_changed.connect(self._show_chosen)
        follow_language(self._show_words)

    def show_class(
        self,
        hits: Mapping[int, Sequence[LibraryHit]],
        found: int,
        label_of: Callable[[int], str],
        *,
        is_over: bool,
    ) -> None:
        """Show the hits of the class, the largest share first.

        found: essays with an unusual share. is_over: no further essays are searched.
        """
        rows = [FoundRow(key, label_of(key), hit) for key, own in hits.items() for hit in own]
        rows.sort(key=lambda row: (-row.hit.share, -row.hit.summary.rewritten_units))
        essays = len(hits)

        def words() -> str:
            searched = ngettext("{count} essay searched", "{count} essays searched", essays)
            return f"{searched} · " + ngettext(
                "{count} also in the library", "{count} also in the library", found
            )

        self._show(rows, words, has_essays=True, is_over=is_over)

    def show_sentence(self, sentence: str, hits: Sequence[LibraryHit]) -> None:
        """Show the entries that have a sentence, of equal shares the one added first."""
        rows = [FoundRow(0, "", hit, sentence) for hit in hits]
        self._show(rows, lambda: quoted(escape_invisible(sentence)), has_essays=False, is_over=True)

    def _show(
        self, rows: Sequence[FoundRow], words: Callable[[], str], *, has_essays: bool, is_over: bool
    ) -> None:
        self._words, self._is_over = words, is_over
        self.table.leave_out(() if has_essays else (_ESSAY,))
        self.open_button.setVisible(has_essays)
        self.table.show_rows(rows)
        if rows and not self.table.chosen():
            self.table.select_row(0)
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
        if chosen and chosen[0].key:
            self.opened.emit(chosen[0])

    def _show_words(self) -> None:
        self.title.setText(self._words())
        self.title.setToolTip(as_tooltip(self._words()))
        is_empty = self._is_over and not self.table.model_of_rows.rows
        self.hint.setText(_("Nothing like it is in the library.") if is_empty else "")
        self._hint_row.setVisible(is_empty)
