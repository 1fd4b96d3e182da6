"""What a preview shows, as values that come from another process."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as it will look: three bytes a pixel, red, green and blue, rows `stride` bytes apart."""

    width_px: int
    height_px: int
    stride: int
    pixels: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part of what will be written: a heading, words, what is said aside, and a page; any may lack."""

    heading: str = ""
    words: str = ""
    aside: str = ""
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class Leaves:
    """Parts below each other."""

    leaves: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The beginning of a file that is text, as it stands in it; `is_all` where nothing is left out."""

    text: str
    is_all: bool


@dataclass(frozen=True, slots=True)
class Rows:
    """The first rows of a table, the headings first; `is_all` where nothing is left out."""

    rows: tuple[tuple[str, ...], ...]
    is_all: bool


Preview = Leaves | Excerpt | Rows
