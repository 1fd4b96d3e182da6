"""What `simcompare report` writes: one report, a table or a bundle."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from simcompare.cli.command_runner import INPUT_FAILED, tell
from simcompare.cli.output import OutputError, deliver, progress_bar
from simcompare.cli.report_choice import chosen_pairs, judged_so, leading_pairs, telling_pairs
from simcompare.model.errors import ReportNotSavedError, SimcompareError
from simcompare.support.i18n import N_, _, ngettext

if TYPE_CHECKING:
    from simcompare.cohort.cohort_data import Cohort, CohortPair
    from simcompare.pseudonyms.pseudonyms import Pseudonyms

ReportForm = Literal["html", "pdf", "docx", "json", "csv", "xlsx"]


class NoReportError(SimcompareError):
    """A pair of a bundle that could not be reported. Values: left, right, cause."""

    template = N_("There is no report of {left} and {right}: {cause}.")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for. `pair`: two documents by name; `kind`, `top`, `above`: which pairs otherwise.

    `lists`: files that are read besides the session. `with_notes`: None where nobody said; they are then left
    out of what is anonymous alone.
    """

    session: Path
    to: ReportForm
    output: Path | None
    pair: tuple[str, str] | None
    kind: str | None
    top: int | None
    above: float | None
    lists: Sequence[Path]
    with_notes: bool | None
    is_anonymous: bool

    @property
    def is_choice(self) -> bool:
        """Whether somebody said which pairs."""
        return (self.kind, self.top, self.above) != (None, None, None)


def deliver_report(wanted: Wanted, cohort: "Cohort", place: Path, names: "Pseudonyms | None") -> None:
    """Write the report of the only pair of a cohort."""
    from simcompare.export.pair_evidence import evidence_of  # noqa: PLC0415
    from simcompare.redaction.redacted_evidence import anonymous_evidence  # noqa: PLC0415
    from simcompare.report.report_forms import FORMS  # noqa: PLC0415

    (pair,) = _handed_out(wanted, cohort).pairs
    with progress_bar(_("Comparing")) as tick:
        evidence = evidence_of(cohort, pair, tick)
    if names is not None:
        evidence = anonymous_evidence(evidence, names)
    deliver(FORMS[f".{wanted.to}"].render(evidence), place)
    typer.echo(place)


def deliver_table(wanted: Wanted, cohort: "Cohort", place: Path) -> None:
    """Write the table of the chosen pairs, which are all where nobody chose."""
    from simcompare.report.cohort.cohort_rows import pairs_as_csv  # noqa: PLC0415
    from simcompare.report.cohort.report_bundle import narrowed  # noqa: PLC0415
    from simcompare.report.cohort.xlsx_table import pairs_as_xlsx  # noqa: PLC0415
    from simcompare.report.wording import named  # noqa: PLC0415

    pairs = chosen_pairs(cohort, wanted.session, wanted.kind or "all", wanted.top, wanted.above)
    listed = _handed_out(wanted, narrowed(cohort, pairs))
    deliver(pairs_as_xlsx(listed) if wanted.to == "xlsx" else pairs_as_csv(listed), place)
    typer.echo(named(str(place), _pairs_count(len(pairs))))


def deliver_bundle(wanted: Wanted, cohort: "Cohort", place: Path) -> None:
    """Write the reports; those that could not be made are told of, and end the program with a failure."""
    from simcompare.export.pair_evidence import begin_report  # noqa: PLC0415
    from simcompare.report.cohort.report_bundle import bundled_reports, narrowed, write_bundle  # noqa: PLC0415
    from simcompare.report.wording import named  # noqa: PLC0415

    reported = _handed_out(wanted, narrowed(cohort, _reported(wanted, cohort)))
    try:
        with progress_bar(_("Writing reports")) as tick:
            outcomes = write_bundle(reported, f".{wanted.to}", place, tick, begin_report)
    except ReportNotSavedError as error:
        cause = error.values["cause"]
        raise OutputError(path=place, cause=_(cause)) from error
    failed = [report for report in bundled_reports(reported, outcomes) if report.problem]
    for report in failed:
        tell(NoReportError(left=report.row.left, right=report.row.right, cause=report.problem))
    typer.echo(named(str(place), _reports_count(len(outcomes) - len(failed))))
    if failed:
        raise typer.Exit(INPUT_FAILED)


def _handed_out(wanted: Wanted, cohort: "Cohort") -> "Cohort":
    """Return a cohort with notes or without, as was asked for, and say so where nobody asked.

    Notes name people in ways that no list has: by first letters, a nickname, a telephone number.
    """
    from simcompare.cohort.cohort_data import without_notes  # noqa: PLC0415

    if wanted.with_notes or (wanted.with_notes is None and not wanted.is_anonymous):
        return cohort
    silent = without_notes(cohort)
    before, after = ([pair.review for pair in one.pairs] for one in (cohort, silent))
    if wanted.with_notes is None and before != after:
        typer.echo(_("Your notes are left out, as they may tell who is who; --notes adds them."), err=True)
    return silent


def _reported(wanted: Wanted, cohort: "Cohort") -> "list[CohortPair]":
    """Return the pairs of which reports are written; where nobody chose their kind, say which these are."""
    if wanted.kind is not None or wanted.pair is not None:
        return chosen_pairs(cohort, wanted.session, wanted.kind or "all", wanted.top, wanted.above)
    if wanted.is_choice:
        pairs, left_out = leading_pairs(cohort, wanted.session, wanted.top, wanted.above)
        said = [_left_out(left_out, "all")]
    else:
        pairs = telling_pairs(cohort, wanted.session)
        words = _(
            "Of {total} pairs these {count} are reported: those judged as copied, and those with most in "
            "common. Choose others with --pairs, --top or --above."
        )
        told = words.format(count=f"{len(pairs):,}", total=f"{len(cohort.pairs):,}")
        said = [told] if len(pairs) < len(cohort.pairs) else []
        said.append(_left_out(len(judged_so(cohort.pairs, "fine")), "judged"))
    if any(said):
        typer.echo(" ".join(filter(None, said)), err=True)
    return pairs


def _left_out(count: int, kind: str) -> str:
    """Return that pairs judged as fine are left out, and by which choice they are not; of none nothing."""
    if not count:
        return ""
    words = ngettext(
        "{count} pair judged as fine is left out; --pairs {kind} reports it too.",
        "{count} pairs judged as fine are left out; --pairs {kind} reports them too.",
        count,
    )
    return words.format(count=f"{count:,}", kind=kind)


def _reports_count(count: int) -> str:
    return ngettext("{count} report", "{count} reports", count).format(count=f"{count:,}")


def _pairs_count(count: int) -> str:
    return ngettext("{count} pair", "{count} pairs", count).format(count=f"{count:,}")
