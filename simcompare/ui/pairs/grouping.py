"""Groups of documents in the table of pairs: which each row belongs to, and who is in it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.groups import LEAST_SHARED, Group, groups_of
from simcompare.ui.pairs.arrangement import most_covered
from simcompare.ui.state.pair_table import PairTable

NO_GROUP = 0


def groups_in(table: PairTable) -> Sequence[Group]:
    """Return the groups of the documents of a table, by what is known of its pairs."""
    rows = table.rows
    return groups_of(rows["left"], rows["right"], most_covered(rows))


class Grouping:
    """Groups along the rows of a table at one moment. A row is in a group where it holds it together.

    Two documents of a group may have nothing in common but a third one: their row is in none.
    """

    def __init__(self, table: PairTable, groups: Sequence[Group] = ()) -> None:
        rows = table.rows
        self.groups = groups
        keys = (key for group in groups for key in group.members)
        numbers = np.full(max(int(rows["right"].max(initial=0)), *keys, 0) + 1, NO_GROUP, np.int32)
        for group in groups:
            numbers[list(group.members)] = group.number
        left, right = numbers[rows["left"]], numbers[rows["right"]]
        is_link = (left == right) & (np.nan_to_num(most_covered(rows), nan=-1.0) >= LEAST_SHARED)
        self.numbers: NDArray[np.int32] = np.where(is_link, left, NO_GROUP)
        """The number of the group of each row, NO_GROUP where it is in none."""

    def group_of(self, place: int) -> Group | None:
        """Return the group of a row."""
        number = int(self.numbers[place]) if place < len(self.numbers) else NO_GROUP
        return next((group for group in self.groups if group.number == number), None)
