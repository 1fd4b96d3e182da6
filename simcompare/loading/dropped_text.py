"""Text that a reader drops, collected during reading for the receipt."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from simcompare.loading.extraction import GAP, clean, visible_length
from simcompare.model.document import Dropped, DropReason, Flag, FlagName, Place
from simcompare.model.errors import EmptyFileError, HiddenTextError, OnlyMarginTextError
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_

_EXCERPT_CHARACTERS = 80
_MAX_PLACES = 20
# Hidden text, which a reader of the file cannot see: the receipt counts it and also gives its places.
_HIDDEN_REASONS = {
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
_VISIBLE_PARTS = {
    DropReason.PAGE_HEADER: N_("page headers"),
    DropReason.PAGE_FOOTER: N_("page footers"),
    DropReason.DELETED_REVISION: N_("deleted text"),
    DropReason.COMMENT: N_("comments"),
}
_FULL_STOPS = frozenset("。．.｡！？!?；;")
_LONGEST_FULL_STOP = 2
# Fewer may be the end of a heading or of a word that is white for its looks.
_DOUBTFUL_FULL_STOPS = 3
# A file with only a page number or a class name is empty.
_MIN_REPORTED_CHARACTERS = 20


def nothing_to_compare(path: Path, flags: Iterable[Flag], dropped: Iterable[Dropped]) -> EmptyFileError:
    """Return the error for a file without text; it names hidden text, or text in headers and comments."""
    hidden = [flag for flag in flags if flag.name in _CAUSES and flag.doubtful]
    if not hidden:
        return _empty_file_error(path, dropped)
    most = max(hidden, key=lambda flag: flag.count)
    characters = sum(flag.count for flag in hidden)
    return HiddenTextError(
        path, cause=_CAUSES[most.name], characters=f"{characters:,}", excerpt=escape_invisible(most.excerpt)
    )


def _empty_file_error(path: Path, dropped: Iterable[Dropped]) -> EmptyFileError:
    beside = [
        drop
        for drop in dropped
        if drop.reason in _VISIBLE_PARTS and drop.characters >= _MIN_REPORTED_CHARACTERS
    ]
    if not beside:
        return EmptyFileError(path)
    most = max(beside, key=lambda drop: drop.characters)
    return OnlyMarginTextError(
        path,
        cause=_VISIBLE_PARTS[most.reason],
        characters=f"{most.characters:,}",
        excerpt=escape_invisible(most.excerpt),
    )


def merged(dropped: Iterable[Dropped]) -> list[Dropped]:
    """Return one entry per reason, with the first excerpt and the sum of the characters."""
    by_reason: dict[DropReason, Dropped] = {}
    for drop in dropped:
        before = by_reason.get(drop.reason)
        by_reason[drop.reason] = (
            drop if before is None else replace(before, characters=before.characters + drop.characters)
        )
    return list(by_reason.values())


class DroppedText:
    """Count dropped characters by reason, and keep their places and the beginning of their text."""

    def __init__(self) -> None:
        self.characters: Counter[DropReason] = Counter()
        self._excerpts: dict[DropReason, str] = {}
        self._places: dict[DropReason, dict[Place, None]] = {}
        self._with_words: set[DropReason] = set()
        self._full_stops: Counter[DropReason] = Counter()

    def add(self, reason: DropReason, text: str, place: Place | None = None) -> None:
        """Add a dropped text; one without visible characters is ignored."""
        characters = visible_length(text)
        if not characters:
            return
        self.characters[reason] += characters
        if any(map(str.isalnum, text)):
            self._with_words.add(reason)
        elif len(text) <= _LONGEST_FULL_STOP and not _FULL_STOPS.isdisjoint(text):
            self._full_stops[reason] += 1
        # Later texts extend the excerpt, because many formats split a sentence into runs.
        excerpt = self._excerpts.get(reason, "")
        if len(excerpt) < _EXCERPT_CHARACTERS:
            self._excerpts[reason] = clean(f"{excerpt} {text}")[:_EXCERPT_CHARACTERS]
        if place is not None:
            self._places.setdefault(reason, {})[place] = None

    def dropped(self) -> list[Dropped]:
        """Return the receipt entries, one per reason."""
        return [
            Dropped(reason, characters, self._excerpts[reason])
            for reason, characters in self.characters.items()
        ]

    def flags(self) -> list[Flag]:
        """Return a flag for each reason that means hidden text; counted in characters.

        Punctuation alone, for instance in a white placeholder line, is not doubtful, but single full stops
        are, which cut sentences.
        """
        flags = []
        for reason, name in _HIDDEN_REASONS.items():
            if reason in self.characters:
                places = tuple(self._places.get(reason, {}))[:_MAX_PLACES]
                doubtful = reason in self._with_words or self._full_stops[reason] >= _DOUBTFUL_FULL_STOPS
                flags.append(Flag(name, self.characters[reason], places, self._excerpts[reason], doubtful))
        return flags


def gap_of(reason: DropReason | None, text: str) -> str:
    """Return the text in place of a dropped one: white words still separate their neighbours."""
    if reason is DropReason.TINY_TEXT:
        return GAP
    if reason is not DropReason.WHITE_TEXT:
        return ""
    if "\n" in text:
        return "\n"
    return " " if text[:1].isspace() or text[-1:].isspace() else GAP
