"""Read a folder of hostile files as `simcompare check` does: time, peak memory of all processes, slow files.

    python -m tests.benchmarks.hostile_folder [--folder FOLDER] [--only PART] [--each]

The files are written by code: texts of 10 MB, with and without sentences; tables of 100,000 cells, deep
nesting and bombs within the limits as Word, OpenDocument, HTML and RTF; PDF files with very many
pages, objects, characters and annotations; huge pictures; ordinary essays between them, and broken copies of
all these. Real documents of a folder beside the checkout are added, if it exists. --only: only files whose
names contain this; --each: every file alone, to find what causes a peak. --folder keeps the files. Memory is
sampled every 100 ms. The exit status is 1 if the peak is above 1.5 GB.
"""

import argparse
import os
import random
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks.file_breaking import broken
from tests.benchmarks.process_meter import MeasuredRun, run_measured
from tests.helpers import essay_files
from tests.helpers.documents import SHARED
from tests.helpers.open_document import ODT_TYPE, content_xml
from tests.helpers.pdf_files import drawn, write_pdf

MOST_MB = 1500
_SAMPLE_SECONDS = 0.1
_BROKEN_COPIES = 24
_ORDINARY = 12
_TEXT_BYTES = 9_900_000
_READ = """
import sys
from pathlib import Path
from simcompare.cli.options import read_files
from simcompare.cohort.document_preparation import PRELOADED, read_prepared_document
from simcompare.loading.extraction import DEFAULT_OPTIONS

if __name__ == "__main__":
    paths = sorted(Path(sys.argv[1]).iterdir())
    paths = [path for path in paths if sys.argv[2] in path.name]
    outcomes = read_files(read_prepared_document, paths, "improved", DEFAULT_OPTIONS, preload=PRELOADED)
    for path, outcome in zip(paths, outcomes):
        read = not isinstance(outcome, Exception)
        print(path.name, "read" if read else outcome, sep=": ")
"""

_Writer = Callable[[Path], object]


# --- texts --------------------------------------------------------------------------------------------------


def _characters(count: int, maker: random.Random, ends: str = "。") -> str:
    """Return random Chinese characters; one in 15 is `ends`."""
    return "".join(
        ends if maker.random() < 1 / 15 else chr(maker.randrange(0x4E00, 0x5FFF)) for _place in range(count)
    )


def _words(count: int, maker: random.Random, ends: str = ". ") -> str:
    """Return random words of five letters, in sentences of about 12."""
    letters = "".join(chr(maker.randrange(97, 123)) for _place in range(count * 5))
    words = (letters[place : place + 5] for place in range(0, len(letters), 5))
    return "".join(word + (ends if maker.random() < 1 / 12 else " ") for word in words)


