"""Document list without painting: row values, Qt model, badge geometry, and texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.pseudonyms.chinese_names import name_order
from simcompare.report.receipts import doubts_summary, flag_in_words, format_in_words, seconds_in_words
from simcompare.report.wording import units_count
from simcompare.session.school_class import DocumentRole
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_, _
from simcompare.ui.compare.matches.passage_rows import SIDE_PX, paint_row_ground
from simcompare.ui.compare.text_pane.highlights import wrapped
from simcompare.ui.labels import doubts_meaning, role_name
from simcompare.ui.state.document_entry import DocumentEntry, FileState
from simcompare.ui.style.text_labels import as_tooltip, draw_name, elided_name, extra_px
from simcompare.ui.style.theme import GRID_PX, current_theme, icon, scaled

AnyIndex = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole
SIDES = ("left", "right")
BADGE_PX, _BADGE_HEIGHT_PX = 6 * GRID_PX, 5 * GRID_PX
_NONE = QModelIndex()
DocumentTexts = tuple[str, str, str]
"""Texts of a document that was read: its detail, its doubts in short, and its doubts with their places."""
REMARKS = {
    FileState.SAME: "",
    FileState.CHANGED: N_("changed on disk"),
    FileState.GONE: N_("file gone, text kept"),
}
"""Remark on the state of a file on disk (N_)."""
_RESCUES = {
    "tried": N_("LibreOffice, which can read some damaged files, could not read it either."),
    "missing": N_("LibreOffice, which can read some damaged files, is not installed."),
}


@dataclass(frozen=True, slots=True)
class Offer:
    """Clickable text in a row; `action` is its action: "again", "password", "pair" or "fold"."""

    action: str
    text: str


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """Values of a row of the document list.

    state is "waiting", "reading", "ready", "doubtful", "problem" or "locked", of a class list "roster", of a
    heading above its `members` "folded" or "unfolded"; side is "left", "right" or None; detail is the second
    line, or the reason of a problem; tooltip is plain text; whole_page is whether all of a web page was read,
    None if that makes no difference. doubt is why a text is doubtful, remark a change of its file.
    duplicate_of is the id of an earlier document with the same file or text, duplicate_text its description.
    shared is the length of the beginning and end common to most names. role is that of the document,
    is_chosen whether the user chose it; essay is the id of the document that counts instead of a draft, place
    the folder or archive that earlier work comes from. fold is the offer to show or hide drafts, again an
    unusual one to read a file again.
    """

    id: int
    name: str
    state: str
    detail: str
    side: str | None
    tooltip: str
    whole_page: bool | None = None
    doubt: str = ""
    remark: str = ""
    has_changed: bool = False
    duplicate_of: int | None = None
    duplicate_text: str = ""
    shared: tuple[int, int] = (0, 0)
    role: DocumentRole = DocumentRole.CURRENT
    is_chosen: bool = False
    essay: int | None = None
    place: str = ""
    fold: str = ""
    again: str = ""
    members: tuple[int, ...] = ()

    @property
    def is_heading(self) -> bool:
        """True for a heading above earlier work."""
        return bool(self.members)

    @property
    def is_document(self) -> bool:
        """True for a document, false for a heading or class list."""
        return not self.is_heading and self.state != "roster"

    @property
    def is_aside(self) -> bool:
        """True if it is not an essay of the class: a draft, template, earlier work or class list."""
        return self.role is not DocumentRole.CURRENT or self.state == "roster"

    @property
    def badge(self) -> str:
        """Name of the role of a document that is not an essay of the class.

        Other files of a student are drafts, but not those that are not read or say what they are equal to.
        """
        if not self.is_aside or self.is_heading:
            return ""
        is_other_file = self.role is DocumentRole.DRAFT and not self.is_chosen
        if is_other_file and (self.has_failed or self.duplicate_of is not None):
            return ""
        return _("Class list") if self.state == "roster" else role_name(self.role)

    @property
    def has_text(self) -> bool:
        """True if the document was read and can be compared."""
        return self.state in {"ready", "doubtful"}

    @property
    def has_failed(self) -> bool:
        """True if there is no text to compare, but reading can be repeated."""
        return self.state in {"problem", "locked"}

    @property
    def can_be_read_again(self) -> bool:
        """True if reading the file again may give another result."""
        return self.has_failed or self.has_changed

    @property
    def offers(self) -> tuple[Offer, ...]:
        """Actions for a failed document, a changed file and a duplicate."""
        offers = []
        if self.state == "problem":
            offers.append(Offer("again", self.again or _("Try again")))
        if self.state == "locked":
            offers.append(Offer("password", _("Enter password…")))
        if self.has_changed:
            offers.append(Offer("again", _("Read again")))
        if self.duplicate_of is not None:
            offers.append(Offer("pair", self.duplicate_text))
        if self.fold:
            offers.append(Offer("fold", self.fold))
        return tuple(offers)


class DocumentListModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[DocumentRow] = []

    @property
    def ids(self) -> list[int]:
        return [row.id for row in self._rows]

    def row_of(self, id_: int) -> DocumentRow:
        return next(row for row in self._rows if row.id == id_)

    def row_on(self, side: str) -> DocumentRow | None:
        return next((row for row in self._rows if row.side == side), None)

    def replace(self, rows: Sequence[DocumentRow]) -> None:
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def update(self, rows: Sequence[DocumentRow]) -> None:
        changed = [number for number, row in enumerate(rows) if row != self._rows[number]]
        self._rows = list(rows)
        for number in changed:
            self.dataChanged.emit(self.index(number), self.index(number))

    def rowCount(self, parent: AnyIndex = _NONE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return as_tooltip(row.tooltip)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _accessible_text(row)
        return None


def by_name(rows: Sequence[DocumentRow]) -> list[DocumentRow]:
    return sorted(rows, key=lambda row: name_order(row.name))


def badge_letter(side: str) -> str:
    return _("L") if side == "left" else _("R")


def badge_rect(row: QRect, side: str, side_px: int, own: str | None = None) -> QRect:
    """Return the rectangle of a side's badge in a row with `side_px` of margin at its right.

    own: side of the row, whose badge is the outer one, so that the badges of all rows are below each other.
    """
    width_px, height_px = scaled(BADGE_PX), scaled(_BADGE_HEIGHT_PX)
    from_right = width_px if side == (own or "right") else 2 * width_px + GRID_PX
    return QRect(row.right() + 1 - side_px - from_right, row.top() + 2 * GRID_PX, width_px, height_px)


def _accessible_text(row: DocumentRow) -> str:
    sides = {"left": _("on the left"), "right": _("on the right")}
    states = {"problem": _("not read"), "locked": _("locked"), "doubtful": _("to check")}
    side = sides[row.side] if row.side else ""
    folded = {"folded": _("folded"), "unfolded": _("unfolded")}
    state = states.get(row.state, "") or folded.get(row.state, "")
    details = (row.doubt, row.detail, row.remark, row.duplicate_text, row.fold)
    parts = (row.name, row.badge, state, *details, side)
    return ", ".join(part for part in parts if part)


def texts_of(prepared_document: PreparedDocument) -> DocumentTexts:
    document = prepared_document.document
    parts = [units_count(prepared_document)]
    if document.receipt.dropped:
        count = sum(dropped.characters for dropped in document.receipt.dropped)
        parts.append(_("{count} left out").format(count=f"{count:,}"))
    if document.title not in document.path.stem:  # or it only repeats the name
        parts.append(escape_invisible(document.title))
    doubts = (flag for flag in document.receipt.flags if flag.doubtful)
    places = "\n".join(escape_invisible(flag_in_words(flag)) for flag in doubts)
    tip = "\n".join(filter(None, (places, doubts_meaning(document.receipt))))
    return " · ".join(parts), doubts_summary(document.receipt), tip


def reading_words(entry: DocumentEntry, is_under_way: bool, is_by_meaning: bool) -> str:
    if entry.recognised_pages is not None:
        done, total = entry.recognised_pages
        words = _("recognising page {number} of {total}")
        return words.format(number=f"{min(done + 1, total):,}", total=f"{total:,}")
    if not is_under_way:
        return _("waiting…")
    is_encoded = is_by_meaning and entry.saved_document is not None and not entry.saved_meanings
    return _("analysing meaning…") if is_encoded else _("reading…")


def source_in_words(entry: DocumentEntry) -> str:
    if entry.pasted is not None:
        return _("Pasted text, not from a file.")
    return escape_invisible(str(entry.path))


def tried_in_words(entry: DocumentEntry) -> list[str]:
    """List what was tried with a file that could not be read, a sentence each."""
    values = entry.error.values if entry.error is not None else {}
    lines = [_("Looked for at {path}.").format(path=source_in_words(entry))] if entry.pasted is None else []
    if "kind" in values:
        words = _("Read by its content, not by its file name: {format}.")
        lines.append(words.format(format=format_in_words(str(values["kind"]))))
    rescue = _RESCUES.get(str(values.get("rescue")))
    if rescue is not None:
        lines.append(_(rescue))
    if entry.options.password:
        lines.append(_("Opened with your password."))
    if entry.options.whole_page:
        lines.append(_("The whole page was read, not only the article."))
    if entry.took_long:
        lines.append(_("Reading took {time}.").format(time=seconds_in_words(entry.reading_seconds or 0.0)))
    return lines


_MOST_LINES = {"problem": 6, "locked": 6}
_INDENTATION_PX = 4 * GRID_PX
_MOST_LINES_OF_DOUBT = _MOST_BRIEF_LINES = 2
_ICON_PX = 3 * GRID_PX
_DETAIL_SCALE = 0.92
_StateFlag = QStyle.StateFlag


class DocumentRowPainter(QStyledItemDelegate):
    """Paints a row and its badges; that of a side is visible if active, or on the hovered or selected row."""

    side_clicked = Signal(int, str)
    heading_clicked = Signal(int)
    offer_clicked = Signal(int, str)
    row_double_clicked = Signal(int)
    is_brief = False
    """Whether the reason of a problem has two lines at most; the tool tip says all."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self._measured: tuple[QFont, int] | None = None
        self._locked_icon, self._doubt_icon = icon("lock", "caution"), icon("warning", "caution")
        self._fold_icons = {"folded": icon("unfold", "muted"), "unfolded": icon("fold", "muted")}

    # --- measures

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        row: DocumentRow = index.data(ROW_ROLE)
        # called for every row whenever one has changed, so only texts of several lines are wrapped
        lines = len(self._detail_lines(row, option.font)) if row.state in _MOST_LINES else 1
        lines += len(self._doubt_lines(row, option.font)) + bool(row.remark)
        offers = len(row.offers)
        gap = GRID_PX if offers else 0
        lines_height = self._line_height(option.font) * (lines + offers)
        return QSize(0, option.fontMetrics.height() + lines_height + gap + 5 * GRID_PX)

    def _line_height(self, font: QFont) -> int:
        """Height of a line below the name, measured once per font, as hundreds of rows need it."""
        if self._measured is None or self._measured[0] != font:
            self._measured = QFont(font), QFontMetrics(_detail_font(font)).lineSpacing()
        return self._measured[1]

    def _inner_width(self, row: DocumentRow) -> int:
        return self._view.viewport().width() - 2 * SIDE_PX - _indentation_px(row)

    def _detail_lines(self, row: DocumentRow, font: QFont) -> tuple[str, ...]:
        """Wrap the reason of a problem; elide any other detail."""
        small = _detail_font(font)
        width = self._inner_width(row) - _role_px(row, QFontMetrics(small))
        most = _MOST_LINES.get(row.state, 1)
        return wrapped(row.detail, small, width, min(most, _MOST_BRIEF_LINES) if self.is_brief else most)

    def _doubt_lines(self, row: DocumentRow, font: QFont) -> tuple[str, ...]:
        if not row.doubt:
            return ()
        return wrapped(
            row.doubt, _detail_font(font), self._inner_width(row) - _icon_space_px(), _MOST_LINES_OF_DOUBT
        )

    # --- painting

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.save()
        row: DocumentRow = index.data(ROW_ROLE)
        if row.side:
            painter.fillRect(option.rect, QColor(current_theme().accent_tint))
        chosen = current_theme().accent_tint if row.side else current_theme().background
        paint_row_ground(painter, option, chosen)
        left = SIDE_PX + _indentation_px(row)
        inner = option.rect.adjusted(left, 2 * GRID_PX, -SIDE_PX, -2 * GRID_PX)
        painter.setFont(option.font)
        is_active = bool(option.state & (_StateFlag.State_MouseOver | _StateFlag.State_Selected))
        self._paint_name(painter, inner, row, is_active)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for side in SIDES:
            if row.side == side or (is_active and row.has_text):
                place = badge_rect(option.rect, side, SIDE_PX, row.side)
                self._paint_badge(painter, place, side, row.side == side)
        self._paint_lines(painter, inner, row)
        self._paint_offers(painter, option, row)
        painter.restore()

    def _paint_name(self, painter: QPainter, inner: QRect, row: DocumentRow, is_active: bool) -> None:
        width = inner.width() - _badges_px(row, is_active)
        if row.state == "problem":
            painter.setPen(QColor(current_theme().danger))
            painter.drawText(inner, Qt.AlignmentFlag.AlignRight, "!")
            width -= 4 * GRID_PX
        elif row.state == "locked":
            corner = _corner(inner)
            self._locked_icon.paint(painter, corner)
            painter.setPen(QColor(current_theme().ink))
            width -= _icon_space_px()
        else:
            if row.is_heading:
                width -= _icon_space_px()
                corner = _corner(inner)
                self._fold_icons[row.state].paint(painter, corner)
            is_quiet = row.state == "waiting" or (row.is_aside and not row.is_heading)
            painter.setPen(QColor(current_theme().muted if is_quiet else current_theme().ink))
        width -= extra_px(painter.font(), row.name)
        name = elided_name(painter.fontMetrics(), row.name, width, row.shared)
        draw_name(painter, inner, Qt.AlignmentFlag.AlignLeft, name)

    def _paint_lines(self, painter: QPainter, inner: QRect, row: DocumentRow) -> None:
        details, doubts = self._detail_lines(row, painter.font()), self._doubt_lines(row, painter.font())
        top = inner.top() + painter.fontMetrics().height() + GRID_PX
        painter.setFont(_detail_font(painter.font()))
        metrics = painter.fontMetrics()
        place = QPoint(inner.left(), top + metrics.ascent())
        step = QPoint(0, metrics.lineSpacing())
        painter.setPen(QColor(current_theme().muted))
        if row.badge:
            self._paint_role(painter, QPoint(place.x(), place.y() - metrics.ascent()), row.badge)
        beside_role = QPoint(_role_px(row, metrics), 0)
        for line in details:
            corner = place + beside_role - QPoint(0, metrics.ascent())
            box = QRect(corner, QSize(inner.width(), metrics.height()))
            draw_name(painter, box, Qt.AlignmentFlag.AlignLeft, line)
            place += step
        painter.setPen(QColor(current_theme().caution))
        if doubts:
            sign_top = place.y() - metrics.ascent() + (metrics.height() - scaled(_ICON_PX)) // 2
            self._doubt_icon.paint(painter, QRect(inner.left(), sign_top, scaled(_ICON_PX), scaled(_ICON_PX)))
        for line in doubts:
            painter.drawText(place + QPoint(_icon_space_px(), 0), line)
            place += step
        painter.drawText(place, metrics.elidedText(row.remark, Qt.TextElideMode.ElideRight, inner.width()))

    def _paint_role(self, painter: QPainter, place: QPoint, words: str) -> None:
        metrics = painter.fontMetrics()
        size = QSize(metrics.horizontalAdvance(words) + 2 * GRID_PX, metrics.height())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame, ink = QRect(place, size), painter.pen()
        painter.setPen(QColor(current_theme().line))
        painter.setBrush(QColor(current_theme().raised))
        painter.drawRoundedRect(QRectF(frame).adjusted(0.5, 0.5, -0.5, -0.5), GRID_PX, GRID_PX)
        painter.setPen(ink)
        painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_offers(self, painter: QPainter, option: QStyleOptionViewItem, row: DocumentRow) -> None:
        font = _detail_font(option.font)
        font.setUnderline(True)
        painter.setFont(font)
        painter.setPen(QColor(current_theme().accent))
        for number, offer in enumerate(row.offers):
            place = offer_rect(option.rect, row, option.font, number)
            place.setWidth(self._inner_width(row))
            words = painter.fontMetrics().elidedText(offer.text, Qt.TextElideMode.ElideRight, place.width())
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft, words)

    def _paint_badge(self, painter: QPainter, rect: QRect, side: str, active: bool) -> None:
        theme = current_theme()
        painter.setPen(QPen(QColor(theme.accent if active else theme.muted), 1))
        painter.setBrush(QColor(theme.accent if active else theme.surface))
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), GRID_PX, GRID_PX)
        painter.setPen(QColor(theme.accent_ink if active else theme.muted))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, badge_letter(side))

    # --- mouse

    def _side_at(self, point: QPoint, rect: QRect, row: DocumentRow) -> str | None:
        if not row.has_text:
            return None
        places = {side: badge_rect(rect, side, SIDE_PX, row.side) for side in SIDES}
        return next((side for side, place in places.items() if place.contains(point)), None)

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        if not isinstance(event, QMouseEvent) or event.button() is not Qt.MouseButton.LeftButton:
            return False
        row: DocumentRow = index.data(ROW_ROLE)
        point = event.position().toPoint()
        side = self._side_at(point, option.rect, row)
        offer = _offer_at(point, option, row)
        if row.is_heading and event.type() == QEvent.Type.MouseButtonPress:
            self.heading_clicked.emit(row.id)
        released = event.type() == QEvent.Type.MouseButtonRelease
        if side is not None and released:
            self.side_clicked.emit(row.id, side)
        elif offer is not None and released:
            self.offer_clicked.emit(row.id, offer.action)
        elif (
            side is None
            and offer is None
            and not row.is_heading
            and event.type() == QEvent.Type.MouseButtonDblClick
        ):
            self.row_double_clicked.emit(row.id)
        return side is not None or offer is not None

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        row = index.data(ROW_ROLE)
        side = self._side_at(event.pos(), option.rect, row) if row else None
        if side is None:
            return super().helpEvent(event, view, option, index)
        tips = {"left": _("Show on the left (Ctrl+L)"), "right": _("Show on the right (Ctrl+R)")}
        QToolTip.showText(event.globalPos(), tips[side], view)
        return True


