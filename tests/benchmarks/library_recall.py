"""Recall of the library: edited copies of real articles, searched among at least 10,000 texts.

    python -m tests.benchmarks.library_recall [--news FOLDER] [--articles 450] [--texts 10000] [--copies 100]

Articles of zh-dev and pan13-dev and as many real news (`real_texts.py`, which says how to get the folder) are
added to a library, and edited copies of some of them are searched. The other texts are news; without them, or
if there are too few, they are made of random sentences of the articles. Then each sentence of an article is
in many texts, which have its words and may be five times as long: this is harder than real texts.

The same copies are searched by document Simhash within 3 bits, FTS5 of SQLite and MinHashLSH of datasketch
(`retrieval_engines.py`, which says how to install it). The figures are the share of the copies whose article
is among the first ten texts found, and in brackets of those whose article is the best one; "ms" is the median
time of a search. FTS5 searches 20 copies of each kind only, as it takes seconds.

The ways of editing: a share of the words replaced by synonyms of the starter thesaurus or, without any, by
random words of all articles; sentences deleted, or all in random order; traditional script; a passage of 200
units within at most 1,000 units, the others from an article that is not in the library, and a passage of 60
units with 30% of its words replaced.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from statistics import fmean, median

from opencc import OpenCC

from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.library.store.open_library import open_library
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted
from simcompare.text.thesaurus import Thesaurus, load_thesaurus
from tests.benchmarks.real_texts import real_texts
from tests.benchmarks.retrieval_engines import FullTextEngine, RetrievalEngine, all_engines
from tests.helpers.documents import shared_path

PASSAGE_UNITS, SHORT_PASSAGE_UNITS, HOST_UNITS = 200, 60, 1000
FEWEST_UNITS = 300
TEXTS_AT_ONCE = 200
SLOW_COPIES = 20
Way = Callable[[PreparedDocument, random.Random], str]


def articles(count: int) -> list[PreparedDocument]:
    """Read articles of both sets, those with enough units, without equal texts."""
    found: dict[str, PreparedDocument] = {}
    paths = [sorted(shared_path("bench", name, "src").iterdir()) for name in ("zh-dev", "pan13-dev")]
    for place in (path for both in zip(*paths, strict=False) for path in both):
        name = Path(f"{place.parent.parent.name}-{place.name}")
        document = load_pasted(name, PastedText(place.read_text(encoding="utf-8")))
        text = prepare_document(document, "improved")
        if text.prepared.unit_count >= FEWEST_UNITS:
            found[text.document.sha256] = text
        if len(found) == count:
            break
    return list(found.values())


class Words:
    """Replacements of words: synonyms, or random words of all articles."""

    def __init__(self, thesaurus: Thesaurus, texts: Sequence[PreparedDocument]) -> None:
        self._thesaurus = thesaurus
        self._synonyms: dict[int, list[str]] = {}
        for word, groups in thesaurus.groups_of.items():
            for group in groups:
                self._synonyms.setdefault(group, []).append(word)
        self._chinese = self._of(texts, is_chinese=True)
        self._others = self._of(texts, is_chinese=False)

    def _of(self, texts: Sequence[PreparedDocument], *, is_chinese: bool) -> list[str]:
        chosen = (text.prepared for text in texts if text.prepared.is_mostly_chinese == is_chinese)
        return sorted({word for text in chosen for word in text.word_vocabulary})

    def replacement(self, word: str, draw: random.Random, *, is_chinese: bool) -> str:
        """Return a synonym, or a random word if there is none."""
        synonyms = {other for group in self._thesaurus.groups(word) for other in self._synonyms[group]} - {
            word
        }
        return draw.choice(sorted(synonyms) or (self._chinese if is_chinese else self._others))


def with_replaced_words(text: PreparedDocument, share: float, words: Words, draw: random.Random) -> str:
    """Replace a share of the words."""
    prepared, source = text.prepared, text.document.text
    chosen = sorted(draw.sample(range(len(prepared.word_ids)), round(share * len(prepared.word_ids))))
    parts, end = [], 0
    for place in chosen:
        first, last = prepared.word_units[place], prepared.word_units[place + 1] - 1
        start = int(prepared.unit_spans[first, 0])
        word = prepared.word_vocabulary[prepared.word_ids[place]]
        new = words.replacement(word, draw, is_chinese=prepared.is_mostly_chinese)
        parts += [source[end:start], new]
        end = int(prepared.unit_spans[last, 1])
    return "".join([*parts, source[end:]])


def sentences_of(text: PreparedDocument) -> list[str]:
    return [
        text.prepared.sentence_span(i).of(text.document.text) for i in range(text.prepared.sentence_count)
    ]


def with_deleted_sentences(text: PreparedDocument, share: float, draw: random.Random) -> str:
    """Delete a share of the sentences, a paragraph for each that stays."""
    kept = [sentence for sentence in sentences_of(text) if draw.random() >= share]
    return "\n".join(kept or sentences_of(text)[:1])


def with_shuffled_sentences(text: PreparedDocument, draw: random.Random) -> str:
    """Put the sentences in random order."""
    sentences = sentences_of(text)
    return "\n".join(draw.sample(sentences, len(sentences)))


def passage_in(
    hosts: Sequence[PreparedDocument], text: PreparedDocument, draw: random.Random, units: int = PASSAGE_UNITS
) -> str:
    """Put a passage of a text between the parts of another text in the same language."""
    prepared = text.prepared
    same = [host for host in hosts if host.prepared.is_mostly_chinese == prepared.is_mostly_chinese]
    first = draw.randrange(max(prepared.unit_count - units, 1))
    last = min(first + units, prepared.unit_count) - 1
    passage = text.document.text[prepared.unit_spans[first, 0] : prepared.unit_spans[last, 1]]
    host = draw.choice(same)
    end = host.prepared.unit_spans[min(HOST_UNITS - units, host.prepared.unit_count) - 1, 1]
    around = host.document.text[:end]
    middle = around.find("\n", len(around) // 2)
    return f"{around[:middle]}\n{passage}\n{around[middle:]}"


def ways_of_editing(words: Words, hosts: Sequence[PreparedDocument]) -> Iterator[tuple[str, Way]]:
    """Yield each way with its name."""
    for percent in (10, 30, 50, 60):
        yield (
            f"{percent}% words",
            lambda text, draw, share=percent / 100: with_replaced_words(text, share, words, draw),
        )
    yield "30% deleted", lambda text, draw: with_deleted_sentences(text, 0.3, draw)
    yield "60% deleted", lambda text, draw: with_deleted_sentences(text, 0.6, draw)
    yield "reordered", with_shuffled_sentences
    to_traditional = OpenCC("s2t")
    yield "traditional", lambda text, draw: str(to_traditional.convert(text.document.text))
    yield "passage of 200", lambda text, draw: passage_in(hosts, text, draw)

    def reworded_passage(text: PreparedDocument, draw: random.Random) -> str:
        reworded = _prepared(with_replaced_words(text, 0.3, words, draw))
        return passage_in(hosts, reworded, draw, SHORT_PASSAGE_UNITS)

    yield "passage of 60, 30% words", reworded_passage


def _prepared(copy: str) -> PreparedDocument:
    return prepare_document(load_pasted(Path("copy"), PastedText(copy)), "improved")


def recombined(
    texts: Sequence[PreparedDocument], count: int, draw: random.Random
) -> Iterator[PreparedDocument]:
    """Make texts of random sentences of others in one language."""
    sentences = {
        chinese: [
            sentence
            for text in texts
            if text.prepared.is_mostly_chinese == chinese
            for sentence in sentences_of(text)
        ]
        for chinese in (True, False)
    }
    for number in range(count):
        source = sentences[draw.choice(texts).prepared.is_mostly_chinese]
        characters = len(draw.choice(texts).document.text)
        chosen: list[str] = []
        while sum(map(len, chosen)) < characters:
            chosen.append(draw.choice(source))
        document = load_pasted(Path(f"recombined-{number}"), PastedText("\n".join(chosen)))
        yield prepare_document(document, "improved")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Place of the article among the texts found, if any; time of the search."""

    place: int | None
    seconds: float


