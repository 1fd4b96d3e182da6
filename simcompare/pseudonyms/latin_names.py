"""Variants of names in Latin letters, with the ordinary English words among them."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from simcompare.model.file_kinds import is_suffix_of_text
from simcompare.pseudonyms.name_folding import (
    CAPITALISED_WORDS,
    FUNCTION_WORDS,
    GENERAL_WORDS,
    ORDINARY_NAMES,
    PARTICLES,
    PINYIN_WORDS,
    WORDS_OF_PHRASES,
    MatchCondition,
    NameVariant,
    folded,
    is_ordinary_word,
)
from simcompare.support.lazy import LazyPattern
from simcompare.text.words import COMPOUND_SURNAMES, surname_of

# letters of Latin, Greek and Cyrillic words; a Chinese character ends such a word
_LETTER = "[a-z\u00df-\u024f\u0370-\u04ff]"
_NO_LETTER_BEFORE, _NO_LETTER_AFTER = f"(?<!{_LETTER})", f"(?!{_LETTER})"
_WITHIN_WORD = r"['\u2019\u02bc\u2018`\u00b4\-\u2010\u2011\u2013\s]{0,2}"
_LATIN_WORD = LazyPattern(r"[^\W_]+(?:['\u2019\u02bc\u2018`\u00b4\-\u2010\u2011\u2013]+[^\W_]+)*")
_PIECE = LazyPattern(r"[^\W_]+")
BETWEEN_WORDS = r"[\s.,_\u00b7\-\u2010\u2011\u2013]{%d,3}"
"""Separators between the words of a name; to be formatted with their minimum number."""
_AFTER_PARTICLE = r"[\s._\-'\u2019]{0,3}"
_NO_END_OF_SENTENCE = r"(?!\.\s)"
_LONGEST_ABBREVIATION = 2
_BLANK = r"[^\S\n]"
_MIDDLE_INITIAL = rf"(?:{_BLANK}{{1,2}}|[._])([a-z])\.?{_BLANK}{{1,2}}"
_LETTERS_THAT_ARE_WORDS = "ai"
_SAFE_LETTERS = 8
_SHORTEST_PART = 3


@dataclass(frozen=True, slots=True)
class _Word:
    """Word of a name in lower case without accents, with the particles before it such as "van der".

    capital: index of the first capitalised piece between hyphens and apostrophes, -1 for none.
    """

    text: str
    particles: tuple[str, ...]
    capital: int

    @property
    def pieces(self) -> list[str]:
        return _PIECE.findall(self.text)

    @property
    def alone(self) -> "_Word":
        """The word without its particles."""
        return replace(self, particles=())

    @property
    def before(self) -> str:
        """Pattern of the particles."""
        return "".join(particle + _AFTER_PARTICLE for particle in self.particles)

    @property
    def pattern(self) -> str:
        """Pattern of the word, the particles optional."""
        pieces = [f"({piece})" if n == self.capital else piece for n, piece in enumerate(self.pieces)]
        return (f"(?:{self.before})?" if self.particles else "") + _WITHIN_WORD.join(pieces)

    @property
    def first_letters(self) -> str:
        """The letters with which a match can begin."""
        return "".join(dict.fromkeys(word[0] for word in (*self.particles, self.text)))

    @property
    def length(self) -> int:
        return sum(map(len, (*self.particles, self.text)))

    @property
    def initial(self) -> str:
        """Pattern of the initial, with optional initials of the hyphenated pieces."""
        first, *others = self.pieces
        return f"({first[0]})" + "".join(rf"(?:[.\-]{{0,2}}{_BLANK}?{other[0]})?" for other in others)

    @property
    def is_distinctive(self) -> bool:
        """True if the word alone, capitalised, indicates a person."""
        return len(self.text) >= _SHORTEST_PART and self.text not in ORDINARY_NAMES

    @property
    def is_distinctive_in_lower_case(self) -> bool:
        """True if the word alone indicates a person in lower case too, as it is in no dictionary."""
        return len(self.text) >= _SHORTEST_PART and not all(map(is_ordinary_word, self.pieces))


def latin_variants(name: str, form: str, common: Collection[str] = ()) -> Iterator[NameVariant]:
    """Yield the variants of a name; `form` is its folded form, character by character.

    `common`: further words that do not indicate a person when they are alone.
    """
    words = _words(name, form)
    if len(words) == 1:
        yield _single_word(words[0], is_part=False)
    elif words:
        yield from _full_names(words)
        yield _with_middle_initial(words[0], words[-1])
        yield from _initials(words)
        for word in words:
            if word.is_distinctive and word.text not in common:
                yield _single_word(word.alone, is_part=True)
            # "Garcia" of "Garcia-Lopez-Mora", not the syllables of pinyin
            pieces = [_Word(piece, (), 0) for piece in word.text.split("-") if piece not in common]
            if "-" in word.text and (own := [piece.text for piece in pieces if piece.is_distinctive]):
                pattern = whole_words("({0})(?:-(?:{0}))*".format("|".join(own)))
                firsts = "".join({piece[0] for piece in own})
                condition = MatchCondition.CAPITALISED
                yield NameVariant(pattern, firsts, len(own[0]), condition, is_part=True, is_rare=True)
            if word.particles:
                yield _with_particles(word)


_PRONOUNS = frozenset({"he", "me", "she", "so", "we", "you"})
_SHORTEST_MISSPELT = 4
_SHORTEST_WITH_JOINED_INITIAL = 5
"""Letters of a name in pinyin after an initial without a full stop: "wzhang", but not "sting"."""


def short_latin_variants(name: str) -> Iterator[NameVariant]:
    """Yield given names that are words, in a sentence ("Grace"), diminutives ("Johnny") and typing errors."""
    words = _words(name, folded(name).characters)
    for word in words:
        text = word.text
        if len(words) > 1 and not word.is_distinctive and len(text) > 1:
            pattern = whole_words(word.alone.pattern)
            if text not in CAPITALISED_WORDS:
                condition = MatchCondition.NAME_IN_SENTENCE
                yield NameVariant(pattern, text[0], len(text), condition, is_part=True)
            titled = rf"{_NO_LETTER_BEFORE}(?:mr|mrs|ms|miss|dr)\.?\s{{1,2}}{pattern}"
            for called, firsts in ((titled, "md"), (f"{pattern}(?=同学)", text[0])):
                yield NameVariant(called, firsts, len(text) + 2, MatchCondition.CAPITALISED, is_part=True)
        pieces = word.pieces
        others = [
            [*pieces[:n], piece[:k] + piece[k + 1] + piece[k] + piece[k + 2 :], *pieces[n + 1 :]]
            for n, piece in enumerate(pieces)
            for k in range(1, len(piece) - 1)
            if len(piece) >= _SHORTEST_MISSPELT and piece[k] != piece[k + 1]
        ]
        if word is words[0] and len(words) > 1 and text[-1] not in "aeiouy":
            others += [[begin + end] for begin in (text, text + text[-1]) for end in ("y", "ie")]
        unknown = [each for each in others if "".join(each) not in PINYIN_WORDS]
        if texts := [_WITHIN_WORD.join(each) for each in unknown if not all(map(is_ordinary_word, each))]:
            pattern = whole_words(f"({text[0]})(?:{'|'.join(other[1:] for other in texts)})")
            condition = MatchCondition.CAPITALISED
            yield NameVariant(pattern, text[0], len(text), condition, is_part=True, is_rare=True)


_ASKS_NOTHING = r"(?!\s+(?:i|you|he|she|it|we|they|this|that|these|those|there|the|an?)\b)"
"""After a name that is an auxiliary verb, too: "Will it rain?" has no name."""


def misspelt_variants(words: Sequence[str]) -> Iterator[NameVariant]:
    """Yield names that are words, with one other, missing or added letter, and short forms of the first."""
    for word in words:
        is_short = len(word) < _SHORTEST_PART
        is_listed = word in ORDINARY_NAMES or not (is_short and is_ordinary_word(word))
        if is_listed and word not in FUNCTION_WORDS:
            pattern = whole_words(f"({word})") + (_ASKS_NOTHING if word in {"will", "may"} else "")
            yield NameVariant(pattern, word[0], len(word), MatchCondition.CAPITALISED)
        if is_short:
            continue
        others = [f"{word[1:n]}[a-z]{{0,2}}{word[n + 1 :]}" for n in range(1, len(word))]
        if len(word) < _SHORTEST_MISSPELT:
            others = [word[:0:-1]]
        elif word is words[0]:
            others += [f"{word[1:n]}(?:{word[n - 1]}?(?:y|ie|i))?" for n in range(_SHORTEST_PART, len(word))]
        pattern = whole_words(f"({word[0]})(?:{'|'.join(others)})")
        yield NameVariant(pattern, word[0], len(word), MatchCondition.MISSPELT)


def pinyin_initials(name: str, common: Collection[str]) -> Iterator[NameVariant]:
    """Yield "X. Li", "L. Xiaohong" and the given name, "Xiaohong" of "Li Xiao-hong"; "Han" in a sentence.

    `common`: words in pinyin that do not indicate a person when they are alone.
    """
    words = _words(name, name.casefold())
    if len(words) > 1:
        yield from _initials(words, _SHORTEST_WITH_JOINED_INITIAL)
        pattern = whole_words(rf"(xiao|lao)[\s_\-]?({words[0].alone.pattern})")
        yield NameVariant(pattern, "xl", words[0].length + 4, MatchCondition.CAPITALISED, is_part=True)
    for word in words[1:]:
        joined, pattern = "".join(word.pieces), whole_words(word.pattern)
        is_long = len(word.pieces) > 1
        is_word = is_ordinary_word(joined) if is_long else joined in CAPITALISED_WORDS
        if joined not in common and not is_word:
            condition = MatchCondition.CAPITALISED if is_long else MatchCondition.NAME_IN_SENTENCE
            yield NameVariant(pattern, joined[0], len(joined), condition, is_part=True)


_AFTER_A_NAME = frozenset({"jr", "sr", "ii", "iii"})


def given_first(name: str) -> str:
    """Return "John Brown" for "Brown, John"; "John Brown, Jr." stays."""
    surname, _comma, given = name.partition(", ")
    is_turned = given and given.strip(".").casefold() not in _AFTER_A_NAME
    return f"{given} {surname}" if is_turned else name


def _words(name: str, form: str) -> list[_Word]:
    """Split a name, the surname last if a comma follows it.

    A word in lower case, or a particle such as "van" inside, belongs to the next word.
    """
    if (turned := given_first(form)) != form:
        comma = form.index(", ")
        name, form = f"{name[comma + 2 :]} {name[:comma]}", turned
    found = [match for match in _LATIN_WORD.finditer(form) if any(c.isalpha() for c in match[0])]
    has_capitals = any(c.isupper() for c in name)
    words: list[_Word] = []
    particles: list[str] = []
    for match, after in zip(found, [*found[1:], None], strict=False):
        written = name[match.start() : match.end()]
        is_small = has_capitals and written == written.lower()
        is_first = not words and after is not None and name[after.start()].isupper()
        is_within = match[0] in PARTICLES and not is_first
        if (is_small or is_within) and after is not None:
            particles.append(match[0])
        else:
            words.append(_Word(match[0], tuple(particles), _first_capital(written) if not is_small else -1))
            particles = []
    return words


def _first_capital(written: str) -> int:
    pieces = _PIECE.findall(written)
    return next((place for place, piece in enumerate(pieces) if piece != piece.lower()), 0)


def _single_word(word: _Word, *, is_part: bool) -> NameVariant:
    written = replace(word, capital=-1) if word.is_distinctive_in_lower_case else word
    pattern = whole_words(written.pattern)
    return NameVariant(pattern, word.first_letters, word.length, MatchCondition.NAME_ALONE, is_part)


def _with_particles(word: _Word) -> NameVariant:
    """Return the variant "van Dijk", in which only the last word must be capitalised."""
    pattern = whole_words(word.before + word.alone.pattern)
    return NameVariant(pattern, word.particles[0][0], word.length, MatchCondition.CAPITALISED, is_part=True)


def _full_names(words: Sequence[_Word]) -> Iterator[NameVariant]:
    texts = {word.text for word in words}
    is_long = sum(map(len, texts)) >= _SAFE_LETTERS
    is_safe = not ORDINARY_NAMES & texts and (is_long or not WORDS_OF_PHRASES & texts)
    are_words = texts <= ORDINARY_NAMES | WORDS_OF_PHRASES
    condition = (
        MatchCondition.NONE
        if is_safe
        else MatchCondition.CAPITALISED_ALONE
        if are_words
        else MatchCondition.CAPITALISED
    )
    for order in _orders(words):
        first_letters, count = order[0].first_letters, sum(word.length for word in order)
        parts = [word.pattern for word in order]
        yield NameVariant(
            whole_words(_joined(order, BETWEEN_WORDS % (not is_long))), first_letters, count, condition
        )
        if not (is_long and is_safe):
            yield NameVariant(whole_words("".join(parts)), first_letters, count, MatchCondition.CAPITALISED)
            yield NameVariant(whole_words("_".join(parts)), first_letters, count)


def _joined(words: Sequence[_Word], between: str) -> str:
    """Join words into a pattern that does not match across the end of a sentence."""
    # the full stop of "Wm. Smith" does not end a sentence
    longer = [len(word.text) > _LONGEST_ABBREVIATION for word in words[:-1]]
    gaps = [(_NO_END_OF_SENTENCE if is_longer else "") + between for is_longer in longer]
    return "".join(word.pattern + gap for word, gap in zip(words, [*gaps, ""], strict=True))


def _with_middle_initial(first: _Word, last: _Word) -> NameVariant:
    """Return the variant "John Q. Smith" of a name without a middle name in the roster."""
    pattern = whole_words(first.pattern + _MIDDLE_INITIAL + last.pattern)
    return NameVariant(
        pattern, first.first_letters, first.length + last.length + 1, MatchCondition.CAPITALISED
    )


def _orders(words: Sequence[_Word]) -> Iterator[Sequence[_Word]]:
    yield words
    yield [words[-1], *words[:-1]]
    if len(words) > 2:
        yield from ([*words[1:], words[0]], [words[0], words[-1]], [words[-1], words[0]])


def _initials(words: Sequence[_Word], shortest: int = _SHORTEST_PART + 1) -> Iterator[NameVariant]:
    """Yield "J. Smith" and "Smith, J.", with the first and the last word as the surname.

    All on one line. "A" and "I" are initials only with a full stop after them: not in "with Smith. A friend"
    or "Smith I know".
    """
    for name, others in ((words[-1], words[:-1]), (words[0], words[1:])):
        least = 0 if len(name.text) >= shortest else 1
        for firsts in [others, others[:1]] if len(others) > 1 else [others]:
            letters = [word.initial for word in firsts]
            may_be_word = len(firsts) == 1 and firsts[0].text[0] in _LETTERS_THAT_ARE_WORDS
            joined = "".join(word.text[0] for word in firsts) + name.text
            is_distinctive = name.is_distinctive and not least and not is_ordinary_word(joined)
            count, first_letters = len(letters) + name.length, firsts[0].text[0]
            dotted = "".join(rf"{letter}(?:[.\-]{_BLANK}?){{{least},1}}" for letter in letters)
            condition = MatchCondition.NONE if is_distinctive else MatchCondition.CAPITALISED
            before = [dotted, _initials_before(letters, may_be_word=may_be_word)]
            # "Plan C. He said so."
            for initials in before if name.text not in _PRONOUNS else ():
                pattern = whole_words(initials + name.pattern)
                yield _with_initials(pattern, first_letters, count, condition)
                condition = MatchCondition.CAPITALISED
            after = _NO_LETTER_BEFORE + name.pattern + _initials_after(letters, may_be_word=may_be_word)
            yield _with_initials(after, name.first_letters, count, MatchCondition.CAPITALISED)


def _initials_before(letters: Sequence[str], *, may_be_word: bool) -> str:
    """Return the pattern of initials and blanks before a surname; "a Smith" does not match."""
    dot = r"\." if may_be_word else r"\.?"
    return "".join(rf"{letter}{dot}{_BLANK}{{1,2}}" for letter in letters)


def _initials_after(letters: Sequence[str], *, may_be_word: bool) -> str:
    """Return the pattern of initials after a surname: ", J. R.", " J.R."."""
    between = rf"(?:[.\-]{_BLANK}?|{_BLANK}{{1,2}})"
    dot = r"\." if may_be_word else r"\.?"
    return rf"(?:,{_BLANK}{{0,2}}|{_BLANK}{{1,2}})" + between.join(letters) + _NO_LETTER_AFTER + dot


def _with_initials(pattern: str, first_letters: str, count: int, condition: MatchCondition) -> NameVariant:
    return NameVariant(pattern, first_letters, count, condition, has_initials=True)


def whole_words(pattern: str) -> str:
    """Restrict a pattern to whole words."""
    return _NO_LETTER_BEFORE + pattern + _NO_LETTER_AFTER


# class, date, unit, draft or copy: "三年级2班", "高一", "第3单元", "第2稿", "Copy of"
_COURSE = LazyPattern(
    r"(?:第[初高大小]?|[初高大小]|(?<![一二三四五六七八九十\d]))[一二三四五六七八九十\d]++"
    r"(?:年级|级|班|组|届|学期|学年|单元|课|次|稿|版|月|日|号)"
    # 周 is a surname as well: "20250030周敏之", "高一周敏之"
    r"|第[一二三四五六七八九十\d]++周|(?<!\d)\d{1,2}周(?![\u3400-\u9fff])"
    r"|[初高][一二三](?=\W|_|\d|第|$)|^[Cc]opy[ _][Oo]f(?=[ _])"
)
_BETWEEN_PIECES = LazyPattern(
    r"[_()\[\]\\【】《》<>「」『』“”\"+&#@|;、:~=]+|(?<!\s)\s++[-\u2013\u2014]++\s+|[\u2013\u2014]+"
)
_WORD = r"(?![A-Za-z]{1,3}\d{5})[^\W\d_\u2e80-\uffff]+"
_RUN = LazyPattern(
    r"(?P<han>[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u00b7]+)"
    r"|(?P<number>(?<![A-Za-z\d])[A-Za-z]{0,3}\d{5,20}(?!\d))"
    rf"|(?P<latin>{_WORD}(?:(?:['\u2019\u02bc\-.]|,?\s['\u2019]?|\.\s)?{_WORD})*\.?)"
    r"|(?P<digits>\d+)"
)
# "我的同桌Emma", "Emma和我"
_IN_PHRASE = LazyPattern("[我你他她和与跟]|^[同说是]")
_ENDING = LazyPattern(r"\.(?:[a-z][a-z0-9]{0,7}|[A-Z][A-Z0-9]{0,3})")
_CAMEL = LazyPattern(r"(?<=[a-z])(?<!Mc)(?<!Mac)(?=[A-Z])")
LATIN_WORD = LazyPattern(r"[^\W\d_]+(?:['\u2019\u02bc][^\W\d_]+)*\.?")
MOST_LATIN_WORDS = 4
"""Words of a name, as `name_words` counts them."""
_HAN = "[\u3400-\u9fff\uf900-\ufaff]"
# "王 明", "萧 敏之", "欧阳 娜娜"
_APART = LazyPattern(
    rf"(?<!{_HAN})({_HAN}|{'|'.join(sorted(COMPOUND_SURNAMES))})\s+(?=({_HAN}{{1,2}})(?!{_HAN}))"
)


@dataclass(frozen=True, slots=True)
class FileNameRun:
    """Part of a file name; place: its index among the parts.

    kind: "han", "latin", "title" (a Latin name in a phrase), "number" or "digits".
    """

    kind: str
    text: str
    place: int
    beside_number: bool


def stem_of(path: Path) -> str:
    """Return the name of a file without its extension; ".Kowalski" of "Ms.Kowalski" is not one."""
    return path.stem if is_suffix_of_text(path.suffix) or _ENDING.fullmatch(path.suffix) else path.name


def runs_of(stem: str) -> list[FileNameRun]:
    """Return the runs of a file name without extension; class, date and draft are left out."""
    plain = _APART.sub(_without_blanks, _COURSE.sub("_", unicodedata.normalize("NFKC", stem)))
    found = [run for piece in _BETWEEN_PIECES.split(plain) for run in _pieces(list(_RUN.finditer(piece)))]
    return _numbered(list(_joined_latin(found)))


def _pieces(matches: Sequence[re.Match[str]]) -> Iterator[tuple[str, str]]:
    for before, match, after in zip([None, *matches], matches, [*matches[1:], None], strict=False):
        beside = [
            other[0] for other in (before, after) if other and {other.end(), other.start()} & {*match.span()}
        ]
        is_title = match.lastgroup == "latin" and any(map(_IN_PHRASE.search, beside))
        yield "title" if is_title else str(match.lastgroup), match[0].strip(" .-")


def _without_blanks(apart: re.Match[str]) -> str:
    """Join a single character or a surname with the given name behind it."""
    is_surname = surname_of(folded(apart[1]).characters) == folded(apart[1]).characters
    is_name = len(apart[1]) == len(apart[2]) == 1 or (is_surname and apart[2] not in GENERAL_WORDS)
    return apart[1] if is_name else apart[0]


def without(runs: Sequence[FileNameRun], texts: Collection[str]) -> list[FileNameRun]:
    return _numbered([(run.kind, run.text) for run in runs if run.text not in texts])


def _numbered(found: Sequence[tuple[str, str]]) -> list[FileNameRun]:
    numbers = [kind == "number" for kind, _text in found]
    return [
        FileNameRun(kind, text, n, any(numbers[max(n - 1, 0) : n + 2]) and kind != "number")
        for n, (kind, text) in enumerate(found)
    ]


def _joined_latin(found: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Join consecutive single words of the same case: "Smith" and "John" of "Smith_John_essay2"."""
    for (kind, _is_upper, _number), group in groupby(enumerate(found), key=_joined_with):
        texts = [text for _number, (_kind, text) in group]
        if kind == "word":
            yield "latin", " ".join(texts)
        else:
            yield from ((kind, text) for text in texts)


