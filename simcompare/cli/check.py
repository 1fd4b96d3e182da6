"""`simcompare check`: compare the essays of a class with each other, and with earlier work."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simcompare.cli.command_runner import INPUT_FAILED, print_error
from simcompare.cli.options import Language, Output, Password, percentage_above, read_files
from simcompare.cli.output import deliver, progress_bar
from simcompare.export.output_paths import check_output
from simcompare.model.errors import FileError, SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.support.i18n import N_, _
from simcompare.support.interrupts import interruptible

if TYPE_CHECKING:
    from simcompare.cohort.class_check import ClassCheck, ClassFiles
    from simcompare.cohort.cohort_data import UnreadDocument
    from simcompare.cohort.students.submitted_files import SubmittedFiles
    from simcompare.comparison.prepared_document import PreparedDocument
    from simcompare.pseudonyms.students import Student

CheckFormat = Literal["text", "json", "csv"]


class NothingToCompareError(SimcompareError):
    """There are not two documents that are to be compared with each other."""

    template = N_(
        "There are fewer than two essays of different students to compare. Name a folder, a zip archive or "
        "several files."
    )


def check_command(  # noqa: PLR0913, PLR0917 - a parameter is an option of the command
    places: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER|ZIP|FILE...",
            help=N_("What the students handed in: folders, zip archives or files."),
            show_default=False,
        ),
    ],
    templates: Annotated[
        list[Path] | None,
        typer.Option(
            "--template",
            metavar="FILE",
            help=N_("Exclude sentences that match a sentence of this template; may be repeated."),
            show_default=False,
        ),
    ] = None,
    old: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PLACE",
            help=N_(
                "Earlier work, a folder, zip archive or file: compared with the class and not with "
                "itself; may be repeated."
            ),
            show_default=False,
        ),
    ] = None,
    roster: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=N_(
                "The class list: a text, CSV or Excel file. By default one that is found among the files."
            ),
            show_default=False,
        ),
    ] = None,
    keep_common: Annotated[
        bool, typer.Option("--keep-common", help=N_("Count sentences that are common to the class."))
    ] = False,
    above: Annotated[
        float | None,
        typer.Option(
            parser=percentage_above,
            metavar="PERCENT",
            help=N_(
                "Only pairs in which the share of one text is at least this. By default, text lists the "
                "unusual pairs, and the other formats list all."
            ),
        ),
    ] = None,
    to: Annotated[CheckFormat, typer.Option(help=N_("Format of the result."))] = "text",
    output: Output = None,
    password: Password = None,
    language: Language = "",
) -> None:
    """Read every file, compare the current documents of the students, and write what is unusual."""
    # load the readers and numpy, which --help does not need
    from simcompare.cohort.class_check import check_class  # noqa: PLC0415
    from simcompare.cohort.students.submitted_files import submitted_files  # noqa: PLC0415

    template_paths = list(dict.fromkeys(templates or ()))
    submitted, earlier = submitted_files(places), submitted_files(old or ())
    lists = submitted.rosters if roster is None else (roster,)
    check_output(output, [*places, *template_paths, *(old or ()), *lists, *submitted.documents])
    students = _listed(lists)
    settings = ComparisonSettings(
        exclude_common=not keep_common, prompt=str(template_paths[0]) if template_paths else None
    )
    left_out = {path.resolve() for path in (*template_paths, *lists)}
    submitted = replace(
        submitted, documents=tuple(path for path in submitted.documents if path.resolve() not in left_out)
    )
    files = _read(submitted, earlier, template_paths, settings, password, language)
    files = replace(files, listed=students)
    unread = (*files.unread, *files.unread_old)
    if to != "text" or output is not None:
        _print_errors(unread)
    now = datetime.now().astimezone()
    with progress_bar(_("Comparing")) as tick:
        check = interruptible(lambda stop: check_class(files, settings, now, tick, stop))
    if not check.cohort.pairs:
        if not unread:
            raise NothingToCompareError
        if to == "text" and output is None:
            _print_errors(unread)
        raise typer.Exit(INPUT_FAILED)
    deliver(_result(check, to, above), output)
    if unread or check.uncompared:
        raise typer.Exit(INPUT_FAILED)


def _listed(lists: Iterable[Path]) -> "tuple[Student, ...]":
    """Return the students of all class lists. Raises the errors of reading a list."""
    from simcompare.pseudonyms.roster import read_students  # noqa: PLC0415 - loads the segmenter

    return tuple(dict.fromkeys(student for path in lists for student in read_students(path)))


def _read(
    submitted: "SubmittedFiles",
    earlier: "SubmittedFiles",
    templates: Sequence[Path],
    settings: ComparisonSettings,
    password: str | None,
    language: str,
) -> "ClassFiles":
    """Read and prepare all files in worker processes. Raises the error of a template."""
    from simcompare.cohort.class_check import ClassFiles  # noqa: PLC0415
    from simcompare.cohort.document_preparation import read_prepared_document  # noqa: PLC0415
    from simcompare.loading.extraction import ReadingOptions  # noqa: PLC0415

    paths = [*submitted.documents, *earlier.documents, *templates]
    outcomes = read_files(
        read_prepared_document, paths, settings.recipe, ReadingOptions(password), language=language
    )
    first, second = len(submitted.documents), len(submitted.documents) + len(earlier.documents)
    read_templates, lost = _parted(templates, outcomes[second:])
    for document in lost:
        if document.error is not None:
            raise document.error
    own, unread = _parted(submitted.documents, outcomes[:first], submitted.refused)
    old, unread_old = _parted(earlier.documents, outcomes[first:second], earlier.refused)
    return ClassFiles(own, old, read_templates, unread, unread_old)


def _parted(
    paths: Sequence[Path],
    outcomes: "Sequence[PreparedDocument | SimcompareError]",
    refused: Sequence[FileError] = (),
) -> "tuple[tuple[PreparedDocument, ...], tuple[UnreadDocument, ...]]":
    """Return the documents that were read, and the others with their errors."""
    from simcompare.cohort.cohort_data import UnreadDocument  # noqa: PLC0415 - loads numpy

    read = tuple(outcome for outcome in outcomes if not isinstance(outcome, SimcompareError))
    failed = [
        UnreadDocument(path, outcome)
        for path, outcome in zip(paths, outcomes, strict=True)
        if isinstance(outcome, SimcompareError)
    ]
    return read, (*failed, *(UnreadDocument(error.path, error) for error in refused))


def _print_errors(unread: "Iterable[UnreadDocument]") -> None:
    for document in unread:
        if document.error is not None:
            print_error(document.error)


def _result(check: "ClassCheck", to: CheckFormat, above: float | None) -> str | bytes:
    from simcompare.report.cohort.check_json import check_as_dict  # noqa: PLC0415 - loads numpy
    from simcompare.report.cohort.check_text import check_as_text  # noqa: PLC0415
    from simcompare.report.cohort.cohort_rows import pairs_as_csv  # noqa: PLC0415
    from simcompare.report.comparison_json import as_json  # noqa: PLC0415

    least = None if above is None else above / 100
    if to == "text":
        return check_as_text(check, least)
    if to == "json":
        return as_json(check_as_dict(check, least or 0.0))
    return pairs_as_csv(check.above(least or 0.0).cohort)
