"""Export of the library to one file, and import of such a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from simcompare.export.output_paths import is_one_of
from simcompare.library.library_errors import ExportNotSavedError
from simcompare.model.progress import Cancelled
from simcompare.support.i18n import N_
from simcompare.ui.state.library.long_work import TickOf, WorkKind
from simcompare.ui.state.library.open_access import LibraryAccess

if TYPE_CHECKING:
    from simcompare.library.transfer import ImportSummary

# ruff: noqa: PLC0415 - these load the database toolkit

_OWN_FILE = N_("it is the library itself")


@dataclass(frozen=True, slots=True)
class ExportReceipt:
    """The file, and the number of entries in it; None if the export was cancelled, so that there is none."""

    path: Path
    entries: int | None


@dataclass(frozen=True, slots=True)
class ImportReceipt:
    """The file, and what was imported; None if the import was cancelled."""

    path: Path
    summary: ImportSummary | None


def export_to_file(access: LibraryAccess, path: Path, stop: Event, tick_of: TickOf) -> ExportReceipt:
    """Export all entries. Raises ExportNotSavedError, LibraryError."""
    from simcompare.library.transfer import export_library

    if isinstance(access.place, Path) and path.exists() and is_one_of(path, [access.place]):
        raise ExportNotSavedError(path, cause=_OWN_FILE)
    report = tick_of(WorkKind.EXPORTING)

    def tick(done: int, total: int) -> None:
        if stop.is_set():
            raise Cancelled
        report(done, total)

    try:
        return ExportReceipt(path, export_library(access.library(), path, tick=tick))
    except Cancelled:
        return ExportReceipt(path, None)


def import_from_file(access: LibraryAccess, path: Path, stop: Event, tick_of: TickOf) -> ImportReceipt:
    """Import the entries that the library does not have; the library is made if there is none.

    Nothing is imported of a file that is damaged anywhere. Raises FileNotReadableError, DamagedExportError,
    NewerExportError, LibraryError.
    """
    from simcompare.library.transfer import import_library, opened_export

    report = tick_of(WorkKind.CHECKING)

    def tick(done: int, total: int) -> None:
        if stop.is_set():
            raise Cancelled
        report(done, total)

    try:
        with opened_export(path) as export:
            submissions = export.submissions(tick)
            library = access.library(create=True)
            summary = import_library(library, export, submissions, tick_of(WorkKind.IMPORTING), stop)
    except Cancelled:
        return ImportReceipt(path, None)
    return ImportReceipt(path, summary)
