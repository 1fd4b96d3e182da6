"""`simcompare batch`: compare many pairs of files in parallel."""

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simcompare import __version__
from simcompare.cli.options import (
    FileOptions,
    Meaning,
    OwnWords,
    argument,
    option,
    preset_settings,
    read_files,
    typer_command,
    word_lists,
)
from simcompare.cli.output import INPUT_FAILED, print_error, progress_bar
from simcompare.model.errors import (
    DamagedFileError,
    EmptyFileError,
    FileError,
    FileNotReadableError,
    SimcompareError,
    os_errors_as,
)
from simcompare.support.i18n import N_, _, current_language

if TYPE_CHECKING:
    from simcompare.evaluation.batch_run import BatchResults


class PairLineError(FileError):
    template = N_(
        "{name}, line {line}: there must be two file names, separated by spaces, or by a tab if a "
        "name contains spaces."
    )


@typer_command(N_("Find the similar passages in many pairs of files."))
def batch_command(  # noqa: PLR0913 - a parameter is an option of the command
    *,
    pairs: Annotated[Path, argument(N_("A text file with two file names per line."), "PAIRS")],
    left_dir: Annotated[Path, argument(N_("The folder with the first file of each pair."), "LEFT_DIR")],
    right_dir: Annotated[Path, argument(N_("The folder with the second file of each pair."), "RIGHT_DIR")],
    to: Annotated[
        Literal["pan", "jsonl"],
        option(N_("Format: one XML file per pair, as in PAN, or one JSON object per line.")),
    ],
    output: Annotated[
        Path,
        option(N_("Folder (pan) or file (jsonl) for the results; finished results in it are kept."), "PLACE"),
    ],
    preset: Annotated[str, option(N_("Settings to compare with."), "NAME")] = "balanced",
    workers: Annotated[
        int | None, option(N_("Number of processes; by default one per processor."), "N", min=1)
    ] = None,
    user_words: OwnWords = None,
    meaning: Meaning = None,
    reading: FileOptions,
) -> None:
    """Compare every pair; a file that cannot be read gives one error and fails only its own pairs."""
    start = time.monotonic()
    settings = replace(preset_settings(preset, meaning=meaning), user_words=user_words)
    names = _read_pairs(pairs)
    for folder in (left_dir, right_dir):
        with os_errors_as(FileNotReadableError, folder):
            os.scandir(folder).close()
    # load the readers, numpy and rapidfuzz, which --help does not need
    from simcompare.cohort.document_preparation import PRELOADED_READERS  # noqa: PLC0415
    from simcompare.evaluation.batch_run import (  # noqa: PLC0415
        DetectionFolder,
        JsonLinesFile,
        run_batch,
    )
    from simcompare.evaluation.batch_worker import BatchPair, BatchPlan, check_file  # noqa: PLC0415
    from simcompare.support.workers.worker_process import fork_server_here  # noqa: PLC0415

    made_by = f"simcompare {__version__} {preset}{' whole-page' if reading.whole_page else ''}"
    made_by += f" words-{user_words.digest}" if user_words else ""
    made_by += " meaning" if settings.meaning else ""
    plan = BatchPlan(left_dir, right_dir, to, settings, reading.options(), made_by)
    requested = [BatchPair(*pair) for pair in names]
    results: BatchResults
    if to == "pan":
        results = DetectionFolder(output, requested, plan.made_by)
    else:
        inputs = [pairs, *word_lists(user_words), *(path for pair in requested for path in plan.paths(pair))]
        results = JsonLinesFile(output, requested, plan.made_by, inputs)
    waiting = [pair for pair in requested if pair not in results.finished]

    if waiting:
        fork_server_here(PRELOADED_READERS)

    def check_files(paths: Sequence[Path]) -> list[SimcompareError | None]:
        return read_files(check_file, paths, settings, plan.options)

    with results, progress_bar(_("Comparing")) as tick:
        passage_counts, errors = run_batch(
            waiting,
            plan,
            results,
            workers or os.cpu_count() or 1,
            current_language(),
            tick=tick,
            check_files=check_files,
        )
    for error in errors:
        print_error(error)
    passage_counts |= results.finished
    summary = _(
        "{pairs} pairs: {found} with passages, {failed} failed, {resumed} finished before; {seconds} seconds"
    ).format(
        pairs=len(requested),
        found=sum(map(bool, passage_counts.values())),
        failed=len(requested) - len(passage_counts),
        resumed=len(results.finished),
        seconds=f"{time.monotonic() - start:.1f}",
    )
    typer.echo(summary)
    if errors:
        raise typer.Exit(INPUT_FAILED)


def _read_pairs(path: Path) -> list[tuple[str, str]]:
    """Return the pairs of names in a file, without repetitions."""
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
    # other whitespace, such as the ideographic space, may be part of a name
    parts = [part.strip(" \r") for part in line.split("\t")]
    if len(parts) == 1:
        parts = parts[0].split()
    if len(parts) != 2 or not all(parts) or "\0" in line:
        raise PairLineError(path, line=number)
    return parts[0], parts[1]
