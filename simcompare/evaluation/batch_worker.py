"""Worker task of `simcompare batch`: read the files of some pairs and find the passages of each pair."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Literal

from simcompare.comparison.compare_documents import build_comparison, exclusion_candidates_of
from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.matrix.comparison_matrix import assemble, make_matrix_input, row_blocks, score_rows
from simcompare.comparison.passages.passage_columns import Passages
from simcompare.comparison.passages.passage_detection import find_passages
from simcompare.comparison.passages.sentence_terms import SentenceTerms, sentence_terms
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.evaluation.pan_xml import render_detections
from simcompare.fingerprint.recipes import make_fingerprint
from simcompare.loading import load_document
from simcompare.loading.archive import bytes_of
from simcompare.loading.extraction import ReadingOptions
from simcompare.loading.shared.file_origin import load_verbatim
from simcompare.loading.sniffing import sniff
from simcompare.model.document import Document, Span
from simcompare.model.errors import DamagedFileError, NoUnitsError, SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.support.i18n import N_
from simcompare.text.prepared_text import PreparedText
from simcompare.text.text_preparation import prepare
from simcompare.text.thesaurus import load_thesaurus

BatchForm = Literal["pan", "jsonl"]

# Texts cached for a group of pairs; more would exceed the memory of a worker if they are books.
_CACHED_TEXTS = 128
_LEAST_BYTES_PER_ZERO = 10


@dataclass(frozen=True, slots=True, order=True)
class BatchPair:
    """Two file names in the two folders, as in the list of pairs."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """Folders, result form and settings of a run. `made_by` identifies the run in each result."""

    left_folder: Path
    right_folder: Path
    form: BatchForm
    settings: ComparisonSettings
    options: ReadingOptions
    made_by: str

    def paths(self, pair: BatchPair) -> tuple[Path, Path]:
        """Return the paths of the two files."""
        return self.left_folder / pair.left, self.right_folder / pair.right


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """Result of a pair: text for the output and number of passages, or the files that failed."""

    pair: BatchPair
    text: str = ""
    passages: int = 0
    failed: tuple[tuple[Path, SimcompareError], ...] = ()


class _BatchText:
    """Text with its terms and fingerprint, computed when first needed."""

    def __init__(self, document: Document, prepared: PreparedText, recipe: str) -> None:
        self._document = document
        self._prepared = prepared
        self._recipe = recipe

    @cached_property
    def terms(self) -> SentenceTerms:
        """Terms of the sentences, for passage detection."""
        return sentence_terms(self._prepared)

    @cached_property
    def prepared_document(self) -> PreparedDocument:
        """Prepared document for a sentence comparison."""
        fingerprint = make_fingerprint(self._document, self._prepared, self._recipe)
        return PreparedDocument(self._document, self._prepared, fingerprint)


def compare_pairs(_first: Path, pairs: Sequence[BatchPair], plan: BatchPlan) -> list[BatchOutcome]:
    """Compare each pair in a worker; `_first`: the file named in the error if the worker dies."""
    return [_outcome(pair, plan) for pair in pairs]


def check_file(path: Path, recipe: str, options: ReadingOptions) -> None:
    """Read a file in a worker. Raises the errors of reading."""
    text = _read(path, recipe, options)
    if isinstance(text, SimcompareError):
        raise text


def _outcome(pair: BatchPair, plan: BatchPlan) -> BatchOutcome:
    paths = plan.paths(pair)
    left, right = (_read(path, plan.settings.recipe, plan.options) for path in paths)
    if isinstance(left, SimcompareError) or isinstance(right, SimcompareError):
        failed = [(p, t) for p, t in zip(paths, (left, right), strict=True) if isinstance(t, SimcompareError)]
        return BatchOutcome(pair, failed=tuple(failed))
    if plan.form == "pan":
        passages = _passages(left, right, plan.settings)
        return BatchOutcome(
            pair, render_detections(pair.left, pair.right, passages, plan.made_by), len(passages)
        )
    comparison = _compare(left, right, plan.settings)
    return BatchOutcome(pair, _json_line(pair, comparison, plan.made_by), len(comparison.passages))


@lru_cache(maxsize=_CACHED_TEXTS)
def _read(path: Path, recipe: str, options: ReadingOptions) -> _BatchText | SimcompareError:
    """Return the text of a file, or its error, so that a file that fails is read only once."""
    try:
        document = _load(path, options)
        prepared = prepare(document)
        if not prepared.unit_count:
            raise NoUnitsError(name=path.name)
    except SimcompareError as error:
        return error
    return _BatchText(document, prepared, recipe)


def _load(path: Path, options: ReadingOptions) -> Document:
    """Load a text file verbatim, as scorers count its characters, and any other file with its reader."""
    data = bytes_of(path)
    kind = sniff(data)
    has_zeros = data.count(0) * _LEAST_BYTES_PER_ZERO > len(data)
    if kind == "text" and has_zeros:
        # UTF-16 may be valid UTF-8, and would be read as letters with zeros between them
        raise DamagedFileError(path, cause=N_("it is not UTF-8 text"))
    # a text may have more control characters than sniffing accepts for an unknown format
    if kind == "text" or (kind == "unknown" and not has_zeros and _is_utf_8(data)):
        return load_verbatim(path)
    return load_document(path, options)


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _passages(left: _BatchText, right: _BatchText, settings: ComparisonSettings) -> Passages:
    """Return only the passages; compute the matrix only if they are made of matches."""
    if settings.passages is None:
        return _compare(left, right, settings).passages
    return find_passages(left.terms, right.terms, settings.passages)


def _compare(left: _BatchText, right: _BatchText, settings: ComparisonSettings) -> Comparison:
    left_document, right_document = left.prepared_document, right.prepared_document
    thesaurus = load_thesaurus(settings.thesaurus)
    problem = make_matrix_input(left_document.prepared, right_document.prepared, thesaurus)
    matrix = assemble(problem.shape, map(partial(score_rows, problem), row_blocks(problem)))
    detected_passages = (
        None if settings.passages is None else find_passages(left.terms, right.terms, settings.passages)
    )
    exclusion_candidates = exclusion_candidates_of(left_document, right_document, None, thesaurus)
    return build_comparison(
        left_document, right_document, settings, matrix, exclusion_candidates, detected_passages
    )


def _json_line(pair: BatchPair, comparison: Comparison, made_by: str) -> str:
    value = {
        "left": pair.left,
        "right": pair.right,
        "passages": [{"left": _as_list(p.left), "right": _as_list(p.right)} for p in comparison.passages],
        "share": asdict(comparison.share),
        "sentence_share": asdict(comparison.sentence_share),
        "hamming_distance_bits": comparison.hamming_distance_bits,
        "made_by": made_by,
    }
    return json.dumps(value, ensure_ascii=False) + "\n"


def _as_list(span: Span) -> list[int]:
    return [span.start, span.end]
