"""`simcompare batch` and `simcompare evaluate`: pairs in the format of PAN, and the experiments."""

import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from simcompare import __version__
from simcompare.cli.options import (
    FileOptions,
    Meaning,
    Output,
    OwnWords,
    TextOrJson,
    argument,
    option,
    preset_settings,
    read_files,
    typer_command,
    word_lists,
)
from simcompare.cli.output import INPUT_FAILED, deliver, print_error, progress_bar
from simcompare.export.output_paths import OutputError, check_output
from simcompare.model.errors import (
    DamagedFileError,
    EmptyFileError,
    FileError,
    FileNotReadableError,
    SimcompareError,
    UnknownRecipeError,
    cause_of,
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
    from simcompare.evaluation.batch_run import DetectionFolder, JsonLinesFile, run_batch  # noqa: PLC0415
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


Value = TypeVar("Value")

_DEFAULT_METHODS = "shingle,traditional,improved"
# hidden files, and temporary files of word processors
_HIDDEN = (".", "~$")


class WrongNumbersError(SimcompareError):
    template = N_(
        "{option} cannot be {value}. Give positive whole numbers separated by commas, such as 1,2,4."
    )


class NothingToFindError(FileError):
    template = N_(
        "{name} has no sub-folder with two documents that can be read: put each topic, "
        "or a text with its near-copies, into a sub-folder of its own."
    )


def _numbers(value: str) -> str:
    """Check a list of numbers before files are read."""
    parts = value.split(",")
    if not all(part.strip().isdecimal() and int(part) > 0 for part in parts):
        raise WrongNumbersError(option="--threads", value=value)
    return value


def _known_methods(value: str) -> str:
    # loads numpy and the segmenter
    from simcompare.evaluation.retrieval import METHOD_NAMES  # noqa: PLC0415

    for name in _split(value, str):
        if name not in METHOD_NAMES:
            raise UnknownRecipeError(recipe=name, known=", ".join(METHOD_NAMES))
    return value


def _split(value: str, kind: Callable[[str], Value]) -> list[Value]:
    """Return the comma-separated values without repetitions."""
    return list(dict.fromkeys(kind(part.strip()) for part in value.split(",")))


@typer_command(N_("Measure how well and how fast near-copies in a folder are found."))
def evaluate_command(  # noqa: PLR0913 - a parameter is an option of the command
    *,
    folder: Annotated[
        Path,
        argument(
            N_("A folder with a sub-folder for each topic or each text with its near-copies."), "FOLDER"
        ),
    ],
    recipes: Annotated[
        str,
        option(
            N_("Recipes to evaluate, separated by commas; also shingle and improved/collection."),
            "NAMES",
            callback=_known_methods,
        ),
    ] = _DEFAULT_METHODS,
    k: Annotated[int, option(N_("Bits in which near-copies may differ."), "K", "--k", min=0, max=64)] = 3,
    resemblance: Annotated[
        float, option(N_("Least resemblance of near-copies found by shingle."), "X", min=0, max=1)
    ] = 0.5,
    threads: Annotated[
        str,
        option(
            N_("Numbers of threads to time the matrix with, separated by commas."),
            "NUMBERS",
            callback=_numbers,
        ),
    ] = "1,2,4,8",
    to: TextOrJson = "text",
    output: Output = None,
    plot: Annotated[Path | None, option(N_("Draw the figures into this SVG file."), "FILE")] = None,
) -> None:
    """Evaluate on the documents that can be read; print the errors of the others."""
    # load the readers, numpy and rapidfuzz, which --help does not need
    from simcompare.evaluation.experiment import (  # noqa: PLC0415  # noqa: PLC0415
        ExperimentPlan,
        evaluation_as_dict,
        evaluation_as_text,
        evaluation_charts,
        read_text,
        render_svg,
        run_experiment,
    )
    from simcompare.report.comparison_json import as_json  # noqa: PLC0415

    files, failed = _files(folder)
    for path in (output, plot):
        check_output(path, list(files))
    if output is not None and plot is not None and output.resolve() == plot.resolve():
        raise OutputError(path=plot, cause=_("the tables go there"))
    outcomes = read_files(read_text, list(files)) if files else []
    failed += [outcome for outcome in outcomes if isinstance(outcome, SimcompareError)]
    for error in failed:
        print_error(error)
    read = {
        path: outcome
        for path, outcome in zip(files, outcomes, strict=True)
        if not isinstance(outcome, SimcompareError)
    }
    groups = [files[path] for path in read]
    if max(Counter(filter(None, groups)).values(), default=0) < 2:
        raise NothingToFindError(folder)
    plan = ExperimentPlan(_split(recipes, str), k, resemblance, _split(threads, int))
    evaluation = run_experiment(list(read.values()), groups, plan, progress_bar)
    deliver(
        as_json(evaluation_as_dict(evaluation)) if to == "json" else evaluation_as_text(evaluation) + "\n",
        output,
    )
    if plot is not None:
        deliver(render_svg(evaluation_charts(evaluation)), plot)
    if failed:
        raise typer.Exit(INPUT_FAILED)


def _files(folder: Path) -> tuple[dict[Path, str | None], list[SimcompareError]]:
    """Return each file below the folder with its group, and the errors of unreadable sub-folders.

    The group is the name of the top-level sub-folder; files directly in the folder have none. Raises
    FileNotReadableError if the folder itself cannot be read.
    """
    files: dict[Path, str | None] = {}
    failed: list[SimcompareError] = []

    def note(error: OSError) -> None:
        failed.append(FileNotReadableError(error.filename, cause=cause_of(error)))
        if Path(error.filename) == folder:
            raise failed[-1]

    for parent, folders, names in os.walk(folder, onerror=note):
        folders[:] = sorted(name for name in folders if not name.startswith(_HIDDEN))
        below = Path(parent).relative_to(folder).parts
        for name in sorted(name for name in names if not name.startswith(_HIDDEN)):
            files[Path(parent, name)] = below[0] if below else None
    return files, failed
