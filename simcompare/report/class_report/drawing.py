"""Drawings of lines, boxes, dots and labels, in roles that a page or a PDF gives colours to."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

Role = Literal[
    "grid", "usual", "unusual", "limit", "link", "node", "frame", "ink", "muted", "strong", "halo", "page"
]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Line:
    """Line between two points; `width` is that of the stroke."""

    role: Role
    x1: float
    y1: float
    x2: float
    y2: float
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Box:
    """Filled rectangle; in the role "frame" only its outline, in "page" the colour of the page."""

    role: Role
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Dot:
    """Filled circle."""

    role: Role
    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class Label:
    """Text whose baseline is at y; `anchor` says which part of it is at x."""

    role: Role
    x: float
    y: float
    text: str
    anchor: Anchor = "middle"


@dataclass(frozen=True, slots=True)
class Picture:
    """Pixels as PNG in data: URIs, for a light and for a dark background."""

    x: float
    y: float
    width: float
    height: float
    light: str
    dark: str
    role: Role = "ink"


Shape = Line | Box | Dot | Label | Picture


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes in their order of painting, on an area in pixels; in_words: text alternative."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    in_words: str

    @property
    def values(self) -> list[dict[str, Any]]:
        """The shapes as JSON types, each with its kind ("line", "box", ...), rounded to 0.1."""
        return [{"kind": type(shape).__name__.lower()} | _rounded(asdict(shape)) for shape in self.shapes]


def _rounded(values: dict[str, Any]) -> dict[str, Any]:
    return {name: round(value, 1) if isinstance(value, float) else value for name, value in values.items()}
