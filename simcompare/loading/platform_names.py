"""Recognise the names that Moodle and Canvas give to handed-in files and folders."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_LEVELS = 3
"""A file name and the folders above it, as a nested archive may be one of them."""
# "Anna Kowalski_1234_assignsubmission_file_", as a folder or before the name of a file
_MOODLE = re.compile(
    r"(?P<student>.+?)_(?P<key>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<title>.*)", re.DOTALL
)
# "kowalskianna_late_1234_567890_essay.docx": surname and given name, person, file
_CANVAS = re.compile(
    r"(?P<student>[^\W\dA-Z_]+(?:-[^\W\dA-Z_]+)*)(?P<late>_(?i:late))?_(?P<key>\d+)_(?P<file>\d+)_(?P<title>.+)"
)
_DATE = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")


@dataclass(frozen=True, slots=True)
class Submission:
    """Parts of the name that a platform gave to a file.

    student: the name of the student, in Canvas without blanks and surname first. key: identifies the student
    within the class. title: the rest of the name, that of the student's own file.
    """

    student: str
    key: str
    title: str


def submissions(paths: Sequence[Path]) -> list[Submission | None]:
    """Return the parts of each file's name, or None if no platform named it.

    The form of Canvas is less distinctive: the number of the file must be different for each file and no
    date, so that "王伟_20250001_20260301_作文.docx" keeps its student number.
    """
    canvas = [_canvas_match(path) for path in paths]
    numbers = Counter(match["file"] for match in {match[0]: match for match in canvas if match}.values())
    unique = {number for number, count in numbers.items() if count == 1 and not _DATE.fullmatch(number)}
    return [
        _moodle(path) or (_canvas(path, match) if match and match["file"] in unique else None)
        for path, match in zip(paths, canvas, strict=True)
    ]


def _moodle(path: Path) -> Submission | None:
    for level, part in enumerate(reversed(path.parts[-_LEVELS:])):
        match = _MOODLE.fullmatch(_normal(part))
        if match:
            # a folder holds the student's own file
            title = path.name if level else match["title"]
            return Submission(match["student"].strip(), f"moodle {match['key']}", title)
    return None


def _canvas_match(path: Path) -> re.Match[str] | None:
    """Match the name of a file, or of the archive that a student handed in with the file in it."""
    archives = (part for part in path.parts[-_LEVELS:-1] if part.lower().endswith(".zip"))
    matches = (_CANVAS.fullmatch(_normal(part)) for part in (path.name, *archives))
    return next(filter(None, matches), None)


def _canvas(path: Path, match: re.Match[str]) -> Submission:
    title = match["title"] if match[0] == _normal(path.name) else path.name
    return Submission(match["student"], f"canvas {match['key']}", title)


def _normal(name: str) -> str:
    return unicodedata.normalize("NFKC", name)
