"""`simcompare report`: write a table of the pairs of a session, one report or a bundle of reports."""

# ruff: noqa: PLC0415 - numpy and the readers are loaded after the options are checked, a form when it is used

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated

import typer

from simcompare.cli.anonymity_options import SessionAnonymityOptions, session_pseudonyms
from simcompare.cli.options import argument, checked_choice, option, percentage_above, typer_command
from simcompare.cli.output import (
    INPUT_FAILED,
    check_bundle_output,
    check_suffix,
    deliver,
    has_file_suffix,
    print_error,
    progress_bar,
    writing_reports,
)
from simcompare.cli.pair_choice import (
    check_kind,
    chosen_pairs,
    leading_pairs,
    named_document,
    named_files,
    named_pair,
    pairs_by_default,
    session_labels,
)
from simcompare.export.output_paths import (
    BUNDLE,
    CASE_FILE,
    PAIR_REPORT,
    STUDENT_REPORT,
    TABLE,
    check_output,
    suggested_name,
    unused_path,
)
from simcompare.export.reported_pairs import IS_OF_KIND, pairs_decided
from simcompare.model.errors import FileError, SimcompareError
from simcompare.model.progress import no_tick
from simcompare.report.report_forms import FORMS
from simcompare.support.atomic_file import change_stamp
from simcompare.support.clock import now
from simcompare.support.display_text import distinct_labels
from simcompare.support.i18n import N_, _, joined_sentences, ngettext
from simcompare.support.interrupts import interruptible

if TYPE_CHECKING:
    from simcompare.cohort.cohort_scoring import Cohort, CohortDocuments, CohortPair
    from simcompare.model.settings import ComparisonSettings
    from simcompare.pseudonyms.pseudonyms import Pseudonyms
    from simcompare.session.school_class import SchoolClass
    from simcompare.session.session_data import Session

_TABLES = frozenset({"csv", "xlsx"})
_SUFFIXES = {form.name: suffix for suffix, form in FORMS.items() if suffix[1:] not in _TABLES}
_SUFFIXES |= {name: f".{name}" for name in sorted(_TABLES)}
_STUDENT_FORMS = ["html", "pdf"]


class TooFewTextsError(FileError):
    template = N_("{name} holds fewer than two texts that can be compared. Add documents and save it again.")


class NotReadYetError(FileError):
    template = N_(
        "{name} was not read yet when the session was saved. Open the session in the window, wait until "
        "it is read, and save it again."
    )


class PairOrChoiceError(SimcompareError):
    template = N_("Name one pair with --pair, or choose pairs with --pairs, --top and --above, not both.")


class StudentOrPairsError(SimcompareError):
    template = N_("Name one student with --student, or choose pairs, not both.")


class NotComparedError(FileError):
    template = N_("{wanted} is compared with no other text of {name}: it may be a draft or a template.")


