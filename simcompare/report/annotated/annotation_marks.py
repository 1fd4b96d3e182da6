"""Annotated copies: marks with comments and styles on sentences and passages, the result, and its errors."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile, starmap, takewhile
from typing import Literal

from simcompare.comparison.comparison_result import Comparison, Match, MatchKind
from simcompare.comparison.passages.numbered_passages import NumberedPassage
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import Span
from simcompare.model.errors import FileError
from simcompare.report.evidence import Evidence
from simcompare.report.facing_passages import decided_title
from simcompare.report.wording import (
    by_sentence,
    decision_name,
    enumerated,
    kind_name,
    listed_matches,
    named,
    note_in_words,
    number,
)
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_, _, ngettext

Side = Literal["left", "right"]
_MOST_LISTED = 5
_MOST_CHARACTERS = 600
SIGNED = N_("{name} is signed: its signature is valid for the original only, not for the annotated copy.")
OTHER_FORMAT = N_(
    "only PDF and Word files (.docx, .docm, .dotx) can be. "
    "Save it in one of these formats and compare the new file"
)
CHANGED = N_("it is no longer the file that was compared. Compare it again")
PASSWORD = N_("the password is wrong. Give the password with which it was read")
BROKEN = N_(
    "its structure is broken, although its text can be read. "
    "Open it in the program that made it, save it again and compare the new file"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A matched sentence, or a passage without matches: its span and text, and the lines of its comment.

    kind: of the best match of the sentence; None for a passage.
    """

    span: Span
    text: str
    kind: MatchKind | None
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnnotatedCopy:
    """Content of an annotated copy, the number of marks placed, and the marks that have no position in it."""

    data: bytes = field(repr=False)
    placed: int
    unplaced: tuple[Mark, ...]
    remarks: tuple[str, ...] = ()
    """Untranslated gettext ids about the copy, with {name} for the file."""


class NotAnnotatedError(FileError):
    """A compared file cannot be annotated. Values: cause, including what the user can do."""

    template = N_("{name} cannot be annotated: {cause}.")


def marks_of(evidence: Evidence, side: Side) -> list[Mark]:
    """Return the marks of a text in order; matches and passages are numbered as in other reports.

    The decision and the note on a passage of several matches are at its first matched sentence. A passage
    without matches has a mark of its own, unless all its sentences are marked anyway.
    """
    matches = evidence.comparison.matches
    listed = listed_matches(matches)
    numbers = {index: count for count, index in enumerate(listed, start=1)}
    cells = matches.cells
    sentences = (cells.rows if side == "left" else cells.columns).tolist()
    found = by_sentence(sentences, listed, matches)
    last, lines = _placed_passages(evidence, side, found)
    return [
        _mark(evidence, side, found[sentence], numbers, lines[sentence])
        if sentence in found
        else _mark_of_passage(
            prepared_document_of(evidence.comparison, side), (sentence, last[sentence]), lines[sentence]
        )
        for sentence in sorted([*found, *last])
    ]


def prepared_document_of(comparison: Comparison, side: Side) -> PreparedDocument:
    """Return one side of a comparison."""
    return comparison.left if side == "left" else comparison.right


def _placed_passages(
    evidence: Evidence, side: Side, matched: Collection[int]
) -> tuple[dict[int, int], defaultdict[int, list[str]]]:
    """Find where the passages are marked: last sentences of their marks, and lines, by first sentence.

    The lines are those of all marks. The mark of a passage without matches is on its first sentences without
    a mark, as marks do not overlap; if all have marks, its lines are added to the first of these.
    matched: the sentences with matches, each of which has a mark.
    """
    passages, is_left = evidence.passages, side == "left"
    prepared = prepared_document_of(evidence.comparison, side).prepared
    bounds = prepared.sentences_in(passages.left_spans if is_left else passages.right_spans)
    first_of_mark = {sentence: sentence for sentence in matched}
    last: dict[int, int] = {}
    lines: defaultdict[int, list[str]] = defaultdict(list)
    for passage, inside in zip(passages, starmap(range, bounds.tolist()), strict=True):
        if not passage.matches:
            unmarked = dropwhile(first_of_mark.__contains__, inside)
            added = list(takewhile(lambda sentence: sentence not in first_of_mark, unmarked))
            if added:
                first_of_mark.update(dict.fromkeys(added, added[0]))
                last[added[0]] = added[-1]
            place = added[0] if added else first_of_mark[inside[0]]
            lines[place] += decided_title(evidence, passage), _other_text(evidence.comparison, side, passage)
        # a match alone in its passage has the decision and the note of the passage
        elif len(passage.matches) > 1 and not evidence.decision_on(passage).is_empty:
            place = next(sentence for sentence in inside if sentence in matched)
            lines[place].append(decided_title(evidence, passage))
    return last, lines


def _other_text(comparison: Comparison, side: Side, passage: NumberedPassage) -> str:
    """Return the name of the other file with its text of a passage."""
    if side == "left":
        name, span, document = comparison.names[1], passage.right, comparison.right.document
    else:
        name, span, document = comparison.names[0], passage.left, comparison.left.document
    return named(name, shortened(span.of(document.text), _MOST_CHARACTERS))


def _mark_of_passage(
    prepared_document: PreparedDocument, sentences: tuple[int, int], lines: Sequence[str]
) -> Mark:
    """Return the mark of a passage without matches, from its first to its last sentence."""
    first, last = map(prepared_document.prepared.sentence_span, sentences)
    span = Span(first.start, last.end)
    return Mark(span, span.of(prepared_document.document.text), None, tuple(map(escape_invisible, lines)))


def _mark(
    evidence: Evidence,
    side: Side,
    indices: Sequence[int],
    numbers: dict[int, int],
    lines_on_passages: Sequence[str],
) -> Mark:
    comparison = evidence.comparison
    best = comparison.matches[indices[0]]
    span = comparison.left_span(best) if side == "left" else comparison.right_span(best)
    document = prepared_document_of(comparison, side).document
    lines = [
        *lines_on_passages,
        *(line for index in indices[:_MOST_LISTED] for line in _lines(evidence, side, index, numbers[index])),
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


MARK_STYLES: Mapping[MatchKind | None, MarkStyle] = {
    MatchKind.EXACT: MarkStyle("f9c6cb", "b93042", (), "single"),
    MatchKind.EDITED: MarkStyle("fce2a0", "985500", (4, 2), "dash"),
    MatchKind.SYNONYM: MarkStyle("b8e6e4", "0f7277", (1, 1.5), "dotted"),
    None: MarkStyle("e6e6eb", "6a6a76", (4, 1.5, 1, 1.5), "dotDash"),
}
