"""What is told of every text, whatever its format: characters that nobody sees or that pose as others."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from simcompare.loading.extraction import visible_length
from simcompare.model.document import Anchor, BlockKind
from simcompare.model.receipt import Dropped, DropReason, Flag, FlagName, Place
from simcompare.support.confusables import is_disguised
from simcompare.support.display_text import escape_invisible

Placed = tuple[BlockKind, str, Anchor]

# Joiners, marks of direction, selectors of a glyph's form, tags and fillers: nothing of them is seen.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef]+"
)
_SOFT_HYPHEN = "\u00ad"
_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_TAGS = re.compile("[\U000e0020-\U000e007f]+")
# tags without a flag to belong to, and orders to write in the other direction
_SMUGGLED = re.compile(f"{_TAGS.pattern}|[\u202d\u202e]")
# nobody types it; one of them shows a whole text that the file holds backwards
_REVERSAL = "\u202e"
_FLAG_THAT_TAKES_TAGS = "\U0001f3f4"
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
# Scripts whose letters change their form or their line ends by such characters: Hebrew to Khmer, Mongolian,
# and the Brahmic scripts further on.
_SHAPED = re.compile(
    "[\u0590-\u10ff\u1200-\u1cff\u2d30-\u2d7f\ua800-\ua95f\ua980-\uabff\ufb1d-\ufdff\ufe70-\ufefc]"
)
_LETTERS_BESIDE_SOFT_HYPHEN = re.compile(r"[^\W\d_]{2}")
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")
_MIXABLE = re.compile("[\u0370-\u052f]")
_WORD = re.compile(r"[^\W\d_]+")
_UNIT = re.compile("[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]|[^\\W_\u2e80-\uffff]+")
_REPLACEMENT = "\ufffd"

_MOST_PLACES = 20
_CONTEXT_CHARACTERS = 12
# Pages and chats leave a few zero-width characters behind, more of them the longer a text is.
_STRAY = 3
_CHARACTERS_PER_STRAY = 5_000
# Who writes in two scripts slips on the keyboard now and then.
_WORDS_PER_SLIP = 500
_DOUBTFUL_PRIVATE_SHARE = 0.05
_DOUBTFUL_UNDECODABLE_SHARE = 0.001
_FEW_UNITS = 20
# Beside so much text nobody asks what became of the rest; below so little left out there is no rest.
_ENOUGH_KEPT, _LITTLE_LEFT_OUT = 300, 100
_TIMES_MORE_LEFT_OUT = 3
_BESIDE_THE_TEXT = frozenset(
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
    placed: Sequence[Placed], known: Collection[FlagName] = (), *, size_bytes: int, pages: int | None
) -> list[Flag]:
    """Return what a reader should know of a text, given by its blocks, beside what is known already."""
    text = "\n".join(piece for _kind, piece, _anchor in placed)
    checks = (_zero_width, _look_alikes, _private_use, _undecodable)
    flags = [flag for check in checks if (flag := check(text, placed)) is not None]
    if _is_almost_empty(text, size_bytes, pages):
        flags.append(Flag(FlagName.ALMOST_EMPTY, excerpt=_shortened(text)))
    if FlagName.GARBLED_PAGE in known:
        known = {*known, FlagName.UNDECODABLE_CHARACTERS}
    return [flag for flag in flags if flag.name not in known]


def visible_count(text: str) -> int:
    """Return the number of characters of a text, spaces among them, that take up room."""
    return len(text) if text.isascii() else len(_UNSEEN.sub("", text))


def mostly_left_out(text: str, dropped: Iterable[Dropped]) -> list[Flag]:
    """Return a flag where little text is kept and far more was left out that its reader sees."""
    beside = [one for one in dropped if one.reason in _BESIDE_THE_TEXT]
    kept, characters = visible_length(text), sum(one.characters for one in beside)
    if kept > _ENOUGH_KEPT or characters < max(_LITTLE_LEFT_OUT, _TIMES_MORE_LEFT_OUT * kept):
        return []
    most = max(beside, key=lambda one: one.characters)
    return [Flag(FlagName.MOSTLY_LEFT_OUT, characters, excerpt=_named(most.excerpt))]


@dataclass(frozen=True, slots=True)
class _Find:
    """Some characters of a block that should be told of."""

    block: int
    start: int
    end: int
    suspicious: bool = True


def _found(
    placed: Sequence[Placed], search: Callable[[str], Iterable[tuple[int, int, bool]]]
) -> Iterator[_Find]:
    for number, (_kind, piece, _anchor) in enumerate(placed):
        for start, end, suspicious in search(piece):
            yield _Find(number, start, end, suspicious)


def _flag(
    name: FlagName, placed: Sequence[Placed], finds: Sequence[_Find], count: int, *, doubtful: bool
) -> Flag:
    """Return a flag with the first places, those that give cause for suspicion before all others."""
    ordered = sorted(finds, key=lambda find: not find.suspicious)
    anchors = (placed[find.block][2] for find in ordered)
    places = dict.fromkeys(Place(anchor.page, anchor.paragraph) for anchor in anchors)
    first = ordered[0]
    excerpt = _excerpt(placed[first.block][1], first.start, first.end)
    return Flag(name, count, tuple(places)[:_MOST_PLACES], excerpt, doubtful)


def _excerpt(text: str, start: int, end: int) -> str:
    """Return what stands around a find, with a name for what has no look."""
    around = text[max(0, start - _CONTEXT_CHARACTERS) : end + _CONTEXT_CHARACTERS]
    return _named(around)


def _shortened(text: str) -> str:
    return _named(" ".join(text.split())[: 2 * _CONTEXT_CHARACTERS])


def _named(text: str) -> str:
    marked = re.sub(f"{_UNSEEN.pattern}|{_PRIVATE.pattern}", _names_of, text)
    return escape_invisible(marked)


def _names_of(match: re.Match[str]) -> str:
    return "".join(f"[U+{ord(character):04X}]" for character in match.group())


# --- characters without width


def _zero_width(text: str, placed: Sequence[Placed]) -> Flag | None:
    if text.isascii() or not _UNSEEN.search(text):
        return None
    finds = list(_found(placed, _unseen_in))
    if not finds:
        return None
    suspicious = sum(find.end - find.start for find in finds if find.suspicious)
    count = sum(find.end - find.start for find in finds)
    reversed_text = any(_REVERSAL in placed[find.block][1][find.start : find.end] for find in finds)
    doubtful = reversed_text or suspicious > max(_STRAY, len(text) // _CHARACTERS_PER_STRAY)
    return _flag(FlagName.ZERO_WIDTH_CHARACTERS, placed, finds, count, doubtful=doubtful)


def _unseen_in(piece: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the runs that their script or sign does not call for, and whether they stand within a word."""
    turns = _RIGHT_TO_LEFT.search(piece) is not None
    for match in _UNSEEN.finditer(piece):
        before, after = piece[: match.start()][-1:], piece[match.end() :][:1]
        run = match.group()
        if _is_honest(run, before, after, piece, match, turns=turns):
            continue
        hides = _SMUGGLED.search(run) is not None or len(_SELECTORS.findall(run)) > 1
        yield match.start(), match.end(), hides or (_is_of_word(before) and _is_of_word(after))


