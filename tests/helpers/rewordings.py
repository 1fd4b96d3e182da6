"""The texts of `tests/data/rewordings`: an essay, three rewordings of a stretch of it, and another essay."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from simcompare.model.document import Span

TOPICS = Path(__file__).parents[1] / "data" / "rewordings"
STRENGTHS = ("light", "medium", "strong")


@dataclass(frozen=True)
class Topic:
    """A question with an essay, a stretch of it, its rewordings by strength, and another essay."""

    language: str
    source: str
    stretch: str
    rewordings: dict[str, str]
    other: str

    def planted(self, strength: str) -> tuple[str, Span]:
        """Return the other essay with a rewording between its paragraphs, and the span of the rewording."""
        paragraphs = self.other.split("\n\n")
        middle = len(paragraphs) // 2
        before = "\n\n".join(paragraphs[:middle]) + "\n\n"
        span = Span(len(before), len(before) + len(self.rewordings[strength]))
        return before + "\n\n".join([self.rewordings[strength], *paragraphs[middle:]]), span


def topics(language: str) -> Iterator[Topic]:
    for path in sorted((TOPICS / language).glob("*.txt")):
        parts = re.split(r"^## (\w+)\n", path.read_text("utf-8"), flags=re.MULTILINE)[1:]
        texts = {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}
        rewordings = {strength: texts[strength] for strength in STRENGTHS}
        yield Topic(language, texts["source"], texts["stretch"], rewordings, texts["other"])
