"""Colours, underlines and signs of matches and decisions in Word and PDF, readable without colour."""

from collections.abc import Sequence
from dataclasses import dataclass

from simcompare.comparison.comparison_result import MatchKind
from simcompare.report.text_pieces import TextPiece
from simcompare.session.decisions import Decision

MOST_NUMBERS = 3
"""Matches listed after a sentence; the number of further ones follows."""

INK, MUTED, RULE, DOUBT = "#1d2129", "#5d6678", "#d5d5ce", "#b42335"
BIT_ON, BIT_OFF, BIT_DIFFERS = "#44546f", "#d9dde6", "#c8384a"


@dataclass(frozen=True, slots=True)
class KindStyle:
    """Ink of words, tint behind text, and the underline: colour, and solid, dashed or dotted."""

    ink: str
    tint: str
    line: str
    pattern: str


KINDS = {
    MatchKind.EXACT.word: KindStyle("#a02233", "#fbe1e3", "#c8384a", "solid"),
    MatchKind.EDITED.word: KindStyle("#7a5000", "#fdeec8", "#b77900", "dashed"),
    MatchKind.SYNONYM.word: KindStyle("#0c6065", "#d6f0ef", "#11777c", "dotted"),
}
"""Style of each kind of match, by the word of the kind."""

DECISIONS = {Decision.COPIED: ("⚑ ", "#b42335"), Decision.FINE: ("✓ ", "#0c6065")}
"""Sign before a decision, and its ink."""


def ends_excluded(pieces: Sequence[TextPiece], at: int) -> bool:
    """Return whether the reason follows this excluded piece: the next one has another reason."""
    following = next((piece.excluded for piece in pieces[at + 1 :] if piece.text.strip()), "")
    return following != pieces[at].excluded
