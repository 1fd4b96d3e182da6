"""Documents, prepared documents and comparisons made from short texts, without files."""

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from simcompare.cohort.pair_scores import PairScores, PairText, score_pair
from simcompare.comparison.compare_documents import compare
from simcompare.comparison.comparison_matrix import TextNumbering
from simcompare.comparison.comparison_result import NO_EXCLUSIONS, Comparison
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.loading.shared.reference_lists import marked_references
from simcompare.model.document import Anchor, BlockKind, Document, ExtractionReceipt, join_blocks
from simcompare.model.settings import ComparisonSettings
from simcompare.text.comparable import comparable_units
from simcompare.text.thesaurus import Thesaurus

SHARED = Path(__file__).resolve().parents[3] / "shared"
"""Texts that may lie beside a checkout; the tests that need them are skipped elsewhere."""
DATA = Path(__file__).resolve().parents[1] / "data"


def excluding_nothing(settings: ComparisonSettings) -> ComparisonSettings:
    """Return the settings with all exclusions disabled."""
    return replace(settings, **NO_EXCLUSIONS)


DEFAULT_SETTINGS = excluding_nothing(ComparisonSettings())


def make_document(*paragraphs: str, title: str = "", kind: BlockKind = BlockKind.PARAGRAPH) -> Document:
    """Make a document of these paragraphs, as a loader would."""
    kinds = marked_references([kind] * len(paragraphs), paragraphs)
    pieces = [(kinds[i], paragraph, Anchor(i + 1)) for i, paragraph in enumerate(paragraphs)]
    text, blocks = join_blocks(pieces)
    receipt = ExtractionReceipt("none", "text", len(text), len(blocks))
    return Document(Path("essay.txt"), title, text, blocks, receipt, "0" * 64, len(text.encode()))


def document_of(text: str, *, title: str = "") -> Document:
    """Make a document whose paragraphs are the non-blank lines of a text."""
    return make_document(*(line for line in text.split("\n") if line.strip()), title=title)


def prepared_text_document(*paragraphs: str, recipe: str = "improved", title: str = "") -> PreparedDocument:
    return prepare_document(make_document(*paragraphs, title=title), recipe)


def compare_texts(
    left: str | Sequence[str],
    right: str | Sequence[str],
    settings: ComparisonSettings = DEFAULT_SETTINGS,
    thesaurus: Thesaurus | None = None,
) -> Comparison:
    """Compare two texts, each one paragraph or several."""
    sides = [[side] if isinstance(side, str) else side for side in (left, right)]
    return compare(*(prepared_text_document(*side) for side in sides), settings, thesaurus)


def scores_of(
    left: PreparedDocument,
    right: PreparedDocument,
    settings: ComparisonSettings,
    thesaurus: Thesaurus | None = None,
) -> PairScores:
    """Score two documents as a pair of a cohort."""
    numbering = TextNumbering(thesaurus)
    return score_pair(PairText(left.prepared, numbering), PairText(right.prepared, numbering), settings)


def thesaurus_of(*groups: str) -> Thesaurus:
    """Make a thesaurus of groups, each given as words separated by blanks."""
    groups_of: dict[str, set[int]] = {}
    for number, group in enumerate(groups):
        for word in group.split():
            groups_of.setdefault("".join(comparable_units(word).texts), set()).add(number)
    frozen = {word: frozenset(numbers) for word, numbers in groups_of.items()}
    return Thesaurus("test", frozen, len(groups))


def shared_path(*parts: str) -> Path:
    """Path of a shared text; skips the test if it is missing."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"no shared text {'/'.join(parts)} beside this checkout")
    return path


def shared_text(*parts: str) -> str:
    return shared_path(*parts).read_text(encoding="utf-8").replace("\r\n", "\n")


def own_texts(language: str = "zh") -> list[str]:
    """The texts of tests/data in a language, one paragraph on each line."""
    return [path.read_text(encoding="utf-8") for path in sorted((DATA / language).iterdir())]


def own_text(characters: int) -> str:
    """Chinese text of this length: the texts of tests/data, then random sentences of their clauses."""
    text, chance = "".join(own_texts()), random.Random(1)
    clauses = re.findall(r"[^，。！？：“”\n]{4,}", text)
    parts, length = [text], len(text)
    while length < characters:
        parts.append("，".join(chance.sample(clauses, 3)) + ("。\n" if chance.random() < 0.2 else "。"))
        length += len(parts[-1])
    return "".join(parts)[:characters]


def bench_text(characters: int) -> str:
    """The beginning of the shared Chinese articles, one paragraph on each line."""
    texts: list[str] = []
    for path in sorted(shared_path("bench", "zh-dev", "src").iterdir()):
        texts.append(path.read_text(encoding="utf-8"))
        if sum(map(len, texts)) >= characters:
            break
    return "\n".join(texts)[:characters]


def unrelated_essays(count: int, sentences: int) -> list[list[str]]:
    """Essays of whole sentences of tests/data, each sentence in one of them only."""
    found = re.findall(r"[^。！？\n]{8,}[。！？]", "\n".join(own_texts()))
    pool = random.Random(1).sample(list(dict.fromkeys(found)), count * sentences)
    return [pool[start : start + sentences] for start in range(0, len(pool), sentences)]
