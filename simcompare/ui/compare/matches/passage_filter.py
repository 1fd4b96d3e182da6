"""Header of the list of passages, and its filters by kind and by decision."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QColor, QFontMetrics, QIcon, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.report.wording import passage_kind_name
from simcompare.session.decisions import Decision
from simcompare.support.i18n import N_, _
from simcompare.ui.compare.matches.inspector_sentences import paint_kind_line
from simcompare.ui.labels import NOTE_ICON, decision_icon
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.state.review.found_decisions import DecisionFilter
from simcompare.ui.style.icons import icon
from simcompare.ui.style.layouts import row_of
from simcompare.ui.style.stylesheet import use_look
from simcompare.ui.style.theme import GRID_PX, bold, current_theme

# ruff: noqa: N802 - Qt names the methods it calls

SIDE_PX = 4 * GRID_PX


class ListHeader(QWidget):
    """Title at the left, number at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._count = QLabel(), QLabel()
        for label in (self._title, self._count):
            label.setObjectName("muted")
        margins_px = (SIDE_PX, 3 * GRID_PX, SIDE_PX, 2 * GRID_PX)
        row_of(self, self._title, None, self._count, spacing_px=GRID_PX, margins_px=margins_px)

    def add_control(self, control: QWidget) -> None:
        row = self.layout()
        assert row is not None, "set by the constructor"
        row.addWidget(control)

    def show_count(self, title: str, count: str) -> None:
        self._title.setText(title)
        self._count.setText(count)


