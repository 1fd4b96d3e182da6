"""The papers' experiments on documents: retrieval, the time of the matrix, and tables of the results."""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from simcompare.comparison.comparison_matrix import (
    MatrixInput,
    assemble,
    make_matrix_input,
    row_blocks,
    score_rows,
)
from simcompare.evaluation.retrieval import (
    Retrieval,
    RetrievalScore,
    Sample,
    count_similar_texts,
    evaluate_method,
    interleave_groups,
    make_method,
)
from simcompare.fingerprint.simhash import CollectionIdf
from simcompare.loading import load_document
from simcompare.model.document import Document, join_blocks
from simcompare.model.errors import NoUnitsError
from simcompare.model.progress import Tick
from simcompare.model.settings import ComparisonSettings
from simcompare.report.html_report import template
from simcompare.report.pair_tables import elided, terminal_width, text_table
from simcompare.report.wording import NO_NUMBER
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import _, ngettext
from simcompare.text.prepared_text import PreparedText, prepare, words_of_text
from simcompare.text.thesaurus import load_thesaurus

_CHARTS_PER_ROW = 2
_PANEL_WIDTH, _PANEL_HEIGHT = 560, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 20, 80, 92
_PLOT_WIDTH = _PANEL_WIDTH - _LEFT - _RIGHT
_PLOT_HEIGHT = _PANEL_HEIGHT - _TOP - _BOTTOM
_LEGEND_LINE = 16
_PIXELS_PER_COLUMN = 6.2
_MOST_LABEL_WIDTH = 16
_MOST_TICKS = 6
# Paul Tol's "muted" palette, safe for colour blindness; the most distant colours come first.
_COLOURS = (
    "#332288", "#cc6677", "#117733", "#88ccee", "#ddaa33", "#882255", "#44aa99", "#999933", "#aa4499",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Series:
    """One line, or the bars of one colour; a value may be None."""

    label: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Chart of categories along the x axis; the y axis ends at `top`, or above the largest value."""

    title: str
    x_label: str
    y_label: str
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    kind: Literal["bars", "lines"]
    top: float | None = None


def render_svg(charts: Sequence[Chart]) -> str:
    """Render the charts, two per row, on a white background."""
    rows = -(-len(charts) // _CHARTS_PER_ROW)
    return template("plot.svg").render(
        width=_PANEL_WIDTH * min(len(charts), _CHARTS_PER_ROW),
        height=_PANEL_HEIGHT * rows,
        panels=[_panel(chart, number) for number, chart in enumerate(charts)],
    )


def _panel(chart: Chart, number: int) -> dict[str, Any]:
    values = [value for series in chart.series for value in series.values if value is not None]
    ticks = tick_values(chart.top or max(values, default=0))
    slot = _PLOT_WIDTH / max(len(chart.categories), 1)
    labels = [elided(category, _MOST_LABEL_WIDTH) for category in chart.categories]
    return {
        "x": number % _CHARTS_PER_ROW * _PANEL_WIDTH,
        "y": number // _CHARTS_PER_ROW * _PANEL_HEIGHT,
        "chart": chart,
        "left": _LEFT,
        "right": _PANEL_WIDTH - _RIGHT,
        "middle": _LEFT + _PLOT_WIDTH / 2,
        "top": _TOP,
        "bottom": _TOP + _PLOT_HEIGHT,
        "height": _PANEL_HEIGHT,
        "ticks": [(_y(tick, ticks[-1]), f"{tick:g}") for tick in ticks],
        "slanted": any(terminal_width(label) * _PIXELS_PER_COLUMN > slot for label in labels),
        "categories": [(_x(index, slot), label) for index, label in enumerate(labels)],
        "legend": list(_legend(chart.series)),
        "bars": list(_bars(chart, slot, ticks[-1])) if chart.kind == "bars" else [],
        "lines": list(_lines(chart, slot, ticks[-1])) if chart.kind == "lines" else [],
    }


def tick_values(top: float) -> list[float]:
    """Return evenly spaced round numbers from 0 to `top` or just above it."""
    if top <= 0:
        return [0.0, 1.0]
    magnitude = 10 ** math.floor(math.log10(top / _MOST_TICKS))
    step = next(m * magnitude for m in (1, 2, 5, 10) if m * magnitude * _MOST_TICKS >= top * (1 - 1e-9))
    return [step * i for i in range(math.ceil(top / step * (1 - 1e-9)) + 1)]


def _x(index: int, slot: float) -> float:
    return round(_LEFT + (index + 0.5) * slot, 1)


def _y(value: float, top: float) -> float:
    return round(_TOP + _PLOT_HEIGHT * (1 - value / top), 1)


def _bars(chart: Chart, slot: float, top: float) -> Iterator[dict[str, Any]]:
    width = slot * 0.8 / len(chart.series)
    for number, series in enumerate(chart.series):
        for index, value in enumerate(series.values):
            if value is None:
                continue
            y = _y(value, top)
            yield {
                "x": round(_LEFT + (index + 0.1) * slot + number * width, 1),
                "y": y,
                "width": round(width * 0.92, 1),
                "height": round(_TOP + _PLOT_HEIGHT - y, 1),
                "colour": _colour(number),
                "tooltip": _tooltip(chart, series, index, value),
            }


def _lines(chart: Chart, slot: float, top: float) -> Iterator[dict[str, Any]]:
    for number, series in enumerate(chart.series):
        dots = [
            (_x(index, slot), _y(value, top), _tooltip(chart, series, index, value))
            for index, value in enumerate(series.values)
            if value is not None
        ]
        yield {
            "points": " ".join(f"{x},{y}" for x, y, _ in dots),
            "dots": dots,
            "colour": _colour(number),
        }


def _tooltip(chart: Chart, series: Series, index: int, value: float) -> str:
    return f"{series.label}, {chart.categories[index]}: {value:.3g}"


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _legend(series: Sequence[Series]) -> Iterator[dict[str, Any]]:
    """Yield the entries with positions, in as many lines below the title as needed."""
    x, y = float(_LEFT), 44
    for number, entry in enumerate(series):
        width = 18 + terminal_width(entry.label) * _PIXELS_PER_COLUMN + 14
        if x + width > _PANEL_WIDTH and x > _LEFT:
            x, y = float(_LEFT), y + _LEGEND_LINE
        yield {"x": round(x, 1), "y": y, "label": entry.label, "colour": _colour(number)}
        x += width


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
    rows = [[_("Texts similar to another one"), _("found"), _("of these correct"), _("similar in fact")]]
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


# A matrix of 4,000,000 cells shows the gain by threads and takes little time.
_MOST_SENTENCES = 2_000
_SHARES_OF_TEXT = (0.25, 0.5, 1.0)
_ROUNDS = 3
Progress = Callable[[str], AbstractContextManager[Tick]]
"""Shows the progress of one step, given its label."""


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    methods: Sequence[str]
    distance_bits: int
    lowest_resemblance: float
    threads: Sequence[int]


@dataclass(frozen=True, slots=True, eq=False)
class ReadText:
    document: Document
    prepared: PreparedText
    preparing_seconds: float


def read_text(path: Path) -> ReadText:
    """Read and prepare a file in a worker.

    Raises FileError if the file cannot be read, NoUnitsError if it has no words.
    """
    document = load_document(path)
    # load the dictionary first, so that its loading time is not counted for this text
    words_of_text(document.title)
    start = time.process_time()
    prepared = prepare(document)
    seconds = time.process_time() - start
    if not prepared.unit_count:
        raise NoUnitsError(name=path.name)
    return ReadText(document, prepared, seconds)


def run_experiment(
    texts: Sequence[ReadText], groups: Sequence[str | None], plan: ExperimentPlan, progress: Progress
) -> Evaluation:
    """Evaluate every method of the plan on the texts, and time the matrix; `groups`: the group of each text.

    Raises UnknownRecipeError for an unknown method.
    """
    samples = interleave_groups(
        [Sample(text.document, text.prepared, group) for text, group in zip(texts, groups, strict=True)]
    )
    collection = CollectionIdf.of_texts(sample.prepared for sample in samples)
    retrievals = []
    for name in plan.methods:
        method = make_method(name, plan.distance_bits, plan.lowest_resemblance, collection)
        with progress(name) as tick:
            retrievals.append(evaluate_method(samples, method, tick=tick))
    with progress(_("Looking for similar texts")) as tick:
        similar_texts = count_similar_texts(samples, tick)
    sizes = Counter(sample.group for sample in samples)
    ungrouped = sizes.pop(None, 0)
    return Evaluation(
        group_sizes={group: sizes[group] for group in sorted(filter(None, sizes))},
        ungrouped=ungrouped,
        distance_bits=plan.distance_bits,
        lowest_resemblance=plan.lowest_resemblance,
        preparing_seconds=sum(text.preparing_seconds for text in texts),
        retrievals=retrievals,
        similar_texts=similar_texts,
        matrices=_time_matrices(samples, plan.threads, progress),
    )


def _time_matrices(
    samples: Sequence[Sample], threads: Sequence[int], progress: Progress
) -> list[MatrixTiming]:
    """Time matrices of growing size: every second document on the left, the others on the right."""
    timings = []
    sides_before = None
    with progress(_("Comparing")) as tick:
        for done, share in enumerate(_SHARES_OF_TEXT, start=1):
            limit = int(_MOST_SENTENCES * share)
            sides = [_beginning(samples[side::2], share, limit) for side in (0, 1)]
            if sides != sides_before:
                left, right = map(_joined, sides)
                timings.append(_time_matrix(left, right, threads))
            sides_before = sides
            tick(done, len(_SHARES_OF_TEXT))
    return timings


def _beginning(samples: Sequence[Sample], share: float, most_sentences: int) -> list[Document]:
    """Return the first documents, at least one, up to a share of all and a number of sentences."""
    chosen = [samples[0].document]
    sentences = samples[0].prepared.sentence_count
    for sample in samples[1 : max(int(len(samples) * share), 1)]:
        sentences += sample.prepared.sentence_count
        if sentences > most_sentences:
            break
        chosen.append(sample.document)
    return chosen


def _joined(documents: Sequence[Document]) -> PreparedText:
    pieces = [
        (block.kind, block.span.of(document.text), block.anchor)
        for document in documents
        for block in document.blocks
    ]
    text, blocks = join_blocks(pieces)
    return prepare(replace(documents[0], text=text, blocks=blocks))


def _time_matrix(left: PreparedText, right: PreparedText, threads: Sequence[int]) -> MatrixTiming:
    """Time a matrix with each number of threads in turn; the best of three rounds."""
    problem = make_matrix_input(left, right, load_thesaurus(ComparisonSettings().thesaurus))
    rounds = [[_seconds(problem, count) for count in threads] for _round in range(_ROUNDS)]
    best = map(min, zip(*rounds, strict=True))
    return MatrixTiming(
        left.unit_count,
        right.unit_count,
        left.sentence_count,
        right.sentence_count,
        dict(zip(threads, best, strict=True)),
    )


def _seconds(problem: MatrixInput, threads: int) -> float:
    start = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        assemble(problem.shape, pool.map(partial(score_rows, problem), row_blocks(problem)))
    return time.perf_counter() - start
