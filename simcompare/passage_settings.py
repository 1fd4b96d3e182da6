"""How passages are found. The figures of each preset were tuned together on both development sets.

Tuned by coordinate search on the plagdet of `pan13-dev` and `zh-dev` together, with no pair without reuse
flagged and without looking at a pair's kind; tests/benchmarks/detection.py measures them again.
"""

from dataclasses import dataclass


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
