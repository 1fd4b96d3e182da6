"""Translations between Chinese and English: what is found by meaning, and what is flagged without any.

    python -m tests.benchmarks.translations ENGLISH CHINESE [--bench FOLDER] [--seed NUMBER]

Both folders hold one book as HTML, file by file (equal names up to the first dot) and paragraph by paragraph,
as the unpacked Debian packages debian-reference-en and debian-reference-zh-cn do. A planted pair is a stretch
of one chapter, and a stretch of another chapter in the other language with one or two translated sections of
the first, 6 to 20 sentences each. A clean pair has no translation: half are of one chapter (the nearest in
topic that the book has), half of two. Each pair is measured as it is, and with nothing in it that both
languages write alike: no Latin letter or digit in the Chinese text, no digit or code in the English one.
Prints a Markdown table; the thresholds of `rewriting.py` were chosen on every second chapter, the others were
kept back. Scores are those of PAN, by `plagdet.py` in the folder of benchmarks.
"""

import argparse
import copy
import random
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
from lxml import html

from simcompare.comparison.compare_documents import detect_passages
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.evaluation.batch_worker import detections
from simcompare.model.document import Document
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import split_sentences
from simcompare.text.sentence_meaning import is_meaning_available, sentence_meanings
from tests.benchmarks.detection import GoldSpans, load_scorer
from tests.helpers.documents import SHARED, make_document

PLANTED, CLEAN = 20, 30
"""Pairs of each half."""
FEWEST, MOST = 6, 20
STRETCH_SENTENCES = 50
HALVES = ("tuned", "kept back")
SETTINGS = ComparisonSettings(meaning=True)
Paragraph = dict[str, str]
"""A paragraph in either language, "en" and "zh", as it is and, with "-", without what both write alike."""


@dataclass(frozen=True)
class Pair:
    """Two texts as paragraphs; gold: first and last paragraph of each planted section, left then right."""

    kind: str
    left: list[Paragraph]
    right: list[Paragraph]
    languages: tuple[str, str]
    gold: list[GoldSpans]


def paragraphs_of(path: Path) -> list[tuple[str, str]]:
    """Return the paragraphs of a file, each as it is and without code."""
    root = html.parse(str(path), html.HTMLParser(encoding="utf-8")).getroot()
    found = []
    for element in root.iter("p"):
        plain = copy.deepcopy(element)
        for code in plain.xpath(".//code | .//kbd | .//tt"):
            code.drop_tree()
        found.append((" ".join(element.text_content().split()), " ".join(plain.text_content().split())))
    return found


def chapters_of(english: Path, chinese: Path) -> list[list[Paragraph]]:
    """Return the chapters with as many paragraphs in both folders, without scraps and repetitions."""
    files = [
        {path.name.split(".")[0]: path for path in folder.rglob("*.html")} for folder in (english, chinese)
    ]
    chapters, known = [], set()
    for name in sorted(files[0].keys() & files[1].keys()):
        sides = [paragraphs_of(each[name]) for each in files]
        if len(sides[0]) != len(sides[1]):
            continue
        chapter = []
        for (own, own_plain), (other, _plain) in zip(*sides, strict=True):
            paragraph = {
                "en": own,
                "en-": re.sub(r"[^A-Za-z\s.,;:?!'()-]+", " ", own_plain),
                "zh": other,
                "zh-": re.sub(r"[^\u4e00-\u9fff，。、；：？！（）“”]+", "", other),
            }
            is_prose = len(re.findall("[A-Za-z]+", paragraph["en-"])) >= 5 and len(paragraph["zh-"]) >= 8
            if is_prose and paragraph["zh-"] not in known:
                known.add(paragraph["zh-"])
                chapter.append(paragraph)
        chapters.append(chapter)
    return chapters


@cache
def sentence_count(text: str) -> int:
    return len(split_sentences(make_document(text)))


def most_sentences(paragraphs: list[Paragraph]) -> int:
    return max(sum(sentence_count(each[language]) for each in paragraphs) for language in paragraphs[0])


def fewest_sentences(paragraphs: list[Paragraph]) -> int:
    return min(sum(sentence_count(each[language]) for each in paragraphs) for language in paragraphs[0])


def stretch(chapter: list[Paragraph], start: int) -> list[Paragraph]:
    """Return the paragraphs from a start until there are enough sentences."""
    stop = start + 1
    while stop < len(chapter) and most_sentences(chapter[start:stop]) < STRETCH_SENTENCES:
        stop += 1
    return chapter[start:stop]


def random_stretch(chapter: list[Paragraph], chance: random.Random) -> list[Paragraph]:
    latest = len(chapter)
    while most_sentences(chapter[latest - 1 :]) < STRETCH_SENTENCES:
        latest -= 1
    return stretch(chapter, chance.randrange(latest))


def section(paragraphs: list[Paragraph], first: int, last: int, chance: random.Random) -> tuple[int, int]:
    """Choose a section of 6 to 20 sentences in all four texts, between these paragraphs (inclusive)."""
    choices = [
        (start, stop)
        for start in range(first, last + 1)
        for stop in range(start, last + 1)
        if fewest_sentences(paragraphs[start : stop + 1]) >= FEWEST
        and most_sentences(paragraphs[start : stop + 1]) <= MOST
    ]
    return chance.choice(choices)


