"""Short copies word for word: how many are found as passages, and what is flagged without any.

    python -m tests.benchmarks.short_copies [--copies N] [--crossed N] [--bench FOLDER]

Copies of 20 to 60 characters (English: 12 to 40 words) from an essay of `tests/data/rewordings` are put into
another essay, on the same question or on another one: as sentences of their own, as clauses inside a
sentence, or cut at any word. A copy is found if a passage covers half of it on both sides, and word for word
if this passage is identical. Flagged are the pairs without a copy that have a passage which is no summary: of
the same essays, of those of `class-en-dev` that nothing was planted in or taken from, and of
crossed texts of `pan13-dev` and `zh-dev`, some of which do share text.
"""

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.comparison.passages.term_cosine import SentenceTerms, sentence_terms
from simcompare.comparison.prepared_document import prepare_document
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_document, load_pasted
from simcompare.model.document import Span
from simcompare.model.settings import PRESETS, PassageSettings
from simcompare.text.thesaurus import load_thesaurus
from tests.benchmarks.class_ranks import planted_pairs
from tests.benchmarks.detection import SETS, crossed_pairs, find_passages, load_bench, passages_of
from tests.helpers.documents import SHARED
from tests.helpers.rewordings import topics

SIZES = {"zh": (20, 60), "en": (12, 40)}
STOPS = {"zh": "。！？", "en": ".!?"}
COMMAS = {"zh": "，；", "en": ",;"}
HOSTS = ("one question", "another question")
CUTS = ("sentences", "clauses", "any words")


@dataclass(frozen=True)
class Copy:
    """A text with a copy, and where it is in both texts."""

    source: str
    text: str
    in_source: Span
    in_text: Span


def size(text: str, language: str) -> int:
    return len(text) if language == "zh" else len(text.split())


def ends_after(text: str, marks: str) -> list[int]:
    return [match.end() for match in re.finditer(rf"[{marks}][”’」』\"]?(?=\s|[^\x00-\x7f]|$)|\n+", text)]


def copies(language: str, cut: str, host: str, count: int) -> Iterator[Copy]:
    """Yield copies; the same arguments give the same ones."""
    chance = random.Random(f"{language} {cut} {host}")
    essays = list(topics(language))
    low, high = SIZES[language]
    while count:
        topic, other = chance.sample(essays, 2)
        source, text = topic.source, (topic if host == HOSTS[0] else other).other
        if cut == "any words":
            places = [m.start() for m in re.finditer(r"\w" if language == "zh" else r"\b\w", source)]
        else:
            marks = STOPS[language] + (COMMAS[language] if cut == "clauses" else "")
            places = [0, *ends_after(source, marks)]
        begin, end = sorted(chance.sample(places, 2))
        copied = source[begin:end].strip()
        if "\n" in copied or not low <= size(copied, language) <= high:
            continue
        begin = source.index(copied, begin)
        marks = STOPS[language] if cut == "sentences" else COMMAS[language]
        place = chance.choice(ends_after(text, marks))
        blank = " " if language == "en" else ""
        closing = "" if cut == "sentences" else COMMAS[language][0]
        put = copied if cut == "sentences" else copied.rstrip("。，；、,;.")
        start = place + len(blank)
        yield Copy(
            source,
            f"{text[:place]}{blank}{put}{closing}{blank}{text[place:].lstrip(' ')}",
            Span(begin, begin + len(put)),
            Span(start, start + len(put)),
        )
        count -= 1


def prepared(text: str):
    return prepare_document(load_pasted(Path("essay.txt"), PastedText(text)), "improved")


def found_kind(copy: Copy) -> PassageKind | None:
    settings = PRESETS["balanced"]
    comparison = compare(
        prepared(copy.source), prepared(copy.text), settings, load_thesaurus(settings.thesaurus)
    )
    kinds = [
        each.kind
        for each in numbered_passages(comparison)
        if is_covered(copy.in_source, each.left) and is_covered(copy.in_text, each.right)
        if any(each.left == known.left for known in comparison.passages)
    ]
    return min(kinds, key=list(PassageKind).index, default=None)


def is_covered(span: Span, by: Span) -> bool:
    return 2 * (min(span.end, by.end) - max(span.start, by.start)) >= len(span)


def print_found(count: int) -> None:
    print(
        "| language | cut | put into an essay on | copies | found | word for word |\n"
        "|---|---|---|--:|--:|--:|"
    )
    for language, cut, host in product(SIZES, CUTS, HOSTS):
        kinds = Counter(map(found_kind, copies(language, cut, host, count)))
        found, exact = count - kinds[None], kinds[PassageKind.IDENTICAL]
        print(f"| {language} | {cut} | {host} | {count} | {found} | {exact} |")


def is_flagged(left: SentenceTerms, right: SentenceTerms) -> bool:
    return bool((find_passages(left, right, PassageSettings()).summaries == 0).any())


def print_flagged(bench: Path, crossed: int) -> None:
    for language in SIZES:
        essays = list(topics(language))
        sources, others = (
            [sentence_terms(prepared(text).prepared) for text in texts]
            for texts in ([each.source for each in essays], [each.other for each in essays])
        )
        one = sum(map(is_flagged, sources, others))
        apart = sum(is_flagged(a, b) for i, a in enumerate(sources) for j, b in enumerate(others) if i != j)
        print(f"{language}: {one} of {len(essays)} flagged on one question, {apart} of", end=" ")
        print(f"{len(essays) * (len(essays) - 1)} on two")
    if (folder := bench / "class-en-dev").is_dir():
        planted = frozenset().union(*planted_pairs(folder))
        paths = [path for path in sorted((folder / "essays").iterdir()) if path.name not in planted]
        texts = [sentence_terms(prepare_document(load_document(p), "improved").prepared) for p in paths]
        pairs = list(combinations(texts, 2))
        print(f"{folder.name}: {sum(is_flagged(*pair) for pair in pairs)} of {len(pairs)} pairs flagged")
    for each in (load_bench(bench, name) for name in SETS if (bench / name).is_dir()):
        pairs = crossed_pairs(each, crossed)
        flagged = sum(bool(len(passages_of(pair, PRESETS["balanced"]))) for pair in pairs)
        print(f"{each.name}: {flagged} of {crossed} crossed pairs flagged")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--copies", type=int, default=100)
    parser.add_argument("--crossed", type=int, default=400)
    parser.add_argument("--bench", type=Path, default=SHARED / "bench")
    options = parser.parse_args()
    print_found(options.copies)
    print_flagged(options.bench, options.crossed)


if __name__ == "__main__":
    main()
