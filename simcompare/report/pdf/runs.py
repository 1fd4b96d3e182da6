"""Stretches of text and how they look, before they are set in lines."""

from dataclasses import dataclass

from simcompare.support.display_text import escape_invisible

LINE_BREAK, JOINER = "\u2028", "\u2060"


@dataclass(frozen=True, slots=True)
class Style:
    """How a stretch of text looks; without a colour it takes room and is not shown.

    `underline` is solid, dashed, dotted or nothing.
    """

    size_pt: float = 10
    colour: str = "#1d2129"
    is_bold: bool = False
    is_fixed: bool = False
    tint: str = ""
    underline: str = ""
    underline_colour: str = ""
    rise_pt: float = 0


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of one style; it may lead to a named place, or be one."""

    text: str
    style: Style
    link: str = ""
    place: str = ""


def run(text: str, style: Style, *, link: str = "", place: str = "") -> Run:
    """Return a run of any text: what would act instead of being read is shown by name."""
    return Run(escape_invisible(text).replace("\n", LINE_BREAK), style, link, place)


@dataclass(frozen=True, slots=True)
class Measure:
    """How lines are set: width and leading in points, the language, and the indent of the first line."""

    width_pt: float
    leading_pt: float
    language: str
    indent_pt: float = 0
    is_centred: bool = False
