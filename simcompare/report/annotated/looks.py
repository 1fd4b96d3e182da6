"""How a matched sentence looks in an annotated file: a ground and a line below, both by kind."""

from dataclasses import dataclass

from simcompare.comparison.values import MatchKind


@dataclass(frozen=True, slots=True)
class Look:
    """Colours of six hexadecimal digits; the line tells the kinds apart where colours do not.

    Black text on the ground has a contrast of at least 11:1. dashes_points: drawn and left out in turn,
    none for an unbroken line; word_line: what Word calls that line.
    """

    ground: str
    line: str
    dashes_points: tuple[float, ...]
    word_line: str


LOOKS = {
    MatchKind.EXACT: Look("f9c6cb", "b93042", (), "single"),
    MatchKind.EDITED: Look("fce2a0", "985500", (4, 2), "dash"),
    MatchKind.SYNONYM: Look("b8e6e4", "0f7277", (1, 1.5), "dotted"),
}
