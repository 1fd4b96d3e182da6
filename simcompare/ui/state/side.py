"""The two sides of a comparison."""

from enum import Enum


class Side(Enum):
    """Which of the two texts."""

    LEFT = "left"
    RIGHT = "right"

    @property
    def other(self) -> "Side":
        """The opposite side."""
        return Side.RIGHT if self is Side.LEFT else Side.LEFT
