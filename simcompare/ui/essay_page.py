"""Page of one essay: its text with the stretches of each source in a colour, and the list of sources."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontInfo, QPainter, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QSplitter,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTextBrowser,
    QWidget,
)

from simcompare.model.document import Span
from simcompare.model.progress import no_tick, stoppable
from simcompare.report.html_report import labels
from simcompare.report.student_report import (
    SOURCE_LOOKS,
    EssayCheck,
    EssaySources,
    SourceRow,
    StudentView,
    essay_sources,
    essay_text,
    source_rules,
    student_title,
    student_view,
)
from simcompare.support.i18n import N_, _, joined_sentences
from simcompare.ui.access.rows_table import NO_FIGURE, Column, RowsTable
from simcompare.ui.export.workspace_sources import ClassSnapshot, class_snapshot
from simcompare.ui.library.stored_view import FoundRow
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.state.task import Background
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.layouts import FocusFrame, column_of, push_button, row_of
from simcompare.ui.style.text_labels import ElidedLabel, MutedLabel, WrappedLabel
from simcompare.ui.style.theme import (
    FONT_FAMILIES,
    GRID_PX,
    LATIN_FIRST_FAMILIES,
    current_theme,
    follow_theme,
    on_surface,
    scaled,
)

if TYPE_CHECKING:
    from simcompare.library.search.search import LibraryHit


_UPDATE_DELAY_MS = 500
_MOST_CHARACTERS = 100_000
"""Of a text that is shown at once: 90,000 take 60 ms, 20,000 take 12 ms."""
_TEXT_PX, _LIST_PX, _TEXT_MARGIN_PX = 720, 380, 7 * GRID_PX
_TEXT_POINTS = 12.0


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the list: the source, and what a click opens."""

    source: SourceRow
    open: Callable[[], object]


class _NumberPainter(QStyledItemDelegate):
    """Paints the number of a source on its colour."""

    def __init__(self, table: "RowsTable[_Row]") -> None:
        super().__init__(table)
        self._table = table

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        source = self._table.model_of_rows.rows[index.row()].source
        if source.tone:
            look = SOURCE_LOOKS[current_theme().name][source.tone - 1]
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(look.tint))
            box = QRectF(option.rect).adjusted(GRID_PX, GRID_PX, -GRID_PX, -GRID_PX)
            painter.drawRoundedRect(box, GRID_PX, GRID_PX)
            painter.setPen(QColor(look.ink))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{source.number}")
            painter.restore()


