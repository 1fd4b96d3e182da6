"""Explanations of the figures of a report, for readers who see one for the first time."""

from collections.abc import Iterator

from simcompare.report.cohort.cohort_rows import figure_meaning
from simcompare.report.html_sections import PageView
from simcompare.support.i18n import _


def how_to_read(page: PageView) -> Iterator[tuple[str, str]]:
    """Yield each term of a report with its explanation."""
    yield (
        _("Percentages"),
        _(
            "So much of a text stands in sentences that are similar to sentences of the other one. Similar "
            "is not the same word for word. The net share leaves out what is excluded: quotations of a "
            "source, reference lists, lines with a name or a class alone, the prompt, short sentences. They "
            "are no part of the whole then either, so that the net share may be the higher one."
        ),
    )
    yield (
        _("Matches"),
        _(
            "Two sentences that are similar. Exact: the same word for word. Edited: so much agrees in order "
            "that it is hardly chance. Synonym: the words agree once synonyms count as the same. A match is "
            "counted, not understood: read both sentences before you judge."
        ),
    )
    yield "P", _("How much of the longer sentence agrees with the other in order: 0 is nothing, 1 is all.")
    yield (
        "w",
        _(
            "How much of the words agrees in whatever order, synonyms counted as the same: 0 is nothing, 1 "
            "is all. There is a dash where P alone decided."
        ),
    )
    yield (
        _("Fingerprint"),
        _(
            "The little bars under a percentage: a text in {size} bits, strong for 1 and faint for 0. Texts "
            "that are alike have fingerprints that are alike. Ringed bars differ."
        ).format(size=page.size_bits),
    )
    yield _("Hamming distance"), figure_meaning("distance_bits")
