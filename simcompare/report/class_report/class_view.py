"""Contents of the report of a class in words and drawings, for the web page and the PDF."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.class_figures import ClassFigures
from simcompare.cohort.cohort_scoring import CohortPair, Group, find_groups, larger_share
from simcompare.cohort.pair_scores import rare_share
from simcompare.comparison.figures import FIGURES
from simcompare.report.class_report.class_pictures import (
    Drawing,
    PictureSizes,
    group_graph,
    histogram,
    matrix_picture,
)
from simcompare.report.class_report.class_sentences import (
    counts_of,
    decisions_in_words,
    left_out_in_words,
    result_in_words,
)
from simcompare.report.class_report.library_table import LibraryView, library_view
from simcompare.report.class_report.student_rows import ClassLabels, ReportedStudent, student_rows
from simcompare.report.cohort.cohort_rows import (
    common_in_words,
    count_in_words,
    facts_of,
    false_alarms_in_words,
    figure_in_words,
    figure_meaning,
    figure_name,
    figures_of,
    formulas_counted,
    group_meaning,
    kin_in_words,
    mistakes_counted,
    mistakes_in_words,
    pictures_counted,
    reason_not_compared,
    rewritten_units,
    share_meaning,
    tables_counted,
)
from simcompare.report.cohort.report_bundle import (
    Outcome,
    PairView,
    pair_view,
)
from simcompare.report.wording import NO_NUMBER, before_decisions_in_words, named
from simcompare.session.school_class import DocumentRole
from simcompare.support.display_text import escape_invisible, percent
from simcompare.support.i18n import _, ngettext

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
    yield _("Unusual"), " ".join([_limit_in_words(check), false_alarms_in_words(check.shares, check.limit)])
    yield (
        _("Times the usual share"),
        _(
            "The share as a multiple of the median share of all pairs of this class, which is taken as at "
            "least 1%."
        ),
    )
    yield from ((figure_name(key), figure_meaning(key)) for key in _counts(check))
    yield figure_name("group"), group_meaning(check.limit)
    yield (
        _("Common sentences"),
        _(
            "Sentences that many essays of the class have, such as the question, a cover page or a "
            "declaration. They do not count unless the teacher lets them count."
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
        "The limit of {limit} follows from the shares of this class: hardly any pair of unrelated essays "
        "comes as far."
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
class StudentView:
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
    pairs_left_out: str
    library: LibraryView | None
    groups: Sequence[GroupView]
    in_common: Sequence[InCommonView]
    students: Sequence[StudentView]
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


def class_view(
    check: ClassCheck, name: str, sizes: PictureSizes, outcomes: Sequence[Outcome] = ()
) -> ClassView:
    """Return the contents of the report in the current language.

    name: of the class, "" if it has none. outcomes: of the reports of the first `reported_pairs` in a bundle.
    """
    labels = ClassLabels(check)
    pairs = reported_pairs(check)
    shown = _shown_documents(check)
    figures = _figures(check, shown)
    groups = figures.groups(check.limit)
    rows = student_rows(check, labels)
    compared = [row for row in rows if row.share is not None]
    compared.sort(key=lambda row: (-(row.rank_score or 0.0), -(row.share or 0.0)))

    def label_of(node: int) -> str:
        return labels.document(shown[node])

    return ClassView(
        escape_invisible(name),
        result_in_words(check),
        decisions_in_words(check, pairs),
        counts_of(check, len(compared)),
        histogram(_figures(check, range(len(check.roles))), check.limit, sizes),
        matrix_picture(figures, groups, check.limit, label_of, sizes),
        group_graph(figures, check.limit, label_of, sizes),
        list(_pair_views(check, labels, pairs[:MOST_ROWS], outcomes)),
        left_out_in_words(len(pairs), MOST_ROWS),
        library_view(check, labels, MOST_ROWS),
        [
            _group_view(figures, group, check.limit, [label_of(node) for node in group.members])
            for group in groups
        ],
        list(_in_common(check, labels)),
        [_student_view(row) for row in compared[:MOST_ROWS]],
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


def _figures(check: ClassCheck, shown: Sequence[int]) -> ClassFigures:
    """Return the figures of the pairs of some documents, which are numbered in their order."""
    node_of = {place: node for node, place in enumerate(shown)}
    pairs = [pair for pair in check.cohort.pairs if pair.left in node_of and pair.right in node_of]
    shares = [pair.summary.after_exclusions if pair.summary else (None, None) for pair in pairs]
    columns = np.array(shares, np.float64).reshape(-1, 2)
    nodes = np.array([(node_of[pair.left], node_of[pair.right]) for pair in pairs], np.int64).reshape(-1, 2)
    return ClassFigures(len(shown), nodes[:, 0], nodes[:, 1], columns[:, 0], columns[:, 1])


def _pair_views(
    check: ClassCheck, labels: ClassLabels, pairs: Sequence[CohortPair], outcomes: Sequence[Outcome]
) -> Iterator[PairView]:
    names = [labels.document(place) for place in range(len(check.cohort.documents))]
    for number, pair in enumerate(pairs, start=1):
        outcome = outcomes[number - 1] if number <= len(outcomes) else ""
        values, share = figures_of(check.cohort, pair), larger_share(pair)
        times = NO_NUMBER if share is None else f"{check.shares.rarity(share).times_usual:.0f}"
        figures = [
            *((figure_name(key), figure_in_words(key, values[key])) for key in _counts(check)),
            (_("Times the usual share"), times),
        ]
        yield pair_view(number, check.cohort, pair, names, outcome, figures)


def _group_view(figures: ClassFigures, group: Group, limit: float, members: Sequence[str]) -> GroupView:
    own = [pair for pair in figures.links_from(limit).tolist() if int(figures.left[pair]) in group.members]
    highest, lowest = (float(figures.larger[own[place]]) for place in (0, -1))
    shares = percent(highest)
    if percent(lowest) != shares:
        shares = _("{lowest} to {highest}").format(lowest=percent(lowest), highest=shares)
    count = ngettext("{count} essay", "{count} essays", len(members))
    return GroupView(group.number, members, f"{count} · {shares}")


def _in_common(check: ClassCheck, labels: ClassLabels) -> Iterator[InCommonView]:
    """Yield what the files, pictures and so on of essays have in common, each kind if there is any."""
    ids_heading = FIGURES["shared_ids"].heading

    def counted(heading: str, counts: Sequence[int]) -> str:
        most, least = count_in_words(max(counts)), count_in_words(min(counts))
        both = most if most == least else _("{lowest} to {highest}").format(lowest=least, highest=most)
        return named(heading, both)

    def ids(pairs: Sequence[CohortPair]) -> str:
        counts = [pair.facts.kinship.shared_ids for pair in pairs if pair.facts.kinship is not None]
        return counted(_(ids_heading), counts)

    def number(kind: str, heading: str) -> Callable[[Sequence[CohortPair]], str]:
        return lambda pairs: counted(heading, [len(getattr(pair.facts, kind)) for pair in pairs])

    def mistakes(pairs: Sequence[CohortPair]) -> str:
        return mistakes_in_words(each for pair in pairs for each in pair.facts.mistakes)

    pictures = number("pictures", _("Common pictures"))
    tables = number("tables", _("Same tables"))
    formulas = number("formulas", _("Same formulas"))
    kin = [pair for pair, _kinship in check.kin]
    for title, caption, pairs, detail in (
        (_("Files with common editing ids"), kin_in_words, kin, ids),
        (_("Essays with common pictures"), pictures_counted, check.sharing("pictures"), pictures),
        (_("Essays with the same tables"), tables_counted, check.sharing("tables"), tables),
        (_("Essays with shared mistakes"), mistakes_counted, check.sharing("mistakes"), mistakes),
        (_("Essays with the same formulas"), formulas_counted, check.sharing("formulas"), formulas),
    ):
        if pairs:
            yield InCommonView(title, caption(len(pairs)), list(_linked(pairs, labels, detail)))


def _linked(
    pairs: Sequence[CohortPair], labels: ClassLabels, detail: Callable[[Sequence[CohortPair]], str]
) -> Iterator[GroupView]:
    """Yield the groups of essays that pairs link; detail: what is said of the pairs of a group."""
    ends = np.array([(pair.left, pair.right) for pair in pairs], np.int64).reshape(-1, 2)
    for group in find_groups(ends[:, 0], ends[:, 1], np.ones(len(ends)), 1.0):
        own = [pair for pair in pairs if pair.left in group.members]
        members = [labels.document(place) for place in group.members]
        yield GroupView(group.number, members, detail(own))


def _student_view(row: ReportedStudent) -> StudentView:
    share = row.share or 0.0
    longest = count_in_words(row.longest_passage_units)
    remark = before_decisions_in_words(row.share_before) if row.is_decided else ""
    rare = figure_in_words("rare_text", None if row.rank_score is None else rare_share(row.rank_score))
    rarest = row.rarest if row.rank_score and rare_share(row.rank_score) else ""
    return StudentView(row, percent(share), remark, 100 * share, longest, rare, rarest)


def _unread(check: ClassCheck, labels: ClassLabels) -> Iterator[tuple[str, str]]:
    for place, document in enumerate(check.cohort.unread, len(check.cohort.documents)):
        owner, file = check.school.owners.get(place), labels.files[place]
        if owner is not None and owner.name:
            file = named(labels.name_and_label(owner)[1], file)
        yield file, escape_invisible(str(document.error or _("It had not been read yet when this was made.")))


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
    return CommonView(f"{count:,}", escape_invisible(" ".join(text.split())))