class EssayPage(QWidget):
    """Shows an essay with all its sources; a stretch or a source opens the pair in Compare at that place.

    opened: a pair was opened in Compare. hit_requested: open the hit of the library beside the essay.
    """

    opened = Signal()
    hit_requested = Signal(object)
    left = Signal()
    changed = Signal()

    def __init__(self, workspace: Workspace, hits_of: "Callable[[int | None], Sequence[LibraryHit]]") -> None:
        super().__init__()
        self._workspace, self._hits_of = workspace, hits_of
        self.key = 0
        self._keys: Sequence[int] = ()
        self._hits: Sequence[LibraryHit] = ()
        self._found: tuple[EssayCheck, EssaySources] | None = None
        self._background = Background(self)
        self._update_delay = QTimer(self, singleShot=True, interval=_UPDATE_DELAY_MS)
        self._update_delay.timeout.connect(self._begin)
        back_tip = N_("Back to the class (Alt+←)")
        self.back_button = push_button(lambda: f"‹ {_('Class')}", self.left, back_tip, look="statusLink")
        self.title, self.share = ElidedLabel(), QLabel()
        self.title.setObjectName("panelTitle")
        self.share.setObjectName("share")
        self.report_button = push_button(N_("Report…"), tip=N_("Save this page as HTML or PDF"))
        self.result, self.meaning, self.remarks = WrappedLabel(), MutedLabel(), MutedLabel()
        self.text = translated(QTextBrowser(), accessibleName=N_("The essay"))
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(_TEXT_MARGIN_PX)
        FocusFrame(self.text)
        self.table = RowsTable[_Row](_COLUMNS, lambda row: row.source)
        translated(self.table, accessibleName=N_("Sources"))
        self.table.setItemDelegateForColumn(0, _NumberPainter(self.table))
        aside, halves = QWidget(), QSplitter(Qt.Orientation.Horizontal)
        about = (self.result, (self.table, 1), self.remarks, self.meaning)
        column_of(aside, *about, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 3)
        for part, width_px in ((self.text, _TEXT_PX), (aside, _LIST_PX)):
            halves.addWidget(part)
            halves.setStretchFactor(halves.indexOf(part), width_px)
        halves.setSizes([_TEXT_PX, _LIST_PX])
        halves.setChildrenCollapsible(False)
        above = (self.back_button, (self.title, 1), self.share, self.report_button)
        head = row_of(None, *above, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 3)
        column_of(self, head, (halves, 1))
        on_surface(self)
        self.text.anchorClicked.connect(self._open_stretch)
        self.table.clicked.connect(lambda _index: self._open_row())
        self.table.opened.connect(self._open_row)
        shares = workspace.library_shares.changed
        for signal in (
            workspace.class_state.changed,
            workspace.review.changed,
            workspace.documents_changed,
            shares,
        ):
            signal.connect(self._update_soon)
        follow_theme(self._show)
        follow_language(self._show)

    def show_essay(self, key: int) -> None:
        """Show the document with a key, once its sources are found."""
        if key != self.key:
            self.key, self._found = key, None
            self._show()
        self._begin()

    def stop(self) -> None:
        """Stop the work in the background."""
        self._update_delay.stop()
        self._background.close()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.table.setFocus(event.reason())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._found is not None:
            self._update_soon()

    # --- contents

    def _update_soon(self) -> None:
        if self.isVisible() and not self._update_delay.isActive():
            self._update_delay.start()

    def _begin(self) -> None:
        """Find the sources as the class is now; what is shown stays until then."""
        self._update_delay.stop()
        self._background.cancel()
        snapshot = class_snapshot(self._workspace)
        if self.key not in snapshot.prepared_documents:
            if self.isVisible():
                self.left.emit()
            return
        hits, stop = self._hits_of(self.key), Event()
        work = partial(_find, snapshot, self.key, hits, stop)
        use = partial(self._use, list(snapshot.prepared_documents), hits)
        self._background.start(work, use, stop=stop)

    def _use(
        self, keys: Sequence[int], hits: "Sequence[LibraryHit]", found: tuple[EssayCheck, EssaySources]
    ) -> None:
        self._keys, self._hits, self._found = keys, hits, found
        self._show()

    def _show(self) -> None:
        """Show what was found, in the current language and the colours of the theme."""
        if self._found is None:
            for part in (self.title, self.share, self.result, self.remarks, self.meaning):
                part.setText("")
            self.table.show_rows([])
            self.text.setPlainText(_("Looking for the sources of this essay…"))
            return
        essay, found = self._found
        view, words = student_view(essay, found), labels("student_report")
        self.title.setText(student_title(view.name))
        self.share.setText(view.share)
        self.result.setText(joined_sentences([view.result, *view.remarks]))
        self.remarks.setText(words["library_hint"] if view.library else "")
        self.remarks.setVisible(bool(view.library))
        self.meaning.setText(f"{words['also']}\n{words['meaning']}")
        self.table.show_rows(list(self._rows(view, found)))
        if len(essay.document.document.text) > _MOST_CHARACTERS:
            self.text.setPlainText(_("This essay is too long to be shown here. Its report shows it in full."))
        else:
            scrolled, bar = self.text.verticalScrollBar().value(), self.text.verticalScrollBar()
            self._dress(is_chinese=view.language == "zh")
            self.text.setHtml(essay_text(view))
            bar.setValue(scrolled)
        self.changed.emit()

    def _dress(self, *, is_chinese: bool) -> None:
        theme, document = current_theme(), self.text.document()
        font = QFont(list(FONT_FAMILIES if is_chinese else LATIN_FIRST_FAMILIES))
        font.setPointSizeF(_TEXT_POINTS * scaled(100) / 100)
        indent_px = 2 * QFontInfo(font).pixelSize() if is_chinese else 0
        document.setDefaultFont(font)
        text = f"color: {theme.ink}; line-height: 150%; margin: 0 0 {3 * GRID_PX}px 0; white-space: pre-wrap"
        rules = (
            f"p {{ {text}; }}",
            "p.title { font-weight: 600; text-align: center; }",
            "p.heading, sup { font-weight: 600; }",
            f"p.list_item, p.quotation {{ margin-left: {6 * GRID_PX}px; }}",
            f"p.paragraph {{ text-indent: {indent_px}px; }}",
            f".unseen {{ color: {theme.caution}; font-weight: 700; }}",
            f".look-alike {{ color: {theme.caution}; text-decoration: underline; }}",
            f".muted {{ color: {theme.muted}; }}",
            f"a.stretch {{ color: {theme.ink}; text-decoration: none; }}",
        )
        document.setDefaultStyleSheet("\n".join([source_rules(SOURCE_LOOKS[theme.name]), *rules]))

    def _rows(self, view: StudentView, found: EssaySources) -> Iterator[_Row]:
        for number, (row, source) in enumerate(zip(view.sources, found.sources, strict=True)):
            with_source = (each for each in found.stretches if number in (each.source, *each.also))
            longest = max(with_source, key=lambda each: (each.source == number, len(each.span)))
            yield _Row(row, partial(self._open, source.place, longest.span))
        for row, source in zip(view.fine, found.fine, strict=True):
            yield _Row(row, partial(self._open, source.place, None))
        for (name, _text), rewritten in zip(view.rewritten, found.rewritten, strict=True):
            row = SourceRow(0, 0, name, _("possibly rewritten"), NO_FIGURE, 0.0)
            yield _Row(row, partial(self._open, rewritten.place, rewritten.span))
        for row, hit in zip(view.library, self._hits, strict=True):
            yield _Row(row, partial(self.hit_requested.emit, FoundRow(self.key, view.name, hit)))

    # --- opening pairs

    def _open_row(self) -> None:
        if (row := self.table.current()) is not None:
            row.open()

    def _open_stretch(self, link: QUrl) -> None:
        if self._found is not None:
            _essay, found = self._found
            stretch = found.stretches[int(link.path())]
            self._open(found.sources[stretch.source].place, stretch.span)

    def _open(self, place: int, span: Span | None) -> None:
        """Open the pair with another document at a place of the essay; the sides of an open one stay."""
        documents, pair = self._workspace.documents, (self.key, self._keys[place])
        if (documents.sides.get(Side.LEFT), documents.sides.get(Side.RIGHT)) == pair[::-1]:
            pair = pair[::-1]
        left, right = (entry.prepared_document for key in pair if (entry := documents.entries.get(key)))
        if span is not None and left is not None and right is not None:
            side = Side.LEFT if pair[0] == self.key else Side.RIGHT
            self._workspace.selection.request_place(left, right, side, span.start)
        documents.choose_pair(*pair)
        self.opened.emit()


def _find(
    snapshot: ClassSnapshot, key: int, hits: "Sequence[LibraryHit]", stop: Event
) -> tuple[EssayCheck, EssaySources]:
    tick = stoppable(no_tick, stop)
    essay = snapshot.essay(key, hits)
    return essay, essay_sources(essay, tick)


_COLUMNS = (
    Column[_Row](
        "", lambda row: f"{row.source.number or ''}", None, name=lambda: _("Number"), widest=lambda: ("88",)
    ),
    Column[_Row](
        N_("Source"),
        lambda row: row.source.label,
        None,
        is_stretched=True,
    ),
    Column[_Row](N_("Kind"), lambda row: row.source.role, None, rank=1),
    Column[_Row](N_("Share"), lambda row: row.source.share, None, is_number=True),
)