def _is_of_word(character: str) -> bool:
    return character.isalnum()


def _is_honest(  # noqa: PLR0911 - each line is a usage of its own
    run: str, before: str, after: str, piece: str, match: re.Match[str], *, turns: bool
) -> bool:
    if turns and not _DIRECTIONS.sub("", run):
        return True
    if _SHAPED.match(before) or _SHAPED.match(after):
        return not _TAGS.search(run)
    if before == _FLAG_THAT_TAKES_TAGS:
        return _TAGS.match(run) is not None
    if _is_picture(before) or _is_picture(after):
        # joined emoji, and a sign shown as a picture or as text
        return len(run) <= 2 and not _TAGS.search(run)
    if run == _SOFT_HYPHEN:
        return _hyphenates(piece, match)
    if _SELECTORS.fullmatch(run):
        return bool(before) and _takes_selector(before, run)
    return False


def _takes_selector(before: str, selector: str) -> bool:
    """Return whether a sign comes in forms: a digit as a key, an ideograph in the shape of a name."""
    if selector in "\ufe0e\ufe0f":
        return before in "0123456789#*" or not before.isalnum()
    return not before.isascii()


def _is_picture(character: str) -> bool:
    return bool(character) and unicodedata.category(character) in {"So", "Sk", "Sm"}


