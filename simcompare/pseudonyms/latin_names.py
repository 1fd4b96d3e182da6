"""The ways in which a name in Latin letters may be written."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from simcompare.loading.sniffing import is_suffix_of_text
from simcompare.pseudonyms.name_folding import Check, Spelling, folded
from simcompare.pseudonyms.ordinary_words import (
    FUNCTION_WORDS,
    GENERAL_WORDS,
    ORDINARY_NAMES,
    PARTICLES,
    WORDS_OF_PHRASES,
    is_ordinary_word,
)

# a letter that goes on with a Latin word; a Chinese character beside a word is no part of it
_LETTER = "[a-z\u00df-\u024f\u0370-\u04ff]"
_NO_LETTER_BEFORE, _NO_LETTER_BEHIND = f"(?<!{_LETTER})", f"(?!{_LETTER})"
_WITHIN_WORD = r"['\u2019\u02bc\u2018`\u00b4\-\u2010\u2011\u2013\s]{0,2}"
_LATIN_WORD = re.compile(r"[^\W_]+(?:['\u2019\u02bc\u2018`\u00b4\-\u2010\u2011\u2013]+[^\W_]+)*")
_PIECE = re.compile(r"[^\W_]+")
BETWEEN_WORDS = r"[\s.,_\u00b7\-\u2010\u2011\u2013]{%d,3}"
"""What stands between the words of a name; to be given how much at least."""
_BEHIND_PARTICLE = r"[\s._\-]{1,3}"
_NO_END_OF_SENTENCE = r"(?!\.\s)"
_LONGEST_ABBREVIATION = 2
_BLANK = r"[^\S\n]"
_MIDDLE_INITIAL = rf"(?:{_BLANK}{{1,2}}|[._])([a-z])\.?{_BLANK}{{1,2}}"
_LETTERS_THAT_ARE_WORDS = "ai"
_WITHIN_ADDRESS = r"[._\-]{0,2}"
IN_AN_ADDRESS = r"(?=[\w.\-]{0,40}@)"
"""What is written small in front of this tells of a person, however short it is."""
_SAFE_LETTERS = 8
_SHORTEST_PART = 3


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a name, in small letters without accents, with the small words before it: "van der".

    capital: at which of its pieces, between hyphens and apostrophes, it has its first capital letter.
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
        """What the particles are found by."""
        return "".join(one + _BEHIND_PARTICLE for one in self.particles)

    @property
    def pattern(self) -> str:
        """What the word is found by, with its particles or without."""
        pieces = [f"({one})" if n == self.capital else one for n, one in enumerate(self.pieces)]
        return (f"(?:{self.before})?" if self.particles else "") + _WITHIN_WORD.join(pieces)

    @property
    def begins(self) -> str:
        """With which letters it may begin."""
        return "".join(dict.fromkeys(one[0] for one in (*self.particles, self.text)))

    @property
    def characters(self) -> int:
        return sum(map(len, (*self.particles, self.text)))

    @property
    def initial(self) -> str:
        """A pattern of the first letter, and of those behind its hyphens where they are written."""
        first, *others = self.pieces
        return f"({first[0]})" + "".join(rf"(?:[.\-]{{0,2}}{_BLANK}?{other[0]})?" for other in others)

    @property
    def is_telling(self) -> bool:
        """Whether it is a sign of a person where it stands alone."""
        return len(self.text) >= _SHORTEST_PART and self.text not in ORDINARY_NAMES

    @property
    def is_no_ordinary_one(self) -> bool:
        """Whether it is a sign of a person in small letters too, as no dictionary has it."""
        return len(self.text) >= _SHORTEST_PART and not all(map(is_ordinary_word, self.pieces))


def latin_spellings(name: str, form: str, common: Collection[str] = ()) -> Iterator[Spelling]:
    """Yield the ways to write a name; `form` is what it is folded to, character by character.

    `common` are words that are no sign of a person where they stand alone, beside those that are so for all.
    """
    words = _words(name, form)
    if len(words) == 1:
        yield _single(words[0], is_part=False)
    elif words:
        yield from _full(words)
        yield _with_middle_initial(words[0], words[-1])
        yield from _initials(words)
        for word in words:
            if word.is_telling and word.text not in common:
                yield _single(word.alone, is_part=True)
                yield _in_an_address(word)
            if word.particles:
                yield _with_particles(word)


def _words(name: str, form: str) -> list[_Word]:
    """Return the words of a name; one that the list writes small, or "van" within, belongs to the next."""
    found = [match for match in _LATIN_WORD.finditer(form) if any(c.isalpha() for c in match[0])]
    has_capitals = any(c.isupper() for c in name)
    words: list[_Word] = []
    particles: list[str] = []
    for match in found:
        written = name[match.start() : match.end()]
        is_small = has_capitals and written == written.lower()
        is_within = bool(words) and match[0] in PARTICLES
        if (is_small or is_within) and match is not found[-1]:
            particles.append(match[0])
        else:
            words.append(_Word(match[0], tuple(particles), _first_capital(written) if not is_small else -1))
            particles = []
    return words


def _first_capital(written: str) -> int:
    pieces = _PIECE.findall(written)
    return next((place for place, piece in enumerate(pieces) if piece != piece.lower()), 0)


def _single(word: _Word, *, is_part: bool) -> Spelling:
    check = Check.NOTHING if word.is_no_ordinary_one else Check.CAPITALS
    return Spelling(bordered(word.pattern), word.begins, word.characters, check, is_part)


def _with_particles(word: _Word) -> Spelling:
    """Return "van Dijk", in which the small words are no sign of a person but the word is."""
    pattern = bordered(word.before + word.alone.pattern)
    return Spelling(pattern, word.particles[0][0], word.characters, Check.CAPITALS, is_part=True)


def _in_an_address(word: _Word) -> Spelling:
    """Return "kowalski" of "kowalski.a@example.org"."""
    pattern = bordered(_WITHIN_WORD.join(word.pieces)) + IN_AN_ADDRESS
    return Spelling(pattern, word.text[0], len(word.text), is_part=True)


def _full(words: Sequence[_Word]) -> Iterator[Spelling]:
    texts = {word.text for word in words}
    is_long = sum(map(len, texts)) >= _SAFE_LETTERS
    is_safe = not ORDINARY_NAMES & texts and (is_long or not WORDS_OF_PHRASES & texts)
    are_words = texts <= ORDINARY_NAMES | WORDS_OF_PHRASES
    check = Check.NOTHING if is_safe else Check.CAPITALS_OF_ITS_OWN if are_words else Check.CAPITALS
    for order in _orders(words):
        begins, count = order[0].begins, sum(word.characters for word in order)
        parts = [word.pattern for word in order]
        joined, in_address = "".join(parts), _WITHIN_ADDRESS.join(parts)
        yield Spelling(bordered(_joined(order, BETWEEN_WORDS % (not is_long))), begins, count, check)
        if not (is_long and is_safe):
            # "LiWei", and "liwei" in an address
            yield Spelling(bordered(joined), begins, count, Check.CAPITALS)
            yield Spelling(bordered(in_address) + IN_AN_ADDRESS, begins, count)


def _joined(words: Sequence[_Word], between: str) -> str:
    """Return a pattern of words beside each other, which the end of a sentence holds apart."""
    # "Wm. Smith" is no end of one
    longer = [len(word.text) > _LONGEST_ABBREVIATION for word in words[:-1]]
    gaps = [(_NO_END_OF_SENTENCE if is_longer else "") + between for is_longer in longer]
    return "".join(word.pattern + gap for word, gap in zip(words, [*gaps, ""], strict=True))


def _with_middle_initial(first: _Word, last: _Word) -> Spelling:
    """Return "John Q. Smith" for a student whose list has no second name."""
    pattern = bordered(first.pattern + _MIDDLE_INITIAL + last.pattern)
    return Spelling(pattern, first.begins, first.characters + last.characters + 1, Check.CAPITALS)


def _orders(words: Sequence[_Word]) -> Iterator[Sequence[_Word]]:
    yield words
    yield [words[-1], *words[:-1]]
    if len(words) > 2:
        yield from ([*words[1:], words[0]], [words[0], words[-1]], [words[-1], words[0]])


def _initials(words: Sequence[_Word]) -> Iterator[Spelling]:
    """Yield "J. Smith", "Smith, J."; which of the words is the surname nobody may have said.

    They stand on one line. "A" and "I" are initials with a full stop alone, which never is the surname's:
    "with Smith. A friend", "Smith I know".
    """
    for name, others in ((words[-1], words[:-1]), (words[0], words[1:])):
        least = 0 if len(name.text) > _SHORTEST_PART else 1
        for firsts in [others, others[:1]] if len(others) > 1 else [others]:
            letters = [word.initial for word in firsts]
            may_be_a_word = len(firsts) == 1 and firsts[0].text[0] in _LETTERS_THAT_ARE_WORDS
            joined = "".join(word.text[0] for word in firsts) + name.text
            is_telling = name.is_telling and not least and not is_ordinary_word(joined)
            count, begins = len(letters) + name.characters, firsts[0].text[0]
            dotted = "".join(rf"{letter}(?:[.\-]{_BLANK}?){{{least},1}}" for letter in letters)
            check = Check.NOTHING if is_telling else Check.CAPITALS
            yield _initialled(bordered(dotted + name.pattern), begins, count, check)
            apart = _apart(letters, may_be_a_word=may_be_a_word)
            yield _initialled(bordered(apart + name.pattern), begins, count, Check.CAPITALS)
            behind = _NO_LETTER_BEFORE + name.pattern + _behind(letters, may_be_a_word=may_be_a_word)
            yield _initialled(behind, name.begins, count, Check.CAPITALS)


def _apart(letters: Sequence[str], *, may_be_a_word: bool) -> str:
    """Return a pattern of initials with blanks before the surname; "a Smith" has none."""
    dot = r"\." if may_be_a_word else r"\.?"
    return "".join(rf"{letter}{dot}{_BLANK}{{1,2}}" for letter in letters)


def _behind(letters: Sequence[str], *, may_be_a_word: bool) -> str:
    """Return a pattern of initials behind the surname: ", J. R.", " J.R."."""
    between = rf"(?:[.\-]{_BLANK}?|{_BLANK}{{1,2}})"
    dot = r"\." if may_be_a_word else r"\.?"
    return rf"(?:,{_BLANK}{{0,2}}|{_BLANK}{{1,2}})" + between.join(letters) + _NO_LETTER_BEHIND + dot


def _initialled(pattern: str, begins: str, count: int, check: Check) -> Spelling:
    return Spelling(pattern, begins, count, check, has_initials=True)


def bordered(pattern: str) -> str:
    """Return a pattern of words that are no part of longer ones."""
    return _NO_LETTER_BEFORE + pattern + _NO_LETTER_BEHIND


# class, date, part of the course: "三年级2班", "高一", "第3单元", "第2稿"
_COURSE = re.compile(
    r"第?[初高大小]?[一二三四五六七八九十\d]+(?:年级|级|班|组|届|学期|学年|单元|课|次|稿|版|月|日|周|号)"
    r"|[初高][一二三](?=\W|_|\d|$)"
)
_BETWEEN_PIECES = re.compile(
    r"[_()\[\]【】《》<>「」『』“”\"+&#@|;、:~=]+|\s+[-\u2013\u2014]+\s+|[\u2013\u2014]+"
)
_WORD = r"(?![A-Za-z]{1,3}\d{5})[^\W\d_\u2e80-\uffff]+"
_RUN = re.compile(
    r"(?P<han>[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u00b7]+)"
    r"|(?P<number>(?<![A-Za-z\d])[A-Za-z]{0,3}\d{5,20}(?!\d))"
    rf"|(?P<latin>{_WORD}(?:(?:['\u2019\u02bc\-.]|,?\s|\.\s)?{_WORD})*\.?)"
    r"|(?P<digits>\d+)"
)
_ENDING = re.compile(r"\.(?:[a-z][a-z0-9]{0,7}|[A-Z][A-Z0-9]{0,3})")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
LATIN_WORD = re.compile(r"[^\W\d_]+(?:['\u2019\u02bc][^\W\d_]+)*\.?")
_HAN = "[\u3400-\u9fff\uf900-\ufaff]"
# "王 明": the characters of a name set apart
_APART = re.compile(rf"(?<=(?<!{_HAN}){_HAN})\s+(?={_HAN}(?!{_HAN}))")


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a file's name, at a place among its parts; kind: "han", "latin", "number" or "digits"."""

    kind: str
    text: str
    place: int
    beside_number: bool


