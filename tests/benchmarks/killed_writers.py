"""Kill a process that saves a session or writes reports, for damaged_files."""

import io
import itertools
import os
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from simcompare.cli.anonymity_options import SessionAnonymityOptions
from simcompare.cli.report import ReportOptions, report_command
from simcompare.model.errors import SimcompareError
from simcompare.session.decisions import NotedDecision, PairReview
from simcompare.session.session_file import read_session, write_session
from simcompare.support.resources import DATA_FOLDER_VARIABLE
from simcompare.support.unfinished_files import remove_unfinished
from tests.session.conftest import SAMPLES

_LONGEST_SECONDS = 120
REPORTS: dict[str, dict[str, Any]] = {
    "report {}": {"to": "html", "pairs": "all"},
    "report.zip": {"to": "html", "pairs": "all"},
    "pair.pdf": {"to": "pdf", "pair": SAMPLES[:2]},
    "pair.docx": {"to": "docx", "pair": SAMPLES[:2]},
    "table.xlsx": {"to": "xlsx"},
}
"""Names of outputs with options of `report`; a folder is not replaced, so its name is always new."""


def _report(session: Path, path: Path, output: str) -> None:
    options = ReportOptions(
        session=session, output=path, anonymity=SessionAnonymityOptions(), **REPORTS[output]
    )
    report_command.__wrapped__(options=options)


def _write_forever(session: Path, output: str, said: int) -> None:
    """Write a session or reports again and again, and say the number of each once it is written."""
    content = read_session(session)
    for number in itertools.count(1):
        if output == "session":
            review = PairReview(NotedDecision(note=str(number)))
            write_session(replace(content, reviews={(0, 1): review}), session)
        else:
            path = session.parent / output.format(number)
            _report(session, path, output)
        os.write(said, b"%d\n" % number)


def _killed_writer(session: Path, output: str, random: Random) -> int:
    """Fork a process that writes, kill it, and return how often it had written."""
    listening, said = os.pipe()
    begun = time.monotonic()
    child = os.fork()
    if not child:
        sys.stdout = io.StringIO()
        try:
            _write_forever(session, output, said)
        finally:
            traceback.print_exc()
            os._exit(3)
    os.close(said)
    select.select([listening], [], [], _LONGEST_SECONDS)  # written once
    time.sleep(random.uniform(0, 1.2 * (time.monotonic() - begun)))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(listening, "rb") as heard:
        return int((heard.read().split() or [b"0"])[-1])


def _fault(path: Path, sound: Path) -> str:
    """Return what is wrong with an output, in comparison with one that was written without a kill."""
    if path.is_dir():
        names = [sorted(str(each.relative_to(place)) for each in place.rglob("*")) for place in (path, sound)]
        return "" if names[0] == names[1] else f"holds {names[0]}"
    if path.suffix == ".pdf":
        return "" if path.read_bytes().rstrip().endswith(b"%%EOF") else "has no end"
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(sound) as other:
        return archive.testzip() or ("" if archive.namelist() == other.namelist() else "lacks a part")


def kills(
    make_session: Callable[[Path], Path],
    cases: int,
    random: Random,
    outputs: Sequence[str] = ("session", *REPORTS),
) -> int:
    """Kill a process that writes, at random moments; print and count what is wrong afterwards."""
    total = 0
    for output in outputs:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            os.environ[DATA_FOLDER_VARIABLE] = str(folder / "data")
            session, sound = make_session(folder), folder / f"sound {output}"
            if output != "session":
                # Qt, which a PDF needs, would not work in processes that are forked after its start
                writer = get_context("fork").Process(target=_report, args=(session, sound, output))
                writer.start()
                writer.join()
            known, found, left, written = {*folder.iterdir()}, list[str](), 0, 0
            for _moment in range(cases):
                count = _killed_writer(session, output, random)
                written += count
                left += any(each.name.startswith(".simcompare-") for each in folder.iterdir())
                remove_unfinished()
                try:
                    if output == "session":
                        note = read_session(session).reviews[0, 1].overall.note
                        if note not in {str(count), str(count + 1)}:
                            found.append(f"holds {note}, not {count}")
                    for path in {*folder.iterdir()} - known - {folder / "data"}:
                        expected = path.suffix or path.name.startswith("report ")
                        found += [f"is left: {path.name}"] if not expected else []
                        if fault := _fault(path, sound):
                            found.append(f"{path.name} {fault}")
                        shutil.rmtree(path) if path.is_dir() else path.unlink()
                except (OSError, SimcompareError, zipfile.BadZipFile) as error:
                    found.append(repr(error))
            print(
                f"kills of {output}: {cases}, {written} written, {left} left a temporary file; {found}",
                flush=True,
            )
            total += len(found)
    return total
