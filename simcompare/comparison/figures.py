"""The figures of a pair, the only list of them: sessions, tables, files and the window loop over it."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields
from math import isnan, nan

import numpy as np

from simcompare.comparison.comparison_result import BothShares, PairShares, Share
from simcompare.support.i18n import N_

SIDES = ("left_in_right", "right_in_left")
_LEAST_UNITS_OF_HIT = 15


@dataclass(frozen=True, slots=True)
class PairSummary:
    """Figures of a pair in the list of pairs, equal to those of the pair's `Comparison`.

    Shares are in [0, 1]; those after exclusions are None if no unit of the text counts.
    longest_passage_units: units that count in the longest passage or matched sentence, by `fewer_units`.
    rewritten_units: the same of all passages that may have been rewritten, with enough evidence
    for a class. The order is that of the columns in session files.
    """

    left_in_right: float
    right_in_left: float
    after_exclusions_left_in_right: float | None
    after_exclusions_right_in_left: float | None
    sentence_left_in_right: float
    sentence_right_in_left: float
    after_exclusions_sentence_left_in_right: float | None
    after_exclusions_sentence_right_in_left: float | None
    longest_passage_units: int
    matches: int
    rewritten_units: int = 0

    @classmethod
    def of(cls, share: PairShares, sentence_share: PairShares, *counts: int) -> "PairSummary":
        """Make a summary; counts: all integers, in the order of the fields."""
        left, right = share.left_in_right, share.right_in_left
        own, other = sentence_share.left_in_right, sentence_share.right_in_left
        return cls(
            *(left.raw, right.raw, left.after_exclusions, right.after_exclusions),
            *(own.raw, other.raw, own.after_exclusions, other.after_exclusions),
            *counts,
        )

    @property
    def share(self) -> PairShares:
        """Shares in matched sentences or detected passages."""
        return PairShares(
            Share(self.left_in_right, self.after_exclusions_left_in_right),
            Share(self.right_in_left, self.after_exclusions_right_in_left),
        )

    @property
    def after_exclusions(self) -> BothShares:
        return self.after_exclusions_left_in_right, self.after_exclusions_right_in_left

    @property
    def has_passages(self) -> bool:
        """Whether anything is similar, excluded sentences aside."""
        return bool(self.matches or self.longest_passage_units or self.rewritten_units)

    @property
    def makes_hit(self) -> bool:
        """Whether enough is similar for a hit of a search: more than a short sentence that no share counts.

        A summary counts for no share, either, but is longer.
        """
        is_long = self.longest_passage_units >= _LEAST_UNITS_OF_HIT
        counts = self.left_in_right or self.right_in_left or self.rewritten_units or is_long
        return self.has_passages and bool(counts)

    @property
    def mirrored(self) -> "PairSummary":
        """The same figures with left and right exchanged."""
        return PairSummary(*(getattr(self, _MIRRORED.get(name, name)) for name in SUMMARY_FIELDS))


SUMMARY_FIELDS = tuple(field.name for field in fields(PairSummary))
SUMMARY_DTYPES = [(field.name, "<i4" if field.type is int else "<f8") for field in fields(PairSummary)]
"""Of a table of summaries. Shares that are None are NaN."""
_MIRRORED = {
    name: name.replace(own, other)
    for name in SUMMARY_FIELDS
    for own, other in (SIDES, SIDES[::-1])
    if name.endswith(own)
}
UNKNOWN_FIGURES = tuple(-1 if kind == "<i4" else nan for _name, kind in SUMMARY_DTYPES)


def figures_of(summary: PairSummary | None) -> tuple[float, ...]:
    return UNKNOWN_FIGURES if summary is None else tuple(nan if x is None else x for x in astuple(summary))


def summary_of(row: np.void) -> PairSummary:
    values = (row[name].item() for name in SUMMARY_FIELDS)
    return PairSummary(*(None if isnan(value) else value for value in values))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure in tables of pairs.

    name, meaning, heading, unit: N_; heading: of a narrow column, "" for the name; unit: of a count, if that
    must be said. in_json: its name there, if it is there. is_optional: the window shows it on request, and
    the class report leaves it out.
    """

    key: str
    name: str
    meaning: str
    heading: str = ""
    unit: str = ""
    in_json: str = ""
    is_optional: bool = False

    @property
    def is_share(self) -> bool:
        return self.key.endswith(SIDES)

    @property
    def is_percentage(self) -> bool:
        return self.is_share or self.key == "rare_text"