def outcome_of(engine: RetrievalEngine, source: PreparedDocument, copy: PreparedDocument) -> Outcome:
    """Search a copy of an article."""
    start = time.perf_counter()
    found = engine.found(copy)
    seconds = time.perf_counter() - start
    return Outcome(found.index(source.name) if source.name in found else None, seconds)


def measure(
    engines: Sequence[RetrievalEngine],
    texts: tuple[list[PreparedDocument], list[PreparedDocument]],
    copies: int,
    seed: int,
) -> None:
    """Print a line for each way of editing. texts: articles in the library, and others."""
    stored, hosts = texts
    words = Words(load_thesaurus("starter"), [*stored, *hosts])
    print("\n| copy | " + " | ".join(engine.name for engine in engines) + " | ms |")
    print("|---" * (len(engines) + 2) + "|")
    for name, edit in ways_of_editing(words, hosts):
        draw = random.Random(seed)
        cells, times = [], []
        sources = draw.sample(stored, min(copies, len(stored)))
        pairs = [(source, _prepared(edit(source, draw))) for source in sources]
        for engine in engines:
            searched = pairs[:SLOW_COPIES] if isinstance(engine, FullTextEngine) else pairs
            outcomes = [outcome_of(engine, source, copy) for source, copy in searched]
            in_ten = fmean(outcome.place is not None for outcome in outcomes)
            first = fmean(outcome.place == 0 for outcome in outcomes)
            cells.append(f"{in_ten:.3f} ({first:.3f})")
            times.append(f"{1000 * median(outcome.seconds for outcome in outcomes):.0f}")
        print(f"| {name} | {' | '.join(cells)} | {', '.join(times)} |", flush=True)


def fill(engines: Sequence[RetrievalEngine], texts: Iterator[PreparedDocument]) -> None:
    """Add texts to all engines; print the time of each."""
    seconds = dict.fromkeys((engine.name for engine in engines), 0.0)
    count = 0
    while batch := list(islice(texts, TEXTS_AT_ONCE)):
        count += len(batch)
        for engine in engines:
            start = time.perf_counter()
            engine.add(batch)
            seconds[engine.name] += time.perf_counter() - start
    print(f"{count} texts; seconds of adding them:")
    print(", ".join(f"{name} {each:.0f}" for name, each in seconds.items()), flush=True)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--news", type=Path, help="where the package of real texts is")
    parser.add_argument("--articles", type=int, default=450)
    parser.add_argument("--texts", type=int, default=10_000)
    parser.add_argument("--copies", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    read = articles(options.articles)
    hosts, stored = read[::10], [text for place, text in enumerate(read) if place % 10]
    draw = random.Random(options.seed)
    news = real_texts(options.news, draw) if options.news else iter(())
    made = recombined(stored, options.texts, draw)
    searched = [*stored, *islice(news, len(stored))]
    with (
        tempfile.TemporaryDirectory() as folder,
        open_library(Path(folder, "library.sqlite"), create=True) as library,
    ):
        engines = list(all_engines(library, Path(folder)))
        fill(engines, islice(chain(searched, news, made), options.texts))
        measure(engines, (searched, hosts), options.copies, options.seed)


if __name__ == "__main__":
    main()
