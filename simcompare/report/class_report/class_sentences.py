"""Sentences and counts of the report of a class."""

from collections import Counter
from collections.abc import Sequence

from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.cohort_scoring import CohortPair, known_shares, larger_share
from simcompare.report.cohort.cohort_rows import rewritten_pairs_in_words, rewritten_units
from simcompare.report.wording import (
    before_decisions_in_words,
    decision_name,
    enumerated,
    headline,
    pair_decision_in_words,
)
from simcompare.session.decisions import REASONS, Decision
from simcompare.session.school_class import DocumentRole
from simcompare.support.display_text import percent
from simcompare.support.i18n import _, ngettext


def result_in_words(check: ClassCheck) -> str:
    """Return in sentences what was compared, and how many pairs are unusual or possibly rewritten."""
    current, old = (check.roles.count(role) for role in (DocumentRole.CURRENT, DocumentRole.OLD))
    if old:
        earlier = ngettext("{count} earlier document", "{count} earlier documents", old)
        words = _("{essays} were compared with each other and with {earlier}.")
    else:
        earlier = ""
        words = _("{essays} were compared with each other.")
    essays = ngettext("{count} essay", "{count} essays", current)
    compared = words.format(essays=essays, earlier=earlier)
    result = _("{first} {second}").format(first=compared, second=_unusual_in_words(check))
    if not (rewritten := sum(bool(rewritten_units(check.cohort, pair)) for pair in check.cohort.pairs)):
        return result
    return _("{first} {second}").format(first=result, second=rewritten_pairs_in_words(rewritten))


def _unusual_in_words(check: ClassCheck) -> str:
    limit, total = percent(check.limit), f"{len(check.cohort.pairs):,}"
    count = unusual_count(check)
    if not count:
        return _(
            "No pair is unusual: in none of the {total} pairs is {limit} or more of one text "
            "also in the other."
        ).format(total=total, limit=limit)
    return ngettext(
        "{count} of {total} pairs is unusual: {limit} or more of one text is also in the other.",
        "{count} of {total} pairs are unusual: {limit} or more of one text is also in the other.",
        count,
        total=total,
        limit=limit,
    )


def unusual_count(check: ClassCheck) -> int:
    """Return the number of pairs that reach the limit, those with earlier work included."""
    return sum(map(check.is_unusual, check.cohort.pairs))


def decisions_in_words(check: ClassCheck, pairs: Sequence[CohortPair]) -> str:
    """Return how many of the listed pairs are decided, or decided in part; "" if none is unusual."""
    decided = Counter(dict.fromkeys(map(decision_name, (Decision.COPIED, Decision.FINE, *REASONS)), 0))
    words = (pair_decision_in_words(pair.review, pair.parts, is_short=True) for pair in pairs)
    decided.update(each or _("undecided") for each in words)
    if decided[_("undecided")] == len(pairs):
        return _("No pair is decided yet.") if unusual_count(check) else ""
    shown = [(name, f"{count:,}") for name, count in decided.items() if count]
    counts = enumerated(_("{decision} {count}").format(decision=name, count=count) for name, count in shown)
    return _("Decisions on the pairs: {counts}.").format(counts=counts)


def counts_of(check: ClassCheck, compared: int) -> list[tuple[str, str, str]]:
    """Return the main figures: name, number, remark; compared: students with a share."""
    handed_in = check.school.students
    listed = len(check.school.missing) + sum(student.is_listed for student in handed_in)
    remarks = [_("{count} in the class list").format(count=f"{listed:,}")] * bool(listed)
    if apart := len(handed_in) - compared:
        remarks.append(ngettext("{count} student not compared", "{count} students not compared", apart))
    pairs = check.cohort.pairs
    highest = max((share for pair in pairs for share in known_shares(pair)), default=None)
    before = max((share for pair in pairs if (share := larger_share(pair)) is not None), default=None)
    remark = "" if highest == before else before_decisions_in_words(before)
    left_out = check.pairs_with_drafts
    return [
        (
            _("Students"),
            f"{len(handed_in):,}",
            enumerated(remarks),
        ),
        (
            _("Pairs compared"),
            f"{len(check.cohort.pairs):,}",
            ngettext("without {count} with a draft", "without {count} with drafts", left_out)
            if left_out
            else "",
        ),
        (
            _("Unusual pairs"),
            f"{unusual_count(check):,}",
            _("{limit} or more").format(limit=percent(check.limit)),
        ),
        (_("Highest share"), headline(highest), remark),
        (
            _("Common sentences"),
            f"{len(check.school.common):,}",
            _("do not count") if check.school.common and check.cohort.settings.exclude_common else "",
        ),
    ]


def left_out_in_words(total: int, most: int) -> str:
    """Return the number of rows left out of a table of at most `most` rows; "" if none."""
    if total <= most:
        return ""
    words = _("{count} more are not listed here; the workbook (xlsx) has all.")
    return words.format(count=f"{total - most:,}")
