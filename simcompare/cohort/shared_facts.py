"""What two files of a class have in common and few others have: editing ids, mistakes, tables, formulas.

They are facts beside the wording and count for no share, rank or limit: a dictation, a common source or the
same habit also explain them. What many documents have, and what was handed out, does not count.

Word and WPS mark what is written in a session of editing with a random id, and keep the ids when a file is
copied or renamed (ECMA-376, part 1, 17.15.1.70). Two files share many ids if one was made from the other, if
both were made from a third one such as a template, or if a part was passed on with its formatting. The ids do
not tell which of these, who wrote what, or which file came first. Without common ids nothing is proved:
LibreOffice removes them, and pasted plain text has none.
"""

import gzip
import re
import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import combinations, groupby
from math import exp, lgamma, log
from string import ascii_lowercase

import numpy as np

from simcompare.model.document import Anchor, BlockKind, Document, Span
from simcompare.session.school_class import Pair
from simcompare.text.words import cut_mixed_text, lexicon_lines

FEWEST_HOLDERS, HOLDERS_SHARE = 3, 0.1
POSSIBLE_IDS = 1 << 24
"""Word's ids are 32-bit numbers whose upper byte is 0; those of WPS have all bits."""
MOST_CHANCE = 1e-7
_LEAST_SHARED_IDS = 2
"""A file with a single id was made by a program, from the template of which the id is."""


def most_holders(documents: int, fewest: int = FEWEST_HOLDERS, share: float = HOLDERS_SHARE) -> int:
    """Return how many documents of a class may have what two of them share; what more have tells nothing."""
    return max(fewest, int(share * documents))


@dataclass(frozen=True, slots=True)
class Kinship:
    """Editing ids that two files share, and the probability of as many by chance."""

    shared_ids: int
    chance: float


def find_kin(ids_of: Mapping[int, Collection[str]]) -> dict[Pair, Kinship]:
    """Find the pairs of files that share more editing ids than chance explains, the lower key first.

    ids_of: different ids by file. Those that more than 3 files and 10% of the files hold do not count: they
    are of a template.
    """
    keys = sorted(key for key, ids in ids_of.items() if ids)
    most = most_holders(len(keys))
    ids = np.array([int(each, 16) for key in keys for each in ids_of[key]], np.int64)
    files = np.repeat(np.arange(len(keys)), [len(ids_of[key]) for key in keys])
    order = np.argsort(ids, kind="stable")
    ids, files = ids[order], files[order]
    _ids, places, holders = np.unique(ids, return_inverse=True, return_counts=True)
    telling = holders[places] <= most
    ids, files = ids[telling], files[telling]
    counts = np.bincount(files, minlength=len(keys))
    shared = np.zeros((len(keys), len(keys)), np.uint16)
    for step in range(1, most):  # the holders of an id are neighbours
        is_same = ids[step:] == ids[:-step]
        if not is_same.any():
            break
        np.add.at(shared, (files[:-step][is_same], files[step:][is_same]), 1)
    found = {}
    for left, right in np.argwhere(shared >= _LEAST_SHARED_IDS).tolist():
        count = int(shared[left, right])
        chance = chance_of_sharing(count, int(counts[left]), int(counts[right]))
        if chance < MOST_CHANCE:
            found[keys[left], keys[right]] = Kinship(count, chance)
    return found


def chance_of_sharing(shared: int, left: int, right: int) -> float:
    """Return the probability that `left` and `right` random ids have at least `shared` ids in common.

    Upper tail of the Poisson distribution, with two significant digits; shared >= 1.
    """
    expected = left * right / POSSIBLE_IDS
    term = exp(shared * log(expected) - expected - lgamma(shared + 1))
    total, count = 0.0, shared
    while term > total * 1e-9:
        total, count = total + term, count + 1
        term *= expected / count
    return float(f"{min(total, 1.0):.1e}")


_FEWEST_HOLDERS, _HOLDERS_SHARE = 2, 0.03
_LEAST_ALIKE = 0.8
_LEAST_REFERENCE_LETTERS, _PART_LETTERS = 20, 8
_MOST_COMPARED, _LEAST_COMMON_PARTS = 3, 0.3
_MOST_OF_PART = 100
"""Forms with a part such as the name of a journal, above which it does not identify a work."""
_LEAST_LETTERS, _LEAST_USERS = 7, 3
_CONTEXT_CHARACTERS = 12
_IDIOM_CHARACTERS = 4
"""Chinese forms of this length are idioms, no parts of words; text around a wrong one is cut wrongly."""
_VOWELS = "aeiou"
_NUMBERING = re.compile(r"^\s*(?:[\[［【(（]?\d{1,3}[\]］】)）]?[.、]?|[•●-])\s*")
_WORD = re.compile(r"(?<![^\W\d_])[A-Za-z]{2,}(?![^\W\d_])")


