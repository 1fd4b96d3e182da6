"""Write the results of `simcompare report` and `simcompare check`: reports, tables, bundles."""

# ruff: noqa: PLC0415 - a form loads its libraries

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from simcompare.cli.output import (
    INPUT_FAILED,
    OutputNeededError,
    check_bundle_output,
    check_suffix,
    deliver,
    has_file_suffix,
    print_error,
    progress_bar,
)
from simcompare.cli.pair_choice import chosen_pairs, leading_pairs, pairs_by_default
from simcompare.export.output_paths import OutputError, check_output
from simcompare.export.reported_pairs import pairs_decided
from simcompare.model.errors import ReportNotSavedError, SimcompareError
from simcompare.support.i18n import N_, _, ngettext

if TYPE_CHECKING:
    from simcompare.cohort.class_check import ClassCheck
    from simcompare.cohort.cohort_data import Cohort, CohortPair
    from simcompare.pseudonyms.pseudonyms import Pseudonyms
    from simcompare.pseudonyms.students import Student

SessionReportFormat = Literal["html", "pdf", "docx", "json", "csv", "xlsx"]
CheckFormat = Literal["text", "json", "csv", "xlsx", "html", "pdf"]
_REPORTS = frozenset({"html", "pdf"})
_BINARY = frozenset({"xlsx", "pdf"})


class NoReportError(SimcompareError):
    """A pair of a bundle has no report. Values: left, right, cause."""

    template = N_("There is no report of {left} and {right}: {cause}.")


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """Options of the command. `pair`: names of two documents; `kind`, `top`, `above`: choice of pairs.

    `lists`: files that are read besides the session. `with_notes`: None if not given; notes are then omitted
    only from anonymous reports.
    """

    session: Path
    to: SessionReportFormat
    output: Path | None
    pair: tuple[str, str] | None
    kind: str | None
    top: int | None
    above: float | None
    lists: Sequence[Path]
    with_notes: bool | None
    is_anonymous: bool

    @property
    def has_choice(self) -> bool:
        """True if pairs are chosen by options other than --pair."""
        return (self.kind, self.top, self.above) != (None, None, None)

    @property
    def is_top_pair(self) -> bool:
        """True if the first pair is to be reported in one file."""
        suffix = "" if self.output is None or not has_file_suffix(self.output) else self.output.suffix.lower()
        return self.top == 1 and suffix not in {"", ".zip"}


def deliver_report(options: ReportOptions, cohort: "Cohort", path: Path, names: "Pseudonyms | None") -> None:
    """Write the report of the only pair of a cohort."""
    from simcompare.export.export_tasks import evidence_of, pseudonymised_evidence
    from simcompare.report.report_forms import FORMS

    (pair,) = _with_or_without_notes(options, cohort).pairs
    with progress_bar(_("Comparing")) as tick:
        evidence = evidence_of(cohort, pair, tick)
    deliver(FORMS[f".{options.to}"].render(pseudonymised_evidence(evidence, names)), path)
    typer.echo(path)


def deliver_table(options: ReportOptions, cohort: "Cohort", path: Path) -> None:
    """Write the table of the chosen pairs, by default of all pairs."""
    from simcompare.export.export_tasks import with_decided_shares
    from simcompare.report.cohort.report_bundle import TABLES, narrowed
    from simcompare.report.wording import named

    pairs = chosen_pairs(cohort, options.session, options.kind or "all", options.top, options.above)
    listed = with_decided_shares(_with_or_without_notes(options, narrowed(cohort, pairs)))
    deliver(TABLES[f"pairs.{options.to}"](listed), path)
    typer.echo(named(str(path), _pairs_count(len(pairs))))


def deliver_bundle(options: ReportOptions, cohort: "Cohort", path: Path) -> None:
    """Write the reports; if some could not be made, print their errors and exit with INPUT_FAILED."""
    from simcompare.export.export_tasks import begin_report, with_decided_shares
    from simcompare.report.cohort.report_bundle import bundled_reports, narrowed, write_bundle
    from simcompare.report.wording import named

    chosen = narrowed(cohort, _reported_pairs(options, cohort))
    if options.is_top_pair:
        deliver_report(options, chosen, path, None)
        return
    reported = with_decided_shares(_with_or_without_notes(options, chosen))
    try:
        with progress_bar(_("Writing reports")) as tick:
            outcomes = write_bundle(reported, f".{options.to}", path, tick, begin_report)
    except ReportNotSavedError as error:
        cause = error.values["cause"]
        raise OutputError(path=path, cause=_(cause)) from error
    failed = [report for report in bundled_reports(reported, outcomes) if report.problem]
    for report in failed:
        print_error(NoReportError(left=report.row.left, right=report.row.right, cause=report.problem))
    typer.echo(named(str(path), _reports_count(len(outcomes) - len(failed))))
    if failed:
        raise typer.Exit(INPUT_FAILED)


