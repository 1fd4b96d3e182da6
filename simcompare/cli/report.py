"""`simcompare report`: write a table of the pairs of a session, one report or a bundle of reports."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcompare.cli.anonymity_options import (
    AnonymousSession,
    ReplacedWords,
    StudentList,
    read_student_list,
    session_pseudonyms,
)
from simcompare.cli.options import Language, checked_choice, percentage_above
from simcompare.cli.output import INPUT_FAILED, check_bundle_output, check_suffix, print_error, progress_bar
from simcompare.cli.pair_choice import check_kind, named_files, named_pair, session_labels
from simcompare.cli.report_writing import (
    ReportOptions,
    SessionReportFormat,
    deliver_bundle,
    deliver_report,
    deliver_table,
)
from simcompare.export.output_paths import BUNDLE, TABLE, check_output, suggested_name, unused_path
from simcompare.export.reported_pairs import IS_OF_KIND
from simcompare.model.errors import FileError, SimcompareError
from simcompare.support.atomic_file import change_stamp
from simcompare.support.clock import now
from simcompare.support.display_text import distinct_labels
from simcompare.support.i18n import N_, _
from simcompare.support.interrupts import interruptible

if TYPE_CHECKING:
    from simcompare.cohort.cohort_data import Cohort, CohortDocuments
    from simcompare.cohort.sessions.session_class import SessionClass
    from simcompare.model.settings import ComparisonSettings
    from simcompare.pseudonyms.pseudonyms import Pseudonyms
    from simcompare.session.session_data import Session

_TABLES = frozenset({"csv", "xlsx"})


class TooFewTextsError(FileError):
    """A session has fewer than two texts that can be compared."""

    template = N_("{name} holds fewer than two texts that can be compared. Add documents and save it again.")


class NotReadYetError(FileError):
    """A document was not read yet when the session was saved."""

    template = N_(
        "{name} was not read yet when the session was saved. Open the session in the window, wait until "
        "it is read, and save it again."
    )


class PairOrChoiceError(SimcompareError):
    """--pair was given together with options that choose pairs."""

    template = N_("Name one pair with --pair, or choose pairs with --pairs, --top and --above, not both.")


def report_command(  # noqa: PLR0913, PLR0917 - a parameter is an option of the command
    session: Annotated[
        Path,
        typer.Argument(metavar="SESSION", help=N_("A session saved by simcompare."), show_default=False),
    ],
    to: Annotated[
        SessionReportFormat, typer.Option(help=N_("A table of the pairs (csv, xlsx), or reports of pairs."))
    ] = "html",
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="PLACE",
            help=N_(
                "The file to write; for several reports, a folder or a .zip. By default next to the session."
            ),
        ),
    ] = None,
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="A B", help=N_("Report only this pair of documents.")),
    ] = None,
    pairs: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(IS_OF_KIND),
            help=N_(
                "Which pairs; judged are those with a decision or a note. By default a table lists all, "
                "and reports are made of those marked as copied and those with the largest shares, 20 in "
                "all. Without this option, pairs of no concern are left out."
            ),
            show_default=False,
        ),
    ] = None,
    top: Annotated[
        int | None, typer.Option(min=1, metavar="N", help=N_("Only the N pairs with the largest shares."))
    ] = None,
    above: Annotated[
        float | None,
        typer.Option(
            parser=percentage_above,
            metavar="PERCENT",
            help=N_("Only pairs in which the share of one text after exclusions is at least this."),
        ),
    ] = None,
    notes: Annotated[
        bool | None,
        typer.Option(
            "--notes/--no-notes",
            help=N_("Include your notes; by default yes, but not with --anonymous."),
            show_default=False,
        ),
    ] = None,
    anonymous: AnonymousSession = False,
    names: StudentList = None,
    replaced: ReplacedWords = None,
    language: Language = "",
) -> None:
    """Compare with the settings of the session; write the result with its decisions and notes."""
    if pairs is not None:
        checked_choice("--pairs", pairs, list(IS_OF_KIND))
    options = ReportOptions(
        session, to, output, pair, pairs, top, above, [] if names is None else [names], notes, anonymous
    )
    if pair is not None and options.has_choice:
        raise PairOrChoiceError
    students, stamp = read_student_list(anonymous, names, replaced), change_stamp(session)
    with progress_bar(_("Reading the session")):
        # loads numpy and the readers, after the options are checked
        from simcompare.session.session_reader import read_session  # noqa: PLC0415

        content = read_session(session)
    pseudonyms = session_pseudonyms(session, content, stamp, students) if anonymous else None
    _report(options, content, pseudonyms)


def _report(options: ReportOptions, content: "Session", pseudonyms: "Pseudonyms | None") -> None:
    from simcompare.session.session_reader import lost_thesaurus, usable_settings  # noqa: PLC0415
    from simcompare.text.thesaurus import load_thesaurus  # noqa: PLC0415

    settings = usable_settings(content)
    if lost := lost_thesaurus(content, settings):
        typer.echo(lost, err=True)
    load_thesaurus(settings.thesaurus)
    paths = [file.path for file in content.documents]
    indices = _document_indices(options, content, paths)
    is_pair = len(indices) == 2 and not options.has_choice
    is_single = is_pair and options.to not in _TABLES and not _is_zip(options.output)
    shown = session_labels(content)
    labels = shown if pseudonyms is None else distinct_labels(list(map(pseudonyms.path_of, paths)))
    pair = [labels[index] for index in indices] if is_single else None
    output = _output_path(options, content, pair, pseudonyms)
    # groups are numbered among all documents, so all pairs are compared
    compared = indices if is_single else range(len(paths))
    reported = {paths[index] for index in indices}
    from simcompare.cohort.sessions.session_class import SessionClass  # noqa: PLC0415

    documents = _prepared(options, content, settings, compared, reported)
    school_class = SessionClass(content, documents, settings)
    if is_single:
        cohort = _pair_cohort(school_class, distinct_labels(paths), indices)
    else:
        cohort = _compared_cohort(school_class, pseudonyms, reported)
    if pseudonyms is None:
        label_of = dict(zip(paths, shown, strict=True))
        names = tuple(label_of[each.document.path] for each in cohort.documents)
        cohort = replace(cohort, student_labels=names)
    if is_single:
        deliver_report(options, cohort, output, pseudonyms)
    else:
        deliver = deliver_table if options.to in _TABLES else deliver_bundle
        deliver(options, cohort, output)
    if documents.unread:
        raise typer.Exit(INPUT_FAILED)


def _document_indices(options: ReportOptions, content: "Session", paths: Sequence[Path]) -> Sequence[int]:
    """Return the indices of the reported documents; with --pair in the order of the names."""
    if len(paths) < 2:
        raise TooFewTextsError(options.session)
    if options.pair is not None:
        return named_pair(options.session, paths, options.pair, session_labels(content))
    if options.kind is not None:
        check_kind(content, options.session, options.kind)
    return range(len(paths))


def _is_zip(output: Path | None) -> bool:
    from simcompare.report.cohort.report_bundle import ZIP_SUFFIX  # noqa: PLC0415

    return output is not None and output.suffix.lower() == ZIP_SUFFIX


def _output_path(
    options: ReportOptions, content: "Session", pair: Sequence[str] | None, pseudonyms: "Pseudonyms | None"
) -> Path:
    """Return the output path; `pair`: labels of the two documents of a single report.

    Raises OutputError before the work starts.
    """
    from simcompare.report.cohort.report_bundle import pair_name  # noqa: PLC0415

    is_bundle = pair is None and options.to not in _TABLES and not options.is_top_pair
    if pair is not None:
        stem = pair_name(*pair)
    else:
        pattern = BUNDLE if is_bundle else TABLE
        stem = suggested_name(pattern, options.session.stem, anonymous=pseudonyms is not None)
    output = options.output or unused_path(
        options.session.parent, stem, "" if is_bundle else f".{options.to}"
    )
    inputs = [options.session, *options.lists, *named_files(content, output)]
    if is_bundle:
        check_bundle_output(output, inputs)
    else:
        check_output(output, inputs)
        check_suffix(output, options.to)
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
    from simcompare.cohort.session_preparation import prepare_session_documents  # noqa: PLC0415

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


def _pair_cohort(school_class: "SessionClass", labels: Sequence[str], indices: Sequence[int]) -> "Cohort":
    """Return a cohort with one pair, not compared yet; the document named first is the left one."""
    from simcompare.cohort.cohort_data import CohortPair  # noqa: PLC0415
    from simcompare.cohort.cohort_scoring import cohort_without_pairs  # noqa: PLC0415
    from simcompare.session.decisions import NO_REVIEW  # noqa: PLC0415

    documents = school_class.documents
    review = documents.reviews.get((0, 1), NO_REVIEW)
    is_mirrored = indices[0] > indices[1]
    pair = CohortPair(1, 0, None, review.mirrored) if is_mirrored else CohortPair(0, 1, None, review)
    cohort = cohort_without_pairs(documents, school_class.settings, now())
    return replace(
        cohort,
        pairs=(pair,),
        cohort_labels=tuple(labels[index] for index in sorted(indices)),
        exclusion_candidates=school_class.exclusion_candidates(),
    )


def _compared_cohort(
    school_class: "SessionClass", pseudonyms: "Pseudonyms | None", reported: Collection[Path]
) -> "Cohort":
    """Compare all pairs that count, for the groups, and return the cohort with the reported pairs."""
    from simcompare.cohort.cohort_scoring import make_cohort  # noqa: PLC0415
    from simcompare.redaction.redacted_cohort import anonymous_cohort  # noqa: PLC0415

    documents, settings, made_at = school_class.documents, school_class.settings, now()
    common, pairs = school_class.common_by_text(), school_class.pairs
    with progress_bar(_("Comparing")) as tick:
        cohort = interruptible(
            lambda stop: make_cohort(documents, settings, made_at, tick, stop, common, pairs)
        )
    cohort = school_class.with_groups(cohort)
    kept = {n for n, document in enumerate(cohort.documents) if document.document.path in reported}
    cohort = replace(cohort, pairs=tuple(pair for pair in cohort.pairs if {pair.left, pair.right} <= kept))
    return cohort if pseudonyms is None else anonymous_cohort(cohort, pseudonyms)