def _texts() -> dict[str, _Writer]:
    maker = random.Random(1)
    chinese, english = _characters(_TEXT_BYTES // 3, maker), _words(_TEXT_BYTES // 7, maker)
    return {
        "text-chinese.txt": lambda path: path.write_text(chinese, "utf-8"),
        "text-chinese-one-sentence.txt": lambda path: path.write_text(chinese.replace("。", ""), "utf-8"),
        "text-one-character.txt": lambda path: path.write_text("家" * (_TEXT_BYTES // 3), "utf-8"),
        "text-english.txt": lambda path: path.write_text(english, "utf-8"),
        "text-english-lines.txt": lambda path: path.write_text(english.replace(". ", ".\n"), "utf-8"),
        "text-one-word.txt": lambda path: path.write_text("a" * _TEXT_BYTES, "utf-8"),
        "text-letters.txt": lambda path: path.write_text("a b c d e " * (_TEXT_BYTES // 10), "utf-8"),
        "text-utf-16.txt": lambda path: path.write_text(chinese, "utf-16"),
        "text-too-large.txt": lambda path: path.write_text(chinese * 3, "utf-8"),
        "text-lines.txt": lambda path: path.write_text("家乡的河。\n" * 290_000, "utf-8"),
        "text-random.txt": lambda path: path.write_bytes(maker.randbytes(_TEXT_BYTES)),
        "text.html": lambda path: path.write_text(f"<html><body><p>{chinese}", "utf-8"),
    }


# --- markup -------------------------------------------------------------------------------------------------


def _row(cell: str, cells: int) -> str:
    return f"<tr>{cell * cells}</tr>"


def _markup() -> dict[str, _Writer]:
    paragraph = "<p>河水清清的，一年四季都在唱歌。</p>"
    return {
        "table.html": lambda path: path.write_text(
            f"<html><body><table>{_row('<td>春天来了</td>', 100) * 2_500}", "utf-8"
        ),
        "tags.html": lambda path: path.write_text(
            "<html><body>" + "<b></b>" * 1_400_000 + paragraph, "utf-8"
        ),
        "nested.html": lambda path: path.write_text("<html><body>" + "<div>" * 200_000 + paragraph, "utf-8"),
        "attributes.html": lambda path: path.write_text(
            f"<html><body>{'<p class=' + 'a' * 90 + '>x</p>'}" * 80_000, "utf-8"
        ),
        "entities.html": lambda path: path.write_text("<html><body><p>" + "&#23478;" * 1_200_000, "utf-8"),
        "spans.html": lambda path: path.write_text(
            "<html><body><p>" + '<span style="color:#fff">家</span>' * 280_000, "utf-8"
        ),
        "picture.html": lambda path: path.write_text(
            f"<html><body>{paragraph}<img src='data:image/png;base64,{'iVBO' * 20_000_000}'>", "utf-8"
        ),
        "paragraphs.html": lambda path: path.write_text(f"<html><body>{paragraph * 170_000}", "utf-8"),
        "groups.rtf": lambda path: path.write_text("{\\rtf1 " + "{\\b x}" * 1_500_000 + "}", "ascii"),
        "nested.rtf": lambda path: path.write_text("{\\rtf1 " + "{" * 3_000_000, "ascii"),
        "unicode.rtf": lambda path: path.write_text(
            "{\\rtf1\\ansi " + "\\u23478?\\u20065?\\par " * 290_000 + "}", "ascii"
        ),
        "binary.rtf": lambda path: path.write_text(
            "{\\rtf1 text{\\pict\\pngblip " + "89504e47" * 12_000_000 + "}}", "ascii"
        ),
    }


# --- archives -----------------------------------------------------------------------------------------------


def _write_odt(path: Path, body: str, pictures: int = 0) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("mimetype", ODT_TYPE, zipfile.ZIP_STORED)
        package.writestr("content.xml", content_xml(body))
        if pictures:
            package.writestr("Pictures/1.png", random.Random(2).randbytes(pictures), zipfile.ZIP_STORED)


def _write_word(path: Path, body: str, **parts: str) -> None:
    start = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    document = {"word/document.xml": f"{start}{body}</w:body></w:document>"}
    essay_files.write_body_xml(path, "", **document, **parts)


def _write_word_with_pictures(path: Path) -> None:
    _write_word(path, essay_files.paragraph_xml("河水清清的。"))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_STORED) as package:
        for number in range(3):
            package.writestr(f"word/media/{number}.png", random.Random(number).randbytes(50_000_000))


def _archives() -> dict[str, _Writer]:
    maker = random.Random(3)
    one, cell = essay_files.paragraph_xml, "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    many = "".join(one(_characters(20, maker)) for _paragraph in range(150_000))
    text_cell = "<table:table-cell><text:p>春天</text:p></table:table-cell>"
    return {
        "paragraphs.docx": lambda path: _write_word(path, many),
        "long-paragraph.docx": lambda path: _write_word(path, one(_characters(3_200_000, maker))),
        "runs.docx": lambda path: _write_word(
            path, "<w:p>" + "".join(f"<w:r><w:t>{n:x}</w:t></w:r>" for n in range(900_000)) + "</w:p>"
        ),
        "empty-runs.docx": lambda path: _write_word(
            path, "<w:p>" + "".join(f'<w:r w:rsidR="{n:08X}"/>' for n in range(2_500_000)) + "</w:p>"
        ),
        "table.docx": lambda path: _write_word(
            path,
            f"<w:tbl>{''.join(f'<w:tr>{cell.format(n) * 20}</w:tr>' for n in range(10_000))}</w:tbl>",
        ),
        "nested.docx": lambda path: _write_word(path, "<w:ins>" * 100_000 + one("x") + "</w:ins>" * 100_000),
        "notes.docx": lambda path: _write_word(path, one("x"), **{"word/footnotes.xml": f"<x>{many}</x>"}),
        "bomb.docx": lambda path: _write_word(path, one("x") + " " * 95_000_000),
        "bomb-within-limits.docx": lambda path: _write_word(
            path, one("x") + "".join(f"<w:p w:rsidR='{maker.randrange(10**6)}'/>" for _n in range(2_900_000))
        ),
        "pictures.docx": _write_word_with_pictures,
        "paragraphs.odt": lambda path: _write_odt(path, "<text:p>河水清清的。</text:p>" * 290_000),
        "spaces.odt": lambda path: _write_odt(path, '<text:p>x<text:s text:c="2000000000"/>y</text:p>'),
        "table.odt": lambda path: _write_odt(
            path,
            "<table:table>"
            + f"<table:table-row>{text_cell * 20}</table:table-row>" * 10_000
            + "</table:table>",
        ),
        "repeated.odt": lambda path: _write_odt(
            path,
            '<table:table><table:table-row table:number-rows-repeated="1000000">'
            + text_cell.replace("cell>", 'cell table:number-columns-repeated="16000">', 1)
            + "</table:table-row></table:table>",
        ),
        "pictures.odt": lambda path: _write_odt(path, "<text:p>河水清清的。</text:p>", 150_000_000),
    }


# --- pages and pictures -------------------------------------------------------------------------------------


def _with_objects(path: Path, count: int) -> None:
    write_pdf(path, drawn("A river.", 72, 700), objects=["<< /A [1 2 3] /B (text) >>"] * count)


def _with_stream(path: Path, content: bytes, entries: str) -> None:
    """Write a PDF whose page shows a compressed stream: a picture, or many characters."""
    packed = zlib.compress(content, 9).decode("latin-1")
    stream = f"<< /Length {len(packed)} /Filter /FlateDecode {entries} >> stream\n{packed}\nendstream"
    page = drawn("A river.", 72, 700) + "q 500 0 0 500 0 0 cm /P Do Q"
    write_pdf(path, page, resources="/XObject << /P 7 0 R >>", objects=[stream])


def _pages() -> dict[str, _Writer]:
    line = "The river of this page runs to the sea and the willows turn green."
    page = "".join(drawn(line, 72, 800 - 12 * row, 10) for row in range(60))
    crowded = "".join(drawn("abcdefghij" * 20, row % 500, row % 800, 1) for row in range(5_000))
    picture = (
        "/Type /XObject /Subtype /Image /Width {0} /Height {0} /ColorSpace /DeviceGray /BitsPerComponent 8"
    )
    form = "/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources 6 0 R"
    notes = "".join(
        f"<< /Type /Annot /Subtype /FreeText /Rect [9 9 99 {n % 800}] /Contents (note {n}) >> "
        for n in range(50_000)
    )
    return {
        "pages.pdf": lambda path: write_pdf(path, *[page] * 1_500),
        "objects.pdf": lambda path: _with_objects(path, 1_000_000),
        "crowded.pdf": lambda path: write_pdf(path, crowded),
        "crowded-pages.pdf": lambda path: write_pdf(path, *[crowded[:200_000]] * 60),
        "annotations.pdf": lambda path: write_pdf(path, page, page_entries=f"/Annots [{notes}]"),
        "picture.pdf": lambda path: _with_stream(path, bytes(20_000 * 20_000), picture.format(20_000)),
        "bomb.pdf": lambda path: _with_stream(path, b"BT /F 1 Tf (abc) Tj ET " * 20_000_000, form),
        "form.pdf": lambda path: _with_stream(path, b"BT /F 1 Tf 9 9 Td (abc) Tj ET " * 300_000, form),
        "graphics.pdf": lambda path: write_pdf(path, "0 0 m 500 500 l S " * 600_000 + page),
    }


def _pictures() -> dict[str, _Writer]:
    def png(path: Path, side: int) -> None:
        def chunk(name: bytes, content: bytes) -> bytes:
            return len(content).to_bytes(4) + name + content + zlib.crc32(name + content).to_bytes(4)

        header = side.to_bytes(4) * 2 + bytes((1, 0, 0, 0, 0))
        rows = zlib.compress(bytes((side // 8 + 1) * side), 9)
        path.write_bytes(
            b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
        )

    return {
        "picture.png": lambda path: png(path, 9_992),
        "bomb.png": lambda path: png(path, 40_000),
    }


# --- the folder ---------------------------------------------------------------------------------------------


def write_folder(folder: Path) -> None:
    """Write all files, each with the number of its kind in its name so that kinds are mixed."""
    writers = {**_texts(), **_markup(), **_archives(), **_pages(), **_pictures()}
    maker = random.Random(4)
    for name, write in writers.items():
        write(folder / f"{maker.randrange(1000):03}-{name}")
    for number in range(_ORDINARY):
        title, paragraphs = essay_files.long_essay("zh" if number % 2 else "en")
        write_ordinary = (essay_files.write_docx, essay_files.write_html, essay_files.write_text)[number % 3]
        suffix = (".docx", ".html", ".txt")[number % 3]
        write_ordinary(folder / f"{maker.randrange(1000):03}-essay-{number}{suffix}", title, paragraphs)
    small = sorted(path for path in folder.iterdir() if path.stat().st_size < 5_000_000)
    for number in range(_BROKEN_COPIES):
        path = maker.choice(small)
        data = broken([path.read_bytes()], maker)
        (folder / f"{maker.randrange(1000):03}-broken-{number}{path.suffix}").write_bytes(data)
    for path in sorted((SHARED / "docs").glob("*.*")) if (SHARED / "docs").is_dir() else []:
        (folder / f"{maker.randrange(1000):03}-real-{path.name}").write_bytes(path.read_bytes())


def measured(folder: Path, part: str) -> MeasuredRun:
    """Read the files whose names contain a part."""
    command = [sys.executable, "-c", _READ, str(folder), part]
    return run_measured(command, dict(os.environ), _SAMPLE_SECONDS)


def report(run: MeasuredRun) -> str:
    parts = " + ".join(f"{part:.0f}" for part in run.peak_parts_mb if part >= 1)
    return f"{run.seconds:.1f} s, {run.own_seconds:.1f} s of processor time, {run.peak_mb:.0f} MB = {parts}"


def _measure(folder: Path, part: str, *, each: bool) -> float:
    names = sorted(path.name for path in folder.iterdir() if part in path.name)
    if not each:
        run = measured(folder, part)
        print(run.output, f"{len(names)} files: {report(run)}", sep="\n")
        return run.peak_mb
    peaks_mb = [0.0]
    for name in names:
        run = measured(folder, name)
        peaks_mb.append(run.peak_mb)
        print(f"{report(run)}: {run.output.strip()}", flush=True)
    return max(peaks_mb)


def _folders(chosen: Path | None) -> Iterator[Path]:
    if chosen is None:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    else:
        chosen.mkdir(parents=True, exist_ok=True)
        yield chosen


def main() -> None:
    """Write the files if they are not there yet, and read them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--each", action="store_true")
    options = parser.parse_args()
    for folder in _folders(options.folder):
        if not any(folder.iterdir()):
            write_folder(folder)
        peak_mb = _measure(folder, options.only, each=options.each)
        sys.exit(peak_mb > MOST_MB)


if __name__ == "__main__":
    main()