def planted(chapters: list[list[Paragraph]], number: int, chance: random.Random) -> Pair:
    own, other = chance.sample(chapters, 2)
    left, host = random_stretch(own, chance), random_stretch(other, chance)
    middle = len(left) // 2
    parts = [(0, middle - 1), (middle + 1, len(left) - 1)] if number % 4 < 2 else [(0, len(left) - 1)]
    sections = [section(left, *part, chance) for part in parts]
    chance.shuffle(sections)
    right, gold = [], []
    places = [len(host) * (place + 1) // (len(sections) + 1) for place in range(len(sections))]
    for start, stop, (first, last) in zip([0, *places], places, sections, strict=False):
        right += host[start:stop]
        gold.append((first, last, len(right), len(right) + last - first))
        right += left[first : last + 1]
    languages = ("en", "zh") if number % 2 else ("zh", "en")
    return Pair("planted", left, right + host[places[-1] :], languages, gold)


def clean(chapters: list[list[Paragraph]], number: int, chance: random.Random) -> Pair:
    languages = ("en", "zh") if number % 4 < 2 else ("zh", "en")
    if number % 2:
        left, right = (random_stretch(chapter, chance) for chapter in chance.sample(chapters, 2))
        return Pair("two chapters", left, right, languages, [])
    while True:
        chapter = chance.choice(chapters)
        left, right = random_stretch(chapter, chance), random_stretch(chapter, chance)
        if not any(each in right for each in left):
            return Pair("one chapter", left, right, languages, [])


def document(paragraphs: list[Paragraph], language: str) -> Document:
    return make_document(*(" ".join(each[language].split()) for each in paragraphs))


class Encoder:
    """Vectors of sentences; texts of one chapter have the same ones."""

    def __init__(self) -> None:
        self.vectors: dict[str, np.ndarray] = {}

    def prepared(self, document: Document) -> PreparedDocument:
        prepared = prepare_document(document, "improved")
        sentences = [document.text[start:end] for start, end in prepared.prepared.sentence_spans.tolist()]
        new = list(dict.fromkeys(each for each in sentences if each not in self.vectors))
        self.vectors.update(zip(new, sentence_meanings(new), strict=True))
        meanings = np.stack([self.vectors[each] for each in sentences])
        return replace(prepared, prepared=replace(prepared.prepared, meanings=meanings))


def measured(pair: Pair, mark: str, encoder: Encoder) -> tuple[list[GoldSpans], list[GoldSpans], float]:
    """Return the gold and the found spans, and the seconds of the search."""
    left, right = (
        document(paragraphs, language + mark)
        for paragraphs, language in zip((pair.left, pair.right), pair.languages, strict=True)
    )
    prepared = encoder.prepared(left), encoder.prepared(right)
    started = time.process_time()
    passages = detect_passages(*prepared, SETTINGS)
    seconds = time.process_time() - started
    assert passages is not None
    gold = [
        (
            left.blocks[a].span.start,
            left.blocks[b].span.end,
            right.blocks[c].span.start,
            right.blocks[d].span.end,
        )
        for a, b, c, d in pair.gold
    ]
    return gold, [tuple(each) for each in detections(passages).spans.tolist()], seconds


def pairs_of(chapters: list[list[Paragraph]], seed: int) -> Iterator[Pair]:
    chance = random.Random(seed)
    long = [chapter for chapter in chapters if chapter and most_sentences(chapter) >= 2 * STRETCH_SENTENCES]
    yield from (planted(long, number, chance) for number in range(PLANTED))
    yield from (clean(long, number, chance) for number in range(CLEAN))


def print_row(name: str, pairs: list[Pair], mark: str, encoder: Encoder, scorer: ModuleType) -> None:
    results = [(pair.kind, *measured(pair, mark, encoder)) for pair in pairs]
    scores = scorer.plagdet([(gold, found) for kind, gold, found, _seconds in results if kind == "planted"])
    cells = [f"{score:.3f}" for score in scores]
    for chosen in ("one chapter", "two chapters"):
        flags = [bool(found) for kind, _gold, found, _seconds in results if kind == chosen]
        cells.append(f"{sum(flags)} of {len(flags)}")
    milliseconds = 1000 * np.mean([seconds for *_others, seconds in results])
    print("|", " | ".join([name, *cells, f"{milliseconds:.0f}"]), "|")


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("english", type=Path)
    parser.add_argument("chinese", type=Path)
    parser.add_argument("--bench", type=Path, default=SHARED / "bench")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of stretches and sections")
    options = parser.parse_args()
    if not is_meaning_available():
        raise SystemExit("The model of meaning is not installed (extra `meaning`): nothing can be measured.")
    chapters = chapters_of(options.english, options.chinese)
    if len(chapters) < 2 * len(HALVES):
        raise SystemExit("The two folders do not hold one book as HTML, paragraph by paragraph: skipped.")
    scorer, encoder = load_scorer(options.bench), Encoder()
    print("| half | texts | plagdet | precision | recall | granularity | flagged: one chapter | two | ms |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for place, half in enumerate(HALVES):
        pairs = list(pairs_of(chapters[place :: len(HALVES)], options.seed))
        for mark, texts in (("", "as they are"), ("-", "nothing written alike")):
            print_row(f"{half} | {texts}", pairs, mark, encoder, scorer)


if __name__ == "__main__":
    main()
