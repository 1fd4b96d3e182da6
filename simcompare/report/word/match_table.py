"""The table of matches: a row for each, with both sentences, the reasons, and what a teacher decided."""

from collections.abc import Iterator, Sequence

from simcompare.i18n import _
from simcompare.report.page import MatchView, PageView, SideView
from simcompare.report.paper import DECISIONS
from simcompare.report.pieces import SharedPiece
from simcompare.report.word.markup import Bookmarks, cell, link, paragraph, row, run, table
from simcompare.report.word.styles import DECISION_STYLES, MATCH_STYLES
from simcompare.session.review import Decision

_WIDTHS = (620, 1080, 640, 640, 6886)
_LONGEST_WHOLE_ROW = 1_500
"""Characters of a row that may be kept on one page; a longer one would leave most of a page empty."""


def match_table(page: PageView, bookmarks: Bookmarks) -> Iterator[str]:
    """Yield the table, or the sentence that there is nothing to put into it."""
    if not page.matches:
        yield paragraph("Normal", run(_("No two sentences are similar under these thresholds.")))
        return
    yield paragraph(
        "Small",
        run(_("in both sentences, in order"), "Common"),
        run(" · "),
        run(_("paired as synonyms"), "Paired"),
        properties="<w:keepNext/>",
    )
    rows = [_head(), *(_row(page.sides, match, bookmarks) for match in page.matches)]
    yield table(_WIDTHS, rows, _("Matches"))
    if page.matches_not_listed:
        yield paragraph("Small", run(page.matches_not_listed))


def judged(decision: str, name: str, note: str) -> list[str]:
    """Return a judgement with its note; nothing where there is neither."""
    runs = []
    if decision:
        known = Decision(decision)
        runs.append(run(DECISIONS[known][0] + name, DECISION_STYLES[known]))
    if note:
        runs.append(run(f" – {note}" if decision else note))
    return runs


def _head() -> str:
    names = (_("No."), _("Kind"), "P", "w", _("The two sentences, and why they match"))
    cells = (
        cell(paragraph("SmallHead", run(name)), width) for name, width in zip(names, _WIDTHS, strict=True)
    )
    return row(cells, is_head=True)


def _row(sides: Sequence[SideView], match: MatchView, bookmarks: Bookmarks) -> str:
    left, right = sides
    kind = run(match.kind_name, MATCH_STYLES[match.kind])
    pair = [
        _sentence(left, _("left"), match.left, match.left_pieces),
        _sentence(right, _("right"), match.right, match.right_pieces),
        paragraph("Reason", run(" ".join(match.reasons))),
    ]
    if said := judged(match.decision, match.decision_name, match.note):
        pair.append(paragraph("Reason", *said))
    number = bookmarks.at(f"m{match.number}", run(f"{match.number:,}", "Strong"))
    figures = (number, kind, run(match.p), run(match.w))
    contents = [*(paragraph("Cell", figure) for figure in figures), "".join(pair)]
    size = sum(len(piece.text) for piece in (*match.left_pieces, *match.right_pieces))
    cells = (cell(one, width, top=True) for one, width in zip(contents, _WIDTHS, strict=True))
    return row(cells, is_whole=size <= _LONGEST_WHOLE_ROW)


def _sentence(side: SideView, word: str, number: int, pieces: Sequence[SharedPiece]) -> str:
    label = link(run(f"{word} {number}", "Muted"), f"{side.letter}{number}")
    return paragraph("Pair", label, run("\t"), *(run(piece.text, _shared(piece)) for piece in pieces))


def _shared(piece: SharedPiece) -> str:
    if piece.is_synonym:
        return "CommonPaired" if piece.is_common else "Paired"
    return "Common" if piece.is_common else ""
