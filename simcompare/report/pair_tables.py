"""Similar sentence pairs of a comparison, and the CSV tables of its matches and its matrix."""

import csv
import io
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from simcompare.comparison.comparison_matrix import make_matches, similar_cells
from simcompare.comparison.comparison_result import Comparison, ExclusionReason, Match, MatchKind, pair_counts
from simcompare.comparison.explanation import exclusion_name
from simcompare.model.document import Span
from simcompare.report.evidence import Evidence
from simcompare.report.wording import decision_name, kind_name, listed, listed_matches, named
from simcompare.session.decisions import NotedDecision
from simcompare.support.arrays import Float64Array
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import _

Cell = str | float | int | None
"""Value of a cell; None for an empty one."""

# Spreadsheets run cells that start like this as formulas without asking, also after blanks and in full width;
# a formula can, for example, send neighbouring cells to a web address.
_FORMULA_STARTS = tuple("=+-@＝＋－＠")
_LEADING_CONTROLS = tuple("\t\r\n")
_TEXT_PREFIX = "'"
# Excel's limit; the rest of a longer text would spill into the next rows
_LONGEST_CELL = 32_767
_CUT = "…"


def as_csv(rows: Iterable[Sequence[Cell]]) -> bytes:
    """Encode a table as CSV: UTF-8 with a byte order mark, which Excel needs; commas; CR LF.

    Texts are made visible, safe (`without_formula`) and short enough for a cell; numbers are written as
    Python formats them.
    """
    table = io.BytesIO()
    # the codec writes the byte order mark; a StringIO would take four bytes a character
    text = io.TextIOWrapper(table, "utf-8-sig", newline="")
    csv.writer(text).writerows([_cell(value) for value in row] for row in rows)
    text.flush()
    return table.getvalue()


def _cell(value: Cell) -> Cell:
    if not isinstance(value, str):
        return value
    return cut_to_cell(without_formula(escape_invisible(value)))


def cut_to_cell(text: str) -> str:
    """Cut a text to the length of an Excel cell, with "…" at the end if it is longer."""
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - len(_CUT)] + _CUT


def without_formula(text: str) -> str:
    """Prefix a text with an apostrophe if a spreadsheet would run it as a formula.

    As recommended against CWE-1236 and by OWASP (ASVS, "CSV and formula injection"). Excel shows the
    apostrophe.
    """
    acts = text.startswith(_LEADING_CONTROLS) or text.lstrip().startswith(_FORMULA_STARTS)
    return _TEXT_PREFIX + text if acts else text


_GAP = 3


