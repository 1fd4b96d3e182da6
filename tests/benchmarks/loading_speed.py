"""Loading speed: pages per second for PDF files, milliseconds for Word files.

    python -m tests.benchmarks.loading_speed [--paragraphs 500] [--rounds 3] [--documents FOLDER]

The generated files hold one essay in Chinese and in English, written by Qt and, if installed, by
LibreOffice. Real files are read from a folder beside the checkout, if it exists. All are measured in turns
within one run and the best round counts; unreadable files are left out. With 3500 paragraphs the files have
about 300 pages.
"""

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import median

from simcompare.loading import load_document
from simcompare.model.document import Document
from simcompare.model.errors import FileError
from tests.helpers import essay_files as files
from tests.helpers.documents import SHARED


def made_files(folder: Path, paragraphs: int) -> Iterator[Path]:
    """Write the essay in both languages and yield each file."""
    for language, (title, repeated) in files.ESSAYS.items():
        texts = [f"{number}. {text}" for number, text in enumerate(islice(cycle(repeated), paragraphs), 1)]
        word = files.write_docx(folder / f"LibreOffice-{language}.docx", title, texts)
        yield word
        yield files.write_pdf_by_qt(folder / f"Qt-{language}.pdf", title, texts)
        if files.soffice() is not None:
            yield files.convert_by_libreoffice(word, "pdf")


def best_seconds(paths: Sequence[Path], rounds: int) -> dict[Path, tuple[float, Document]]:
    """Load every file in turn, `rounds` times; return the shortest time of each readable file."""
    best: dict[Path, tuple[float, Document]] = {}
    for _round in range(rounds):
        for path in paths:
            start = time.perf_counter()
            try:
                document = load_document(path)
            except FileError:
                continue
            seconds = time.perf_counter() - start
            best[path] = min(
                best.get(path, (seconds, document)), (seconds, document), key=lambda timing: timing[0]
            )
    return best


def print_pdf_files(best: dict[Path, tuple[float, Document]]) -> None:
    print(f"{'PDF':24}{'pages':>7}{'chars/page':>12}{'seconds':>9}{'ms/page':>9}{'pages/s':>9}")
    for path, (seconds, document) in best.items():
        if path.suffix == ".pdf":
            pages = document.receipt.pages or 1
            density, pace = len(document.text) / pages, 1000 * seconds / pages
            print(f"{path.name[:23]:24}{pages:7}{density:12.0f}{seconds:9.2f}{pace:9.2f}{1000 / pace:9.1f}")


def print_word_files(name: str, best: dict[Path, tuple[float, Document]]) -> None:
    paces = {path: 1000 * seconds for path, (seconds, _text) in best.items() if path.suffix == ".docx"}
    if paces:
        characters = sum(len(best[path][1].text) for path in paces)
        slowest = max(paces, key=lambda path: paces[path])
        print(
            f"{name}: {len(paces)} Word files, {characters} characters, "
            f"median {median(paces.values()):.1f} ms, most {paces[slowest]:.1f} ms ({slowest.name})"
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--paragraphs", type=int, default=500, help="in each made file; 500 fill 24-50 pages")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--documents", type=Path, default=SHARED / "docs")
    options = parser.parse_args()

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QGuiApplication

    application = QGuiApplication([])
    with tempfile.TemporaryDirectory() as folder:
        made = best_seconds(list(made_files(Path(folder), options.paragraphs)), options.rounds)
    application.shutdown()
    found = sorted(path for path in options.documents.glob("*") if path.suffix in {".pdf", ".docx"})
    real = best_seconds(found, options.rounds)
    print_pdf_files({**made, **real})
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB at most")
    print_word_files("made", made)
    print_word_files("made by people", real)


if __name__ == "__main__":
    main()
