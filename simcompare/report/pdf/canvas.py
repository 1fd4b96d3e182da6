"""A page and what is drawn on it, in points from its upper left corner (ISO 32000-1, chapter 8)."""

from dataclasses import dataclass, field
from functools import cache

from simcompare.report.pdf.file import real

PAGE_WIDTH_PT, PAGE_HEIGHT_PT = 595.28, 841.89
_DASHES = {"solid": "[] 0", "dashed": "[3.2 1.8] 0", "dotted": "[0 2] 0"}
_ROUND_ENDS = {"dotted": 1}


@dataclass(slots=True)
class Canvas:
    """The operators of one page, the areas that lead elsewhere, and the places that are led to."""

    operators: list[str] = field(default_factory=list)
    links: list[tuple[tuple[float, float, float, float], str]] = field(default_factory=list)
    places: dict[str, float] = field(default_factory=dict)

    def fill(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """Fill a rectangle."""
        self.operators.append(f"{rgb(colour)} rg {_box(x, y, width, height)} re f")

    def frame(self, x: float, y: float, width: float, height: float, colour: str, line_pt: float) -> None:
        """Draw the border of a rectangle."""
        self.operators.append(
            f"{rgb(colour)} RG {real(line_pt)} w [] 0 d 0 J {_box(x, y, width, height)} re S"
        )

    def line(
        self, x: float, y: float, width: float, colour: str, line_pt: float = 0.5, pattern: str = "solid"
    ) -> None:
        """Draw a horizontal line, solid, dashed or dotted."""
        level = real(PAGE_HEIGHT_PT - y)
        self.operators.append(
            f"{rgb(colour)} RG {real(line_pt)} w {_DASHES[pattern]} d {_ROUND_ENDS.get(pattern, 0)} J "
            f"{real(x)} {level} m {real(x + width)} {level} l S"
        )

    def text(
        self, x: float, y: float, font: str, size_pt: float, shown: str, *, colour: str, thickened: bool
    ) -> None:
        """Show glyphs, as an array of strings and shifts, from a point on the baseline.

        Thickened glyphs are outlined too: a bold face where the font has none.
        """
        paint = f"{rgb(colour)} rg"
        if thickened:
            paint += f" {rgb(colour)} RG {real(size_pt / 28)} w [] 0 d 0 J 2 Tr"
        self.operators.append(
            f"BT {paint} /{font} {real(size_pt)} Tf {real(x)} {real(PAGE_HEIGHT_PT - y)} Td [{shown}] TJ"
            f"{' 0 Tr' if thickened else ''} ET"
        )

    def picture(self, x: float, y: float, width: float, height: float, name: str) -> None:
        """Show a picture of the file."""
        level = PAGE_HEIGHT_PT - y - height
        self.operators.append(f"q {real(width)} 0 0 {real(height)} {real(x)} {real(level)} cm /{name} Do Q")

    def link(self, x: float, y: float, width: float, height: float, place: str) -> None:
        """Let an area lead to a named place."""
        top = PAGE_HEIGHT_PT - y
        self.links.append(((x, top - height, x + width, top), place))

    def mark(self, y: float, place: str) -> None:
        """Name a place; the first of a name counts."""
        self.places.setdefault(place, PAGE_HEIGHT_PT - y)


@cache
def rgb(colour: str) -> str:
    """Return #rrggbb as three shares."""
    return " ".join(f"{int(colour[at : at + 2], 16) / 255:.3g}" for at in (1, 3, 5))


def _box(x: float, y: float, width: float, height: float) -> str:
    return f"{real(x)} {real(PAGE_HEIGHT_PT - y - height)} {real(width)} {real(height)}"
