"""Pixels and colours of an image, without a call for each pixel."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage


def pixels_of(image: QImage) -> NDArray[np.uint32]:
    """Pixels as 0xAARRGGBB, shape (height, width)."""
    pixels = image.convertToFormat(QImage.Format.Format_ARGB32)
    return np.frombuffer(pixels.constBits(), np.uint32).reshape(pixels.height(), pixels.width()).copy()


def rgb_of(image: QImage) -> NDArray[np.int32]:
    """Red, green and blue of each pixel, shape (height, width, 3)."""
    return (pixels_of(image)[..., np.newaxis] >> np.array([16, 8, 0], np.uint32) & 0xFF).astype(np.int32)


def is_colour(image: QImage, colour: str) -> NDArray[np.bool_]:
    """Mark the pixels of an opaque colour, shape (height, width)."""
    return pixels_of(image) == QColor(colour).rgb()


def colours_of(image: QImage) -> set[str]:
    values = np.unique(pixels_of(image) & 0xFFFFFF)
    return {f"#{value:06x}" for value in values.tolist()}
