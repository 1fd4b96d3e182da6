"""`simcompare extract`: the text of a file, as simcompare reads it."""

from pathlib import Path
from typing import Annotated

import typer

from simcompare.cli.options import Language, Output, TextOrJson
from simcompare.cli.output import as_json, check_place, deliver
from simcompare.cli.reading import read_files
from simcompare.errors import SimcompareError
from simcompare.i18n import N_


def extract_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=N_("The file."), show_default=False)],
    to: TextOrJson = "text",
    output: Output = None,
    language: Language = "",
) -> None:
    """Print the text, or the text with its blocks and the receipt of what was kept and dropped."""
    # load the readers and numpy, which the help does without
    from simcompare.loading import load_document  # noqa: PLC0415
    from simcompare.report.json_values import document_as_dict  # noqa: PLC0415

    check_place(output, [file])
    (document,) = read_files(load_document, [file], language=language)
    if isinstance(document, SimcompareError):
        raise document
    deliver(as_json(document_as_dict(document)) if to == "json" else document.text + "\n", output)