_BRITISH = (
    ("our", "or"),
    ("ll(?=ed|ing|er|ous|ist)", "l"),
    ("[ao]e", "e"),
    ("gement", "gment"),
    ("is(?=e|ing|ation)", "iz"),
    ("ys(?=e|ing)", "yz"),
    ("tre(?=s?$)", "ter"),
    ("ence(?=s?$)", "ense"),
)
"""British spellings as patterns, and the American ones, which the lists of words have."""


class MistakeKind(StrEnum):
    """What kind of mistake; a stable machine word."""

    SPELLING = "spelling"
    REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class SharedMistake:
    """What two documents write alike and others otherwise; left, right: where, each place once."""

    kind: MistakeKind
    written: str
    expected: str
    left: tuple[Anchor, ...]
    right: tuple[Anchor, ...]


SharedMistakes = tuple[SharedMistake, ...]


@dataclass(frozen=True, slots=True)
class _Mistake:
    """A mistake of one document; key: what makes two the same."""

    kind: MistakeKind
    key: str
    written: str
    expected: str
    places: tuple[Anchor, ...]


def find_shared_mistakes(
    documents: Mapping[int, Document], handed_out: Sequence[Document] = (), *, in_spelling: bool = True
) -> dict[Pair, SharedMistakes]:
    """Find the mistakes of pairs of documents, the lower key first, that at most 2 documents or 3% make.

    Those in a text that was `handed_out` do not count.
    """
    most = most_holders(len(documents), _FEWEST_HOLDERS, _HOLDERS_SHARE)
    spelt = documents if in_spelling else {}
    users = Counter(word for each in spelt.values() for word in set(_words(each)))
    held: defaultdict[tuple[MistakeKind, str], dict[int, _Mistake]] = defaultdict(dict)
    for key in sorted(spelt):
        for mistake in _misspellings(documents[key], users):
            held[mistake.kind, mistake.key][key] = mistake
    for key, mistake in _odd_references(documents):
        held[mistake.kind, mistake.key][key] = mistake
    given = {each.key for text in handed_out if in_spelling for each in _misspellings(text, users)}
    given_letters = "\n".join(_comparable(text.text) for text in handed_out)
    given |= {key for kind, key in held if kind is MistakeKind.REFERENCE and key in given_letters}
    found: defaultdict[Pair, list[SharedMistake]] = defaultdict(list)
    for mistake_key, holders in held.items():
        if 2 <= len(holders) <= most and mistake_key[1] not in given:
            for left, right in combinations(holders, 2):
                first, other = holders[left], holders[right]
                places = first.places, other.places
                found[left, right].append(SharedMistake(first.kind, first.written, first.expected, *places))
    return {pair: tuple(mistakes) for pair, mistakes in found.items()}


# spelling


@cache
def _listed(language: str) -> Mapping[str, str]:
    """Return common wrong forms with the right ones."""
    return dict(line.split() for line in lexicon_lines(f"misspellings-{language}.txt"))


@cache
def _chinese_forms() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, _listed("zh"))))


@cache
def _usual_words() -> frozenset[str]:
    lines = (line for name in ("background-en.tsv", "synonyms-en.txt") for line in lexicon_lines(name))
    return frozenset(word for line in lines for word in _WORD.findall(line.lower()))


@cache
def _known_words() -> frozenset[str]:
    """Words of pyspellchecker's list, read by a pattern: its own reader would halt the window for 300 ms."""
    packed = files("spellchecker").joinpath("resources/en.json.gz").read_bytes()
    words = re.finditer(r'"([a-z]+)":', gzip.decompress(packed).decode("ascii", "ignore"))
    return _usual_words() | frozenset(word[1] for word in words)


def _words(document: Document) -> Iterator[str]:
    return (found.group() for found in _WORD.finditer(document.text) if found.group().islower())


def _misspellings(document: Document, users: Counter[str]) -> Iterator[_Mistake]:
    """Yield the misspelt words of a document; users: of how many documents each word is one."""
    found, expected = defaultdict[str, list[int]](list), dict[str, str]()
    for match in _chinese_forms().finditer(document.text):
        if len(match.group()) >= _IDIOM_CHARACTERS or _is_of_words(document.text, *match.span()):
            expected[match.group()] = _listed("zh")[match.group()]
            found[match.group()].append(match.start())
    for match in _WORD.finditer(document.text):
        word = match.group().lower()
        if word not in expected:
            expected[word] = _listed("en").get(word) or _meant(match.group(), users)
        if expected[word]:
            found[word].append(match.start())
    for word, places in found.items():
        yield _Mistake(MistakeKind.SPELLING, word, word, expected[word], anchors_of(document, places))


