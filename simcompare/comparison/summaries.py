"""Summaries: neighbouring sentences whose content stands scattered over the other text."""

import math

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.resemblance import Resemblance
from simcompare.comparison.sentence_terms import SentenceTerms
from simcompare.document import Span
from simcompare.passage_settings import SummarySettings

Float64Array = NDArray[np.float64]


def find_summary(
    text: SentenceTerms,
    source: SentenceTerms,
    cells: Resemblance,
    settings: SummarySettings,
) -> tuple[Span, Span] | None:
    """Return the stretch of `text` that sums up `source`, and the part of the source it draws on.

    Each sentence's evidence is how far the cosine with its best partner exceeds what chance gives in so long
    a source; the summary is the run of sentences with the most. `cells` have the sentences of `text` as rows.
    """
    cosine = _least_cosine(source.sentence_count, settings)
    weights = np.minimum(text.words_per_sentence, settings.most_words_counted)
    first, last, evidence = _densest_run((cells.best_of_left - cosine) * weights)
    run = np.arange(first, last + 1)
    telling = run[cells.best_of_left[run] > cosine]
    if evidence < settings.least_evidence or len(telling) < settings.least_sentences:
        return None
    bounds = text.bounds
    if bounds[last + 1] - bounds[first] < settings.least_words:
        return None
    partners = cells.partner_of_left[telling]
    if not _scattered(partners, cells.best_of_left[telling] * weights[telling], settings):
        return None
    own = _span(text, first, last)
    drawn_on = _span(source, int(partners.min()), int(partners.max()))
    return (own, drawn_on) if len(drawn_on) >= settings.least_spread * len(own) else None


def _least_cosine(source_sentences: int, settings: SummarySettings) -> float:
    longer = max(source_sentences / settings.usual_source_sentences, 1.0)
    return settings.cosine + settings.cosine_growth * math.log(longer)


def _scattered(partners: NDArray[np.int64], evidence: Float64Array, settings: SummarySettings) -> bool:
    """Whether no group of neighbouring partners holds most of the evidence."""
    order = np.argsort(partners)
    apart = np.diff(partners[order]) > settings.cluster_gap_sentences
    clusters = np.concatenate([[0], np.cumsum(apart)])
    largest = np.bincount(clusters, evidence[order]).max()
    return bool(largest <= settings.most_in_one_cluster * evidence.sum())


def _densest_run(gains: Float64Array) -> tuple[int, int, float]:
    """Return the first and last index of the run of consecutive values with the largest sum, and the sum."""
    sums = np.concatenate([[0.0], np.cumsum(gains)])
    lowest_before = np.minimum.accumulate(sums[:-1])
    last = int(np.argmax(sums[1:] - lowest_before))
    first = int(np.argmin(sums[: last + 1]))
    return first, last, float(sums[last + 1] - sums[first])


def _span(text: SentenceTerms, first: int, last: int) -> Span:
    return Span(int(text.spans[first, 0]), int(text.spans[last, 1]))
