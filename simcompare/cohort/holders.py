"""How many documents of a class may hold what two of them have in common so that it still tells something."""

FEWEST_HOLDERS, HOLDERS_SHARE = 3, 0.1


def most_holders(documents: int, fewest: int = FEWEST_HOLDERS, share: float = HOLDERS_SHARE) -> int:
    """Return the number of holders above which it is of a template, or usual in the class."""
    return max(fewest, int(share * documents))
