"""What a cell of the matrix says in words: as a tool tip, and in short for assistive programs."""

from simcompare.comparison.explanation import explain_exclusion, near_miss, rounded_beside
from simcompare.comparison.values import Comparison
from simcompare.i18n import _
from simcompare.report.wording import kind_name

_LONGEST_SENTENCE = 160


def cell_in_words(comparison: Comparison, row: int, column: int) -> str:
    """Return which two sentences meet in a cell, how they were judged, and what they say."""
    left, right = comparison.left, comparison.right
    lines = [
        _("left {row} ↔ right {column}").format(row=row + 1, column=column + 1),
        *_judgement(comparison, row, column),
        _shortened(left.prepared.sentence_span(row).of(left.document.text)),
        _shortened(right.prepared.sentence_span(column).of(right.document.text)),
    ]
    return "\n".join(lines)


def cell_in_short(comparison: Comparison, row: int, column: int) -> str:
    """Return which two sentences meet in a cell and how they were judged, in one line to be spoken."""
    words = _("left sentence {row} and right sentence {column}: {judgement}")
    judgement = ", ".join(_judgement_in_short(comparison, row, column))
    return words.format(row=row + 1, column=column + 1, judgement=judgement)


def _judgement(comparison: Comparison, row: int, column: int) -> list[str]:
    index = comparison.matches.index_of(row, column)
    if index is not None:
        return [_of_match(comparison, index)]
    # not from the heat, whose 255 steps would show another number than the inspector
    p = rounded_beside(near_miss(comparison, row, column, None).p, comparison.settings)
    excluded = explain_exclusion(comparison, row, column)
    if excluded:
        return [_("P = {p} · excluded").format(p=p), *excluded]
    return [_("P = {p} · not similar").format(p=p)]


def _judgement_in_short(comparison: Comparison, row: int, column: int) -> list[str]:
    index = comparison.matches.index_of(row, column)
    if index is None:
        p = rounded_beside(near_miss(comparison, row, column, None).p, comparison.settings)
        excluded = explain_exclusion(comparison, row, column)
        return [_("excluded") if excluded else _("not similar"), f"P = {p}"]
    match = comparison.matches[index]
    w = [] if match.w is None else [f"w = {rounded_beside(match.w, comparison.settings)}"]
    return [kind_name(match.kind), f"P = {rounded_beside(match.p, comparison.settings)}", *w]


def _of_match(comparison: Comparison, index: int) -> str:
    match = comparison.matches[index]
    if match.w is None:
        return _("P = {p} · {kind}").format(
            p=rounded_beside(match.p, comparison.settings), kind=kind_name(match.kind)
        )
    return _("P = {p}, w = {w} · {kind}").format(
        p=rounded_beside(match.p, comparison.settings),
        w=rounded_beside(match.w, comparison.settings),
        kind=kind_name(match.kind),
    )


def _shortened(sentence: str) -> str:
    return sentence if len(sentence) <= _LONGEST_SENTENCE else sentence[: _LONGEST_SENTENCE - 1] + "…"
