"""Groups of similar documents by the rows of the table of pairs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.groups import MINIMUM_GROUP_SHARE, Group, find_groups
from simcompare.ui.state.cohort.pair_rows_data import PairTable, larger_share

NO_GROUP = 0


def groups_in(table: PairTable) -> Sequence[Group]:
    """Group the documents of a table by the shares of its pairs."""
    rows = table.rows
    return find_groups(rows["left"], rows["right"], larger_share(rows))


class Grouping:
    """Group of each row of a table. A row is in a group only if its own two documents are linked.

    Two documents of a group may be linked only through a third one; their row is in no group.
    """

    def __init__(self, table: PairTable, groups: Sequence[Group] = ()) -> None:
        rows = table.rows
        self.groups = groups
        keys = (key for group in groups for key in group.members)
        numbers = np.full(max(int(rows["right"].max(initial=0)), *keys, 0) + 1, NO_GROUP, np.int32)
        for group in groups:
            numbers[list(group.members)] = group.number
        left, right = numbers[rows["left"]], numbers[rows["right"]]
        is_link = (left == right) & (np.nan_to_num(larger_share(rows), nan=-1.0) >= MINIMUM_GROUP_SHARE)
        self.numbers: NDArray[np.int32] = np.where(is_link, left, NO_GROUP)
        """Number of each row's group, NO_GROUP for none."""

    def group_of(self, place: int) -> Group | None:
        """Return the group of a row."""
        number = int(self.numbers[place]) if place < len(self.numbers) else NO_GROUP
        return next((group for group in self.groups if group.number == number), None)