def _with_or_without_notes(options: ReportOptions, cohort: "Cohort") -> "Cohort":
    """Return the cohort with or without notes; print a message if they are omitted by default.

    Notes may identify people in ways that no list covers: initials, a nickname, a telephone number.
    """
    from simcompare.cohort.cohort_data import without_notes

    if options.with_notes or (options.with_notes is None and not options.is_anonymous):
        return cohort
    redacted = without_notes(cohort)
    has_notes = [pair.review for pair in cohort.pairs] != [pair.review for pair in redacted.pairs]
    if options.with_notes is None and has_notes:
        typer.echo(_("Your notes are left out, as they may identify students; --notes adds them."), err=True)
    return redacted


def _reported_pairs(options: ReportOptions, cohort: "Cohort") -> "list[CohortPair]":
    """Return the pairs to be reported; print which they are unless a kind or a pair was chosen."""
    if options.kind is not None or options.pair is not None:
        return chosen_pairs(cohort, options.session, options.kind or "all", options.top, options.above)
    if options.has_choice:
        pairs, omitted = leading_pairs(cohort, options.session, options.top, options.above)
        messages = [_omitted_message(omitted, "all")]
    else:
        pairs = pairs_by_default(cohort, options.session)
        words = _(
            "{count} of {total} pairs are reported: those marked as copied and those with the largest "
            "shares. Choose others with --pairs, --top or --above."
        )
        message = words.format(count=f"{len(pairs):,}", total=f"{len(cohort.pairs):,}")
        messages = [message] if len(pairs) < len(cohort.pairs) else []
        messages.append(_omitted_message(len(pairs_decided(cohort.pairs, "fine")), "judged"))
    if any(messages):
        typer.echo(" ".join(filter(None, messages)), err=True)
    return pairs


def _omitted_message(count: int, kind: str) -> str:
    """Return the number of omitted pairs (fine), and the option to include them; empty for none."""
    if not count:
        return ""
    return ngettext(
        "{count} pair of no concern is left out; --pairs {kind} reports it too.",
        "{count} pairs of no concern are left out; --pairs {kind} reports them too.",
        count,
        kind=kind,
    )


def _reports_count(count: int) -> str:
    return ngettext("{count} report", "{count} reports", count)


def _pairs_count(count: int) -> str:
    return ngettext("{count} pair", "{count} pairs", count)


# a class


def check_result_place(to: CheckFormat, output: Path | None, inputs: Sequence[Path]) -> None:
    """Raise an error if the result cannot be written, before the work starts; no input is overwritten."""
    if output is None:
        if to in _BINARY:
            raise OutputNeededError(form=to.upper())
    elif _is_bundle(to, output):
        check_bundle_output(output, inputs)
    else:
        check_output(output, inputs)
        if to not in {"text", "json", "csv"}:
            check_suffix(output, to)


def _is_bundle(to: CheckFormat, output: Path) -> bool:
    from simcompare.report.cohort.report_bundle import ZIP_SUFFIX

    return to in _REPORTS and (output.suffix.lower() == ZIP_SUFFIX or not has_file_suffix(output))


def deliver_check(
    check: "ClassCheck", to: CheckFormat, least: float | None, output: Path | None, class_name: str
) -> None:
    """Write the result. least: minimum share of the pairs that text and tables list, by default as usual."""
    if output is not None and _is_bundle(to, output):
        _deliver_bundle(check, to, output, class_name)
        return
    deliver(_result(check, to, least, class_name), output)


def _result(check: "ClassCheck", to: CheckFormat, least: float | None, class_name: str) -> str | bytes:
    if to == "text":
        from simcompare.report.cohort.check_text import check_as_text

        return check_as_text(check, least)
    if to == "json":
        from simcompare.report.cohort.check_json import check_as_dict
        from simcompare.report.comparison_json import as_json

        return as_json(check_as_dict(check, least or 0.0))
    if to == "csv":
        from simcompare.report.class_report.pair_sheet import class_pairs_as_csv

        return class_pairs_as_csv(check, least or 0.0)
    if to == "xlsx":
        from simcompare.report.class_report.grade_sheet import check_as_xlsx

        return check_as_xlsx(check, least or 0.0)
    from simcompare.report.class_report.class_forms import CLASS_FORMS

    return CLASS_FORMS[f".{to}"](check, class_name)


def _deliver_bundle(check: "ClassCheck", to: CheckFormat, place: Path, class_name: str) -> None:
    from simcompare.export.export_tasks import begin_report
    from simcompare.report.class_report.class_bundle import write_class_bundle

    try:
        with progress_bar(_("Writing reports")) as tick:
            write_class_bundle(check, class_name, f".{to}", place, tick, begin_report)
    except ReportNotSavedError as error:
        cause = error.values["cause"]
        raise OutputError(path=place, cause=_(cause)) from error


def printed_pseudonyms(check: "ClassCheck", listed: "Sequence[Student]") -> "Pseudonyms":
    """Make the pseudonyms of a class, and print the student of each on standard error."""
    from simcompare.cli.anonymity_options import print_owners, print_possible_names
    from simcompare.redaction.redacted_class import class_pseudonyms

    pseudonyms = class_pseudonyms(check, listed)
    print_owners(pseudonyms)
    print_possible_names(pseudonyms, (each.document for each in check.cohort.documents))
    return pseudonyms
