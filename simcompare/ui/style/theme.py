"""Themes: colours, grid unit, fonts, icons; palette and style sheet, as setColorScheme may be ignored."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from string import Template
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QByteArray, QObject, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QIcon, QIconEngine, QImage, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from shiboken6 import isValid

from simcompare.support.i18n import current_language
from simcompare.support.resources import resource_path

if TYPE_CHECKING:
    from simcompare.comparison.comparison_result import MatchKind
    from simcompare.comparison.passages.passage_kinds import PassageKind


GRID_PX = 4
FONT_FAMILIES = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Microsoft YaHei UI",
    "PingFang SC",
    "WenQuanYi Micro Hei",
    "sans-serif",
)
LATIN_FIRST_FAMILIES = ("Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans", *FONT_FAMILIES)
"""For texts in Latin script: quotation marks and dashes of CJK fonts are one character wide."""


@dataclass(frozen=True, slots=True)
class KindStyle:
    ink: str
    tint: str
    underline: Qt.PenStyle


@dataclass(frozen=True, slots=True)
class Theme:
    """Colour tokens as #rrggbb. `heat`: colour stops of the heatmap from P = 0 to P = 1.

    Every ink is readable on every background it is used on; tests/gui/test_access.py lists them.
    """

    name: str
    background: str
    surface: str
    raised: str
    ink: str
    muted: str
    line: str
    """Separates parts."""
    edge: str
    """Outlines fields and handles, which must be seen to be used."""
    accent: str
    accent_ink: str
    accent_tint: str
    danger: str
    caution: str
    changed: str
    """Words that only one side of a passage has, and the line below them."""
    found: str
    """Outline of search results; `found_tint` is their background. No kind of passage has similar colours."""
    found_tint: str
    bit_on: str
    bit_off: str
    heat: tuple[str, ...]
    passage_colours: tuple[tuple[str, str], ...]
    """Ink and tint of each kind of passage, in the order of PassageKind."""

    @property
    def passages(self) -> "dict[PassageKind, KindStyle]":
        return _passages(self.passage_colours)

    @property
    def kinds(self) -> "dict[MatchKind, KindStyle]":
        """Styles of the kinds of matches: those of the passages of the same name."""
        return _matches(self.passage_colours)


_UNDERLINES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DashDotDotLine,
    Qt.PenStyle.CustomDashLine,
)
"""Underlines of the kinds of passages, in the order of PassageKind."""


@cache
def _passages(colours: tuple[tuple[str, str], ...]) -> "dict[PassageKind, KindStyle]":
    from simcompare.comparison.passages.passage_kinds import (  # noqa: PLC0415 - loads numpy; not to start
        PassageKind,
    )

    return {
        kind: KindStyle(*ink_and_tint, underline)
        for kind, ink_and_tint, underline in zip(PassageKind, colours, _UNDERLINES, strict=True)
    }


@cache
def _matches(colours: tuple[tuple[str, str], ...]) -> "dict[MatchKind, KindStyle]":
    from simcompare.comparison.comparison_result import MatchKind  # noqa: PLC0415 - see above

    identical, edited, reworded, *_others = _passages(colours).values()
    return {MatchKind.EXACT: identical, MatchKind.EDITED: edited, MatchKind.SYNONYM: reworded}


LIGHT = Theme(
    name="light",
    background="#f5f5f2",
    surface="#ffffff",
    raised="#fafaf7",
    ink="#1d2129",
    muted="#566176",
    line="#e4e4df",
    edge="#828893",
    accent="#2d5b8f",
    accent_ink="#ffffff",
    accent_tint="#e7eef7",
    danger="#b42335",
    caution="#8a5a00",
    changed="#b3122c",
    found="#1d2129",
    found_tint="#ffec80",
    bit_on="#44546f",
    bit_off="#d9dde6",
    heat=("#fafaf7", "#8cafd2", "#19325f"),
    passage_colours=(
        ("#b93042", "#fbe1e3"),
        ("#985500", "#fdeec8"),
        ("#0f7277", "#d6f0ef"),
        ("#7a3d9e", "#f0e2f7"),
        ("#47691c", "#e3efd3"),
        ("#3a3ad0", "#e4e4fa"),
    ),
)

DARK = Theme(
    name="dark",
    background="#15171c",
    surface="#1d2026",
    raised="#23272e",
    ink="#e7e9ed",
    muted="#a3adbd",
    line="#343942",
    edge="#737c8b",
    accent="#86b4e4",
    accent_ink="#10233a",
    accent_tint="#263647",
    danger="#ff8f99",
    caution="#f0bd58",
    changed="#ff9a9a",
    found="#ffffff",
    found_tint="#1e2f86",
    bit_on="#a9bad3",
    bit_off="#383f4b",
    # the stops of cividis, whose lightness rises evenly for every kind of colour vision
    heat=("#1d2026", "#2a4170", "#575d6d", "#8a8678", "#c4b56c", "#fee838"),
    passage_colours=(
        ("#ff98a3", "#4b232b"),
        ("#f0bd58", "#443514"),
        ("#62cdd0", "#143f42"),
        ("#d5a6f2", "#3b2649"),
        ("#a9d083", "#283a18"),
        ("#8f8fff", "#26264d"),
    ),
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}


def bold(font: QFont) -> QFont:
    copy = QFont(font)
    copy.setBold(True)
    return copy


def small_font(font: QFont) -> QFont:
    """Copy of a font for captions and axes, a little smaller."""
    copy = QFont(font)
    copy.setPixelSize(max(10, round(QFontInfo(font).pixelSize() * 0.88)))
    return copy


def postpone_painting(window: QWidget) -> None:
    """Paint the changes made now in a later turn of the event loop.

    Changing a whole window takes as long as two frames, and so does painting it.
    """
    if window.isVisible() and window.updatesEnabled():
        window.setUpdatesEnabled(False)
        QTimer.singleShot(0, window, lambda: window.setUpdatesEnabled(True))


def on_surface(widget: QWidget) -> None:
    """Fill the background of a widget with the colour of surfaces."""
    widget.setBackgroundRole(QPalette.ColorRole.Base)
    widget.setAutoFillBackground(True)


class Appearance(QObject):
    """Holds theme and text size. Widgets that only paint read both when painting: all are repainted."""

    changed = Signal()
    """Also emitted when a style sheet has reset the palettes of widgets."""

    def __init__(self) -> None:
        super().__init__()
        self.theme = LIGHT
        self.text_scale = 1.0
        """Text size of the whole window; 1: the usual one."""
        self.has_small_window = False

    @property
    def is_cramped(self) -> bool:
        """Whether parts wrap, fold and scroll instead of needing a least size."""
        return self.text_scale > 1.0 or self.has_small_window

    def use(self, theme: Theme) -> None:
        self.theme = theme
        self.changed.emit()


APPEARANCE = Appearance()


def current_theme() -> Theme:
    return APPEARANCE.theme


def current_application() -> QApplication:
    """Return the application, which exists before the first widget."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


