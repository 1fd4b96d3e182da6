"""What can go wrong, and what the user can do about it.

SimcompareError
├── FileError               one file could not become a document; the others go on
│   ├── FileNotReadableError    missing, or not allowed
│   │   └── FolderGivenError        a folder where a file is wanted
│   ├── EmptyFileError          no bytes, or no text in them
│   │   ├── TextElsewhereError      a web page whose text is not in its file
│   │   ├── HiddenTextError         hidden text only: hidden, or in the colour of the paper
│   │   └── TextBesideError         text in page headers, comments and the like, and none between them
│   ├── NoTextError             pages of pictures and no text layer
│   │   ├── RecognitionMissingError     and text recognition is not installed
│   │   └── RecognitionNeededError      and text recognition has not been at them yet
│   ├── UnsupportedFormatError  none of the formats that can be read
│   │   └── PackedFilesError        an archive of files, which may well be read once they are unpacked
│   ├── DamagedFileError        the format is known, the content is broken
│   ├── PasswordNeededError     the file is encrypted
│   │   └── WrongPasswordError      and the password given does not open it
│   ├── FileTooLargeError       beyond the limits that keep the machine usable
│   ├── ReadingTimeoutError     took longer than the time a file is given
│   ├── PreparingStoppedError   its text is known, and was not made ready to be compared
│   ├── ReportNotSavedError     a report that could not be written
│   └── SessionError            a session file
│       ├── DamagedSessionError     which is none, or is broken
│       ├── NewerSessionError       made by a newer simcompare
│       ├── SessionNotSavedError    which could not be written
│       ├── SessionChangedError     which somebody else has written since
│       └── WorkMeanwhileError      which would take the place of what was judged meanwhile
├── NoUnitsError            a text without a single word has no fingerprint and cannot be compared
│   └── NoTermsError            it has words, and none that the fingerprint recipe counts
├── UnknownRecipeError      no fingerprint recipe has that name
├── RecipeMismatchError     fingerprints of different recipes cannot be compared
├── SettingsError           settings that contradict each other
└── LexiconError            a thesaurus file that cannot be read

Every message names the file, the cause and the cure in one sentence. It is put together when it is
shown, so that it appears in the language of the moment; errors travel between processes.
"""

import errno
from pathlib import Path
from typing import Any, ClassVar

from simcompare.support.display_text import visible_name
from simcompare.support.i18n import N_, _

# Values that are texts for people: marked with N_ where the error is raised, translated when it is shown.
_SPOKEN_VALUES = frozenset({"cause", "format"})

_NOT_ALLOWED = N_("access to it is not allowed")
_IN_USE = N_("another program is using it")
_CAUSES = {
    errno.ENOENT: N_("it is not there"),
    errno.ENOTDIR: N_("it is not there"),
    errno.EISDIR: N_("it is a folder"),
    errno.EACCES: _NOT_ALLOWED,
    errno.EPERM: _NOT_ALLOWED,
    errno.EROFS: N_("nothing can be written there"),
    errno.ENAMETOOLONG: N_("its name is too long"),
    errno.ELOOP: N_("it is a link that leads back to itself"),
    errno.EIO: N_("the disk or the connection to it does not answer as it should"),
    errno.EBUSY: _IN_USE,
    errno.ENOSPC: N_("the disk is full"),
}
# ERROR_SHARING_VIOLATION and ERROR_LOCK_VIOLATION, which Python calls EACCES
_IN_USE_ON_WINDOWS = frozenset({32, 33})


def cause_of(error: OSError | ValueError) -> str:
    """Return why a file cannot be opened or written, to be translated; rare causes in the system's words."""
    if isinstance(error, ValueError):
        return N_("its name holds a sign that no name may hold")
    if getattr(error, "winerror", None) in _IN_USE_ON_WINDOWS:
        return _IN_USE
    return _CAUSES.get(error.errno or 0) or error.strerror or str(error)


class SimcompareError(Exception):
    """An error that the user can mend."""

    template: ClassVar[str] = ""

    def __init__(self, **values: Any) -> None:
        super().__init__(values)
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.values)

    def __str__(self) -> str:
        spoken = {key: _(value) if key in _SPOKEN_VALUES else value for key, value in self.values.items()}
        return _(self.template).format(**spoken)


def _rebuild(kind: type[SimcompareError], values: dict[str, Any]) -> SimcompareError:
    return kind(**values)


class FileError(SimcompareError):
    """One file could not become a document. `path` says which."""

    def __init__(self, path: Path | str, **values: Any) -> None:
        super().__init__(path=str(path), name=visible_name(Path(path).name), **values)

    def __reduce__(self) -> tuple[Any, ...]:
        rest = {key: value for key, value in self.values.items() if key != "name"}
        return _rebuild, (type(self), rest)

    @property
    def path(self) -> Path:
        """The file that could not be read."""
        return Path(self.values["path"])


class FileNotReadableError(FileError):
    """The file is missing, or may not be read. Values: cause."""

    template = N_("{name} cannot be opened: {cause}. Check that the file is there and that you may read it.")


class FolderGivenError(FileNotReadableError):
    """A folder stands where a file is wanted."""

    template = N_("{name} is a folder, not a file. Add the files that are in it.")


class EmptyFileError(FileError):
    """The file holds no bytes, or no text in them."""

    template = N_("{name} is empty: there is no text in it. Choose the file that holds the text.")


class TextElsewhereError(EmptyFileError):
    """A web page whose text is not in its file. Values: cause."""

    template = N_(
        "{name} holds no text of its own: {cause}. Open the page in a browser, wait until its text is shown, "
        "and save it as a complete web page, as PDF or as text."
    )


