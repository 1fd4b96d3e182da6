"""Share of numbered paragraphs, references and plain paragraphs of a PDF that stay whole.

    python -m tests.benchmarks.numbered_paragraphs [--paragraphs 60] [--seed 1] [--keep FOLDER] [--cut]

Theses with headings, tables, raised reference marks, numbered paragraphs and a reference list are written
as PDF by Typst in Chinese and English, in one and two columns, justified and ragged, with items indented,
hanging and flush; some also by Qt. A paragraph is whole if it equals a block of the document, spaces and
bullets aside. Each thesis is also written as Word file and compared with its PDF: the share should be 100%
both ways. --cut prints the paragraphs that are not whole. Sentences are those of the bench texts beside the
checkout, or of the essays of the tests.
"""

import argparse
import os
import re
import tempfile
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.prepared_document import prepare_document
from simcompare.loading import load_document
from simcompare.model.document import Document
from simcompare.model.settings import PRESETS
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers import essay_files as files
from tests.helpers.documents import SHARED
from tests.helpers.thesis_files import ThesisLayout, ThesisPart, write_thesis_docx, write_thesis_pdf

KINDS = ("numbered", "reference", "plain")
BARS = {"numbered": 0.90, "reference": 0.95, "plain": 0.92}
_MARKERS = {
    "zh": ("（{}）", "({}) ", "{}、", "{}. ", "[{}] ", "（{zh}）", "{zh}、", "• "),
    "en": ("({}) ", "{}. ", "{}) ", "[{}] ", "• "),
}
_CHINESE_NUMBERS = "一二三四五六七八九十"
_SOURCES = {"zh": ("zh-dev", "。"), "en": ("pan13-dev", ". ")}
_POOL_FILES = 40
_BULLET = re.compile(r"^•\s*")


@cache
def sentences(language: str) -> list[str]:
    """Return sentences of 12 to 90 (Chinese) or 40 to 220 letters (English)."""
    folder, end = _SOURCES[language]
    paths = sorted((SHARED / "bench" / folder / "src").glob("*.txt"))[:_POOL_FILES]
    text = " ".join(path.read_text(encoding="utf-8") for path in paths) or "".join(files.ESSAYS[language][1])
    pieces = (
        " ".join(piece.split()) for piece in re.split(r"[。！？\n]" if language == "zh" else r"\.\s", text)
    )
    least, most = (12, 90) if language == "zh" else (40, 220)
    return [piece + end.strip() for piece in pieces if least <= len(piece) <= most and piece.isprintable()]


