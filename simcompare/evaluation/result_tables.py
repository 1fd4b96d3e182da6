"""Results of an evaluation as text tables, as values for JSON, and as charts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from simcompare.evaluation.retrieval import Retrieval, RetrievalScore
from simcompare.evaluation.svg_plot import Chart, Series
from simcompare.report.csv_text import elided, text_table
from simcompare.report.wording import NO_NUMBER
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import _, ngettext

_MOST_LISTED_GROUPS = 12
_MOST_GROUP_NAME_WIDTH = 28


@dataclass(frozen=True, slots=True)
class MatrixTiming:
    """Size of a comparison matrix and seconds of its computation by number of threads."""

    left_units: int
    right_units: int
    left_sentences: int
    right_sentences: int
    seconds: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Results of `simcompare evaluate`.

    group_sizes: documents of each group; ungrouped: number of unrelated documents; preparing_seconds: time to
    split all texts into sentences and words, which every method needs; retrievals: for each method one per
    collection size, the largest last; similar_texts: texts similar to another one, by collection size;
    matrices: smallest first.
    """

    group_sizes: Mapping[str, int]
    ungrouped: int
    distance_bits: int
    lowest_resemblance: float
    preparing_seconds: float
    retrievals: Sequence[Sequence[Retrieval]]
    similar_texts: Mapping[int, RetrievalScore]
    matrices: Sequence[MatrixTiming]

    @property
    def document_count(self) -> int:
        """Number of documents, with and without a group."""
        return sum(self.group_sizes.values()) + self.ungrouped

    @property
    def whole(self) -> list[Retrieval]:
        """Results of each method on all documents."""
        return [retrievals[-1] for retrievals in self.retrievals]


def evaluation_as_text(evaluation: Evaluation) -> str:
    """Return the tables, without a line end after the last one."""
    parts = [
        _head(evaluation),
        _scores(evaluation, _("Precision"), lambda score: score.precision),
        _scores(evaluation, _("Recall"), lambda score: score.recall),
        *_omitted_note(evaluation),
        _similar_texts(evaluation),
        _times(evaluation),
        _matrix_times(evaluation),
    ]
    return escape_invisible("\n\n".join(parts))


def _head(evaluation: Evaluation) -> str:
    count = evaluation.document_count
    groups = len(evaluation.group_sizes)
    return "\n".join(
        [
            ", ".join(
                [
                    ngettext("{count} document", "{count} documents", count),
                    ngettext("{count} group", "{count} groups", groups),
                    _("{count} in no group").format(count=f"{evaluation.ungrouped:,}"),
                ]
            ),
            _("Found: within {bits} bits; shingle: from a resemblance of {share}").format(
                bits=evaluation.distance_bits, share=f"{evaluation.lowest_resemblance:g}"
            ),
            _("Cutting into sentences and words, the same for all: {seconds} s").format(
                seconds=f"{evaluation.preparing_seconds:.2f}"
            ),
        ]
    )


def _scores(evaluation: Evaluation, title: str, measure: Callable[[RetrievalScore], float | None]) -> str:
    whole = evaluation.whole
    rows = [[title, *(retrieval.method for retrieval in whole)]]
    rows += [
        [elided(group, _MOST_GROUP_NAME_WIDTH), *(_share(measure(r.groups[group])) for r in whole)]
        for group in _listed_groups(evaluation)
    ]
    rows.append([_("all"), *(_share(measure(retrieval.overall)) for retrieval in whole)])
    return text_table(rows)


def _share(value: float | None) -> str:
    return NO_NUMBER if value is None else f"{value:.3f}"


def _listed_groups(evaluation: Evaluation) -> list[str]:
    """Return the largest groups sorted by name, as many as fit into a table or chart."""
    sizes = evaluation.group_sizes
    return sorted(sorted(sizes, key=lambda group: (-sizes[group], group))[:_MOST_LISTED_GROUPS])


def _omitted_note(evaluation: Evaluation) -> list[str]:
    rest = len(evaluation.group_sizes) - _MOST_LISTED_GROUPS
    if rest <= 0:
        return []
    return [_("{count} smaller groups are left out here; --to json has them all.").format(count=f"{rest:,}")]


def _similar_texts(evaluation: Evaluation) -> str:
    """Return table 1 of Lv et al., and how many of the texts were found for another text of their group."""
    rows = [[_("Texts similar to another one"), _("found"), _("of these rightly"), _("truly similar")]]
    for size, score in evaluation.similar_texts.items():
        label = ngettext("{count} document", "{count} documents", size)
        rows.append([label, *(f"{count:,}" for count in (score.retrieved, score.correct, score.relevant))])
    return text_table(rows)


