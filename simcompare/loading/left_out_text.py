"""What a reader leaves out, gathered while it reads, for the receipt."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from simcompare.loading.extraction import clean, visible_length
from simcompare.model.errors import EmptyFileError, TextBesideError, UnseenTextError
from simcompare.model.receipt import Dropped, DropReason, Flag, FlagName, Place
from simcompare.support.display_text import visible
from simcompare.support.i18n import N_

_EXCERPT_CHARACTERS = 80
_MOST_PLACES = 20
# Text that a file holds and its reader cannot see: the receipt does not only count it, it points at it.
_UNSEEN = {
    DropReason.HIDDEN_TEXT: FlagName.HIDDEN_TEXT,
    DropReason.WHITE_TEXT: FlagName.WHITE_TEXT,
    DropReason.TINY_TEXT: FlagName.TINY_TEXT,
    DropReason.COVERED_TEXT: FlagName.COVERED_TEXT,
    DropReason.OUTSIDE_PAGE: FlagName.OUTSIDE_PAGE,
}

_CAUSES = {
    FlagName.HIDDEN_TEXT: N_("hidden"),
    FlagName.WHITE_TEXT: N_("in the colour of the page"),
    FlagName.TINY_TEXT: N_("too small to be seen"),
    FlagName.COVERED_TEXT: N_("covered"),
    FlagName.OUTSIDE_PAGE: N_("beyond the edge of the page"),
}
_PARTS_BESIDE = {
    DropReason.PAGE_HEADER: N_("page headers"),
    DropReason.PAGE_FOOTER: N_("page footers"),
    DropReason.DELETED_REVISION: N_("deleted text"),
    DropReason.COMMENT: N_("comments"),
}
# A file of nothing but the number of its page, or the name of its class, is empty.
_WORTH_TELLING = 20


def nothing_to_compare(path: Path, flags: Iterable[Flag], dropped: Iterable[Dropped]) -> EmptyFileError:
    """Return the error for a file without text; it tells of text that is there, unseen or beside."""
    unseen = [flag for flag in flags if flag.name in _CAUSES and flag.doubtful]
    if not unseen:
        return _nothing_between(path, dropped)
    most = max(unseen, key=lambda flag: flag.count)
    characters = sum(flag.count for flag in unseen)
    return UnseenTextError(
        path, cause=_CAUSES[most.name], characters=f"{characters:,}", excerpt=visible(most.excerpt)
    )


def _nothing_between(path: Path, dropped: Iterable[Dropped]) -> EmptyFileError:
    beside = [one for one in dropped if one.reason in _PARTS_BESIDE and one.characters >= _WORTH_TELLING]
    if not beside:
        return EmptyFileError(path)
    most = max(beside, key=lambda one: one.characters)
    return TextBesideError(
        path,
        cause=_PARTS_BESIDE[most.reason],
        characters=f"{most.characters:,}",
        excerpt=visible(most.excerpt),
    )


def merged(dropped: Iterable[Dropped]) -> list[Dropped]:
    """Return one entry for each reason, with the first excerpt and all characters."""
    by_reason: dict[DropReason, Dropped] = {}
    for one in dropped:
        before = by_reason.get(one.reason)
        by_reason[one.reason] = (
            one if before is None else replace(before, characters=before.characters + one.characters)
        )
    return list(by_reason.values())


class LeftOut:
    """Counts by reason the characters that are left out, and keeps where they were and how they begin."""

    def __init__(self) -> None:
        self.characters: Counter[DropReason] = Counter()
        self._excerpts: dict[DropReason, str] = {}
        self._places: dict[DropReason, dict[Place, None]] = {}
        self._with_words: set[DropReason] = set()

    def add(self, reason: DropReason, text: str, place: Place | None = None) -> None:
        """Take in a text that is left out; one without a character leaves no trace."""
        characters = visible_length(text)
        if not characters:
            return
        self.characters[reason] += characters
        if any(map(str.isalnum, text)):
            self._with_words.add(reason)
        # The excerpt goes on with what follows, as many formats give a sentence in pieces.
        excerpt = self._excerpts.get(reason, "")
        if len(excerpt) < _EXCERPT_CHARACTERS:
            self._excerpts[reason] = clean(f"{excerpt} {text}")[:_EXCERPT_CHARACTERS]
        if place is not None:
            self._places.setdefault(reason, {})[place] = None

    def dropped(self) -> list[Dropped]:
        """Return what was left out, by reason."""
        return [
            Dropped(reason, characters, self._excerpts[reason])
            for reason, characters in self.characters.items()
        ]

    def flags(self) -> list[Flag]:
        """Return a flag for each reason that means a reader cannot see the text; counted in characters.

        Nothing but signs, a white line that holds a place for instance, is no reason for doubt.
        """
        return [self._flag(reason, name) for reason, name in _UNSEEN.items() if reason in self.characters]

    def _flag(self, reason: DropReason, name: FlagName) -> Flag:
        places, excerpt = self._first_places(reason), self._excerpts[reason]
        return Flag(name, self.characters[reason], places, excerpt, doubtful=reason in self._with_words)

    def _first_places(self, reason: DropReason) -> tuple[Place, ...]:
        return tuple(self._places.get(reason, {}))[:_MOST_PLACES]


def gap_of(reason: DropReason | None, text: str) -> str:
    """Return what is seen of a text that is left out: white words leave line ends and the blanks around."""
    if reason is not DropReason.WHITE_TEXT:
        return ""
    if "\n" in text:
        return "\n"
    return " " if text[:1].isspace() or text[-1:].isspace() else ""
