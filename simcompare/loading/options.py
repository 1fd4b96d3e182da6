"""How a person wants a file to be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simcompare.loading.ocr.pages import RecognisedPage


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """What reading depends on beside the file.

    password: tried where a file asks for one, and never shown. whole_page: of a web page all text, not the
    article alone. recognised: the pages of which text recognition has read the text, None for one that it
    could not read; no page is asked for while this is None.
    """

    password: str | None = field(default=None, repr=False)
    whole_page: bool = False
    recognised: "Mapping[int, RecognisedPage | None] | None" = field(default=None, repr=False, hash=False)


DEFAULT_OPTIONS = ReadingOptions()