def scaled(length_px: float) -> int:
    """Length in pixels at the text size in use, for one given at the usual size."""
    return round(length_px * APPEARANCE.text_scale)


def follow_theme(apply: Callable[[], None]) -> None:
    """Call a method now and after each change of theme or text size.

    Pass a bound method of a QObject: Qt disconnects it when the object is deleted.
    """
    APPEARANCE.changed.connect(apply)
    apply()


# sizes used by tool bars, buttons and menus, and twice these for dense screens
_SIDES_PX = (16, 20, 24, 32, 40, 48, 64)


def icon(name: str, ink: str = "ink", checked: tuple[str, str] | None = None) -> QIcon:
    """Icon by name ("add", "swap", ...) in an ink of the theme, whichever is in use when it is painted.

    ink: name of a colour of the theme, or #rrggbb. checked: name and ink while a button is checked.
    Raises OSError if there is no such icon.
    """
    return QIcon(_IconEngine((name, ink), checked or (name, ink)))


class _IconEngine(QIconEngine):
    _clones: ClassVar[list["_IconEngine"]] = []
    """Referred to by Qt alone. Only a change of an icon makes a clone, and none is changed."""

    def __init__(self, *looks: tuple[str, str]) -> None:
        super().__init__()
        for name, _ink in looks:
            _drawing(name)  # of an unknown name it fails here, not in painting
        self._looks = looks
        self._drawn: dict[tuple[str, str, int], QIcon] = {}

    def clone(self) -> QIconEngine:
        self._clones.append(_IconEngine(*self._looks))
        return self._clones[-1]

    def _in_theme(self, state: QIcon.State, size: QSize, scale: float = 1.0) -> QIcon:
        """Icon with the one picture that suits a size: drawing all of them takes three times as long."""
        name, ink = self._looks[state is QIcon.State.On]
        needed_px = max(size.width(), size.height()) * scale
        side_px = next((side for side in _SIDES_PX if side >= needed_px), _SIDES_PX[-1])
        look = name, getattr(current_theme(), ink, ink), side_px
        if look not in self._drawn:
            self._drawn[look] = QIcon(QPixmap.fromImage(_picture(*look)))
        return self._drawn[look]

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        drawn = self._in_theme(state, rect.size(), painter.device().devicePixelRatioF())
        drawn.paint(painter, rect, Qt.AlignmentFlag.AlignCenter, mode, state)

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        return self._in_theme(state, size).actualSize(size, mode, state)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        return self._in_theme(state, size, scale).pixmap(size, scale, mode, state)


