"""How much each term of a document counts in its fingerprint."""

from collections import Counter
from collections.abc import Mapping

from simcompare.document import Document
from simcompare.text.background import inverse_document_frequency, marker_words
from simcompare.text.prepare import words_of_text
from simcompare.text.prepared import PreparedText

_NOUN_WEIGHT, _VERB_WEIGHT, _OTHER_WEIGHT = 3, 2, 1
_MARKER_WEIGHT = 5
_TITLE_WEIGHT = 5


def term_counts(prepared: PreparedText) -> Mapping[str, int]:
    """Return how often each word occurs."""
    counts = Counter(prepared.word_ids.tolist())
    return {prepared.word_vocabulary[number]: count for number, count in counts.items()}


def traditional_weights(document: Document, prepared: PreparedText) -> Mapping[str, float]:
    """Return TF as a bare count: dividing all weights by one number changes no bit."""
    return term_counts(prepared)


def improved_weights(document: Document, prepared: PreparedText) -> Mapping[str, float]:
    """Return TF * IDF * (1 + POS + length + marker + title) of each word (Zhang & He, section 3.2).

    TF is the word's share of the document's words; POS is 3 for a noun, 2 for a verb, 1 for any other;
    length runs from 0 for the shortest word of the document to 1 for the longest; a marker word and a
    word of the title add 5 each.
    """
    counts = term_counts(prepared)
    if not counts:
        return {}
    total = sum(counts.values())
    tags = dict(zip(prepared.word_vocabulary, prepared.word_tags, strict=True))
    title = set(words_of_text(document.title))
    shortest = min(map(len, counts))
    range_of_lengths = max(map(len, counts)) - shortest

    def stress(word: str) -> float:
        length = (len(word) - shortest) / range_of_lengths if range_of_lengths else 0.0
        marker = _MARKER_WEIGHT * (word in marker_words())
        return 1 + _part_of_speech_weight(tags[word]) + length + marker + _TITLE_WEIGHT * (word in title)

    return {
        word: count / total * inverse_document_frequency(word) * stress(word)
        for word, count in counts.items()
    }


def _part_of_speech_weight(tag: str) -> int:
    if tag.startswith("n"):
        return _NOUN_WEIGHT
    return _VERB_WEIGHT if tag.startswith("v") else _OTHER_WEIGHT
