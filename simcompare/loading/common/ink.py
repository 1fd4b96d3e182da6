"""Whether characters can be seen: what properties say of their look, one above the other."""

from dataclasses import dataclass
from functools import reduce

from simcompare.loading.common.colours import Colour, are_alike
from simcompare.receipt import DropReason

# Two points: letters of less are a line.
_LEAST_HALF_POINTS = 4
# Letters squeezed to less of their width are a line too.
_LEAST_WIDTH_PERCENT = 10
# The colour that a program chooses by the ground, so that it can be seen; and a ground that cannot be known.
AUTOMATIC = "automatic"
UNKNOWN = "unknown"
Hue = Colour | str


@dataclass(frozen=True, slots=True)
class Ink:
    """What run properties say of the look; None is what they are silent about.

    `ground` is the shading or the highlight behind the characters themselves.
    """

    hidden: bool | None = None
    colour: Hue | None = None
    half_points: int | None = None
    width_percent: int | None = None
    outlined: bool | None = None
    ground: Hue | None = None

    def over(self, lower: "Ink") -> "Ink":
        """Return what holds where these properties stand above those of `lower`."""
        if self is SILENT or lower is SILENT:
            return lower if self is SILENT else self
        return Ink(
            lower.hidden if self.hidden is None else self.hidden,
            lower.colour if self.colour is None else self.colour,
            lower.half_points if self.half_points is None else self.half_points,
            lower.width_percent if self.width_percent is None else self.width_percent,
            lower.outlined if self.outlined is None else self.outlined,
            lower.ground if self.ground is None else self.ground,
        )

    def unseen(self, ground: Hue) -> DropReason | None:
        """Return why nobody sees characters of this look on such a ground, None where they are seen."""
        if self.hidden:
            return DropReason.HIDDEN_TEXT
        if self.half_points is not None and self.half_points < _LEAST_HALF_POINTS:
            return DropReason.TINY_TEXT
        if self.width_percent is not None and self.width_percent < _LEAST_WIDTH_PERCENT:
            return DropReason.TINY_TEXT
        behind = self.ground if self.ground is not None else ground
        if isinstance(self.colour, tuple) and isinstance(behind, tuple) and not self.outlined:
            return DropReason.WHITE_TEXT if are_alike(self.colour, behind) else None
        return None


SILENT = Ink()


def stacked(inks: list[Ink]) -> Ink:
    """Return what holds of properties that stand above each other, the uppermost first."""
    return reduce(Ink.over, inks, SILENT)
