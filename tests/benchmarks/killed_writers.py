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

from simcompare.cli.main import app
from simcompare.model.errors import SimcompareError
from simcompare.session.decisions import NotedDecision, PairReview
from simcompare.session.session_file import read_session, write_session
from simcompare.support.atomic_file import PREFIXES, remove_unfinished
from simcompare.support.resources import DATA_FOLDER_VARIABLE, resource_path
from tests.session.conftest import SAMPLES

_LONGEST_SECONDS = 120
_FILES = [str(resource_path("samples", name)) for name in SAMPLES]
_SESSION = "SESSION"
OUTPUTS: dict[str, list[str]] = {
    "report {}": ["report", _SESSION, "--pairs", "all", "--output"],
    "report.zip": ["report", _SESSION, "--pairs", "all", "--output"],
    "pair.pdf": ["report", _SESSION, "--to", "pdf", "--pair", *SAMPLES[:2], "--output"],
    "pair.docx": ["report", _SESSION, "--to", "docx", "--pair", *SAMPLES[:2], "--output"],
    "table.xlsx": ["report", _SESSION, "--to", "xlsx", "--output"],
    "class.pdf": ["check", *_FILES, "--to", "pdf", "--output"],
    "copies": ["annotate", _FILES[0], _FILES[2], "--output-dir"],
}
"""Names of outputs with commands; a folder of reports is not replaced, so its name is always new."""
_WARMING = ("report.zip", "pair.docx", "copies")
"""Written before, so that the forked processes have all modules and word lists."""


def _write(session: Path, output: str, path: Path) -> None:
    """Write an output in this process, as the command line does."""
    command = [str(session) if word == _SESSION else word for word in OUTPUTS[output]]
    app([*command, str(path)], standalone_mode=False)


def _write_forever(session: Path, output: str, said: int) -> None:
    """Write a session or an output again and again, and say the number of each once it is written."""
    content = read_session(session)
    for number in itertools.count(1):
        if output == "session":
            review = PairReview(NotedDecision(note=str(number)))
            write_session(replace(content, reviews={(0, 1): review}), session)
        else:
            _write(session, output, session.parent / output.format(number))
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


def _fault(path: Path, sound: Path, *, is_partial: bool) -> str:
    """Return what is wrong with an output, in comparison with one that was written without a kill.

    is_partial: a folder may lack files, as each is written on its own.
    """
    if path.is_dir():
        names = [{str(each.relative_to(place)) for each in place.rglob("*")} for place in (path, sound)]
        faults = [_fault(path / name, sound / name, is_partial=False) for name in names[0] & names[1]]
        if any(faults):
            return f"{faults}"
        return "" if names[0] == names[1] or (is_partial and names[0] < names[1]) else f"holds {names[0]}"
    data, suffix = path.read_bytes(), path.suffix
    if end := {".pdf": b"%%EOF", ".html": b"</html>"}.get(suffix):
        return "" if data.rstrip().endswith(end) else "has no end"
    if suffix == ".csv":
        return "" if data == sound.read_bytes() else "differs"
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(sound) as other:
        return archive.testzip() or ("" if archive.namelist() == other.namelist() else "lacks a part")


def kills(make_session: Callable[[Path], Path], cases: int, random: Random, outputs: Sequence[str]) -> int:
    """Kill a process that writes, at random moments; print and count what is wrong afterwards."""
    total = 0
    for output in outputs:
        with tempfile.TemporaryDirectory() as name:
            folder, temporary = Path(name), Path(name) / "temporary"
            temporary.mkdir()
            tempfile.tempdir = str(temporary)
            os.environ |= {DATA_FOLDER_VARIABLE: str(folder / "data"), "TMPDIR": str(temporary)}
            session, sound = folder / "sound.simcompare", folder / f"sound {output}"
            make_session(folder)
            for other in _WARMING:
                _write(session, other, temporary / other)
            if output != "session":
                # Qt, which a PDF needs, would not work in processes that are forked after its start
                writer = get_context("fork").Process(target=_write, args=(session, output, sound))
                writer.start()
                writer.join()
            known = {*folder.iterdir(), folder / "data"}
            found, left, written = list[str](), 0, 0
            for _moment in range(cases):
                shutil.rmtree(temporary)
                temporary.mkdir()
                count = _killed_writer(session, output, random)
                written += count
                new = [*temporary.iterdir(), *({*folder.iterdir()} - known)]
                left += any(each.name.startswith(PREFIXES) for each in new)
                remove_unfinished()
                new = [*temporary.iterdir(), *({*folder.iterdir()} - known)]
                found += [f"is left: {path.name}" for path in new if path.name.startswith(PREFIXES)]
                if output in OUTPUTS and count and not (folder / output.format(count)).exists():
                    found.append(f"{output} is gone")
                try:
                    if output == "session":
                        note = read_session(session).reviews[0, 1].overall.note
                        if note not in {str(count), str(count + 1)}:
                            found.append(f"holds {note}, not {count}")
                    for path in {*folder.iterdir()} - known:
                        if fault := _fault(path, sound, is_partial=output == "copies"):
                            found.append(f"{path.name} {fault}")
                        shutil.rmtree(path) if path.is_dir() else path.unlink()
                except (OSError, SimcompareError, zipfile.BadZipFile) as error:
                    found.append(repr(error))
            tempfile.tempdir = None
            print(
                f"kills of {output}: {cases}, {written} written, {left} left a temporary file; {found}",
                flush=True,
            )
            total += len(found)
    return total