def stem_of(path: Path) -> str:
    """Return the name of a file without its ending; what stands behind the dot of "Ms.Kowalski" is none."""
    return path.stem if is_suffix_of_text(path.suffix) or _ENDING.fullmatch(path.suffix) else path.name


def runs_of(stem: str) -> list[Run]:
    """Return the runs of a file's name without its ending; class, date and draft are none of them."""
    plain = _APART.sub("", _COURSE.sub("_", unicodedata.normalize("NFKC", stem)))
    found = [
        (str(match.lastgroup), match[0].strip(" .-"))
        for piece in _BETWEEN_PIECES.split(plain)
        for match in _RUN.finditer(piece)
    ]
    return _placed(list(_joined_latin(found)))


def without(runs: Sequence[Run], texts: Collection[str]) -> list[Run]:
    """Return runs without those of these texts, at their new places."""
    return _placed([(run.kind, run.text) for run in runs if run.text not in texts])


def _placed(found: Sequence[tuple[str, str]]) -> list[Run]:
    numbers = [kind == "number" for kind, _text in found]
    return [
        Run(kind, text, n, any(numbers[max(n - 1, 0) : n + 2]) and kind != "number")
        for n, (kind, text) in enumerate(found)
    ]


def _joined_latin(found: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Join "Smith" and "John" of "Smith_John_essay2": single words alike that follow each other."""
    for (kind, _is_upper, _number), group in groupby(enumerate(found), key=_joined_with):
        texts = [text for _number, (_kind, text) in group]
        if kind == "word":
            yield "latin", " ".join(texts)
        else:
            yield from ((kind, text) for text in texts)


def _joined_with(numbered: tuple[int, tuple[str, str]]) -> tuple[str, bool, int]:
    """Return what the runs that are joined have alike; the number keeps others apart."""
    number, (kind, text) = numbered
    words = words_of(text) if kind == "latin" else []
    if len(words) == 1 and may_be_name(words[0]):
        return "word", words[0][0].isupper(), 0
    return kind, False, number


def camel_spaced(text: str) -> str:
    """Return "John Smith" for "JohnSmith"."""
    return _CAMEL.sub(" ", text)


def words_of(text: str) -> list[str]:
    """Return the words of a Latin run."""
    return LATIN_WORD.findall(camel_spaced(text))


def is_general(run: Run) -> bool:
    """Whether a run has words alone that stand in the names of all kinds of files."""
    if run.kind == "han":
        return folded(run.text).characters in GENERAL_WORDS
    return run.kind == "latin" and not any(map(may_be_name, words_of(run.text)))


def may_be_name(word: str) -> bool:
    """Whether a word is none of those that stand in the names of all kinds of files."""
    return word.casefold().strip(".") not in GENERAL_WORDS | FUNCTION_WORDS
