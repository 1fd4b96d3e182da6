"""Why a file gets no annotated copy."""

from simcompare.model.errors import FileError
from simcompare.support.i18n import N_


class NotAnnotatedError(FileError):
    """A file was compared and cannot be annotated. Values: cause, which says what to do as well."""

    template = N_("{name} cannot be annotated: {cause}.")


OTHER_FORMAT = N_(
    "that can be done with PDF and Word files (.docx, .docm, .dotx) alone. "
    "Save it as one of those and compare that"
)
CHANGED = N_("it is no longer the file that was compared. Compare it again")
PASSWORD = N_("its password is not the one given. Give the password with which it was read")
BROKEN = N_(
    "its structure is broken, although its text can be read. "
    "Open it in the program that made it, save it again and compare the new file"
)
