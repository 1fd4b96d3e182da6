"""Wording of the rarity of pairs, the limit from which they are unusual, and common text."""

import math
from collections.abc import Iterable, Sequence

from simcompare.cohort.pair_scores import ClassShares, PairRarity
from simcompare.cohort.shared_mistakes import SharedMistake
from simcompare.model.settings import ComparisonSettings
from simcompare.report.wording import enumerated, first_of, listed, quoted
from simcompare.session.school_class import CommonSentence
from simcompare.support.display_text import escape_invisible, percent
from simcompare.support.i18n import _, ngettext

NO_MULTIPLE = "–"
_LEAST_MULTIPLE = 1.5
_WHOLE_MULTIPLE = 10
_HARDLY_ANY_PAIRS = 0.1
_MOST_MISTAKES = 5


def rarity_in_words(rarity: PairRarity) -> str:
    """Return "14 times the class's usual share; no unrelated pair of such a class is expected ..."."""
    is_usual = rarity.times_usual < _LEAST_MULTIPLE and not rarity.is_unusual
    return listed(filter(None, [multiple_in_words(rarity), "" if is_usual else _by_chance(rarity)]))


def multiple_in_words(rarity: PairRarity) -> str:
    """Return "14 times the class's usual share"; "" in a class most pairs of which are unusual."""
    times = rarity.times_usual
    if times < _LEAST_MULTIPLE:
        return "" if rarity.is_unusual else _("usual for this class")
    return _("{times} times the class's usual share").format(times=_multiple(times))


def rare_text_in_words(share: float) -> str:
    """Say why a pair has its place among the pairs of the class."""
    if not share:
        return _("no rare text in common")
    words = _("common passages have {share} of the rarer words of the shorter text")
    return words.format(share=percent(share))


def short_multiple(rarity: PairRarity) -> str:
    """Return "14×", a dash for a usual share."""
    times = rarity.times_usual
    return _("{number}×").format(number=_multiple(times)) if times >= _LEAST_MULTIPLE else NO_MULTIPLE


def _multiple(times: float) -> str:
    return f"{times:.0f}" if times >= _WHOLE_MULTIPLE else f"{times:.1f}"


def _by_chance(rarity: PairRarity) -> str:
    pairs = rarity.chance_pairs
    if pairs < _HARDLY_ANY_PAIRS:
        return _("no unrelated pair of such a class is expected to come near")
    if pairs < 1:
        words = _("in about {count} of 100 such classes an unrelated pair comes as far")
        return words.format(count=_classes_of_100(pairs))
    words = _("in such a class, unrelated pairs come as far about {count} times")
    return words.format(count=f"{pairs:,.0f}")


def limit_in_words(class_shares: ClassShares) -> str:
    """Return how many pairs of a class are unusual, and from which share."""
    limit = percent(class_shares.limit)
    count = class_shares.unusual_count
    if not count:
        return _("Nothing unusual: no pair reaches {limit}.").format(limit=limit)
    return ngettext(
        "{count} pair is unusual: it shares {limit} or more.",
        "{count} pairs are unusual: they share {limit} or more.",
        count,
        limit=limit,
    )


def false_alarms_in_words(class_shares: ClassShares, limit: float | None = None) -> str:
    """Return the rate of classes without copies with a pair above a limit, by default the proposed one."""
    chosen = class_shares.limit if limit is None else limit
    words = _("In about {count} of 100 classes like this without copies, a pair is above the limit.")
    return words.format(count=_classes_of_100(class_shares.rarity(chosen).chance_pairs))


def kin_in_words(count: int) -> str:
    """Return the number of pairs of files that share editing ids, and what that means."""
    return ngettext(
        "The files of {count} pair share editing ids of Word or WPS: parts of both were once written in the "
        "same file. A common template or an exchange of parts also explains this. It does not count for the "
        "shares.",
        "The files of {count} pairs share editing ids of Word or WPS: parts of both were once written in the "
        "same file. A common template or an exchange of parts also explains this. It does not count for the "
        "shares.",
        count,
    )


def common_in_words(common: Sequence[CommonSentence], settings: ComparisonSettings) -> str:
    """Return the number of sentences common to a class, and whether they count; "" if there are none."""
    if not common:
        return ""
    if settings.exclude_common:
        return ngettext(
            "{count} sentence is common to the class and does not count:",
            "{count} sentences are common to the class and do not count:",
            len(common),
        )
    return ngettext(
        "{count} sentence is common to the class, and counts:",
        "{count} sentences are common to the class, and count:",
        len(common),
    )


def _classes_of_100(pairs: float) -> int:
    """Return the number of 100 classes with at least one pair, if a class has `pairs` on average."""
    return max(round(100 * (1 - math.exp(-pairs))), 1)


def pictures_counted(count: int) -> str:
    """Return the number of pairs of documents that have pictures in common, and what that means."""
    return ngettext(
        "{count} pair has pictures in common that most of the class does not have. They may come from a "
        "common source, and do not count for the shares.",
        "{count} pairs have pictures in common that most of the class does not have. They may come from a "
        "common source, and do not count for the shares.",
        count,
    )


def mistakes_counted(count: int) -> str:
    """Return the number of pairs of documents that have mistakes in common."""
    return ngettext(
        "{count} pair has misspellings or unusual references in common that few other essays have.",
        "{count} pairs have misspellings or unusual references in common that few other essays have.",
        count,
    )


def mistakes_in_words(mistakes: Iterable[SharedMistake]) -> str:
    """Return the first of the mistakes as they are written."""
    written = list(dict.fromkeys(quoted(each.written) for each in mistakes))
    return escape_invisible(enumerated(first_of(written, _MOST_MISTAKES)))
