"""List of documents: their state, their roles, which of them are compared; notices about them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os.path import commonpath
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QMenu, QWidget

from simcompare.session.school_class import DocumentRole
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.compare.matches.passage_rows import ListHeader
from simcompare.ui.documents.document_rows import (
    ROW_ROLE,
    DocumentListModel,
    DocumentRow,
    DocumentRowPainter,
    by_name,
)
from simcompare.ui.labels import (
    escape_menu_text,
    problem_in_words,
    problems_notice,
    role_name,
    slow_files_notice,
)
from simcompare.ui.notice_bar import NoticeBar
from simcompare.ui.state.document_store import Removal, removed_label
from simcompare.ui.state.language import NamedAction, follow_language, translated
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.layouts import FocusFrame, column_of
from simcompare.ui.style.theme import on_surface

_FEWEST_OF_A_YEAR = 3
_ARCHIVE_SUFFIX = ".zip"

Fold = int | str
"""Key of a group that can be folded: id of an essay with other files, or place of earlier work."""


def arranged(rows: Sequence[DocumentRow], unfolded: Collection[Fold]) -> list[DocumentRow]:
    """Return the rows that are visible, in order.

    An essay says how many other files of its student there are; they follow it if they are unfolded. Earlier
    work is below a heading for each place it comes from.
    """
    essays = {row.id for row in rows if not row.is_aside}
    beside: defaultdict[int, list[DocumentRow]] = defaultdict(list)
    earlier: defaultdict[str, list[DocumentRow]] = defaultdict(list)
    first: list[DocumentRow] = []
    last: list[DocumentRow] = []
    for row in rows:
        if row.role is DocumentRole.DRAFT and row.essay in essays:
            beside[row.essay].append(row)
        elif row.role is DocumentRole.OLD:
            earlier[row.place].append(row)
        else:
            (last if row.is_aside else first).append(row)
    shown: list[DocumentRow] = []
    for row in first:
        shown += _with_drafts(row, beside[row.id], is_unfolded=row.id in unfolded)
    shown += sorted(last, key=lambda row: row.role is not DocumentRole.TEMPLATE)
    for number, (place, own) in enumerate(earlier.items(), start=1):
        is_unfolded = place in unfolded
        shown.append(_heading(-number, place, own, is_unfolded=is_unfolded))
        shown += own if is_unfolded else []
    return shown


def _with_drafts(row: DocumentRow, drafts: Sequence[DocumentRow], *, is_unfolded: bool) -> list[DocumentRow]:
    if not drafts:
        return [row]
    count = len(drafts)
    words = ngettext("{count} other file", "{count} other files", count)
    fold = _("Hide {files}").format(files=words) if is_unfolded else _("Show {files}").format(files=words)
    return [replace(row, fold=fold), *(drafts if is_unfolded else ())]


def _heading(id_: int, place: str, rows: Sequence[DocumentRow], *, is_unfolded: bool) -> DocumentRow:
    return DocumentRow(
        id_,
        place,
        "unfolded" if is_unfolded else "folded",
        ngettext("{count} earlier essay", "{count} earlier essays", len(rows)),
        None,
        place,
        role=DocumentRole.OLD,
        place=place,
        members=tuple(row.id for row in rows),
    )


def places_of(paths: Mapping[int, Path]) -> dict[int, str]:
    """Return the name of the folder or archive that each earlier document comes from.

    It is the folder of all of them, or that of a year in it; folders of students hold fewer files.
    """
    if not paths:
        return {}
    try:
        base = Path(commonpath([path.parent for path in paths.values()]))
    except ValueError:  # on several drives, or pasted
        return {key: path.parent.name or _("Earlier work") for key, path in paths.items()}
    base = next((place for place in (base, *base.parents) if place.suffix.lower() == _ARCHIVE_SUFFIX), base)
    folders = {key: path.relative_to(base).parts[:-1][:1] for key, path in paths.items()}
    if len(paths) < _FEWEST_OF_A_YEAR * len(set(folders.values())):
        folders = dict.fromkeys(paths, ())
    return {key: (own or (base.name or _("Earlier work"),))[0] for key, own in folders.items()}


_TIPS = {
    DocumentRole.CURRENT: N_("Compared with the other essays of the class and with earlier work."),
    DocumentRole.DRAFT: N_("Not compared: another file of the student counts."),
    DocumentRole.OLD: N_("Compared with the essays of the class, but not with other earlier work."),
    DocumentRole.TEMPLATE: N_("Not compared. Its sentences are left out of all essays."),
}


class RoleMenu(QMenu):
    """Ticks the common role of the selected documents, and marks the one that was detected."""

    chosen = Signal(object)
    """A DocumentRole, or None for the one that was detected."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        translated(self, title=N_("Use as"))
        self.setToolTipsVisible(True)
        self._detected: DocumentRole | None = None
        self.roles = {
            role: translated(NamedAction("", self, partial(self.chosen.emit, role), checkable=True), tip=tip)
            for role, tip in _TIPS.items()
        }
        self.addSeparator()
        self.as_detected = NamedAction(N_("As detected"), self, partial(self.chosen.emit, None))
        follow_language(self._show_names)

    def show_roles(self, rows: Sequence[DocumentRow]) -> None:
        self.menuAction().setVisible(bool(rows))
        roles, is_chosen = {row.role for row in rows}, any(row.is_chosen for row in rows)
        for role, action in self.roles.items():
            action.setChecked(roles == {role})
        self._detected = None if is_chosen or len(roles) != 1 else next(iter(roles))
        self.as_detected.setEnabled(is_chosen)
        self._show_names()

    def _show_names(self) -> None:
        for role, action in self.roles.items():
            name = role_name(role)
            action.setText(_("{role} (detected)").format(role=name) if role is self._detected else name)


