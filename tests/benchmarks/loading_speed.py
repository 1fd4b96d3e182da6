"""Loading speed in processor time: PDF and web pages per second, milliseconds for Word files.

    python -m tests.benchmarks.loading_speed [--paragraphs 500] [--rounds 3] [--documents FOLDER]
        [--only theses|work|web]

Theses are written by Typst in Chinese and English, in one and two columns; with them go the real PDF files
of 20 pages or more. The other generated files hold one essay in Chinese and in English, written by Qt and,
if installed, by LibreOffice. Real files are read from a folder beside the checkout, if it exists, with its
subfolders. All are measured in turns within one run and the best round counts; unreadable files are left out.
Beside the pages per second are those of pdfium's plain text and of trafilatura's article, from the same run;
of Word files it prints how many times as long as python-docx they take, and office-oxide if it is installed.
With 3500 paragraphs the files have about 300 pages. Wanted on a quiet machine: 80 pages of theses per second,
50 of other work, 25 web pages.
"""

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import cycle, islice, product
from pathlib import Path
from statistics import median
from typing import TypeVar

import docx
import pypdfium2
import trafilatura

from simcompare.loading import load_document
from simcompare.model.document import Document
from simcompare.model.errors import FileError
from tests.benchmarks.numbered_paragraphs import thesis
from tests.helpers import essay_files as files
from tests.helpers.documents import SHARED
from tests.helpers.thesis_files import ThesisLayout, write_thesis_pdf

_LONG_PAGES = 20
_THESIS_PARAGRAPHS = 260
_WEB = (".html", ".htm")


def made_theses(folder: Path) -> Iterator[Path]:
    """Write theses of 10 to 20 pages in both languages, in one and two columns."""
    for language, columns in product(("zh", "en"), (1, 2)):
        layout = ThesisLayout(language, columns, justified=True, spaced=columns == 2, items="indented")
        path = folder / f"thesis-{language}-{columns}.pdf"
        write_thesis_pdf(path, "On rivers", thesis(language, _THESIS_PARAGRAPHS, columns), layout)
        yield path


def made_files(folder: Path, paragraphs: int) -> Iterator[Path]:
    """Write the essay in both languages and yield each file."""
    for language, (title, repeated) in files.ESSAYS.items():
        texts = [f"{number}. {text}" for number, text in enumerate(islice(cycle(repeated), paragraphs), 1)]
        word = files.write_docx(folder / f"LibreOffice-{language}.docx", title, texts)
        yield word
        yield files.write_pdf_by_qt(folder / f"Qt-{language}.pdf", title, texts)
        if files.soffice() is not None:
            yield files.convert_by_libreoffice(word, "pdf")


Result = TypeVar("Result")


@dataclass(slots=True)
class Timing:
    """Shortest processor time in which a file was loaded, and in which the other program reads it."""

    document: Document
    seconds: float
    other_seconds: float | None

    @property
    def pages(self) -> int:
        return self.document.receipt.pages or 1


def best_timings(paths: Sequence[Path], rounds: int) -> dict[Path, Timing]:
    """Load every file in turn, `rounds` times; return the shortest times of each readable file."""
    best: dict[Path, Timing] = {}
    for _round in range(rounds):
        for path in paths:
            try:
                document, seconds = timed(load_document, path)
            except FileError:
                continue
            other = OTHER_PROGRAMS.get(path.suffix)
            other_seconds = timed(other, path)[1] if other else None
            before = best.setdefault(path, Timing(document, seconds, other_seconds))
            before.seconds = min(before.seconds, seconds)
            if before.other_seconds is not None and other_seconds is not None:
                before.other_seconds = min(before.other_seconds, other_seconds)
    return best


def timed(function: Callable[[Path], Result], path: Path) -> tuple[Result, float]:
    start = time.process_time()
    result = function(path)
    return result, time.process_time() - start


def plain_text_of_pdfium(path: Path) -> int:
    """Read the text of all pages and return its length."""
    length = 0
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError:
        return 0
    for page in document:
        textpage = page.get_textpage()
        length += len(textpage.get_text_range())
        textpage.close()
        page.close()
    document.close()
    return length


def article_of_trafilatura(path: Path) -> int:
    return len(trafilatura.extract(path.read_bytes()) or "")


def paragraphs_of_python_docx(path: Path) -> int:
    with suppress(KeyError, ValueError):
        return sum(len(paragraph.text) for paragraph in docx.Document(str(path)).paragraphs)
    return 0


