"""Extraction receipts in words: what was kept, what was left out, what to check, and file metadata."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise

from simcompare.cohort.pair_facts import NO_FACTS, PairFacts
from simcompare.cohort.shared_facts import MistakeKind, SharedFormula, SharedMistake, SharedTable
from simcompare.cohort.shared_pictures import Likeness, SharedPicture, SharedPictures
from simcompare.comparison.citations.citation import check_references
from simcompare.loading.sniffing import FORMAT_NAMES
from simcompare.model.document import (
    Anchor,
    Document,
    Dropped,
    DropReason,
    ExtractionReceipt,
    FilePicture,
    Flag,
    FlagName,
    Origin,
    Place,
    ReferenceCheck,
)
from simcompare.report.wording import NO_NUMBER, detailed, enumerated, first_of, listed, named, quoted
from simcompare.support.display_text import escape_invisible, moment_in_words
from simcompare.support.i18n import N_, _, joined_sentences, ngettext

_FORMATS = {
    "docx": N_("Word (.docx)"),
    "pdf": N_("PDF"),
    "html": N_("HTML"),
    "text": N_("plain text"),
    "wps": N_("WPS Writer (.wps)"),
}
_REASONS = {
    DropReason.PAGE_HEADER: N_("page headers"),
    DropReason.PAGE_FOOTER: N_("page footers"),
    DropReason.PAGE_NUMBER: N_("page numbers"),
    DropReason.LINE_NUMBER: N_("line numbers"),
    DropReason.WATERMARK: N_("watermarks"),
    DropReason.TABLE_OF_CONTENTS: N_("table of contents"),
    DropReason.NAVIGATION: N_("navigation"),
    DropReason.FRONT_MATTER: N_("metadata at the beginning of the file (front matter)"),
    DropReason.DELETED_REVISION: N_("deleted text"),
    DropReason.COMMENT: N_("comments"),
    DropReason.FORM_FIELD: N_("form fields that are not shown"),
    DropReason.SYMBOL_FONT: N_("characters of a symbol font"),
    DropReason.PHONETIC_GUIDE: N_("phonetic annotations, such as pinyin"),
    DropReason.HIDDEN_TEXT: N_("hidden text"),
    DropReason.WHITE_TEXT: N_("text in the colour of the page"),
    DropReason.TINY_TEXT: N_("text too small to be seen"),
    DropReason.COVERED_TEXT: N_("covered text"),
    DropReason.OUTSIDE_PAGE: N_("text outside the page"),
}
_FLAGS = {
    FlagName.GARBLED_PAGE: N_("garbled pages"),
    FlagName.PAGE_WITHOUT_TEXT: N_("pages without text"),
    FlagName.UNDECODABLE_CHARACTERS: N_("characters that could not be decoded"),
    FlagName.GUESSED_ENCODING: N_("encoding guessed, others are equally likely"),
    FlagName.HIDDEN_TEXT: N_("hidden text"),
    FlagName.WHITE_TEXT: N_("text in the colour of the page"),
    FlagName.TINY_TEXT: N_("text too small to be seen"),
    FlagName.COVERED_TEXT: N_("covered text"),
    FlagName.OUTSIDE_PAGE: N_("text outside the page"),
    FlagName.ZERO_WIDTH_CHARACTERS: N_("zero-width characters"),
    FlagName.LOOK_ALIKE_LETTERS: N_("look-alike letters or characters"),
    FlagName.PRIVATE_USE_CHARACTERS: N_("characters defined only by their font"),
    FlagName.PICTURES: N_("pictures"),
    FlagName.ALMOST_EMPTY: N_("hardly any text"),
    FlagName.MOSTLY_LEFT_OUT: N_("most of the text was left out"),
    FlagName.RECOGNISED_TEXT: N_("text recognised in pictures"),
    FlagName.RESCUED: N_("damaged, recovered as far as possible by LibreOffice"),
    FlagName.UNREAD_PART: N_("parts that could not be read"),
    FlagName.UNREAD_PAGE: N_("pages not read, as reading took too long"),
    FlagName.UNREAD_PICTURE: N_("pictures that were not compared: broken, too large or too many"),
    FlagName.NAMES_REPLACED: N_("names were replaced after comparing"),
}
_LIKENESS = {
    Likeness.SAME: N_("the same picture"),
    Likeness.SIMILAR: N_("nearly the same picture"),
    Likeness.MIRRORED: N_("nearly the same picture, mirrored"),
    Likeness.PART: N_("a part of the same picture, or turned a little"),
}
MOST_SHOWN_PICTURES = 20
"""Of those that a pair has in common, for a report."""
_MOST_PLACES = 6
_MOST_SLOW_FILES = 10
_COUNTED_PAGES = frozenset(
    {FlagName.GARBLED_PAGE, FlagName.PAGE_WITHOUT_TEXT, FlagName.RECOGNISED_TEXT, FlagName.UNREAD_PAGE}
)
_COUNTED_PLACES = frozenset({FlagName.LOOK_ALIKE_LETTERS, FlagName.UNREAD_PART, FlagName.NAMES_REPLACED})
_NAMED_WHAT_IS_COUNTED = frozenset(
    {
        *(FlagName.PICTURES, FlagName.UNREAD_PICTURE, FlagName.ZERO_WIDTH_CHARACTERS),
        *(FlagName.PRIVATE_USE_CHARACTERS, FlagName.UNDECODABLE_CHARACTERS),
    }
)
_UNCOUNTED = frozenset({FlagName.GUESSED_ENCODING, FlagName.ALMOST_EMPTY, FlagName.RESCUED})
_DEFAULT_AUTHORS = frozenset(
    {
        "", "acer", "admin", "administrator", "apache poi", "asus", "author", "dell", "default", "guest",
        "home", "hp", "lenovo", "microsoft", "microsoft office user", "microsoft office 用户", "owner", "pc",
        "python-docx", "student", "teacher", "thinkpad", "unknown", "user", "windows user", "windows 用户",
        "word", "wps",
        "作者", "匿名", "学生", "微软中国", "微软用户", "教师", "未知", "用户", "管理员", "老师",
    }
)  # fmt: skip
"""Default author names of programs and computers, which do not identify a person (case-folded)."""


def receipt_in_words(receipt: ExtractionReceipt) -> str:
    """Describe what was read: format, pages, paragraphs, characters, encoding."""
    parts = [format_in_words(receipt.format)]
    if receipt.pages is not None:
        parts.append(_pages(receipt.pages))
    count = receipt.paragraphs
    parts.append(ngettext("{count} paragraph", "{count} paragraphs", count))
    # other counts are of compared characters, which exclude punctuation
    kept = receipt.characters_kept
    parts.append(ngettext("{count} character with punctuation", "{count} characters with punctuation", kept))
    if receipt.encoding is not None:
        parts.append(_("encoding {encoding}").format(encoding=receipt.encoding))
    return enumerated(parts)


def format_in_words(kind: str) -> str:
    """Return the common name of a file format, by its identifier."""
    return _(_FORMATS.get(kind) or FORMAT_NAMES.get(kind, kind))


def origin_lines(origin: Origin) -> Iterator[tuple[str, str]]:
    """Yield what the file says of its making, each fact with its label."""
    yield from ((label, value) for label, value in _origin_facts(origin).items() if value)


def facts_of_pair(left: Origin, right: Origin) -> list[tuple[str, str, str]]:
    """Return what the files say of their making, side by side: label, left and right, a dash if unknown."""
    facts = zip(_origin_facts(left).items(), _origin_facts(right).values(), strict=True)
    return [(label, own or NO_NUMBER, other or NO_NUMBER) for (label, own), other in facts if own or other]


def reference_facts(left: Document | None, right: Document | None) -> list[tuple[str, str, str]]:
    """Return which references of each text are not cited, and what it cites without listing it, if any."""
    sides = (left, right)
    checks = [ReferenceCheck() if side is None else check_references(side) for side in sides]
    rows = [
        (_("Listed, not cited"), *(_shown(check.uncited) for check in checks)),
        (_("Cited, not listed"), *(_shown(check.unlisted) for check in checks)),
    ]
    return [(label, own or NO_NUMBER, other or NO_NUMBER) for label, own, other in rows if own or other]


def _shown(references: Sequence[str]) -> str:
    beginnings = (
        each if len(each) <= _MOST_SHOWN else f"{each[:_MOST_SHOWN].rstrip()}…" for each in references
    )
    return escape_invisible(listed(first_of(list(beginnings), _MOST_REFERENCES)))


def files_hint() -> str:
    """Return the caption of the facts about two files."""
    return _("Properties that are stored in the files. Anyone can change them.")


def _origin_facts(origin: Origin) -> dict[str, str]:
    """Return every fact by its label, "" if it is not known."""
    minutes, revision = origin.edit_minutes, origin.revision
    return {
        _("Author"): escape_invisible(origin.author),
        _("Last saved by"): escape_invisible(origin.last_saved_by),
        _("Created"): time_in_words(origin.created),
        _("Last saved"): time_in_words(origin.last_saved),
        _("Editing time"): "" if minutes is None else ngettext("{count} minute", "{count} minutes", minutes),
        _("Revision"): "" if revision is None else f"{revision:,}",
        _("Program"): escape_invisible(origin.program),
        _("Template"): escape_invisible(origin.template),
        _("Pictures"): escape_invisible(enumerated(origin.pictures)),
    }


def time_in_words(moment: str) -> str:
    """Format an ISO 8601 time in the local time zone; "" if it cannot be parsed.

    A time without an offset is taken as the local time of its author.
    """
    try:
        value = datetime.fromisoformat(moment)
        return moment_in_words(value.astimezone() if value.tzinfo else value)
    except (ValueError, OverflowError, OSError):
        return ""


def technical_in_words(receipt: ExtractionReceipt) -> str:
    """Name the reader that was used, for administrators."""
    return _("read by {reader}").format(reader=receipt.reader)


def seconds_in_words(seconds: float) -> str:
    """Return a time as "21 s"."""
    return _("{count} s").format(count=f"{seconds:,.0f}")


def slow_files_in_words(seconds_by_name: Mapping[str, float], limit_seconds: float) -> str:
    """Name the files that took longer than a limit with their times, the slowest first."""
    slowest = sorted(seconds_by_name.items(), key=lambda each: each[1], reverse=True)
    files = [f"{name} {seconds_in_words(seconds)}" for name, seconds in slowest]
    words = ngettext(
        "{count} file took longer than {limit} seconds: {files}",
        "{count} files took longer than {limit} seconds: {files}",
        len(files),
        limit=f"{limit_seconds:g}",
        files=enumerated(first_of(files, _MOST_SLOW_FILES)),
    )
    return escape_invisible(words)


def _characters(count: int) -> str:
    return ngettext("{count} character", "{count} characters", count)


def _pages(count: int) -> str:
    return ngettext("{count} page", "{count} pages", count)


def _places(count: int) -> str:
    return ngettext("{count} place", "{count} places", count)


def _amount(flag: Flag) -> str:
    if flag.name in _COUNTED_PAGES:
        return _pages(flag.count)
    if flag.name in _NAMED_WHAT_IS_COUNTED:
        return f"{flag.count:,}"
    if flag.name in _COUNTED_PLACES:
        return _places(flag.count)
    return _characters(flag.count)


def dropped_in_words(dropped: Dropped) -> str:
    """Describe text that was left out: reason, length and beginning."""
    words = detailed(_(_REASONS[dropped.reason]), _characters(dropped.characters))
    return named(words, quoted(dropped.excerpt)) if dropped.excerpt else words


def flag_in_words(flag: Flag) -> str:
    """Describe a flag: its name, how often, where first, and an excerpt."""
    name = _(_FLAGS[flag.name])
    words = name if flag.name in _UNCOUNTED else detailed(name, _amount(flag))
    details = places_in_words(flag.places)
    if flag.excerpt:
        details = detailed(details, quoted(flag.excerpt)) if details else quoted(flag.excerpt)
    return named(words, details) if details else words


def doubts_in_words(receipt: ExtractionReceipt) -> str:
    """Describe why the extracted text may differ from what a reader of the file sees; "" without doubts."""
    return listed(flag_in_words(_with_bars(flag)) for flag in receipt.flags if flag.doubtful)


def _with_bars(flag: Flag) -> Flag:
    """Put a bar for the code points of invisible characters, as reports do in the texts."""
    if flag.name is FlagName.PRIVATE_USE_CHARACTERS:  # it is about their code points
        return flag
    return replace(flag, excerpt=re.sub(r"(?:\[U\+[0-9A-F]{4,6}\])+", "|", flag.excerpt))


def doubts_summary(receipt: ExtractionReceipt) -> str:
    """List the doubts about a text without places and excerpts; empty without doubts."""
    return enumerated(
        flag_in_words(replace(flag, places=(), excerpt="")) for flag in receipt.flags if flag.doubtful
    )


def notes_in_words(receipt: ExtractionReceipt) -> str:
    """Describe the flags that are no reason for doubt."""
    return listed(flag_in_words(flag) for flag in receipt.flags if not flag.doubtful)


def receipt_lines(receipt: ExtractionReceipt) -> Iterator[tuple[str, str]]:
    """Yield the whole receipt, each line with its label."""
    yield _("Read"), receipt_in_words(receipt)
    for dropped in receipt.dropped:
        yield _("Left out"), dropped_in_words(dropped)
    for flag in receipt.flags:
        yield _("To be checked") if flag.doubtful else _("Worth knowing"), flag_in_words(flag)
    yield from origin_lines(receipt.origin)
    yield _("Technical"), technical_in_words(receipt)


def places_in_words(places: Sequence[Place]) -> str:
    """List the first places; consecutive pages or paragraphs are joined: "pages 2–5; page 9"."""
    if all(place.paragraph is None for place in places):
        pages = sorted({place.page or 0 for place in places})
        words = list(_ranges(pages, N_("page {number}"), N_("pages {first}–{last}")))
    elif all(place.page is None for place in places):
        paragraphs = sorted({place.paragraph or 0 for place in places})
        words = list(_ranges(paragraphs, N_("near paragraph {number}"), N_("near paragraphs {first}–{last}")))
    else:
        words = list(map(place_in_words, places))
    rest = len(words) - _MOST_PLACES
    if rest > 0:
        more = ngettext("{count} more place", "{count} more places", rest)
        words = [*words[:_MOST_PLACES], more]
    return listed(words)


def _ranges(numbers: Sequence[int], one: str, several: str) -> Iterator[str]:
    if not numbers:
        return
    breaks = [place for place, (a, b) in enumerate(pairwise(numbers), start=1) if b != a + 1]
    for start, stop in pairwise([0, *breaks, len(numbers)]):
        first, last = (f"{numbers[place]:,}" for place in (start, stop - 1))
        yield _(one if first == last else several).format(number=first, first=first, last=last)


def place_in_words(place: Place) -> str:
    """Return "page 3", "near paragraph 12" or "page 3, near paragraph 2".

    Paragraphs are counted in the text that was kept; text that was left out is located by the nearest one.
    """
    parts = []
    if place.page is not None:
        parts.append(_("page {number}").format(number=f"{place.page:,}"))
    if place.paragraph is not None:
        parts.append(_("near paragraph {number}").format(number=f"{place.paragraph:,}"))
    return enumerated(parts)


def common_author(left: Origin, right: Origin) -> str:
    """Return the author or last editor that both files name, or "" if there is none."""
    others = {_normalised_name(name) for name in (right.author, right.last_saved_by)} - _DEFAULT_AUTHORS
    return next((name for name in (left.author, left.last_saved_by) if _normalised_name(name) in others), "")


def common_facts(left: Origin, right: Origin, facts: PairFacts = NO_FACTS) -> Iterator[tuple[str, str]]:
    """Yield what the files have in common, or that they have no editing ids in common, with labels."""
    if facts.pictures:
        yield _("Common pictures"), pictures_in_words(facts.pictures)
    if facts.tables:
        shown = first_of(list(map(table_in_words, facts.tables)), _MOST_MISTAKES)
        words = _("{found}. Few other essays in the class have these numbers. There may be a common source.")
        yield _("Same table"), words.format(found=listed(shown))
    if facts.formulas:
        shown = first_of(list(map(formula_in_words, facts.formulas)), _MOST_MISTAKES)
        words = _("{found}. Few other essays in the class have this. A common source also explains it.")
        yield _("Same formula"), words.format(found=listed(shown))
    for kind, label in _MISTAKES.items():
        if found := [each for each in facts.mistakes if each.kind is kind]:
            shown = first_of(list(map(mistake_in_words, found)), _MOST_MISTAKES)
            words = _("{found}. Few other essays in the class have this.")
            yield _(label), words.format(found=listed(shown))
    if author := common_author(left, right):
        yield _("Same author"), escape_invisible(author)
    if facts.kinship is not None:
        yield _("Editing ids"), kinship_in_words(facts.kinship.shared_ids)
    elif left.editing_ids and right.editing_ids:
        yield (
            _("Editing ids"),
            _(
                "No more in common than chance or a template of the class explains. This proves nothing: "
                "some programs remove the ids."
            ),
        )
    elif left.editing_ids or right.editing_ids:
        yield _("Editing ids"), _("Only one of the files has any, so they cannot be compared.")


_MISTAKES = {
    MistakeKind.SPELLING: N_("Same misspelling"),
    MistakeKind.REFERENCE: N_("Same unusual reference"),
}
_MOST_MISTAKES, _MOST_REFERENCES, _MOST_SHOWN = 5, 3, 50


def table_in_words(table: SharedTable) -> str:
    """Return how many numbers of a table are in both texts, and where."""
    left, right = (_places_in_words([anchor]) for anchor in (table.left, table.right))
    words = _("{common} of {count} numbers are the same (left: {left}; right: {right})")
    if table.common == table.count:
        words = _("all {count} numbers are the same (left: {left}; right: {right})")
    return words.format(common=f"{table.common:,}", count=f"{table.count:,}", left=left, right=right)


def formula_in_words(formula: SharedFormula) -> str:
    """Return a formula as one of the texts writes it, and where."""
    left, right = map(_places_in_words, (formula.left, formula.right))
    written = quoted(escape_invisible(formula.written))
    return _("{written} (left: {left}; right: {right})").format(written=written, left=left, right=right)


def _places_in_words(anchors: Iterable[Anchor]) -> str:
    return places_in_words(list(dict.fromkeys(Place(each.page, each.paragraph) for each in anchors)))


def mistake_in_words(mistake: SharedMistake) -> str:
    """Return what both write, what others write, and where."""
    left, right = map(_places_in_words, (mistake.left, mistake.right))
    return _("{written} (usually {expected}; left: {left}; right: {right})").format(
        written=quoted(mistake.written), expected=quoted(mistake.expected), left=left, right=right
    )


def kinship_in_words(shared_ids: int) -> str:
    """Say what common editing ids mean, and what else explains them."""
    words = _(
        "The files share {count} editing ids: parts of both were once written in the same file. A common "
        "template or an exchange of parts also explains this."
    )
    return words.format(count=f"{shared_ids:,}")


def pictures_in_words(pictures: SharedPictures) -> str:
    """Say how many pictures two texts have in common, and what else than copying explains them."""
    sentences = [
        ngettext(
            "{count} picture is in both texts. It may come from a common source, and does not count towards "
            "the shares.",
            "{count} pictures are in both texts. They may come from a common source, and do not count "
            "towards the shares.",
            len(pictures),
        )
    ]
    if not any(each.left.thumbnail for each in pictures):
        sentences.append(_("Pictures are not shown here, as they may show names."))
    return joined_sentences(sentences)


def picture_in_words(shared: SharedPicture) -> str:
    """Say how two pictures are alike, and which they are in their texts."""
    left, right = map(_numbered_picture, (shared.left, shared.right))
    return named(_(_LIKENESS[shared.kind]), _("left {left}, right {right}").format(left=left, right=right))


def _numbered_picture(picture: FilePicture) -> str:
    words = _("picture {number}").format(number=f"{picture.number:,}")
    return words if picture.page is None else detailed(words, place_in_words(Place(picture.page)))


def _normalised_name(name: str) -> str:
    return " ".join(name.split()).casefold()
