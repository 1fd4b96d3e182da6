"""Passages as PAN writes them: one XML file a pair, offsets and lengths in characters."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

from lxml import etree

from simcompare.comparison.comparison_result import Passage
from simcompare.support.display_text import escape_invisible

_FEATURE = "detected-plagiarism"


@dataclass(frozen=True, slots=True)
class WrittenDetections:
    """What a detection file says of itself: by what it was made (None: not by simcompare), and how many."""

    made_by: str | None
    passages: int


def render_detections(left: str, right: str, passages: Sequence[Passage], made_by: str) -> str:
    """Return the detections in a pair of files, given by their names.

    `made_by` tells runs apart; scorers of PAN do not look at it.
    """
    features = "".join(f"{_feature(passage, right)}\n" for passage in passages)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<document reference={_quoted(left)} made_by={_quoted(made_by)}>\n{features}</document>\n"
    )


def _feature(passage: Passage, right: str) -> str:
    return (
        f'<feature name="{_FEATURE}"'
        f' this_offset="{passage.left.start}" this_length="{len(passage.left)}"'
        f" source_reference={_quoted(right)}"
        f' source_offset="{passage.right.start}" source_length="{len(passage.right)}" />'
    )


def _quoted(text: str) -> str:
    # no XML file can hold control characters, not even escaped
    return quoteattr(escape_invisible(text))


def read_detections(path: Path) -> WrittenDetections | None:
    """Return what a file holds; None where it is no whole XML file. Raises OSError."""
    try:
        root = etree.fromstring(path.read_bytes(), etree.XMLParser(resolve_entities=False))
    except etree.XMLSyntaxError:
        return None
    return WrittenDetections(root.get("made_by"), len(root.findall("feature")))