def _is_of_words(text: str, start: int, end: int) -> bool:
    """Return whether no word goes on before or after a part of a text: "自己经常" has no "己经"."""
    first = max(start - _CONTEXT_CHARACTERS, 0)
    place, ends = first, {first}
    for word in cut_mixed_text(text[first : end + _CONTEXT_CHARACTERS]):
        place += len(word)
        ends.add(place)
    return {start, end} <= ends


def _meant(word: str, users: Counter[str]) -> str:
    """Return the common word that a rare one is likely to be, or "".

    They differ by one letter left out, put in or exchanged with its neighbour, or by one vowel, but not at
    the beginning or the end, where words differ by inflection.
    """
    is_rare = word.islower() and users[word] <= _FEWEST_HOLDERS
    if len(word) < _LEAST_LETTERS or not is_rare or word in _usual_words() or word in _known_words():
        return ""
    known = _known_words()
    if any(re.sub(british, american, word) in known for british, american in _BRITISH):
        return ""
    near = [other for other in _one_edit_from(word) if other in known or users[other] >= _LEAST_USERS]
    return max(near, key=lambda other: (other in _usual_words(), users[other], other), default="")


def _one_edit_from(word: str) -> Iterator[str]:
    for at in range(2, len(word) - 3):
        before, letter, after = word[:at], word[at], word[at + 1 :]
        yield before + after
        yield before + after[0] + letter + after[1:]
        yield from (before + each + letter + after for each in ascii_lowercase)
        if letter in _VOWELS:
            yield from (before + each + after for each in _VOWELS)


def anchors_of(document: Document, places: Iterable[int]) -> tuple[Anchor, ...]:
    """Return where the blocks with these offsets are, each once."""
    blocks = document.blocks
    numbers = {bisect_right(blocks, place, key=lambda block: block.span.end) for place in places}
    return tuple(dict.fromkeys(blocks[n].anchor for n in sorted(numbers) if n < len(blocks)))


# references


def _odd_references(documents: Mapping[int, Document]) -> Iterator[tuple[int, _Mistake]]:
    """Yield the references that others of the documents give otherwise, with the commonest other form."""
    entries: list[tuple[int, str, str, Anchor]] = []
    for key, held in documents.items():
        entries += ((key, *entry) for entry in _references(held))
    users = Counter(form for _key, form in {(key, form) for key, _shown, form, _anchor in entries})
    works = _works(users)
    shown_of = {form: shown for _key, shown, form, _anchor in reversed(entries)}
    for key, shown, form, anchor in entries:
        usual = max(works[form], key=lambda other: (users[other], other))
        if users[usual] > users[form]:
            yield key, _Mistake(MistakeKind.REFERENCE, form, shown, shown_of[usual], (anchor,))


def reference_forms(document: Document) -> list[str]:
    """Return the letters and digits of each reference of a document."""
    return [form for _shown, form, _anchor in _references(document)]


def _references(document: Document) -> Iterator[tuple[str, str, Anchor]]:
    for block in document.blocks:
        if block.kind is BlockKind.REFERENCE:
            shown = _NUMBERING.sub("", block.span.of(document.text)).strip()
            if len(form := _comparable(shown)) >= _LEAST_REFERENCE_LETTERS:
                yield shown, form, block.anchor


