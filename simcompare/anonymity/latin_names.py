"""The ways in which a name in Latin letters may be written."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from simcompare.anonymity.english_words import is_ordinary_word
from simcompare.anonymity.ordinary_words import ORDINARY_NAMES, PARTICLES, WORDS_OF_PHRASES
from simcompare.anonymity.spelling import Check, Spelling

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
