"""Recall of the library: edited copies of real articles, searched among all the others.

    python -m tests.benchmarks.library_recall [--articles 100] [--copies 30] [--seed 1]

Articles of zh-dev and pan13-dev are added to a library; edited copies of some of them are searched. "first
10" is the share of the copies whose article is among the first ten candidates, "first" of those whose article
is the best one; "k = 3" of those whose document Simhash is within 3 bits of that of their article. "ms" is
the time of finding the candidates.

The ways of editing: a share of the words replaced by synonyms of the starter thesaurus or, without any, by
random words of all articles; sentences deleted, or all in random order; traditional script; a passage of 200
units within at most 1,000 units, the others from an article that is not in the library.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from opencc import OpenCC

from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.fingerprint.fingerprint_value import hamming_distance_bits
from simcompare.library.adding import add_entries
from simcompare.library.entries import chosen_entries
from simcompare.library.new_entry import make_new_entry
from simcompare.library.search.candidates import find_candidates
from simcompare.library.store.open_library import Library, open_library
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted
from simcompare.text.thesaurus import Thesaurus, load_thesaurus
from tests.helpers.documents import shared_path

FIRST = 10
K_BITS = 3
PASSAGE_UNITS, HOST_UNITS = 200, 1000
FEWEST_UNITS = 300
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


def passage_in(hosts: Sequence[PreparedDocument], text: PreparedDocument, draw: random.Random) -> str:
    """Put a passage of a text between the parts of another text in the same language."""
    prepared = text.prepared
    same = [host for host in hosts if host.prepared.is_mostly_chinese == prepared.is_mostly_chinese]
    first = draw.randrange(max(prepared.unit_count - PASSAGE_UNITS, 1))
    last = min(first + PASSAGE_UNITS, prepared.unit_count) - 1
    passage = text.document.text[prepared.unit_spans[first, 0] : prepared.unit_spans[last, 1]]
    host = draw.choice(same)
    end = host.prepared.unit_spans[min(HOST_UNITS - PASSAGE_UNITS, host.prepared.unit_count) - 1, 1]
    around = host.document.text[:end]
    middle = around.find("\n", len(around) // 2)
    return f"{around[:middle]}\n{passage}\n{around[middle:]}"


def ways_of_editing(words: Words, hosts: Sequence[PreparedDocument]) -> Iterator[tuple[str, Way]]:
    """Yield each way with its name."""
    for percent in (10, 30, 50, 60):
        yield (
            f"{percent} % words",
            lambda text, draw, share=percent / 100: with_replaced_words(text, share, words, draw),
        )
    yield "30 % deleted", lambda text, draw: with_deleted_sentences(text, 0.3, draw)
    yield "60 % deleted", lambda text, draw: with_deleted_sentences(text, 0.6, draw)
    yield "reordered", with_shuffled_sentences
    to_traditional = OpenCC("s2t")
    yield "traditional", lambda text, draw: str(to_traditional.convert(text.document.text))
    yield "passage", lambda text, draw: passage_in(hosts, text, draw)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Place of the article among the candidates, if any; whether Simhash finds it; time of the search."""

    place: int | None
    is_near: bool
    seconds: float


def outcome_of(library: Library, source: PreparedDocument, copy: str) -> Outcome:
    """Search a copy of an article; entries have the names of their articles' files."""
    text = prepare_document(load_pasted(Path("copy"), PastedText(copy)), "improved")
    start = time.perf_counter()
    with library.reading() as connection:
        found = find_candidates(connection, text, FIRST)
        seconds = time.perf_counter() - start
        names = {
            entry.entry: entry.name for entry in chosen_entries(connection, [each.entry for each in found])
        }
    listed = [names[candidate.entry] for candidate in found]
    place = listed.index(source.name) if source.name in listed else None
    return Outcome(place, hamming_distance_bits(text.fingerprint, source.fingerprint) <= K_BITS, seconds)


def measure(
    library: Library, texts: tuple[list[PreparedDocument], list[PreparedDocument]], copies: int, seed: int
) -> None:
    """Print a line for each way of editing. texts: those in the library, and others."""
    stored, hosts = texts
    words = Words(load_thesaurus("starter"), [*stored, *hosts])
    print(f"{'':<16}{'first 10':>10}{'first':>8}{'k = 3':>8}{'ms':>8}")
    for name, edit in ways_of_editing(words, hosts):
        draw = random.Random(seed)
        chosen = draw.sample(stored, min(copies, len(stored)))
        outcomes = [outcome_of(library, source, edit(source, draw)) for source in chosen]
        in_ten = fmean(outcome.place is not None for outcome in outcomes)
        first = fmean(outcome.place == 0 for outcome in outcomes)
        near = fmean(outcome.is_near for outcome in outcomes)
        milliseconds = 1000 * median(outcome.seconds for outcome in outcomes)
        print(f"{name:<16}{in_ten:>10.3f}{first:>8.3f}{near:>8.3f}{milliseconds:>8.1f}")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--articles", type=int, default=100)
    parser.add_argument("--copies", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    read = articles(options.articles)
    hosts, stored = read[::10], [text for place, text in enumerate(read) if place % 10]
    with (
        tempfile.TemporaryDirectory() as folder,
        open_library(Path(folder, "library.sqlite"), create=True) as library,
    ):
        start = time.perf_counter()
        added = list(add_entries(library, map(make_new_entry, stored)))
        seconds = time.perf_counter() - start
        units = sum(text.prepared.unit_count for text in stored) / len(stored)
        size = sum(file.stat().st_size for file in Path(folder).iterdir()) / len(stored)
        print(f"{len(added)} articles of {units:.0f} units, {size:.0f} bytes each, in {seconds:.1f} s")
        measure(library, (stored, hosts), options.copies, options.seed)


if __name__ == "__main__":
    main()
