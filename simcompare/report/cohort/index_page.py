"""Index page of a bundle of reports."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from simcompare.cohort.cohort_scoring import Cohort, CohortPair
from simcompare.comparison.figures import FIGURES, SIDES
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.report.cohort.cohort_rows import (
    CohortDocumentRow,
    PairRow,
    document_rows,
    facts_of,
    figure_in_words,
    figure_name,
    meanings_of,
    rows_of,
)
from simcompare.report.html_report import render_page
from simcompare.report.wording import (
    before_decisions_in_words,
    headline,
    named,
    note_in_words,
    sentences_count,
    size_in_words,
    units_count,
)
from simcompare.session.decisions import outcome_of
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import _, ngettext

_NET = "after_exclusions_"
_SHOWN_AS_BARS = ("after_decisions_", f"{_NET}left", f"{_NET}right")


Outcome = str | Exception
"""Path of the report of a pair within its bundle, or why there is none."""


@dataclass(frozen=True, slots=True)
class ShareView:
    """Share of a text after exclusions and decisions, in words and as a bar of 0 to 100.

    remark: the share before them; "" unless nothing counts or something is of no concern. is_known: there
    are figures.
    """

    label: str
    share: str
    remark: str
    bar: float
    is_known: bool


@dataclass(frozen=True, slots=True)
class PairView:
    """Row of the page. Without an address there is no report, and `problem` gives the reason."""

    number: int
    address: str
    names: tuple[str, str]
    shares: Sequence[ShareView]
    figures: Sequence[tuple[str, str]]
    decision: str
    decision_name: str
    note: str
    problem: str


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document of the pairs, or one that could not be compared."""

    name: str
    size: str
    sha256: str
    problems: str
    was_read: bool


def error_in_words(error: Exception) -> str:
    """Return the message of an error, or its type if it has none."""
    return escape_invisible(str(error)) or type(error).__name__


def render_index(cohort: Cohort, outcomes: Sequence[Outcome], tables: Iterable[str]) -> bytes:
    """Render the page in the current language: pairs in their order, and links to the tables.

    It loads no other file and links only to files of the bundle.
    """
    left_out = set() if any(pair.group for pair in cohort.pairs) else {"group"}
    left_out |= set() if any(pair.facts.kinship for pair in cohort.pairs) else {"shared_ids"}
    rows = rows_of(replace(cohort, cohort_labels=cohort.student_labels or cohort.names))
    views = [
        pair_view(number, pair, row, outcome, _figures(row, left_out))
        for number, (pair, row, outcome) in enumerate(zip(cohort.pairs, rows, outcomes, strict=True), start=1)
    ]
    page = render_page(
        "cohort",
        cohort.made_at,
        pairs=views,
        failed=sum(not view.address for view in views),
        documents=_documents(cohort),
        tables=[(name, quote(name)) for name in tables],
        facts=list(facts_of(cohort)),
        meanings=list(meanings_of(cohort)),
        labels=_labels(len(views)),
    )
    return page.encode("utf-8", "backslashreplace")


def pair_view(
    number: int, pair: CohortPair, row: PairRow, outcome: Outcome, figures: Sequence[tuple[str, str]]
) -> PairView:
    """Return the row of a pair; figures: names and values to show beside the shares."""
    path, problem = (outcome, "") if isinstance(outcome, str) else ("", error_in_words(outcome))
    return PairView(
        number,
        quote(path),
        (row.left, row.right),
        [_share(row, side) for side in SIDES],
        figures,
        outcome_of(pair.review.overall.decision) or "",
        row.decision,
        note_in_words(row.note),
        problem,
    )


def _figures(row: PairRow, left_out: Collection[str]) -> list[tuple[str, str]]:
    """Return name and value of each figure but for the shares after exclusions, which are shown as bars."""
    return [
        (figure_name(key), figure_in_words(key, row.figures[key]))
        for key in FIGURES
        if key not in left_out and not key.startswith(_SHOWN_AS_BARS)
        if key != "rewritten_units" or row.figures[key] is not None
    ]


def _share(row: PairRow, side: str) -> ShareView:
    share, before, raw = (row.figures[f"{part}{side}"] for part in ("after_decisions_", _NET, ""))
    remark = before_decisions_in_words(before) if row.is_decided else ""
    if raw is not None and share is None:
        remark = _("nothing counts; before exclusions {share}").format(share=headline(raw))
    label = figure_name(f"{_NET}{side}")
    return ShareView(label, headline(share), remark, 100 * (share or 0.0), raw is not None)


def _documents(cohort: Cohort) -> list[DocumentView]:
    rows = document_rows(cohort)
    read = [
        _document(row, prepared_document)
        for row, prepared_document in zip(rows, cohort.documents, strict=False)
    ]
    unread = rows[len(read) :]
    return [*read, *(DocumentView(row.name, "", "", row.problems, was_read=False) for row in unread)]


def _document(row: CohortDocumentRow, prepared_document: PreparedDocument) -> DocumentView:
    sizes = [units_count(prepared_document), sentences_count(prepared_document)]
    if row.size_bytes is not None:
        sizes.append(size_in_words(row.size_bytes))
    problems = named(_("To be checked"), row.problems) if row.problems else ""
    return DocumentView(row.name, " · ".join(sizes), row.sha256, problems, was_read=True)


def _labels(count: int) -> dict[str, str]:
    return {
        "heading": ngettext("Report of {count} pair", "Reports of {count} pairs", count),
        "failed": _("Pairs without a report, with the reason: {count}"),
        "pair": _("Pair"),
        "documents": _("Documents"),
        "sha256": _("SHA-256"),
        "not_compared": _("not compared"),
        "meanings": _("What the figures mean"),
        **pair_labels(),
    }


def pair_labels() -> dict[str, str]:
    """Return the captions of every page with pairs."""
    return {
        "no_report": _("No report: {reason}"),
        "number": _("No."),
        "pair_hint": _(
            "The upper text is A, the lower one B. The share of A is the part of A that is similar to B, "
            "after exclusions. The pairs that have most text in common that is rare in this class come first."
        ),
        "decision": _("Decision"),
        "undecided": _("undecided"),
        "tables": _("As a table:"),
        "comma": _(", "),
        "made_how": _("How this was made"),
    }
