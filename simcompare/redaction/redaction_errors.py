"""Why a file gets no anonymous copy."""

from simcompare.model.errors import FileError
from simcompare.support.i18n import N_


class NotAnonymousError(FileError):
    """An annotated copy of a file would name somebody. Values: cause, which says what to do as well."""

    template = N_("{name} gets no anonymous copy: {cause}.")


UNREAD_PAGES = N_(
    "its pages are pictures, or their letters cannot be told apart, so that names on them cannot be found. "
    "Export the anonymous report of the pair instead"
)
SEALED_PART = N_(
    "it holds embedded files or macros, which cannot be searched for names. "
    "Remove them, or export the anonymous report of the pair instead"
)
NAME_LEFT = N_(
    "a name stands in a part of it that cannot be changed, such as a picture. "
    "Remove it, or export the anonymous report of the pair instead"
)
