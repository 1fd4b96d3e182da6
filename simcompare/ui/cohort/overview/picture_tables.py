"""Tables of the pictures of a class: heatmap, histogram, graph."""

from collections.abc import Callable

from simcompare.cohort.class_figures import BIN_COUNT
from simcompare.support.i18n import _
from simcompare.ui.access.picture_table import PictureTable
from simcompare.ui.cohort.overview.class_words import partners_in_words, range_in_words, share_in_words
from simcompare.ui.state.cohort.class_filter import bin_range
from simcompare.ui.state.cohort.class_picture import ClassPicture


def table_of_shares(
    picture: ClassPicture, choose: Callable[[tuple[int, int]], object], first: tuple[int, int]
) -> PictureTable:
    """Return the share of the essay of each row that is in the essay of each column, in the order painted.

    choose: gets row and column.
    """
    order = picture.order.tolist()
    names = [picture.labels[index] for index in order]
    return PictureTable(
        title=_("Heatmap of all essays"),
        row_count=len(names),
        column_count=len(names),
        row_name=names.__getitem__,
        column_name=names.__getitem__,
        cell=lambda row, column: share_in_words(picture, order[row], order[column]) or "–",
        choose=lambda row, column: choose((row, column)),
        first=first,
    )


def table_of_bars(picture: ClassPicture, choose: Callable[[int], object]) -> PictureTable:
    """Return the number of pairs of each bar of the histogram; choose: gets the number of the bar."""
    counts = picture.figures.histogram
    return PictureTable(
        title=_("How similar are the pairs?"),
        row_count=BIN_COUNT,
        column_count=1,
        row_name=lambda row: range_in_words(bin_range(row)),
        column_name=lambda _column: _("Pairs"),
        cell=lambda row, _column: f"{int(counts[row]):,}",
        choose=lambda row, _column: choose(row),
    )


def table_of_links(
    picture: ClassPicture, edges: list[tuple[int, int, float]], choose: Callable[[int], object]
) -> PictureTable:
    """Return the linked essays with those that each is linked with; choose: gets the index of the document.

    edges: both documents and the share of each link, the highest share last.
    """
    links: dict[int, list[tuple[int, float]]] = {}
    for left, right, share in reversed(edges):
        links.setdefault(left, []).append((right, share))
        links.setdefault(right, []).append((left, share))
    linked = list(links)

    return PictureTable(
        title=_("Graph of similar essays"),
        row_count=len(linked),
        column_count=1,
        row_name=lambda row: picture.labels[linked[row]],
        column_name=lambda _column: _("Similar essays"),
        cell=lambda row, _column: partners_in_words(picture, linked[row], links[linked[row]]),
        choose=lambda row, _column: choose(linked[row]),
    )
