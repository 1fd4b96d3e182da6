"""Speed of preparing and fingerprinting a text, compared with `jieba.posseg` alone.

    python -m tests.benchmarks.text_speed [--characters 200000] [--rounds 3]

Both process the same characters in turns within one run; the best round counts. Dictionaries are loaded
before the clock starts.
"""

import argparse
import importlib
import logging
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from simcompare.fingerprint.simhash import make_fingerprint
from simcompare.text.prepared_text import prepare
from tests.helpers.documents import SHARED, document_of


def read_characters(folder: Path, count: int) -> str:
    """Return the first `count` characters of a folder's texts."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()))
    if len(text) < count:
        raise SystemExit(f"{folder} holds only {len(text)} characters")
    return text[:count]


def load_posseg(cache: str) -> Any:
    """Return jieba.posseg with its dictionary loaded; jieba 0.42 warns on import."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jieba = importlib.import_module("jieba")
        posseg = importlib.import_module("jieba.posseg")
    jieba.setLogLevel(logging.ERROR)
    jieba.dt.tmp_dir = cache
    posseg.lcut("预热")
    return posseg


def best_seconds(job: Callable[[], Any]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--characters", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--texts", type=Path, default=SHARED / "bench" / "zh-dev" / "src")
    options = parser.parse_args()

    text = read_characters(options.texts, options.characters)
    document = document_of(text)
    prepared = prepare(document)
    make_fingerprint(document, prepared, "improved")
    with tempfile.TemporaryDirectory() as cache:
        posseg = load_posseg(cache)
        jobs: dict[str, Callable[[], Any]] = {
            "jieba.posseg": lambda: posseg.lcut(document.text),
            "prepare": lambda: prepare(document),
            "improved fingerprint": lambda: make_fingerprint(document, prepared, "improved"),
            "prepare + fingerprint": lambda: make_fingerprint(document, prepare(document), "improved"),
        }
        seconds = {
            name: min(rounds)
            for name, rounds in zip(
                jobs,
                zip(
                    *([best_seconds(job) for job in jobs.values()] for _ in range(options.rounds)),
                    strict=True,
                ),
                strict=True,
            )
        }
    print(f"{len(document.text)} characters, {prepared.sentence_count} sentences")
    print(f"{'':24}{'seconds':>10}{'M chars/s':>12}{'ratio':>8}")
    for name, time_taken in seconds.items():
        rate = len(document.text) / time_taken / 1e6
        print(f"{name:24}{time_taken:10.3f}{rate:12.3f}{seconds['jieba.posseg'] / time_taken:8.2f}")


if __name__ == "__main__":
    main()
