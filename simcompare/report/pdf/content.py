"""Values that the Typst template of a report shows, as JSON types."""

import base64
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from simcompare import __version__
from simcompare.model.document import BlockKind
from simcompare.report.evidence import Evidence
from simcompare.report.facing_passages import (
    ChosenRows,
    FacingPassage,
    PassageRun,
    SharedWords,
    chosen_rows,
    facing_passages,
    legend_of_kinds,
    matches_outside,
    passage_runs,
    passages_counted,
    remarks_on_passages,
)
from simcompare.report.heat_picture import LIGHT, ticks
from simcompare.report.how_to_read import how_to_read
from simcompare.report.html_sections import MatchView, PageView, SideView, page_view
from simcompare.report.pdf.binding import LINK_SCHEME
from simcompare.report.text_pieces import (
    BIT_DIFFERS,
    BIT_OFF,
    BIT_ON,
    DECISIONS,
    DOUBT,
    INK,
    KINDS,
    MUTED,
    PASSAGE_LOOKS,
    RULE,
    BlockPieces,
    SharedPiece,
    TextPiece,
    ends_excluded,
)
from simcompare.report.wording import enumerated, first_of, hamming, named, rows_left_out_in_words
from simcompare.session.decisions import Decision
from simcompare.support.display_text import display_name, escape_invisible
from simcompare.support.i18n import _, current_language

MOST_ROWS = 500
"""Rows of the table of matches; Typst needs 2.6 GB for a table of 6,000 rows."""

MOST_FACING_CHARACTERS = 200_000
"""Limit of all passages side by side, some 60 pages; others are in the texts, which are shown in full."""

_MOST_NUMBERED = 20
_MOST_HEAT_PT, _MOST_CELL_PT, _LEAST_HEAT_PT = 230, 16, 24
_ROW_LABEL_PT, _COLUMN_LABEL_PT = 24, 46
_LONGEST_UNBROKEN = 600
_BEGINNING = 30

Values = dict[str, Any]


def report_values(evidence: Evidence) -> Values:
    """Return the values of the whole report, in the current language."""
    chosen = chosen_rows(evidence, MOST_ROWS)
    page = page_view(evidence, chosen.rows)
    names = " ↔ ".join(display_name(side.name) for side in page.sides)
    passages = list(facing_passages(evidence, page))
    facing, long = _shown_facing(
        [passage for passage in passages if not (passage.is_whole or passage.is_single)]
    )
    links = _Links({passage.number for passage in facing})
    words = SharedWords(page.matches)
    rows = matches_outside(page, passages)
    values: Values = visible(
        {
            "language": current_language(),
            "title": named(_("Comparison of two texts"), names),
            "names": names,
            "paper": paper_looks(),
            "says": _labels(evidence),
            "has_boxes": False,
            "doubts": [
                _("A doubt about {file}: {doubts}").format(file=side.file, doubts=side.doubts)
                for side in page.sides
                if side.doubts
            ],
            "noted_decision": _noted_decision(page),
            "result": page.result,
            "meaning": page.meaning,
            "sides": [
                _side(side, runs, links)
                for side, runs in zip(page.sides, passage_runs(evidence, page), strict=True)
            ],
            "hamming": named(_("Hamming distance"), hamming(evidence.comparison)),
            "heat": _heat(evidence, page),
            "kinds": legend_of_kinds(evidence.comparison, passages),
            "decisions": page.decisions,
            "passages": {
                "none": not passages,
                "counted": passages_counted(passages),
                "not_facing": [*remarks_on_passages(passages), *_long_in_words(long)],
                "facing": [_passage(page, passage, links, words) for passage in facing],
            },
            "matches": {
                "none": not page.matches,
                "rows": [_row(match) for match in rows],
                "left_out": [part for part in (_left_out(chosen), page.matches_not_listed) if part and rows],
            },
            "help": list(how_to_read(page)),
            "facts": page.facts,
        }
    )
    return values


def _left_out(chosen: ChosenRows) -> str:
    if not chosen.outside_left_out:
        return ""
    return rows_left_out_in_words(chosen.outside, chosen.outside_left_out)


def beginning(values: Values) -> Values:
    """Return the values with each list shortened to more than enough for the first page."""
    passages, matches = values["passages"], values["matches"]
    facing = [
        passage | {"texts": [blocks[:_BEGINNING] for blocks in passage["texts"]]}
        for passage in passages["facing"][:_BEGINNING]
    ]
    return values | {
        "passages": passages | {"facing": facing},
        "matches": matches | {"rows": matches["rows"][:_BEGINNING]},
        "sides": [side | {"blocks": side["blocks"][:_BEGINNING]} for side in values["sides"]],
    }


