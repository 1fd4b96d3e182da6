"""Document list without painting: row values, Qt model, badge geometry, and texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCollator,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    Qt,
)

from simcompare.cohort.class_check import DocumentRole
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.report.receipts import flag_in_words, format_in_words, seconds_in_words
from simcompare.report.wording import units_count
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_, _, current_language
from simcompare.ui.labels import doubts_meaning, doubts_summary, role_name
from simcompare.ui.state.document_entry import DocumentEntry
from simcompare.ui.state.file_watch import FileState
from simcompare.ui.style.appearance import scaled
from simcompare.ui.style.theme import GRID_PX
from simcompare.ui.style.tool_tips import as_tooltip

# ruff: noqa: N802 - Qt names the methods it calls

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
    """Qt model of the documents, in the order given."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[DocumentRow] = []

    @property
    def ids(self) -> list[int]:
        """Ids in the order shown."""
        return [row.id for row in self._rows]

    def row_of(self, id_: int) -> DocumentRow:
        return next(row for row in self._rows if row.id == id_)

    def row_on(self, side: str) -> DocumentRow | None:
        return next((row for row in self._rows if row.side == side), None)

    def replace(self, rows: Sequence[DocumentRow]) -> None:
        """Show other documents."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def update(self, rows: Sequence[DocumentRow]) -> None:
        """Update the values of the same documents."""
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
    """Sort documents by name in the order of the current language, "2" before "10"."""
    collator = QCollator(QLocale(current_language()))
    collator.setNumericMode(True)
    return sorted(rows, key=lambda row: collator.sortKey(row.name))


def badge_letter(side: str) -> str:
    """Return the letter of a side in the current language."""
    return _("L") if side == "left" else _("R")


def badge_rect(row: QRect, side: str, side_px: int) -> QRect:
    """Return the rectangle of a side's badge in a row with `side_px` of margin at its right."""
    width_px, height_px = scaled(BADGE_PX), scaled(_BADGE_HEIGHT_PX)
    from_right = width_px if side == "right" else 2 * width_px + GRID_PX
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
    """Return the texts of a document that was read."""
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


def reading_words(entry: DocumentEntry, is_under_way: bool) -> str:
    """Describe the progress of reading a document."""
    if entry.recognised_pages is not None:
        done, total = entry.recognised_pages
        words = _("recognising page {number} of {total}")
        return words.format(number=f"{min(done + 1, total):,}", total=f"{total:,}")
    return _("reading…") if is_under_way else _("waiting…")


def source_in_words(entry: DocumentEntry) -> str:
    """Describe where a document comes from."""
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
