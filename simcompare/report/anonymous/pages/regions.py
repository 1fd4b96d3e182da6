"""Areas of a page where pictures and drawings are left out: those of the parts of one drawing are one."""

from collections.abc import Sequence

import numpy as np

from simcompare.loading.pdf.lines import Boxes
from simcompare.report.annotated.quads import Rectangle, union

# What is nearer is one drawing; what is smaller leaves no gap that anybody sees.
_NEAR_POINTS = 6.0
_SMALLEST_POINTS = 8.0
_MOST_BOXES = 400


def regions_of(boxes: Boxes, page: Sequence[float]) -> list[Rectangle]:
    """Return areas around boxes, shape (n, 4), within a page; those that meet are one."""
    x0, y0, x1, y1 = page
    within = np.nan_to_num(boxes).clip((x0, y0, x0, y0), (x1, y1, x1, y1))
    seen = [tuple(box) for box in within.tolist() if box[0] < box[2] or box[1] < box[3]]
    if len(seen) > _MOST_BOXES:
        seen = [union(seen)]
    regions: list[Rectangle] = []
    for box in seen:
        region = box
        while near := [one for one in regions if _are_near(one, region)]:
            regions = [one for one in regions if one not in near]
            region = union([region, *near])
        regions.append(region)
    return sorted(one for one in regions if min(one[2] - one[0], one[3] - one[1]) >= _SMALLEST_POINTS)


def _are_near(one: Rectangle, other: Rectangle) -> bool:
    return all(
        one[low] <= other[low + 2] + _NEAR_POINTS and other[low] <= one[low + 2] + _NEAR_POINTS
        for low in (0, 1)
    )