def _corner(inner: QRect) -> QRect:
    """Place of a sign at the right of a name."""
    side_px = scaled(_ICON_PX)
    return QRect(inner.right() - side_px, inner.top() + GRID_PX // 2, side_px, side_px)


def _icon_space_px() -> int:
    """Width of a sign with the space beside it."""
    return scaled(_ICON_PX) + GRID_PX


def _indentation_px(row: DocumentRow) -> int:
    """Indentation of a document below an essay or heading."""
    is_below = row.essay is not None or (bool(row.place) and not row.is_heading)
    return _INDENTATION_PX if is_below else 0


def _role_px(row: DocumentRow, metrics: QFontMetrics) -> int:
    return metrics.horizontalAdvance(row.badge) + 4 * GRID_PX if row.badge else 0


def _badges_px(row: DocumentRow, is_active: bool) -> int:
    count = len(SIDES) if is_active and row.has_text else int(row.side is not None)
    return count * (scaled(BADGE_PX) + GRID_PX)


def offer_rect(row_rect: QRect, row: DocumentRow, font: QFont, number: int = 0) -> QRect:
    """Rectangle of an offer; offers are the last lines of their row."""
    metrics = QFontMetrics(_detail_font(font))
    below = len(row.offers) - 1 - number
    bottom = row_rect.bottom() + 1 - 2 * GRID_PX - below * metrics.lineSpacing()
    width = min(metrics.horizontalAdvance(row.offers[number].text), row_rect.width() - 2 * SIDE_PX)
    size = QSize(width, metrics.lineSpacing())
    return QRect(QPoint(row_rect.left() + SIDE_PX + _indentation_px(row), bottom - size.height()), size)


def _offer_at(point: QPoint, option: QStyleOptionViewItem, row: DocumentRow) -> Offer | None:
    offers = enumerate(row.offers)
    return next(
        (
            offer
            for number, offer in offers
            if offer_rect(option.rect, row, option.font, number).contains(point)
        ),
        None,
    )


def _detail_font(font: QFont) -> QFont:
    small = QFont(font)
    small.setPointSizeF(font.pointSizeF() * _DETAIL_SCALE)
    return small
