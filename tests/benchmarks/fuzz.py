"""Fuzz all that comes from elsewhere, with one command: readers, sessions, journals of decisions, reports.

    python -m tests.benchmarks.fuzz [readers] [sessions] [journals] [reports]
        [--cases N] [--seed 1] [--keep FOLDER]

readers: 2,000 broken files of each format (`fuzz_readers`, which tells what a finding is). sessions: 5,000
broken session files, each of which is refused by one error that names the file, or read. journals: 5,000
broken journals, of which the undamaged beginning is applied. reports: 200 pairs of texts made of markup of
all formats, control characters, disguises and notes with lone surrogates, as a report in every form, which
must be well-formed and run nothing. --cases replaces these numbers. Findings are printed, and broken files
kept in the folder --keep; the exit status is 1 if there are any. A finding that is mended becomes a test of
its reader or form.
"""

import argparse
import json
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random

import docx
import pypdfium2
from lxml import html

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.prepared_document import prepare_document
from simcompare.model.errors import SimcompareError
from simcompare.model.settings import ComparisonSettings
from simcompare.report.report_forms import FORMS
from simcompare.session.decisions import Decision, NotedDecision, PairReview
from simcompare.session.review_journal import append_reviews, journal_of, start_journal, with_journal
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import read_session, write_session
from simcompare.text.thesaurus import load_thesaurus
from tests.benchmarks import fuzz_readers
from tests.benchmarks.file_breaking import broken
from tests.helpers.documents import make_document
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, evidence_of

READERS = ("docx", "doc", "wordml", "pdf", "html", "mhtml", "odt", "epub", "rtf", "image", "text")
SLOW_SECONDS = 20.0
_HOSTILE = (
    "</title><script>alert(1)</script>", "<w:p>", "]]>", "&amp;&#0;&lt", "{{ 7 * 7 }}", "{% raw %}", "<!--",
    "\\( Tj ET endstream endobj <<", "#let x = 1", "#eval(\"1\")", "$a^2$", "`raw`", "*_*", "@ref",
    "=SUM(A1)", "\u202e", "\u200b", "\u2028", "\x00", "\x0b", "\x1b[31m", "\ufffe", "\U0001f600",
    "\U000e0041", "e\u0301\u0300", "javascript:alert(1)", "\"'><img src=x onerror=alert(1)>", "\t", " ", "。",
    "”", "“", ". ", "\n",
)  # fmt: skip


def check_session(sound: bytes, path: Path, random: Random) -> None:
    """Read a broken session."""
    path.write_bytes(broken([sound], random))
    try:
        read_session(path)
    except SimcompareError as error:
        if path.name not in str(error):
            raise


def check_journal(session: Session, path: Path, random: Random) -> None:
    """Apply a broken journal to the session of its copy."""
    start_journal(path)
    review = PairReview(NotedDecision(random.choice(list(Decision)), "问过他了 \ud800"))
    append_reviews(path, {(0, 1): review})
    whole = journal_of(path).read_bytes()
    journal_of(path).write_bytes(data := broken([whole], random))
    applied, _is_complete = with_journal(session, path)
    assert applied.reviews in ({}, {(0, 1): review}), "decisions that were never made"
    assert applied.reviews or not data.startswith(whole), "a complete line was not applied"


def hostile_text(random: Random) -> str:
    """Return an essay with markup of all formats in it."""
    words = random.choice((BRIDGE, BRIDGE_REWORDED))
    for _time in range(random.choice((1, 3, 30))):
        place = random.randrange(len(words))
        words = words[:place] + random.choice(_HOSTILE) * random.choice((1, 1, 1, 50)) + words[place:]
    return words


def check_reports(random: Random) -> None:
    """Compare two hostile texts, and render the comparison in every form."""
    sides = [
        prepare_document(make_document(hostile_text(random), title=random.choice(_HOSTILE)), "improved")
        for _side in range(2)
    ]
    comparison = compare(*sides, ComparisonSettings(), load_thesaurus("starter"))
    review = PairReview(NotedDecision(Decision.COPIED, "".join(random.choices((*_HOSTILE, "\ud800"), k=5))))
    evidence = evidence_of(comparison, review=review)
    for suffix, form in FORMS.items():
        _WELL_FORMED[suffix](form.render(evidence))