class KindSwitch(QAbstractButton):
    """Tile with the number of passages of one kind; filled while they are listed."""

    def __init__(self, kind: PassageKind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind = kind
        self._count = 0
        self.setCheckable(True)
        self.setChecked(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        tip = N_("Show or hide passages of this kind: {kind}")
        translated(self, tip=lambda: _(tip).format(kind=passage_kind_name(kind)))
        follow_language(self._name)

    def set_count(self, count: int) -> None:
        if count != self._count:
            self._count = count
            self._name()

    def _name(self) -> None:
        self.setAccessibleName(f"{passage_kind_name(self._kind)} {self._count}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = max(
            self.fontMetrics().horizontalAdvance(text) for text in (passage_kind_name(self._kind), "00,000")
        )
        return QSize(width + 2 * GRID_PX, 2 * self.fontMetrics().height() + 3 * GRID_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_tile(painter)
        theme = current_theme()
        look = theme.passages[self._kind]
        painter.setPen(QColor(look.ink if self.isChecked() else theme.muted))
        text = self.rect().adjusted(0, GRID_PX, 0, -2 * GRID_PX)
        name = QRect(text.left(), text.center().y() + 1, text.width(), text.height() // 2)
        painter.drawText(name, Qt.AlignmentFlag.AlignCenter, passage_kind_name(self._kind))
        if self.isChecked():
            width = QFontMetrics(self.font()).horizontalAdvance(passage_kind_name(self._kind))
            line = QRect(name.center().x() - width // 2, name.top(), width, name.height() + 2)
            paint_kind_line(painter, line, current_theme().passages[self._kind])
        painter.setFont(bold(self.font()))
        number = QRect(text.topLeft(), QSize(text.width(), text.height() // 2))
        painter.drawText(number, Qt.AlignmentFlag.AlignCenter, f"{self._count:,}")

    def _paint_tile(self, painter: QPainter) -> None:
        theme = current_theme()
        look = theme.passages[self._kind]
        checked = self.isChecked()
        painter.setPen(QPen(QColor(look.tint if checked else theme.line), 1))
        painter.setBrush(QColor(look.tint) if checked else Qt.BrushStyle.NoBrush)
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2))
        elif self.underMouse():
            painter.setPen(QPen(QColor(look.ink), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), GRID_PX, GRID_PX)


_TILES_IN_A_ROW = 3


class KindFilter(QWidget):
    """Switches for the kinds of passages; only those of which there are passages are visible.

    Hidden while there is nothing to choose from: a single kind, which is listed.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(SIDE_PX, 0, SIDE_PX, 2 * GRID_PX)
        self._grid.setSpacing(2 * GRID_PX)
        self._switches = {kind: KindSwitch(kind, self) for kind in PassageKind}
        self._shown: list[PassageKind] = []
        for switch in self._switches.values():
            switch.hide()
            switch.toggled.connect(self.changed)
        self.hide()

    @property
    def checked_kinds(self) -> frozenset[PassageKind]:
        return frozenset(kind for kind, switch in self._switches.items() if switch.isChecked())

    def show_kinds(self, kinds: frozenset[PassageKind]) -> None:
        """Switch these kinds on and all others off, without a signal."""
        for kind, switch in self._switches.items():
            with QSignalBlocker(switch):
                switch.setChecked(kind in kinds)
        self._show_if_useful()

    def set_counts(self, counts: Mapping[PassageKind, int]) -> None:
        for kind, switch in self._switches.items():
            switch.set_count(counts[kind])
        shown = [kind for kind in PassageKind if counts[kind]]
        if shown != self._shown:
            self._shown = shown
            self._arrange()
            self._show_if_useful()

    def _show_if_useful(self) -> None:
        self.setVisible(len(self._shown) > 1 or not self.checked_kinds.issuperset(self._shown))

    def _arrange(self) -> None:
        for kind, switch in self._switches.items():
            self._grid.removeWidget(switch)
            switch.setVisible(kind in self._shown)
        for place, kind in enumerate(self._shown):
            self._grid.addWidget(self._switches[kind], *divmod(place, _TILES_IN_A_ROW))


_TEXTS = {
    DecisionFilter.ALL: N_("All passages"),
    DecisionFilter.UNDECIDED: N_("Undecided"),
    DecisionFilter.COPIED: N_("Copied"),
    DecisionFilter.FINE: N_("No concern"),
    DecisionFilter.NOTED: N_("With a note"),
    DecisionFilter.QUOTED_AND_CITED: N_("Quoted and cited"),
    DecisionFilter.CITED: N_("Cited without quotation marks"),
    DecisionFilter.QUOTED: N_("Quoted without a source"),
    DecisionFilter.NEITHER: N_("Neither quoted nor cited"),
}
_DECISIONS = {DecisionFilter.COPIED: Decision.COPIED, DecisionFilter.FINE: Decision.FINE}
_ICON_PX = 16


class DecisionFilterButton(QToolButton):
    """Shows "3 of 17 decided"; its menu filters the list by decision or citation."""

    chosen = Signal(object)
    """The DecisionFilter that the user chose."""
    opening = Signal()
    """The menu is about to be shown, with counts of citations."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choice = DecisionFilter.ALL
        self._counts: Mapping[DecisionFilter, int] = dict.fromkeys(DecisionFilter, 0)
        self.setIconSize(QSize(_ICON_PX, _ICON_PX))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._actions: dict[DecisionFilter, QAction] = {}
        self.setMenu(self._build_menu())
        self.setObjectName("smallMenu")
        translated(self, tip=N_("List only passages with this decision or citation"))
        follow_language(self._show_counts)

    def _build_menu(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(self)
        for choice in DecisionFilter:
            action = menu.addAction("", partial(self.chosen.emit, choice))
            action.setCheckable(True)
            action.setChecked(choice is self.choice)
            group.addAction(action)
            self._actions[choice] = action
        menu.insertSeparator(self._actions[DecisionFilter.UNDECIDED])
        menu.insertSeparator(self._actions[DecisionFilter.QUOTED_AND_CITED])
        menu.aboutToShow.connect(self.opening)
        return menu

    def set_counts(self, counts: Mapping[DecisionFilter, int]) -> None:
        """Show these counts; citations without one are not offered."""
        self._counts = dict.fromkeys(DecisionFilter, 0) | dict(counts)
        for choice in DecisionFilter:
            self._actions[choice].setVisible(choice in counts)
        self._show_counts()

    def set_choice(self, choice: DecisionFilter) -> None:
        self.choice = choice
        with QSignalBlocker(self):
            self._actions[choice].setChecked(True)
        self._show_counts()
        self.setIcon(self._own_icon())
        use_look(self, "smallMenu" if choice is DecisionFilter.ALL else "smallMenuInUse")

    def _show_counts(self) -> None:
        total, undecided = (self._counts[each] for each in (DecisionFilter.ALL, DecisionFilter.UNDECIDED))
        decided = _("{count} of {total} decided").format(count=f"{total - undecided:,}", total=f"{total:,}")
        self.setText(decided if self.choice is DecisionFilter.ALL else _(_TEXTS[self.choice]))
        self.setAccessibleName(f"{decided}, {_(_TEXTS[self.choice])}")
        for choice, action in self._actions.items():
            action.setText(f"{_(_TEXTS[choice])}\t{self._counts[choice]:,}")

    def _own_icon(self) -> QIcon:
        """Icon of the filter on the button; in the menu it would hide the tick."""
        if self.choice is DecisionFilter.NOTED:
            return icon(NOTE_ICON, "muted")
        decision = _DECISIONS.get(self.choice)
        return QIcon() if decision is None else decision_icon(decision)
