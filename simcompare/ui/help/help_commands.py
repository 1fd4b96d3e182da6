"""Commands of the Help menu, the tour of hints after the first comparison, and the About dialog."""

import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QSize, Qt, QTimer, qVersion
from PySide6.QtGui import QAction, QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QLabel, QPushButton, QWidget

from simcompare import __version__
from simcompare.support.i18n import N_, _
from simcompare.support.resources import resource_path
from simcompare.ui.actions import Command
from simcompare.ui.file_dialogs import open_on_desktop
from simcompare.ui.help.problem_report import ProblemDialog
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.dialogs import Dialog
from simcompare.ui.style.layouts import column_of, other_button, push_button, row_of
from simcompare.ui.style.text_labels import MutedLabel, WrappedLabel, announce, fit_height
from simcompare.ui.style.theme import GRID_PX, current_theme, scaled

_TEXT_WIDTH_PX, _NARROW_TEXT_PX = 320, 168
_ARROW_PX = 2 * GRID_PX
_RADIUS_PX = 2 * GRID_PX
_FIRST_ROWS_PX = 16 * GRID_PX
_SIDES = (Qt.Edge.BottomEdge, Qt.Edge.RightEdge, Qt.Edge.TopEdge, Qt.Edge.LeftEdge)
"""Sides of a button in the order in which they are tried; below a picture or list are headings of others."""


def bubble_place(
    anchor: QRect, size: QSize, area: QRect, spared: Sequence[QRect] = ()
) -> tuple[Qt.Edge, QRect] | None:
    """Place a bubble beside an anchor, inside an area and without covering the anchor or what is spared.

    Returns the side of the anchor and the rectangle, or None if no side has enough space.
    """
    is_button = 2 * anchor.height() < size.height()
    for side in _SIDES if is_button else (*_SIDES[1:], *_SIDES[:1]):
        place = QRect(_corner(anchor, size, side), size)
        if side in (Qt.Edge.LeftEdge, Qt.Edge.RightEdge):
            place.moveTop(max(area.top(), min(place.top(), area.bottom() + 1 - size.height())))
            tops = (
                anchor.top(),
                anchor.bottom() + 1 - size.height(),
                *(each.bottom() + 1 for each in spared),
            )
            moved = (place.translated(0, top - place.top()) for top in tops if top < anchor.bottom())
            places = [place, *moved]
        else:
            place.moveLeft(max(area.left(), min(place.left(), area.right() + 1 - size.width())))
            places = [place, place.translated(anchor.right() - place.right(), 0)]
        for each in places:
            if area.contains(each) and not any(map(each.intersects, (anchor, *spared))):
                return side, each
    return None


def _pointed_y(anchor: QRect) -> int:
    """Height at which an arrow points to a control from its side: of a list, at its first rows."""
    return min(anchor.center().y(), anchor.top() + scaled(_FIRST_ROWS_PX))


