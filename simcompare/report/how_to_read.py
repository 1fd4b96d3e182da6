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
            "Share of a text in sentences that are similar, not necessarily identical, to sentences "
            "of the other text. The net share leaves out what is excluded: quotations, reference "
            "lists, lines with only a name or a class, the prompt, short sentences. These do not "
            "count as part of the text either, so the net share may be the higher one."
        ),
    )
    yield (
        _("Matches"),
        _(
            "Two similar sentences. Exact: identical word for word. Edited: too much agrees in the "
            "same order to be chance. Synonym: the words agree if synonyms count as equal. The "
            "program compares words, not meaning: read both sentences before you decide."
        ),
    )
    yield (
        "P",
        _(
            "Share of the longer sentence that agrees with the other one in the same order, from"
            " 0 (nothing) to 1 (everything)."
        ),
    )
    yield (
        "w",
        _(
            "Share of the words that agree in any order, with synonyms counted as equal, from 0 "
            "(nothing) to 1 (everything). A dash means that P alone was decisive."
        ),
    )
    yield (
        _("Fingerprint"),
        _(
            "The small bars below a percentage show a text as {size} bits: dark for 1, light for 0. "
            "Similar texts have similar fingerprints. Ringed bars differ."
        ).format(size=page.size_bits),
    )
    yield _("Hamming distance"), figure_meaning("distance_bits")
