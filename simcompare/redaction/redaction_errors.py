"""Error for files of which no anonymous annotated copy can be made, and its causes.

Separate from `docx_redaction`, which loads lxml and cryptography.
"""

from simcompare.model.errors import FileError
from simcompare.support.i18n import N_


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
