"""`simcompare batch`: many pairs of files, on all processors, a result for each."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simcompare import __version__
from simcompare.cli.command_runner import INPUT_FAILED, tell
from simcompare.cli.options import Language, Password, WholePage, checked_choice
from simcompare.model.errors import (
    DamagedFileError,
    EmptyFileError,
    FileError,
    FileNotReadableError,
    os_errors_as,
)
from simcompare.model.settings import PRESETS
from simcompare.support.i18n import N_, _

if TYPE_CHECKING:
    from simcompare.cli.batch_results import Results


class PairLineError(FileError):
    """A line of the list of pairs that does not hold two names. Values: line."""

    template = N_(
        "{name}, line {line}: there must be two file names, with blanks between them, "
        "or with a tab where a name has blanks."
    )


def batch_command(  # noqa: PLR0913, PLR0917 - a parameter is an option of the command
    pairs: Annotated[
        Path,
        typer.Argument(metavar="PAIRS", help=N_("A text with two file names a line."), show_default=False),
    ],
    left_dir: Annotated[
        Path,
        typer.Argument(
            metavar="LEFT_DIR", help=N_("The folder with the first file of each pair."), show_default=False
        ),
    ],
    right_dir: Annotated[
        Path,
        typer.Argument(
            metavar="RIGHT_DIR", help=N_("The folder with the second file of each pair."), show_default=False
        ),
    ],
    to: Annotated[
        Literal["pan", "jsonl"],
        typer.Option(
            help=N_("Form of the results: an XML file a pair as in PAN, or a JSON object a line."),
            show_default=False,
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            metavar="PLACE",
            help=N_("The folder (pan) or the file (jsonl) of the results; what is finished there stays."),
            show_default=False,
        ),
    ],
    preset: Annotated[str, typer.Option(metavar="NAME", help=N_("Settings to compare with."))] = "balanced",
    workers: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help=N_("Processes that work; as many as processors by default.")),
    ] = None,
    password: Password = None,
    whole_page: WholePage = False,
    language: Language = "",
) -> None:
    """Compare every pair; a file that fails is told once and costs its own pairs alone."""
    begun = time.monotonic()
    settings = PRESETS[checked_choice("--preset", preset, list(PRESETS))]
    names = _read_pairs(pairs)
    for folder in (left_dir, right_dir):
        _check_folder(folder)
    # load the readers, numpy and rapidfuzz, which the help does without
    from simcompare.cli.batch_results import DetectionFolder, JsonLinesFile  # noqa: PLC0415
    from simcompare.cli.batch_run import run_batch  # noqa: PLC0415
    from simcompare.evaluation.batch_worker import BatchPlan, FilePair  # noqa: PLC0415
    from simcompare.loading.extraction import ReadingOptions  # noqa: PLC0415

    made_by = f"simcompare {__version__} {preset}{' whole-page' if whole_page else ''}"
    plan = BatchPlan(left_dir, right_dir, to, settings, ReadingOptions(password, whole_page), made_by)
    asked = [FilePair(*pair) for pair in names]
    results: Results
    if to == "pan":
        results = DetectionFolder(output, asked, plan.made_by)
    else:
        inputs = [pairs, *(path for pair in asked for path in plan.paths(pair))]
        results = JsonLinesFile(output, asked, plan.made_by, inputs)
    waiting = [pair for pair in asked if pair not in results.finished]
    with results:
        found, errors = run_batch(waiting, plan, results, workers or os.cpu_count() or 1, language)
    for error in errors:
        tell(error)
    found |= results.finished
    summary = _(
        "{pairs} pairs: {found} with passages, {failed} failed, {resumed} finished before; {seconds} seconds"
    ).format(
        pairs=len(asked),
        found=sum(map(bool, found.values())),
        failed=len(asked) - len(found),
        resumed=len(results.finished),
        seconds=f"{time.monotonic() - begun:.1f}",
    )
    typer.echo(summary)
    if errors:
        raise typer.Exit(INPUT_FAILED)


def _read_pairs(path: Path) -> list[tuple[str, str]]:
    """Return the pairs of names, each once."""
    with os_errors_as(FileNotReadableError, path):
        data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DamagedFileError(path, cause=N_("it is not UTF-8 text")) from error
    pairs = [
        _names(path, number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()
    ]
    if not pairs:
        raise EmptyFileError(path)
    return list(dict.fromkeys(pairs))


def _names(path: Path, number: int, line: str) -> tuple[str, str]:
    # a name may hold other blanks than these, as Chinese ones do
    parts = [part.strip(" \r") for part in line.split("\t")]
    if len(parts) == 1:
        parts = parts[0].split()
    if len(parts) != 2 or not all(parts) or "\0" in line:
        raise PairLineError(path, line=number)
    return parts[0], parts[1]


def _check_folder(folder: Path) -> None:
    with os_errors_as(FileNotReadableError, folder):
        os.scandir(folder).close()
