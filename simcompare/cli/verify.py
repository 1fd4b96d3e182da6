"""`simcompare verify`: compute a case file again, and say what is equal and what differs."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcompare.cli.options import FileOptions, argument, read_files, typer_command
from simcompare.cli.output import INPUT_FAILED
from simcompare.support.i18n import N_, _

if TYPE_CHECKING:
    from simcompare.model.document import Document
    from simcompare.model.errors import SimcompareError


@typer_command(
    N_(
        "Compute every figure of a case file again from its contents. "
        "The exit status is 0 when all is equal, 1 when something differs."
    )
)
def verify_command(
    *,
    case: Annotated[Path, argument(N_("A case file (.zip), written with --to case."), "CASE")],
    reading: FileOptions,
) -> None:
    # loads numpy and the readers
    from simcompare.export.case_proof import outcome_in_words, verify_case  # noqa: PLC0415
    from simcompare.loading.load import load_document  # noqa: PLC0415

    def read(path: Path, whole_page: bool) -> "Document | SimcompareError":
        options = reading.options()
        (outcome,) = read_files(load_document, [path], replace(options, whole_page=whole_page))
        return outcome

    checks = []
    for check in verify_case(case, read):
        checks.append(check)
        for line in check.lines:
            typer.echo(line)
    typer.echo(outcome_in_words(checks))
    if any(check.is_locked for check in checks):
        typer.echo(_("Give the password with --password."))
    if any(check.differences for check in checks):
        raise typer.Exit(INPUT_FAILED)
