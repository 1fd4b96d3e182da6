"""Suggest and validate output paths, and write results to a path atomically."""

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryFile

from simcompare.model.errors import SimcompareError, os_errors_as
from simcompare.support.atomic_file import write_atomically
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_, _

TABLE, BUNDLE = N_("{name} – pairs"), N_("{name} – reports")
CLASS_REPORT, GRADE_SHEET = N_("{name} – class report"), N_("{name} – mark sheet")
STUDENT_REPORT = N_("{name} – sources")
PAIR_REPORT, CASE_FILE = N_("{name} – comparison report"), N_("{name} – case file")
"""Names of what is written; the readers of folders leave them out (`loading/archive_members.py`)."""


class OutputError(SimcompareError):
    template = N_("{path} cannot be written: {cause}. Choose another place with --output.")


def check_output(output: Path | None, inputs: Sequence[Path]) -> None:
    """Raise OutputError if results cannot be written to a file, before the work starts.

    No input may be overwritten. None is standard output.
    """
    if output is None:
        return
    with os_errors_as(OutputError, output):
        if output.is_dir():
            raise OutputError(path=output, cause=_("it is a folder"))
        if not output.resolve().parent.is_dir():
            raise OutputError(path=output, cause=_("its folder does not exist"))
        if output.exists() and is_one_of(output, inputs):
            raise OutputError(path=output, cause=_("it is one of the files to read"))
        if output.is_file() or not output.exists():
            TemporaryFile(dir=output.resolve().parent).close()  # fails if nothing can be written there


def write_output(output: Path, parts: Iterable[bytes]) -> None:
    """Write the parts to a file in one step. Raises OutputError; the file is then as it was before."""
    with os_errors_as(OutputError, output):
        target = output.resolve()
        if target.exists() and not target.is_file():
            # a device or a pipe is written to, not replaced
            with target.open("wb") as file:
                file.writelines(parts)
            return
        write_atomically(target, lambda file: file.writelines(parts))


def suggested_name(pattern: str, name: str, *, anonymous: bool) -> str:
    """Return a file name without suffix, in the current language; pattern: TABLE, BUNDLE or the like.

    name: of the class, the student or the pair, as shown in the file; "Comparison" if empty.
    """
    suggested = _(pattern).format(name=name or _("Comparison"))
    return _("{name} – anonymous").format(name=suggested) if anonymous else suggested


def unused_path(folder: Path, stem: str, suffix: str) -> Path:
    """Return a path that does not exist: "class.xlsx", else "class (2).xlsx" and so on."""
    names = chain([stem], (f"{stem} ({number})" for number in count(2)))
    return next(path for name in names if not (path := folder / f"{name}{suffix}").exists())


def existing(paths: Iterable[Path]) -> list[Path]:
    return [path for path in paths if _exists(path)]


def output_refusal(
    folder: Path, paths: Sequence[Path], originals: Iterable[Path], pending: Iterable[Path]
) -> str:
    """Return in words why the paths cannot be written; empty if they can.

    originals: compared files, never overwritten; pending: paths that other exports are going to write.
    """
    if not folder.is_dir():
        words = _("There is no folder {name}. Choose another one.")
        return words.format(name=display_name(str(folder)))
    compared = _first_original(paths, originals)
    if compared is not None:
        words = _("{name} is one of the files to compare. Choose another name or folder.")
        return words.format(name=display_name(compared.name))
    awaited = _first_pending(paths, pending)
    if awaited is not None:
        words = _("Another export is writing {name}. Choose another name.")
        return words.format(name=display_name(awaited.name))
    return ""


def is_one_of(path: Path, files: Iterable[Path]) -> bool:
    """Return whether an existing path is one of these files, also under another name or through a link."""
    return any(_is_same(path, file) for file in files)


def _first_original(paths: Iterable[Path], originals: Iterable[Path]) -> Path | None:
    there = existing(paths)
    # relative paths name no file: pasted texts, or files of another computer
    files = [file for file in originals if there and file.is_absolute() and _exists(file)]
    return next((path for path in there if is_one_of(path, files)), None)


def _first_pending(paths: Iterable[Path], pending: Iterable[Path]) -> Path | None:
    """Return the first path that another export is going to write.

    Names that differ only in case are the same, as on Windows and macOS.
    """
    keys = set(map(_path_key, pending))
    return next((path for path in paths if _path_key(path) in keys), None)


def _path_key(path: Path) -> tuple[Path, str]:
    return path.parent.resolve(), unicodedata.normalize("NFC", path.name).casefold()


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False  # writing will give the cause


def _is_same(path: Path, file: Path) -> bool:
    try:
        return path.samefile(file)
    except (OSError, ValueError):
        # a file that does not exist, or whose name is impossible, cannot be overwritten
        return False