def text_of_office_oxide(path: Path) -> int:
    import office_oxide

    return len(office_oxide.Document.open(str(path)).plain_text())


WORD_PROGRAMS = {"python-docx": paragraphs_of_python_docx}
if find_spec("office_oxide"):
    WORD_PROGRAMS["office-oxide"] = text_of_office_oxide

OTHER_PROGRAMS: dict[str, Callable[[Path], int]] = {
    ".pdf": plain_text_of_pdfium,
    ".html": article_of_trafilatura,
    ".htm": article_of_trafilatura,
}


def print_pages(kind: str, other: str, timings: dict[Path, Timing]) -> None:
    """Print pages per second of each file and of all together."""
    if not timings:
        return
    print(f"{kind:32}{'pages':>7}{'chars/page':>12}{'ms/page':>9}{'pages/s':>9}{other:>14}{'times':>7}")
    for path, timing in timings.items():
        print_row(path.name[:31], [timing])
    print_row("together", list(timings.values()))


def print_row(name: str, timings: Sequence[Timing]) -> None:
    pages = sum(timing.pages for timing in timings)
    density = sum(len(timing.document.text) for timing in timings) / pages
    seconds = sum(timing.seconds for timing in timings)
    other_seconds = max(sum(timing.other_seconds or 0.0 for timing in timings), 1e-6)
    print(
        f"{name:32}{pages:7}{density:12.0f}{1000 * seconds / pages:9.2f}{pages / seconds:9.1f}"
        f"{pages / other_seconds:14.1f}{seconds / other_seconds:7.1f}"
    )


def print_word_files(name: str, timings: dict[Path, Timing], rounds: int) -> None:
    paces = {path: 1000 * timing.seconds for path, timing in timings.items() if path.suffix == ".docx"}
    if paces:
        characters = sum(len(timings[path].document.text) for path in paces)
        slowest = max(paces, key=lambda path: paces[path])
        print(
            f"{name}: {len(paces)} Word files, {characters} characters, "
            f"median {median(paces.values()):.1f} ms, most {paces[slowest]:.1f} ms ({slowest.name})"
        )
        for program, read in WORD_PROGRAMS.items():
            own, other = (
                sum(min(timed(function, path)[1] for _turn in range(rounds)) for path in paces)
                for function in (load_document, read)
            )
            print(f"  {own / other:.1f} times as long as {program}")


def with_suffix(timings: dict[Path, Timing], *suffixes: str) -> dict[Path, Timing]:
    return {path: timing for path, timing in timings.items() if path.suffix in suffixes}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--paragraphs", type=int, default=500, help="in each made file; 500 fill 24-50 pages")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--documents", type=Path, default=SHARED / "docs")
    parser.add_argument("--only", choices=("theses", "work", "web"))
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        theses = [] if options.only in {"work", "web"} else list(made_theses(Path(folder)))
        made = [] if options.only in {"theses", "web"} else _made_by_qt(Path(folder), options.paragraphs)
        suffixes = {".docx", *OTHER_PROGRAMS}
        found = sorted(path for path in options.documents.rglob("*") if path.suffix in suffixes)
        if options.only:
            found = [path for path in found if (path.suffix in _WEB) == (options.only == "web")]
        timings = best_timings([*theses, *made, *found], options.rounds)
        real = {path: timing for path, timing in timings.items() if path in found}
        long = {
            path: timing for path, timing in with_suffix(real, ".pdf").items() if timing.pages >= _LONG_PAGES
        }
        if theses and not long:
            print(f"no real PDF file of {_LONG_PAGES} pages or more: none in {options.documents}")
        print_pages("theses", "pdfium/s", {path: timings[path] for path in theses} | long)
        if options.only != "theses":
            others = {
                path: timing for path, timing in with_suffix(timings, ".pdf").items() if path not in long
            }
            others = {path: timing for path, timing in others.items() if path not in theses}
            print_pages("other PDF", "pdfium/s", others)
            print_pages("HTML", "trafilatura/s", with_suffix(real, *_WEB))
            print_word_files("made", {path: timings[path] for path in made}, options.rounds)
            print_word_files("made by people", real, options.rounds)
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most")


def _made_by_qt(folder: Path, paragraphs: int) -> list[Path]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    application = QGuiApplication([])
    paths = list(made_files(folder, paragraphs))
    application.shutdown()
    return paths


if __name__ == "__main__":
    main()
