"""Errors that the user can resolve.

SimcompareError
├── FileError                   a file could not become a document; other files are not affected
│   ├── FileNotReadableError        missing, or not allowed
│   │   └── FolderInsteadOfFileError    a folder where a file is expected
│   ├── EmptyFileError              no bytes, or no text in them
│   │   ├── TextNotInFileError          a web page whose text is not in its file
│   │   ├── HiddenTextError             hidden text only, or text in the background colour
│   │   └── OnlyMarginTextError         text in page headers, comments and the like only
│   ├── NoTextError                 pages of images without a text layer
│   │   ├── RecognitionMissingError     and text recognition is not installed
│   │   └── RecognitionNeededError      and text recognition has not been run yet
│   ├── UnsupportedFormatError      no supported format
│   │   ├── ArchiveOfFilesError         an archive, whose files may be readable once unpacked
│   │   └── NotAnEssayError             a program, a table or another file that is no student's essay
│   ├── DamagedFileError            the format is known, the content is broken
│   ├── PasswordNeededError         the file is encrypted
│   │   └── WrongPasswordError          and the password does not open it
│   ├── FileTooLargeError           exceeds the limits that keep the machine usable
│   │   └── MemoryNeededError           reading it needs more memory than a file is given
│   ├── ReadingTimeoutError         took longer than the time limit of a file
│   │   └── ReadingStoppedError         and waited most of the time
│   ├── InstallationError           a part of the program is missing or does not start
│   ├── PreparingStoppedError       its text is known, but its preparation was cancelled
│   ├── ReportNotSavedError         a report could not be written
│   ├── NotAnonymousError           an annotated copy would contain names
│   └── SessionError                a session file
│       ├── DamagedSessionError         is none, or is broken
│       ├── NewerSessionError           made by a newer simcompare
│       ├── SessionNotSavedError        could not be written
│       ├── SessionChangedError         was changed by another window or program
│       └── UnsavedDecisionsError       would replace decisions made while it was being opened
├── TooManySentencesError       the sentences of two texts are too many to be compared
├── NoUnitsError                a text without words has no fingerprint and cannot be compared
│   └── NoTermsError                it has words, but none that the fingerprint recipe counts
├── UnknownRecipeError          no fingerprint recipe has this name
├── MeaningModelMissingError    the model that finds rewritten text is not installed
├── RecipeMismatchError         fingerprints of different recipes cannot be compared
├── SettingsError               contradictory settings
└── LexiconError                a thesaurus file that cannot be read

Every message names the file, the cause and the remedy in one sentence. It is formatted when it is
displayed, so that it is in the current language; errors are sent between processes.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from simcompare.support.display_text import distinct_labels, escape_invisible
from simcompare.support.i18n import N_, _

# Values that are user texts: marked with N_ where the error is raised, translated when it is displayed.
_TRANSLATED_VALUES = frozenset({"cause", "format"})

_NOT_ALLOWED = N_("access to it is not allowed")
_IN_USE = N_("another program is using it")
_OPEN_ELSEWHERE = N_("a file of that name may not be changed, or is open in another program (close it there)")
_CAUSES = {
    errno.ENOENT: N_("it does not exist"),
    errno.ENOTDIR: N_("it does not exist"),
    errno.EISDIR: N_("it is a folder"),
    errno.EACCES: _NOT_ALLOWED,
    errno.EPERM: _NOT_ALLOWED,
    errno.EROFS: N_("nothing can be written there"),
    errno.ENAMETOOLONG: N_("its name is too long"),
    errno.ELOOP: N_("it is a link that leads back to itself"),
    errno.EIO: N_("the disk or the connection to it failed"),
    errno.EBUSY: _IN_USE,
    errno.ENOSPC: N_("the disk is full"),
}
# ERROR_SHARING_VIOLATION and ERROR_LOCK_VIOLATION, which Python maps to EACCES
_IN_USE_ON_WINDOWS = frozenset({32, 33})
_INVALID_NAME_ON_WINDOWS = 123


def cause_of(error: OSError | ValueError) -> str:
    """Return the untranslated cause why a file cannot be opened or written.

    Rare causes are in the words of the operating system.
    """
    if isinstance(error, ValueError) or getattr(error, "winerror", None) == _INVALID_NAME_ON_WINDOWS:
        return N_("its name contains a character that is not allowed")
    if getattr(error, "winerror", None) in _IN_USE_ON_WINDOWS:
        return _IN_USE
    return _CAUSES.get(error.errno or 0) or error.strerror or str(error)


def cause_of_writing(path: Path, error: OSError) -> str:
    """Return why a file cannot be written, to be translated, also if its folder is missing."""
    if isinstance(error.__cause__, ValueError):
        return cause_of(error.__cause__)
    if not path.parent.is_dir():
        return N_("its folder is not there")
    cause = cause_of(error)
    return _OPEN_ELSEWHERE if cause in {_NOT_ALLOWED, _IN_USE} and path.is_file() else cause


class SimcompareError(Exception):
    template: ClassVar[str] = ""

    def __init__(self, **values: Any) -> None:
        super().__init__(values)
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.values)

    def __str__(self) -> str:
        return self._with(self.values)

    @property
    def beside_name(self) -> str:
        """The message where the name of its file stands already: "This file is empty…"."""
        words = self._with({**self.values, "name": _("this file")})
        return words[:1].upper() + words[1:]

    def _with(self, values: dict[str, Any]) -> str:
        translated = {key: _(value) if key in _TRANSLATED_VALUES else value for key, value in values.items()}
        return _(self.template).format(**translated)


def _rebuild(kind: type[SimcompareError], values: dict[str, Any]) -> SimcompareError:
    return kind(**values)


@contextmanager
def os_errors_as(
    error_class: type[SimcompareError],
    path: Path,
    caught: tuple[type[OSError | ValueError], ...] = (OSError,),
) -> Iterator[None]:
    """Raise an error of the system as `error_class`, with its cause; ValueError means an impossible name."""
    try:
        yield
    except caught as error:
        raise error_class(path=path, cause=cause_of(error)) from error


@contextmanager
def writing_errors_as(error_class: "type[FileError]", path: Path) -> Iterator[None]:
    """Raise an error of the system while `path` is written as `error_class`, with `cause_of_writing`."""
    try:
        yield
    except OSError as error:
        raise error_class(path, cause=cause_of_writing(path, error)) from error


class FileError(SimcompareError):
    """A file could not become a document. `path` is the file."""

    def __init__(self, path: Path | str, **values: Any) -> None:
        super().__init__(path=str(path), name=distinct_labels([Path(path)])[0], **values)

    def __reduce__(self) -> tuple[Any, ...]:
        rest = {key: value for key, value in self.values.items() if key != "name"}
        return _rebuild, (type(self), rest)

    def _with(self, values: dict[str, Any]) -> str:
        return super()._with({"folder": escape_invisible(str(self.path.absolute().parent)), **values})

    @property
    def path(self) -> Path:
        """The file that could not be read."""
        return Path(self.values["path"])


class FileNotReadableError(FileError):
    template = N_("{name} cannot be opened: {cause}. Check that the file is there and that you may read it.")


class FolderInsteadOfFileError(FileNotReadableError):
    template = N_("{name} is a folder, not a file. Add the files that are in it.")


class EmptyFileError(FileError):
    template = N_("{name} is empty: there is no text in it. Choose the file that holds the text.")


class TextNotInFileError(EmptyFileError):
    template = N_(
        "{name} contains no text: {cause}. Open the page in a browser, wait until its text appears, "
        "and save it as a complete web page, as PDF or as text."
    )


class HiddenTextError(EmptyFileError):
    template = N_(
        "{name} has no visible text: all of it ({characters} characters) is {cause}. It begins with "
        "“{excerpt}”. Ask its author for a copy with visible text."
    )


class OnlyMarginTextError(EmptyFileError):
    template = N_(
        "{name} has text only where it is not compared: {cause} ({characters} characters), beginning with "
        "“{excerpt}”. Move it into the text of the document and save it again."
    )


class NoTextError(FileError):
    """Pages without a text layer. Values: pages."""

    template = N_(
        "{name} consists of images and has no text layer. Ask for the original file, or run text "
        "recognition (OCR) on it first."
    )


class RecognitionMissingError(NoTextError):
    """Pages that need text recognition (OCR), which is not installed. Values: pages."""

    template = N_(
        "{name} holds pictures of pages, not text. Ask for the original file, export it with text "
        "recognition (OCR), or install text recognition."
    )


class RecognitionNeededError(NoTextError):
    """Pages that need text recognition (OCR): `loading.workers` runs it and reads the file again.

    Values: pages, numbers.
    """

    @property
    def numbers(self) -> tuple[int, ...]:
        """Page numbers, from 1."""
        return tuple(self.values["numbers"])


class UnsupportedFormatError(FileError):
    template = N_(
        "{name} is in a format that cannot be read ({format}). "
        "Save it as Word (.docx), PDF, HTML or plain text and add it again."
    )


class ArchiveOfFilesError(UnsupportedFormatError):
    template = N_("{name} holds other files ({format}). Unpack it and add the files that are in it.")


class NotAnEssayError(UnsupportedFormatError):
    template = N_("{name} is not an essay ({cause}). If one is missing, ask for the file that holds it.")


class DamagedFileError(FileError):
    template = N_(
        "{name} is damaged ({cause}). Open it in the program that made it, save it again "
        "and add the new file."
    )


class PasswordNeededError(FileError):
    template = N_(
        "{name} is protected by a password. Enter the password, or save a copy without one and add that."
    )


class WrongPasswordError(PasswordNeededError):
    template = N_("The password does not open {name}. Check it, or save a copy without a password.")


class FileTooLargeError(FileError):
    template = N_(
        "{name} is too large to be read safely ({cause}). Split it, or leave out its pictures if it has any."
    )


class MemoryNeededError(FileTooLargeError):
    template = N_(
        "{name} was not read: its text and formatting need more memory than a file is given. Copy the text "
        "into a new document, or save it as plain text (.txt), and add that."
    )


class ReadingTimeoutError(FileError):
    template = N_(
        "Reading {name} took longer than {seconds} seconds and was stopped. Save it again as Word "
        "(.docx) or plain text and add that."
    )


class ReadingStoppedError(ReadingTimeoutError):
    template = N_(
        "Reading {name} was stopped after {seconds} seconds, as other programs keep the computer busy or "
        "its disk does not respond. Add it again later."
    )


class InstallationError(FileError):
    template = N_(
        "{name} was not read, as a part of simcompare does not work ({cause}); the file is not the cause. "
        "Start simcompare again and, if that does not help, install it again."
    )


class PreparingStoppedError(FileError):
    template = N_("Preparing {name} for comparison was cancelled. Read it again.")


class SessionError(FileError):
    """A session could not be opened or saved."""


class DamagedSessionError(SessionError):
    template = N_(
        "{name} cannot be opened as a session: {cause}. Open an earlier copy of it, or add the "
        "documents again."
    )


class NewerSessionError(SessionError):
    template = N_(
        "{name} was saved by a newer simcompare (format {version}; this one reads formats up to {known}). "
        "Install the newest simcompare and open it there."
    )


_NOT_SAVED = N_(
    "{name} cannot be saved in {folder}: {cause}. Choose another folder or name; an earlier file of that "
    "name is unchanged."
)


class SessionNotSavedError(SessionError):
    template = _NOT_SAVED


class SessionChangedError(SessionError):
    template = N_(
        "{name} was changed elsewhere since it was opened here, so nothing was saved over it. "
        "Save the session under another name."
    )


class UnsavedDecisionsError(SessionError):
    template = N_("{name} was not opened because decisions were made in the meantime. Open it again.")


class ReportNotSavedError(FileError):
    template = _NOT_SAVED


class TooManySentencesError(SimcompareError):
    template = N_(
        "The texts have too many sentences to be compared. Compare parts of them, such as chapters."
    )


class NoUnitsError(SimcompareError):
    template = N_("{name} holds no words, so it has no fingerprint. Choose a file with text in it.")


class NoTermsError(NoUnitsError):
    template = N_("{name} holds no words that the recipe {recipe} counts. Choose another recipe.")


class UnknownRecipeError(SimcompareError):
    template = N_("There is no fingerprint recipe called {recipe}. Choose one of: {known}.")


class MeaningModelMissingError(SimcompareError):
    template = N_(
        "Finding rewritten text needs the extra simcompare[meaning], which is not installed. Install it with "
        'pip install "simcompare[meaning]", or compare without it.'
    )


class RecipeMismatchError(SimcompareError):
    template = N_(
        "Fingerprints made by {left} and by {right} cannot be compared. Make both with the same recipe."
    )


class SettingsError(SimcompareError):
    template = N_(
        "“Possible from” ({similar_weight}) must be at least {lowest} and below “sure from” "
        "({right_weight}), which is 1 at most. Change one of the two."
    )


class LexiconError(SimcompareError):
    template = N_("The thesaurus {name} cannot be read: {cause}. Choose another file, or work without one.")


class NotAnonymousError(FileError):
    """An annotated copy would contain names. Values: cause, including what the user can do."""

    template = N_("No anonymous copy of {name} can be made: {cause}.")


PDF_FORMAT = N_(
    "names cannot be removed from the pages of a PDF. "
    "Export the anonymous report of the pair, which holds both texts, or compare a Word copy of the file"
)
SEALED_PART = N_(
    "it contains embedded files or macros, which cannot be searched for names. "
    "Remove them, or export the anonymous report of the pair instead"
)
NAME_LEFT = N_(
    "a part of it that cannot be changed, such as a picture, contains a name. "
    "Remove that part, or export the anonymous report of the pair instead"
)
