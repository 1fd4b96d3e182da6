"""Marks of the matched sentences of a text: their comments, in the current language, and their styles."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from simcompare.comparison.comparison_result import Comparison, Match, MatchKind
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import Span
from simcompare.report.evidence import Evidence
from simcompare.report.wording import (
    by_sentence,
    decision_name,
    enumerated,
    kind_name,
    listed_matches,
    note_in_words,
    number,
)
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import _, ngettext

Side = Literal["left", "right"]
_MOST_LISTED = 5
_MOST_CHARACTERS = 600


@dataclass(frozen=True, slots=True)
class Mark:
    """A matched sentence: its span and text, the kind of its best match, and the lines of its comment."""

    span: Span
    text: str
    kind: MatchKind
    lines: tuple[str, ...]


def marks_of(evidence: Evidence, side: Side) -> list[Mark]:
    """Return the marks of a text in order; matches are numbered as in other reports."""
    matches = evidence.comparison.matches
    listed = listed_matches(matches)
    numbers = {index: count for count, index in enumerate(listed, start=1)}
    cells = matches.cells
    sentences = (cells.rows if side == "left" else cells.columns).tolist()
    found = by_sentence(sentences, listed, matches)
    return [_mark(evidence, side, found[sentence], numbers) for sentence in sorted(found)]


def prepared_document_of(comparison: Comparison, side: Side) -> PreparedDocument:
    """Return one side of a comparison."""
    return comparison.left if side == "left" else comparison.right


def _mark(evidence: Evidence, side: Side, indices: Sequence[int], numbers: dict[int, int]) -> Mark:
    comparison = evidence.comparison
    best = comparison.matches[indices[0]]
    span = comparison.left_span(best) if side == "left" else comparison.right_span(best)
    document = prepared_document_of(comparison, side).document
    lines = [
        line for index in indices[:_MOST_LISTED] for line in _lines(evidence, side, index, numbers[index])
    ]
    rest = len(indices) - _MOST_LISTED
    if rest > 0:
        lines.append(
            ngettext("{count} more match of this sentence", "{count} more matches of this sentence", rest)
        )
    return Mark(span, span.of(document.text), best.kind, tuple(map(escape_invisible, lines)))


def _lines(evidence: Evidence, side: Side, index: int, count: int) -> list[str]:
    """Return the lines about a match: figures and other sentence, decision, note."""
    comparison, noted_decision = evidence.comparison, evidence.decision_of(index)
    match = comparison.matches[index]
    if side == "left":
        prepared_document, sentence, span = comparison.right, match.right, comparison.right_span(match)
        name = comparison.names[1]
    else:
        prepared_document, sentence, span = comparison.left, match.left, comparison.left_span(match)
        name = comparison.names[0]
    description = _("Match {number} ({facts}): sentence {sentence} of {file}: {text}").format(
        number=count,
        facts=_facts(match),
        sentence=sentence + 1,
        file=name,
        text=shortened(span.of(prepared_document.document.text), _MOST_CHARACTERS),
    )
    note = note_in_words(noted_decision.note)
    decided = [_("Decision: {decision}").format(decision=decision_name(noted_decision.decision))]
    return [description, *(decided if noted_decision.decision else []), *([note] if note else [])]


def _facts(match: Match) -> str:
    """Describe a match: "edited, P = 0.78"."""
    w = [] if match.w is None else [f"w = {number(match.w)}"]
    return enumerated([kind_name(match.kind), f"P = {number(match.p)}", *w])


def shortened(text: str, most_characters: int) -> str:
    """Join a text into one line, truncated with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= most_characters else f"{line[: most_characters - 1]}…"


@dataclass(frozen=True, slots=True)
class MarkStyle:
    """Background and underline, as six hexadecimal digits; the underline distinguishes kinds without colour.

    Black text on the background has a contrast of at least 11:1. dashes_points: lengths of dashes and gaps,
    empty for a solid line; word_line: the name of this underline in Word.
    """

    background: str
    underline: str
    dashes_points: tuple[float, ...]
    word_line: str


MARK_STYLES = {
    MatchKind.EXACT: MarkStyle("f9c6cb", "b93042", (), "single"),
    MatchKind.EDITED: MarkStyle("fce2a0", "985500", (4, 2), "dash"),
    MatchKind.SYNONYM: MarkStyle("b8e6e4", "0f7277", (1, 1.5), "dotted"),
}
