"""`simcompare evaluate`: the papers' experiments on a folder of documents."""

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from simcompare.cli.options import Output, TextOrJson, argument, option, read_files, typer_command
from simcompare.cli.output import INPUT_FAILED, deliver, print_error, progress_bar
from simcompare.export.output_paths import OutputError, check_output
from simcompare.model.errors import (
    FileError,
    FileNotReadableError,
    SimcompareError,
    UnknownRecipeError,
    cause_of,
)
from simcompare.support.i18n import N_, _

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
