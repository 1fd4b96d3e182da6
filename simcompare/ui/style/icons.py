"""Icons of resources/icons, in the colours of the theme and sharp at any screen density."""

from functools import cache
from typing import ClassVar

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from simcompare.support.resources import resource_path
from simcompare.ui.style.theme import current_theme

# ruff: noqa: N802 - Qt names the methods it calls

# sizes used by tool bars, buttons and menus, and twice these for dense screens
_SIDES_PX = (16, 20, 24, 32, 40, 48, 64)


def icon(name: str, ink: str = "ink", checked: tuple[str, str] | None = None) -> QIcon:
    """Icon by name ("add", "swap", ...) in an ink of the theme, whichever is in use when it is painted.

    ink: name of a colour of the theme, or #rrggbb. checked: name and ink while a button is checked.
    Raises OSError if there is no such icon.
    """
    return QIcon(_Drawing((name, ink), checked or (name, ink)))


class _Drawing(QIconEngine):
    _clones: ClassVar[list["_Drawing"]] = []
    """Referred to by Qt alone. Only a change of an icon makes a clone, and none is changed."""

    def __init__(self, *looks: tuple[str, str]) -> None:
        super().__init__()
        for name, _ink in looks:
            _drawing(name)  # of an unknown name it fails here, not in painting
        self._looks = looks
        self._drawn: dict[tuple[str, str], QIcon] = {}

    def clone(self) -> QIconEngine:
        self._clones.append(_Drawing(*self._looks))
        return self._clones[-1]

    def _in_theme(self, state: QIcon.State) -> QIcon:
        name, ink = self._looks[state is QIcon.State.On]
        look = name, getattr(current_theme(), ink, ink)
        if look not in self._drawn:
            self._drawn[look] = drawn = QIcon()
            for picture in _pictures(*look):
                drawn.addPixmap(QPixmap.fromImage(picture))
        return self._drawn[look]

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        self._in_theme(state).paint(painter, rect, Qt.AlignmentFlag.AlignCenter, mode, state)

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        return self._in_theme(state).actualSize(size, mode, state)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        return self._in_theme(state).pixmap(size, scale, mode, state)


@cache  # icons are used in many places; images, unlike pixmaps, may outlive the application
def _pictures(name: str, colour: str) -> list[QImage]:
    renderer = QSvgRenderer(QByteArray(_drawing(name).replace("currentColor", colour).encode()))
    return [_rendered(renderer, side) for side in _SIDES_PX]


@cache
def _drawing(name: str) -> str:
    return resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")


def _rendered(renderer: QSvgRenderer, side_px: int) -> QImage:
    picture = QImage(side_px, side_px, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        renderer.render(painter, QRectF(0, 0, side_px, side_px))
    return picture
