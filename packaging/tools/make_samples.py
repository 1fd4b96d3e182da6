"""Make the sample documents of simcompare from their plain-text sources.

Run as ``python packaging/tools/make_samples.py``; an argument gives another folder to write into.
The sources are in ``resources/samples/source``: the title on the first line, then one paragraph on each line.
Also prints a table of the similarity of each rewritten essay to its original.
"""

import argparse
import os
from pathlib import Path

from PySide6.QtCore import QHashSeed
from PySide6.QtGui import QGuiApplication
from sample_files.essays import SAMPLES, Essay, read_essay
from sample_files.pdf import write_pdf
from sample_files.plain import html_of, text_of
from sample_files.variant_similarity import table
from sample_files.word import docx_of

TARGETS = {
    "家乡的石桥.docx": "old-bridge",
    "石桥记.pdf": "stone-bridge-light",
    "心中的桥.html": "bridge-in-my-heart-synonyms",
    "桥的故事.docx": "the-bridge-moved",
    "秋天的路.pdf": "autumn-road",
    "The last bus.docx": "the-last-bus",
    "Waiting for the last bus.pdf": "the-last-bus-reworded",
    "same-essay/家乡的石桥.pdf": "old-bridge",
    "same-essay/家乡的石桥.html": "old-bridge",
    "same-essay/家乡的石桥.txt": "old-bridge",
}
"""Files to make: path below the samples folder, and name of the source."""


def write_sample(essay: Essay, target: Path) -> None:
    """Write an essay in the format given by the suffix of the target."""
    target.parent.mkdir(parents=True, exist_ok=True)
    match target.suffix:
        case ".docx":
            target.write_bytes(docx_of(essay))
        case ".pdf":
            write_pdf(essay, target)
        case ".html":
            target.write_bytes(html_of(essay).encode())
        case _:
            target.write_bytes(text_of(essay).encode())


def main() -> None:
    """Make every sample and print the table."""
    parser = argparse.ArgumentParser(description="Make the sample documents from their sources.")
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLES, help="where to write them")
    folder = parser.parse_args().folder
    os.environ["TZ"] = "UTC"
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    QHashSeed.setDeterministicGlobalSeed()
    application = QGuiApplication([])
    for name, source in TARGETS.items():
        write_sample(read_essay(source), folder / name)
        print(f"{(folder / name).stat().st_size:>8}  {name}")
    application.shutdown()
    print(f"\n{table()}")


if __name__ == "__main__":
    main()
