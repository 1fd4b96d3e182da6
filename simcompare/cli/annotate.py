"""`simcompare annotate`: write copies of two compared files with their matches highlighted."""

# ruff: noqa: PLC0415 - numpy and the readers are loaded after the options are checked

from collections.abc import Sequence
from dataclasses import replace
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simcompare.cli.anonymity_options import AnonymityOptions, new_pseudonyms
from simcompare.cli.compare import chosen_settings, compare_prepared_documents, read_prepared_documents
from simcompare.cli.options import (
    ExclusionOptions,
    FileOptions,
    LeftFile,
    MatchingOptions,
    RightFile,
    option,
    outcome_of,
    typer_command,
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
    from simcompare.report.annotated.annotation_marks import Side
    from simcompare.report.evidence import Evidence

SideChoice = Literal["left", "right", "both"]
# 344 pages with all sentences marked take 5 seconds on an idle processor.
_SECONDS_PER_FILE = 600.0


class CopyNotWrittenError(SimcompareError):
    template = N_("{path} cannot be written: {cause}. Choose another folder with --output-dir.")


@typer_command(N_("Compare two files and write copies with the matches highlighted and commented."))
def annotate_command(  # noqa: PLR0913 - a parameter is an option of the command
    *,
    left: LeftFile,
    right: RightFile,
    output_dir: Annotated[
        Path, option(N_("The folder for the annotated copies; an earlier copy is replaced."), "FOLDER")
    ],
    side: Annotated[SideChoice, option(N_("Which of the files to annotate."))] = "both",
    matching: MatchingOptions,
    exclusions: ExclusionOptions,
    anonymity: AnonymityOptions,
    reading: FileOptions,
) -> None:
    settings = chosen_settings(matching, exclusions)
    from simcompare.report.evidence import Evidence
    from simcompare.text.thesaurus import load_thesaurus

    paths = [left, right, *exclusions.prompts]
    sides: list[Side] = ["left", "right"] if side == "both" else [side]
    originals = [left if chosen == "left" else right for chosen in sides]
    students = anonymity.students()
    with os_errors_as(CopyNotWrittenError, output_dir, (OSError, ValueError)):
        output_dir.mkdir(parents=True, exist_ok=True)
    synonyms = load_thesaurus(settings.thesaurus)
    prepared_documents = read_prepared_documents(paths, settings, reading)
    documents = [prepared_document.document for prepared_document in prepared_documents[:2]]
    pseudonyms = new_pseudonyms(documents, students, anonymity.lists) if anonymity.anonymous else None
    if pseudonyms is not None:
        originals = list(map(pseudonyms.path_of, originals))
    copy_paths = _copy_paths(originals, output_dir, paths)
    comparison = compare_prepared_documents(prepared_documents, settings, synonyms, None)
    evidence = Evidence(comparison, synonyms, now())
    _deliver(evidence, sides, copy_paths, reading.password, pseudonyms)


def _copy_paths(originals: Sequence[Path], folder: Path, inputs: Sequence[Path]) -> list[Path]:
    """Return the paths of the copies. Raises CopyNotWrittenError if one is an input file."""
    from simcompare.report.annotated.annotate import copy_names

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
    """Write the copies; print their paths, the errors, and at the end the remarks on the copies.

    Each is made in a worker, which can be killed if it hangs or takes too much memory.
    """
    from simcompare.export.export_tasks import dump_chunked, render_copy, sendable_review
    from simcompare.loading.workers.isolation import ReaderPool
    from simcompare.report.annotated.annotate import placed_in_words, remarks_in_words
    from simcompare.report.annotated.annotation_marks import prepared_document_of
    from simcompare.report.wording import named

    files = [prepared_document_of(evidence.comparison, side).document.path for side in sides]
    sendable = replace(evidence, review=sendable_review(evidence.review, with_notes=True))
    packed, language = dump_chunked((sendable, pseudonyms)), current_language()
    with ReaderPool(len(sides), _SECONDS_PER_FILE) as pool:
        with interrupts_blocked():
            futures = [
                pool.submit(render_copy, file, packed, side, language, password)
                for file, side in zip(files, sides, strict=True)
            ]
        outcomes = list(map(outcome_of, futures))
    remarks: list[str] = []
    for file, copy_path, outcome in zip(files, copy_paths, outcomes, strict=True):
        if isinstance(outcome, SimcompareError):
            print_error(outcome)
            continue
        with os_errors_as(CopyNotWrittenError, copy_path, (OSError, ValueError)):
            write_atomically(copy_path, methodcaller("write", outcome.data))
        typer.echo(named(str(copy_path), placed_in_words(outcome)))
        remarks += remarks_in_words(outcome, file)
    for remark in remarks:
        typer.echo(remark, err=True)
    if any(isinstance(outcome, SimcompareError) for outcome in outcomes):
        raise typer.Exit(INPUT_FAILED)
