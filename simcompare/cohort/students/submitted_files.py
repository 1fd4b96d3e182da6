"""Read a class: the files that students handed in, and the class lists beside them."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from simcompare.loading.file_listing import list_files
from simcompare.model.errors import FileError
from simcompare.pseudonyms.roster import is_roster
from simcompare.support.i18n import N_


class ClassListFoundError(FileError):
    """A file that was to be read as an essay is a class list."""

    template = N_("{name} is a class list, not an essay.")


@dataclass(frozen=True, slots=True)
class SubmittedFiles:
    """Files of folders and archives: documents, class lists, and what is not read.

    documents: in order, members of archives as "class.zip/folder/essay.docx". refused: a sentence for each
    archive or member that is not read. skipped: number of files that are no documents, such as .DS_Store.
    """

    documents: tuple[Path, ...]
    rosters: tuple[Path, ...] = ()
    refused: tuple[FileError, ...] = ()
    skipped: int = 0


def submitted_files(paths: Iterable[Path]) -> SubmittedFiles:
    """List the files in folders, zip archives and single paths; class lists are recognised by content."""
    listed = list_files(paths)
    rosters = tuple(filter(is_roster, listed.files))
    documents = tuple(path for path in listed.files if path not in rosters)
    return SubmittedFiles(documents, rosters, listed.refused, listed.skipped)
