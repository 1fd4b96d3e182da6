"""Colours of an image."""

import numpy as np
from PySide6.QtGui import QImage


def colours_of(image: QImage) -> set[str]:
    pixels = image.convertToFormat(QImage.Format.Format_RGB32)
    values = np.unique(np.frombuffer(pixels.constBits(), dtype=np.uint32)) & 0xFFFFFF
    return {f"#{value:06x}" for value in values.tolist()}