class NoReportError(SimcompareError):
    template = N_("There is no report of {left} and {right}: {cause}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    session: Annotated[Path, argument(N_("A session saved by simcompare."), "SESSION")]
    to: Annotated[
        str,
        option(
            N_("A table of the pairs (csv, xlsx), or reports of pairs."),
            f"<{'|'.join(_SUFFIXES)}>",
            autocompletion=lambda: list(_SUFFIXES),
        ),
    ] = "html"
    output: Annotated[
        Path | None,
        option(
            N_("The file to write; for several reports, a folder or a .zip. By default next to the session."),
            "PLACE",
        ),
    ] = None
    pair: Annotated[tuple[str, str] | None, option(N_("Report only this pair of documents."), "A B")] = None
    student: Annotated[
        str | None,
        option(
            N_("Report only this student or document, with all sources of the essay (html, pdf)."), "NAME"
        ),
    ] = None
    pairs: Annotated[
        str | None,
        option(
            N_(
                "Which pairs; judged are those with a decision or a note. By default a table lists all, "
                "and reports are made of those marked as copied and the first ones of the table, 20 in "
                "all. Without this option, pairs of no concern are left out."
            ),
            "|".join(IS_OF_KIND),
        ),
    ] = None
    top: Annotated[int | None, option(N_("Only the first N pairs of the table."), "N", min=1)] = None
    above: Annotated[
        float | None,
        option(
            N_("Only pairs in which the share of one text after exclusions is at least this."),
            "PERCENT",
            parser=percentage_above,
        ),
    ] = None
    notes: Annotated[
        bool | None,
        option(
            N_("Include your notes; by default yes, but not with --anonymous."), None, "--notes/--no-notes"
        ),
    ] = None
    course: Annotated[str, option(N_("The course, for the first page of a case file."), "TEXT")] = ""
    teacher: Annotated[str, option(N_("The teacher, for the first page of a case file."), "TEXT")] = ""
    anonymity: SessionAnonymityOptions

    @property
    def suffix(self) -> str:
        """Key of the form."""
        return _SUFFIXES[self.to]

    @property
    def has_choice(self) -> bool:
        """True if pairs are chosen by options other than --pair."""
        return (self.pairs, self.top, self.above) != (None, None, None)

    @property
    def is_top_pair(self) -> bool:
        """True if the first pair is to be reported in one file."""
        suffix = "" if self.output is None or not has_file_suffix(self.output) else self.output.suffix.lower()
        return self.top == 1 and suffix not in {"", ".zip"}


@typer_command(
    N_(
        "Write reports of the pairs of a session to a folder or zip, or a table of its pairs. The exit "
        "status is 0 when nothing is missing in it, 1 when a document or a pair is."
    )
)
def report_command(*, options: ReportOptions) -> None:
    """Compare with the settings of the session; write the result with its decisions and notes."""
    checked_choice("--to", options.to, list(_SUFFIXES))
    if options.pairs is not None:
        checked_choice("--pairs", options.pairs, list(IS_OF_KIND))
    if options.pair is not None and options.has_choice:
        raise PairOrChoiceError
    if options.student is not None:
        if options.pair is not None or options.has_choice:
            raise StudentOrPairsError
        checked_choice("--to", options.to, _STUDENT_FORMS)
    session = options.session
    students, stamp = options.anonymity.students(), change_stamp(session)
    with progress_bar(_("Reading the session")):
        from simcompare.session.session_file import lost_settings, read_session, usable_settings

        content = read_session(session)
    is_anonymous = options.anonymity.anonymous
    pseudonyms = session_pseudonyms(session, content, stamp, students) if is_anonymous else None
    from simcompare.cohort.scored_class import class_of_session
    from simcompare.report.cohort.report_bundle import ZIP_SUFFIX
    from simcompare.text.thesaurus import load_thesaurus

    settings = usable_settings(content)
    if lost := lost_settings(content, settings):
        typer.echo(lost, err=True)
    load_thesaurus(settings.thesaurus)
    paths = [file.path for file in content.documents]
    if len(paths) < 2:
        raise TooFewTextsError(session)
    shown = session_labels(content)
    indices: Sequence[int] = range(len(paths))
    if options.student is not None:
        _report_essay(options, content, settings, pseudonyms)
        return
    if options.pair is not None:
        indices = named_pair(session, paths, options.pair, shown)
    elif options.pairs is not None:
        check_kind(content, session, options.pairs)
    is_zip = options.output is not None and options.output.suffix.lower() == ZIP_SUFFIX
    is_pair = len(indices) == 2 and not options.has_choice
    is_single = is_pair and options.to not in _TABLES and (not is_zip or options.to == "case")
    labels = shown if pseudonyms is None else distinct_labels(list(map(pseudonyms.path_of, paths)))
    pair = [labels[index] for index in indices] if is_single else None
    output = _output_path(options, content, pair, pseudonyms)
    # groups are numbered among all documents, so all pairs are compared
    compared = indices if is_single else range(len(paths))
    reported = {paths[index] for index in indices}
    documents = _prepared(options, content, settings, compared, reported)
    school, documents = class_of_session(content, documents, settings)
    if is_single:
        cohort = _pair_cohort(documents, settings, distinct_labels(paths), indices)
    else:
        cohort = _compared_cohort(school, documents, settings, pseudonyms, reported)
    if pseudonyms is None:
        label_of = dict(zip(paths, shown, strict=True))
        names = tuple(label_of[each.document.path] for each in cohort.documents)
        cohort = replace(cohort, student_labels=names, course=options.course, teacher=options.teacher)
    if is_single:
        _deliver_report(options, cohort, output, pseudonyms)
    else:
        _deliver_pairs(options, cohort, output)
    if documents.unread:
        raise typer.Exit(INPUT_FAILED)


def _report_essay(
    options: ReportOptions,
    content: "Session",
    settings: "ComparisonSettings",
    pseudonyms: "Pseudonyms | None",
) -> None:
    """Write the report of the essay that was named, with all its sources."""
    from simcompare.cohort.class_check import ClassCheck
    from simcompare.cohort.cohort_scoring import make_cohort
    from simcompare.cohort.scored_class import class_of_session
    from simcompare.export.export_tasks import redacted, render_student_report
    from simcompare.report.cohort.report_bundle import essay_name
    from simcompare.report.student_report import EssayCheck

    session, wanted = options.session, options.student or ""
    paths, shown = [file.path for file in content.documents], session_labels(content)
    path = paths[named := named_document(session, paths, wanted, shown)]
    label = shown[named] if pseudonyms is None else pseudonyms.path_of(path).name
    stem = suggested_name(STUDENT_REPORT, essay_name(label), anonymous=pseudonyms is not None)
    output = options.output or unused_path(session.parent, stem, options.suffix)
    check_output(output, [session, *options.anonymity.lists, *named_files(content, output)])
    check_suffix(output, options.suffix)
    documents = _prepared(options, content, settings, range(len(paths)), set(paths))
    school, documents = class_of_session(content, documents, settings)
    texts = documents.prepared_documents
    place = next((n for n, text in enumerate(texts) if text.document.path == path), None)
    if place is None:
        raise typer.Exit(INPUT_FAILED)
    pairs, made_at = [pair for pair in school.pairs(range(len(texts))) if place in pair], now()
    if not pairs:
        raise NotComparedError(session, wanted=wanted)
    with progress_bar(_("Comparing")) as tick:
        cohort = interruptible(lambda stop: make_cohort(documents, settings, made_at, tick, stop, pairs))
    essay = redacted(EssayCheck(ClassCheck(cohort, school), place), pseudonyms)
    deliver(render_student_report(essay, options.suffix, ""), output)
    typer.echo(output)
    if documents.unread:
        raise typer.Exit(INPUT_FAILED)


def _output_path(
    options: ReportOptions, content: "Session", pair: Sequence[str] | None, pseudonyms: "Pseudonyms | None"
) -> Path:
    """Return the output path; `pair`: labels of the two documents of a single report.

    Raises OutputError before the work starts.
    """
    from simcompare.report.cohort.report_bundle import pair_name

    is_bundle = pair is None and options.to not in _TABLES and not options.is_top_pair
    if pair is not None:
        pattern, name = CASE_FILE if options.to == "case" else PAIR_REPORT, pair_name(*pair)
    else:
        pattern = BUNDLE if is_bundle else TABLE
        name = options.session.stem if pseudonyms is None else ""
    stem = suggested_name(pattern, name, anonymous=pseudonyms is not None)
    output = options.output or unused_path(options.session.parent, stem, "" if is_bundle else options.suffix)
    inputs = [options.session, *options.anonymity.lists, *named_files(content, output)]
    if is_bundle:
        check_bundle_output(output, inputs)
    else:
        check_output(output, inputs)
        check_suffix(output, options.suffix)
    return output


def _prepared(
    options: ReportOptions,
    content: "Session",
    settings: "ComparisonSettings",
    indices: Collection[int],
    reported: Collection[Path],
) -> "CohortDocuments":
    """Prepare the documents at the indices; print the errors of unread documents that are to be reported.

    Unread documents that are not to be reported are dropped. Raises TooFewTextsError, or exits with --pair,
    if fewer than two of the reported documents can be compared.
    """
    from simcompare.cohort.session_preparation import prepare_session_documents

    with progress_bar(_("Preparing")) as tick:
        documents = interruptible(
            lambda stop: prepare_session_documents(content, settings, indices, tick, stop)
        )
    unread = tuple(document for document in documents.unread if document.path in reported)
    for document in unread:
        print_error(document.error or NotReadYetError(document.path))
    if sum(document.document.path in reported for document in documents.prepared_documents) < 2:
        if options.pair is None:
            raise TooFewTextsError(options.session)
        raise typer.Exit(INPUT_FAILED)
    return replace(documents, unread=unread)


def _pair_cohort(
    documents: "CohortDocuments",
    settings: "ComparisonSettings",
    labels: Sequence[str],
    indices: Sequence[int],
) -> "Cohort":
    """Return a cohort with one pair, not compared yet; the document named first is the left one."""
    from simcompare.cohort.cohort_scoring import CohortPair, make_cohort
    from simcompare.cohort.pair_facts import NO_FACTS
    from simcompare.session.decisions import NO_REVIEW

    review = documents.reviews.get((0, 1), NO_REVIEW)
    is_mirrored = indices[0] > indices[1]
    pair = CohortPair(1, 0, None, review.mirrored) if is_mirrored else CohortPair(0, 1, None, review)
    facts = documents.facts.get((0, 1), NO_FACTS)
    pair = replace(
        pair,
        facts=facts.mirrored if is_mirrored else facts,
        copying=documents.copying((pair.left, pair.right)),
    )
    cohort = make_cohort(documents, settings, now(), no_tick, Event(), [])
    return replace(cohort, pairs=(pair,), cohort_labels=tuple(labels[index] for index in sorted(indices)))


def _compared_cohort(
    school: "SchoolClass",
    documents: "CohortDocuments",
    settings: "ComparisonSettings",
    pseudonyms: "Pseudonyms | None",
    reported: Collection[Path],
) -> "Cohort":
    """Compare all pairs that count, for the groups, and return the cohort with the reported pairs."""
    from simcompare.cohort.class_check import ClassCheck
    from simcompare.cohort.cohort_scoring import make_cohort
    from simcompare.redaction.redacted_class import anonymous_cohort

    pairs, made_at = school.pairs(range(len(documents.prepared_documents))), now()
    with progress_bar(_("Comparing")) as tick:
        cohort = interruptible(lambda stop: make_cohort(documents, settings, made_at, tick, stop, pairs))
    cohort = ClassCheck(cohort, school).with_linked_groups().cohort
    kept = {n for n, document in enumerate(cohort.documents) if document.document.path in reported}
    cohort = replace(cohort, pairs=tuple(pair for pair in cohort.pairs if {pair.left, pair.right} <= kept))
    return cohort if pseudonyms is None else anonymous_cohort(cohort, pseudonyms)


def _deliver_report(options: ReportOptions, cohort: "Cohort", path: Path, names: "Pseudonyms | None") -> None:
    """Write the report of the only pair of a cohort."""
    from simcompare.export.export_tasks import redacted, render_report
    from simcompare.report.evidence import evidence_of

    (pair,) = _with_or_without_notes(options, cohort).pairs
    with progress_bar(_("Comparing")) as tick:
        evidence = evidence_of(cohort, pair, tick)
    deliver(render_report(redacted(evidence, names), options.suffix), path)
    typer.echo(path)


def _deliver_pairs(options: ReportOptions, cohort: "Cohort", path: Path) -> None:
    """Write the table of the chosen pairs, by default of all pairs, or their reports.

    If some reports could not be made, prints their errors and exits with INPUT_FAILED.
    """
    from simcompare.export.export_tasks import begin_report, render_table, with_decided_shares
    from simcompare.report.cohort.report_bundle import error_in_words, narrowed, write_bundle
    from simcompare.report.wording import named

    pairs = _chosen(options, cohort)
    chosen = narrowed(cohort, pairs)
    if options.is_top_pair and options.to not in _TABLES:
        _deliver_report(options, chosen, path, None)
        return
    reported = with_decided_shares(_with_or_without_notes(options, chosen))
    if options.to in _TABLES:
        deliver(render_table(reported, options.suffix), path)
        typer.echo(named(str(path), ngettext("{count} pair", "{count} pairs", len(pairs))))
        return
    with writing_reports(path) as tick:
        outcomes = write_bundle(reported, options.suffix, path, tick, begin_report)
    names, made = reported.student_labels or reported.names, 0
    for pair, outcome in zip(reported.pairs, outcomes, strict=True):
        if isinstance(outcome, str):
            made += 1
            continue
        cause = error_in_words(outcome)
        print_error(NoReportError(left=names[pair.left], right=names[pair.right], cause=cause))
    typer.echo(named(str(path), ngettext("{count} report", "{count} reports", made)))
    if made < len(outcomes):
        raise typer.Exit(INPUT_FAILED)


def _with_or_without_notes(options: ReportOptions, cohort: "Cohort") -> "Cohort":
    """Return the cohort with or without notes; print a message if they are omitted by default.

    Notes may identify people in ways that no list covers: initials, a nickname, a telephone number.
    """
    from simcompare.cohort.cohort_scoring import without_notes

    if options.notes or (options.notes is None and not options.anonymity.anonymous):
        return cohort
    redacted = without_notes(cohort)
    has_notes = [pair.review for pair in cohort.pairs] != [pair.review for pair in redacted.pairs]
    if options.notes is None and has_notes:
        typer.echo(_("Your notes are left out, as they may identify students; --notes adds them."), err=True)
    return redacted


def _chosen(options: ReportOptions, cohort: "Cohort") -> "list[CohortPair]":
    """Return the pairs to be listed or reported.

    Prints which are reported unless a kind or a pair was chosen.
    """
    if options.to in _TABLES or options.pairs is not None or options.pair is not None:
        return chosen_pairs(cohort, options.session, options.pairs or "all", options.top, options.above)
    if options.has_choice:
        pairs, omitted = leading_pairs(cohort, options.session, options.top, options.above)
        messages = [_omitted_message(omitted, "all")]
    else:
        pairs = pairs_by_default(cohort, options.session)
        words = _(
            "{count} of {total} pairs are reported: those marked as copied and the first ones of the "
            "table. Choose others with --pairs, --top or --above."
        )
        message = words.format(count=f"{len(pairs):,}", total=f"{len(cohort.pairs):,}")
        messages = [message] if len(pairs) < len(cohort.pairs) else []
        messages.append(_omitted_message(len(pairs_decided(cohort.pairs, "fine")), "judged"))
    if any(messages):
        typer.echo(joined_sentences(filter(None, messages)), err=True)
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
