"""What a comparison is asked to do: thresholds, thesaurus, fingerprint recipe, and their presets."""

from dataclasses import dataclass

from simcompare.model.errors import SettingsError


@dataclass(frozen=True, slots=True)
class SummarySettings:
    """When a stretch of sentences sums up sentences scattered over the other text.

    cosine: from which a sentence counts for a summary; its evidence is the excess, times its words
    usual_source_sentences, cosine_growth: by chance a sentence finds a better partner in a longer source;
        where it has more sentences than these, the cosine grows by so much times the logarithm of the ratio
    least_evidence, least_sentences, least_words: what the stretch needs at least
    most_words_counted: words beyond these add no evidence to a sentence
    cluster_gap_sentences, most_in_one_cluster: partners closer than the gap are one cluster, and no
        cluster may hold more than this share of the evidence: else it is a copied passage
    least_spread: the partners must span this many times the characters of the summary
    """

    cosine: float = 0.22
    # Not tuned but measured, on 1,500 crossed pairs of either development set: of the sentences of unrelated
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


@dataclass(frozen=True, slots=True)
class PassageSettings:
    """How similar sentences grow into passages.

    common_share: terms in more than this share of the sentences weigh nothing
    seed_cosine, seed_shared_terms: what a pair of sentences needs to begin a passage
    seed_of_best: and this share of the best cosine either sentence has with any
    gap_sentences: sentences that may stand between two seeds of one passage, on either side
    least_fragment_cosine: what the whole stretches must reach; else the gap is narrowed
    grow_cosine, grow_of_best, grow_reach_sentences: a passage takes in such pairs within its reach
    edge_reach_sentences: sentences beyond either end in which the exact edge is looked for
    edge_cost, most_edge_cost: an unmatched word at the edge costs this much of a matched one's gain,
        scaled by how densely the passage matches
    edge_snap_words: an edge this close to a sentence's end moves there
    least_words: on both sides
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
    summary: SummarySettings | None = SummarySettings()

    @property
    def floor_cosine(self) -> float:
        """No pair of sentences below it plays a part."""
        lowest = min(self.seed_cosine, self.grow_cosine)
        return min(lowest, self.summary.cosine) if self.summary else lowest


LOWEST_SIMILAR_WEIGHT = 0.30
"""Cells below it are shown in the heatmap and never judged; no threshold can be set lower.

Unrelated Chinese sentences share up to about 0.3 of their characters in order by chance.
"""

DEFAULT_MINIMUM_UNITS = 5
"""Of 70 pairs of unrelated texts, chosen by what short sentences have in common by chance.

Chinese news, 30 pairs: 5 takes away 41 % of the units in matches for 0.4 % of the text (6: all, for 1.0 %).
English essays, 40 pairs: 5 takes away all of them for 2.1 % of the text (6: 3.2 %; 4: 27 %, for 1.2 %).
"""


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
# Of either language 20 pairs that P only just accepts at 0.55 were read: all English and 17 Chinese ones are
# copies with edits, 3 report other figures in the same words. From 0.51 on there are more of the latter.


@dataclass(frozen=True, slots=True)
class ComparisonSettings:
    """How sentences are judged (Lv et al., section 3.2).

    similar_weight and right_weight are shares in (0, 1]; similar_weight < right_weight always. word_stage
    says whether words decide where P lies between the two; without it P alone decides.
    thesaurus is "starter", "cilin", "none", or the path of a file; recipe names the fingerprint recipe.

    Excluded from the net similarity are, where asked for, quotations, reference lists and lines that only
    name the writer, the class or the date; sentences of fewer than minimum_units units (0: none); and those
    of the prompt, the path of a file.

    passages says how passages grow; None: they are the stretches of matched sentences alone.
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
    passages: PassageSettings | None = _TUNED_PASSAGES

    def __post_init__(self) -> None:
        if not LOWEST_SIMILAR_WEIGHT <= self.similar_weight < self.right_weight <= 1:
            raise SettingsError(
                similar_weight=self.similar_weight,
                right_weight=self.right_weight,
                lowest=LOWEST_SIMILAR_WEIGHT,
            )


PRESETS = {
    "balanced": ComparisonSettings(),
    # Passages tuned for recall: English 0.920 at precision 0.947 (balanced: 0.904 at 0.958), Chinese 0.996
    # at 0.982 (0.995 at 0.985). None in those 70 pairs; in 800 of crossed texts 7 (4), most rightly.
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
