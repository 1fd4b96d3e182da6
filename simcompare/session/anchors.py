"""The names of a text's sentences, by what they say: decisions hold on to them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

from simcompare.session.review import SentenceKey
from simcompare.text.prepared import PreparedText

_DIGEST_BYTES = 8


@dataclass(frozen=True, slots=True, eq=False)
class Anchors:
    """The keys of all sentences of a text, in order, and back."""

    keys: tuple[SentenceKey, ...]
    sentences: Mapping[SentenceKey, int]

    def sentence_of(self, key: SentenceKey) -> int | None:
        """Return the number of the sentence with this key, None where the text has none such."""
        return self.sentences.get(key)


def anchors_of(prepared: PreparedText) -> Anchors:
    """Name every sentence, see `sentence_keys`."""
    keys = tuple(sentence_keys(prepared))
    return Anchors(keys, {key: number for number, key in enumerate(keys)})


def sentence_keys(prepared: PreparedText) -> Iterator[SentenceKey]:
    """Name each sentence by a digest of its comparable units and its place among those that say the same.

    Case, spacing, punctuation and the script of a Chinese text leave no trace in the comparable form, so
    that a key outlives another reader, another reading option and a file saved anew.
    """
    seen: defaultdict[str, int] = defaultdict(int)
    for digest in _digests(prepared):
        yield SentenceKey(digest, seen[digest])
        seen[digest] += 1


def _digests(prepared: PreparedText) -> Iterator[str]:
    vocabulary, units = prepared.unit_vocabulary, prepared.unit_ids.tolist()
    for first, end in pairwise(prepared.sentence_units.tolist()):
        said = " ".join([vocabulary[number] for number in units[first:end]])
        yield blake2b(said.encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()
