"""Generate all name variants of a student and resolve variants that several students share."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

from simcompare.pseudonyms.chinese_names import DOTS, chinese_variants
from simcompare.pseudonyms.latin_names import latin_variants
from simcompare.pseudonyms.name_folding import NameVariant, folded, transliterations
from simcompare.pseudonyms.pinyin import PinyinName, pinyin_variants, readings_of
from simcompare.pseudonyms.students import Student
from simcompare.text.comparable import is_han

_NUMBER_LABEL = (
    r"(?:学号|学籍号|考号|准考证号|座位号|座号|编号|(?<![a-z])(?:no\.?|nr\.?|id|number))\s*[:#.]?\s*"
)
_LABEL_BEGINS = "学考准座编ni"
_SHORTEST_NUMBER = 5
_WORDS_OF_PINYIN = 2
_MOST_WORDS = 4


def variants_of(student: Student) -> Iterator[NameVariant]:
    """Yield the variants of the names and numbers of a student, with duplicates."""
    for name in student.names:
        readings = readings_of(name)
        yield from _name_variants(name, readings)
        # pinyin readings include the variants of ü
        for other, is_rare in () if readings else transliterations(name):
            yield from (replace(variant, is_rare=is_rare) for variant in _name_variants(other, readings))
    for number in student.numbers:
        yield from _number_variants(folded(number).characters)


def _name_variants(name: str, readings: Sequence[PinyinName]) -> Iterator[NameVariant]:
    form = folded(name)
    if any(map(is_han, form.characters)):
        yield from chinese_variants("".join(c for c in form.characters if is_han(c) or DOTS.match(c)))
    written = "".join(name[start] for start in form.starts.tolist())
    latin = "".join(" " if is_han(c) else c for c in form.characters)
    yield from _latin_and_pinyin_variants(written, latin, readings)


def _latin_and_pinyin_variants(name: str, form: str, readings: Sequence[PinyinName]) -> Iterator[NameVariant]:
    """Yield the variants in Latin letters and in pinyin; a single syllable is not a variant."""
    if readings and len(form.split()) > _WORDS_OF_PINYIN:
        # join the given name: "Li Ming" is not a variant of "Li Xiao Ming"
        name = " ".join("-".join(word).capitalize() for word in readings[0].words)
        form = name.casefold()
    syllables = {syllable for reading in readings for word in reading.words for syllable in word}
    yield from latin_variants(name, form, {*syllables, *("".join(reading.words[0]) for reading in readings)})
    for reading in readings:
        yield from pinyin_variants(reading)


def unambiguous_variants(variants: Sequence[Iterable[NameVariant]]) -> dict[NameVariant, tuple[int, ...]]:
    """Map each variant to the indices of its students; drop parts of names that several students share.

    `variants`: those of each student, in the order of the indices.
    """
    by_pattern: defaultdict[str, dict[int, NameVariant]] = defaultdict(dict)
    for student, own in enumerate(variants):
        for variant in own:
            known = by_pattern[variant.pattern].get(student)
            # a whole usual name has precedence over the same pattern as a part or a rare variant
            if known is None or known.is_part or known.is_rare:
                by_pattern[variant.pattern][student] = variant
    usual = (_without_rare(by_student) for by_student in by_pattern.values())
    return {
        min(by_student.values(), key=lambda variant: variant.is_part): tuple(by_student)
        for by_student in usual
        if len(by_student) == 1 or not all(variant.is_part for variant in by_student.values())
    }


def _without_rare(by_student: Mapping[int, NameVariant]) -> Mapping[int, NameVariant]:
    """Keep the students for whom the variant is usual; all of them if it is rare for everyone."""
    usual = {student: variant for student, variant in by_student.items() if not variant.is_rare}
    return usual or by_student


def _number_variants(number: str) -> Iterator[NameVariant]:
    signs = [c for c in number if c.isalnum()]
    spaced = r"[^\S\n]?-?".join(map(re.escape, signs))
    if not "".join(signs).isdigit():
        if signs:
            yield NameVariant(rf"(?<![a-z\d]){spaced}(?![a-z\d])", signs[0], len(signs))
    elif len(signs) >= _SHORTEST_NUMBER:
        yield NameVariant(rf"(?<!\d){spaced}(?!\d)", signs[0], len(signs))
    else:
        yield from _short_number("".join(signs).lstrip("0") or "0")


def _short_number(number: str) -> Iterator[NameVariant]:
    """Yield "No. 07", "07号" unless it is a day of a month, and "7号同学"."""
    yield NameVariant(rf"{_NUMBER_LABEL}0*{number}(?!\d)", _LABEL_BEGINS, len(number))
    counted = rf"(?<![\d月])(?:0+{number}号(?:同学|学生)?|{number}号(?:同学|学生))"
    yield NameVariant(counted, f"0{number[0]}", len(number) + 1)


def joined_name(name: str) -> str:
    """Return the letters of a name without blanks, as Canvas writes it."""
    return "".join(re.findall(r"[^\W\d_]+", folded(name).characters))


def joined_names(name: str) -> set[str]:
    """Return a name and its pinyin without blanks, its words in any order."""
    words = re.findall(r"[^\W\d_]+", folded(name).characters)
    orders = permutations(words) if len(words) <= _MOST_WORDS else [words]
    pinyin = [["".join(word) for word in reading.words] for reading in readings_of(name)]
    return {"".join(order) for order in [*orders, *pinyin, *(words[::-1] for words in pinyin)]}