def _joined_with(numbered: tuple[int, tuple[str, str]]) -> tuple[str, bool, int]:
    """Return the group key of a run; the number keeps runs that are not joined apart."""
    number, (kind, text) = numbered
    words = name_words(text) if kind == "latin" else []
    if len(words) == 1 and may_be_name(words[0]):
        return "word", words[0][0].isupper() or words[0] in PARTICLES, 0
    return kind, False, number


def camel_spaced(text: str) -> str:
    """Return "John Smith" for "JohnSmith"."""
    return _CAMEL.sub(" ", text)


def words_of(text: str) -> list[str]:
    """Return the words of a Latin run."""
    return LATIN_WORD.findall(camel_spaced(text))


def name_words(text: str) -> list[str]:
    """Return the words of a name, those with hyphens whole, without particles as in "van der Berg"."""
    words = _LATIN_WORD.findall(camel_spaced(text))
    are_particles = [word.casefold() in PARTICLES for word in words[:-1]] + [False]
    beside = zip([False, *are_particles], [*are_particles[1:], False], strict=False)
    return [
        word
        for word, is_particle, neighbours in zip(words, are_particles, beside, strict=True)
        if not is_particle or not (word.islower() or any(neighbours))
    ]


def has_capital(word: str) -> bool:
    """Return whether a word has a capital, as "Smith" and "d'Artagnan" have."""
    return word != word.lower()


def is_generic(run: FileNameRun) -> bool:
    """Return whether a run consists only of generic words of file names, such as "essay" or "final"."""
    if run.kind == "han":
        return folded(run.text).characters in GENERAL_WORDS
    return run.kind == "latin" and not any(map(may_be_name, words_of(run.text)))


def may_be_name(word: str) -> bool:
    """Return whether a word is not a generic word of file names."""
    return word.casefold().strip(".") not in GENERAL_WORDS | FUNCTION_WORDS
