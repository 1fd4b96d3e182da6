"""All ways in which a student may be named."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from simcompare.pseudonyms.chinese_names import DOTS, chinese_spellings
from simcompare.pseudonyms.latin_names import latin_spellings
from simcompare.pseudonyms.name_folding import Spelling, folded, written_otherwise
from simcompare.pseudonyms.pinyin import PinyinName, pinyin_spellings, readings_of
from simcompare.pseudonyms.students import Student
from simcompare.text.comparable import is_han

_NUMBER_LABEL = (
    r"(?:学号|学籍号|考号|准考证号|座位号|座号|编号|(?<![a-z])(?:no\.?|nr\.?|id|number))\s*[:#.]?\s*"
)
_LABEL_BEGINS = "学考准座编ni"
_SHORTEST_NUMBER = 5
_WORDS_OF_PINYIN = 2


def spellings_of(student: Student) -> Iterator[Spelling]:
    """Yield the ways to write the names and the numbers of a student, some of them more than once."""
    for name in student.names:
        readings = readings_of(name)
        yield from _of_name(name, readings)
        # pinyin has its own ways to write ü
        for other, is_rare in () if readings else written_otherwise(name):
            yield from (replace(one, is_rare=is_rare) for one in _of_name(other, readings))
    for number in student.numbers:
        yield from _number(folded(number).characters)


def _of_name(name: str, readings: Sequence[PinyinName]) -> Iterator[Spelling]:
    form = folded(name)
    if any(map(is_han, form.characters)):
        yield from chinese_spellings("".join(c for c in form.characters if is_han(c) or DOTS.match(c)))
    written = "".join(name[start] for start in form.starts.tolist())
    latin = "".join(" " if is_han(c) else c for c in form.characters)
    yield from _in_latin_letters(written, latin, readings)


def _in_latin_letters(name: str, form: str, readings: Sequence[PinyinName]) -> Iterator[Spelling]:
    """Yield the ways to write a name in Latin letters, in pinyin too; no syllable alone tells of anybody."""
    if readings and len(form.split()) > _WORDS_OF_PINYIN:
        # of "Li Xiao Ming" "Li Ming" is somebody else
        name = " ".join("-".join(word).capitalize() for word in readings[0].words)
        form = name.casefold()
    syllables = {one for reading in readings for word in reading.words for one in word}
    yield from latin_spellings(name, form, {*syllables, *("".join(one.words[0]) for one in readings)})
    for reading in readings:
        yield from pinyin_spellings(reading)


def unshared(spellings: Sequence[Iterable[Spelling]]) -> dict[Spelling, tuple[int, ...]]:
    """Return each spelling with the places of those it belongs to; parts that several share are left out."""
    owners: defaultdict[str, dict[int, Spelling]] = defaultdict(dict)
    for place, own in enumerate(spellings):
        for one in own:
            known = owners[one.pattern].get(place)
            # what is a whole name of somebody is looked for as one
            if known is None or known.is_part or known.is_rare:
                owners[one.pattern][place] = one
    usual = (_without_rare(held) for held in owners.values())
    return {
        min(held.values(), key=lambda one: one.is_part): tuple(held)
        for held in usual
        if len(held) == 1 or not all(one.is_part for one in held.values())
    }


def _without_rare(held: Mapping[int, Spelling]) -> Mapping[int, Spelling]:
    """Return whose a spelling is; with one who is usually written so it is not that of one who seldom is."""
    usual = {place: one for place, one in held.items() if not one.is_rare}
    return usual or held


def _number(number: str) -> Iterator[Spelling]:
    signs = [c for c in number if c.isalnum()]
    spaced = r"[^\S\n]?-?".join(map(re.escape, signs))
    if not "".join(signs).isdigit():
        if signs:
            yield Spelling(rf"(?<![a-z\d]){spaced}(?![a-z\d])", signs[0], len(signs))
    elif len(signs) >= _SHORTEST_NUMBER:
        yield Spelling(rf"(?<!\d){spaced}(?!\d)", signs[0], len(signs))
    else:
        yield from _short_number("".join(signs).lstrip("0") or "0")


def _short_number(number: str) -> Iterator[Spelling]:
    """Yield "No. 07" and "07号", which is no day of a month, and "7号同学"."""
    yield Spelling(rf"{_NUMBER_LABEL}0*{number}(?!\d)", _LABEL_BEGINS, len(number))
    counted = rf"(?<![\d月])(?:0+{number}号(?:同学|学生)?|{number}号(?:同学|学生))"
    yield Spelling(counted, f"0{number[0]}", len(number) + 1)
