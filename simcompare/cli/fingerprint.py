"""`simcompare fingerprint`: print the fingerprint of each file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcompare.cli.options import (
    FileOptions,
    Output,
    OwnWords,
    Recipe,
    TextOrJson,
    read_files,
    typer_command,
    word_lists,
)
from simcompare.cli.output import INPUT_FAILED, deliver, print_error
from simcompare.export.output_paths import check_output
from simcompare.model.errors import SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.support.i18n import N_

if TYPE_CHECKING:
    from simcompare.loading.extraction import ReadingOptions


@typer_command(N_("Print the fingerprint of each file."))
def fingerprint_command(
    *,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help=N_("The files."), show_default=False)
    ],
    recipe: Recipe = None,
    user_words: OwnWords = None,
    to: TextOrJson = "text",
    output: Output = None,
    reading: FileOptions,
) -> None:
    """Print the fingerprints of the files that can be read, and the errors of the others."""
    from simcompare.report.comparison_json import as_json  # noqa: PLC0415 - loads numpy

    check_output(output, [*files, *word_lists(user_words)])
    recipe = recipe or ComparisonSettings().recipe
    outcomes = read_files(read_fingerprint, files, recipe, reading.options(user_words))
    failed = [outcome for outcome in outcomes if isinstance(outcome, SimcompareError)]
    fingerprints = [outcome for outcome in outcomes if not isinstance(outcome, SimcompareError)]
    for error in failed:
        print_error(error)
    deliver(as_json(fingerprints) if to == "json" else "".join(map(_line, fingerprints)), output)
    if failed:
        raise typer.Exit(INPUT_FAILED)


def read_fingerprint(path: Path, recipe: str, options: "ReadingOptions") -> dict[str, Any]:
    """Read a file in a worker and return its fingerprint as for JSON."""
    # loads the readers and the segmenter, which only the worker needs
    from simcompare.cohort.document_preparation import read_prepared_document  # noqa: PLC0415
    from simcompare.report.comparison_json import fingerprint_as_dict  # noqa: PLC0415

    return fingerprint_as_dict(read_prepared_document(path, recipe, options))


def _line(fingerprint: dict[str, Any]) -> str:
    # digits first, as md5sum prints them: they have a fixed length
    return f"{fingerprint['hex']}  {fingerprint['recipe']}  {fingerprint['path']}\n"
