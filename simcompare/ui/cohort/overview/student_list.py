"""List of the students of a class; a click lists the pairs of one."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from math import isnan

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView

from simcompare.cohort.pair_scores import rare_share
from simcompare.comparison.figures import FIGURES
from simcompare.pseudonyms.chinese_names import name_order
from simcompare.pseudonyms.students import Student
from simcompare.report.cohort.cohort_rows import figure_meaning, figure_name
from simcompare.report.receipts import doubts_summary
from simcompare.report.wording import also_named, decisions_counted, enumerated, named, with_share_before
from simcompare.session.decisions import Decision
from simcompare.support.display_text import percent, reaches
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.access.rows_table import NO_FIGURE, Column, TextRow
from simcompare.ui.cohort.class_table import (
    DOUBT,
    FIRST_PX,
    SIDE_PX,
    WIDEST_SHARE,
    WIDEST_SURNAME_PX,
    ClassTable,
    Look,
    PaintedColumn,
    Words,
)
from simcompare.ui.state.cohort.class_filter import ClassPicture
from simcompare.ui.state.cohort.student_labels import StudentLabels
from simcompare.ui.state.language import NamedAction, follow_language, translated
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.text_labels import surname
from simcompare.ui.style.theme import GRID_PX, scaled


class StudentColumn(IntEnum):
    STUDENT = 0
    HIGHEST = 1
    NEAREST = 2
    RARE_TEXT = 3
    LIBRARY = 4
    FILES = 5
    DECISIONS = 6


@dataclass(frozen=True, slots=True)
class StudentListRow:
    """Values of a student; highest, in_library: NaN without a known share in the class and in the library.

    highest: after decisions, in the pair with `nearest`; before: highest before them. keys: documents, the
    current one first. doubts: a line for other names and for each file to check; unread: why a file could
    not be read, for each. decisions: number of pairs by decision, None for those decided by passages. limit:
    share before decisions from which a pair is unusual; is_unusual: in such a pair, whichever of its shares
    is the larger. rank_score: highest of any pair, NaN if unknown. rewritten: who has the longest possibly
    rewritten text of this student.
    """

    id: str
    label: str
    number: str
    keys: tuple[int, ...]
    highest: float = float("nan")
    before: float = float("nan")
    nearest: str = ""
    doubts: tuple[str, ...] = ()
    decisions: Counter[Decision | None] = field(default_factory=Counter)
    in_library: float = float("nan")
    limit: float = 1.0
    rank_score: float = float("nan")
    unread: tuple[str, ...] = ()
    is_unusual: bool = False
    rewritten: str = ""

    @property
    def is_only_rewritten(self) -> bool:
        """Whether the student is similar to another one by meaning alone."""
        return bool(self.rewritten) and not self.highest > 0

    def files_in_words(self) -> str:
        """Return "2 files, to check" or "could not be read"; "" for a single file without doubts."""
        count, unread = len(self.keys), len(self.unread)
        if unread == count:
            return _("could not be read")
        return enumerated(
            [
                *([ngettext("{count} file", "{count} files", count)] if count > 1 else []),
                *([_("{count} could not be read").format(count=unread)] if unread else []),
                *([_("to check")] if self.doubts else []),
            ]
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        return *self.doubts, *self.unread

    def decisions_in_words(self) -> str:
        """Return "1 copied, 2 no concern (1 cited)"."""
        return decisions_counted(self.decisions, of_pairs=True)


def student_rows(workspace: Workspace, picture: ClassPicture, labels: StudentLabels) -> list[StudentListRow]:
    """Return a row for each student with a file, by number; a possible template of no student is none."""
    highest, nearest = picture.after.nearest
    before = picture.figures.nearest[0]
    is_unusual = reaches(picture.figures.larger, picture.limit)
    unusual = {*picture.figures.left[is_unusual].tolist(), *picture.figures.right[is_unusual].tolist()}
    decisions, rewritten = _decisions(workspace), _rewritten(workspace, labels)
    rows = []
    templates = set(workspace.class_state.proposed_templates)
    for student in workspace.class_state.school.students:
        if not student.name and templates.issuperset(student.files):
            continue
        index = picture.index_of(student.current)
        has_share = index is not None and nearest[index] >= 0
        rows.append(
            StudentListRow(
                student.id,
                labels.text_of(student.current) or student.id,
                student.number,
                tuple(student.files),
                float(highest[index]) if has_share else float("nan"),
                float(before[index]) if has_share else float("nan"),
                picture.labels[int(nearest[index])] if has_share else "",
                tuple(filter(None, [also_named(student.other_names), *_doubts(workspace, student.files)])),
                decisions[student.current],
                workspace.library_shares.shares.get(student.current, float("nan")),
                workspace.class_state.limit,
                float("nan") if index is None else float(picture.ranks[index]),
                tuple(_errors(workspace, student.files)),
                index in unusual,
                rewritten.get(student.current, ""),
            )
        )
    return sorted(rows, key=_by_student)


def _by_student(row: StudentListRow) -> tuple[str, ...]:
    return name_order(f"{row.number} {row.label}")


def _decisions(workspace: Workspace) -> defaultdict[int, Counter[Decision | None]]:
    counts: defaultdict[int, Counter[Decision | None]] = defaultdict(Counter)
    for pair, review in workspace.review.pairs().items():
        if review.has_decision:
            for key in pair:
                counts[key][review.overall.decision] += 1
    return counts


def _rewritten(workspace: Workspace, labels: StudentLabels) -> dict[int, str]:
    """Return, of each essay with possibly rewritten text, the label of the other one of the pair with most.

    Of equal ones it is that with the rarest text in common, then the first by name, as for shares.
    """
    is_open = workspace.pairs.open_rewritten(workspace.review.pairs())
    rows = workspace.pairs.table.rows[is_open]
    found = rows[["left", "right", "rewritten_units", "rank_score"]].tolist()
    best: dict[int, tuple[int, float, tuple[str, ...], str]] = {}
    for left, right, units, score in found:
        for key, other in ((left, right), (right, left)):
            label = labels.text_of(other)
            rank = -units, 0.0 if isnan(score) else -score, name_order(label), label
            best[key] = min(best.get(key, rank), rank)
    return {key: label for key, (*_rank, label) in best.items()}


def _doubts(workspace: Workspace, keys: Iterable[int]) -> Iterator[str]:
    for key in keys:
        entry = workspace.documents.entries.get(key)
        if entry is not None and entry.is_doubtful and entry.prepared_document is not None:
            yield doubts_summary(entry.prepared_document.document.receipt)


def _errors(workspace: Workspace, keys: Iterable[int]) -> Iterator[str]:
    for key in keys:
        entry = workspace.documents.entries.get(key)
        if entry is not None and entry.error is not None:
            yield str(entry.error)


_REWRITTEN = FIGURES["rewritten_units"].heading
_CHOOSING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_WIDEST_NAME_PX = 45 * GRID_PX
_DEFAULT_SORTING = (StudentColumn.RARE_TEXT, Qt.SortOrder.DescendingOrder)


def _share(after: float, before: float) -> str:
    return NO_FIGURE if isnan(before) else with_share_before(after, before)


def _nearest(row: StudentListRow) -> str:
    return row.nearest if row.highest > 0 else row.rewritten or NO_FIGURE


def _nearest_in_words(row: StudentListRow) -> str:
    """Return also with whom text was possibly rewritten, if the share is that of another pair."""
    if row.is_only_rewritten or row.rewritten == _nearest(row):
        return enumerated([row.rewritten, _("possibly rewritten")])
    return enumerated(
        [_nearest(row), *([named(_("possibly rewritten"), row.rewritten)] if row.rewritten else [])]
    )


def _ink(row: StudentListRow) -> str:
    return "ink" if row.is_unusual or row.rewritten else "muted"


def _name_and_number(row: StudentListRow) -> str:
    return " ".join(dict.fromkeys(part for part in (row.label, row.number) if part))


def _spoken_name(row: StudentListRow) -> str:
    remark = _("to check") if row.doubts else row.files_in_words() if row.unread else ""
    return named(_("Student"), enumerated(filter(None, [row.label, remark])))


_COLUMNS = (
    PaintedColumn[StudentListRow](
        N_("Student"),
        lambda row: row.label,
        _by_student,
        heading_tip=lambda: _("Name or number in the class list or in the names of the files"),
        tip=lambda row: "\n".join([_name_and_number(row), *row.remarks]),
        spoken=_spoken_name,
        is_stretched=True,
        look=lambda row: Look(sign=DOUBT if row.remarks else None),
    ),
    PaintedColumn[StudentListRow](
        N_("Highest"),
        lambda row: _share(row.highest, row.before),
        lambda row: -1.0 if isnan(row.highest) else row.highest,
        is_number=True,
        is_greatest_first=True,
        heading_tip=lambda: _("The highest share of this student's text that is in another one"),
        ink=_ink,
        widest=lambda: (_share(0.25, 0.5),),  # a decision does not widen it
        rank=1,
    ),
    PaintedColumn[StudentListRow](
        N_("Most similar"),
        _nearest,
        lambda row: (_nearest(row) == NO_FIGURE, name_order(_nearest(row))),
        heading_tip=lambda: _("The student who has that other text"),
        tip=_nearest_in_words,
        spoken=lambda row: named(
            _("Most similar"), _("none") if _nearest(row) == NO_FIGURE else _nearest_in_words(row)
        ),
        ink=_ink,
        is_stretched=True,
        look=lambda row: Look(
            marks=[Words(_(_REWRITTEN), _(_REWRITTEN), "muted")] if row.is_only_rewritten else ()
        ),
    ),
    PaintedColumn[StudentListRow](
        FIGURES["rare_text"].name,
        lambda row: NO_FIGURE if isnan(row.rank_score) else percent(rare_share(row.rank_score)),
        lambda row: tuple(-1.0 if isnan(each) else each for each in (row.rank_score, row.highest)),
        name=lambda: figure_name("rare_text"),
        is_number=True,
        is_greatest_first=True,
        heading_tip=lambda: "\n".join(
            [_("The highest of any pair of this student"), figure_meaning("rare_text")]
        ),
        ink=_ink,
        widest=lambda: (WIDEST_SHARE,),
        rank=3,
    ),
    PaintedColumn[StudentListRow](
        N_("In library"),
        lambda row: _share(row.in_library, row.in_library),
        lambda row: -1.0 if isnan(row.in_library) else row.in_library,
        is_number=True,
        is_greatest_first=True,
        heading_tip=lambda: _("The largest share of this essay that one text of the library has"),
        ink=lambda row: "ink" if reaches(row.in_library, row.limit) else "muted",
        widest=lambda: (WIDEST_SHARE,),
        rank=2,
    ),
    PaintedColumn[StudentListRow](
        N_("Files"),
        StudentListRow.files_in_words,
        lambda row: 2 * len(row.remarks) + len(row.keys),
        is_greatest_first=True,
        heading_tip=lambda: _("Number of files if there are several, and files to check"),
        tip=lambda row: "\n".join([row.files_in_words(), *row.remarks]),
        ink=_ink,
        rank=5,
    ),
    PaintedColumn[StudentListRow](
        N_("Decisions"),
        StudentListRow.decisions_in_words,
        lambda row: (row.decisions[Decision.COPIED], row.decisions.total()),
        is_greatest_first=True,
        heading_tip=lambda: _("Your decisions on the pairs of this student"),
        ink=_ink,
        widest=lambda: (decisions_counted(Counter({Decision.FINE: 8})),),
        rank=4,
    ),
)
"""In the order of StudentColumn."""
_NAMED = (StudentColumn.STUDENT, StudentColumn.NEAREST)
_NAMES = tuple(_COLUMNS[each] for each in _NAMED)


class StudentList(ClassTable[StudentListRow]):
    """Table of students, and below them those without a file, folded at first."""

    student_chosen = Signal(int)
    """Key of the current essay of a student who was clicked."""
    sources_requested = Signal(int)
    """Show all sources of the essay with this key."""
    has_cursor_lines = True
    measured_rows = None  # a share before decisions may be in any

    def __init__(self) -> None:
        super().__init__(_COLUMNS, lambda row: row.id, _WIDEST_NAME_PX)
        self._missing: Sequence[Student] = ()
        self._is_unfolded = self._has_library = False
        self._filtered: frozenset[int] = frozenset()
        self._students: Sequence[StudentListRow] = ()
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.clicked.connect(self._choose)
        self.sources_action = NamedAction(N_("All sources of this essay"), self, self._request_sources)
        self.insertAction(self.actions()[0], self.sources_action)
        self.opened.connect(self._request_sources)
        self.begin_class()
        translated(self, accessibleName=N_("Students"))
        follow_language(self._show)

    def show_students(
        self, rows: Sequence[StudentListRow], missing: Sequence[Student], *, has_library: bool
    ) -> None:
        """Show the students; has_library: whether shares of the essays in the library are known."""
        self._students, self._missing, self._has_library = rows, missing, has_library
        self._show()

    def _show(self) -> None:
        words = _("Not handed in ({count})").format(count=len(self._missing))
        lines = [TextRow(f"{'▾' if self._is_unfolded else '▸'} {words}", words)] if self._missing else []
        if self._is_unfolded:
            names = (student.display_name for student in self._missing)
            lines += [TextRow(f"\N{EM SPACE}{name}", name) for name in names]
        self.show_rows(self._students, lines)
        has_files = any(map(StudentListRow.files_in_words, self._students))
        needed = {StudentColumn.FILES: has_files, StudentColumn.LIBRARY: self._has_library}
        self.leave_out(each for each, is_needed in needed.items() if not is_needed)

    def begin_class(self) -> None:
        self._is_unfolded = False
        self.start_over(_DEFAULT_SORTING)

    def show_missing(self) -> None:
        """Unfold the students who have not handed in, and scroll to them."""
        self._is_unfolded = True
        self._show()
        first = self.model_of_rows.index(len(self._students), 0)
        self.scrollTo(first, QAbstractItemView.ScrollHint.PositionAtTop)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fitted_px(self, number: int, column: Column[StudentListRow]) -> int:
        fitted_px = super()._fitted_px(number, column)
        return (
            max(fitted_px, self._marked_px(number, lambda words: words.short))
            if number in _NAMED
            else fitted_px
        )

    def _names_px_beside(self, number: int) -> int:
        """Width of names for which a column is hidden: of surnames and headings, if it matters more."""
        if number == StudentColumn.FILES and number not in self._held:
            return super()._names_px_beside(number)
        advance = self.fontMetrics().horizontalAdvance
        names = (surname(column.text(row)) for column in _NAMES for row in self.model_of_rows.rows)
        names_px = (min(advance(name), scaled(WIDEST_SURNAME_PX)) for name in names)
        heading_px = max(advance(_(column.heading)) for column in _NAMES)
        return len(_NAMES) * (max(max(names_px, default=0) + FIRST_PX, heading_px + SIDE_PX) + SIDE_PX)

    def show_chosen(self, keys: Collection[int]) -> None:
        self._filtered = frozenset(keys)
        self.viewport().update()

    def is_tinted(self, row: StudentListRow, _is_selected: bool) -> bool:
        return row.keys[0] in self._filtered

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _CHOOSING_KEYS and self.currentIndex().isValid():
            self._choose(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _request_sources(self) -> None:
        if (student := self.current()) is not None:
            self.sources_requested.emit(student.keys[0])

    def _choose(self, index: QModelIndex) -> None:
        student = self.current()
        if student is not None:
            self.student_chosen.emit(student.keys[0])
        elif index.row() == len(self._students):
            self._is_unfolded = not self._is_unfolded
            self._show()
