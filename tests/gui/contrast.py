"""Contrast ratio of two colours."""

from PySide6.QtGui import QColor


def contrast(first: str, second: str) -> float:
    """Contrast ratio by the Web Content Accessibility Guidelines."""
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    shares = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in QColor(colour).getRgbF()[:3]
    ]
    return sum(weight * share for weight, share in zip((0.2126, 0.7152, 0.0722), shares, strict=True))
