"""Formulas that two documents have in common, of whatever format and way of writing.

They are facts beside the wording and count for no share, rank or limit. Short ones, those of many documents
and those that were handed out do not count. A renamed variable makes another formula.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from simcompare.cohort.kinship import most_holders
from simcompare.cohort.shared_mistakes import anchors_of
from simcompare.model.document import Anchor, Document, Span
from simcompare.session.school_class import Pair
from simcompare.text.words import lexicon_lines

LEAST_SIGNS = 22
"""Brackets and marks of scripts aside; formulas of textbooks with a name are seldom as long."""
_MOST_CHARACTERS = 2_000
_IN_TEX = re.compile(
    r"\\\(((?:(?!\\\().){1,2000}?)\\\)|(?<!\\)\\\[((?:(?!(?<!\\)\\\[).){1,2000}?)\\\]|\$\$([^$]{1,2000})\$\$",
    re.DOTALL,
)
_RAISED, _LOWERED = re.compile("[⁰¹²³⁴-ⁿ]+"), re.compile("[₀-ₜ]+")
_NUMBERING = re.compile(r"\\(?:tag|label)\*?\s*{[^{}]*}|#\s*\(?[\w.-]+\)?")
_ROWS = re.compile(r"\\(begin|end)\s*{[^{}]*}(?:\s*{[lcr|\s]*})?")
_ROW_END = re.compile(r"\\\\|;")
_EMPTY_BRACKET, _DEGREE = re.compile(r"\\(?:left|right)\s*\."), re.compile(r"\\sqrt\s*\[([^\]]*)\]")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\\S|(?<=frac)\d|\d+(?:\.\d+)*|\S")
_FRACTION, _FRACTIONS = "\\frac", frozenset({"\\frac", "\\dfrac", "\\tfrac", "\\cfrac", "\\binom"})
_SUM = frozenset("+-=<>≤≥≠≈~∝±∓→←⇒⇔∈,;:")
"""Signs in brackets without which the brackets say nothing: (ab)/c is ab/c."""
_ACCENTS = frozenset("→~^¯ˉˆ˙")
"""Signs that are accents where they are above another."""
_RELATIONS = frozenset("=<>≤≥≠≈~∝→⇒⇔∈")


@dataclass(frozen=True, slots=True)
class SharedFormula:
    """A formula of two documents: as one of them writes it, and where, each place once."""

    written: str
    left: tuple[Anchor, ...]
    right: tuple[Anchor, ...]


SharedFormulas = tuple[SharedFormula, ...]


def find_shared_formulas(
    documents: Mapping[int, Document], handed_out: Iterable[Document] = ()
) -> dict[Pair, SharedFormulas]:
    """Find the formulas of pairs of documents, the lower key first, that at most 3 documents or 10% have."""
    held: defaultdict[str, dict[int, dict[Span, str]]] = defaultdict(dict)
    for key in sorted(documents):
        for formula, span, written in _formulas(documents[key]):
            held[formula].setdefault(key, {})[span] = written
    given = {formula for each in handed_out for formula, _span, _written in _formulas(each)}
    most = most_holders(len(documents))
    found: defaultdict[Pair, list[SharedFormula]] = defaultdict(list)
    for formula, holders in held.items():
        if 2 <= len(holders) <= most and formula not in given:
            places = {
                key: anchors_of(documents[key], (span.start for span in spans))
                for key, spans in holders.items()
            }
            for pair in combinations(holders, 2):
                written = next(iter(holders[pair[0]].values()))
                found[pair].append(SharedFormula(written, *(places[key] for key in pair)))
    return {pair: tuple(found[pair]) for pair in sorted(found)}


def _formulas(document: Document) -> Iterator[tuple[str, Span, str]]:
    """Yield the normal form of each formula that says enough, where it is, and as it is written."""
    in_tex = (Span(*found.span(found.lastindex or 0)) for found in _IN_TEX.finditer(document.text))
    for span in dict.fromkeys([*document.formulas, *in_tex]):
        if LEAST_SIGNS <= len(span) <= _MOST_CHARACTERS:
            written = " ".join(span.of(document.text).split())
            rows = normal_forms(written)
            parts = _ROW_END.split(written) if len(rows) > 1 else ()
            own = {row: _ROWS.sub("", part).strip() for part in parts for row in normal_forms(part)}
            for row in rows:
                is_long = sum(sign not in "()^_" for sign in row) >= LEAST_SIGNS
                if is_long and not _RELATIONS.isdisjoint(row):
                    yield row, span, own.get(row, written)  # never the row, which has names without blanks


def normal_forms(written: str) -> list[str]:
    """Return the signs of each row of a formula, with only those brackets that hold a sum or the like."""
    text = _LOWERED.sub(r"_{\g<0>}", _RAISED.sub(r"^{\g<0>}", _NUMBERING.sub("", written)))
    text = _DEGREE.sub(r"{\1}√", _EMPTY_BRACKET.sub("", unicodedata.normalize("NFKC", text)))
    frames: list[list[str]] = [[]]
    for token in _TOKEN.findall(_ROWS.sub(lambda each: "{" if each[1] == "begin" else "}", text)):
        sign = _signs().get(token, _signs().get(token.lstrip("\\"), token.lstrip("\\")))
        if token in _FRACTIONS:
            frames[-1].append(_FRACTION)
        elif sign == "(":
            frames.append([])
        elif sign != ")":
            _add(frames[-1], sign)
        elif len(frames) > 1:
            _close(frames)
    while len(frames) > 1:
        _close(frames)
    whole = "".join(frames[0])
    depth, rows = 0, [""]
    for sign in whole[1:-1] if len(frames[0]) == 1 and whole[0] == "(" else whole:
        depth += (sign == "(") - (sign == ")")
        rows[len(rows) - 1 :] = [rows[-1], ""] if sign == ";" and not depth else [rows[-1] + sign]
    return [row.strip(".,;。、") for row in rows]


def _close(frames: list[list[str]]) -> None:
    """End a bracket; what is in it becomes one part of what is around it."""
    parts = frames.pop()
    inside = "".join(parts)
    _add(frames[-1], inside if _SUM.isdisjoint(parts) else f"({inside})")


def _add(parts: list[str], part: str) -> None:
    """Add a part; behind a fraction it is the first half, and what is below comes before what is above."""
    is_accent = part in _ACCENTS or unicodedata.category(part[:1] or "^") in {"Mn", "Cf"}
    if part and parts[-1:] == ["^"] and (is_accent or not part.strip("′")):
        parts[-1:] = [] if is_accent else [part]
    elif part and parts[-1:] == [_FRACTION]:
        parts[-1:] = [part, "/"]
    elif part and (part in _ACCENTS or not is_accent):
        parts.append(part)
    if parts[-4:-1:2] == ["^", "_"]:
        parts[-4:] = ["_", parts[-1], "^", parts[-3]]


@cache
def _signs() -> Mapping[str, str]:
    """Return the sign that stands for each other one."""
    lines = (line.split() for line in lexicon_lines("formula-signs.txt"))
    return {name: "" if sign == '""' else sign for sign, *names in lines for name in names}
