"""Left column: documents above, passages of the chosen pair below."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.errors import NotAnEssayError
from simcompare.session.school_class import DocumentRole, Roster
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_, _
from simcompare.ui.compare.matches.passage_list import PassageList
from simcompare.ui.documents.class_files import roster_in_words
from simcompare.ui.documents.document_list import DocumentList, DocumentRow, places_of
from simcompare.ui.documents.document_rows import (
    REMARKS,
    DocumentTexts,
    reading_words,
    source_in_words,
    texts_of,
)
from simcompare.ui.state.changes import ComparisonPart, follow_parts
from simcompare.ui.state.cohort.class_state import ClassPart
from simcompare.ui.state.document_entry import DocumentEntry, Duplicate, FileState, find_duplicates
from simcompare.ui.state.document_listing import DocumentName, Side
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.layouts import column_of, row_of, tool_button
from simcompare.ui.style.theme import APPEARANCE, GRID_PX, follow_theme, icon, scaled

_NARROW_PX = 240 * GRID_PX
"""Width of a window, at the usual text size, that has space for sidebar and page."""


class SidebarFolding(QObject):
    """Shows the sidebar if there are documents; in a narrow window only when asked for."""

    def __init__(
        self,
        window: QWidget,
        sidebar: QWidget,
        switch: QWidget,
        put_back: Callable[[QWidget], object],
        place: QWidget,
    ) -> None:
        """switch: chooses the page; put_back: puts it into the sidebar; place: for it in a narrow window."""
        super().__init__(window)
        self._window, self._sidebar, self._switch, self._put_back = window, sidebar, switch, put_back
        self._is_narrow = self._has_documents = False
        tip = N_("Show or hide the documents, and the passages of a pair")
        self.button = tool_button(icon("contents"), "barButton", N_("Documents"), tip)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.button.setCheckable(True)
        self.button.toggled.connect(self._show)
        self._place, self._row = place, row_of(place, self.button, spacing_px=2 * GRID_PX)
        window.installEventFilter(self)
        follow_theme(self._fit)

    def show_documents(self, has_documents: bool) -> None:
        self._has_documents = has_documents
        self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        is_narrow = APPEARANCE.is_cramped and self._window.width() < scaled(_NARROW_PX)
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            if is_narrow:
                self._switch.setContentsMargins(0, 0, 0, 0)
                self._row.addWidget(self._switch)
            else:
                self._put_back(self._switch)
            self._show()

    def _show(self) -> None:
        is_narrow, has_documents = self._is_narrow, self._has_documents
        self._place.setVisible(is_narrow and has_documents)
        self._sidebar.setVisible(has_documents and (not is_narrow or self.button.isChecked()))


_MINIMUM_WIDTH_PX = 55 * GRID_PX
_MOST_OF_DOCUMENTS = 1 / 3
"""Largest share of the column that the documents get beside the passages."""
_FIRST_ROSTER_ID = -1_000_000
"""Id of the row of the first class list; further ones and headings have other negative ids."""


class _SidebarSplitter(QSplitter):
    """Gives the documents what they need up to a third, and the passages the rest, until the user decides.

    The border does not depend on the number of passages, so that it stays from pair to pair.
    """

    def __init__(self, documents: DocumentList, passages: PassageList) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setObjectName("halves")
        self._documents = documents
        self._was_moved = False
        self.addWidget(documents)
        self.addWidget(passages)
        self.setChildrenCollapsible(False)
        self.splitterMoved.connect(self._remember_move)

    def _remember_move(self) -> None:
        self._was_moved = True

    def distribute_height(self) -> None:
        """Give the documents what they need, at most their share of the column, and the passages the rest."""
        available = self.height() - self.handleWidth()
        if not self._was_moved and available > 0:
            column = self.parentWidget() or self  # notices at its foot move no border
            most = round(column.height() * _MOST_OF_DOCUMENTS)
            documents_height = min(self._documents.wanted_height(), most)
            self.setSizes([documents_height, available - documents_height])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.distribute_height()


class Sidebar(QWidget):
    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self._tags_sides = False
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace = workspace
        self._details: dict[PreparedDocument, DocumentTexts] = {}
        self._is_pair_new = False
        self.documents, self.passages = DocumentList(), PassageList(workspace)
        self._halves = _SidebarSplitter(self.documents, self.passages)
        self._column = column_of(self, self._halves)
        self.documents.side_chosen.connect(lambda key, side: workspace.documents.choose(Side(side), key))
        self.documents.remove_requested.connect(self._remove)
        self.documents.role_chosen.connect(workspace.class_state.set_role)
        self.documents.essay_requested.connect(
            lambda id_: workspace.class_state.read_as_essay(self.roster_of(id_).path)
        )
        self.documents.reading_again_requested.connect(workspace.documents.read_again)
        self.documents.pair_requested.connect(workspace.documents.choose_pair)
        self.documents.whole_page_requested.connect(
            lambda keys, whole: workspace.documents.read_again(keys, whole_page=whole)
        )
        workspace.documents_changed.connect(self._show_documents)
        follow_parts(self, workspace.class_state.changed, ClassPart.STUDENTS, self._show_documents)
        workspace.documents.pair_chosen.connect(self._expect_new_pair)
        workspace.comparison_changed.connect(self._show_comparison)
        follow_theme(self._fit_width)
        follow_language(self._retranslate)

    def _fit_width(self) -> None:
        """Set the least width; where space is scarce that of the parts, so that none is cut off."""
        self.setMinimumWidth(0 if APPEARANCE.is_cramped else _MINIMUM_WIDTH_PX)

    def show_sides(self, are_shown: bool) -> None:
        """Mark the documents on the left and on the right; otherwise only those that the user chose."""
        self.documents.show_brief(are_shown)
        wanted = are_shown or self._workspace.documents.sides_were_chosen
        if wanted != self._tags_sides:
            self._tags_sides = wanted
            self._show_documents()

    def put_above(self, widget: QWidget) -> None:
        widget.setContentsMargins(3 * GRID_PX, 3 * GRID_PX, 3 * GRID_PX, 0)
        self._column.insertWidget(0, widget)

    def roster_of(self, id_: int) -> Roster:
        return self._workspace.class_state.rosters[_FIRST_ROSTER_ID - id_]

    def _remove(self, ids: Iterable[int]) -> None:
        chosen = list(ids)
        lists = [self.roster_of(id_) for id_ in chosen if id_ <= _FIRST_ROSTER_ID]
        self._workspace.documents.remove(id_ for id_ in chosen if id_ > 0)
        for roster in lists:
            self._workspace.class_state.remove_roster(roster.path)

    def _show_documents(self) -> None:
        documents = self._workspace.documents
        sides = documents.sides
        tags = {key: side.value for side, key in sides.items()} if self._tags_sides else {}
        entries = documents.entries.values()
        # computed from the whole text, so once per text and not for each document that arrives
        self._details = {
            e.prepared_document: self._details.get(e.prepared_document) or texts_of(e.prepared_document)
            for e in entries
            if e.prepared_document is not None
        }
        # computed once for all: per row it takes long with hundreds of documents
        names, duplicates, under_way = documents.names, find_duplicates(entries), documents.under_way
        places = self._places()
        rows = [
            self._with_role(
                self._row_of(e, names[e.key], tags.get(e.key), duplicates.get(e.key), e.key in under_way),
                places,
            )
            for e in entries
        ]
        self.documents.set_rows([*rows, *self._roster_rows()])
        if len(sides) < len(Side):
            self._halves.distribute_height()
        self._scroll_to_pair()

    def _row_of(
        self,
        entry: DocumentEntry,
        named: DocumentName,
        side: str | None,
        duplicate: Duplicate | None,
        is_under_way: bool,
    ) -> DocumentRow:
        name, shared, where = named.text, named.shared, source_in_words(entry)
        if entry.pending_options is not None:
            state = "reading" if is_under_way else "waiting"
            words = reading_words(entry, is_under_way, self._workspace.is_by_meaning)
            return DocumentRow(entry.key, name, state, words, side, where, shared=shared)
        if entry.error is not None:
            state, reason = "locked" if entry.is_locked else "problem", str(entry.error)
            is_text = isinstance(entry.error, NotAnEssayError) and "kind" not in entry.error.values
            again, tip = _("Compare it anyway") if is_text else "", f"{where}\n{reason}"
            return DocumentRow(entry.key, name, state, reason, side, tip, shared=shared, again=again)
        assert entry.prepared_document is not None, "what is neither read nor being read has an error"
        detail, doubt, tip = self._details[entry.prepared_document]
        whole = entry.options.whole_page
        return DocumentRow(
            entry.key,
            name,
            "doubtful" if entry.is_doubtful else "ready",
            detail,
            side,
            "\n".join(filter(None, (where, tip))),
            whole if whole or entry.is_part_of_page else None,
            doubt=doubt,
            remark=REMARKS[entry.file_state] and _(REMARKS[entry.file_state]),
            has_changed=entry.file_state is FileState.CHANGED,
            duplicate_of=duplicate.key if duplicate else None,
            duplicate_text=self._duplicate_text(duplicate) if duplicate else "",
            shared=shared,
        )

    def _places(self) -> dict[int, str]:
        role_of, entries = self._workspace.class_state.role_of, self._workspace.documents.entries
        return places_of(
            {key: entry.path for key, entry in entries.items() if role_of(key) is DocumentRole.OLD}
        )

    def _with_role(self, row: DocumentRow, places: Mapping[int, str]) -> DocumentRow:
        state = self._workspace.class_state
        role, student = state.role_of(row.id), state.student_of(row.id)
        is_chosen = row.id in state.chosen_roles
        if role is DocumentRole.CURRENT and not is_chosen:
            return row
        is_draft = role is DocumentRole.DRAFT and student is not None and student.current != row.id
        return replace(
            row,
            role=role,
            is_chosen=is_chosen,
            essay=student.current if is_draft and student is not None else None,
            place=places.get(row.id, ""),
        )

    def _roster_rows(self) -> list[DocumentRow]:
        state = self._workspace.class_state
        return [
            DocumentRow(
                _FIRST_ROSTER_ID - number,
                escape_invisible(roster.path.name),
                "roster",
                roster_in_words(roster, state.school.missing),
                None,
                escape_invisible(str(roster.path)),
            )
            for number, roster in enumerate(state.rosters)
        ]

    def _duplicate_text(self, duplicate: Duplicate) -> str:
        name = self._workspace.documents.name_of(duplicate.key)
        words = _("same file as {name}") if duplicate.same_file else _("same text as {name}")
        return words.format(name=name)

    def _show_comparison(self, changed: ComparisonPart) -> None:
        # without a comparison another one follows soon
        if ComparisonPart.MATCHES in changed and self._workspace.comparison is not None:
            self._halves.distribute_height()
            self._scroll_to_pair()

    def _expect_new_pair(self) -> None:
        self._is_pair_new = True

    def _scroll_to_pair(self) -> None:
        """Scroll to the documents of a newly opened pair, once the list has its final height."""
        documents, comparison = self._workspace.documents, self._workspace.comparison
        if not self._is_pair_new or comparison is None:
            return
        chosen = [entry.prepared_document if entry else None for entry in map(documents.entry_on, Side)]
        if chosen == [comparison.left, comparison.right]:
            self._is_pair_new = False
            self.documents.bring_to(documents.sides.values())

    def _retranslate(self) -> None:
        self._details.clear()
        self._show_documents()
