"""Where the results of `simcompare report` go."""

from collections.abc import Sequence
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from simcompare.cli.output import OutputError, check_place
from simcompare.errors import SimcompareError, cause_of
from simcompare.i18n import N_, _

if TYPE_CHECKING:
    from simcompare.session.values import Session


def free_place(folder: Path, stem: str, suffix: str) -> Path:
    """Return a place where nothing is yet: "class.xlsx", else "class (2).xlsx" and so on."""
    names = chain([stem], (f"{stem} ({number})" for number in count(2)))
    return next(place for name in names if not (place := folder / f"{name}{suffix}").exists())


def named_files(kept: "Session", output: Path) -> list[Path]:
    """Return the files that a session names and that `output` could write over.

    A text that was pasted has no file. No other computer is asked for a session, which may come from anybody,
    unless the person who writes has named that place too.
    """
    from simcompare.session.trust import is_remote  # noqa: PLC0415

    paths = [*(document.path for document in kept.documents), Path(kept.settings.thesaurus)]
    if kept.prompt is not None:
        paths.append(kept.prompt.path)
    return [path for path in paths if path.is_absolute() and (path == output or not is_remote(str(path)))]


class SeveralReportsError(SimcompareError):
    """Several reports, and a place that sounds like one file. Values: path."""

    template = N_("{path} would be one file, and there are several reports. Name a folder or a .zip file.")


class OtherEndingError(SimcompareError):
    """A file whose ending is that of another form. Values: path, form, name."""

    template = N_("{path} has not the ending of {form}. Call it {name}, or choose another form with --to.")


_ENDINGS = frozenset(
    {".html", ".htm", ".pdf", ".docx", ".doc", ".odt", ".rtf", ".txt"}
    | {".json", ".csv", ".tsv", ".xlsx", ".xls", ".ods", ".zip", ".simcompare"}
)
"""Those by which people and programs know a form; what else follows a point is part of a name."""
_SAME_FORM = {".htm": ".html"}


def check_ending(output: Path, form: str) -> None:
    """Raise OtherEndingError where programs would take a file for one of another form."""
    ending = output.suffix.lower()
    if ending in _ENDINGS and _SAME_FORM.get(ending, ending) != f".{form}":
        raise OtherEndingError(path=output, form=form, name=output.with_suffix(f".{form}").name)


def check_bundle_place(output: Path, inputs: Sequence[Path]) -> None:
    """Raise where no folder or zip of reports could be written, before the work is done for nothing.

    It may take the place of none of the inputs. Raises OutputError, SeveralReportsError.
    """
    from simcompare.report.cohort.places import ZIP_SUFFIX, check_folder  # noqa: PLC0415

    if output.suffix.lower() == ZIP_SUFFIX:
        check_place(output, inputs)
        return
    if output.suffix.lower() in _ENDINGS:
        raise SeveralReportsError(path=output)
    if not output.resolve().parent.is_dir():
        raise OutputError(path=output, cause=_("its folder does not exist"))
    try:
        check_folder(output)
    except FileExistsError as error:
        raise OutputError(path=output, cause=_("something of that name is there")) from error
    except OSError as error:
        raise OutputError(path=output, cause=cause_of(error)) from error
