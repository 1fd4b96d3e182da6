"""Contents of the report of a class in words and drawings, for the web page and the PDF."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcompare.cohort.class_check import ClassCheck, ClassHit, NamedEntry
from simcompare.cohort.class_figures import ClassFigures
from simcompare.cohort.cohort_scoring import (
    Cohort,
    CohortPair,
    Group,
    find_groups,
    known_shares,
    larger_share,
)
from simcompare.cohort.pair_scores import rare_share
from simcompare.comparison.figures import FIGURES
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.report.class_report.class_pictures import (
    Drawing,
    LabelOf,
    PictureSizes,
    group_graph,
    histogram,
    matrix_picture,
)
from simcompare.report.class_report.student_rows import (
    ClassLabels,
    ReportedStudent,
    handed_in_words,
    student_rows,
)
from simcompare.report.cohort.cohort_rows import (
    ColumnKind,
    Field,
    InCommon,
    common_in_words,
    count_in_words,
    facts_of,
    false_alarms_in_words,
    figure_column,
    figure_in_words,
    figure_meaning,
    figure_name,
    figures_in_words,
    filled,
    group_meaning,
    in_common,
    mistakes_in_words,
    reason_not_compared,
    rewritten_pairs_in_words,
    rewritten_units,
    share_meaning,
    unread_in_words,
    with_cleared_pairs,
)
from simcompare.report.cohort.report_bundle import Outcome, PairView, pair_view
from simcompare.report.cohort.workbook import add_table
from simcompare.report.entry_words import (
    also_in_words,
    entry_in_words,
    entry_name,
    hits_in_words,
    local_time,
    tags_in_words,
)
from simcompare.report.wording import (
    NO_NUMBER,
    before_if_other,
    decision_name,
    enumerated,
    headline,
    named,
    pair_decision_in_words,
    with_share_before,
)
from simcompare.session.decisions import REASONS, Decision
from simcompare.session.school_class import DocumentRole
from simcompare.support.display_text import day_in_words, escape_invisible, percent
from simcompare.support.i18n import _, joined_sentences, ngettext


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
    words = ngettext(
        "{count} of {total} pairs is unusual: {limit} or more of one text is also in the other.",
        "{count} of {total} pairs are unusual: {limit} or more of one text is also in the other.",
        count,
        total=total,
        limit=limit,
    )
    return with_cleared_pairs(words, sum(map(check.is_cleared, check.cohort.pairs)))


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
    missing, unlisted = len(check.school.missing), sum(not student.is_listed for student in handed_in)
    unread = sum(not check.is_read(student.current) for student in handed_in)
    listed = missing + len(handed_in) - unlisted
    whole, parts = (
        enumerated(words.format(count=f"{count:,}") for words, count in counts if count)
        for counts in (
            ((_("{count} in the class list"), listed), (_("{count} not in it"), listed and unlisted)),
            (
                (_("{count} compared"), compared),
                (_("the files of {count} could not be read"), unread),
                (_("{count} without a share"), len(handed_in) - compared - unread),
                (ngettext("{count} not handed in", "{count} not handed in", missing), missing),
            ),
        )
    )
    pairs = check.cohort.pairs
    highest = max((share for pair in pairs for share in known_shares(pair)), default=None)
    before = max((share for pair in pairs if (share := larger_share(pair)) is not None), default=None)
    left_out = check.pairs_with_drafts
    return [
        (
            _("Students"),
            f"{missing + len(handed_in):,}",
            named(whole, parts) if listed else parts if compared < len(handed_in) else "",
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
        (_("Highest share"), headline(highest), before_if_other(highest, before)),
        (
            _("Common sentences"),
            f"{len(check.school.common):,}",
            _("not in the shares") if check.school.common and check.cohort.settings.exclude_common else "",
        ),
    ]


def left_out_in_words(total: int, most: int) -> str:
    """Return the number of rows left out of a table of at most `most` rows; "" if none."""
    if total <= most:
        return ""
    words = _("{count} more are not listed here; the workbook (xlsx) has all.")
    return words.format(count=f"{total - most:,}")


_NAMED_COLUMNS, _SHARE_COLUMNS = 2, (2, 3)


@dataclass(frozen=True, slots=True)
class HitView:
    """An essay and an entry of the library, with shares in words, and a bar of 0 to 100 for the essay."""

    essay: str
    entry: str
    share: str
    bar: float
    entry_share: str
    longest: str


@dataclass(frozen=True, slots=True)
class LibraryView:
    """Result in a sentence, the hits, how many are left out, and the entries that were not compared."""

    result: str
    hits: Sequence[HitView]
    left_out: str
    failed: Sequence[str]


def library_view(check: ClassCheck, labels: ClassLabels, most: int) -> LibraryView | None:
    """Return the section with at most `most` unusual hits, or None if no library was searched."""
    if check.library_hits is None:
        return None
    hits = check.library_hits.above(check.limit).hits
    return LibraryView(
        escape_invisible(hits_in_words(check.library_hits, check.limit)),
        [_hit_view(check, labels, hit) for hit in hits[:most]],
        left_out_in_words(len(hits), most),
        [
            named(f"{labels.document(place)} – {_entry(entry)}", reason_not_compared(cause))
            for place, entry, cause in check.library_hits.failed
        ],
    )


def _hit_view(check: ClassCheck, labels: ClassLabels, hit: ClassHit) -> HitView:
    share, entry_share = hit.summary.after_exclusions
    words = [NO_NUMBER if each is None else percent(each) for each in (share, entry_share)]
    document = check.cohort.documents[hit.place]
    longest = figure_in_words("longest_passage_units", hit.summary.longest_passage_units, document)
    also = also_in_words(hit.summary, hit.facts, is_chinese=document.prepared.is_mostly_chinese)
    longest = " · ".join(filter(None, [longest, also]))
    essay, entry = labels.document(hit.place), _entry(hit.entry)
    return HitView(essay, entry, words[0], 100 * (share or 0.0), words[1], longest)


def _entry(entry: NamedEntry) -> str:
    return escape_invisible(entry_in_words(entry))


def add_library_hits(book: Any, check: ClassCheck, least: float) -> None:
    """Add the sheet of the hits with at least the share `least`, if a library was searched."""
    if check.library_hits is None:
        return
    hits, labels = check.library_hits.above(least), ClassLabels(check)
    fields: list[Field[ClassHit]] = [
        (_("Essay"), ColumnKind.TEXT, lambda hit: labels.document(hit.place)),
        (_("Entry of the library"), ColumnKind.TEXT, lambda hit: escape_invisible(entry_name(hit.entry))),
        (_("Share of the essay"), ColumnKind.PERCENTAGE, lambda hit: hit.summary.after_exclusions[0]),
        (_("Share of the entry"), ColumnKind.PERCENTAGE, lambda hit: hit.summary.after_exclusions[1]),
        (*figure_column("longest_passage_units"), lambda hit: hit.summary.longest_passage_units),
        (*figure_column("rewritten_units"), lambda hit: hit.summary.rewritten_units),
        (_("Number of the entry"), ColumnKind.COUNT, lambda hit: hit.entry.number),
        (_("Added"), ColumnKind.TEXT, lambda hit: day_in_words(local_time(hit.entry.added_at))),
        (_("Tags"), ColumnKind.TEXT, lambda hit: escape_invisible(tags_in_words(hit.entry.tags))),
    ]
    if not hits.by_meaning:
        del fields[5]
    add_table(book, _("Library"), *filled(fields, hits.hits), _NAMED_COLUMNS, _SHARE_COLUMNS)


_BESIDE_SHARES = [
    key for key, each in FIGURES.items() if not (each.is_share or each.is_optional or key == "group")
]


def _counts(check: ClassCheck) -> list[str]:
    return [*_BESIDE_SHARES, "rewritten_units"] if check.cohort.by_meaning else _BESIDE_SHARES


def class_help(check: ClassCheck) -> Iterator[tuple[str, str]]:
    """Yield each term of the report with its explanation."""
    yield _("Share"), share_meaning()
    if any(pair.decided for pair in check.cohort.pairs):
        yield _("Share after decisions"), figure_meaning("after_decisions_left_in_right")
    yield (
        _("Unusual"),
        joined_sentences([_limit_in_words(check), false_alarms_in_words(check.shares, check.limit)]),
    )
    yield (
        _("Times the usual share"),
        _(
            "The share as a multiple of the median share of all pairs of this class; not given if that is "
            "below 1%."
        ),
    )
    yield from ((figure_name(key), figure_meaning(key)) for key in _counts(check))
    yield figure_name("group"), group_meaning(check.limit)
    yield (
        _("Common sentences"),
        _(
            "Sentences that many essays of the class have, such as the question, a cover page or a "
            "declaration. They are left out of the shares unless the teacher counts them."
        ),
    )
    yield (
        _("Drafts"),
        _(
            "Of each student one file counts: the latest. Drafts and appendices are listed with the student "
            "and are not compared."
        ),
    )
    yield (
        _("What this does not mean"),
        _(
            "A high share shows that two texts agree, not why. Their writers may have used one source, or "
            "worked together as they were allowed to. Which of two texts came first cannot be seen here. "
            "Do not judge anyone by a figure alone: read both texts, and hear the students."
        ),
    )
    yield (
        _("What is not found"),
        _(
            "Only these texts were compared with each other. Text from the Internet, a book or a program "
            "that no other of them contains is not found, so a low share does not prove that the text is "
            "the student’s own work."
        ),
    )


def _limit_in_words(check: ClassCheck) -> str:
    limit = percent(check.limit)
    if check.school.limit is not None:
        return _("The limit of {limit} was set by hand.").format(limit=limit)
    return _(
        "The limit of {limit} follows from the shares of this class: unrelated essays hardly ever reach it."
    ).format(limit=limit)


MOST_ROWS = 500
"""Rows of a table; Typst needs much memory for longer ones."""
_MOST_UNCOMPARED = 10
"""Pairs of one cause that are named."""


@dataclass(frozen=True, slots=True)
class GroupView:
    """Linked essays: their labels, and by what they are linked."""

    number: int
    members: Sequence[str]
    detail: str


@dataclass(frozen=True, slots=True)
class InCommonView:
    """What essays have in common besides their wording."""

    title: str
    caption: str
    groups: Sequence[GroupView]


@dataclass(frozen=True, slots=True)
class ReportedStudentView:
    """A student whose essay was compared: the row in words, the share also as a bar of 0 to 100.

    remark: the share before decisions, "" unless something is of no concern. rare: highest rare text in
    common; rarest: with whom, "" if that is the nearest student.
    """

    row: ReportedStudent
    share: str
    remark: str
    bar: float
    longest: str
    rare: str
    rarest: str


@dataclass(frozen=True, slots=True)
class CommonView:
    count: str
    text: str


@dataclass(frozen=True, slots=True)
class ClassView:
    """Contents of the report. left_out: of each table that is cut, how many rows are missing.

    library: None if no library was searched; has_verdicts: a student has a decision or a note.
    """

    name: str
    result: str
    decisions: str
    counts: Sequence[tuple[str, str, str]]
    histogram: Drawing
    matrix: Drawing
    graph: Drawing | None
    pairs: Sequence[PairView]
    pairs_counted: str
    pairs_left_out: str
    library: LibraryView | None
    groups: Sequence[GroupView]
    in_common: Sequence[InCommonView]
    students: Sequence[ReportedStudentView]
    has_verdicts: bool
    students_left_out: str
    missing: Sequence[str]
    unread: Sequence[tuple[str, str]]
    common: Sequence[CommonView]
    common_title: str
    common_left_out: str
    help: Sequence[tuple[str, str]]
    facts: Sequence[tuple[str, str]]


def reported_pairs(check: ClassCheck) -> list[CohortPair]:
    """Return the pairs that the report lists, in order: unusual, possibly rewritten, decided or noted."""
    return [
        pair
        for pair in check.cohort.pairs
        if check.is_unusual(pair) or not pair.review.is_empty or rewritten_units(check.cohort, pair)
    ]


def _counted(check: ClassCheck, pairs: Sequence[CohortPair]) -> str:
    """Return why the pairs are listed: "7 unusual, 18 only possibly rewritten"."""
    unusual = sum(map(check.is_unusual, pairs))
    rewritten = sum(not check.is_unusual(pair) and rewritten_units(check.cohort, pair) > 0 for pair in pairs)
    return enumerated(
        words.format(count=f"{count:,}")
        for words, count in (
            (_("{count} unusual"), unusual),
            (_("{count} only possibly rewritten"), rewritten),
            (_("{count} with a decision or note"), len(pairs) - unusual - rewritten),
        )
        if count
    )


def class_view(
    check: ClassCheck, name: str, sizes: PictureSizes, outcomes: Sequence[Outcome] = ()
) -> ClassView:
    """Return the contents of the report in the current language.

    name: of the class, "" if it has none. outcomes: of the reports of the first `reported_pairs` in a bundle.
    """
    labels = ClassLabels(check)
    pairs = reported_pairs(check)
    shown = _shown_documents(check)
    places = set(shown)
    linked = [pair for pair in check.cohort.pairs if places.issuperset((pair.left, pair.right))]
    figures = _figures(check.cohort, linked, shown)
    groups = figures.groups(check.limit)
    rows = student_rows(check, labels)
    compared = [row for row in rows if row.share is not None]
    compared.sort(key=lambda row: (-(row.rank_score or 0.0), -(row.share or 0.0)))
    of_scripts = {each.prepared.is_mostly_chinese: each for each in check.cohort.documents}.values()

    def label_of(node: int) -> str:
        return labels.document(shown[node])

    def link_of(edge: int) -> str:
        return _link_in_words(linked[edge])

    return ClassView(
        escape_invisible(name),
        result_in_words(check),
        decisions_in_words(check, pairs),
        counts_of(check, len(compared)),
        histogram(_figures(check.cohort, check.cohort.pairs, range(len(check.roles))), check.limit, sizes),
        matrix_picture(figures, groups, check.limit, label_of, sizes),
        group_graph(figures, link_of, check.limit, label_of, sizes),
        list(_pair_views(check, labels, pairs[:MOST_ROWS], outcomes)),
        _counted(check, pairs),
        left_out_in_words(len(pairs), MOST_ROWS),
        library_view(check, labels, MOST_ROWS),
        [
            _group_view(figures, link_of, group, check.limit, [label_of(node) for node in group.members])
            for group in groups
        ],
        [InCommonView(each.title, each.caption, list(_linked(each, labels))) for each in in_common(check)],
        [_student_view(row, of_scripts) for row in compared[:MOST_ROWS]],
        any(row.verdict or row.note for row in compared[:MOST_ROWS]),
        left_out_in_words(len(compared), MOST_ROWS),
        [escape_invisible(student.display_name) for student in check.school.missing],
        [*_unread(check, labels), *_uncompared(check, labels)],
        [_common_view(len(check.essays_with(each)), each.text) for each in check.school.common[:MOST_ROWS]],
        common_in_words(check.school.common, check.cohort.settings),
        left_out_in_words(len(check.school.common), MOST_ROWS),
        list(class_help(check)),
        list(facts_of(check.cohort)),
    )


def _shown_documents(check: ClassCheck) -> list[int]:
    """Return the current documents, and the earlier ones that are unusually similar to one of them."""
    similar = {
        place for pair in check.cohort.pairs if check.is_unusual(pair) for place in (pair.left, pair.right)
    }
    return [
        place
        for place, role in enumerate(check.roles)
        if role is DocumentRole.CURRENT or (role is DocumentRole.OLD and place in similar)
    ]


def _figures(cohort: Cohort, pairs: Sequence[CohortPair], shown: Sequence[int]) -> ClassFigures:
    """Return the figures of some pairs of some documents, which are numbered in their order."""
    node_of = {place: node for node, place in enumerate(shown)}
    shares = [pair.summary.after_exclusions if pair.summary else (None, None) for pair in pairs]
    columns = np.array(shares, np.float64).reshape(-1, 2)
    nodes = np.array([(node_of[pair.left], node_of[pair.right]) for pair in pairs], np.int64).reshape(-1, 2)
    rewritten = [rewritten_units(cohort, pair) > 0 for pair in pairs]
    return ClassFigures(
        len(shown),
        nodes[:, 0],
        nodes[:, 1],
        columns[:, 0],
        columns[:, 1],
        rewritten=np.array(rewritten, np.bool_),
    )


def _link_in_words(pair: CohortPair) -> str:
    """Return the larger share of a pair, "52%", "52 → 0%" by decisions, or "52% no concern" as a whole."""
    before, after = larger_share(pair) or 0.0, max(known_shares(pair), default=0.0)
    words = with_share_before(after, before)
    is_same = pair.review.is_fine and words == percent(before)
    return f"{words} {decision_name(Decision.FINE)}" if is_same else words


def _pair_views(
    check: ClassCheck, labels: ClassLabels, pairs: Sequence[CohortPair], outcomes: Sequence[Outcome]
) -> Iterator[PairView]:
    names = [labels.document(place) for place in range(len(check.cohort.documents))]
    shares = map(larger_share, pairs)
    multiples = [check.shares.rarity(share).times_usual if share else share for share in shares]
    for number, (pair, multiple) in enumerate(zip(pairs, multiples, strict=True), start=1):
        outcome = outcomes[number - 1] if number <= len(outcomes) else ""
        figures = figures_in_words(check.cohort, pair, _counts(check))
        if any(multiples):
            times = NO_NUMBER if multiple is None else f"{multiple:.0f}"
            # what is possibly rewritten has no share
            figures.append((_("Times the usual share"), "" if times == "0" else times))
        yield pair_view(number, check.cohort, pair, names, outcome, figures)


def _group_view(
    figures: ClassFigures, link_of: LabelOf, group: Group, limit: float, members: Sequence[str]
) -> GroupView:
    own = [pair for pair in figures.links_from(limit).tolist() if int(figures.left[pair]) in group.members]
    highest, lowest = link_of(own[0]), link_of(own[-1])
    shares = (
        highest if highest == lowest else _("{lowest} to {highest}").format(lowest=lowest, highest=highest)
    )
    count = ngettext("{count} essay", "{count} essays", len(members))
    return GroupView(group.number, members, f"{count} · {shares}")


def _linked(found: InCommon, labels: ClassLabels) -> Iterator[GroupView]:
    """Yield the groups of essays that have something in common."""
    ends = np.array([(pair.left, pair.right) for pair in found.pairs], np.int64).reshape(-1, 2)
    for group in find_groups(ends[:, 0], ends[:, 1], np.ones(len(ends)), 1.0):
        own = [pair for pair in found.pairs if pair.left in group.members]
        members = [labels.document(place) for place in group.members]
        yield GroupView(group.number, members, _detail(found, own))


def _detail(found: InCommon, pairs: Sequence[CohortPair]) -> str:
    if found.kind == "mistakes":
        return mistakes_in_words(each for pair in pairs for each in pair.facts.mistakes)
    counts = [pair.facts.count(found.kind) for pair in pairs]
    most, least = count_in_words(max(counts)), count_in_words(min(counts))
    both = most if most == least else _("{lowest} to {highest}").format(lowest=least, highest=most)
    return named(found.heading, both)


def _student_view(row: ReportedStudent, of_scripts: Collection[PreparedDocument]) -> ReportedStudentView:
    """Return a row; of_scripts: a document in each language of the class."""
    share = row.share or 0.0
    longest = figure_in_words("longest_passage_units", row.longest_passage_units, *of_scripts)
    remark = before_if_other(share, row.share_before) if row.is_decided else ""
    rare = figure_in_words("rare_text", None if row.rank_score is None else rare_share(row.rank_score))
    rarest = row.rarest if row.rank_score and rare_share(row.rank_score) else ""
    return ReportedStudentView(row, percent(share), remark, 100 * share, longest, rare, rarest)


def _unread(check: ClassCheck, labels: ClassLabels) -> Iterator[tuple[str, str]]:
    for place, document in enumerate(check.cohort.unread, len(check.cohort.documents)):
        owner, file = check.school.owners.get(place), labels.files[place]
        if owner is not None and owner.name:
            file = named(labels.name_and_label(owner)[1], file)
        reason = unread_in_words(document)
        yield file, reason if owner is None else handed_in_words(document, reason)


def _uncompared(check: ClassCheck, labels: ClassLabels) -> Iterator[tuple[str, str]]:
    """Yield the pairs that were not compared with the reason, as a number if many have the same."""
    by_cause: defaultdict[str, list[CohortPair]] = defaultdict(list)
    for pair in check.uncompared:
        by_cause[pair.cause].append(pair)
    for cause, pairs in by_cause.items():
        reason = reason_not_compared(cause)
        if len(pairs) > _MOST_UNCOMPARED:
            yield ngettext("{count} pair", "{count} pairs", len(pairs)), reason
            continue
        for pair in pairs:
            yield " ↔ ".join(labels.document(place) for place in (pair.left, pair.right)), reason


def _common_view(count: int, text: str) -> CommonView:
    return CommonView(f"{count:,}", " ".join(text.split()))
