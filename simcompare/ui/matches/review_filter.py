"""The button over the match list that says how many are decided, and lists only those wanted."""

from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QIcon
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from simcompare.i18n import N_, _
from simcompare.resources import resource_path
from simcompare.session.review import Decision
from simcompare.ui.looks.icons import icon
from simcompare.ui.looks.theme import GRID_PX, LIGHT, Theme
from simcompare.ui.matches.decisions import DECISION_ICONS, NOTE_ICON, decision_colour
from simcompare.ui.state.match_judgements import MatchJudgements, Shown, no_judgements

_TEXTS = {
    Shown.ALL: N_("All matches"),
    Shown.UNDECIDED: N_("Undecided"),
    Shown.COPIED: N_("Copied"),
    Shown.FINE: N_("Fine"),
    Shown.NOTED: N_("With a note"),
}
_DECISIONS = {Shown.COPIED: Decision.COPIED, Shown.FINE: Decision.FINE}
_ICON_PX = 16


class ReviewFilter(QToolButton):
    """Shows "3 of 17 decided"; its menu lists all matches, or those of which something was made."""

    chosen = Signal(object)
    """The Shown that a person chose."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown = Shown.ALL
        self._judgements = no_judgements(0)
        self._theme = LIGHT
        self.setIconSize(QSize(_ICON_PX, _ICON_PX))
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._actions: dict[Shown, QAction] = {}
        self.setMenu(self._made_menu())
        self.retranslate()

    def _made_menu(self) -> QMenu:
        menu = QMenu(self)
        group = QActionGroup(self)
        for shown in Shown:
            action = menu.addAction("", partial(self.chosen.emit, shown))
            action.setCheckable(True)
            action.setChecked(shown is self.shown)
            group.addAction(action)
            self._actions[shown] = action
        menu.insertSeparator(self._actions[Shown.UNDECIDED])
        return menu

    def show_judgements(self, judgements: MatchJudgements) -> None:
        """Count these."""
        self._judgements = judgements
        self.retranslate()

    def show_shown(self, shown: Shown) -> None:
        """Say that these are listed, without a signal."""
        self.shown = shown
        with QSignalBlocker(self):
            self._actions[shown].setChecked(True)
        self.retranslate()
        self.apply_theme(self._theme)

    def retranslate(self) -> None:
        """Show the texts in the current language."""
        total, undecided = (self._judgements.count(which) for which in (Shown.ALL, Shown.UNDECIDED))
        decided = _("{count} of {total} decided").format(count=f"{total - undecided:,}", total=f"{total:,}")
        self.setText(decided if self.shown is Shown.ALL else _(_TEXTS[self.shown]))
        self.setToolTip(_("List only matches of which this was made"))
        self.setAccessibleName(f"{decided}, {_(_TEXTS[self.shown])}")
        for shown, action in self._actions.items():
            count = self._judgements.count(shown)
            action.setText(f"{_(_TEXTS[shown])}\t{count:,}")

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self._theme = theme
        self.setIcon(self._own_icon())
        ink = theme.muted if self.shown is Shown.ALL else theme.accent
        ground = "transparent" if self.shown is Shown.ALL else theme.accent_tint
        self.setStyleSheet(small_menu_button_style(theme, ink, ground))

    def _own_icon(self) -> QIcon:
        """Return the mark of what is listed; in the menu it would hide which entry is ticked."""
        if self.shown is Shown.NOTED:
            return icon(NOTE_ICON, self._theme.muted)
        decision = _DECISIONS.get(self.shown)
        if decision is None:
            return QIcon()
        return icon(DECISION_ICONS[decision], decision_colour(decision, self._theme))


def small_menu_button_style(theme: Theme, ink: str, ground: str) -> str:
    """Return the style sheet of a flat button with a menu, small enough for a heading."""
    chevron = resource_path("icons", "controls", f"chevron-{theme.name}.svg").as_posix()
    return f"""
        QToolButton {{ color: {ink}; background: {ground}; border: 1px solid transparent;
                       border-radius: {GRID_PX}px; padding: 2px 18px 2px {GRID_PX}px; }}
        QToolButton:hover {{ background: {theme.accent_tint}; }}
        QToolButton:focus {{ border-color: {theme.accent}; }}
        QToolButton:disabled {{ color: {theme.muted}; }}
        QToolButton::menu-indicator {{ image: url("{chevron}"); width: 12px; height: 12px;
            subcontrol-origin: padding; subcontrol-position: right center; right: 3px; }}
    """
