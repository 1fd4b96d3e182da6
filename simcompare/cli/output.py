"""Write results, errors and progress: standard output, or a file atomically; exit statuses."""

import logging
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

import typer

from simcompare.export.output_paths import OutputError, check_output, write_output
from simcompare.model.errors import (
    FileError,
    NoUnitsError,
    ReportNotSavedError,
    SimcompareError,
    cause_of,
    os_errors_as,
)
from simcompare.model.progress import Tick, estimated_seconds_left, no_tick, time_left_in_words
from simcompare.support.i18n import N_, _

INPUT_FAILED, WRONG_USE = 1, 2
_log = logging.getLogger(__name__)


def deliver(result: str | bytes, output: Path | None) -> None:
    """Write a text as UTF-8, or bytes, to standard output, or atomically to a file.

    Raises OutputError; the file is then unchanged.
    """
    deliver_parts([result], output)


def deliver_parts(results: Iterable[str | bytes], output: Path | None) -> None:
    """Write texts or bytes one after the other; on standard output each one immediately.

    Raises OutputError; the file is then unchanged.
    """
    # a file name may contain bytes that are not text; they appear as JSON escapes them
    parts = (
        part if isinstance(part, bytes) else part.encode("utf-8", "backslashreplace") for part in results
    )
    if output is None:
        for data in parts:
            _print(data)
        return
    write_output(output, parts)


def _print(data: bytes) -> None:
    try:
        typer.echo(data, nl=False)
    except BrokenPipeError:
        raise  # the reader closed the pipe; typer ends without a message
    except OSError as error:
        # flushing the rest of the buffer at exit would fail again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        cause = cause_of(error)
        raise OutputError(path=_("standard output"), cause=cause) from error


class OutputNeededError(SimcompareError):
    template = N_("{form} cannot be printed as text. Name the file to write with --output.")


class SeveralReportsError(SimcompareError):
    template = N_("{path} is one file, and each pair has a report of its own. Name a folder or a .zip file.")


class SuffixMismatchError(SimcompareError):
    template = N_("{path} does not end in .{form}. Rename it to {name}, or choose another form with --to.")


_KNOWN_SUFFIXES = frozenset(
    {".html", ".htm", ".pdf", ".docx", ".doc", ".odt", ".rtf", ".txt"}
    | {".json", ".csv", ".tsv", ".xlsx", ".xls", ".ods", ".zip", ".simcompare"}
)
"""Suffixes of file formats; anything else after a full stop is part of the name."""
_SAME_FORM = {".htm": ".html"}


def check_suffix(output: Path, form: str) -> None:
    """Raise SuffixMismatchError if a file has the suffix of another form, which is one itself."""
    suffix = output.suffix.lower()
    if suffix in _KNOWN_SUFFIXES and _SAME_FORM.get(suffix, suffix) != Path(f"name{form}").suffix:
        raise SuffixMismatchError(path=output, form=form[1:], name=output.with_suffix(form).name)


def has_file_suffix(output: Path) -> bool:
    """Return whether a path ends in the suffix of a file format."""
    return output.suffix.lower() in _KNOWN_SUFFIXES


def check_bundle_output(output: Path, inputs: Sequence[Path]) -> None:
    """Raise OutputError or SeveralReportsError if a folder or zip of reports cannot be written.

    No input may be overwritten.
    """
    from simcompare.report.cohort.report_bundle import NAME_EXISTS, ZIP_SUFFIX, check_folder  # noqa: PLC0415

    if output.suffix.lower() == ZIP_SUFFIX:
        check_output(output, inputs)
        return
    if has_file_suffix(output):
        raise SeveralReportsError(path=output)
    if not output.exists():
        check_output(output, ())
    with os_errors_as(OutputError, output):
        try:
            check_folder(output)
        except FileExistsError as error:
            raise OutputError(path=output, cause=_(NAME_EXISTS)) from error


_LINE_INTERVAL_SECONDS = 10.0
"""Shorter work writes no progress line to a log."""


@contextmanager
def progress_bar(label: str, *, wanted: bool = True) -> Iterator[Tick]:
    """Show a progress bar on a terminal, removed at the end, or progress lines if there is no terminal."""
    began = time.monotonic()
    with _shown_progress(label) if wanted else nullcontext(no_tick) as tick:
        yield tick
    _log.info("%s: %.2f s", label, time.monotonic() - began)


@contextmanager
def _shown_progress(label: str) -> Iterator[Tick]:
    if not sys.stderr.isatty():
        yield _ProgressLines(label)
        return
    # rich is slow to load, and most runs need no bar
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(label, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


@contextmanager
def writing_reports(place: Path) -> Iterator[Tick]:
    """Show the progress of a bundle of reports. Raises OutputError in place of ReportNotSavedError."""
    try:
        with progress_bar(_("Writing reports")) as tick:
            yield tick
    except ReportNotSavedError as error:
        cause = error.values["cause"]
        raise OutputError(path=place, cause=_(cause)) from error


class _ProgressLines:
    """Tick that prints a line every few seconds."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._begin_seconds = self._printed_seconds = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if done >= total or now - self._printed_seconds < _LINE_INTERVAL_SECONDS:
            return
        self._printed_seconds = now
        words = _("{what}: {done} of {total} ({percent}%)")
        line = words.format(
            what=self._label, done=f"{done:,}", total=f"{total:,}", percent=100 * done // total
        )
        left = estimated_seconds_left(done, total, now - self._begin_seconds)
        if left is not None:
            line = f"{line} · {time_left_in_words(left)}"
        typer.echo(line, err=True)


def print_error(error: SimcompareError) -> None:
    """Print an error on standard error."""
    typer.echo(str(error), err=True)


def exit_status(error: SimcompareError) -> int:
    """Return 1 if an input failed, 2 if the command was used wrongly."""
    return INPUT_FAILED if isinstance(error, FileError | NoUnitsError) else WRONG_USE
