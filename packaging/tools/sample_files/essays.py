"""Sources of the sample essays, and the layout and metadata common to all formats."""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[3] / "resources" / "samples"
SOURCES = SAMPLES / "source"

AUTHOR = "simcompare"
CREATED = datetime(2026, 1, 1)

BODY_POINTS = 12
TITLE_POINTS = 20
LINE_HEIGHT = 1.7
MARGIN_POINTS = 72

HAN = re.compile(r"[\u4e00-\u9fff]")
SENTENCE_END = re.compile(r"(?<=[。！？])(?!”)|(?<=[。！？]”)|(?<=[.!?])\s+|(?<=[.!?]”)\s+")


@dataclass(frozen=True)
class Essay:
    """A sample text: its title and its paragraphs."""

    title: str
    paragraphs: tuple[str, ...]

    @property
    def is_chinese(self) -> bool:
        """True if the essay is written in Chinese."""
        return bool(HAN.search(self.title))

    @property
    def sentences(self) -> list[str]:
        """Sentences of all paragraphs in order."""
        return [part for text in self.paragraphs for part in SENTENCE_END.split(text) if part]


def read_essay(name: str) -> Essay:
    """Read the source `name`.txt."""
    title, *paragraphs = (SOURCES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return Essay(title, tuple(paragraphs))
