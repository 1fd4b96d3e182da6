"""Icons of resources/icons, drawn in any colour and sharp at any screen density."""

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from simcompare.support.resources import resource_path

# sizes used by tool bars, buttons and menus, and twice these for dense screens
_SIDES_PX = (16, 20, 24, 32, 40, 48, 64)


def icon(name: str, colour: str) -> QIcon:
    """Load an icon by name ("add", "swap", ...) in a colour (#rrggbb).

    Raises OSError if there is no such icon.
    """
    drawn = QIcon()
    for picture in _pictures(name, colour):
        drawn.addPixmap(QPixmap.fromImage(picture))
    return drawn


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
