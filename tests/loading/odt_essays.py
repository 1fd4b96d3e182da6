"""Helper that writes OpenDocument essays and loads them."""

from simcompare.loading import load_document
from simcompare.loading.extraction import ReadingOptions
from tests.helpers.open_document import (
    write_odt,
)

RIVER = "The river sings all the year round."
BRIDGE = "Old people sit on the bridge in the sun."


def reading_odt(folder):
    """Return a function that writes the body of an essay into `folder` and reads it."""

    def load_body(body, styles="", password=None, **parts):
        path = write_odt(folder / "essay.odt", body, styles, **parts)
        return load_document(path, ReadingOptions(password=password))

    return load_body