def _comparable(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _works(forms: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Group the forms in which a work is given: those that have at least 80% of their letters in order."""
    works: dict[str, list[str]] = {}
    holders: defaultdict[str, list[str]] = defaultdict(list)
    for form in sorted(set(forms)):
        parts = {form[at : at + _PART_LETTERS] for at in range(len(form) - _PART_LETTERS + 1)}
        telling = [part for part in parts if len(holders[part]) <= _MOST_OF_PART]
        shared = Counter(other for part in telling for other in holders[part])
        near = sorted(shared, key=lambda other: (-shared[other], other))[:_MOST_COMPARED]
        least = _LEAST_COMMON_PARTS * len(telling)
        alike = (other for other in near if shared[other] >= least and _are_alike(form, other))
        works[form] = works.get(next(alike, ""), [])
        works[form].append(form)
        for part in parts:
            holders[part].append(form)
    return works


def _are_alike(form: str, other: str) -> bool:
    matcher = SequenceMatcher(None, other, form, autojunk=False)
    return matcher.quick_ratio() >= _LEAST_ALIKE and matcher.ratio() >= _LEAST_ALIKE


LEAST_NUMBERS, LEAST_COMMON = 6, 0.8
_LEAST_DIGITS, _MOST_CELL_CHARACTERS = 2, 24
_NUMBER = re.compile(r"[-+<>≈~]?\.?\d")
_YEAR_OR_DATE = re.compile(r"(?:19|20)\d\d(?:年|[-/.年]\d.*)?")


@dataclass(frozen=True, slots=True)
class SharedTable:
    """A table of the left document and one of the right: where, and how many of the numbers are in both."""

    common: int
    count: int
    left: Anchor
    right: Anchor


SharedTables = tuple[SharedTable, ...]


def find_shared_tables(
    documents: Mapping[int, Document], handed_out: Iterable[Document] = ()
) -> dict[Pair, SharedTables]:
    """Find the pairs of documents, the lower key first, with tables that share 80% of at least 6 numbers.

    Numbers in tables of more than 3 documents and 10% of the documents, such as those of a task, do not
    count, nor those that were `handed_out`.
    """
    tables = [(key, *table) for key in sorted(documents) for table in _tables(documents[key])]
    most = most_holders(len(documents))
    holders: defaultdict[str, set[int]] = defaultdict(set)
    for key, _anchor, numbers in tables:
        for number in numbers:
            holders[number].add(key)
    given = {number for each in handed_out for _anchor, numbers in _tables(each) for number in numbers}
    telling = {number for number, keys in holders.items() if len(keys) <= most} - given
    rare = [numbers & telling for _key, _anchor, numbers in tables]
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, numbers in enumerate(rare):
        for number in numbers:
            places[number].append(place)
    common = Counter(pair for held in places.values() for pair in combinations(held, 2))
    found: defaultdict[Pair, list[SharedTable]] = defaultdict(list)
    taken: set[tuple[int, int]] = set()
    for (left, right), shared in sorted(common.items(), key=lambda each: (-each[1], each[0])):
        pair = tables[left][0], tables[right][0]
        count, ends = max(len(rare[left]), len(rare[right])), {(left, pair[1]), (right, pair[0])}
        is_same = shared >= max(LEAST_NUMBERS, LEAST_COMMON * count)
        if pair[0] != pair[1] and is_same and taken.isdisjoint(ends):
            taken |= ends
            found[pair].append(SharedTable(shared, count, tables[left][1], tables[right][1]))
    return {pair: tuple(found[pair]) for pair in sorted(found)}


def _tables(document: Document) -> Iterator[tuple[Anchor, frozenset[str]]]:
    """Yield where each table begins and its numbers; those that go on in steps of one are row numbers."""
    for is_row, group in groupby(document.blocks, lambda block: block.kind is BlockKind.TABLE_ROW):
        if is_row:
            blocks = list(group)
            rows = [list(map(_normal, block.span.of(document.text).split("\t"))) for block in blocks]
            numbers = {
                cell
                for above, row in zip([[], *rows], rows, strict=False)
                for column, cell in enumerate(row)
                if _is_telling(cell) and not _follows(above[column : column + 1], cell)
            }
            yield blocks[0].anchor, frozenset(numbers)


def _normal(cell: str) -> str:
    folded = unicodedata.normalize("NFKC", cell).replace("−", "-").casefold()
    return "".join(character for character in folded if not character.isspace() and character != ",")


def _is_telling(cell: str) -> bool:
    is_number = len(cell) <= _MOST_CELL_CHARACTERS and _NUMBER.match(cell) is not None
    return (
        is_number and sum(map(str.isdecimal, cell)) >= _LEAST_DIGITS and _YEAR_OR_DATE.fullmatch(cell) is None
    )


def _follows(above: list[str], cell: str) -> bool:
    return cell.isdecimal() and any(each.isdecimal() and int(cell) == int(each) + 1 for each in above)


LEAST_SIGNS = 22
"""Brackets and marks of scripts aside; formulas of textbooks with a name are seldom as long."""
_MOST_FORMULA_CHARACTERS = 2_000
_IN_TEX = re.compile(
    r"\\\(((?:(?!\\\().){1,2000}?)\\\)|(?<!\\)\\\[((?:(?!(?<!\\)\\\[).){1,2000}?)\\\]|\$\$([^$]{1,2000})\$\$",
    re.DOTALL,
)
_RAISED, _LOWERED = re.compile("[⁰¹²³⁴-ⁿ]+"), re.compile("[₀-ₜ]+")
_EQUATION_NUMBER = re.compile(r"\\(?:tag|label)\*?\s*{[^{}]*}|#\s*\(?[\w.-]+\)?")
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
    """Find the formulas of pairs of documents, the lower key first, that at most 3 documents or 10% have.

    Short ones, and those that were `handed_out`, do not count. A renamed variable makes another formula.
    """
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
        if LEAST_SIGNS <= len(span) <= _MOST_FORMULA_CHARACTERS:
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
    text = _LOWERED.sub(r"_{\g<0>}", _RAISED.sub(r"^{\g<0>}", _EQUATION_NUMBER.sub("", written)))
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