_BEFORE_EXCLUSIONS = N_("The same share with all sentences counted, the excluded ones too.")
_SENTENCE_SHARE = N_(
    "Share in sentences that match on their own, without the passages around them, after exclusions. The "
    "papers on which the method is based measure this."
)
_AFTER_DECISIONS = N_(
    "The same share without the passages and sentences that are marked as no concern. Limits, groups and "
    "pictures follow the shares before decisions."
)
_ALL = (
    Figure(
        "after_decisions_left_in_right",
        N_("Share of A after decisions"),
        _AFTER_DECISIONS,
        N_("Share of A"),
    ),
    Figure(
        "after_decisions_right_in_left",
        N_("Share of B after decisions"),
        _AFTER_DECISIONS,
        N_("Share of B"),
    ),
    Figure(
        "after_exclusions_left_in_right",
        N_("Share of A"),
        N_(
            "Share of A in sentences or passages that are similar to B. Excluded sentences, such as "
            "quotations and references, do not count."
        ),
        in_json="left_in_right",
    ),
    Figure(
        "after_exclusions_right_in_left",
        N_("Share of B"),
        N_(
            "Share of B in sentences or passages that are similar to A. Excluded sentences, such as "
            "quotations and references, do not count."
        ),
        in_json="right_in_left",
    ),
    Figure(
        "left_in_right",
        N_("Share of A before exclusions"),
        _BEFORE_EXCLUSIONS,
        N_("A, raw"),
        in_json="left_in_right_raw",
        is_optional=True,
    ),
    Figure(
        "right_in_left",
        N_("Share of B before exclusions"),
        _BEFORE_EXCLUSIONS,
        N_("B, raw"),
        in_json="right_in_left_raw",
        is_optional=True,
    ),
    Figure(
        "after_exclusions_sentence_left_in_right",
        N_("Sentence share of A"),
        _SENTENCE_SHARE,
        N_("A, sentences"),
        is_optional=True,
    ),
    Figure(
        "after_exclusions_sentence_right_in_left",
        N_("Sentence share of B"),
        _SENTENCE_SHARE,
        N_("B, sentences"),
        is_optional=True,
    ),
    Figure(
        "distance_bits",
        N_("Hamming distance"),
        N_(
            "Number of bits in which the two fingerprints differ. A small number suggests a near copy;"
            " it proves nothing."
        ),
        N_("Hamming"),
        in_json="hamming_distance_bits",
        is_optional=True,
    ),
    Figure(
        "rare_text",
        N_("Rare text"),
        N_(
            "Of the words of the shorter text that are rare in this class, the part that is in passages of "
            "both; those of possibly rewritten passages count a quarter. The fewer other essays have a word, "
            "the more it counts. Pairs are sorted by this figure, then by how similar all their words are."
        ),
    ),
    Figure(
        "longest_passage_units",
        N_("Longest passage"),
        N_(
            "Length in characters or words of the longest passage that is similar in both texts, on "
            "its shorter side. It need not be identical. Excluded sentences do not count."
        ),
        N_("Longest"),
        N_("characters or words"),
        in_json="longest_passage_units",
    ),
    Figure(
        "matches",
        N_("Matches"),
        N_("Number of sentence pairs that are similar and not excluded."),
        is_optional=True,
    ),
    Figure(
        "rewritten_units",
        N_("Possibly rewritten"),
        N_(
            "Length in characters or words of the passages that may say the same in other words, on their "
            "shorter side. They never count towards the shares. Of 1,000 pairs of essays on one question, "
            "about 1 has such a passage by chance."
        ),
        N_("Rewritten?"),
        N_("characters or words"),
        in_json="possibly_rewritten_units",
        is_optional=True,
    ),
    Figure(
        "shared_ids",
        N_("Editing ids in common"),
        N_(
            "Ids of editing sessions in Word or WPS that are in both files, more than chance explains: parts "
            "of both were once written in the same file. A common template or an exchange of parts also "
            "explains this. They never count towards the shares. If there are none, this proves nothing: "
            "some programs remove them."
        ),
        N_("Common ids"),
        is_optional=True,
    ),
    Figure(
        "group",
        N_("Group"),
        N_(
            "Essays linked by unusual pairs, of {limit} or more, directly or through another essay of the "
            "group. Two of them need not be similar to each other. The largest group is number 1."
        ),
        in_json="group",
    ),
)
FIGURES: Mapping[str, Figure] = {figure.key: figure for figure in _ALL}
"""By key, in the order of the tables."""
