"""Generate all name variants of a student and resolve variants that several students share."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from simcompare.pseudonyms.chinese_names import (
    DOTS,
    NO_NICKNAMES,
    SPEAKING,
    PinyinName,
    chinese_variants,
    homophones_of,
    pinyin_variants,
    readings_of,
    short_variants,
)
from simcompare.pseudonyms.latin_names import (
    latin_variants,
    misspelt_variants,
    pinyin_initials,
    short_latin_variants,
    whole_words,
)
from simcompare.pseudonyms.name_folding import (
    CAPITALISED_WORDS,
    PINYIN_WORDS,
    MatchCondition,
    NameVariant,
    folded,
    is_only_a_word,
    is_ordinary_word,
    transliterations,
)
from simcompare.pseudonyms.students import LITERAL, Student
from simcompare.text.comparable import is_han
from simcompare.text.words import surname_of

_NUMBER_LABEL = (
    r"(?:学号|学籍号|考号|准考证号|座位号|座号|编号|(?<![a-z])(?:no\.?|nr\.?|id|number))\s*[:#.]?\s*"
)
_LABEL_BEGINS = "学考准座编ni"
_SHORTEST_NUMBER, _LONG_NUMBER = 5, 8
_SHORTEST_INITIALS = 3
_LONG_ACCOUNT = 7
_DIGITS = ("〇零○", "一幺", "二", "三", "四", "五", "六", "七", "八", "九")
_LATIN_WORDS, _YEAR = re.compile("[a-z]+"), re.compile(r"(?:19|20)\d\d")
_WORDS_OF_PINYIN = 2
_MOST_WORDS = 4


def _is_name(text: str) -> bool:
    """Return whether a spelling is a name, not an address or a text to be replaced wherever it is."""
    return not text.startswith(LITERAL) and "@" not in text


def variants_of(student: Student) -> Iterator[NameVariant]:
    """Yield the variants of the names and numbers of a student, with duplicates."""
    for name in student.names:
        if not _is_name(name):
            # the account of an address is its user anywhere
            text = name.removeprefix(LITERAL) if name.startswith(LITERAL) else name.partition("@")[0]
            if name.startswith(LITERAL) or not is_ordinary_word(text.lower()):
                yield from _literal_variants(folded(text).characters)
            continue
        readings = readings_of(name)
        yield from _name_variants(name, readings)
        # pinyin readings include the variants of ü
        for other, is_rare in () if readings else transliterations(name):
            yield from (replace(variant, is_rare=is_rare) for variant in _name_variants(other, readings))
    for number in student.numbers:
        yield from _number_variants(folded(number).characters)


def redaction_variants(student: Student) -> Iterator[NameVariant]:
    """Yield the variants, and short names, initials in pinyin and misspellings, which recognise no file."""
    yield from variants_of(student)
    for name in filter(_is_name, student.names):
        form = folded(name).characters
        if han := "".join(c for c in form if is_han(c) or DOTS.match(c)):
            yield from short_variants(han)
        else:
            yield from short_latin_variants(name)
        for reading in readings_of(name):
            written = " ".join("-".join(word).capitalize() for word in reading.words)
            for variant in pinyin_initials(written, PINYIN_WORDS):
                length = variant.length - reading.is_rare  # after the usual readings
                yield replace(variant, is_rare=reading.is_rare or variant.is_rare, length=length)


def doubtful_variants(student: Student) -> Iterator[NameVariant]:
    """Yield what may name a student: homophones, names that are words, parts of numbers."""
    for name in filter(_is_name, student.names):
        form, readings = folded(name).characters, readings_of(name)[:1]
        han = "".join(filter(is_han, form))
        words = [] if han else _LATIN_WORDS.findall(form)
        yield from _doubtful_chinese_variants(han) if han else misspelt_variants(words)
        for order in (words, *(list(map("".join, reading.words)) for reading in readings)):
            # instagram.com/rosepark, "rose dot park"
            length = sum(map(len, order))
            end = r"[a-z\d]*" if length >= _LONG_ACCOUNT else "(?![a-z])"
            for each in (order, order[::-1]) if len(order) > 1 else ():
                joined = r"(?:[._\-]|\sdot\s)?".join(each)
                yield NameVariant(f"(?<![a-z]){joined}{end}", each[0][0], length)
        in_pinyin = [[syllable[0] for word in reading.words for syllable in word] for reading in readings]
        for initials in [[word[0] for word in words], *in_pinyin]:
            # "ZW" may be anything
            dot = r"\.\s?" if len(initials) < _SHORTEST_INITIALS else r"\.?"
            if len(initials) > 1:
                pattern = whole_words(dot.join(f"({letter})" for letter in initials))
                yield NameVariant(pattern, initials[0], len(initials), MatchCondition.CAPITALISED)
        for surname, given in (map("".join, each.words) for each in readings_of(name) if len(each.words) > 1):
            # "P. He went", "Z. Zhaoyang" read in another way, "MaLi", which may be the country
            short = rf"({given[0]})\.?\s{{1,2}}({surname})|({surname[0]})\.\s?({given})|({surname})({given})"
            pattern, firsts = whole_words(f"(?:{short})"), given[0] + surname[0]
            yield NameVariant(pattern, firsts, len(given) + 1, MatchCondition.CAPITALISED)
        for word in ("".join(word) for reading in readings for word in reading.words):
            if not is_only_a_word(word) and word not in CAPITALISED_WORDS:
                yield NameVariant(whole_words(f"({word})"), word[0], len(word), MatchCondition.CAPITALISED)
    for number in filter(str.isdigit, student.numbers):
        ends = [number[-n:] for n in range(len(number) - 1, 3, -1) if not _YEAR.fullmatch(number[-n:])]
        if ends:
            pattern = rf"(?<!\d)(?:{'|'.join(ends)})(?!\d)"
            yield NameVariant(pattern, "".join({end[0] for end in ends}), len(ends[-1]))


def _doubtful_chinese_variants(name: str) -> Iterator[NameVariant]:
    """Yield a name or given name that is a word, homophones of a name, and forms of address."""
    surname = surname_of(name)
    for word in (each for each in (name, name[len(surname) :]) if len(each) > 1):
        yield NameVariant(word, word[0], len(word))
    if surname and name != surname:
        last, given = name[-1], "".join(f"[{homophones_of(character)}]" for character in name[len(surname) :])
        yield NameVariant(surname + given, surname[0], len(name), MatchCondition.MISSPELT)
        yield NameVariant(f"[小老]{surname}", "小老", 2, MatchCondition.WORD_BOUNDARY)
        if last not in NO_NICKNAMES:
            pattern = f"{last}(?=同学(?!们)|(?:{SPEAKING.pattern})[^\\w\\s])"
            yield NameVariant(pattern, last, 1, MatchCondition.SHORT_NAME)
        address = f"[小大阿]{last}|{last}{last}|{last}[哥姐儿子仔]|{surname}(?:班长|组长|哥|姐)"
        firsts = f"小大阿{last}{surname[0]}"
        yield NameVariant(f"(?:{address})", firsts, 2, MatchCondition.MISSPELT)


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


def students_by_variant(
    variants: Sequence[Iterable[NameVariant]], *, with_shared_parts: bool
) -> dict[NameVariant, tuple[int, ...]]:
    """Map each variant to the indices of its students, with or without parts of names that several share.

    `variants`: those of each student, in the order of the indices.
    """
    by_pattern: defaultdict[str, dict[int, NameVariant]] = defaultdict(dict)
    for student, own in enumerate(variants):
        for variant in own:
            known = by_pattern[variant.pattern].get(student)
            # a whole usual name has precedence over the same pattern as a part or a rare variant
            if known is None or known.is_part or known.is_rare:
                by_pattern[variant.pattern][student] = variant
    # rare variants only where they are rare for everyone
    usual = (
        {student: variant for student, variant in own.items() if not variant.is_rare} or own
        for own in by_pattern.values()
    )
    return {
        min(by_student.values(), key=lambda variant: variant.is_part): tuple(by_student)
        for by_student in usual
        if len(by_student) == 1
        or with_shared_parts
        or not all(variant.is_part for variant in by_student.values())
    }


def _number_variants(number: str) -> Iterator[NameVariant]:
    signs = [c for c in number if c.isalnum()]
    if not "".join(signs).isdigit():
        yield from _literal_variants(number)
    elif len(signs) >= _SHORTEST_NUMBER:
        # one that is too long for a date or an amount may be written in characters and over two lines
        is_long = len(signs) >= _LONG_NUMBER
        written = [f"[{digit}{_DIGITS[int(digit)]}]" for digit in signs] if is_long else signs
        between = r"\s?[\-_./]?\s?" if is_long else r"[^\S\n]?-?"
        first_characters = signs[0] + _DIGITS[int(signs[0])] * is_long
        yield NameVariant(rf"(?<!\d){between.join(written)}(?!\d)", first_characters, len(signs))
    else:
        yield from _short_number("".join(signs).lstrip("0") or "0")


def _literal_variants(text: str) -> Iterator[NameVariant]:
    """Yield a text wherever it is written, not inside a Latin word or a number."""
    signs = [c for c in text if c.isalnum()]
    if signs:
        spaced = r"[^\S\n]?[\-._]?[^\S\n]?".join(map(re.escape, signs))
        yield NameVariant(rf"(?<![a-z\d]){spaced}(?![a-z\d])", signs[0], len(signs))


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
