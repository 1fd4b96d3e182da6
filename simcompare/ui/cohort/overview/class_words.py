"""Words and tables of the pictures of a class: counts above a limit, bars, shares of two essays."""

from collections.abc import Callable
from enum import Enum, auto
from math import isnan

import numpy as np

from simcompare.cohort.class_figures import BIN_COUNT
from simcompare.cohort.pair_scores import ClassShares
from simcompare.report.cohort.cohort_rows import none_unusual_in_words, with_cleared_pairs
from simcompare.report.wording import decision_name, enumerated, named, with_share_before
from simcompare.session.decisions import Decision
from simcompare.support.display_text import percent, reaches, with_sign
from simcompare.support.i18n import _, ngettext
from simcompare.ui.access.picture_table import PictureTable
from simcompare.ui.state.cohort.class_filter import ClassPicture, ShareRange, bin_range

Link = tuple[int, int, float | None]
"""Indices of two essays and their larger share after decisions, None if only rewritten passages link them."""


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
        cell=lambda row, column: _with_rewriting(
            picture, order[row], order[column], share_in_words(picture, order[row], order[column]) or "–"
        ),
        choose=lambda row, column: choose((row, column)),
        first=first,
        widest=" · ".join([percent(1), _("possibly rewritten")]) if len(picture.rewritten) else "",
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


def table_of_links(picture: ClassPicture, edges: list[Link], choose: Callable[[int], object]) -> PictureTable:
    """Return the linked essays with those that each is linked with; choose: gets the index of the document.

    edges: the links, the highest share last.
    """
    links: dict[int, list[tuple[int, float | None]]] = {}
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


_LEAST_WHOLE_PERCENT = 10
"""Percentages below have a decimal."""


def pairs_from_in_words(picture: ClassPicture, limit: float) -> str:
    """Return "7 pairs at 9% or more"."""
    return ngettext(
        "{count} pair at {limit} or more",
        "{count} pairs at {limit} or more",
        picture.figures.count_from(limit),
        limit=percent(limit),
    )


def unusual_in_words(picture: ClassPicture, shares: ClassShares, limit: float) -> str:
    """Return "7 pairs are unusual, 2 of them with earlier work." for a limit, and how many are cleared.

    The shares are those of the pairs of this year's essays; the picture has those with earlier work too.
    """
    count = picture.figures.count_from(limit)
    if not count:
        return none_unusual_in_words(percent(limit))
    old = count - int(reaches(shares.shares, limit).sum())
    words = ngettext("{count} pair is unusual.", "{count} pairs are unusual.", count)
    if old:
        words = ngettext(
            "{count} pair is unusual, {old} of them with earlier work.",
            "{count} pairs are unusual, {old} of them with earlier work.",
            count,
            old=f"{old:,}",
        )
    before, after = (reaches(figures.larger, limit) for figures in (picture.figures, picture.after))
    return with_cleared_pairs(words, int(np.count_nonzero(before & (picture.is_fine | ~after))))


class MeaningSearch(Enum):
    """Pairs in which possibly rewritten passages are searched.

    IMPOSSIBLE: not even on request, without the model; NOT_SO_STRICTLY: not at this strictness. UNDER_WAY: in
    all, and it is not over.
    """

    IMPOSSIBLE = auto()
    NOT_SO_STRICTLY = auto()
    NONE = auto()
    EARLIER_WORK = auto()
    UNDER_WAY = auto()
    ALL = auto()


def not_searched_in_words(search: MeaningSearch) -> str:
    """Say where no possibly rewritten passages were searched, and offer to search; "" if there is no more."""
    if search is MeaningSearch.NONE:
        return _("Possibly rewritten passages were not searched for · Search")
    if search is MeaningSearch.EARLIER_WORK:
        return _("Possibly rewritten passages were searched for in earlier work only · Search all")
    return ""


def no_conclusion_in_words() -> str:
    """Return the text shown until all pairs are compared."""
    return _("Not all pairs are compared yet: no conclusion.")


def range_in_words(shares: ShareRange) -> str:
    """Return "98% or more", "12 to 13%" or "8 to 9.9%", with the percentages of the table of pairs."""
    if shares.below is None:
        return _("{limit} or more").format(limit=percent(shares.least))
    below = round(100 * shares.below)
    most = below - (1 if below > _LEAST_WHOLE_PERCENT else 0.1)
    return _("{lowest} to {highest}").format(lowest=round(100 * shares.least), highest=with_sign(f"{most:g}"))


def bin_in_words(picture: ClassPicture, number: int) -> str:
    """Return "12 to 13%: 3 pairs" for a bar of the histogram."""
    count = int(picture.figures.histogram[number])
    words = _("{range}: {pairs}")
    return words.format(
        range=range_in_words(bin_range(number)), pairs=ngettext("{count} pair", "{count} pairs", count)
    )


def shares_in_words(picture: ClassPicture, first: int, second: int) -> str:
    """Return "张三 52% · 李四 41%": the shares of two essays that are in the other one."""
    if first == second:
        return picture.labels[first]
    shares = (
        f"{picture.labels[own]} {share_in_words(picture, own, other)}".rstrip()
        for own, other in ((first, second), (second, first))
    )
    return _with_rewriting(picture, first, second, *shares)


def _with_rewriting(picture: ClassPicture, first: int, second: int, *shares: str) -> str:
    rewritten = [_("possibly rewritten")] if picture.is_rewritten(first, second) else []
    return " · ".join([*shares, *rewritten])


def share_in_words(picture: ClassPicture, own: int, other: int) -> str:
    """Return "12% (was 58%)", the share of an essay in another one; "" if it is not known."""
    after, before = (float(figures.matrix[own, other]) for figures in (picture.after, picture.figures))
    return "" if isnan(before) else with_share_before(after, before)


def linked_in_words(picture: ClassPicture, index: int, others: list[tuple[int, float | None]]) -> str:
    """Return "张三: 李四 52%, 王五 20%": a node of the graph and those that it is linked with."""
    return named(picture.labels[index], partners_in_words(picture, index, others))


def partners_in_words(picture: ClassPicture, index: int, others: list[tuple[int, float | None]]) -> str:
    """Return "李四 52%, 王五 20%": essays linked with one, and their larger shares after decisions."""
    return enumerated(
        f"{picture.labels[other]} {link_in_words(picture, index, other, share)}" for other, share in others
    )


def link_in_words(picture: ClassPicture, first: int, second: int, share: float | None) -> str:
    """Return "52%", "52 → 0%" by decisions, "52% no concern" as a whole, or that the link is rewritten."""
    if share is None:
        return _("possibly rewritten")
    matrix = picture.figures.matrix
    before = float(np.fmax(matrix[first, second], matrix[second, first]))
    words = with_share_before(share, before)
    is_plain = words == percent(before) and picture.is_cleared(first, second)
    return f"{words} {decision_name(Decision.FINE)}" if is_plain else words