def text_table(rows: Sequence[Sequence[str]]) -> str:
    """Align rows of cells in columns, the first column to the left, the others to the right.

    A Chinese character takes two columns of a terminal. There is no final line end.
    """
    widths = [max(map(terminal_width, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_line(row, widths) for row in rows)


def terminal_width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def elided(text: str, width: int) -> str:
    """Shorten a text to at most `width` terminal columns, with "…" at the end."""
    if terminal_width(text) <= width:
        return text
    while terminal_width(text) > width - 1:
        text = text[:-1]
    return text + "…"


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    spaces = [" " * (width - terminal_width(cell)) for cell, width in zip(row, widths, strict=True)]
    cells = [row[0] + spaces[0], *(space + cell for cell, space in zip(row[1:], spaces[1:], strict=True))]
    return (" " * _GAP).join(cells).rstrip()


MOST_WRITTEN_PAIRS = 50_000
"""Limit of the pairs written. Only texts that repeat themselves exceed it; then the best of each sentence."""
_PLACES = 10_000
# 0.29 * 10,000 is a little less than 2,900 in floating point
_ROUNDING_ERROR = 1e-7
# Python numbers take many times the memory of numpy's
_ROWS_AT_ONCE = 100_000


@dataclass(frozen=True, slots=True)
class SimilarPair:
    """Two similar sentences, the decision on them, and the reasons for which either is excluded.

    `number` is that of the match in the reports for people, None if they do not list it.
    """

    number: int | None
    match: Match
    excluded: tuple[ExclusionReason | None, ExclusionReason | None]
    noted_decision: NotedDecision

    @property
    def counts(self) -> bool:
        """True if the pair counts towards the share after exclusions."""
        return pair_counts(*self.excluded)


@dataclass(frozen=True, slots=True)
class SimilarPairs:
    """Total number of similar pairs, and those that are written, in reading order of the left text."""

    total: int
    written: tuple[SimilarPair, ...]


def matches_as_csv(evidence: Evidence) -> bytes:
    """Return a CSV row for each similar pair of sentences, including excluded ones, in the current language.

    Sentences count from 1. P and w are truncated, not rounded, to four decimals, as a rounded value could
    contradict a threshold. The note on a passage of several matches is with the first of them; decided and
    noted passages without any are rows at the end.
    """
    pairs, notes = similar_pairs(evidence), _notes_on_passages(evidence)
    rows = (_match_row(evidence.comparison, pair, notes) for pair in pairs.written)
    return as_csv([_match_head(), *rows, *_rows_of_passages(evidence)])


def matrix_as_csv(evidence: Evidence) -> bytes:
    """Return a CSV row for each cell of the matrix that a threshold could reach, P >= LOWEST_SIMILAR_WEIGHT.

    Not the whole matrix: no spreadsheet opens a table of 10,000 by 10,000 sentences, nearly all of whose
    cells have nothing in common.
    """
    return as_csv(_matrix_rows(evidence.comparison))


def similar_pairs(evidence: Evidence) -> SimilarPairs:
    """Find the similar pairs of a comparison, including those that exclusions remove."""
    comparison = evidence.comparison
    similar = similar_cells(comparison.matrix.cells, comparison.settings)
    pairs = make_matches(similar, comparison.matrix.shape, comparison.settings)
    written = listed_matches(pairs, MOST_WRITTEN_PAIRS)
    return SimilarPairs(len(pairs), tuple(_pairs(evidence, (pairs[index] for index in written))))


def _pairs(evidence: Evidence, matches: Iterator[Match]) -> Iterator[SimilarPair]:
    comparison = evidence.comparison
    cells = comparison.matches.cells
    listed = listed_matches(comparison.matches)
    positions = zip(cells.rows[listed].tolist(), cells.columns[listed].tolist(), strict=True)
    numbers = {place: number for number, place in enumerate(positions, start=1)}
    for match in matches:
        left, right = match.left, match.right
        reasons = comparison.left_excluded.reason(left), comparison.right_excluded.reason(right)
        noted_decision = evidence.decision_between(left, right)
        yield SimilarPair(numbers.get((left, right)), match, reasons, noted_decision)


def _notes_on_passages(evidence: Evidence) -> Mapping[tuple[int, int], list[str]]:
    """Return the notes on passages of several matches by the two sentences of the first match in each."""
    cells, found = evidence.comparison.matches.cells, defaultdict(list)
    for index, note in sorted(evidence.passage_decisions.notes.items()):
        matches = evidence.passages.matches_of(index)
        if len(matches) > 1:
            label = _("Passage {number}").format(number=f"{index + 1:,}")
            first = int(cells.rows[matches[0]]), int(cells.columns[matches[0]])
            found[first].append(named(label, note.strip()))
    return found


def _rows_of_passages(evidence: Evidence) -> Iterator[list[Cell]]:
    """Yield a row for each passage with a decision or a note and without a match."""
    for index in np.flatnonzero(np.diff(evidence.passages.match_bounds) == 0).tolist():
        passage = evidence.passages[index]
        if (noted := evidence.decision_on(passage)).is_empty:
            continue
        label, note = _("Passage {number}").format(number=f"{passage.number:,}"), noted.note.strip()
        about = None, decision_name(noted.decision), named(label, note) if note else None
        sides = _sides(evidence.comparison, (None, None), (passage.left, passage.right))
        yield [None, label, None, None, *sides, *about]


def _match_head() -> list[Cell]:
    left = _("Left file"), _("Left no."), _("Left sentence")
    right = _("Right file"), _("Right no."), _("Right sentence")
    return [_("No."), _("Kind"), "P", "w", *left, *right, _("Excluded"), _("Decision"), _("Note")]


def _match_row(
    comparison: Comparison, pair: SimilarPair, notes: Mapping[tuple[int, int], Sequence[str]]
) -> list[Cell]:
    match = pair.match
    spans = comparison.left_span(match), comparison.right_span(match)
    return [
        pair.number,
        kind_name(match.kind),
        *_scores(match),
        *_sides(comparison, (match.left + 1, match.right + 1), spans),
        _reasons(pair.excluded),
        decision_name(pair.noted_decision.decision),
        "\n".join(
            filter(None, [pair.noted_decision.note.strip(), *notes.get((match.left, match.right), ())])
        ),
    ]


def _sides(comparison: Comparison, numbers: Sequence[int | None], spans: Sequence[Span]) -> Iterator[Cell]:
    texts = comparison.left.document.text, comparison.right.document.text
    for name, number, span, text in zip(comparison.file_labels, numbers, spans, texts, strict=True):
        yield from (name, number, span.of(text))


def _scores(match: Match) -> list[Cell]:
    p, w = _truncated(np.array([match.p, match.w or 0.0])).tolist()
    return [p, None if match.w is None else w]


def _reasons(excluded: tuple[ExclusionReason | None, ExclusionReason | None]) -> str:
    sides = zip((_("left"), _("right")), excluded, strict=True)
    return listed(named(side, exclusion_name(reason)) for side, reason in sides if reason)


def _truncated(scores: Float64Array) -> Float64Array:
    cut: Float64Array = np.floor(scores * _PLACES + _ROUNDING_ERROR) / _PLACES
    return cut


def _matrix_rows(comparison: Comparison) -> Iterator[list[Cell]]:
    cells, matches = comparison.matrix.cells, comparison.matches
    yield [_("Left no."), _("Right no."), "LCS", "P", "w", _("Kind")]
    width = comparison.matrix.shape[1]
    codes = cells.rows.astype(np.int64) * width + cells.columns
    matched = matches.cells.rows.astype(np.int64) * width + matches.cells.columns
    kinds = np.full(len(cells), -1, np.int8)
    kinds[np.searchsorted(codes, matched)] = matches.kinds
    names = {-1: "", **{int(kind): kind_name(kind) for kind in MatchKind}}
    columns = (cells.rows + 1, cells.columns + 1, cells.lcs, _truncated(cells.p), _truncated(cells.w), kinds)
    for start in range(0, len(cells), _ROWS_AT_ONCE):
        block = (column[start : start + _ROWS_AT_ONCE].tolist() for column in columns)
        for *figures, kind in zip(*block, strict=True):
            yield [*figures, names[kind]]
