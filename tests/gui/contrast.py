"""Contrast ratio and distance of two colours."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor


def contrast(first: str, second: str) -> float:
    """Contrast ratio by the Web Content Accessibility Guidelines."""
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    return float(relative_luminance(np.array(QColor(colour).getRgbF()[:3])))


def relative_luminance(parts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Luminance of colours, shape (..., 3), with red, green and blue in [0, 1]."""
    return _linear(parts) @ _LUMINANCE


def _linear(parts: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def linear_rgb(colour: str) -> NDArray[np.float64]:
    return _linear(np.array(QColor(colour).getRgbF()[:3]))


_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
_XYZ_OF_RGB = np.array([[0.4124, 0.3576, 0.1805], _LUMINANCE, [0.0193, 0.1192, 0.9505]])
_WHITE_XYZ = _XYZ_OF_RGB.sum(axis=1)

DEUTERANOPIA = np.array([[0.3673, 0.8607, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9690]])
"""Colours as seen without green receptors, for linear RGB (Machado et al. 2009, severity 1)."""


def distance(first: str, second: str, seen_by: NDArray[np.float64] | None = None) -> float:
    """Distance in CIE Lab (Delta E 1976); 2.3 is just noticeable. seen_by: matrix of a colour vision."""
    return float(np.linalg.norm(_lab(first, seen_by) - _lab(second, seen_by)))


def _lab(colour: str, seen_by: NDArray[np.float64] | None) -> NDArray[np.float64]:
    rgb = linear_rgb(colour)
    if seen_by is not None:
        rgb = np.clip(seen_by @ rgb, 0, 1)
    xyz = _XYZ_OF_RGB @ rgb / _WHITE_XYZ
    x, y, z = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
