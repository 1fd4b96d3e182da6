"""Processor time of whole commands with all their processes, of one or several checkouts in turns (Linux).

    .venv/bin/python -m tests.benchmarks.command_time [--checkouts . ../main] [--runs 3] [--essays 200]

Commands: `--version`, `compare` of two essays, `batch` of the pairs of `pan13-dev`, `check` of a class as
`class_scale.py` writes it. Prints the best run of each, in seconds of processor time.
"""

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from tests.benchmarks.class_scale import write_class
from tests.benchmarks.process_meter import run_measured
from tests.helpers.documents import SHARED, own_texts

PAN = SHARED / "bench" / "pan13-dev"


def commands(folder: Path, essays: int) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the arguments of each command; `folder` is for inputs and results."""
    yield "--version", ["--version"]
    chinese, english = ([text[:2000] for text in own_texts(language)][:2] for language in ("zh", "en"))
    for language, texts in (("Chinese", chinese), ("English", english)):
        paths = [folder / f"{language}{number}.txt" for number in range(2)]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        yield f"compare, {language}", ["compare", *map(str, paths)]
    if PAN.is_dir():
        pairs = ["batch", str(PAN / "pairs"), str(PAN / "susp"), str(PAN / "src")]
        yield "batch", [*pairs, "--to", "pan", "--output", str(folder / "results")]
    if essays:
        (folder / "class").mkdir()
        write_class(folder / "class", essays)
        result = str(folder / "class.json")
        yield f"check, {essays} essays", ["check", str(folder / "class"), "--to", "json", "--output", result]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkouts", nargs="+", type=Path, default=[Path()])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--essays", type=int, default=200)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    _application = QGuiApplication([])  # for PDF
    checkouts = [path.resolve() for path in options.checkouts]
    print(f"load {os.getloadavg()[0]:.1f}\n| command | {' | '.join(map(str, checkouts))} |")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chdir(folder)  # processes find their modules in the current folder first
        environment = {**os.environ, "XDG_DATA_HOME": name, "XDG_CONFIG_HOME": name}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for label, arguments in commands(folder, options.essays):
            best = dict.fromkeys(checkouts, float("inf"))
            for run in range(options.runs + 1):
                for checkout in checkouts:
                    shutil.rmtree(folder / "results", ignore_errors=True)
                    program = str(checkout / ".venv" / "bin" / "simcompare")
                    seconds = run_measured([program, *arguments], environment).own_seconds
                    if run or options.runs == 1:  # the first one may compile modules
                        best[checkout] = min(best[checkout], seconds)
            print(f"| {label} | {' | '.join(f'{seconds:.2f}' for seconds in best.values())} |", flush=True)


if __name__ == "__main__":
    main()
