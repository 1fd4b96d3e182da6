"""Digests of sentences: equal for sentences with the same comparable text."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import pairwise

from simcompare.text.prepared_text import PreparedText

_DIGEST_BYTES = 8


def sentence_digests(prepared: PreparedText) -> Iterator[str]:
    """Yield the digest of each sentence.

    The comparable form has no case, spacing or punctuation, and one Chinese script. So a digest stays the
    same if the file is saved again, or read by another reader or with other options.
    """
    vocabulary, units = prepared.unit_vocabulary, prepared.unit_ids.tolist()
    for first, end in pairwise(prepared.sentence_units.tolist()):
        yield digest_of_units([vocabulary[number] for number in units[first:end]])


def digest_of_units(units: Iterable[str]) -> str:
    """Return 16 hex digits of the comparable units of a sentence."""
    return blake2b(" ".join(units).encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()
