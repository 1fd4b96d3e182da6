"""Colours of an image."""

from PySide6.QtGui import QImage


def colours_of(image: QImage) -> set[str]:
    points = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return {image.pixelColor(x, y).name() for x, y in points}
