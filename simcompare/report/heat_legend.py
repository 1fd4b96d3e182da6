"""What stands beside a picture of the matrix: the numbers of its axes, the colours of its scale."""

from collections.abc import Iterator, Sequence


def ticks(count: int, most: int) -> list[int]:
    """Return the numbers at an axis of 1 to `count`: the first, about `most` round ones, and the last."""
    step = next(size for size in _round_steps() if count <= size * max(most, 1))
    between = [
        number for number in range(step, count, step) if count - number > step / 2 and number > step / 2
    ]
    return sorted({1, *between, count})


def _round_steps() -> Iterator[int]:
    power = 1
    while True:
        yield from (power, 2 * power, 5 * power)
        power *= 10


def scale_colour(stops: Sequence[str], share: float) -> str:
    """Return the colour at a share of the way along the stops."""
    at = share * (len(stops) - 1)
    first = min(int(at), len(stops) - 2)
    channels = [
        round(int(low, 16) + (int(high, 16) - int(low, 16)) * (at - first))
        for low, high in zip(_channels(stops[first]), _channels(stops[first + 1]), strict=True)
    ]
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def _channels(colour: str) -> tuple[str, str, str]:
    return colour[1:3], colour[3:5], colour[5:7]