def _corner(anchor: QRect, size: QSize, side: Qt.Edge) -> QPoint:
    """Top left corner of a bubble whose arrow touches the middle of a side."""
    middle = QPoint(anchor.center().x(), _pointed_y(anchor)) - QPoint(size.width() // 2, size.height() // 2)
    if side is Qt.Edge.BottomEdge:
        return QPoint(middle.x(), anchor.bottom() + 1)
    if side is Qt.Edge.TopEdge:
        return QPoint(middle.x(), anchor.top() - size.height())
    if side is Qt.Edge.RightEdge:
        return QPoint(anchor.right() + 1, middle.y())
    return QPoint(anchor.left() - size.width(), middle.y())


class HintBubble(QWidget):
    """Text with two buttons: for the next hint, and for no further hints. It never takes the focus itself."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._side = Qt.Edge.BottomEdge
        self._anchor = QRect()
        self.label, self._count = WrappedLabel(), MutedLabel()
        self.next_button = push_button(N_("Got it"), look="primary")
        self.end_button = push_button(N_("Do not show hints again"), look="statusLink")
        for button in (self.next_button, self.end_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        parts = self._count, None, self.end_button, self.next_button
        self._buttons = row_of(None, *parts, spacing_px=2 * GRID_PX)
        margin = _ARROW_PX + 3 * GRID_PX
        column_of(self, self.label, self._buttons, spacing_px=2 * GRID_PX, margins_px=margin)
        self.hide()

    def show_hint(self, text: str, number: int, total: int, *, is_narrow: bool = False) -> None:
        self.label.setText(text)
        width_px = min(scaled(_NARROW_TEXT_PX if is_narrow else _TEXT_WIDTH_PX), self._most_px)
        across = QBoxLayout.Direction.LeftToRight
        self._buttons.setDirection(QBoxLayout.Direction.TopToBottom if is_narrow else across)
        self.label.setFixedWidth(width_px)
        fit_height(self.label, width_px)
        self._count.setText(_("Hint {number} of {total}").format(number=number, total=total))
        self.setAccessibleName(_("Hint"))
        self.setAccessibleDescription(text)
        self.next_button.setAccessibleDescription(text)
        layout = self.layout()
        assert layout is not None, "set by the constructor"
        layout.activate()  # or the bubble would keep the height of a longer text
        self.adjustSize()

    @property
    def _most_px(self) -> int:
        """Width of the text that leaves enough of the window beside the bubble."""
        return max(self.window().width() // 2, _TEXT_WIDTH_PX)

    def show_beside(self, anchor: QRect, area: QRect, spared: Sequence[QRect] = ()) -> bool:
        """Show the hint beside a rectangle of the window; return False if there is no space for it."""
        found = bubble_place(anchor, self.size(), area, spared)
        if found is None:
            self.hide()
            return False
        self._side, place = found
        self._anchor = anchor.translated(-place.topLeft())
        self.setGeometry(place)
        self.show()
        self.raise_()
        self.update()
        return True

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = current_theme()
        box = self.rect().adjusted(_ARROW_PX, _ARROW_PX, -_ARROW_PX - 1, -_ARROW_PX - 1)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.setBrush(QColor(theme.raised))
            painter.drawRoundedRect(box, _RADIUS_PX, _RADIUS_PX)
            first, tip, last = self._arrow(box)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawPolygon(QPolygonF([first, tip, last]))
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.drawPolyline(QPolygonF([first, tip, last]))

    def _arrow(self, box: QRect) -> tuple[QPointF, QPointF, QPointF]:
        """Corners of the arrow, its tip at the edge of the bubble."""
        reach = _RADIUS_PX + 2 * _ARROW_PX
        x = float(max(box.left() + reach, min(self._anchor.center().x(), box.right() - reach)))
        y = float(max(box.top() + reach, min(_pointed_y(self._anchor), box.bottom() - reach)))
        wide = float(_ARROW_PX)
        if self._side in (Qt.Edge.BottomEdge, Qt.Edge.TopEdge):
            is_above = self._side is Qt.Edge.BottomEdge
            base, tip = (box.top() + 1, 1) if is_above else (box.bottom(), self.height() - 2)
            return QPointF(x - wide, base), QPointF(x, tip), QPointF(x + wide, base)
        is_left = self._side is Qt.Edge.RightEdge
        base, tip = (box.left() + 1, 1) if is_left else (box.right(), self.width() - 2)
        return QPointF(base, y - wide), QPointF(tip, y), QPointF(base, y + wide)


_DELAY_MS = 300
"""After the latest change of the window: what is compared arrives in parts."""
_FOLLOWED = frozenset({QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide})


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint by a stable name. is_useful: there is something to explain; text: a gettext id.

    Hints of one name are one, beside whichever control is visible. spared: what the hint does not cover
    where there is space elsewhere. kept: returns a place of the window to spare, too. state: returns what the
    hint is about, and what changes once the user does as it says.
    """

    name: str
    text: str
    anchor: QWidget
    is_useful: Callable[[], bool]
    spared: Sequence[QWidget] = ()
    kept: Callable[[], QRect] = QRect
    state: Callable[[], tuple[object, object]] = lambda: (None, None)


class Hints(QObject):
    """Shows the first hint that was not dismissed and whose control is visible.

    Nothing is shown before `start`: only the program calls it, so that pictures and tests have no hints.
    """

    def __init__(self, window: QWidget, preferences: Preferences) -> None:
        super().__init__(window)
        self.bubble = HintBubble(window)
        self._window = window
        self._hints: Sequence[Hint] = ()
        self._preferences = preferences
        self._is_started = False
        self._shown: Hint | None = None
        self._state: tuple[object, object] = (None, None)
        self._delay = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._delay.timeout.connect(self._show_next)
        self.bubble.next_button.clicked.connect(self._dismiss)
        self.bubble.end_button.clicked.connect(self._end)
        follow_language(self._retranslate)

    @property
    def current(self) -> str:
        return self._shown.name if self._shown is not None else ""

    def use(self, hints: Sequence[Hint]) -> None:
        """Set the hints, in the order in which they are shown; a click on a button dismisses its hint."""
        self._hints = hints
        for hint in hints:
            if isinstance(hint.anchor, QAbstractButton):
                hint.anchor.clicked.connect(lambda _on=False, hint=hint: self._end_one(hint))

    def start(self) -> None:
        if not self._is_started:
            self._is_started = True
            for watched in (self._window, *(hint.anchor for hint in self._hints)):
                watched.installEventFilter(self)
        self.follow()

    def show_again(self) -> bool:
        """Show all hints again, also those that were dismissed; return whether one can be shown now."""
        self._preferences.dismissed_hints = frozenset()
        self._preferences.shows_hints = True
        self.start()
        self._show_next()
        return self._shown is not None

    def follow(self) -> None:
        """Show, move or hide the hint soon, as the window has changed."""
        if self._is_started:
            self._delay.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size and place of the controls; an Esc that no part takes dismisses the hint."""
        if event.type() in _FOLLOWED:
            self.follow()
        elif watched is self._window and self._is_unused_escape(event):
            self._dismiss()
            return True
        return super().eventFilter(watched, event)

    def _is_unused_escape(self, event: QEvent) -> bool:
        """Return whether Esc was pressed while a hint is shown; parts of the window get it first."""
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        is_pressed = event.key() == Qt.Key.Key_Escape and not event.isAutoRepeat()
        return is_pressed and self._shown is not None

    def _show_next(self) -> None:
        before, self._shown = self._shown, None
        if before is not None:
            self._follow_advice(before)
        if not self._preferences.shows_hints:
            self.bubble.hide()
            return
        for hint in self._hints:
            is_open = hint.name not in self._preferences.dismissed_hints
            if is_open and hint.anchor.isVisible() and hint.is_useful() and self._show(hint):
                self._shown, self._state = hint, hint.state()
                if hint is not before:
                    words = _(hint.text)
                    announce(self.bubble, words)
                return
        self._state = None, None
        self.bubble.hide()

    def _follow_advice(self, shown: Hint) -> None:
        """Dismiss a hint as the user has done what it says."""
        (about, before), (now_about, now) = self._state, shown.state()
        if about is now_about and before != now:
            self._preferences.dismissed_hints |= {shown.name}

    def _show(self, hint: Hint) -> bool:
        """Show a hint; return False if the window has no space beside its control."""
        place, spared = self._place_of(hint.anchor), [*map(self._place_of, hint.spared), hint.kept()]
        names = list(dict.fromkeys(each.name for each in self._hints))
        number, total = names.index(hint.name) + 1, len(names)
        for is_narrow, avoided in ((False, spared), (True, spared), (False, [])):
            self.bubble.show_hint(_(hint.text), number, total, is_narrow=is_narrow)
            if self.bubble.show_beside(place, self._window.rect(), avoided):
                return True
        return False

    def _place_of(self, part: QWidget) -> QRect:
        """Return where a part is in the window; empty if it is not visible."""
        size = part.size() if part.isVisible() else QSize()
        return QRect(part.mapTo(self._window, QPoint(0, 0)), size)

    def _dismiss(self) -> None:
        if self._shown is not None:
            self._end_one(self._shown)

    def _end_one(self, hint: Hint) -> None:
        self._preferences.dismissed_hints |= {hint.name}
        self._leave()

    def _end(self) -> None:
        self._preferences.shows_hints = False
        self._leave()

    def _leave(self) -> None:
        """Show the next hint; the keyboard focus stays in the bubble, or goes back to what it explained."""
        focused, explained = self._window.focusWidget(), self._shown
        had_focus = focused is not None and self.bubble.isAncestorOf(focused)
        self._show_next()
        if not had_focus:
            return
        if self._shown is not None:
            self.bubble.next_button.setFocus(Qt.FocusReason.OtherFocusReason)
        elif explained is not None:
            anchor = explained.anchor
            is_bar = anchor.focusPolicy() is Qt.FocusPolicy.NoFocus
            part = anchor.findChild(QAbstractButton) if is_bar else anchor
            (part or anchor).setFocus(Qt.FocusReason.OtherFocusReason)

    def _retranslate(self) -> None:
        if self._shown is not None:
            self._show_next()


_WIDTH_PX = 460


def third_party_licences() -> Path | None:
    """Find the list of the licences of all parts, which only an installed bundle has."""
    program = Path(sys.executable).parent
    folders = (resource_path().parent, program, program.parent, program.parent / "Resources")
    found = (path for folder in folders for path in sorted(folder.glob("licences/index.*")))
    return next(found, None)


class AboutDialog(Dialog):
    """Says what the program is and under which licences it comes; Esc closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(_("About simcompare"), parent, width_px=_WIDTH_PX)
        name = QLabel(f"simcompare {__version__}")
        name.setObjectName("share")
        purpose = QLabel(_("Compares documents sentence by sentence and shows what they share and why."))
        purpose.setWordWrap(True)
        self.licences = MutedLabel(
            _(
                "simcompare is free software under the MIT licence. It uses Qt {qt} by PySide6 under the GNU "
                "LGPL version 3, and Python {python}."
            ).format(qt=qVersion(), python=platform.python_version())
        )
        self.licences.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        path = third_party_licences()
        self.all_button, close = other_button(_("All licences")), QPushButton(_("Close"))
        self.all_button.setVisible(path is not None)
        if path is not None:
            self.all_button.clicked.connect(lambda: open_on_desktop(path))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        texts = (name, purpose, self.licences)
        buttons = row_of(None, self.all_button, None, close)
        column_of(self, *texts, buttons, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 5)
        close.setFocus()


_LIMIT = N_(
    "Pairs to the right of the vertical line are unusual in this class. Drag it, or type a percentage; "
    "a click on a bar lists its pairs."
)
_PASSAGES = N_(
    "The passages that both texts share: click one to see it on both sides. "
    "N and P go to the next and the previous one."
)
_DECISIONS = N_(
    "You decide, the program only shows. F marks a passage as no concern, which takes it out of the share; "
    "C marks it as copied, M opens a note."
)
_EXPORT = N_("When you are done, write a report here, with or without names: as a page, PDF or Word file.")


class HelpCommands(QObject):
    def __init__(
        self,
        window: QWidget,
        workspace: Workspace,
        preferences: Preferences,
        show_message: Callable[[str], object],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = workspace
        self._preferences = preferences
        self._show_message = show_message
        self.hints = Hints(window, preferences)
        for signal in (
            workspace.progress_changed,
            workspace.comparison_changed,
            workspace.selection.changed,
            workspace.selection.listed_changed,
            workspace.review.changed,
            workspace.class_state.changed,
            workspace.class_filter.changed,
        ):
            signal.connect(self.hints.follow)

    def commands(self, samples: Sequence[Command]) -> list[Command | QAction | None]:
        """Entries for the Help menu after the list of shortcuts; samples: commands that open them."""
        about = QAction.MenuRole.AboutRole
        return [
            Command("hints", N_("Show hints"), (), self._show_hints),
            *samples,
            None,
            Command("problem", N_("Report a problem…"), (), self._report_problem),
            Command("about", N_("About simcompare"), (), lambda: AboutDialog(self._window).open(), about),
        ]

    def explain(
        self,
        limit: QWidget,
        with_passages: tuple[QWidget, Callable[[], QRect]],
        decisions: QWidget,
        export: QWidget,
        is_read: Callable[[], bool],
        overview: Sequence[QWidget],
        above: tuple[QWidget, QWidget],
    ) -> None:
        """Set the controls that the hints explain, in the order of the work.

        is_read: there is no pair left that the class offers to read. overview: headings, pictures and tables
        of the class, which no hint covers. limit: the part with the histogram. above: its heading and main
        button. with_passages: their list, and the place of the selected one in the window.
        """
        workspace, (passages, selected), lead = self._workspace, with_passages, above[1]

        def has_decided() -> bool:
            return bool(workspace.review.pairs())

        def is_new_to_pairs() -> bool:
            return self._has_passages() and not has_decided()

        def may_export() -> bool:
            # not in the library, whose controls the bubble would cover
            is_shown = limit.isVisible() or decisions.isVisible()
            return workspace.comparison is not None and is_shown and has_decided() and is_read()

        def limit_state() -> tuple[object, object]:
            return None, (workspace.class_state.chosen_limit, workspace.class_filter.shares)

        def page_state() -> tuple[object, object]:
            return None, limit.isVisible()

        def pair_state() -> tuple[object, object]:
            return None, {*workspace.documents.sides.values()}

        def passage_state() -> tuple[object, object]:
            return workspace.comparison, workspace.selection.passage

        spared = (*overview, *above)
        self.hints.use(
            [
                Hint("limit", _LIMIT, limit, self._has_class, spared, state=limit_state),
                Hint("passages", _PASSAGES, passages, is_new_to_pairs, (), selected, passage_state),
                Hint("decisions", _DECISIONS, decisions, is_new_to_pairs, state=pair_state),
                # on the page of the class beside the main button, which is that of the export then
                Hint("export", _EXPORT, lead, may_export, overview, state=page_state),
                Hint("export", _EXPORT, export, may_export, state=page_state),
            ]
        )

    def _has_class(self) -> bool:
        return not self._workspace.is_busy and len(self._workspace.pairs.table) > 0

    def _has_passages(self) -> bool:
        return len(self._workspace.selection.listed) > 0

    def _show_hints(self) -> None:
        if not self.hints.show_again():
            self._show_message(_("Hints appear beside the controls once essays are compared."))

    def _report_problem(self) -> None:
        ProblemDialog(self._workspace, self._preferences, self._window).open()
