"""The files that `simcompare check` reads, by what they are for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import typer

from simcompare.cli.options import read_files
from simcompare.cli.output import progress_bar
from simcompare.cli.report import NotReadYetError
from simcompare.cohort.class_check import ClassFiles
from simcompare.cohort.cohort_scoring import UnreadDocument
from simcompare.cohort.document_preparation import (
    PRELOADED,
    SubmittedFiles,
    not_an_essay,
    read_prepared_document,
    submitted_files,
)
from simcompare.cohort.session_preparation import prepare_session_documents
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.loading.archive_members import MOST_FILES, TooManyFilesError
from simcompare.loading.extraction import ReadingOptions
from simcompare.model.errors import FileError, SimcompareError
from simcompare.model.file_kinds import SESSION_SUFFIX
from simcompare.model.settings import ComparisonSettings
from simcompare.pseudonyms.roster import read_students
from simcompare.session.session_data import Session
from simcompare.session.session_file import read_session
from simcompare.support.i18n import _, ngettext
from simcompare.support.interrupts import interruptible
from simcompare.text.sentence_meaning import seconds_to_encode


@dataclass(frozen=True, slots=True)
class ClassInputs:
    """Files of a class, without those that are listed under another purpose as well.

    earlier, sessions: earlier work, in files and in sessions. rosters: class lists. paths: everything that is
    read, folders and archives included.
    """

    submitted: SubmittedFiles
    earlier: SubmittedFiles
    sessions: tuple[Path, ...]
    templates: tuple[Path, ...]
    rosters: tuple[Path, ...]
    paths: tuple[Path, ...]


def listed_inputs(
    places: Sequence[Path],
    templates: Sequence[Path],
    old: Sequence[Path],
    roster: Path | None,
    left_out: Sequence[Path],
    session: Path | None = None,
) -> ClassInputs:
    """List the files of a class; without a class list, those found among the files are used.

    places: folders, archives and files that the students handed in. left_out: files in these folders that
    are not read. session: to be written. Raises TooManyFilesError.
    """
    submitted = submitted_files(places)
    templates, old = tuple(dict.fromkeys(templates)), tuple(dict.fromkeys(old))
    sessions = tuple(path for path in old if path.suffix.lower() == SESSION_SUFFIX)
    earlier = submitted_files(path for path in old if path not in sessions)
    rosters = submitted.rosters if roster is None else (roster,)
    others = (*templates, *rosters, *left_out)
    paths = (*places, *old, *others, *submitted.documents, *earlier.documents)
    # templates, lists, earlier work and the library may lie in the folder of the class
    elsewhere = {path.resolve() for path in (*others, *old, *earlier.documents, *filter(None, [session]))}
    documents = tuple(path for path in submitted.documents if path.resolve() not in elsewhere)
    if len(documents) > MOST_FILES:
        raise TooManyFilesError(count=len(documents), most=MOST_FILES)
    refused = tuple(error for error in submitted.refused if error.path.resolve() not in elsewhere)
    noted = tuple(e for e in submitted.noted if e.path in rosters or e.path.resolve() not in elsewhere)
    submitted = replace(submitted, documents=documents, refused=refused, noted=noted)
    return ClassInputs(submitted, earlier, sessions, templates, rosters, paths)


def read_inputs(
    inputs: ClassInputs, settings: ComparisonSettings, password: str | None, *, meaning: bool
) -> ClassFiles:
    """Read class lists, files and sessions, and prepare the files in worker processes.

    meaning: encode them. Raises the errors of lists, templates and sessions.
    """
    listed = dict.fromkeys(student for path in inputs.rosters for student in read_students(path))
    submitted, earlier = inputs.submitted, inputs.earlier
    sessions = [read_session(path) for path in inputs.sessions]
    if meaning and settings.meaning is None:
        typer.echo(_time_in_words(len(submitted.documents) + len(earlier.documents)), err=True)
    outcomes = read_files(
        read_prepared_document,
        [*submitted.documents, *earlier.documents, *inputs.templates],
        settings.recipe,
        ReadingOptions(password, user_words=settings.user_words, meaning=meaning),
        preload=PRELOADED,
    )
    first, second = len(submitted.documents), len(submitted.documents) + len(earlier.documents)
    templates, lost = _parted(inputs.templates, outcomes[second:])
    for document in lost:
        if document.error is not None:
            raise document.error
    handed_in = [
        outcome if isinstance(outcome, SimcompareError) else not_an_essay(outcome) or outcome
        for outcome in outcomes[:first]
    ]
    own, unread = _parted(submitted.documents, handed_in, submitted.refused)
    old, unread_old = _parted(earlier.documents, outcomes[first:second], earlier.refused)
    files = ClassFiles(own, old, templates, unread, unread_old, listed=tuple(listed))
    for session in sessions:
        files = _with_session(files, session, replace(settings, meaning=meaning))
    return files


def _time_in_words(files: int) -> str:
    """Say that essays are compared with sources by meaning, and how much longer it takes."""
    seconds = seconds_to_encode(files)
    return ngettext(
        "The essays are also compared with the sources by meaning: about {seconds} second longer; "
        "--no-meaning leaves it out.",
        "The essays are also compared with the sources by meaning: about {seconds} seconds longer; "
        "--no-meaning leaves it out.",
        seconds,
        seconds=seconds,
    )


def _parted(
    paths: Sequence[Path],
    outcomes: Sequence[PreparedDocument | SimcompareError],
    refused: Sequence[FileError] = (),
) -> tuple[tuple[PreparedDocument, ...], tuple[UnreadDocument, ...]]:
    """Return the documents that were read, and the others with their errors."""
    read = tuple(outcome for outcome in outcomes if not isinstance(outcome, SimcompareError))
    failed = [
        UnreadDocument(path, outcome)
        for path, outcome in zip(paths, outcomes, strict=True)
        if isinstance(outcome, SimcompareError)
    ]
    return read, (*failed, *(UnreadDocument(error.path, error) for error in refused))


def _with_session(files: ClassFiles, content: Session, settings: ComparisonSettings) -> ClassFiles:
    """Add the documents of a session that were compared as earlier work."""
    left_out = content.school_class.arranged().not_compared
    places = [place for place in range(len(content.documents)) if place not in left_out]
    without_prompt = replace(settings, prompt=None)
    with progress_bar(_("Preparing")) as tick:
        read = interruptible(
            lambda stop: prepare_session_documents(content, without_prompt, places, tick, stop)
        )
    unread = (
        UnreadDocument(document.path, document.error or NotReadYetError(document.path))
        for document in read.unread
    )
    return replace(files, old=(*files.old, *read.prepared_documents), unread_old=(*files.unread_old, *unread))