def _hyphenates(piece: str, match: re.Match[str]) -> bool:
    """Return whether a soft hyphen stands where a word may be broken: two letters on either side."""
    before, after = piece[: match.start()][-2:], piece[match.end() :][:2]
    letters = _LETTERS_BESIDE_SOFT_HYPHEN
    return bool(letters.fullmatch(before) and letters.fullmatch(after)) and max(before) < "\u2e80"


# --- letters that look alike, private use, what could not be decoded


def _look_alikes(text: str, placed: Sequence[Placed]) -> Flag | None:
    if text.isascii() or not _MIXABLE.search(text):
        return None
    finds = list(_found(placed, _disguised_in))
    if not finds:
        return None
    # words of the other script alone: the writer has its keyboard
    foreign = sum(not re.search("[A-Za-z]", word) for word in _WORD.findall(text) if _MIXABLE.match(word))
    doubtful = len(finds) > foreign // _WORDS_PER_SLIP + _STRAY * (foreign > len(finds))
    return _flag(FlagName.LOOK_ALIKE_LETTERS, placed, finds, len(finds), doubtful=doubtful)


def _disguised_in(piece: str) -> Iterator[tuple[int, int, bool]]:
    if not piece.isascii() and _MIXABLE.search(piece):
        for match in _WORD.finditer(piece):
            if not match.group().isascii() and is_disguised(match.group()):
                yield match.start(), match.end(), True


def _private_use(text: str, placed: Sequence[Placed]) -> Flag | None:
    count = 0 if text.isascii() else len(_PRIVATE.findall(text))
    if not count:
        return None
    finds = list(_found(placed, lambda piece: _matches(_PRIVATE, piece)))
    doubtful = count > _DOUBTFUL_PRIVATE_SHARE * len("".join(text.split()))
    return _flag(FlagName.PRIVATE_USE_CHARACTERS, placed, finds, count, doubtful=doubtful)


def _undecodable(text: str, placed: Sequence[Placed]) -> Flag | None:
    count = text.count(_REPLACEMENT)
    if not count:
        return None
    finds = list(_found(placed, lambda piece: _matches(re.compile(_REPLACEMENT), piece)))
    doubtful = count > 1 and count > _DOUBTFUL_UNDECODABLE_SHARE * len(text)
    return _flag(FlagName.UNDECODABLE_CHARACTERS, placed, finds, count, doubtful=doubtful)


def _matches(pattern: re.Pattern[str], piece: str) -> Iterator[tuple[int, int, bool]]:
    for match in pattern.finditer(piece):
        yield match.start(), match.end(), True


def _is_almost_empty(text: str, size_bytes: int, pages: int | None) -> bool:
    """Return whether a file is large or has pages, and next to nothing to read: pictures, most likely."""
    if (pages or 0) < _SEVERAL_PAGES and size_bytes <= _LARGE_BYTES:
        return False
    units = _UNIT.finditer(text)
    return sum(1 for _number, _unit in zip(range(_FEW_UNITS), units, strict=False)) < _FEW_UNITS