@cache  # icons are used in many places; images, unlike pixmaps, may outlive the application
def _picture(name: str, colour: str, side_px: int) -> QImage:
    picture = QImage(side_px, side_px, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        drawing = QSvgRenderer(QByteArray(_drawing(name).replace("currentColor", colour).encode()))
        drawing.render(painter, QRectF(0, 0, side_px, side_px))
    return picture


@cache
def _drawing(name: str) -> str:
    return resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")


_STYLE = "fusion"  # as Qt writes it
_FONT_SIZE_POINTS = 10.0
_PROPORTIONAL = QFont.Tag("pwid")
"""Of OpenType; by themselves the quotation marks of a CJK font are as wide as its characters."""
_SIZES_POINTS = (10, 11, 11.5, 17)
_LENGTHS_PX = (5, 10, 12, 14, 19, 20, 24, 25, 26, 28)
"""Lengths that grow with the text: of check boxes, arrows, and the space for them."""
_PAINT_DELAY_MS = 60
_POLISHED_AT_ONCE = 100
_ROLES = {
    "background": QPalette.ColorRole.Window,
    "surface": QPalette.ColorRole.Base,
    "raised": QPalette.ColorRole.AlternateBase,
    "ink": QPalette.ColorRole.WindowText,
    "muted": QPalette.ColorRole.PlaceholderText,
    "line": QPalette.ColorRole.Mid,
    "accent": QPalette.ColorRole.Highlight,
    "accent_ink": QPalette.ColorRole.HighlightedText,
    # roles that the Fusion style does not use
    "accent_tint": QPalette.ColorRole.Midlight,
    "edge": QPalette.ColorRole.LinkVisited,
    "danger": QPalette.ColorRole.BrightText,
}
"""Palette roles that carry the theme's colours: a changed style sheet would lay out every widget again."""


def prepare_application(application: QApplication) -> None:
    """Set the style and a font with Chinese characters for the text size and the language in use.

    Existing widgets keep their font until they are polished.
    """
    if application.style().name() != _STYLE:  # which restyles all widgets, even with the same style
        application.setStyle(_STYLE)
    font = application.font()
    font.setFamilies(list(FONT_FAMILIES))
    font.setPointSizeF(_FONT_SIZE_POINTS * APPEARANCE.text_scale)
    use_quotes(font, latin=current_language() != "zh")
    application.setFont(font)


def use_quotes(font: QFont, *, latin: bool) -> None:
    """Make quotation marks and apostrophes as narrow as in Latin text, or as wide as a Chinese character."""
    if latin:
        font.setFeature(_PROPORTIONAL, 1)
    else:
        font.unsetFeature(_PROPORTIONAL)


def has_narrow_marks(font: QFont) -> bool:
    """Return whether `use_quotes` narrowed a font, whose other marks of Chinese are narrow then, too."""
    return font.isFeatureSet(_PROPORTIONAL) and font.featureValue(_PROPORTIONAL) == 1


def with_wide_marks(font: QFont) -> QFont:
    wide = QFont(font)
    wide.setFeature(_PROPORTIONAL, 0)
    return wide


def apply_theme_to_application(application: QApplication, theme: Theme) -> Sequence[QWidget]:
    """Apply the theme's palette, and the style sheet to each main window, whose children inherit it.

    Return the hidden widgets, usually the majority: polish them later with `polish_late`.
    """
    application.setPalette(_palette(theme))
    windows = application.topLevelWidgets()
    for window in windows:
        window.setProperty("theme", theme.name)
    changed = [use_sheet(window) for window in windows if isinstance(window, QMainWindow)]
    if any(changed):
        return []
    # polish each widget once; setting the same sheet again would do so once for each of its ancestors
    widgets = application.allWidgets()
    hidden = [widget for widget in widgets if not widget.isVisible()]
    _polish(widget for widget in widgets if widget.isVisible())
    for window in windows:
        window.update()
    return hidden


def use_sheet(window: QWidget) -> bool:
    """Set the style sheet for the text size in use on a window without a parent; True if it is another one.

    With a style sheet of the application, each widget that gets a parent would update all its children:
    making the parts of a window would take twice as long.
    """
    sheet = _sheet(APPEARANCE.text_scale)
    if window.styleSheet() == sheet:
        return False
    window.setStyleSheet(sheet)
    return True


def use_look(widget: QWidget, name: str) -> None:
    """Give a widget another name, and with it the look of that name in the style sheet."""
    if widget.objectName() != name:
        widget.setObjectName(name)
        widget.style().polish(widget)


def polish_late(window: QWidget, hidden: Sequence[QWidget]) -> None:
    """Polish those of the widgets that still exist, in pieces, after the visible ones are painted.

    This resets palettes set on them: `APPEARANCE.changed` says that these are to be set again.
    """

    def polish_from(first: int) -> None:
        end = first + _POLISHED_AT_ONCE
        _polish(widget for widget in hidden[first:end] if isValid(widget))
        if end < len(hidden):
            QTimer.singleShot(0, window, lambda: polish_from(end))
        else:
            APPEARANCE.changed.emit()

    if hidden:
        QTimer.singleShot(_PAINT_DELAY_MS, window, lambda: polish_from(0))


def _polish(widgets: Iterable[QWidget]) -> None:
    for widget in widgets:
        widget.style().polish(widget)


@cache
def _sheet(text_scale: float) -> str:
    colours = {name: f"palette({_css_name(role)})" for name, role in _ROLES.items()}
    drawings = {
        f"{name}_{theme}".replace("-", "_"): resource_path(
            "icons", "controls", f"{name}-{theme}.svg"
        ).as_posix()
        for name in ("check", "chevron", "chevron-up")
        for theme in ("light", "dark")
    }
    lengths = {f"px_{length}": f"{round(length * text_scale)}px" for length in _LENGTHS_PX}
    sizes = {f"text_{size}".replace(".", "_"): f"{size * text_scale:g}pt" for size in _SIZES_POINTS}
    radio_px, ring_px = round(14 * text_scale) + 2, round(5 * text_scale)
    radio = {"radio_dot": f"{radio_px - 2 * ring_px}px", "radio_radius": f"{radio_px // 2}px"}
    # Plain colours come only from the palette: a sheet that colours every QWidget would fix each widget's
    # palette at its first theme.
    sheet = Template(resource_path("window.qss").read_text("utf-8"))
    return sheet.substitute(colours, **drawings, **lengths, **sizes, **radio)


def _css_name(role: QPalette.ColorRole) -> str:
    """Name of a role in a style sheet: "window-text" for WindowText."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", role.name).lower()


def _palette(theme: Theme) -> QPalette:
    roles = {role: getattr(theme, name) for name, role in _ROLES.items()} | {
        QPalette.ColorRole.Text: theme.ink,
        QPalette.ColorRole.Button: theme.surface,
        QPalette.ColorRole.ButtonText: theme.ink,
        QPalette.ColorRole.ToolTipBase: theme.raised,
        QPalette.ColorRole.ToolTipText: theme.ink,
        QPalette.ColorRole.Link: theme.accent,
    }
    palette = QPalette()
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.muted))
    return palette
