"""How rare a word is in a named collection: the IDF that weights rest on (Zhang & He, section 2.3)."""

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from simcompare.text.background import BACKGROUND_NAME, inverse_document_frequency
from simcompare.text.prepared import PreparedText

# The last digits of a logarithm differ between platforms, and a fingerprint may not.
_DECIMALS = 12


class Idf(Protocol):
    """IDF over one collection. `name` tells it from every other and goes into the fingerprint's recipe."""

    @property
    def name(self) -> str:
        """Name of the collection and of the formula's version."""

    def of(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return IDF = log(N/n + 0.01) of each word, above 0."""


class _BackgroundIdf:
    """The fixed background that comes with the program."""

    name = BACKGROUND_NAME

    def of(self, words: Sequence[str]) -> NDArray[np.float64]:
        return np.fromiter(map(inverse_document_frequency, words), dtype=np.float64, count=len(words))


BACKGROUND: Idf = _BackgroundIdf()
"""The default: it keeps a stored fingerprint valid when documents come and go."""


@dataclass(frozen=True, slots=True, eq=False)
class CollectionIdf:
    """IDF over the documents that are loaded, as the paper counts it.

    Another set of documents is another collection with another name: fingerprints of the two are not
    compared. A word of every document weighs log(1.01), which is little and above 0.
    """

    name: str
    document_count: int
    documents_with: Mapping[str, int]

    @classmethod
    def of_texts(cls, texts: Iterable[PreparedText]) -> "CollectionIdf":
        """Count in how many of the texts each word occurs. Raises ValueError where there is no text."""
        vocabularies = [text.word_vocabulary for text in texts]
        if not vocabularies:
            raise ValueError("a collection holds at least one text")
        counts = Counter(word for vocabulary in vocabularies for word in vocabulary)
        content = [f"{len(vocabularies)}\n", *(f"{word}\t{counts[word]}\n" for word in sorted(counts))]
        digest = hashlib.sha256("".join(content).encode()).hexdigest()
        return cls(f"collection-1-{digest[:16]}", len(vocabularies), counts)

    def of(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return IDF of each word; one that the collection does not hold counts as if one text had it."""
        return np.array([self._idf(self.documents_with.get(word, 1)) for word in words], dtype=np.float64)

    def _idf(self, documents: int) -> float:
        return round(math.log(self.document_count / documents + 0.01), _DECIMALS)
