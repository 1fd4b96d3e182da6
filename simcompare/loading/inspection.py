"""Checks of every extracted text: invisible, look-alike, private-use and undecodable characters."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from simcompare.loading.extraction import visible_length
from simcompare.model.document import (
    Anchor,
    BlockKind,
    Document,
    Dropped,
    DropReason,
    Flag,
    FlagName,
    Place,
    Span,
)
from simcompare.support.confusables import (
    COMPATIBILITY_IDEOGRAPHS,
    EQUIVALENT_IDEOGRAPHS,
    RADICALS,
    is_among_latin,
    is_disguised,
    may_be_latin,
)
from simcompare.support.display_text import escape_invisible
from simcompare.support.lazy import LazyPattern

PlacedText = tuple[BlockKind, str, Anchor]

# Joiners, direction marks, variation selectors, tags and fillers: none of them is displayed.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef]+"
)
_SOFT_HYPHEN = "\u00ad"
_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_TAGS = re.compile("[\U000e0020-\U000e007f]+")
# tags that belong to no flag, and direction overrides
_SMUGGLED = re.compile(f"{_TAGS.pattern}|[\u202d\u202e]")
# never typed by hand; a single one displays a text that is stored backwards
_REVERSAL = "\u202e"
_BLACK_FLAG = "\U0001f3f4"
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
# Scripts that use such characters for letter forms or line breaks: Hebrew to Khmer, Mongolian,
# and the later Brahmic scripts.
_SHAPED = re.compile(
    "[\u0590-\u10ff\u1200-\u1cff\u2d30-\u2d7f\ua800-\ua95f\ua980-\uabff\ufb1d-\ufdff\ufe70-\ufefc]"
)
_LETTERS_BESIDE_SOFT_HYPHEN = re.compile(r"[^\W\d_]{2}")
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
_MIXABLE = re.compile("[\u0370-\u052f]")
_WORD = re.compile(r"[^\W\d_]+")
_KANA_OR_HANGUL = re.compile("[\u3040-\u30ff\u31f0-\u31ff\uac00-\ud7ff]")
"""Whose encodings have compatibility ideographs of their own."""
_LIKE_HAN = re.compile(f"[{RADICALS}{COMPATIBILITY_IDEOGRAPHS}]")
_LIKE_IDEOGRAPHS = [
    (
        LazyPattern(rf"(?<=[\u3400-\u9fff])[{alike}]++|(?<![{alike}])[{alike}]++(?=[\u3400-\u9fff])"),
        LazyPattern(f"[{forms}]"),
    )
    for alike, forms in (
        (RADICALS, "".join(map(chr, EQUIVALENT_IDEOGRAPHS.values()))),
        (COMPATIBILITY_IDEOGRAPHS, unicodedata.normalize("NFKC", "".join(map(chr, range(0xF900, 0xFA0C))))),
    )
]
"""Runs of radicals and of compatibility ideographs in Chinese; the ideographs that fonts change into them."""
_SPELLED = re.compile(r"[^\W_\u2e80-\uffff]{2}")
"""Two characters of one word, in writing with blanks."""
_UNIT = LazyPattern("[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]|[^\\W_\u2e80-\uffff]+")
_REPLACEMENT = "\ufffd"
_UNKNOWN = re.compile(_REPLACEMENT)

_MAX_PLACES = 20
_CONTEXT_CHARACTERS = 12
# Text copied from web pages and chats has a few zero-width characters, in proportion to its length.
_STRAY = 3
_CHARACTERS_PER_STRAY = 5_000
# Someone who writes in two scripts occasionally types a letter of the wrong one.
_WORDS_PER_SLIP = 500
_DISGUISED_PER_WORD = 10
_FONT_RATIO = 2
_DOUBTFUL_PRIVATE_SHARE = 0.05
_DOUBTFUL_UNDECODABLE_SHARE = 0.001
_FEW_UNITS = 20
# A flag is useful only if little text was kept and a fair amount was dropped.
_MAX_KEPT, _MIN_DROPPED = 300, 100
_MIN_DROPPED_RATIO = 3
_VISIBLE_DROPS = frozenset(
    {
        DropReason.PAGE_HEADER,
        DropReason.PAGE_FOOTER,
        DropReason.TABLE_OF_CONTENTS,
        DropReason.DELETED_REVISION,
        DropReason.COMMENT,
        DropReason.NAVIGATION,
    }
)
_SEVERAL_PAGES = 5
_LARGE_BYTES = 200_000


def inspect(
    placed: Sequence[PlacedText], known: Collection[FlagName] = (), *, size_bytes: int, pages: int | None
) -> list[Flag]:
    """Return the flags of a text, given by its blocks, except those in `known`.

    pages: None for files without pages; in those of others, fonts and recognition choose among ideographs.
    """
    text = "\n".join(piece for _kind, piece, _anchor in placed)
    checks = (_zero_width, partial(_look_alikes, pages=pages), _private_use, _undecodable)
    flags = [flag for check in checks if (flag := check(text, placed)) is not None]
    if _is_almost_empty(text, size_bytes, pages):
        excerpt = _escaped(" ".join(text.split())[: 2 * _CONTEXT_CHARACTERS])
        flags.append(Flag(FlagName.ALMOST_EMPTY, excerpt=excerpt))
    if FlagName.GARBLED_PAGE in known:
        known = {*known, FlagName.UNDECODABLE_CHARACTERS}
    return [flag for flag in flags if flag.name not in known]


def disguises(document: Document) -> list[tuple[Span, FlagName]]:
    """Find the invisible characters and the look-alike words and characters of which a document has flags."""
    if not {FlagName.ZERO_WIDTH_CHARACTERS, FlagName.LOOK_ALIKE_LETTERS}.intersection(
        flag.name for flag in document.receipt.flags
    ):
        return []
    is_latin, pages = _is_latin(_other_script_words(document.text)), document.receipt.pages
    searches: dict[FlagName, Callable[[str], Iterator[tuple[int, int, bool]]]] = {
        FlagName.ZERO_WIDTH_CHARACTERS: _invisible_in,
        FlagName.LOOK_ALIKE_LETTERS: partial(_disguised_in, is_latin=is_latin, pages=pages),
    }
    found = [
        (Span(block.span.start + start, block.span.start + end), flag.name)
        for flag in document.receipt.flags
        for block in (document.blocks if flag.name in searches else ())
        for start, end, _suspicious in searches[flag.name](block.span.of(document.text))
    ]
    return sorted(found, key=lambda place: place[0].start)


def visible_count(text: str) -> int:
    """Return the number of characters of a text, spaces included, without invisible ones."""
    return len(text) if text.isascii() else len(_INVISIBLE.sub("", text))


def mostly_dropped(text: str, dropped: Iterable[Dropped]) -> list[Flag]:
    """Return a flag if little text was kept and much more visible text was dropped."""
    beside = [drop for drop in dropped if drop.reason in _VISIBLE_DROPS]
    kept, characters = visible_length(text), sum(drop.characters for drop in beside)
    if kept > _MAX_KEPT or characters < max(_MIN_DROPPED, _MIN_DROPPED_RATIO * kept):
        return []
    most = max(beside, key=lambda drop: drop.characters)
    return [Flag(FlagName.MOSTLY_LEFT_OUT, characters, excerpt=_escaped(most.excerpt))]


@dataclass(frozen=True, slots=True)
class _Occurrence:
    """Characters [start, end) of a block that a flag reports."""

    block: int
    start: int
    end: int
    suspicious: bool = True


def _occurrences(
    placed: Sequence[PlacedText], search: Callable[[str], Iterable[tuple[int, int, bool]]]
) -> Iterator[_Occurrence]:
    for number, (_kind, piece, _anchor) in enumerate(placed):
        for start, end, suspicious in search(piece):
            yield _Occurrence(number, start, end, suspicious)


def _flag(
    name: FlagName,
    placed: Sequence[PlacedText],
    occurrences: Sequence[_Occurrence],
    count: int,
    *,
    doubtful: bool,
) -> Flag:
    """Return a flag with the first places, suspicious ones first, and the text around the first one."""
    ordered = sorted(occurrences, key=lambda occurrence: not occurrence.suspicious)
    anchors = (placed[occurrence.block][2] for occurrence in ordered)
    places = dict.fromkeys(Place(anchor.page, anchor.paragraph) for anchor in anchors)
    first = ordered[0]
    excerpt = _escaped(_around(placed[first.block][1], first))
    return Flag(name, count, tuple(places)[:_MAX_PLACES], excerpt, doubtful)


def _around(text: str, place: _Occurrence) -> str:
    """Return a place with some characters around it, in whole words unless they are very long."""
    start, end = max(0, place.start - _CONTEXT_CHARACTERS), place.end + _CONTEXT_CHARACTERS
    for _character in range(_CONTEXT_CHARACTERS):
        start -= _SPELLED.fullmatch(text, max(start - 1, 0), start + 1) is not None
        end += _SPELLED.fullmatch(text, end - 1, end + 1) is not None
    return text[start:end].strip()


def _escaped(text: str) -> str:
    """Return a text with code points for invisible characters."""
    unseen = f"{_INVISIBLE.pattern}|{_PRIVATE.pattern}"
    marked = re.sub(unseen, lambda match: "".join(f"[U+{ord(char):04X}]" for char in match[0]), text)
    return escape_invisible(marked)


# --- zero-width characters


def _zero_width(text: str, placed: Sequence[PlacedText]) -> Flag | None:
    if text.isascii() or not _INVISIBLE.search(text):
        return None
    occurrences = list(_occurrences(placed, _invisible_in))
    if not occurrences:
        return None
    suspicious = sum(occurrence.end - occurrence.start for occurrence in occurrences if occurrence.suspicious)
    count = sum(occurrence.end - occurrence.start for occurrence in occurrences)
    reversed_text = any(
        _REVERSAL in placed[occurrence.block][1][occurrence.start : occurrence.end]
        for occurrence in occurrences
    )
    doubtful = reversed_text or suspicious > max(_STRAY, len(text) // _CHARACTERS_PER_STRAY)
    return _flag(FlagName.ZERO_WIDTH_CHARACTERS, placed, occurrences, count, doubtful=doubtful)


def _invisible_in(piece: str) -> Iterator[tuple[int, int, bool]]:
    """Yield runs that their script or neighbours do not require, and whether they are suspicious."""
    turns = _RIGHT_TO_LEFT.search(piece) is not None
    for match in _INVISIBLE.finditer(piece):
        before, after = piece[: match.start()][-1:], piece[match.end() :][:1]
        run = match.group()
        if _is_legitimate(run, before, after, piece, match, turns=turns):
            continue
        hides = _SMUGGLED.search(run) is not None or len(_SELECTORS.findall(run)) > 1
        yield match.start(), match.end(), hides or (before.isalnum() and after.isalnum())


def _is_legitimate(
    run: str, before: str, after: str, piece: str, match: re.Match[str], *, turns: bool
) -> bool:
    if turns and not _DIRECTIONS.sub("", run):
        return True
    if _SHAPED.match(before) or _SHAPED.match(after):
        return not _TAGS.search(run)
    if before == _BLACK_FLAG:
        return _TAGS.match(run) is not None
    if _is_picture(before) or _is_picture(after):
        # joined emoji, or the choice between picture and text form
        return len(run) <= 2 and not _TAGS.search(run)
    if run == _SOFT_HYPHEN:
        return _hyphenates(piece, match)
    if _SELECTORS.fullmatch(run):
        return bool(before) and _takes_selector(before, run)
    return False


def _takes_selector(before: str, selector: str) -> bool:
    """Return whether a character takes a variation selector, such as a keycap digit or an ideograph."""
    if selector in "\ufe0e\ufe0f":
        return before in "0123456789#*" or not before.isalnum()
    return not before.isascii()


def _is_picture(character: str) -> bool:
    return bool(character) and unicodedata.category(character) in {"So", "Sk", "Sm"}


def _hyphenates(piece: str, match: re.Match[str]) -> bool:
    """Return whether a soft hyphen is where a word may be broken: two letters on either side."""
    before, after = piece[: match.start()][-2:], piece[match.end() :][:2]
    letters = _LETTERS_BESIDE_SOFT_HYPHEN
    return bool(letters.fullmatch(before) and letters.fullmatch(after)) and max(before) < "\u2e80"


# --- look-alike letters, private use, undecodable characters


def _look_alikes(text: str, placed: Sequence[PlacedText], pages: int | None) -> Flag | None:
    words = _other_script_words(text)
    is_latin = _is_latin(words)
    search = partial(_disguised_in, is_latin=is_latin, pages=pages)
    occurrences = [] if text.isascii() else list(_occurrences(placed, search))
    if not occurrences:
        return None
    # words wholly in the other script: the writer has its keyboard
    written = 0 if is_latin else len(words)
    letters = sum(occurrence.suspicious for occurrence in occurrences)
    doubtful = letters > written // _WORDS_PER_SLIP + _STRAY * (written > letters)
    doubtful |= len(occurrences) - letters > max(_STRAY, len(text) // _CHARACTERS_PER_STRAY)
    return _flag(FlagName.LOOK_ALIKE_LETTERS, placed, occurrences, len(occurrences), doubtful=doubtful)


def _other_script_words(text: str) -> list[str]:
    found = _WORD.findall(text) if _MIXABLE.search(text) else ()
    return [word for word in found if _MIXABLE.match(word) and not re.search("[A-Za-z]", word)]


def _is_latin(other_script_words: Sequence[str]) -> bool:
    """Return whether words of another script may be disguised ones: hardly any must be of that script."""
    disguised = sum(map(may_be_latin, other_script_words))
    return disguised > _DISGUISED_PER_WORD * (len(other_script_words) - disguised)


def _disguised_in(piece: str, *, is_latin: bool, pages: int | None) -> Iterator[tuple[int, int, bool]]:
    """Yield the words with letters of another script, then the characters that look like ideographs."""
    if not piece.isascii() and _MIXABLE.search(piece):
        matches = list(_WORD.finditer(piece))
        words = [match.group() for match in matches]
        for place, (match, word) in enumerate(zip(matches, words, strict=True)):
            if not word.isascii() and (
                is_disguised(word) or (is_latin and may_be_latin(word) and is_among_latin(words, place))
            ):
                yield match.start(), match.end(), True
    if pages is None and _LIKE_HAN.search(piece) and not _KANA_OR_HANGUL.search(piece):
        for alike, ideographs in _LIKE_IDEOGRAPHS:
            places = [place for match in alike.finditer(piece) for place in range(*match.span())]
            # in text from a PDF, a font has changed all or nearly all
            if places and len(places) < _FONT_RATIO * len(ideographs.findall(piece)):
                yield from ((place, place + 1, False) for place in places)


def _private_use(text: str, placed: Sequence[PlacedText]) -> Flag | None:
    count = 0 if text.isascii() else len(_PRIVATE.findall(text))
    if not count:
        return None
    occurrences = list(_occurrences(placed, lambda piece: _first_match(_PRIVATE, piece)))
    doubtful = count > _DOUBTFUL_PRIVATE_SHARE * len("".join(text.split()))
    return _flag(FlagName.PRIVATE_USE_CHARACTERS, placed, occurrences, count, doubtful=doubtful)


def _undecodable(text: str, placed: Sequence[PlacedText]) -> Flag | None:
    count = text.count(_REPLACEMENT)
    if not count:
        return None
    occurrences = list(_occurrences(placed, lambda piece: _first_match(_UNKNOWN, piece)))
    doubtful = count > 1 and count > _DOUBTFUL_UNDECODABLE_SHARE * len(text)
    return _flag(FlagName.UNDECODABLE_CHARACTERS, placed, occurrences, count, doubtful=doubtful)


def _first_match(pattern: re.Pattern[str], piece: str) -> list[tuple[int, int, bool]]:
    """Return the first match, which has the place of all others in its paragraph."""
    match = pattern.search(piece)
    return [(match.start(), match.end(), True)] if match else []


def _is_almost_empty(text: str, size_bytes: int, pages: int | None) -> bool:
    """Return whether a file is large or has pages but hardly any text: most likely it holds pictures."""
    if (pages or 0) < _SEVERAL_PAGES and size_bytes <= _LARGE_BYTES:
        return False
    units = _UNIT.finditer(text)
    return sum(1 for _number, _unit in zip(range(_FEW_UNITS), units, strict=False)) < _FEW_UNITS
