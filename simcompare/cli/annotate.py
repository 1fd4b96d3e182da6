"""`simcompare annotate`: write copies of two compared files with their matches highlighted."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simcompare.cli.anonymity_options import (
    Anonymous,
    ReplacedWords,
    StudentList,
    new_pseudonyms,
    read_student_list,
)
from simcompare.cli.compare import chosen_settings, compare_prepared_documents, read_prepared_documents
from simcompare.cli.options import (
    KeepCommon,
    KeepNameLines,
    KeepQuotations,
    KeepReferences,
    Language,
    LeftFile,
    MinimumUnits,
    OwnWords,
    Password,
    Preset,
    Prompt,
    RightFile,
    RightWeight,
    SimilarWeight,
    ThesaurusName,
    WholePage,
    WithoutWords,
    outcome_of,
)
from simcompare.cli.output import INPUT_FAILED, print_error
from simcompare.export.output_paths import is_one_of
from simcompare.model.errors import SimcompareError, os_errors_as
from simcompare.support.atomic_file import write_atomically
from simcompare.support.clock import now
from simcompare.support.i18n import N_, _, current_language
from simcompare.support.interrupts import interrupts_blocked

if TYPE_CHECKING:
    from simcompare.pseudonyms.pseudonyms import Pseudonyms
    from simcompare.report.annotated.annotation_marks import AnnotatedCopy, Side
    from simcompare.report.evidence import Evidence

SideChoice = Literal["left", "right", "both"]
# 344 pages with all sentences marked take 5 seconds on an idle processor.
_SECONDS_PER_FILE = 600.0


class CopyNotWrittenError(SimcompareError):
    """An annotated copy cannot be written. Values: path, cause."""

    template = N_("{path} cannot be written: {cause}. Choose another folder with --output-dir.")


def annotate_command(  # noqa: PLR0913, PLR0917 - a parameter is an option of the command
    context: typer.Context,
    left: LeftFile,
    right: RightFile,
    output_dir: Annotated[
        Path,
        typer.Option(
            metavar="FOLDER",
            help=N_("The folder for the annotated copies; an earlier copy is replaced."),
            show_default=False,
        ),
    ],
    side: Annotated[SideChoice, typer.Option(help=N_("Which of the files to annotate."))] = "both",
    preset: Preset = "balanced",
    similar_weight: SimilarWeight = None,
    right_weight: RightWeight = None,
    thesaurus: ThesaurusName = None,
    without_words: WithoutWords = False,
    user_words: OwnWords = None,
    keep_quotations: KeepQuotations = False,
    keep_references: KeepReferences = False,
    keep_name_lines: KeepNameLines = False,
    keep_common: KeepCommon = False,
    minimum_units: MinimumUnits = None,
    prompt: Prompt = None,
    anonymous: Anonymous = False,
    names: StudentList = None,
    replaced: ReplacedWords = None,
    password: Password = None,
    whole_page: WholePage = False,
    language: Language = "",
) -> None:
    """Compare both files and write annotated copies."""
    settings = chosen_settings(context)
    # loads numpy and the readers, after the options are checked
    from simcompare.loading.extraction import ReadingOptions  # noqa: PLC0415
    from simcompare.report.evidence import Evidence  # noqa: PLC0415
    from simcompare.text.thesaurus import load_thesaurus  # noqa: PLC0415

    paths = [left, right] if prompt is None else [left, right, prompt]
    sides: list[Side] = ["left", "right"] if side == "both" else [side]
    originals = [left if chosen == "left" else right for chosen in sides]
    students = read_student_list(anonymous, names, replaced)
    _make_folder(output_dir)
    synonyms = load_thesaurus(settings.thesaurus)
    prepared_documents = read_prepared_documents(
        paths, settings.recipe, ReadingOptions(password, whole_page, user_words=user_words), language
    )
    documents = [prepared_document.document for prepared_document in prepared_documents[:2]]
    pseudonyms = new_pseudonyms(documents, students) if anonymous else None
    if pseudonyms is not None:
        originals = list(map(pseudonyms.path_of, originals))
    copy_paths = _copy_paths(originals, output_dir, paths)
    comparison = compare_prepared_documents(prepared_documents, settings, synonyms, None)
    evidence = Evidence(comparison, synonyms, now())
    _deliver(evidence, sides, copy_paths, password, pseudonyms)


def _make_folder(folder: Path) -> None:
    """Create the folder of the copies before the work starts. Raises CopyNotWrittenError."""
    with os_errors_as(CopyNotWrittenError, folder, (OSError, ValueError)):
        folder.mkdir(parents=True, exist_ok=True)


def _copy_paths(originals: Sequence[Path], folder: Path, inputs: Sequence[Path]) -> list[Path]:
    """Return the paths of the copies. Raises CopyNotWrittenError if one is an input file."""
    from simcompare.report.annotated.annotate import copy_names  # noqa: PLC0415

    paths = [folder / name for name in copy_names(originals)]
    for path in paths:
        with os_errors_as(CopyNotWrittenError, path, (OSError, ValueError)):
            if path.exists() and is_one_of(path, inputs):
                raise CopyNotWrittenError(path=path, cause=_("it is one of the files to read"))
    return paths


def _deliver(
    evidence: "Evidence",
    sides: "Sequence[Side]",
    copy_paths: Sequence[Path],
    password: str | None,
    pseudonyms: "Pseudonyms | None",
) -> None:
    """Write the copies; print their paths, the errors, and at the end the remarks on the copies."""
    from simcompare.report.annotated.annotate import remarks_in_words  # noqa: PLC0415
    from simcompare.report.annotated.annotation_marks import prepared_document_of  # noqa: PLC0415

    files = [prepared_document_of(evidence.comparison, side).document.path for side in sides]
    outcomes = _copies(evidence, sides, files, password, pseudonyms)
    remarks: list[str] = []
    for file, copy_path, outcome in zip(files, copy_paths, outcomes, strict=True):
        if isinstance(outcome, SimcompareError):
            print_error(outcome)
        else:
            _write(copy_path, outcome)
            remarks += remarks_in_words(outcome, file)
    for remark in remarks:
        typer.echo(remark, err=True)
    if any(isinstance(outcome, SimcompareError) for outcome in outcomes):
        raise typer.Exit(INPUT_FAILED)


def _write(copy_path: Path, copy: "AnnotatedCopy") -> None:
    from simcompare.report.annotated.annotate import placed_in_words  # noqa: PLC0415
    from simcompare.report.wording import named  # noqa: PLC0415

    with os_errors_as(CopyNotWrittenError, copy_path, (OSError, ValueError)):
        write_atomically(copy_path, lambda file: file.write(copy.data))
    typer.echo(named(str(copy_path), placed_in_words(copy)))


def _copies(
    evidence: "Evidence",
    sides: "Sequence[Side]",
    files: Sequence[Path],
    password: str | None,
    pseudonyms: "Pseudonyms | None",
) -> "list[AnnotatedCopy | SimcompareError]":
    """Annotate each file in a worker, which can be killed if it hangs or takes too much memory."""
    from simcompare.export.chunked_pickle import dump_chunked  # noqa: PLC0415
    from simcompare.export.export_tasks import render_copy, sendable_review  # noqa: PLC0415
    from simcompare.loading.workers.isolation import ReaderPool  # noqa: PLC0415 - loads pebble

    sendable = replace(evidence, review=sendable_review(evidence.review, with_notes=True))
    packed, language = dump_chunked((sendable, pseudonyms)), current_language()
    with ReaderPool(len(sides), _SECONDS_PER_FILE) as pool:
        with interrupts_blocked():
            futures = [
                pool.submit(render_copy, file, packed, side, language, password)
                for file, side in zip(files, sides, strict=True)
            ]
        return list(map(outcome_of, futures))
