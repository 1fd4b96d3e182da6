"""Fuzz the readers: any result but a document or a FileError is a finding.

    python -m tests.benchmarks.fuzz_readers --reader docx --minutes 10 [--seed N] [--keep FOLDER]
        [--files FILE_OR_FOLDER ...]

The seed files are the samples in the reader's format, real files beside the checkout, a generated one and,
if LibreOffice is installed, its conversion. Bytes are changed, cut, doubled and spliced; in archives also
the parts inside, which are packed again. Each file is loaded and prepared in a child process with the limits
of the program's own readers. Images (--reader image, which needs Pillow) are opened and rendered without
text recognition.

Findings are a hang, a process that died or ran out of memory, any exception but a FileError, an
inconsistent document, and an accidental error: a FileError caused by an exception that no reader raised on
purpose. One of each kind and place is kept in the folder --keep, with the same name for the same --seed. The
exit status is 1 if there are findings other than accidental errors.
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from simcompare.loading import load_document, sniff
from simcompare.loading.extraction import Source
from simcompare.loading.formats.libreoffice_converter import PROGRAM_VARIABLE
from simcompare.loading.formats.ocr.picture_reader import picture_of
from simcompare.model.document import Document
from simcompare.model.errors import FileError, NoTextError
from simcompare.support.workers.worker_process import OUT_OF_MEMORY_EXIT, start_worker
from simcompare.text.prepared_text import prepare
from tests.benchmarks.file_breaking import broken
from tests.helpers import essay_files
from tests.helpers.documents import SHARED
from tests.helpers.picture_files import write_pictures

SAMPLES = Path(__file__).resolve().parents[2] / "resources" / "samples"
HANG_SECONDS = 20.0
MOST_WAITS = 6
CASES_PER_CHILD = 2000
# LibreOffice export filter by resulting format.
CONVERSIONS = {
    "pdf": "pdf", "doc": "doc", "rtf": "rtf", "odt": "odt", "epub": "epub", "html": "html",
    "wordml": "xml:MS Word 2003 XML",
}  # fmt: skip
PAGES_DRAWN = 5
MAIL_CODINGS = ("8bit", "quoted-printable", "base64")
ENCODINGS = ("utf-8", "gb18030", "utf-16", "utf-16-le", "utf-32", "shift_jis", "cp1252")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of reading a broken file: "document", "error", or the kind of finding, and its code location."""

    state: str
    detail: str = ""


def try_file(path: Path) -> Outcome:
    """Load and prepare a file."""
    try:
        document = load_document(path)
        _check(document)
        prepare(document)
    except NoTextError as error:
        return _drawn(path, error.values["pages"])
    except FileError as error:
        return _error_kind(error)
    except MemoryError:
        return Outcome("memory", "MemoryError")
    except Exception as error:
        return Outcome("exception", _place(error))
    return Outcome("document", "doubtful" if document.receipt.doubtful else "ok")


def _drawn(path: Path, pages: int) -> Outcome:
    """Render the pages of an image as they are passed to text recognition."""
    source = Source(path, path.read_bytes())
    if sniff(source.data) != "image":
        return Outcome("error", "NoTextError")
    try:
        for number in range(1, min(pages, PAGES_DRAWN) + 1):
            height, width, colours = picture_of(source, number).shape
            assert height > 0 < width, "a picture without extent"
            assert colours == 3, "a picture without its colours"
    except FileError as error:
        return _error_kind(error)
    except Exception as error:
        return Outcome("exception", _place(error))
    return Outcome("document", "drawn")


def _check(document: Document) -> None:
    assert document.text.strip(), "a document without text"
    assert document.title, "a document without a title"
    document.text.encode()
    end = -1
    for block in document.blocks:
        assert block.span.start == end + 1, "blocks that do not follow each other"
        end = block.span.end
    assert end == len(document.text), "text behind the last block"


def _error_kind(error: FileError) -> Outcome:
    """Distinguish an error raised on purpose from one that wraps an unexpected exception."""
    kind = type(error).__name__
    cause = error.__cause__
    if cause is not None and error.values.get("cause") == (str(cause) or type(cause).__name__):
        return Outcome("accident", _place(cause))
    return Outcome("error", f"{kind}: {error.values.get('cause', '')}".removesuffix(": "))


def _place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "simcompare" in frame.filename] or frames
    place = f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else "?"
    return f"{type(error).__name__} at {place}: {str(error)[:100]}"


def _serve(pipe: Connection) -> None:
    start_worker(dict(os.environ), None, ())
    pipe.send("ready")
    while path := pipe.recv():
        pipe.send(try_file(path))


