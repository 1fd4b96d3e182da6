"""Number of paragraphs of a PDF that are extracted exactly as written.

    python -m tests.benchmarks.pdf_paragraphs [--paragraphs 60] [--seed 1] [--keep FOLDER]

LibreOffice prints essays of known text, Chinese and English, in one and two columns, justified and ragged,
with paragraphs indented or spaced, with header, page numbers and footnotes. A paragraph is exact if it
equals a block of the document; a footnote if it is a FOOTNOTE block preceded by its number. All other blocks
(a header in the text, half a paragraph) count as surplus.
"""

import argparse
import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

from simcompare.loading import load_document
from simcompare.model.document import BlockKind, Document
from tests.helpers import essay_files as files
from tests.helpers.page_layouts import Layout, write_laid_out

# A two-digit note mark leaves no room for a space.
_AFTER_MARK = re.compile(r"(?<=\d) (?=[第P])")
HEADERS = {"zh": "三年级二班作文", "en": "Essays of Class 3"}


@dataclass(frozen=True, slots=True)
class Result:
    """Number of exact paragraphs and notes, and of blocks that are neither."""

    paragraphs: int
    exact: int
    notes: int
    exact_notes: int
    surplus: int
    pages: int


def essay(language: str, count: int, seed: int) -> tuple[str, list[str]]:
    """Return a title and paragraphs of various lengths, composed from the sentences of an essay."""
    random = Random(seed)
    title, texts = files.ESSAYS[language]
    end, space = ("。", "") if language == "zh" else (". ", " ")
    sentences = [sentence.strip() for text in texts for sentence in text.split(end) if sentence.strip("” ")]
    ends = end.strip()
    paragraphs = []
    for number in range(1, count + 1):
        chosen = random.sample(sentences, random.randint(1, min(5, len(sentences))))
        opening = f"第{number}段。" if language == "zh" else f"Part {number}. "
        paragraphs.append(opening + space.join(sentence.rstrip(ends) + ends for sentence in chosen))
    return title, paragraphs


def measured(document: Document, paragraphs: list[str], notes: dict[int, str]) -> Result:
    """Compare a document with the written paragraphs and notes."""
    blocks = [(block.kind, block.span.of(document.text)) for block in document.blocks]
    found = Counter(text for kind, text in blocks if kind not in {BlockKind.FOOTNOTE, BlockKind.TITLE})
    found_notes = Counter(_AFTER_MARK.sub("", text) for kind, text in blocks if kind is BlockKind.FOOTNOTE)
    exact = (found & Counter(paragraphs)).total()
    numbered = Counter(f"{number}{notes[place]}" for number, place in enumerate(sorted(notes), 1))
    exact_notes = (found_notes & numbered).total()
    surplus = found.total() + found_notes.total() - exact - exact_notes
    pages = document.receipt.pages or 0
    return Result(len(paragraphs), exact, len(notes), exact_notes, surplus, pages)


def main() -> None:
    """Print, read and count."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--paragraphs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the files")
    options = parser.parse_args()
    if files.soffice() is None:
        sys.exit("LibreOffice is not installed")
    with tempfile.TemporaryDirectory() as folder:
        run(options.keep or Path(folder), options.paragraphs, options.seed)


def run(folder: Path, count: int, seed: int) -> None:
    """Measure every layout in both languages and print a table."""
    print(f"{'layout':42}{'pages':>6}{'exact':>10}{'notes':>9}{'surplus':>9}")
    for language, columns, justified, indented in product(("zh", "en"), (1, 2), (True, False), (True, False)):
        hyphenated = language == "en" and justified
        layout = Layout(columns, justified, indented, hyphenated)
        title, paragraphs = essay(language, count, seed)
        notes = dict(zip(range(1, count, 7), essay(language, count, seed + 1)[1], strict=False))
        name = "-".join(
            (
                *(language, f"{columns} col", "justified" if justified else "ragged"),
                *("indented" if indented else "apart", *["hyphens"] * hyphenated),
            )
        )
        path = folder / f"{name.replace(' ', '')}.fodt"
        source = write_laid_out(path, title, paragraphs, notes, HEADERS[language], layout)
        result = measured(load_document(files.convert_by_libreoffice(source, "pdf")), paragraphs, notes)
        print(
            f"{name:42}{result.pages:6}{result.exact:6}/{result.paragraphs}{result.exact_notes:6}/{result.notes}"
            f"{result.surplus:9}"
        )


if __name__ == "__main__":
    main()
