"""Result of annotating a file, and the error for files that cannot be annotated."""

from dataclasses import dataclass, field

from simcompare.model.errors import FileError
from simcompare.report.annotated.annotation_marks import Mark
from simcompare.support.i18n import N_

SIGNED = N_("{name} is signed: its signature is valid for the original only, not for the annotated copy.")


@dataclass(frozen=True, slots=True)
class AnnotatedCopy:
    """Content of an annotated copy, the number of marks placed, and the marks that have no position in it."""

    data: bytes = field(repr=False)
    placed: int
    unplaced: tuple[Mark, ...]
    remarks: tuple[str, ...] = ()
    """Untranslated gettext ids about the copy, with {name} for the file."""


class NotAnnotatedError(FileError):
    """A compared file cannot be annotated. Values: cause, including what the user can do."""

    template = N_("{name} cannot be annotated: {cause}.")


OTHER_FORMAT = N_(
    "only PDF and Word files (.docx, .docm, .dotx) can be. "
    "Save it in one of these formats and compare the new file"
)
CHANGED = N_("it is no longer the file that was compared. Compare it again")
PASSWORD = N_("the password is wrong. Give the password with which it was read")
BROKEN = N_(
    "its structure is broken, although its text can be read. "
    "Open it in the program that made it, save it again and compare the new file"
)