class HiddenTextError(EmptyFileError):
    """A file all of whose text its reader cannot see. Values: cause, characters, excerpt."""

    template = N_(
        "{name} shows no text: all that it holds ({characters} characters) is {cause}. It begins with "
        "“{excerpt}”. Ask its author why, and for a copy whose text can be seen."
    )


class TextBesideError(EmptyFileError):
    """A file with text in such parts alone as are not compared. Values: cause, characters, excerpt."""

    template = N_(
        "{name} has text only where it is not compared: {cause} ({characters} characters), beginning with "
        "“{excerpt}”. Move it into the text of the document and save it again."
    )


class NoTextError(FileError):
    """Pages without a text layer. Values: pages."""

    template = N_(
        "{name} is made of pictures and has no text layer. Ask for the original file, "
        "or run text recognition (OCR) on it first."
    )


class RecognitionMissingError(NoTextError):
    """Pages whose text only text recognition can read, which is not installed. Values: pages."""

    template = N_(
        "{name} shows its text as pictures, and text recognition is not installed. "
        'Install it with: pip install "simcompare[ocr]" – or ask for the original file.'
    )


class RecognitionNeededError(NoTextError):
    """Pages that text recognition should read first: `loading.recognition` does so and reads the file again.

    Values: pages, numbers.
    """

    @property
    def numbers(self) -> tuple[int, ...]:
        """The pages, from 1."""
        return tuple(self.values["numbers"])


class UnsupportedFormatError(FileError):
    """Not one of the formats that can be read. Values: format."""

    template = N_(
        "{name} is in a format that cannot be read ({format}). "
        "Save it as Word (.docx), PDF, HTML or plain text and add it again."
    )


class PackedFilesError(UnsupportedFormatError):
    """An archive that other files are packed in. Values: format."""

    template = N_("{name} holds other files ({format}). Unpack it and add the files that are in it.")


class DamagedFileError(FileError):
    """The format is known and the content is broken. Values: cause."""

    template = N_(
        "{name} is damaged ({cause}). Open it in the program that made it, save it again "
        "and add the new file."
    )


class PasswordNeededError(FileError):
    """The file is encrypted."""

    template = N_(
        "{name} is protected by a password. Give the password, or save a copy without one and add that."
    )


class WrongPasswordError(PasswordNeededError):
    """The file is encrypted, and the password given does not open it."""

    template = N_("The password given does not open {name}. Check it, or save a copy without a password.")


class FileTooLargeError(FileError):
    """Beyond the limits that keep the machine usable. Values: cause."""

    template = N_("{name} is too large to be read safely ({cause}). Split it, or save it without pictures.")


class ReadingTimeoutError(FileError):
    """Reading took longer than the time a file is given. Values: seconds."""

    template = N_(
        "{name} could not be read within {seconds} seconds and was given up. "
        "Save it again as Word (.docx) or plain text and add that."
    )


class PreparingStoppedError(FileError):
    """The text is known, from a session, and a person stopped what makes it ready to be compared."""

    template = N_("{name} was not made ready to be compared, because that was cancelled. Have it read again.")


class SessionError(FileError):
    """A session could not be opened or saved."""


class DamagedSessionError(SessionError):
    """The file holds no session, or a broken one. Values: cause."""

    template = N_(
        "{name} cannot be opened as a session: {cause}. "
        "Open an earlier copy of it, or add the documents anew."
    )


class NewerSessionError(SessionError):
    """The session has a format that came later than this program. Values: version, known."""

    template = N_(
        "{name} was saved by a newer simcompare (format {version}; this one knows up to {known}). "
        "Install the newest simcompare and open it there."
    )


class SessionNotSavedError(SessionError):
    """The session could not be written; what the file held before is as it was. Values: cause."""

    template = N_("{name} cannot be saved: {cause}. Save it in another place; an earlier copy is unharmed.")


class SessionChangedError(SessionError):
    """The file of a session is not as it was left: another window or program has written it since."""

    template = N_(
        "{name} was changed elsewhere since it was opened here, so nothing was saved over it. "
        "Save the session under another name."
    )


class WorkMeanwhileError(SessionError):
    """Something was judged while a session was being opened that was to take its place."""

    template = N_("{name} was not opened, as something was judged meanwhile. Open it again.")


class ReportNotSavedError(FileError):
    """A report cannot be written where it was asked for. Values: cause."""

    template = N_("{name} cannot be saved: {cause}. Choose another place; an earlier report is unharmed.")


class NoUnitsError(SimcompareError):
    """A text without a single word. Values: name."""

    template = N_("{name} holds no words, so it has no fingerprint. Choose a file with text in it.")


class NoTermsError(NoUnitsError):
    """A text has words, and none that a recipe counts. Values: name, recipe."""

    template = N_("{name} holds no words that the recipe {recipe} counts. Choose another recipe.")


class UnknownRecipeError(SimcompareError):
    """Values: recipe, known."""

    template = N_("There is no fingerprint recipe called {recipe}. Choose one of: {known}.")


class RecipeMismatchError(SimcompareError):
    """Values: left, right."""

    template = N_(
        "Fingerprints made by {left} and by {right} cannot be compared. Make both with the same recipe."
    )


class SettingsError(SimcompareError):
    """Values: similar_weight, right_weight, lowest."""

    template = N_(
        "The similar threshold ({similar_weight}) must be at least {lowest} and below the right threshold "
        "({right_weight}), which is 1 at most. Change one of the two."
    )


class LexiconError(SimcompareError):
    """A thesaurus file that cannot be read. Values: name, cause."""

    template = N_("The thesaurus {name} cannot be read: {cause}. Choose another file, or work without one.")