def _times(evaluation: Evaluation) -> str:
    rows = [[_("Seconds for fingerprints and search"), *(r.method for r in evaluation.whole)]]
    for retrievals in zip(*evaluation.retrievals, strict=True):
        count = retrievals[0].document_count
        label = ngettext("{count} document", "{count} documents", count)
        rows.append([label, *(f"{retrieval.seconds:.3f}" for retrieval in retrievals)])
    whole = evaluation.whole
    rows.append([_("of these for the search"), *(f"{r.search_seconds:.3f}" for r in whole)])
    return text_table(rows)


def _matrix_times(evaluation: Evaluation) -> str:
    threads = list(evaluation.matrices[-1].seconds)
    rows = [[_("Seconds for a matrix"), _("characters or words"), *map(_threads, threads)]]
    rows += [
        [
            _matrix_label(matrix),
            f"{matrix.left_units + matrix.right_units:,}",
            *(f"{matrix.seconds[count]:.3f}" for count in threads),
        ]
        for matrix in evaluation.matrices
    ]
    return text_table(rows)


def _threads(count: int) -> str:
    return ngettext("{count} thread", "{count} threads", count)


def _matrix_label(matrix: MatrixTiming) -> str:
    return _("{left} × {right} sentences").format(
        left=f"{matrix.left_sentences:,}", right=f"{matrix.right_sentences:,}"
    )


def evaluation_as_dict(evaluation: Evaluation) -> dict[str, Any]:
    """Return an evaluation with all groups and all collection sizes. The keys are stable."""
    return {
        "documents": evaluation.document_count,
        "ungrouped": evaluation.ungrouped,
        "groups": dict(evaluation.group_sizes),
        "distance_bits": evaluation.distance_bits,
        "lowest_resemblance": evaluation.lowest_resemblance,
        "preparing_seconds": evaluation.preparing_seconds,
        "retrievals": [_retrieval_dict(result) for results in evaluation.retrievals for result in results],
        "similar_texts": [
            {"documents": size} | _score_dict(score) for size, score in evaluation.similar_texts.items()
        ],
        "matrices": [asdict(matrix) for matrix in evaluation.matrices],
    }


def _retrieval_dict(retrieval: Retrieval) -> dict[str, Any]:
    return {
        "method": retrieval.method,
        "signature": retrieval.signature,
        "documents": retrieval.document_count,
        "fingerprint_seconds": retrieval.fingerprint_seconds,
        "search_seconds": retrieval.search_seconds,
        "overall": _score_dict(retrieval.overall),
        "groups": {group: _score_dict(score) for group, score in retrieval.groups.items()},
    }


def _score_dict(score: RetrievalScore) -> dict[str, Any]:
    return asdict(score) | {"precision": score.precision, "recall": score.recall}


def evaluation_charts(evaluation: Evaluation) -> list[Chart]:
    """Return figures 1 to 3 of Zhang & He (precision, recall, time) and figure 4 of Lv et al. (threads)."""
    return [
        _score_chart(evaluation, _("Precision"), lambda score: score.precision),
        _score_chart(evaluation, _("Recall"), lambda score: score.recall),
        _time_chart(evaluation),
        _thread_chart(evaluation),
    ]


def _score_chart(
    evaluation: Evaluation, title: str, measure: Callable[[RetrievalScore], float | None]
) -> Chart:
    groups = _listed_groups(evaluation)
    series = (
        Series(
            retrieval.method,
            (*(measure(retrieval.groups[group]) for group in groups), measure(retrieval.overall)),
        )
        for retrieval in evaluation.whole
    )
    return Chart(title, _("group"), title, (*groups, _("all")), tuple(series), "bars", top=1.0)


def _time_chart(evaluation: Evaluation) -> Chart:
    sizes = [retrieval.document_count for retrieval in evaluation.retrievals[0]]
    series = (
        Series(retrievals[-1].method, tuple(retrieval.seconds for retrieval in retrievals))
        for retrievals in evaluation.retrievals
    )
    return Chart(
        _("Time for fingerprints and search"),
        _("documents"),
        _("seconds"),
        tuple(f"{size:,}" for size in sizes),
        tuple(series),
        "lines",
    )


def _thread_chart(evaluation: Evaluation) -> Chart:
    series = (Series(_matrix_label(matrix), tuple(matrix.seconds.values())) for matrix in evaluation.matrices)
    return Chart(
        _("Time for a comparison matrix"),
        _("threads"),
        _("seconds"),
        tuple(map(str, evaluation.matrices[-1].seconds)),
        tuple(series),
        "lines",
    )