def thesis(language: str, count: int, seed: int) -> list[ThesisPart]:
    """Return the parts of a thesis with about `count` paragraphs and a third as many references."""
    random = Random(seed)
    parts: list[ThesisPart] = []
    while sum(part.kind in KINDS for part in parts) < count:
        parts.append(ThesisPart("heading", f"{len(parts) + 1} {_clause(language, random)}"))
        parts += [ThesisPart("plain", _prose(language, random)) for _ in range(random.randint(2, 5))]
        marker, items = random.choice(_MARKERS[language]), random.randint(2, 5)
        for number in range(1, items + 1):
            mark = marker.format(number, zh=_CHINESE_NUMBERS[number - 1])
            parts.append(ThesisPart("numbered", mark + _prose(language, random)))
        if random.random() < 0.5:
            parts.append(ThesisPart("table", cells=[_clause(language, random) for _ in range(9)]))
    parts.append(ThesisPart("heading", "参考文献" if language == "zh" else "References"))
    references = (f"[{number}] {_reference(language, random)}" for number in range(1, count // 3))
    return [*parts, *(ThesisPart("reference", text) for text in references)]


def _clause(language: str, random: Random) -> str:
    sentence = random.choice(sentences(language))
    return (
        sentence[: random.randint(4, 9)] if language == "zh" else " ".join(sentence.split()[:3]).rstrip(",.")
    )


def _prose(language: str, random: Random) -> str:
    chosen = random.choices(sentences(language), k=random.randint(1, 6))
    if random.random() < 0.4:
        place = random.randrange(len(chosen))
        mark = f"^[{random.randint(1, 30)}]"
        chosen[place] = chosen[place][:-1] + mark + chosen[place][-1]
    return ("" if language == "zh" else " ").join(chosen)


def _reference(language: str, random: Random) -> str:
    year, volume, page = random.randint(1985, 2024), random.randint(1, 60), random.randint(1, 400)
    title = random.choice(sentences(language)).rstrip(".。")[:110]
    source = random.choice(
        ["", "", f" https://doi.org/10.1000/{random.randrange(10**9)}.{random.randrange(10**6)}"]
    )
    if language == "en":
        return (
            f"Smith J, Brown A K. {title}. Journal of Rivers, {year}, {volume}(2): {page}-{page + 9}.{source}"
        )
    latin = random.random() < 0.3
    author = "Wang X, Li Y" if latin else random.choice(["王小河，李石桥", "张三", "赵柳，钱村，孙田，等"])
    return f"{author}．{title}[J]．河流研究，{year}，{volume}（2）：{page}-{page + 9}．{source.strip()}"


def squeezed(text: str) -> str:
    """Return a text without its bullet, spaces, and hyphens, as words may be hyphenated at a line end."""
    return "".join(_BULLET.sub("", text).replace("-", "").split())


def whole(document: Document, parts: list[ThesisPart], *, show: bool) -> dict[str, tuple[int, int]]:
    """Return for each kind of paragraph how many are whole, and how many there are."""
    blocks = Counter(squeezed(block.span.of(document.text)) for block in document.blocks)
    counts = {}
    for kind in KINDS:
        written = Counter(squeezed(part.plain_text) for part in parts if part.kind == kind)
        counts[kind] = ((written & blocks).total(), written.total())
        for text in written - blocks if show else ():
            print(f"  {kind}: {text}")
    if show:
        written = Counter(squeezed(part.plain_text) for part in parts)
        print(*(f"  read: {text}" for text in blocks - written), sep="\n")
    return counts


def shares(first: Document, second: Document) -> tuple[float, float]:
    """Return the share of each text that is in the other."""
    settings = PRESETS["balanced"]
    left, right = (prepare_document(document, "improved") for document in (first, second))
    comparison = compare(left, right, settings, load_thesaurus(settings.thesaurus))
    return (
        comparison.share.left_in_right.after_exclusions or 0.0,
        comparison.share.right_in_left.after_exclusions or 0.0,
    )


def _layouts() -> list[ThesisLayout]:
    found = []
    shapes = [("indented", False), ("hanging", False), ("flush", False), ("hanging", True), ("flush", True)]
    for language, columns, justified, (items, spaced) in product(("zh", "en"), (1, 2), (True, False), shapes):
        found.append(ThesisLayout(language, columns, justified, spaced, items))
    return found


def run(folder: Path, count: int, seed: int, *, show: bool) -> None:
    """Measure every layout and print a table."""
    print(f"{'layout':34}{'pages':>6}" + "".join(f"{kind:>14}" for kind in KINDS) + f"{'share':>16}")
    sums = dict.fromkeys(KINDS, (0, 0))
    for layout in _layouts():
        parts = thesis(layout.language, count, seed)
        spacing = "justified" if layout.justified else "ragged"
        apart = " spaced" if layout.spaced else ""
        name = f"{layout.language} {layout.columns} {spacing} {layout.items}{apart}"
        path = write_thesis_pdf(folder / f"{name.replace(' ', '-')}.pdf", "On rivers", parts, layout)
        _print_row(name, path, parts, sums, show=show)
    for language in ("zh", "en"):
        parts = [replace(part, text=part.plain_text) for part in thesis(language, count, seed)]
        texts = [part.text for part in parts if part.text]
        path = files.write_pdf_by_qt(folder / f"{language}-qt.pdf", "On rivers", texts)
        _print_row(f"{language} Qt", path, [part for part in parts if part.text], sums, show=show)
    for kind, (kept, all_of_kind) in sums.items():
        print(f"{kind}: {kept} of {all_of_kind} whole, {kept / all_of_kind:.1%} (bar {BARS[kind]:.0%})")


def _print_row(
    name: str, path: Path, parts: list[ThesisPart], sums: dict[str, tuple[int, int]], *, show: bool
) -> None:
    document = load_document(path)
    word = load_document(write_thesis_docx(path.with_suffix(".docx"), "On rivers", parts))
    counts = whole(document, parts, show=show)
    for kind, (kept, written) in counts.items():
        sums[kind] = (sums[kind][0] + kept, sums[kind][1] + written)
    columns = "".join(f"{kept:8} / {written:3}" for kept, written in counts.values())
    left, right = shares(word, document)
    print(f"{name:34}{document.receipt.pages or 0:6}{columns}{left:8.2%}{right:8.2%}", flush=True)


def main() -> None:
    """Write, read and count."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--paragraphs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the files")
    parser.add_argument("--cut", action="store_true", help="print the paragraphs that are not whole")
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    application = QGuiApplication([])
    with tempfile.TemporaryDirectory() as folder:
        run(options.keep or Path(folder), options.paragraphs, options.seed, show=options.cut)
    application.shutdown()


if __name__ == "__main__":
    main()
