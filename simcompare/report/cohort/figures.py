"""What the figures of a pair are called, and what they mean, wherever they are shown."""

from collections.abc import Mapping

from simcompare.i18n import N_, _

_SAME_WITHOUT_EXCLUDED = N_(
    "The same without the excluded sentences: quotations, references, the prompt, short ones."
)
FIGURES: Mapping[str, tuple[str, str]] = {
    "left_in_right": (
        N_("A covered by B"),
        N_("How much of A stands in sentences that are similar to sentences of B."),
    ),
    "net_left_in_right": (N_("A covered by B, net"), _SAME_WITHOUT_EXCLUDED),
    "right_in_left": (
        N_("B covered by A"),
        N_("How much of B stands in sentences that are similar to sentences of A."),
    ),
    "net_right_in_left": (N_("B covered by A, net"), _SAME_WITHOUT_EXCLUDED),
    "distance_bits": (
        N_("Hamming distance"),
        N_("In how many bits the two fingerprints differ. It hints at near copies; it decides nothing."),
    ),
    "longest_passage_units": (
        N_("Longest passage"),
        N_(
            "How many characters or words the longest stretch has that is similar in both texts, on the side "
            "where it is shorter. It need not be the same word for word."
        ),
    ),
    "matches": (N_("Matches"), N_("How many pairs of sentences are similar and not excluded.")),
    "group": (
        N_("Group"),
        N_(
            "Pairs of which one text is at least half covered by the other are in one group where they have "
            "a document in common. The largest group is number 1."
        ),
    ),
}
"""The name and the meaning (N_) of each figure, by what PairRow and the window's table call it."""


def figure_name(figure: str) -> str:
    """Return what a figure is called where there is room."""
    return _(FIGURES[figure][0])


def figure_meaning(figure: str) -> str:
    """Return a sentence or two on what a figure is."""
    return _(FIGURES[figure][1])
