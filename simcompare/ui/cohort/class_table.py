"""Tables of the class page: cells with bars, icons and marks, painted without the style sheet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from simcompare.ui.access.rows_table import AnyIndex, Column, RowsTable, RowType, Sorting
from simcompare.ui.style.text_labels import (
    PERSON_FORMS,
    draw_name,
    elided_name,
    extra_px,
    surname,
)
from simcompare.ui.style.theme import GRID_PX, current_theme, icon, scaled

WIDEST_SHARE = ">100%"
# also in the style sheet, for the header
SIDE_PX = 2 * GRID_PX
FIRST_PX = 4 * GRID_PX
BAR_PX = 12 * GRID_PX
"""Length of a bar for a share of 1."""
SIGN_PX = 16
"""Side of the icons of decision, note and doubt."""
WIDEST_SURNAME_PX = 20 * GRID_PX
_BAR_HEIGHT_PX = 6
_CHOSEN_PX = 3
_SELECTED = QStyle.StateFlag.State_Selected.value
_AT_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_AT_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class Icon:
    """An icon, and the name of its colour in the theme."""

    name: str
    ink: str


DOUBT = Icon("warning", "caution")


@dataclass(frozen=True, slots=True)
class Words:
    """Words at the right end of a cell; shorter ones if a name needs their place.

    Those with a sign are cut, or become the sign.
    """

    text: str
    short: str
    ink: str
    sign: str = ""

    def words_beside(self, name: str, free_px: int, advance: Callable[[str], int]) -> str:
        """Return what fits beside a name; the tooltip of the cell says all."""
        beside_px = free_px - SIDE_PX - advance(name)
        most_px = max(free_px // 2, beside_px)
        limits = [(self.text, beside_px), (self.short, beside_px if self.sign else most_px)]
        if self.sign:
            cut = (f"{self.short[:count].rstrip()}…" for count in range(len(self.short) - 1, 2, -1))
            limits += [*((words, beside_px) for words in cut), (self.sign, most_px)]
        return next((words for words, limit_px in limits if advance(words) <= limit_px), "")


@dataclass(frozen=True, slots=True)
class Look:
    """What a cell has beside its text.

    bar: share painted as part of a bar; icon: before the text; sign: after it; marks: at the right end, the
    outermost first; shared: length of the beginning and of the end of a name that most names share.
    """

    is_slanted: bool = False
    bar: float | None = None
    icon: Icon | None = None
    sign: Icon | None = None
    marks: Sequence[Icon | Words] = ()
    shared: tuple[int, int] = (0, 0)


_PLAIN = Look()


@dataclass(frozen=True)
class PaintedColumn(Column[RowType]):
    """A column whose cells have more than a text."""

    look: Callable[[RowType], Look] | None = None


class ClassTable(RowsTable[RowType]):
    """Table whose rows are tinted if they are chosen, with a bar at their beginning."""

    has_cursor_lines = False
    """Whether lines show which row is selected, as the tint shows something else."""
    margins_px = 2 * SIDE_PX + GRID_PX  # digits of equal width are wider
    _held: frozenset[int] = frozenset()
    """Columns that were shown at this width, and stay as others become wider."""
    _held_at_px = 0

    def __init__(
        self,
        columns: Sequence[PaintedColumn[RowType]],
        key_of: Callable[[RowType], object],
        narrowest_px: int,
    ) -> None:
        self._columns = columns
        super().__init__(columns, key_of, narrowest_px)
        self.setObjectName("classTable")
        self.setItemDelegate(_CellPainter(self, columns))
        self.horizontalHeader().setMinimumSectionSize(10 * GRID_PX)

        self.is_provisional = False
        self._form_of_names: Callable[[str], str] | None = None
        for changed in (
            self.model_of_rows.modelReset,
            self.model_of_rows.dataChanged,
            self.horizontalHeader().sectionResized,
        ):
            changed.connect(self._measure_names_again)

    def _measure_names_again(self) -> None:
        self._form_of_names = None

    @property
    def form_of_names(self) -> Callable[[str], str]:
        """Longest form of the names of persons for which all columns of the first rows have space."""
        if self._form_of_names is None:
            advance = self.fontMetrics().horizontalAdvance
            people = [
                (text, self.columnWidth(number) - self.margins_px - self._beside_px(row, column))
                for number, column in enumerate(self._columns)
                if column.is_stretched and not self.isColumnHidden(number)
                for row in self.model_of_rows.rows[: self.measured_rows]
                if surname(text := column.text(row)) != text
            ]
            forms = (form for form in PERSON_FORMS if all(advance(form(text)) <= px for text, px in people))
            self._form_of_names = next(forms, surname)
        return self._form_of_names

    def start_over(self, sorting: Sorting | None = None) -> None:
        super().start_over(sorting)
        self._held = frozenset()

    def _show_columns(self) -> None:
        if self.width() != self._held_at_px:
            self._held, self._held_at_px = frozenset(), self.width()
        super()._show_columns()
        if self.model_of_rows.rows:
            self._held |= {each for each in self._widths_px if not self.isColumnHidden(each)}

    @property
    def bar_px(self) -> int:
        """Length of the bars of shares, 0 for none."""
        return 0

    def _whole_px(self, number: int, column: Column[RowType]) -> int:
        return max(super()._whole_px(number, column), self._marked_px(number, lambda words: words.text))

    def _marked_px(self, number: int, text_of: Callable[[Words], str]) -> int:
        """Width of the widest text of a column with all that stands beside it."""
        column, advance = self._columns[number], self.fontMetrics().horizontalAdvance
        rows = self.model_of_rows.rows[: self.measured_rows]
        widths = (advance(column.text(row)) + self._beside_px(row, column, text_of) for row in rows)
        return max(widths, default=0) + self.margins_px

    def _beside_px(
        self, row: RowType, column: PaintedColumn[RowType], text_of: Callable[[Words], str] = lambda _mark: ""
    ) -> int:
        """Width of what stands beside the text of a cell."""
        look = _PLAIN if column.look is None else column.look(row)
        icon_px, advance = scaled(SIGN_PX) + GRID_PX, self.fontMetrics().horizontalAdvance
        marks_px = (
            advance(text_of(mark)) + SIDE_PX if isinstance(mark, Words) else icon_px for mark in look.marks
        )
        return icon_px * sum(each is not None for each in (look.icon, look.sign)) + sum(marks_px)

    def is_tinted(self, _row: RowType, is_selected: bool) -> bool:
        return is_selected

    def show_provisional(self, is_provisional: bool) -> None:
        """Show figures that will change in grey."""
        if is_provisional != self.is_provisional:
            self.is_provisional = is_provisional
            self.viewport().update()


class _CellPainter(QStyledItemDelegate):
    """Paints the cells. Colours, icons and fonts are made once, as there are thousands of cells."""

    def __init__(self, table: ClassTable[Any], columns: Sequence[PaintedColumn[Any]]) -> None:
        super().__init__(table)
        self._table, self._columns = table, columns
        self._icons: dict[Icon, QIcon] = {}
        self._colours: dict[str, QColor] = {}
        self._use_font(QFont())

    def _use_font(self, base: QFont) -> None:
        self._base, self._upright, self._slanted = QFont(base), QFont(base), QFont(base)
        self._slanted.setItalic(True)
        for font in (self._upright, self._slanted):
            font.setFeature(QFont.Tag("tnum"), 1)
        self._metrics = QFontMetrics(self._upright)

    def _colour(self, name: str) -> QColor:
        code = getattr(current_theme(), name)
        if code not in self._colours:
            self._colours[code] = QColor(code)
        return self._colours[code]

    def _paint_icon(self, painter: QPainter, drawn: Icon, left_px: int, cell: QRect) -> None:
        if drawn not in self._icons:
            self._icons[drawn] = icon(drawn.name, drawn.ink)
        self._icons[drawn].paint(painter, QRect(left_px, cell.top(), scaled(SIGN_PX), cell.height()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        rect, number, place = QRect(option.rect), index.column(), index.row()
        model = self._table.model_of_rows
        row = model.rows[place] if place < len(model.rows) else None
        column = self._columns[number]
        if self._base != option.font:
            self._use_font(option.font)
        painter.save()
        is_selected = bool(option.state.value & _SELECTED)
        is_tinted = row is not None and self._table.is_tinted(row, is_selected)
        self._paint_ground(painter, rect, number == 0, is_selected, is_tinted)
        inner = rect.adjusted(SIDE_PX if number else FIRST_PX, 0, -SIDE_PX, 0)
        look = _PLAIN if row is None or column.look is None else column.look(row)
        painter.setFont(self._slanted if look.is_slanted else self._upright)
        if look.bar is not None and self._table.bar_px:
            texts = () if column.widest is None else column.widest()
            widest_px = max(map(self._metrics.horizontalAdvance, texts), default=0)
            self._paint_bar(painter, inner.adjusted(0, 0, -widest_px - SIDE_PX, 0), look.bar)
        if look.icon is not None:
            self._paint_icon(painter, look.icon, inner.left(), inner)
            inner.adjust(scaled(SIGN_PX) + GRID_PX, 0, 0, 0)
        if row is None:
            ink, text = "muted", model.lines[place - len(model.rows)].text
        else:
            ink, text = column.ink(row) if column.ink is not None else "ink", column.text(row)
            ink = "muted" if column.is_number and self._table.is_provisional else ink
        text = self._table.form_of_names(text) if column.is_stretched else text
        for mark in look.marks:
            inner.adjust(0, 0, -self._paint_mark(painter, inner, mark, text), 0)
        # columns are as wide as their widest figure
        width_px = inner.width() - extra_px(painter.font(), text)
        beside_px = width_px - scaled(SIGN_PX) - GRID_PX
        width_px = width_px if look.sign is None else beside_px
        if column.is_stretched:
            shown = elided_name(self._metrics, text, width_px, look.shared)
        else:
            is_cut = not column.is_number  # at the end: "concern" of "No concern" would be the opposite
            shown = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, width_px) if is_cut else text
        painter.setPen(self._colour(ink))
        draw_name(painter, inner, _AT_RIGHT if column.is_number else _AT_LEFT, shown)
        if look.sign is not None:
            after_px = inner.left() + self._metrics.horizontalAdvance(shown) + GRID_PX
            self._paint_icon(painter, look.sign, after_px, inner)
        painter.restore()

    def _paint_ground(
        self, painter: QPainter, rect: QRect, is_first: bool, is_selected: bool, is_tinted: bool
    ) -> None:
        if is_tinted or is_selected:  # over the colour with which Qt fills selected rows
            painter.fillRect(rect, self._colour("accent_tint" if is_tinted else "surface"))
        if is_tinted and is_first:
            painter.fillRect(rect.adjusted(0, 0, _CHOSEN_PX - rect.width(), 0), self._colour("accent"))
        is_current = is_selected and self._table.has_cursor_lines and self._table.hasFocus()
        edge = self._colour("accent" if is_current else "line")
        painter.fillRect(rect.adjusted(0, rect.height() - 1, 0, 0), edge)
        if is_current:
            painter.fillRect(rect.adjusted(0, 0, 0, 1 - rect.height()), edge)

    def _paint_mark(self, painter: QPainter, free: QRect, mark: Icon | Words, name: str) -> int:
        """Paint a mark of a name at the right end; return the width used."""
        if isinstance(mark, Icon):
            self._paint_icon(painter, mark, free.right() - scaled(SIGN_PX) + 1, free)
            return scaled(SIGN_PX) + GRID_PX
        text = mark.words_beside(name, free.width(), self._metrics.horizontalAdvance)
        painter.setPen(self._colour(mark.ink))
        painter.drawText(free, _AT_RIGHT, text)
        return self._metrics.horizontalAdvance(text) + SIDE_PX if text else 0

    def _paint_bar(self, painter: QPainter, free: QRect, share: float) -> None:
        """Paint the share as a part of the bar for a whole text, left of the figure."""
        if free.width() < BAR_PX // 2:  # a shorter one looks like a switch
            return
        top_px = free.center().y() - _BAR_HEIGHT_PX / 2 + 1
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        ink = "muted" if self._table.is_provisional else "accent"
        for part, colour in ((1.0, "line"), (share, ink)):
            if part:
                painter.setBrush(self._colour(colour))
                bar = QRectF(free.left(), top_px, max(free.width() * part, 2.0), _BAR_HEIGHT_PX)
                painter.drawRoundedRect(bar, _BAR_HEIGHT_PX / 2, _BAR_HEIGHT_PX / 2)
