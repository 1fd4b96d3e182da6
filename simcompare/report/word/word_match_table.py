"""Table of the matches outside of the passages in the Word report."""

from collections.abc import Iterator, Sequence

from simcompare.report.html_sections import MatchView, PageView
from simcompare.report.text_pieces import DECISIONS, SharedPiece
from simcompare.report.word.word_markup import cell, link, paragraph, row, run, table
from simcompare.report.word.word_styles import DECISION_STYLES, MATCH_STYLES
from simcompare.session.decisions import Decision
from simcompare.support.i18n import _

_WIDTHS = (620, 1080, 640, 640, 6886)
_LONGEST_WHOLE_ROW = 1_500
"""Characters of a row that is kept on one page; a longer one would leave most of a page empty."""


def match_table(page: PageView, matches: Sequence[MatchView]) -> Iterator[str]:
    """Yield the table of these matches."""
    yield paragraph(
        "Small",
        run(_("in both sentences, in order"), "Common"),
        run(" · "),
        run(_("paired as synonyms"), "Paired"),
        properties="<w:keepNext/>",
    )
    rows = [_match_table_head(), *(_row(match) for match in matches)]
    yield table(_WIDTHS, rows, _("Single sentences"))
    if page.matches_not_listed:
        yield paragraph("Small", run(page.matches_not_listed))


def decision_runs(decision: str, name: str, note: str) -> list[str]:
    """Return runs with a decision and its note; empty without either."""
    runs = []
    if decision:
        known = Decision(decision)
        runs.append(run(DECISIONS[known][0] + name, DECISION_STYLES[known]))
    if note:
        runs.append(run(f" – {note}" if decision else note))
    return runs


def _match_table_head() -> str:
    names = (_("Passage"), _("Kind"), "P", "w", _("The two sentences, and why they match"))
    cells = (
        cell(paragraph("SmallHead", run(name)), width) for name, width in zip(names, _WIDTHS, strict=True)
    )
    return row(cells, is_head=True)


def _row(match: MatchView) -> str:
    kind = run(match.kind_name, MATCH_STYLES[match.kind])
    pair = [
        _sentence(_("left"), match.left, match.left_pieces),
        _same_sentence(_("right"), match.right)
        if match.is_same_text
        else _sentence(_("right"), match.right, match.right_pieces),
    ]
    if match.reasons:
        pair.append(paragraph("Reason", run(match.reasons)))
    if value := decision_runs(match.decision, match.decision_name, match.note):
        pair.append(paragraph("Reason", *value))
    number = ""
    if match.passage is not None:
        number = link(run(f"{match.passage:,}", "Strong"), f"l{match.passage}")
    figures = (number, kind, run(match.p), run(match.w))
    contents = [*(paragraph("Cell", figure) for figure in figures), "".join(pair)]
    size = sum(len(piece.text) for piece in (*match.left_pieces, *match.right_pieces))
    cells = (cell(content, width, top=True) for content, width in zip(contents, _WIDTHS, strict=True))
    return row(cells, is_whole=size <= _LONGEST_WHOLE_ROW)


def _sentence(side: str, number: int, pieces: Sequence[SharedPiece]) -> str:
    words = (run(piece.text, _shared(piece)) for piece in pieces)
    return paragraph("Pair", run(f"{side} {number}", "Muted"), run("\t"), *words)


def _same_sentence(side: str, number: int) -> str:
    same = run(_("the same sentence"), "Muted")
    return paragraph("Pair", run(f"{side} {number}", "Muted"), run("\t"), same)


def _shared(piece: SharedPiece) -> str:
    if piece.is_synonym:
        return "CommonPaired" if piece.is_common else "Paired"
    return "Common" if piece.is_common else ""
