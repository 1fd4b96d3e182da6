"""Where the results of `simcompare report` go."""

from itertools import chain, count
from pathlib import Path

from simcompare.cli.output import OutputError, check_place
from simcompare.errors import SimcompareError, cause_of
from simcompare.i18n import N_, _


def free_place(folder: Path, stem: str, suffix: str) -> Path:
    """Return a place where nothing is yet: "class.xlsx", else "class (2).xlsx" and so on."""
    names = chain([stem], (f"{stem} ({number})" for number in count(2)))
    return next(place for name in names if not (place := folder / f"{name}{suffix}").exists())


class SeveralReportsError(SimcompareError):
    """Several reports, and a place that sounds like one file. Values: path."""

    template = N_("{path} would be one file, and there are several reports. Name a folder or a .zip file.")


def check_bundle_place(output: Path, form: str, session: Path) -> None:
    """Raise where no folder or zip of reports could be written, before the work is done for nothing.

    Raises OutputError, SeveralReportsError.
    """
    from simcompare.report.cohort.places import ZIP_SUFFIX, check_folder  # noqa: PLC0415

    if output.suffix.lower() == ZIP_SUFFIX:
        check_place(output, [session])
        return
    if output.suffix.lower() == f".{form}":
        raise SeveralReportsError(path=output)
    if not output.resolve().parent.is_dir():
        raise OutputError(path=output, cause=_("its folder does not exist"))
    try:
        check_folder(output)
    except FileExistsError as error:
        raise OutputError(path=output, cause=_("something of that name is there")) from error
    except OSError as error:
        raise OutputError(path=output, cause=cause_of(error)) from error