def _check_page(data: bytes) -> None:
    data.decode()
    page = html.fromstring(data)
    own = {"style", "script"}
    for element in page.iter():
        if isinstance(element.tag, str) and element.tag not in own:
            assert not [name for name in element.attrib if name.startswith("on")], "a handler of an event"
            assert "alert(1)" not in element.attrib.get("href", ""), "a link that runs something"
    assert not [each for each in page.iter("script") if "alert(1)" in (each.text or "")], (
        "a script of the text"
    )
    assert not page.xpath("//img[@src='x']"), "a picture of the text"


def _check_pdf(data: bytes) -> None:
    with pypdfium2.PdfDocument(data) as file:
        assert len(file), "no page"
        assert file[0].get_textpage().get_text_bounded(), "no text"


def _check_csv(data: bytes) -> None:
    for line in data.decode("utf-8-sig").splitlines():
        assert not line.startswith(("=", "+", "@")), "a formula"


_WELL_FORMED: dict[str, Callable[[bytes], object]] = {
    ".html": _check_page,
    ".pdf": _check_pdf,
    ".docx": lambda data: docx.Document(BytesIO(data)),
    ".csv": _check_csv,
    ".json": json.loads,
}


def run(name: str, cases: int, options: argparse.Namespace, check: Callable[[Random], object]) -> int:
    """Run the cases of one kind; print the first finding at each place, and return the number of findings."""
    found: dict[str, int] = {}
    slowest = 0.0
    for case in range(cases):
        began = time.monotonic()
        try:
            check(Random(f"{options.seed}-{name}-{case}"))
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = (
                f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}: {str(error)[:200]}"
            )
            if place not in found:
                print(f"{name} {case}: {place}", flush=True)
            found[place] = found.get(place, 0) + 1
        slowest = max(slowest, time.monotonic() - began)
    if slowest > SLOW_SECONDS:
        print(f"{name}: a case took {slowest:.1f} s")
    print(f"{name}: {cases} cases, {sum(found.values())} findings, the slowest {slowest:.1f} s", flush=True)
    return sum(found.values()) + (slowest > SLOW_SECONDS)


def fuzz_all_readers(options: argparse.Namespace) -> int:
    """Fuzz the reader of each format that there are files of; return the number of findings."""
    count, cases = 0, options.cases or _CASES["readers"]
    for reader in READERS:
        print(f"--- {reader}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            if not any(fuzz_readers.seed_files(reader, [], Path(folder))):
                print("not fuzzed: there is no file of this format to begin with; LibreOffice would make one")
                continue
        own = {"reader": reader, "files": [], "minutes": 1e6, "cases": cases}
        states = fuzz_readers.fuzz(argparse.Namespace(**{**vars(options), **own}))
        count += sum(states[kind] for kind in ("hang", "crash", "memory", "exception"))
    return count


def _session() -> Session:
    loaded = [make_document(text, title=title) for title, text in (("左", BRIDGE), ("右", BRIDGE_REWORDED))]
    return Session(tuple(SessionDocument(Path(f"{each.title}.docx"), document=each) for each in loaded), 0, 1)


def fuzz_kind(name: str, options: argparse.Namespace) -> int:
    """Fuzz one kind of input; return the number of findings."""
    if name == "readers":
        return fuzz_all_readers(options)
    cases = options.cases or _CASES[name]
    with tempfile.TemporaryDirectory() as folder:
        path, session = Path(folder, "broken.simcompare"), _session()
        write_session(session, path)
        sound = path.read_bytes()
        checks: dict[str, Callable[[Random], object]] = {
            "sessions": lambda random: check_session(sound, path, random),
            "journals": lambda random: check_journal(session, path, random),
            "reports": check_reports,
        }
        return run(name, cases, options, checks[name])


_CASES = {"readers": 2_000, "sessions": 5_000, "journals": 5_000, "reports": 200}


def main() -> None:
    """Fuzz the kinds asked for, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(_CASES))
    parser.add_argument("--cases", type=int, help="instead of the usual number of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="the folder for broken files that were findings")
    options = parser.parse_args()
    os.environ[fuzz_readers.PROGRAM_VARIABLE] = ""  # LibreOffice would be started for every damaged file
    if unknown := set(options.kinds) - _CASES.keys():
        parser.error(f"no such kind: {', '.join(sorted(unknown))}")
    sys.exit(sum(fuzz_kind(name, options) for name in options.kinds or _CASES) > 0)


if __name__ == "__main__":
    main()
