"""List the files that were handed in: of folders, zip archives and single paths."""

# ruff: noqa: PTH112, PTH113, PTH114, PTH118 - pathlib raises on too long names and unreadable folders

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from simcompare.loading.archive_members import is_archive, is_no_document, list_members
from simcompare.loading.sniffing import FORMAT_NAMES
from simcompare.model.errors import FileError, NotAnEssayError, SimcompareError
from simcompare.model.file_kinds import SESSION_SUFFIX
from simcompare.support.i18n import N_

MOST_FILES = 1_000
"""Half a million pairs take 4 GB of memory in the window, and 35 minutes of processor time."""


class TooManyFilesError(SimcompareError):
    """More files than are compared each with all others. Values: count, most."""

    template = N_(
        "{count} files cannot be compared each with all others, {most} at most. Add one class or year at a "
        "time; the library keeps the others and finds what a text has in common with them."
    )


@dataclass(frozen=True, slots=True)
class ListedFiles:
    """Files on disk and members of archives, in order, each once.

    refused: a sentence for each archive or member that is not read; its path raises the same when it is
    read. skipped: number of files that are no documents, such as .DS_Store or lock files of Word. empty:
    the given folders with none of `files` and `refused`. sessions: a sentence for each session in them.
    """

    files: tuple[Path, ...]
    refused: tuple[FileError, ...] = ()
    skipped: int = 0
    empty: tuple[Path, ...] = ()
    sessions: tuple[FileError, ...] = ()


def list_files(paths: Iterable[Path]) -> ListedFiles:
    """List files as they are, and the files in folders and zip archives, nested ones too.

    The files of a folder or archive are sorted by name. A folder that cannot be read is listed itself, so
    that reading it gives the reason.
    """
    files: list[Path] = []
    refused: list[FileError] = []
    empty: list[Path] = []
    sessions: list[FileError] = []
    skipped = 0
    for path in paths:
        before = len(files) + len(refused)
        found, ignored = _files_at(path)
        saved = (each for each in ignored if each.suffix.lower() == SESSION_SUFFIX and each.name[0] != ".")
        sessions += [NotAnEssayError(each, cause=FORMAT_NAMES["session"]) for each in saved]
        skipped += len(ignored)
        for file in found:
            if not is_archive(file):
                files.append(file)
                continue
            try:
                listing = list_members(file)
            except FileError as error:
                refused.append(error)
            else:
                files += listing.members
                refused += listing.refused
                skipped += listing.skipped
        if len(files) + len(refused) == before:
            empty.append(path)
    return ListedFiles(tuple(dict.fromkeys(files)), tuple(refused), skipped, tuple(empty), tuple(sessions))


def _files_at(path: Path) -> tuple[list[Path], list[Path]]:
    """Return a file, or the visible files in a folder, and the others in it."""
    if not os.path.isdir(path):
        return [path], []
    found: list[Path] = []
    names = list(_names_in(path, found))
    others = sorted(name for name in names if is_no_document(name.name))
    return sorted([*found, *set(names).difference(others)]), others


def _names_in(path: Path, unreadable: list[Path]) -> Iterator[Path]:
    for folder, folders, names in os.walk(path, onerror=lambda e: unreadable.append(Path(e.filename))):
        folders[:] = [name for name in folders if not is_no_document(name)]
        for name in names:
            # a link to a file that is gone is listed, so that reading it gives the reason
            if os.path.isfile(file := os.path.join(folder, name)) or os.path.islink(file):
                yield Path(file)
