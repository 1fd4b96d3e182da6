"""Quality of text extraction from web pages and HTML documents: F1 and recall over characters.

    python -m tests.benchmarks.html_articles [--texts 10]

The texts are Chinese news and English pages from a folder beside the checkout. Each is put into a dozen
kinds of pages, surrounded by other texts, and extracted by six methods: our reader, trafilatura alone,
readability alone, our reader without either of them, and the whole page. A text counts as a bag of its
characters without spaces: recall is the share of the gold text that is found, F1 its harmonic mean with
precision. Files per second are those of our reader.
"""

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from unittest.mock import patch

import readability
import trafilatura
from lxml import html as lxml_html

from simcompare.loading import load_document
from simcompare.loading.extraction import ReadingOptions
from simcompare.loading.formats.plain.encodings import decode
from simcompare.loading.formats.web import html_page
from simcompare.model.errors import EmptyFileError
from tests.benchmarks.html_templates import (
    ARTICLES,
    DOCUMENTS,
    UNUSUAL,
    Essay,
    Others,
    Template,
    gold,
    word_archive,
)
from tests.helpers.documents import SHARED

SOURCES = {"zh": ("zh-dev", 400), "en": ("pan13-dev", 1200)}
MOST_PARAGRAPHS = 40
TITLE_CHARACTERS = 24


def essays(language: str, count: int) -> list[Essay]:
    """Return texts of some length, with the opening of each as its title."""
    folder, least_characters = SOURCES[language]
    found = []
    for path in sorted((SHARED / "bench" / folder / "src").iterdir()):
        lines = path.read_text(encoding="utf-8").replace("\t", " ").splitlines()
        paragraphs = [line.strip() for line in lines if len(line.strip()) > 20][:MOST_PARAGRAPHS]
        if sum(map(len, paragraphs)) >= least_characters and len(paragraphs) >= 3:
            found.append(Essay(_title(paragraphs[0], language), paragraphs))
        if len(found) == count:
            break
    return found


def _title(paragraph: str, language: str) -> str:
    return paragraph[:TITLE_CHARACTERS] if language == "zh" else " ".join(paragraph.split()[:7])


def by_our_reader(path: Path) -> str:
    return _read(path, ReadingOptions())


def by_whole_page(path: Path) -> str:
    return _read(path, ReadingOptions(whole_page=True))


def _read(path: Path, options: ReadingOptions) -> str:
    try:
        return load_document(path, options).text
    except EmptyFileError:
        return ""


def by_trafilatura(path: Path) -> str:
    return trafilatura.extract(_markup(path), include_comments=False, include_tables=True) or ""


def by_readability(path: Path) -> str:
    document = readability.Document(_markup(path))
    summary = document.summary(html_partial=True)
    return f"{document.short_title()}\n{lxml_html.fromstring(summary).text_content()}" if summary else ""


def _markup(path: Path) -> str:
    return decode(path.read_bytes(), markup=True).text


def by_one_library(missing: str) -> Callable[[Path], str]:
    """Return our reader without one of the two libraries that find articles."""

    def read(path: Path) -> str:
        with patch.object(html_page, missing, return_value=""):
            return by_our_reader(path)

    return read


WAYS: dict[str, Callable[[Path], str]] = {
    "ours": by_our_reader,
    "trafilatura": by_trafilatura,
    "readability": by_readability,
    "ours without r.": by_one_library("_by_readability"),
    "ours without t.": by_one_library("_by_trafilatura"),
    "whole page": by_whole_page,
}


def scores(expected: str, found: str) -> tuple[float, float]:
    """Return F1 and recall of the characters found."""
    gold_bag, found_bag = (Counter("".join(text.split())) for text in (expected, found))
    common = (gold_bag & found_bag).total()
    recall = common / gold_bag.total()
    return 2 * common / (gold_bag.total() + found_bag.total()), recall


def pages(template: Template, folder: Path, count: int) -> Iterator[tuple[Path, str]]:
    """Write the pages of a kind in both languages; yield each with its gold text."""
    for language in SOURCES:
        found = essays(language, count)
        for number, essay in enumerate(found):
            others: Others = [*found[number + 1 :], *found[:number]]
            path = folder / f"{template.__name__}-{language}-{number}.html"
            path.write_bytes(template(essay, others))
            yield path, gold(template, essay, others)


def measure(templates: Sequence[Template], count: int) -> dict[str, list[tuple[float, float]]]:
    """Print F1 and recall of each kind of page by each method; return the scores of all pages by method."""
    everything: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    seconds = 0.0
    for template in templates:
        with tempfile.TemporaryDirectory() as folder:
            written = list(pages(template, Path(folder), count))
            print(f"{template.__name__:14}", end="")
            for way, read in WAYS.items():
                if template is word_archive and way in {"trafilatura", "readability"}:
                    print(f"{'-':>16}", end="")
                    continue
                start = time.perf_counter()
                found = [scores(expected, read(path)) for path, expected in written]
                seconds += (time.perf_counter() - start) * (way == "ours")
                everything[way] += found
                print(f"{mean(f1 for f1, _r in found):9.3f} {mean(r for _f1, r in found):6.3f}", end="")
            print()
    print(f"{'all':14}", end="")
    for found in everything.values():
        print(f"{mean(f1 for f1, _r in found):9.3f} {mean(r for _f1, r in found):6.3f}", end="")
    print(f"\n{len(everything['ours']) / seconds:.1f} files/s by us\n")
    return everything


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--texts", type=int, default=10, help="of each language, in each kind of page")
    count = parser.parse_args().texts
    for name, templates in (("web pages", ARTICLES), ("unusual pages", UNUSUAL), ("documents", DOCUMENTS)):
        print(f"{name:14}" + "".join(f"{way:>16}" for way in WAYS))
        measure(templates, count)


if __name__ == "__main__":
    main()
