"""How a person wants a file to be read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """What reading depends on beside the file.

    password: tried where a file asks for one. whole_page: of a web page all text, not the article alone.
    """

    password: str | None = None
    whole_page: bool = False


DEFAULT_OPTIONS = ReadingOptions()
