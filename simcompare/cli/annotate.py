"""`simcompare annotate`: the compared files themselves, in copies with their matches highlighted."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from simcompare.cli.anonymity_options import Anonymous, StudentList, asked_list, new_pseudonyms
from simcompare.cli.command_runner import INPUT_FAILED, tell
from simcompare.cli.compare import chosen_settings, compared, read_prepared_documents
from simcompare.cli.options import (
    KeepNameLines,
    KeepQuotations,
    KeepReferences,
    Language,
    LeftFile,
    MinimumUnits,
    Password,
    Preset,
    Prompt,
    RightFile,
    RightWeight,
    SimilarWeight,
    ThesaurusName,
    WholePage,
    WithoutWords,
    deaf_to_interrupts,
    outcome_of,
)
from simcompare.model.errors import SimcompareError, os_errors_as
from simcompare.support.atomic_file import write_atomically
from simcompare.support.i18n import N_, _, current_language, set_language

if TYPE_CHECKING:
    from simcompare.pseudonyms.pseudonyms import Pseudonyms
    from simcompare.report.annotated.annotation_marks import Side
    from simcompare.report.annotated.copies import AnnotatedCopy
    from simcompare.report.evidence import Evidence

Asked = Literal["left", "right", "both"]
# 344 pages with all of their sentences marked take 5 on a processor of their own.
_SECONDS_A_FILE = 600.0


class CopyNotWrittenError(SimcompareError):
    """An annotated copy cannot be written where it was asked for. Values: path, cause."""

    template = N_("{path} cannot be written: {cause}. Choose another folder with --output-dir.")


def annotate_command(  # noqa: PLR0913, PLR0917 - a parameter is an option of the command
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
    side: Annotated[Asked, typer.Option(help=N_("Which of the files to annotate."))] = "both",
    preset: Preset = "balanced",
    similar_weight: SimilarWeight = None,
    right_weight: RightWeight = None,
    thesaurus: ThesaurusName = None,
    without_words: WithoutWords = False,
    keep_quotations: KeepQuotations = False,
    keep_references: KeepReferences = False,
    keep_name_lines: KeepNameLines = False,
    minimum_units: MinimumUnits = None,
    prompt: Prompt = None,
    anonymous: Anonymous = False,
    names: StudentList = None,
    password: Password = None,
    whole_page: WholePage = False,
    language: Language = "",
) -> None:
    """Compare both files and write a copy of each with its matched sentences highlighted and commented."""
    settings = chosen_settings(
        preset,
        similar_weight=similar_weight,
        right_weight=right_weight,
        without_words=without_words,
        thesaurus=thesaurus,
        keep_quotations=keep_quotations,
        keep_references=keep_references,
        keep_name_lines=keep_name_lines,
        minimum_units=minimum_units,
        prompt=prompt,
    )
    # numpy and the readers load when the command is known to be sound
    from simcompare.loading.extraction import ReadingOptions  # noqa: PLC0415
    from simcompare.report.evidence import Evidence  # noqa: PLC0415
    from simcompare.text.thesaurus import load_thesaurus  # noqa: PLC0415

    paths = [left, right] if prompt is None else [left, right, prompt]
    sides: list[Side] = ["left", "right"] if side == "both" else [side]
    originals = [left if one == "left" else right for one in sides]
    students = asked_list(anonymous, names)
    _make_folder(output_dir)
    synonyms = load_thesaurus(settings.thesaurus)
    prepared_documents = read_prepared_documents(
        paths, settings.recipe, ReadingOptions(password, whole_page), language
    )
    documents = [prepared_document.document for prepared_document in prepared_documents[:2]]
    pseudonyms = new_pseudonyms(documents, students) if anonymous else None
    if pseudonyms is not None:
        originals = list(map(pseudonyms.path_of, originals))
    places = _places(originals, output_dir, paths)
    comparison = compared(prepared_documents, settings, synonyms, None)
    evidence = Evidence(comparison, synonyms, datetime.now().astimezone())
    _deliver(evidence, sides, places, password, pseudonyms)


def _make_folder(folder: Path) -> None:
    """Make the folder of the copies; raises CopyNotWrittenError before the work is done for nothing."""
    with os_errors_as(CopyNotWrittenError, folder, (OSError, ValueError)):
        folder.mkdir(parents=True, exist_ok=True)


def _places(originals: Sequence[Path], folder: Path, inputs: Sequence[Path]) -> list[Path]:
    """Return where the copies go; raises CopyNotWrittenError for a place that is a file to read."""
    from simcompare.report.annotated.annotate import copy_names  # noqa: PLC0415

    places = [folder / name for name in copy_names(originals)]
    for place in places:
        with os_errors_as(CopyNotWrittenError, place, (OSError, ValueError)):
            if place.exists() and any(path.exists() and place.samefile(path) for path in inputs):
                raise CopyNotWrittenError(path=place, cause=_("it is one of the files to read"))
    return places


def _deliver(
    evidence: "Evidence",
    sides: "Sequence[Side]",
    places: Sequence[Path],
    password: str | None,
    pseudonyms: "Pseudonyms | None",
) -> None:
    """Write the copies, tell of each, and at the end of what must be known of them."""
    from simcompare.report.annotated.annotate import remarks_in_words  # noqa: PLC0415
    from simcompare.report.annotated.annotation_marks import prepared_document_of  # noqa: PLC0415

    outcomes = _copies(evidence, sides, password, pseudonyms)
    remarks: list[str] = []
    for side, place, outcome in zip(sides, places, outcomes, strict=True):
        if isinstance(outcome, SimcompareError):
            tell(outcome)
        else:
            _write(place, outcome)
            remarks += remarks_in_words(
                outcome, prepared_document_of(evidence.comparison, side).document.path
            )
    for remark in remarks:
        typer.echo(remark, err=True)
    if any(isinstance(outcome, SimcompareError) for outcome in outcomes):
        raise typer.Exit(INPUT_FAILED)


def _write(place: Path, copy: "AnnotatedCopy") -> None:
    from simcompare.report.annotated.annotate import placed_in_words  # noqa: PLC0415
    from simcompare.report.wording import named  # noqa: PLC0415

    with os_errors_as(CopyNotWrittenError, place, (OSError, ValueError)):
        write_atomically(place, lambda file: file.write(copy.data))
    typer.echo(named(str(place), placed_in_words(copy)))


def _copies(
    evidence: "Evidence", sides: "Sequence[Side]", password: str | None, pseudonyms: "Pseudonyms | None"
) -> "list[AnnotatedCopy | SimcompareError]":
    """Annotate each side in a process of its own, which a hang or a flood of memory cannot outlive."""
    from simcompare.loading.workers.isolation import ReaderPool  # noqa: PLC0415 - loads pebble

    work = _anonymous_work(evidence, sides, pseudonyms) if pseudonyms else _work(evidence, sides)
    language = current_language()  # in which pseudonyms are called
    with ReaderPool(len(sides), _SECONDS_A_FILE, set_language, (language,)) as pool:
        with deaf_to_interrupts():
            futures = [pool.submit(*arguments, password) for arguments in work]
        return list(map(outcome_of, futures))


def _work(evidence: "Evidence", sides: "Sequence[Side]") -> list[tuple[Any, ...]]:
    """Return for each side what makes its copy, and of what, but for the password."""
    from simcompare.report.annotated.annotate import annotated_copy  # noqa: PLC0415
    from simcompare.report.annotated.annotation_marks import marks_of, prepared_document_of  # noqa: PLC0415

    documents = [prepared_document_of(evidence.comparison, side).document for side in sides]
    return [
        (annotated_copy, one.path, one, marks_of(evidence, side))
        for one, side in zip(documents, sides, strict=True)
    ]


def _anonymous_work(
    evidence: "Evidence", sides: "Sequence[Side]", pseudonyms: "Pseudonyms"
) -> list[tuple[Any, ...]]:
    from simcompare.redaction.anonymous_copies import anonymous_copy  # noqa: PLC0415
    from simcompare.redaction.redacted_evidence import anonymous_evidence, anonymous_marks  # noqa: PLC0415
    from simcompare.report.annotated.annotation_marks import prepared_document_of  # noqa: PLC0415

    told = anonymous_evidence(evidence, pseudonyms)
    documents = [prepared_document_of(evidence.comparison, side).document for side in sides]
    return [
        (anonymous_copy, one.path, one, anonymous_marks(evidence, told, side), pseudonyms)
        for one, side in zip(documents, sides, strict=True)
    ]
