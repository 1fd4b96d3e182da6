"""What holds inside a group of Rich Text, until it ends."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from enum import Enum, auto

from simcompare.loading.common.fields import Field
from simcompare.loading.flow import Flow

_BODY_LEVEL = 9


class Into(Enum):
    """Where the text of a group goes."""

    TEXT = auto()
    # The text here is not for reading, that of groups within may be.
    NOTHING = auto()
    # Nothing within is for reading.
    OUT = auto()
    FONTS = auto()
    COLOURS = auto()
    STYLES = auto()
    TITLE = auto()
    AUTHOR = auto()
    LAST_AUTHOR = auto()
    PROGRAM = auto()
    CREATED = auto()
    LAST_SAVED = auto()
    COMMAND = auto()
    SHAPE_NAME = auto()
    SHAPE_VALUE = auto()
    PICTURE = auto()


@dataclass(frozen=True, slots=True)
class Characters:
    r"""How characters look. Colours are numbers of the table.

    Beside what holds for all, LibreOffice tells size and weight of Chinese characters, behind `\dbch`.
    """

    font: int | None = None
    half_points: int = 24
    bold: bool = False
    hidden: bool = False
    deleted: bool = False
    colour: int = 0
    ground: int = 0
    pattern: int = 0
    tells_of_chinese: bool = False
    chinese_half_points: int | None = None
    chinese_bold: bool | None = None

    def of_chinese(self) -> "Characters":
        """Return how Chinese characters look."""
        size, bold = self.chinese_half_points, self.chinese_bold
        return replace(
            self,
            half_points=self.half_points if size is None else size,
            bold=self.bold if bold is None else bold,
        )


@dataclass(frozen=True, slots=True)
class ParagraphState:
    """What a paragraph is. `depth` counts the tables around it; `level` is that of a heading, from 0.

    A drop cap is the large letter that the next paragraph begins with.
    """

    style: int = 0
    level: int = _BODY_LEVEL
    centred: bool = False
    is_listed: bool = False
    ground: int = 0
    pattern: int = 0
    depth: int = 0
    is_drop_cap: bool = False

    @property
    def is_heading(self) -> bool:
        """Whether the paragraph has a heading's level of its own."""
        return self.level < _BODY_LEVEL


@dataclass(slots=True)
class State:
    """What holds inside a group. `at_end` is done when just this group ends, with what then holds."""

    flow: Flow
    into: Into = Into.TEXT
    # Where the text went around the group that gives it twice, for old programs and for new ones.
    into_around: Into = Into.TEXT
    characters: Characters = Characters()
    paragraph: ParagraphState = ParagraphState()
    skipped_after_unicode: int = 1
    in_contents: bool = False
    in_equation: bool = False
    is_page: bool = False
    is_endnote: bool = False
    field: Field | None = None
    at_end: "Callable[[State], None] | None" = None

    def inside(self) -> "State":
        """Return what holds at the beginning of a group within."""
        inner = copy(self)
        inner.at_end = None
        return inner