__all__ = ["DocumentList", "DocumentRow"]


_MOST_WANTED_ROWS = 20


class DocumentList(QWidget):
    """Lists documents; shortcuts, double click, context menu and badges act on them."""

    side_chosen = Signal(int, str)
    """The id of a document, and "left" or "right"."""
    remove_requested = Signal(list)
    """The ids of the selected documents."""
    current_changed = Signal(int)
    receipt_requested = Signal(int)
    password_requested = Signal(int)
    reading_again_requested = Signal(list)
    pair_requested = Signal(int, int)
    """The ids of two documents that are the same."""
    whole_page_requested = Signal(list, bool)
    """The ids of web pages, and whether all of them is wanted instead of the article alone."""
    role_chosen = Signal(list, object)
    """The ids of documents, and their DocumentRole; None for the one that was detected."""
    roster_requested = Signal(int)
    """The id of the row of a class list."""
    essay_requested = Signal(int)
    """The id of the row of a class list that is an essay."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._header = ListHeader(self)
        self._rows = DocumentListModel(self)
        self._all: Sequence[DocumentRow] = ()
        self._unfolded: set[Fold] = set()
        self._view = translated(self._make_view(), accessibleName=N_("Documents"))
        self._painter = DocumentRowPainter(self._view)
        self._view.setItemDelegate(self._painter)
        self.receipt_action = self._action(
            N_("What was read…"), lambda: self._run_default_action(self._receipt_row()), "Ctrl+I"
        )
        # available in the whole window
        self.receipt_action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self.password_action = self._action(
            N_("Enter password…"), lambda: self._run_default_action(self._first_locked())
        )
        self.again_action = self._action("", self._request_reading_again)
        self.whole_page_action = self._action(N_("Read the whole page"), self._request_whole_page)
        self.whole_page_action.setCheckable(True)
        self._view.addAction(self._separator())
        self._to_left = self._action(N_("Show on the left"), lambda: self._choose_side("left"), "Ctrl+L")
        self._to_right = self._action(N_("Show on the right"), lambda: self._choose_side("right"), "Ctrl+R")
        self.pair_action = self._action("", lambda: self._request_pair(self._current()))
        self._view.addAction(self._separator())
        self.role_menu = RoleMenu(self._view)
        self.role_menu.chosen.connect(self._choose_role)
        self._view.addAction(self.role_menu.menuAction())
        self.essay_action = self._action(N_("Read as an essay"), self._request_essay)
        self.fold_action = self._action("", lambda: self._toggle_fold(self._current()))
        self._view.addAction(self._separator())
        self.order_action = self._action(N_("Sort by name"), self._arrange)
        self.order_action.setCheckable(True)
        self._view.addAction(self._separator())
        self.remove_action = self._action(
            N_("Remove from the list"),
            lambda: self.remove_requested.emit([row.id for row in self._selected_rows()]),
            QKeySequence.StandardKey.Delete,
        )
        self.remove_all_action = self._action(
            N_("Remove all documents"), lambda: self.remove_requested.emit([row.id for row in self._all])
        )
        self.file_actions = (
            self.receipt_action,
            self.password_action,
            self.again_action,
            self.whole_page_action,
            self.role_menu.menuAction(),
            self.remove_action,
            self.remove_all_action,
        )
        FocusFrame(self._view)
        column_of(self, self._header, (self._view, 1))
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            shortcut = QShortcut(QKeySequence(key), self._view, context=Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(lambda: self._run_default_action(self._current()))
        self._painter.side_clicked.connect(self.side_chosen)
        self._painter.row_double_clicked.connect(lambda id_: self._run_default_action(self._rows.row_of(id_)))
        self._painter.offer_clicked.connect(lambda id_, to: self._run_offer(self._rows.row_of(id_), to))
        # queued, as the view still uses the row that was clicked
        self._painter.heading_clicked.connect(self._toggle_heading, Qt.ConnectionType.QueuedConnection)
        self._view.selectionModel().selectionChanged.connect(self._enable_actions)
        self._view.selectionModel().currentChanged.connect(self._follow_current)
        on_surface(self)
        self.setFocusProxy(self._view)
        follow_language(self._show_count)
        follow_language(self._enable_actions)
        follow_language(self._view.viewport().update)

    def _make_view(self) -> QListView:
        view = DocumentListView(self)
        view.setModel(self._rows)
        view.verticalScrollBar().setObjectName("slim")
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setMouseTracking(True)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.setResizeMode(QListView.ResizeMode.Adjust)
        view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        return view

    def _action(
        self, text: str, do: Callable[[], None], shortcut: str | QKeySequence.StandardKey | None = None
    ) -> QAction:
        action = NamedAction(text, self._view, do)
        if shortcut is not None:
            action.setShortcut(shortcut)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._view.addAction(action)
        return action

    def _separator(self) -> QAction:
        line = QAction(self._view)
        line.setSeparator(True)
        return line

    def wanted_height(self) -> int:
        rows = range(min(self._rows.rowCount(), _MOST_WANTED_ROWS))
        return self._header.sizeHint().height() + sum(map(self._view.sizeHintForRow, rows))

    # --- what is shown

    def set_rows(self, rows: Sequence[DocumentRow]) -> None:
        """Show these documents; current row, selection and scroll position stay."""
        self._all = rows
        self._arrange()
        self._show_count()

    def show_brief(self, is_brief: bool) -> None:
        """Give the reasons of problems less space, beside the passages of a pair."""
        self._painter.is_brief = is_brief
        self._view.scheduleDelayedItemsLayout()

    def _show_count(self) -> None:
        documents = sum(row.is_document for row in self._all)
        self._header.show_count(_("Documents"), f"{documents:,}")

    def _arrange(self) -> None:
        rows = arranged(by_name(self._all) if self.order_action.isChecked() else self._all, self._unfolded)
        if [row.id for row in rows] == self._rows.ids:
            self._rows.update(rows)
            self._view.scheduleDelayedItemsLayout()
        else:
            self._replace(rows)
        self._enable_actions()

    def _toggle_fold(self, row: DocumentRow | None) -> None:
        """Show or hide the documents below a heading or beside an essay."""
        if row is not None and (row.is_heading or row.fold):
            self._unfolded ^= {row.place if row.is_heading else row.id}
            self._arrange()

    def _toggle_heading(self, id_: int) -> None:
        if id_ in self._rows.ids:
            self._toggle_fold(self._rows.row_of(id_))

    def _unfold_to(self, ids: Collection[int]) -> None:
        folds = {row.place or row.essay for row in self._all if row.id in ids} - {None}
        if not self._unfolded.issuperset(folds):
            self._unfolded.update(fold for fold in folds if fold is not None)
            self._arrange()

    def _replace(self, rows: Sequence[DocumentRow]) -> None:
        current = self._current()
        selected = {index.data(ROW_ROLE).id for index in self._view.selectionModel().selectedIndexes()}
        height = self._view.verticalScrollBar().value()
        self._rows.replace(rows)
        choice = self._view.selectionModel()
        for number, row in enumerate(rows):
            if current and row.id == current.id:
                choice.setCurrentIndex(self._rows.index(number), QItemSelectionModel.SelectionFlag.NoUpdate)
            if row.id in selected:
                choice.select(self._rows.index(number), QItemSelectionModel.SelectionFlag.Select)
        self._view.executeDelayedItemsLayout()
        self._view.verticalScrollBar().setValue(height)

    def _current(self) -> DocumentRow | None:
        row: DocumentRow | None = self._view.currentIndex().data(ROW_ROLE)
        return row

    def _selected_rows(self) -> list[DocumentRow]:
        """Rows that are selected; instead of a heading the documents below it."""
        indexes = sorted(self._view.selectionModel().selectedIndexes(), key=QModelIndex.row)
        selected: list[DocumentRow] = [index.data(ROW_ROLE) for index in indexes]
        by_id = {row.id: row for row in self._all}
        found = [by_id[id_] for row in selected for id_ in row.members or (row.id,)]
        return list(dict.fromkeys(found))

    def select_next(self, ids: Collection[int]) -> None:
        """Select the next of these documents below the current one; after the last, the first."""
        self._unfold_to(ids)
        places = [place for place, id_ in enumerate(self._rows.ids) if id_ in ids]
        if places:
            below = (place for place in places if place > self._view.currentIndex().row())
            index = self._rows.index(next(below, places[0]))
            choice = self._view.selectionModel()
            choice.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self._view.scrollTo(index)
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def bring_to(self, ids: Collection[int]) -> None:
        """Scroll until these documents are visible, or the first of them if not all fit."""
        self._unfold_to(ids)
        for place in reversed([place for place, id_ in enumerate(self._rows.ids) if id_ in ids]):
            self._view.scrollTo(self._rows.index(place))

    # --- actions

    def _follow_current(self) -> None:
        self._enable_actions()
        current = self._current()
        if current is not None and current.is_document:
            self.current_changed.emit(current.id)

    def _enable_actions(self) -> None:
        current, selected = self._current(), self._selected_rows()
        may_choose = current is not None and current.has_text
        self._to_left.setEnabled(may_choose)
        self._to_right.setEnabled(may_choose)
        self.receipt_action.setEnabled(self._receipt_row() is not None)
        self.remove_action.setEnabled(bool(selected))
        # hidden unless a document needs them
        self.password_action.setVisible(self._first_locked() is not None)
        again = [row for row in selected if row.can_be_read_again]
        self.again_action.setVisible(bool(again))
        self.again_action.setText(_("Try again") if all(row.has_failed for row in again) else _("Read again"))
        duplicate = self._duplicate_row(current)
        self.pair_action.setVisible(duplicate is not None)
        self.pair_action.setText(_("Compare with {name}").format(name=duplicate.name) if duplicate else "")
        self.remove_all_action.setEnabled(bool(self._rows.rowCount()))
        self.role_menu.show_roles([row for row in selected if row.is_document])
        self.essay_action.setVisible(current is not None and current.state == "roster")
        can_fold = current is not None and (current.is_heading or bool(current.fold))
        self.fold_action.setVisible(can_fold)
        self.fold_action.setText(_fold_words(current) if current is not None and can_fold else "")
        pages = [row.whole_page for row in selected if row.whole_page is not None]
        self.whole_page_action.setVisible(bool(pages))
        self.whole_page_action.setChecked(all(pages))

    def _receipt_row(self) -> DocumentRow | None:
        """Return the current document while the list has the focus, else the left one of the pair."""
        current, left = self._current(), self._rows.row_on("left")
        row = current or left if self._view.hasFocus() else left or current
        return row if row is not None and (row.has_text or row.has_failed) else None

    def _first_locked(self) -> DocumentRow | None:
        return next((row for row in self._selected_rows() if row.state == "locked"), None)

    def _run_default_action(self, row: DocumentRow | None) -> None:
        if row is None:
            return
        if row.is_heading:
            self._toggle_fold(row)
        elif row.state == "roster":
            self.roster_requested.emit(row.id)
        elif row.state == "locked":
            self.password_requested.emit(row.id)
        elif row.has_text or row.has_failed:
            self.receipt_requested.emit(row.id)

    def _run_offer(self, row: DocumentRow, action: str) -> None:
        if action == "password":
            self.password_requested.emit(row.id)
        elif action == "again":
            self.reading_again_requested.emit([row.id])
        elif action == "fold":
            self._toggle_fold(row)
        else:
            self._request_pair(row)

    def _duplicate_row(self, row: DocumentRow | None) -> DocumentRow | None:
        if row is None or row.duplicate_of is None:
            return None
        return next((other for other in self._all if other.id == row.duplicate_of), None)

    def _request_pair(self, row: DocumentRow | None) -> None:
        duplicate = self._duplicate_row(row)
        if row is not None and duplicate is not None:
            self.pair_requested.emit(duplicate.id, row.id)

    def _request_reading_again(self) -> None:
        self.reading_again_requested.emit([row.id for row in self._selected_rows() if row.can_be_read_again])

    def _request_whole_page(self) -> None:
        pages = [row.id for row in self._selected_rows() if row.whole_page is not None]
        self.whole_page_requested.emit(pages, self.whole_page_action.isChecked())

    def _choose_side(self, side: str) -> None:
        current = self._current()
        if current is not None:
            self.side_chosen.emit(current.id, side)

    def _choose_role(self, role: DocumentRole | None) -> None:
        self.role_chosen.emit([row.id for row in self._selected_rows() if row.is_document], role)

    def _request_essay(self) -> None:
        current = self._current()
        if current is not None and current.state == "roster":
            self.essay_requested.emit(current.id)


def _fold_words(row: DocumentRow) -> str:
    if row.is_heading:
        return _("Hide the earlier work") if row.state == "unfolded" else _("Show the earlier work")
    return row.fold


class DocumentListView(QListView):
    """Lays its rows out again when its width changes, as their lines depend on it."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.scheduleDelayedItemsLayout()


