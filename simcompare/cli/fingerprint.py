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
    argument,
    option,
    read_files,
    typer_command,
    word_lists,
)
from simcompare.cli.output import INPUT_FAILED, deliver, print_error
from simcompare.export.output_paths import check_output
from simcompare.model.errors import SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_

if TYPE_CHECKING:
    from simcompare.loading.extraction import ReadingOptions


@typer_command(N_("Print the fingerprint of each file."))
def fingerprint_command(
    *,
    files: Annotated[list[Path], argument(N_("The files."), "FILE...")],
    recipe: Recipe = None,
    user_words: OwnWords = None,
    levels: Annotated[bool, option(N_("Also print the fingerprints of paragraphs and sentences."))] = False,
    to: TextOrJson = "text",
    output: Output = None,
    reading: FileOptions,
) -> None:
    from simcompare.report.comparison_json import as_json  # noqa: PLC0415 - loads numpy

    check_output(output, [*files, *word_lists(user_words)])
    recipe = recipe or ComparisonSettings().recipe
    outcomes = read_files(read_fingerprint, files, recipe, levels, reading.options(user_words))
    failed = [outcome for outcome in outcomes if isinstance(outcome, SimcompareError)]
    fingerprints = [outcome for outcome in outcomes if not isinstance(outcome, SimcompareError)]
    for error in failed:
        print_error(error)
    deliver(as_json(fingerprints) if to == "json" else "".join(map(_lines, fingerprints)), output)
    if failed:
        raise typer.Exit(INPUT_FAILED)


def read_fingerprint(path: Path, recipe: str, levels: bool, options: "ReadingOptions") -> dict[str, Any]:
    """Read a file in a worker and return its fingerprint as for JSON, with those of its parts if wanted."""
    # loads the readers and the segmenter, which only the worker needs
    from simcompare.cohort.document_preparation import read_prepared_document  # noqa: PLC0415
    from simcompare.report.comparison_json import fingerprint_as_dict, parts_as_dicts  # noqa: PLC0415

    read = read_prepared_document(path, recipe, options)
    return fingerprint_as_dict(read) | ({"parts": parts_as_dicts(read, recipe)} if levels else {})


def _lines(fingerprint: dict[str, Any]) -> str:
    """Return a line for the document, then one for each paragraph and sentence that has a fingerprint."""
    # digits first, as md5sum prints them: they have a fixed length
    lines = [f"{fingerprint['hex']}  {fingerprint['recipe']}  {fingerprint['path']}"]
    paragraph = sentence = 0
    for part in fingerprint.get("parts", ()):
        if part["level"] == "paragraph":
            paragraph, sentence = paragraph + 1, 0
            number = str(paragraph)
        else:
            sentence += 1
            number = f"{paragraph}.{sentence}"
        if part["hex"]:
            lines.append(f"{part['hex']}  {number:<7}  {display_name(' '.join(part['text'].split()))}")
    return "".join(f"{line}\n" for line in lines)
