"""How kinds and judgements look on paper, and in a text document: never told by colour alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from simcompare.comparison.comparison_result import MatchKind
from simcompare.report.text_pieces import TextPiece
from simcompare.session.decisions import Decision

MOST_NUMBERS = 3
"""So many matches of a sentence are named behind it; how many more there are is said."""

INK, MUTED, RULE, DOUBT = "#1d2129", "#5d6678", "#d5d5ce", "#b42335"
BIT_ON, BIT_OFF, BIT_DIFFERS = "#44546f", "#d9dde6", "#c8384a"


@dataclass(frozen=True, slots=True)
class KindOnPaper:
    """Ink of words, tint behind a text, and the line under it: solid, dashed or dotted."""

    ink: str
    tint: str
    line: str
    pattern: str


KINDS = {
    MatchKind.EXACT.word: KindOnPaper("#a02233", "#fbe1e3", "#c8384a", "solid"),
    MatchKind.EDITED.word: KindOnPaper("#7a5000", "#fdeec8", "#b77900", "dashed"),
    MatchKind.SYNONYM.word: KindOnPaper("#0c6065", "#d6f0ef", "#11777c", "dotted"),
}
"""By the word for a kind."""

DECISIONS = {Decision.COPIED: ("⚑ ", "#b42335"), Decision.FINE: ("✓ ", "#0c6065")}
"""The sign before a judgement, and its ink."""


def ends_excluded(pieces: Sequence[TextPiece], at: int) -> bool:
    """Whether the reason stands behind an excluded piece: no other of that reason follows in its block."""
    following = next((piece.excluded for piece in pieces[at + 1 :] if piece.text.strip()), "")
    return following != pieces[at].excluded