class ProblemMenu(QMenu):
    """Lists the documents that need attention; choosing one shows it in the list of documents."""

    def __init__(self, workspace: Workspace, show_document: Callable[[int], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._documents = workspace.documents
        self._class = workspace.class_state
        self._show_document = show_document

    def open_at(self, widget: QWidget) -> None:
        self.clear()
        self.setAccessibleName(_("Files to check"))
        for key in self._documents.problems:
            entry = self._documents.entries[key]
            text = f"{escape_menu_text(self._label_of(key))}\t{problem_in_words(entry)}"
            self.addAction(text, partial(self._show_document, key))
        self.popup(widget.mapToGlobal(QPoint(0, widget.height())))

    def _label_of(self, key: int) -> str:
        """Name of the file, after that of its student if the file does not name the student."""
        name, student = self._documents.name_of(key), self._class.student_of(key)
        is_named = student is None or not student.name or student.name in name
        return name if is_named or student is None else f"{student.name} – {name}"


class DocumentNotices(QObject):
    def __init__(
        self, workspace: Workspace, bar: NoticeBar, listed: DocumentList, problem_menu: ProblemMenu
    ) -> None:
        super().__init__(bar)
        self._documents = workspace.documents
        self._history = workspace.history
        self._review = workspace.review
        self._bar = bar
        self._list = listed
        self._problem_menu = problem_menu
        workspace.settled.connect(bar.withdraw)
        self._removal_words = ""
        self._problem_words = ""
        self._problem_count = 0
        self._documents.problems_found.connect(self._show_problems)
        self._documents.changed.connect(self._follow_problems)
        self._documents.files_changed.connect(self._show_changes)
        self._documents.text_changed.connect(self._warn_of_earlier_decisions)
        self._documents.removed.connect(self._show_removal)
        self._history.indexChanged.connect(self._forget_removal)

    def _show_problems(self, keys: list[int], slow: list[int]) -> None:
        slow_words = slow_files_notice(self._documents, slow) if slow else ""
        if not keys:
            self._bar.show_notice(slow_words, passes=True)
            return
        self._problem_count = len(self._documents.problems)
        self._problem_words = f"{problems_notice(self._documents, keys)}\n{slow_words}".rstrip()
        if len(self._documents.problems) == 1:
            self._bar.show_notice(self._problem_words, lambda: self._list.select_next(keys))
        else:
            show = partial(self._problem_menu.open_at, self._bar.show_button)
            self._bar.show_notice(self._problem_words, show, _("Show the files"))

    def _follow_problems(self) -> None:
        """Withdraw the notice once all its files are read, and count again when some of them are."""
        done, total = self._documents.reading_count
        problems = self._documents.problems
        if not self._problem_words or done < total:
            return
        if not problems:
            self._bar.withdraw(self._problem_words)
            self._problem_words = ""
        elif len(problems) < self._problem_count and self._bar.shows(self._problem_words):
            self._show_problems(problems, [])

    def _show_changes(self, keys: list[int]) -> None:
        text = ngettext(
            "{name} changed on disk after it was read.",
            "{count} files changed on disk after they were read.",
            len(keys),
            name=self._documents.name_of(keys[0]),
        )
        self._bar.show_notice(
            text, self._read_changes_again, _("Read again") if len(keys) == 1 else _("Read all again")
        )

    def _read_changes_again(self) -> None:
        self._bar.hide()
        self._documents.read_again(self._documents.changed_files)

    def _warn_of_earlier_decisions(self, key: int) -> None:
        """Warn that decisions were made on an earlier text; those on a whole pair are kept."""
        if any(key in pair for pair in self._review.pairs()):
            words = _(
                "The text of {name} has changed. Check its pairs again: your decisions and notes were"
                " made on the earlier text."
            )
            self._bar.show_notice(words.format(name=self._documents.name_of(key)))

    def _show_removal(self, removal: Removal) -> None:
        self._removal_words = _("Removed: {names}").format(names=removed_label(removal.entries))
        self._bar.show_notice(self._removal_words, self._history.undo, _("Undo"))

    def _forget_removal(self) -> None:
        """Withdraw the offer to undo a removal after the next step of the history."""
        words, self._removal_words = self._removal_words, ""
        self._bar.withdraw(words)
