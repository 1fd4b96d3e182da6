"""Worker task of `simcompare batch`: read the files of some pairs and find the passages of each pair."""

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal
from xml.sax.saxutils import quoteattr

import numpy as np
from lxml import etree

from simcompare.cohort.pair_scores import PairText, score_pair
from simcompare.comparison.compare_documents import passages_and_shares
from simcompare.comparison.comparison_matrix import TextNumbering, similar_cells
from simcompare.comparison.comparison_result import PairShares
from simcompare.comparison.exclusions.excluded_sentences import (
    find_exclusion_candidates,
    find_exclusions,
    with_copied_quotations,
    without_excluded,
)
from simcompare.comparison.passages.passage_columns import SUMMARY_SIDES, Passage, Passages
from simcompare.comparison.passages.rewriting import all_passages
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.comparison.shares import CountedText
from simcompare.fingerprint.simhash import Fingerprint, hamming_distance_bits, make_fingerprint
from simcompare.loading import load_document
from simcompare.loading.archive import bytes_of
from simcompare.loading.extraction import ReadingOptions
from simcompare.loading.shared.file_origin import load_verbatim
from simcompare.loading.sniffing import sniff
from simcompare.model.document import Document, Span
from simcompare.model.errors import DamagedFileError, NoUnitsError, SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_
from simcompare.text.prepared_text import PreparedText, prepare
from simcompare.text.thesaurus import load_thesaurus

_FEATURE = "detected-plagiarism"


@dataclass(frozen=True, slots=True)
class DetectionFile:
    """Producer of a detection file (None: not simcompare) and its number of passages."""

    made_by: str | None
    passages: int


def detections(passages: Passages) -> Passages:
    """Omit the passages at least half of which is in a summary, or in a section that was possibly rewritten.

    Scorers count a section reported twice as an error.
    """
    starts, ends = passages.spans[:, ::2], passages.spans[:, 1::2]
    shared = np.minimum(ends[:, None], ends) - np.maximum(starts[:, None], starts)
    in_left, in_right = np.moveaxis(2 * shared >= (ends - starts)[:, None], -1, 0)
    own, other = (passages.summaries == SUMMARY_SIDES.index(side) for side in ("left", "right"))
    inside = ((in_left & own) | (in_right & other) | (in_left & in_right & passages.is_rewritten)).any(axis=1)
    return passages.select(~(inside & passages.covers))


def render_detections(left: str, right: str, passages: Iterable[Passage], made_by: str) -> str:
    """Render the passages of a pair of files as XML; `left`, `right`: file names.

    `made_by` identifies the run; the scorers of PAN ignore it.
    """
    features = "".join(f"{_feature(passage, right)}\n" for passage in passages)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<document reference={_quoted(left)} made_by={_quoted(made_by)}>\n{features}</document>\n"
    )


def _feature(passage: Passage, right: str) -> str:
    return (
        f'<feature name="{_FEATURE}"'
        f' this_offset="{passage.left.start}" this_length="{len(passage.left)}"'
        f" source_reference={_quoted(right)}"
        f' source_offset="{passage.right.start}" source_length="{len(passage.right)}" />'
    )


def _quoted(text: str) -> str:
    # XML cannot contain control characters, not even escaped
    return quoteattr(escape_invisible(text))


def read_detections(path: Path) -> DetectionFile | None:
    """Read the producer and number of passages of a file; None if it is not valid XML. Raises OSError."""
    try:
        root = etree.fromstring(path.read_bytes(), etree.XMLParser(resolve_entities=False))
    except etree.XMLSyntaxError:
        return None
    return DetectionFile(root.get("made_by"), len(root.findall("feature")))


BatchForm = Literal["pan", "jsonl"]

# A prepared text takes 140 bytes a character: these are 700 MB, or 2,500 essays of 2,000 characters.
_MAX_CACHED_CHARACTERS = 5_000_000
# The pairs that a worker does not reach in this time are submitted again.
_SECONDS_PER_TASK = 3.0
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
    """Text with its terms, fingerprint and exclusions, computed when first needed."""

    def __init__(self, document: Document, prepared: PreparedText, settings: ComparisonSettings) -> None:
        self.pair_text = PairText(prepared, _numbering(settings.thesaurus))
        self._document = document
        self._settings = settings

    def __len__(self) -> int:
        return len(self._document.text)

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """Fingerprint by the recipe of the settings."""
        return make_fingerprint(self._document, self.pair_text.prepared, self._settings.recipe)

    @cached_property
    def counted_text(self) -> CountedText:
        prepared = self.pair_text.prepared
        prepared_document = PreparedDocument(self._document, prepared, self.fingerprint)
        candidates = find_exclusion_candidates(prepared_document, None, None, None)
        return CountedText(prepared, find_exclusions(prepared, candidates, self._settings))