class _Links:
    """Internal links between the passages side by side and the texts; see binding.py.

    A place is a letter and the number of a passage: p for both sides, l or r for its beginning in a text.
    """

    def __init__(self, facing: Collection[int]) -> None:
        self._facing = facing

    def of_passage(self, side: SideView, number: int) -> str:
        """Return the address behind a number in a text: the two sides, or the other text."""
        there = "p" if number in self._facing else side.partner_letter
        return f"{LINK_SCHEME}{side.letter}{number}/{there}{number}"

    def of_title(self, number: int) -> str:
        """Return the address behind the title of a passage: its beginning in the left text."""
        return f"{LINK_SCHEME}p{number}/l{number}"


def visible(value: Any) -> Any:
    """Replace control and invisible characters in all strings, and tabs, for which no font has a glyph."""
    if isinstance(value, str):
        return escape_invisible(value).replace("\t", "\N{EM SPACE}")
    if isinstance(value, Mapping):
        return {key: visible(item) for key, item in value.items()}
    return [visible(item) for item in value] if isinstance(value, list | tuple) else value


def paper_looks() -> Values:
    """Return the colours of the page, of kinds of matches and of decisions."""
    return {
        "ink": INK,
        "muted": MUTED,
        "rule": RULE,
        "doubt": DOUBT,
        "bits": {"on": BIT_ON, "off": BIT_OFF, "differs": BIT_DIFFERS},
        "scale": LIGHT.stops,
        "kinds": {
            kind: {"ink": look.ink, "tint": look.tint, "line": look.line, "pattern": look.pattern}
            for kind, look in (*KINDS.items(), *PASSAGE_LOOKS.items())
        },
        "decisions": {
            decision.value: {"sign": sign.strip(), "ink": ink} for decision, (sign, ink) in DECISIONS.items()
        },
    }


def _labels(evidence: Evidence) -> dict[str, str]:
    made = _("Made by simcompare {version} on {date}.")
    return {
        "heading": _("Comparison of two texts"),
        "decision": named(_("Decision on the pair"), ""),
        "undecided": _("undecided"),
        "hamming_hint": _("Ringed cells are the bits in which the two fingerprints differ."),
        "share": _("Share"),
        "details": _("Figures in detail"),
        "matrix": _("Comparison matrix"),
        "axes": _("Down: sentences of the left text. Across: sentences of the right text."),
        "low": _("nothing in common"),
        "high": _("all in common"),
        "passages": _("Passages"),
        "matches": _("Single sentences"),
        "common": _("in both sentences, in order"),
        "paired": _("paired as synonyms"),
        "same": _("the same sentence"),
        "none": _("No two sentences are similar under these thresholds."),
        "number": _("Passage"),
        "kind": _("Kind"),
        "sentences": _("The two sentences, and why they match"),
        "left": _("left"),
        "right": _("right"),
        "how_to_read": _("How to read this"),
        "how_made": _("How this was made"),
        "made": made.format(version=__version__, date=evidence.made_at.strftime("%Y-%m-%d %H:%M")),
        "boxes": _(
            "Boxes stand for characters that no font of this computer has. They can be copied as text."
        ),
    }


def _side(side: SideView, runs: Sequence[Sequence[PassageRun]], links: _Links) -> Values:
    return {
        "language": side.language,
        "name": side.name,
        "title": side.title,
        "size": side.size,
        "share": side.share,
        "remark": side.remark,
        "details": side.details,
        "bits": [[int(is_one), int(differs)] for is_one, differs in side.bits],
        "fingerprint": side.fingerprint,
        "fingerprint_in_words": side.fingerprint_in_words,
        "receipt": list(_receipt(side)),
        "blocks": [
            _block(side, block.kind, parts, links) for block, parts in zip(side.blocks, runs, strict=True)
        ],
    }


def _receipt(side: SideView) -> Iterator[tuple[str, str, str]]:
    """Yield label, value and style of each known fact about a file."""
    yield side.place, side.file, "name"
    if side.sha256:
        yield _("Size"), side.file_size, ""
        yield _("SHA-256"), side.sha256, "digits"
    yield _("Read"), side.receipt, ""
    yield _("Left out"), "\n".join(side.dropped), ""
    yield _("Excluded"), side.excluded, ""
    if side.doubts:
        yield _("To be checked"), side.doubts, "doubt"
    if side.notes:
        yield _("Worth knowing"), side.notes, ""
    for label, value in side.origin:
        yield label, value, ""


def _heat(evidence: Evidence, page: PageView) -> Values:
    """Return the picture of the matrix; its cells are square if that leaves it visible."""
    rows, columns = evidence.comparison.matrix.shape
    cell = min(_MOST_HEAT_PT / columns, _MOST_HEAT_PT / rows, _MOST_CELL_PT)
    width, height = max(columns * cell, _LEAST_HEAT_PT), max(rows * cell, _LEAST_HEAT_PT)
    return {
        "png": list(base64.b64decode(page.heat.light.partition(",")[2])),
        "in_words": page.heat.in_words,
        "width": width,
        "height": height,
        "rows": _axis(rows, height, _ROW_LABEL_PT),
        "columns": _axis(columns, width, _COLUMN_LABEL_PT),
    }


