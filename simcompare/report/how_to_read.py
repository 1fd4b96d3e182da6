"""Explanations of the figures of a report, for readers who see one for the first time."""

from collections.abc import Iterator

from simcompare.report.cohort.cohort_rows import figure_meaning
from simcompare.support.i18n import _


def share_meaning() -> str:
    """Return the explanation of the share after exclusions."""
    return _(
        "Part of a text in sentences or passages that are similar, not necessarily identical, to the "
        "other text. What is excluded, such as quotations, reference lists, lines with only a name or "
        "a class, the prompt and short sentences, counts neither as similar nor as part of the text, "
        "so the share after exclusions may be the higher one."
    )


def how_to_read(size_bits: int, *, is_rewritten: bool) -> Iterator[tuple[str, str]]:
    """Yield each term of a report with its explanation; is_rewritten: a passage possibly is."""
    yield _("Share"), share_meaning()
    yield (
        _("Sentence share"),
        _(
            "The same for single sentences that match, without the passages around them: the measure of "
            "the papers on which the method is based."
        ),
    )
    yield (
        _("Matches"),
        _(
            "Two similar sentences. Identical: the same word for word. Edited: too much agrees in the "
            "same order to be chance. Reworded: the words agree, in any order and with synonyms counted "
            "as equal. The program compares words, not meaning: read both sentences before you decide."
        ),
    )
    if is_rewritten:
        yield (
            _("Possibly rewritten"),
            _(
                "The sentences of such a passage say much the same in other words, or in another language, "
                "by a model of their meaning. It proves nothing and never counts for the share: read both "
                "sides."
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
            "The small bars show a text as {size} bits: dark for 1, light for 0. "
            "Similar texts have similar fingerprints. Ringed bars differ."
        ).format(size=size_bits),
    )
    yield _("Hamming distance"), figure_meaning("distance_bits")