class _TextCache:
    """The texts used last, and the errors of unreadable files, so that each file is read only once.

    Holds a limited number of characters, but always the two texts of a pair.
    """

    def __init__(self, most_characters: int) -> None:
        self._most = most_characters
        self._characters = 0
        self._texts: dict[tuple[Path, ComparisonSettings, ReadingOptions], _BatchText | SimcompareError] = {}

    def text(
        self, path: Path, settings: ComparisonSettings, options: ReadingOptions
    ) -> _BatchText | SimcompareError:
        """Return the text of a file, or its error."""
        key = path, settings, options
        text = self._texts.pop(key, None)
        if text is None:
            text = _read(path, settings, options)
            self._characters += _length(text)
        self._texts[key] = text
        while self._characters > self._most and len(self._texts) > 2:
            self._characters -= _length(self._texts.pop(next(iter(self._texts))))
        return text


def _length(text: _BatchText | SimcompareError) -> int:
    return 0 if isinstance(text, SimcompareError) else len(text)


_cache = _TextCache(_MAX_CACHED_CHARACTERS)


@lru_cache(maxsize=1)
def _numbering(thesaurus: str) -> TextNumbering:
    return TextNumbering(load_thesaurus(thesaurus))


def compare_pairs(_first: Path, pairs: Sequence[BatchPair], plan: BatchPlan) -> list[BatchOutcome]:
    """Compare the first pair in a worker, and the following ones until a few seconds have passed.

    `_first` is the file named in the error if the worker dies.
    """
    end = time.monotonic() + _SECONDS_PER_TASK
    outcomes = [_outcome(pairs[0], plan)]
    for pair in pairs[1:]:
        if time.monotonic() > end:
            break
        outcomes.append(_outcome(pair, plan))
    return outcomes


def check_file(path: Path, settings: ComparisonSettings, options: ReadingOptions) -> None:
    """Read a file in a worker. Raises the errors of reading."""
    text = _read(path, settings, options)
    if isinstance(text, SimcompareError):
        raise text


def _outcome(pair: BatchPair, plan: BatchPlan) -> BatchOutcome:
    paths = plan.paths(pair)
    left, right = (_cache.text(path, plan.settings, plan.options) for path in paths)
    if isinstance(left, SimcompareError) or isinstance(right, SimcompareError):
        failed = [(p, t) for p, t in zip(paths, (left, right), strict=True) if isinstance(t, SimcompareError)]
        return BatchOutcome(pair, failed=tuple(failed))
    if plan.form == "pan":
        passages = detections(_passages(left, right, plan.settings))
        text = render_detections(pair.left, pair.right, passages, plan.made_by)
        return BatchOutcome(pair, text, len(passages))
    passages, share, sentence_share = _compare(left, right, plan.settings)
    bits = hamming_distance_bits(left.fingerprint, right.fingerprint)
    text = _json_line(pair, passages, share, sentence_share, bits, plan.made_by)
    return BatchOutcome(pair, text, len(passages))


def _read(path: Path, settings: ComparisonSettings, options: ReadingOptions) -> _BatchText | SimcompareError:
    """Return the text of a file, or its error."""
    try:
        document = _load(path, options)
        prepared = prepare(document, settings.user_words, meaning=bool(settings.meaning))
        if not prepared.unit_count:
            raise NoUnitsError(name=path.name)
    except SimcompareError as error:
        return error
    return _BatchText(document, prepared, settings)


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
        return _compare(left, right, settings)[0]
    terms = left.pair_text.terms, right.pair_text.terms
    return all_passages(*terms, settings.passages, meaning=settings.meaning)


def _compare(
    left: _BatchText, right: _BatchText, settings: ComparisonSettings
) -> tuple[Passages, PairShares, PairShares]:
    """Return the passages that count, the shares and the sentence shares."""
    scores = score_pair(left.pair_text, right.pair_text, settings)
    similar = similar_cells(scores.cells, settings)
    counted = with_copied_quotations(similar, left.counted_text, right.counted_text)
    kept = without_excluded(similar, *counted)
    return passages_and_shares(similar, kept, scores.detected_passages, *counted, settings.passages)


def _json_line(
    pair: BatchPair,
    passages: Passages,
    share: PairShares,
    sentence_share: PairShares,
    distance_bits: int,
    made_by: str,
) -> str:
    value = {
        "left": pair.left,
        "right": pair.right,
        "passages": [{"left": _as_list(p.left), "right": _as_list(p.right)} for p in passages],
        "share": asdict(share),
        "sentence_share": asdict(sentence_share),
        "hamming_distance_bits": distance_bits,
        "made_by": made_by,
    }
    return json.dumps(value, ensure_ascii=False) + "\n"


def _as_list(span: Span) -> list[int]:
    return [span.start, span.end]