class Child:
    """A process that reads files until it dies or is replaced."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._start()

    def _start(self) -> None:
        self._pipe, theirs = self._context.Pipe()
        self._process = self._context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        # import time of the readers does not count
        self._pipe.recv()
        self._cases = 0

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def restart(self) -> None:
        self.close()
        self._start()

    def run(self, path: Path) -> Outcome:
        """Read a file and return the result; a child that hangs or dies is replaced."""
        if self._cases >= CASES_PER_CHILD:
            self.restart()
        self._cases += 1
        try:
            self._pipe.send(path)
            if self._answers():
                return self._pipe.recv()
            outcome = Outcome("hang", f"more than {HANG_SECONDS:g} s")
        except (EOFError, BrokenPipeError, ConnectionResetError):
            self._process.join()
            code = self._process.exitcode
            outcome = Outcome("memory" if code == OUT_OF_MEMORY_EXIT else "crash", f"exit status {code}")
        self.restart()
        return outcome

    def _answers(self) -> bool:
        """Wait for an answer until the child has used its processor time, independent of other load."""
        start_seconds = self._seconds_at_work()
        for _wait in range(MOST_WAITS):
            if self._pipe.poll(HANG_SECONDS):
                return True
            if self._seconds_at_work() - start_seconds >= HANG_SECONDS:
                break
        return False

    def _seconds_at_work(self) -> float:
        """Return the processor time of the child, or wall time if the system does not report it."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return time.monotonic()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seed_files(reader: str, seed_paths: Sequence[Path], folder: Path) -> Iterator[bytes]:
    """Yield the contents of the files to corrupt."""
    places = seed_paths or [SHARED / "docs", SAMPLES]
    found = [path for place in places for path in (sorted(place.rglob("*")) if place.is_dir() else [place])]
    if not seed_paths and reader == "mhtml":
        found += _archived([*found, *_written("html", folder)], folder)
    elif not seed_paths:
        found += _written(reader, folder)
    for path in found:
        if path.is_file() and path.stat().st_size < 5_000_000:
            data = path.read_bytes()
            if seed_paths or sniff(data) == reader:
                yield data


def _archived(pages: Sequence[Path], folder: Path) -> Iterator[Path]:
    for number, page in enumerate(pages):
        if page.suffix == ".html":
            coding = MAIL_CODINGS[number % len(MAIL_CODINGS)]
            yield essay_files.write_mhtml(folder / f"{number}.mht", page.read_bytes(), coding)


def _written(reader: str, folder: Path) -> Iterator[Path]:
    if reader == "image":
        yield from write_pictures(folder, next(SAMPLES.glob("*.pdf")))
    for language, (title, paragraphs) in essay_files.ESSAYS.items():
        word = essay_files.write_docx(folder / f"{language}.docx", title, paragraphs)
        yield word
        yield essay_files.write_html(folder / f"{language}.html", title, paragraphs)
        for encoding in ENCODINGS if reader == "text" else ():
            texts = [text.encode(encoding, "replace").decode(encoding) for text in (title, *paragraphs)]
            yield essay_files.write_text(folder / f"{encoding}.txt", texts[0], texts[1:], encoding=encoding)
        if reader in CONVERSIONS and essay_files.soffice() is not None:
            copy = word.with_stem(f"{language}-converted")
            word.rename(copy)
            essay_files.convert_by_libreoffice(copy, CONVERSIONS[reader])
            yield from folder.glob(f"{copy.stem}.*")


def fuzz(options: argparse.Namespace) -> Counter[str]:
    """Corrupt files until the time is over; print findings immediately and return the number of each kind."""
    states: Counter[str] = Counter()
    details: Counter[str] = Counter()
    signatures: Counter[tuple[str, str]] = Counter()
    slowest, cases = 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        seeds = list(seed_files(options.reader, options.files, Path(folder)))
        if not seeds:
            sys.exit(f"There is no file of the format {options.reader} to begin with; name some by --files.")
        print(f"{len(seeds)} files to break, seed {options.seed}", flush=True)
        path, child = Path(folder) / "broken", Child()
        end = time.monotonic() + options.minutes * 60
        try:
            while time.monotonic() < end and cases < options.cases:
                data = broken(seeds, Random(f"{options.seed}-{cases}"))
                path.write_bytes(data)
                start_seconds = time.monotonic()
                outcome = child.run(path)
                slowest = max(slowest, time.monotonic() - start_seconds) if cases else 0.0
                states[outcome.state] += 1
                if outcome.state in {"document", "error"}:
                    details[f"{outcome.state} {outcome.detail}"] += 1
                else:
                    signature = outcome.state, outcome.detail.partition(": ")[0]
                    signatures[signature] += 1
                    if signatures[signature] == 1:
                        _keep(options, cases, outcome, data)
                cases += 1
        finally:
            child.close()
    print(f"\n{cases} files, the slowest {slowest:.1f} s")
    for name, count in [*states.most_common(), *details.most_common()]:
        print(f"{count:8}  {name}")
    for (state, place), count in signatures.most_common():
        print(f"{count:8}  {state}: {place}")
    return states


def _keep(options: argparse.Namespace, case: int, outcome: Outcome, data: bytes) -> None:
    print(f"{outcome.state}: {outcome.detail} (case {case})", flush=True)
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
        name = f"{outcome.state}-{options.reader}-{options.seed}-{case}"
        (options.keep / name).write_bytes(data)


def main() -> None:
    """Fuzz one reader."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reader", required=True, help="a format as sniffed: docx, pdf, html, text, doc ...")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--cases", type=int, default=10**9, help="stop after so many files")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--keep", type=Path, help="the folder for files that were findings")
    parser.add_argument("--files", type=Path, nargs="*", default=[], help="break these, whatever they are")
    options = parser.parse_args()
    # LibreOffice would be started for every damaged file.
    os.environ[PROGRAM_VARIABLE] = ""
    if hasattr(os, "nice"):
        os.nice(10)
    states = fuzz(options)
    if any(states[kind] for kind in ("hang", "crash", "memory", "exception")):
        sys.exit(1)


if __name__ == "__main__":
    main()
