"""Passages in the XML format of PAN: one file per pair, offsets and lengths in characters."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
from lxml import etree

from simcompare.comparison.passages.passage_columns import SUMMARY_SIDES, Passage, Passages
from simcompare.support.display_text import escape_invisible

_FEATURE = "detected-plagiarism"


@dataclass(frozen=True, slots=True)
class DetectionFile:
    """Producer of a detection file (None: not simcompare) and its number of passages."""

    made_by: str | None
    passages: int


def detections(passages: Passages) -> Passages:
    """Omit the passages at least half of which is in a summary.

    Scorers count a section reported twice as an error. No passage overlaps a summary in the right text.
    """
    left = passages.left_spans
    own = left[passages.summaries == SUMMARY_SIDES.index("left")]
    shared = np.minimum(left[:, None, 1], own[:, 1]) - np.maximum(left[:, None, 0], own[:, 0])
    inside = (2 * shared >= np.diff(left)).any(axis=1)
    return passages.select(~(inside & passages.covers))


def render_detections(left: str, right: str, passages: Iterable[Passage], made_by: str) -> str:
    """Render the passages of a pair of files as XML; `left`, `right`: file names.

    `made_by` identifies the run; the scorers of PAN ignore it.
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
    # XML cannot contain control characters, not even escaped
    return quoteattr(escape_invisible(text))


def read_detections(path: Path) -> DetectionFile | None:
    """Read the producer and number of passages of a file; None if it is not valid XML. Raises OSError."""
    try:
        root = etree.fromstring(path.read_bytes(), etree.XMLParser(resolve_entities=False))
    except etree.XMLSyntaxError:
        return None
    return DetectionFile(root.get("made_by"), len(root.findall("feature")))
