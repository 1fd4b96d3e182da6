"""Figures behind the pictures of a class: histogram, matrix of shares, order of documents, nearest partners.

The window paints them, the class report draws them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.cohort_scoring import Group, find_groups, linking_shares
from simcompare.pseudonyms.chinese_names import name_order
from simcompare.support.arrays import BoolArray, Float64Array, IndexArray
from simcompare.support.display_text import least_share, reaches

PERCENT_PER_BIN = 2
BIN_COUNT = 100 // PERCENT_PER_BIN
_UNKNOWN = -1.0
_STEPS = 1000
"""Shares that are the same in tables, with one decimal of a percent, are equal for `ClassFigures.nearest`."""
_BIN_STARTS = [least_share(percent) for percent in range(PERCENT_PER_BIN, 100, PERCENT_PER_BIN)]


def ranks_by_name(names: Sequence[str]) -> tuple[int, ...]:
    """Return the place of each document in the order of these names."""
    order = sorted(range(len(names)), key=lambda place: (name_order(names[place]), place))
    return tuple(np.argsort(np.array(order, np.intp)).tolist())


@dataclass(frozen=True, eq=False)
class ClassFigures:
    """Shares of the pairs of a class, and what the pictures show of them.

    count: number of documents; left, right: indices in range(count) of the documents of each pair, shape
    (pairs,); left_in_right, right_in_left: share of the left and of the right document after exclusions, in
    [0, 1], NaN if unknown, shape (pairs,). Pairs may be missing: old work is not compared with itself.
    rank_scores: of the pairs, NaN if unknown, shape (pairs,); name_ranks: of the documents (`ranks_by_name`).
    Neither may be known. rewritten: which pairs have possibly rewritten passages, shape (pairs,), None if
    that was not searched.
    """

    count: int
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    left_in_right: Float64Array
    right_in_left: Float64Array
    rank_scores: Float64Array | None = None
    name_ranks: Sequence[int] = ()
    rewritten: BoolArray | None = None

    @cached_property
    def larger(self) -> Float64Array:
        """Larger share of each pair, NaN if unknown, shape (pairs,)."""
        larger: Float64Array = np.fmax(self.left_in_right, self.right_in_left)
        return larger

    @cached_property
    def histogram(self) -> NDArray[np.intp]:
        """Number of pairs by larger share, shape (BIN_COUNT,); bin i begins at i * PERCENT_PER_BIN percent.

        Shares count as they are written: 11.7%, written as 12%, is in the bin that begins there. The last
        bin holds 100% too. Pairs whose share is unknown are left out.
        """
        known = self.larger[~np.isnan(self.larger)]
        bins = np.searchsorted(_BIN_STARTS, known, side="right")
        return np.bincount(bins, minlength=BIN_COUNT)

    @cached_property
    def known_count(self) -> int:
        return int(np.count_nonzero(~np.isnan(self.larger)))

    @cached_property
    def _links(self) -> Float64Array:
        return linking_shares(self.left_in_right, self.right_in_left)

    def links_from(self, least: float) -> IndexArray:
        """Return the indices of the pairs that link their documents from this share, highest share first."""
        found = np.flatnonzero(reaches(self._links, least))
        return found[np.argsort(-self.larger[found], kind="stable")]

    def edges_from(self, least: float) -> tuple[IndexArray, int]:
        """Return `links_from` and then the other possibly rewritten pairs, and how many are of the former."""
        links = self.links_from(least)
        if self.rewritten is None:
            return links, len(links)
        others = np.flatnonzero(self.rewritten & ~reaches(self._links, least))
        return np.concatenate([links, others]), len(links)

    def count_from(self, least: float) -> int:
        """Return the number of pairs whose larger share reaches `least`."""
        return int(np.count_nonzero(reaches(self.larger, least)))

    @cached_property
    def matrix(self) -> NDArray[np.float32]:
        """Share of document i in document j at [i, j], shape (count, count); NaN if unknown or i = j."""
        matrix = np.full((self.count, self.count), np.nan, np.float32)
        matrix[self.left, self.right] = self.left_in_right
        matrix[self.right, self.left] = self.right_in_left
        return matrix

    @cached_property
    def nearest(self) -> tuple[Float64Array, IndexArray]:
        """Highest share of each document in another one, NaN without any, and that one, -1 without any.

        Of equal ones the document with the rarest text in common is the nearest, then the first by name.
        """
        highest, nearest = np.full(self.count, np.nan), np.full(self.count, -1)
        shares = np.concatenate([self.left_in_right, self.right_in_left])
        known = np.flatnonzero(~np.isnan(shares))
        own, other = (
            np.concatenate(ends)[known] for ends in ((self.left, self.right), (self.right, self.left))
        )
        np.fmax.at(highest, own, shares[known])
        scores = np.zeros(len(known)) if self.rank_scores is None else np.tile(self.rank_scores, 2)[known]
        names = np.asarray(self.name_ranks or range(self.count), np.int64)[other]
        rounded = np.round(shares[known] * _STEPS)
        # the last one of each document is kept
        order = np.lexsort((-names, np.nan_to_num(scores, nan=_UNKNOWN), rounded))
        nearest[own[order]] = other[order]
        return highest, nearest

    def groups(self, least: float) -> list[Group]:
        """Return the groups of documents linked by pairs that reach this share, the largest first."""
        return list(find_groups(self.left, self.right, self._links, least))

    def connected(self, least: float) -> list[Group]:
        """Return the groups of documents that `edges_from` links."""
        if self.rewritten is None:
            return self.groups(least)
        shares = np.where(self.rewritten, np.fmax(self._links, least), self._links)
        return list(find_groups(self.left, self.right, shares, least))

    def order(self, least: float) -> IndexArray:
        """Return the documents by group, shape (count,): the members of a group side by side, largest first.

        Documents without a link that reaches `least` come last. Within a group and among the others, similar
        documents are neighbours.
        """
        groups = self.groups(least)
        ranks = np.full(self.count, len(groups))
        for group in groups:
            ranks[list(group.members)] = group.number - 1
        leaves = self._leaves
        return leaves[np.argsort(ranks[leaves], kind="stable")]

    @cached_property
    def _similarity(self) -> NDArray[np.float32]:
        """Larger share of any two documents, symmetric; below 0 where it is unknown."""
        similarity: NDArray[np.float32] = np.nan_to_num(np.fmax(self.matrix, self.matrix.T), nan=_UNKNOWN)
        return similarity

    @cached_property
    def _leaves(self) -> IndexArray:
        """Documents in the order of the leaves of the single-linkage tree of their similarity.

        The members of a group are neighbours there, whatever the limit. Of two branches those ends meet that
        are most similar.
        """
        branches = [[document] for document in range(self.count)]
        of_document = list(range(self.count))
        for first, second in self._spanning_edges():
            left, right = branches[of_document[first]], branches[of_document[second]]
            joined = _joined(left, right, self._similarity)
            for document in joined:
                of_document[document] = first
            branches[first] = joined
        return np.array(branches[of_document[0]] if self.count else [], np.intp)

    def _spanning_edges(self) -> list[tuple[int, int]]:
        """Return the edges of the maximum spanning tree by descending similarity (Prim's algorithm)."""
        if self.count < 2:
            return []
        best, partner = self._similarity[0].copy(), np.zeros(self.count, np.intp)
        best[0] = -np.inf
        edges, weights = [], []
        for _step in range(self.count - 1):
            added = int(best.argmax())
            edges.append((int(partner[added]), added))
            weights.append(-best[added])
            own = self._similarity[added]
            closer = (own > best) & np.isfinite(best)
            best[closer], partner[closer] = own[closer], added
            best[added] = -np.inf
        return [edges[place] for place in np.argsort(weights, kind="stable").tolist()]


def _joined(left: list[int], right: list[int], similarity: NDArray[np.float32]) -> list[int]:
    """Join two rows of documents, reversed if needed, at their most similar ends."""
    ways = (
        (similarity[left[-1], right[0]], left, right),
        (similarity[left[-1], right[-1]], left, right[::-1]),
        (similarity[left[0], right[0]], left[::-1], right),
        (similarity[left[0], right[-1]], right, left),
    )
    _similarity, first, second = max(ways, key=lambda way: float(way[0]))
    return first + second


LABEL_PLACES = (0.5, 0.4, 0.6, 0.3, 0.7)
"""Places of a label on its line, in order of preference."""
MOST_EDGES = 1_000
"""Most edges drawn, those with the highest shares; more lines could not be distinguished."""
_EDGE_CELLS = 1.35
"""Distance of linked nodes, so that an edge is visible between two labels."""
_GAP_CELLS = 0.25
"""Free space between groups."""
_WIDTH_FACTORS = np.linspace(0.6, 2.0, 15).tolist()
"""Widths tried for the rows of groups, as multiples of that of a picture without gaps."""
_FARTHEST = 8
"""Longest path that is measured in a group of many documents; farther ones count as one more."""
_LARGE_GROUP = 60
_SMALL_GROUP = 12
"""Most nodes of a group in which all swaps of two nodes are tried."""
_BESIDE_CELLS, _RING_RADIUS = 0.4, 1.3
_STEEP = 0.9
"""Least slope of a link, in cells, that strikes a name below or above its node."""
_STRESS_BUDGET, _SPREADING_BUDGET = 500_000, 700_000
"""Iterations times nodes squared: about 15 ms each."""
_MOST_SPREADING_STEPS = 100
_AT_REST_CELLS = 0.01
_NEAR_CELLS = 0.995
_OVERSHOOT = 1.05
_ROUND = 1e-3
"""Least difference of the spreads in two directions, as part of their sum; a smaller one has no direction."""
_DIGITS = 6
_CROWDED_CELLS = 1.8
"""Least area for each node."""
Positions = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class GraphLayout:
    """Nodes and edges of a graph; lengths are in cells, each with space for a node and its label.

    nodes: linked documents, shape (nodes,); positions: x and y of their centres, shape (nodes, 2), within
    (width, height); edges: indices of pairs in the class figures, shape (edges,), highest share first, and
    then, from the index rewritten_start on, those that are linked by possibly rewritten passages alone;
    are_above: which nodes are better named above than below, as more steep edges go down, shape (nodes,);
    unlinked_count: documents that are not drawn; hidden_edges: pairs beyond MOST_EDGES.
    """

    nodes: Places
    positions: Positions
    edges: Places
    rewritten_start: int
    are_above: BoolArray
    width: float
    height: float
    unlinked_count: int
    hidden_edges: int


def lay_out_graph(figures: ClassFigures, least: float, aspect: float = 1.5) -> GraphLayout:
    """Lay out the documents linked by `ClassFigures.edges_from`.

    Each group is laid out so that distances follow the number of links between two documents (stress
    majorization, Gansner et al. 2004), and the groups are packed in rows, the largest first. aspect: wanted
    width / height, in cells. Equal figures give equal layouts.
    """
    (edges, link_count), groups = figures.edges_from(least), figures.connected(least)
    nodes = np.array([member for group in groups for member in group.members], np.intp)
    parts = [_group_layout(group, figures, edges) for group in groups]
    positions, width, height = _packed(parts, aspect)
    place = np.full(figures.count, -1)
    place[nodes] = np.arange(len(nodes))
    first, second = place[figures.left[edges]], place[figures.right[edges]]
    x, y = (positions[second] - positions[first]).T
    steep = np.sign(y) * (np.abs(y) > _STEEP * np.abs(x))
    downwards = np.zeros(len(nodes))
    np.add.at(downwards, first, steep)
    np.subtract.at(downwards, second, steep)
    return GraphLayout(
        nodes,
        positions,
        edges[:MOST_EDGES],
        min(link_count, MOST_EDGES),
        downwards > 0,
        width,
        height,
        figures.count - len(nodes),
        max(0, len(edges) - MOST_EDGES),
    )


def _group_layout(group: Group, figures: ClassFigures, edges: Places) -> Positions:
    """Return the positions of the members of a group; the least x and y are half a cell."""
    count = len(group.members)
    if count == 2:
        return np.array([(0.5, 0.5), (0.5 + _EDGE_CELLS, 0.5)])
    place = np.full(figures.count, -1)
    place[list(group.members)] = np.arange(count)
    left, right = place[figures.left[edges]], place[figures.right[edges]]
    left, right = left[left >= 0], right[left >= 0]
    positions = _upright(_stress_layout(_path_lengths(count, left, right)))
    if count <= _SMALL_GROUP:
        positions = _untangled(positions, left, right)
    area = float(np.prod(np.maximum(np.ptp(positions, axis=0), 0.5)))
    scale = max(_EDGE_CELLS, (_CROWDED_CELLS * count / area) ** 0.5 if count > _LARGE_GROUP else 0.0)
    positions = _spread(positions * scale)
    corner: Positions = positions.min(axis=0) - 0.5
    return positions - corner


def are_crossing(first: Positions, second: Positions) -> BoolArray:
    """Return which lines cross which others, not only touch them; x, y, x, y: (n, 4), (m, 4) to (n, m)."""

    def sides(lines: Positions, others: Positions) -> Positions:
        start, end = others[:, None, :2] - lines[:, :2], others[:, None, 2:] - lines[:, :2]
        along = lines[:, 2:] - lines[:, :2]
        return np.sign(_cross(along, start)) * np.sign(_cross(along, end))

    crossing: BoolArray = (sides(first, second).T < 0) & (sides(second, first) < 0)
    return crossing


def diagonals_of(left: float, top: float, right: float, bottom: float) -> Positions:
    """Return the lines that any line through a box crosses, shape (2, 4)."""
    return np.array([(left, top, right, bottom), (left, bottom, right, top)])


def _cross(first: Positions, second: Positions) -> Positions:
    product: Positions = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return product


def _untangled(positions: Positions, left: Places, right: Places) -> Positions:
    """Return a layout of a small group whose links cross each other and other nodes as little as swaps allow.

    The other layout tried is a ring around one node: four essays that are all linked need it.
    """

    def faults(places: Positions) -> tuple[int, float]:
        lines = np.concatenate([places[left], places[right]], axis=1)
        along = places[right] - places[left]
        towards = places[:, None] - places[left]
        lengths = np.maximum((along**2).sum(axis=1), 1e-9)
        part = (along * towards).sum(axis=2) / lengths
        is_beside = (np.abs(_cross(along, towards)) < _BESIDE_CELLS * lengths**0.5) & (part > 0) & (part < 1)
        is_beside[left, np.arange(len(left))] = is_beside[right, np.arange(len(left))] = False
        count = int(are_crossing(lines, lines).sum() // 2 + is_beside.sum())
        return count, round(float((lengths**0.5).sum()), _DIGITS)

    angles = 2 * np.pi * np.arange(len(positions) - 1) / (len(positions) - 1) - np.pi / 2
    ring = np.concatenate([[(0.0, 0.0)], _RING_RADIUS * np.stack([np.cos(angles), np.sin(angles)], axis=1)])
    best = faults(positions), positions
    for start in (positions, _rounded(ring)):
        if best[0][0] == 0:
            break
        found = faults(start), start
        for first, second in combinations(range(len(start)), 2):
            order = np.arange(len(start))
            order[[first, second]] = second, first
            swapped = found[1][order]
            found = min(found, (faults(swapped), swapped), key=lambda each: each[0])
        best = min(best, found, key=lambda each: each[0][0])
    return best[1]


def _path_lengths(count: int, left: Places, right: Places) -> NDArray[np.float64]:
    """Return the number of links between any two nodes of a connected graph, shape (nodes, nodes)."""
    ends, others = np.concatenate([left, right]), np.concatenate([right, left])
    order = np.argsort(ends, kind="stable")
    others, starts = others[order], np.searchsorted(ends[order], np.arange(count))
    farthest = count if count <= _LARGE_GROUP else _FARTHEST
    lengths = np.where(np.eye(count, dtype=np.bool_), 0.0, farthest + 1.0)
    reached = np.packbits(np.eye(count, dtype=np.bool_), axis=1)
    for length in range(1, farthest + 1):
        reached = reached | np.bitwise_or.reduceat(reached[others], starts)
        is_new = (np.unpackbits(reached, axis=1, count=count) > 0) & (lengths > farthest)
        if not is_new.any():
            break
        lengths[is_new] = length
    return lengths


def _stress_layout(lengths: NDArray[np.float64]) -> Positions:
    """Place nodes so that their distances are near the path lengths, weighted by length^-2.

    In a large group all weights are 1. Calls of BLAS are avoided there: its threads wait for each other on
    a busy machine, for half a second.
    """
    count = len(lengths)
    angles = 2 * np.pi * np.arange(count) / count
    positions = np.stack([np.cos(angles), np.sin(angles)], axis=1) * max(1.0, count / (2 * np.pi))
    weights: NDArray[np.float64] = 1 - np.eye(count)
    inverse = None
    if count <= _LARGE_GROUP:
        weights /= np.maximum(lengths, 1) ** 2
        inverse = np.linalg.inv(np.diag(weights.sum(axis=1)) - weights + 1 / count)
    for _step in range(min(100, max(5, _STRESS_BUDGET // count**2))):
        x, y = positions.T
        distances = np.hypot(x[:, None] - x, y[:, None] - y)
        pull = weights * lengths / np.where(distances > 0, distances, 1.0)
        moved = pull.sum(axis=1)[:, None] * positions - np.einsum("ij,jk->ik", pull, positions)
        before, positions = positions, moved / count if inverse is None else inverse @ moved
        if np.abs(positions - before).max() < _AT_REST_CELLS:
            break
    return _rounded(positions)


def _upright(positions: Positions) -> Positions:
    """Turn a layout so that it is widest in x, with the first node at the left; a round one stays."""
    x, y = (positions - positions.mean(axis=0)).T
    across, along = float(2 * (x * y).sum()), float((x * x - y * y).sum())
    angle = 0.0
    if np.hypot(across, along) > _ROUND * float((x * x + y * y).sum()):
        angle = 0.5 * float(np.arctan2(across, along))
    turned = _rounded(
        np.stack([x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)], axis=1)
    )
    return -turned if turned[0, 0] > 0 else turned


def _rounded(positions: Positions) -> Positions:
    """Round, so that no later decision depends on the last digits, in which processors differ."""
    return np.round(positions, _DIGITS) + 0.0  # no negative zero


def _spread(positions: Positions) -> Positions:
    """Push nodes apart until no two labels overlap, each pair along the shorter way."""
    count = len(positions)
    for _step in range(min(_MOST_SPREADING_STEPS, max(6, _SPREADING_BUDGET // count**2))):
        positions = _rounded(positions)
        x, y = positions.T
        is_near = (np.abs(x[:, None] - x) < _NEAR_CELLS) & (np.abs(y[:, None] - y) < _NEAR_CELLS)
        first, second = np.nonzero(is_near)
        first, second = first[first < second], second[first < second]
        if not len(first):
            break
        gaps = positions[first] - positions[second]
        overlaps = _rounded(1 - np.abs(gaps))
        axis = overlaps.argmin(axis=1)
        pairs = np.arange(len(first))
        towards = np.where(gaps[pairs, axis] < 0, -1.0, 1.0)
        push = 0.5 * _OVERSHOOT * towards * overlaps[pairs, axis]
        moves, numbers = np.zeros_like(positions), np.zeros_like(positions)
        for nodes, sign in ((first, 1), (second, -1)):
            np.add.at(moves, (nodes, axis), sign * push)
            np.add.at(numbers, (nodes, axis), 1)
        # a node between two others is moved by the mean, or crowds would fly apart
        positions += moves / np.sqrt(np.maximum(numbers, 1))
    return positions


def _packed(parts: list[Positions], aspect: float) -> tuple[Positions, float, float]:
    """Pack groups in rows; return all positions, in order, and the size of the whole."""
    if not parts:
        return np.zeros((0, 2)), 0.0, 0.0
    sizes = np.array([part.max(axis=0) + 0.5 for part in parts])
    area = float(np.prod(sizes + _GAP_CELLS, axis=1).sum())
    widest = float(sizes[:, 0].max())
    candidates = [max(widest, (area * aspect) ** 0.5 * factor) for factor in _WIDTH_FACTORS]
    rows = [_rows(sizes, width) for width in candidates]
    # the packing that is shown largest in the wanted shape
    places, width, height = min(rows, key=lambda row: max(row[1] / aspect, row[2]))
    moved = [part + place for part, place in zip(parts, places, strict=True)]
    return np.concatenate(moved), width, height


def _rows(sizes: NDArray[np.float64], most_width: float) -> tuple[NDArray[np.float64], float, float]:
    """Place boxes in rows at most so wide, in order; return their corners and the size of the whole."""
    corners = np.zeros_like(sizes)
    x = y = row_height = width = 0.0
    for place, (own_width, own_height) in enumerate(sizes.tolist()):
        if x and x + own_width > most_width + 1e-9:
            x, y, row_height = 0.0, y + row_height + _GAP_CELLS, 0.0
        corners[place] = x, y
        width, row_height = max(width, x + own_width), max(row_height, own_height)
        x += own_width + _GAP_CELLS
    return corners, width, y + row_height