def _axis(count: int, extent_pt: float, label_pt: float) -> list[tuple[str, float]]:
    """Return the numbers of an axis with the centres of their cells in points."""
    return [(f"{n:,}", (n - 0.5) / count * extent_pt) for n in ticks(count, round(extent_pt / label_pt))]


def _shown_facing(passages: Sequence[FacingPassage]) -> tuple[list[FacingPassage], list[FacingPassage]]:
    """Return the passages to show side by side, and those too long for that."""
    short: list[FacingPassage] = []
    long: list[FacingPassage] = []
    remaining_characters = MOST_FACING_CHARACTERS
    for passage in passages:
        length = _length(passage)
        (short if length <= remaining_characters else long).append(passage)
        remaining_characters -= length if length <= remaining_characters else 0
    return short, long


def _length(passage: FacingPassage) -> int:
    return sum(len(piece.text) for block in (*passage.left, *passage.right) for piece in block.pieces)


def _long_in_words(passages: Sequence[FacingPassage]) -> Iterator[str]:
    """Yield a remark with the numbers of all passages, and the title of each with a decision or a note."""
    if passages:
        numbers = enumerated(first_of([f"{passage.number:,}" for passage in passages], _MOST_NUMBERED))
        words = _("Too long to be shown side by side, but marked in the texts of this report: {numbers}.")
        yield words.format(numbers=numbers)
    yield from (passage.title for passage in passages if passage.is_noted)


def _passage(page: PageView, passage: FacingPassage, links: _Links, words: SharedWords) -> Values:
    sides = zip(page.sides, (passage.left, passage.right), strict=True)
    return {
        "title": passage.title,
        "address": links.of_title(passage.number),
        "texts": [[_excerpt(side, block, passage.kind, words) for block in blocks] for side, blocks in sides],
    }


def _excerpt(side: SideView, block: BlockPieces, kind: str, words: SharedWords) -> Values:
    pieces = [_piece(block.pieces, at, kind) for at in range(len(block.pieces))]
    for piece, value in zip(block.pieces, pieces, strict=True):
        if piece.sentence is not None and isinstance(value, dict):
            value["words"] = _shared(words.of(side, piece))
    return {"kind": block.kind.value, "pieces": pieces}


def _block(side: SideView, kind: BlockKind, runs: Sequence[PassageRun], links: _Links) -> Values:
    """Return a block of a text with the numbers of the passages that begin in it."""
    pieces: list[str | Values] = []
    for run in runs:
        pieces += [
            {
                "number": f"{passage.number}",
                "address": links.of_passage(side, passage.number),
                "kind": passage.kind,
                "decision": passage.decision or "",
            }
            for passage in run.starting
        ]
        is_fine = run.passage is not None and run.passage.decision is Decision.FINE
        kind_of_run = run.passage.kind if run.passage is not None and not is_fine else ""
        pieces += [_piece(run.pieces, at, kind_of_run) for at in range(len(run.pieces))]
    return {"kind": kind.value, "pieces": pieces}


def _piece(pieces: Sequence[TextPiece], at: int, kind: str) -> str | Values:
    """Return plain text as a string; text in a passage of a kind, or excluded text, as values."""
    piece = pieces[at]
    # also if it is matched: what is a quotation in one text only counts in the other
    if piece.excluded:
        return {"text": piece.text, "excluded": piece.excluded if ends_excluded(pieces, at) else ""}
    if piece.sentence is not None:
        return {
            "text": piece.text,
            "kind": kind or piece.sentence.kind,
            "decision": piece.sentence.decision or "",
            "is_fine": piece.sentence.decision is Decision.FINE,
            "words": [],
        }
    return {"text": piece.text, "around": kind} if kind else piece.text


def _noted_decision(view: PageView | MatchView) -> Values | None:
    if not (view.decision or view.note):
        return None
    return {"decision": view.decision, "name": view.decision_name, "note": view.note}


def _row(match: MatchView) -> Values:
    pieces = match.left_pieces, match.right_pieces
    length = sum(len(piece.text) for piece in (*pieces[0], *pieces[1])) + len(match.reasons)
    return {
        "number": "" if match.passage is None else f"{match.passage}",
        "kind": match.kind,
        "kind_name": match.kind_name,
        "p": match.p,
        "w": match.w,
        "left": match.left,
        "right": match.right,
        "texts": [_shared(some) for some in pieces],
        "is_same_text": match.is_same_text,
        "reasons": match.reasons,
        "noted_decision": _noted_decision(match),
        "is_breakable": length > _LONGEST_UNBROKEN,
    }


def _shared(pieces: Sequence[SharedPiece]) -> list[str | list[Any]]:
    return [
        [piece.text, piece.is_common, piece.is_synonym] if piece.is_common or piece.is_synonym else piece.text
        for piece in pieces
    ]
