"""How kinds and judgements look on paper, and in a text document: never told by colour alone."""

from dataclasses import dataclass

from simcompare.comparison.values import MatchKind
from simcompare.session.review import Decision

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

DECISIONS = {Decision.COPIED: "#b42335", Decision.FINE: "#0c6065"}
"""The ink of a judgement."""
