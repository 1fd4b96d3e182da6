"""Students as a teacher knows them, and what was taken for their names."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Student:
    """A student: names, the usual one first and other spellings behind it, and numbers."""

    names: tuple[str, ...]
    numbers: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """What a teacher calls the student: the usual name, and the first number behind it."""
        return " ".join([*self.names[:1], *self.numbers[:1]])


class Ground(StrEnum):
    """Why something was taken for the name or the number of a file's student. The values are stable words."""

    LISTED = "listed"
    SEVERAL = "several"
    PERSONAL_NAME = "personal_name"
    BESIDE_NUMBER = "beside_number"
    SAME_PLACE = "same_place"
    DIGITS = "digits"
    FOLDER = "folder"
    OPENING = "opening"


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a file says of its student: a proposal that a teacher may correct.

    name and number are empty where none was recognised; their grounds are None then. also: names of others
    who wrote it as well, or whom its first lines name in place of the student.
    """

    path: Path
    name: str = ""
    number: str = ""
    name_ground: Ground | None = None
    number_ground: Ground | None = None
    also: tuple[str, ...] = ()
