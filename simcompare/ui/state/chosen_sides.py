"""Which two documents stand side by side, and who chose that."""

from collections.abc import Mapping, Sequence

from simcompare.ui.state.side import Side


class ChosenSides:
    """The documents on both sides, by their keys.

    Until somebody chooses, the first two documents without a problem stand side by side, in order.
    """

    def __init__(self) -> None:
        self.keys: dict[Side, int] = {}
        self.were_chosen = False
        """Whether a person has chosen what stands side by side."""

    def put(self, sides: Mapping[Side, int]) -> None:
        """Put documents on sides; what stood there leaves them."""
        self.keys = {**self.keys, **sides}
        self.were_chosen = True

    def swap(self) -> None:
        """Let the two change places."""
        self.keys = {side.other: key for side, key in self.keys.items()}
        self.were_chosen = True

    def restore(self, sides: Mapping[Side, int]) -> None:
        """Let the sides of a session take the place of those there are."""
        self.keys, self.were_chosen = dict(sides), bool(sides)

    def choose_among(self, usable: Sequence[int]) -> None:
        """Leave on its side what was chosen and can stay there, and fill the sides that are empty then."""
        self.keys = {side: key for side, key in self.keys.items() if self.were_chosen and key in usable}
        self.fill_from(usable)

    def fill_from(self, usable: Sequence[int]) -> None:
        """Give each empty side the first document that can stand there."""
        for side in Side:
            free = [key for key in usable if key not in self.keys.values()]
            if side not in self.keys and free:
                self.keys = {**self.keys, side: free[0]}
