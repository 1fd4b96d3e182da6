"""Draw the icon of the program in the sizes of the hicolor theme; started by build_packages.py."""

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SIDES_PX = (16, 22, 24, 32, 48, 64, 128, 256, 512)


def draw_icons(drawing: Path, theme: Path, name: str) -> None:
    """Write `theme`/SIDExSIDE/apps/`name`.png."""
    renderer = QSvgRenderer(str(drawing))
    if not renderer.isValid():
        raise SystemExit(f"{drawing} is not an SVG drawing.")
    for side in SIDES_PX:
        picture = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        renderer.render(painter)
        painter.end()
        target = theme / f"{side}x{side}" / "apps" / f"{name}.png"
        target.parent.mkdir(parents=True, exist_ok=True)
        if not picture.save(str(target)):
            raise SystemExit(f"{target} could not be written.")


if __name__ == "__main__":
    application = QGuiApplication(sys.argv[:1])
    draw_icons(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
