"""Sentences common to a class: they stand in the essays of many students, as the question or a form does."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.groups import connected
from simcompare.cohort.sentence_twins import SentenceTwins, compared_units, find_twins
from simcompare.comparison.comparison_result import BoolArray
from simcompare.comparison.exclusions.name_lines import name_line_sentences
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.settings import DEFAULT_COMMON_SHARE
from simcompare.text.prepared_text import Int32Array, PreparedText
from simcompare.text.sentence_digests import digest_of_units

Int64Array = NDArray[np.int64]

FEWEST_ESSAYS = 5
"""In fewer essays of different origin nothing is common: a few friends who share a text are no class."""
_NEARLY_ALL = 0.8
"""Text in this share of the essays says nothing about which of them are similar to each other."""
_LEAST_LINK = 0.3
"""Two essays count once if at least this share of either is in the other, apart from common text."""
_LEAST_OWN = 0.1
"""An essay with a smaller share of text of its own is nothing but the common text."""
_MOST_ROUNDS = 5
_TEXTS_PER_BLOCK = 256
_RUN_UNITS = 4
_LEAST_COVERED = 0.8
"""A sentence is a part of common text, or parts joined, if this share of it is in runs of units of it."""
_LABEL_ENDS = (":", "：")
FILLED_IN = "…"
"""In place of what is filled in after the label of a name line."""


@dataclass(frozen=True, slots=True)
class CommonSentence:
    """A sentence that many essays have, in one wording or several.

    text: its most frequent wording, or the label of a name line. documents: indices of all documents that
    have it, ascending, also of those that do not count as essays. digest: key of its text.
    """

    digest: str
    text: str
    documents: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CommonText:
    """The common sentences of a class, those in most documents first, and where they are.

    numbers: of each document (s,) the index in `sentences` of each of its sentences, -1 if not common.
    """

    sentences: tuple[CommonSentence, ...]
    numbers: tuple[Int32Array, ...]

    def by_text(self, documents: Sequence[PreparedDocument]) -> dict[PreparedText, NDArray[np.str_]]:
        """Return the exclusion candidates of each text: the digest of each common sentence, "" for others."""
        known = np.array([*(sentence.digest for sentence in self.sentences), ""], np.str_)
        return {
            document.prepared: known[numbers]
            for document, numbers in zip(documents, self.numbers, strict=True)
        }


def find_common_text(
    documents: Sequence[PreparedDocument],
    essays: Sequence[int],
    least_share: float = DEFAULT_COMMON_SHARE,
) -> CommonText:
    """Find the sentences with a twin (P >= 0.8, numbers aside) in at least this share of the essays.

    essays: indices of the documents that count, one of each student; what is common to them is found in all
    documents. Essays that share 30 % of their own text count as one: what only a group of similar essays
    shares is evidence. The lines of name, class and number are equal if their labels are.
    """
    if len(essays) < FEWEST_ESSAYS:
        nothing = (np.full(document.prepared.sentence_count, -1, np.int32) for document in documents)
        return CommonText((), tuple(nothing))
    labels = [_label_units(document) for document in documents]
    twins = find_twins([document.prepared for document in documents], labels)
    return _named(twins, _common_texts(twins, np.array(essays), least_share), documents, labels)


def _label_units(document: PreparedDocument) -> Int32Array:
    """Return how many units of each name line with a colon are before it, -1 for other sentences."""
    text, prepared = document.document.text, document.prepared
    kept = np.full(prepared.sentence_count, -1, np.int32)
    for sentence in np.flatnonzero(name_line_sentences(document.document, prepared)).tolist():
        end = _label_end(prepared.sentence_span(sentence).of(text))
        start = int(prepared.sentence_spans[sentence, 0])
        first, stop = prepared.units_in(np.array([[start, start + end]], np.int32))[0]
        if stop > first:
            kept[sentence] = stop - first
    return kept


def _label_end(line: str) -> int:
    return next((place for place, character in enumerate(line) if character in _LABEL_ENDS), 0)


def _common_texts(twins: SentenceTwins, essays: Int64Array, least_share: float) -> BoolArray:
    """Mark the distinct texts that are common, shape (d,)."""
    presence = _Presence(twins, essays)
    common: BoolArray = presence.has_twin.mean(axis=1) >= _NEARLY_ALL
    for _round in range(_MOST_ROUNDS):
        before = common
        origins = presence.origins(twins.with_twins(before))
        members = np.zeros((len(essays), int(origins.max()) + 1), np.float32)
        members[np.arange(len(essays)), origins] = 1
        counts = (presence.has_twin.astype(np.float32) @ members > 0).sum(axis=1)
        common = counts >= max(FEWEST_ESSAYS, least_share * members.shape[1])
        if np.array_equal(common, before):
            break
    return common & before


class _Presence:
    """Which essays have which text.

    has_twin: shape (d, essays), whether an essay has a twin of a text; units: of each text in each essay.
    """

    def __init__(self, twins: SentenceTwins, essays: Int64Array) -> None:
        number = np.full(int(twins.documents.max()) + 1, -1)
        number[essays] = np.arange(len(essays))
        owner = number[twins.documents]
        counted = owner >= 0
        shape = twins.text_count, len(essays)
        cells = twins.texts[counted] * shape[1] + owner[counted]
        counts = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
        self.has_twin: BoolArray = np.empty(shape, np.bool_)
        for start in range(0, shape[0], _TEXTS_PER_BLOCK):
            texts = np.arange(start, min(start + _TEXTS_PER_BLOCK, shape[0]))
            first, stop = np.searchsorted(twins.first, [texts[0], texts[-1] + 1])
            starts = np.searchsorted(twins.first[first:stop], texts)
            has_text = (counts > 0)[twins.second[first:stop]]
            self.has_twin[texts] = np.logical_or.reduceat(has_text, starts)
        self.units = (counts * twins.lengths[:, None]).astype(np.float32)

    def origins(self, common: BoolArray) -> Int64Array:
        """Return a number for each essay, the same for essays that share text besides the common text."""
        units = self.units[~common].T
        own, total = units.sum(axis=1), self.units.sum(axis=0)
        shared = units @ self.has_twin[~common].astype(np.float32)
        has_own = own >= _LEAST_OWN * total
        is_in = (shared >= _LEAST_LINK * own[:, None]) & has_own[:, None]
        linked = (is_in & is_in.T) | ~(has_own[:, None] | has_own)
        numbers: Int64Array = np.unique(connected(len(linked), *np.nonzero(linked)), return_inverse=True)[1]
        return numbers


def _named(
    twins: SentenceTwins,
    common: BoolArray,
    documents: Sequence[PreparedDocument],
    labels: Sequence[Int32Array],
) -> CommonText:
    """Join common texts that are twins, add their other twins and parts, and name each by its usual text."""
    both = common[twins.first] & common[twins.second]
    joined = connected(twins.text_count, twins.first[both], twins.second[both])
    of_text = np.full(twins.text_count, -1)
    to_common = np.flatnonzero(common[twins.first])[::-1]
    of_text[twins.second[to_common]] = joined[twins.first[to_common]]
    of_text[common] = joined[common]
    _add_parts(of_text, twins.strings)
    of_sentence = of_text[twins.texts]
    found: list[tuple[int, int, Int64Array]] = []
    for name in np.unique(of_text[of_text >= 0]).tolist():
        places = np.flatnonzero(of_sentence == name)
        found.append((-len(np.unique(twins.documents[places])), int(places[0]), places))
    numbers = np.full(len(of_sentence), -1, np.int32)
    sentences: list[CommonSentence] = []
    for _documents, _first, places in sorted(found, key=lambda each: each[:2]):
        numbers[places] = len(sentences)
        sentences.append(_common_sentence(twins, places, documents, labels))
    starts = np.searchsorted(twins.documents, np.arange(1, len(documents)))
    return CommonText(tuple(sentences), tuple(np.split(numbers, starts)))


def _add_parts(of_text: Int64Array, strings: Sequence[str]) -> None:
    """Add texts that are common text cut or joined at other places, as in a file of another format."""
    runs: dict[str, int] = {}
    for text in np.flatnonzero(of_text >= 0).tolist():
        for run in _runs(strings[text]):
            runs.setdefault(run, int(of_text[text]))
    for text in np.flatnonzero(of_text < 0).tolist() if runs else ():
        found = [runs.get(run) for run in _runs(strings[text])]
        length = len(strings[text])
        covered = sum(
            any(each is not None for each in found[max(place - _RUN_UNITS + 1, 0) : place + 1])
            for place in range(length)
        )
        if covered >= _LEAST_COVERED * length:
            of_text[text] = Counter(each for each in found if each is not None).most_common(1)[0][0]


def _runs(string: str) -> list[str]:
    return [string[start : start + _RUN_UNITS] for start in range(len(string) - _RUN_UNITS + 1)]


def _common_sentence(
    twins: SentenceTwins,
    places: Int64Array,
    documents: Sequence[PreparedDocument],
    labels: Sequence[Int32Array],
) -> CommonSentence:
    text = Counter(twins.texts[places].tolist()).most_common(1)[0][0]
    usual = places[twins.texts[places] == text]
    wordings = Counter(_wording(documents, twins, place) for place in usual.tolist())
    document, sentence = int(twins.documents[usual[0]]), int(twins.sentences[usual[0]])
    wording = wordings.most_common(1)[0][0]
    if labels[document][sentence] >= 0 and len(wordings) > 1:
        wording = wording[: _label_end(wording) + 1] + FILLED_IN
    units = compared_units(documents[document].prepared, sentence, int(labels[document][sentence]))
    holders = np.unique(twins.documents[places])
    return CommonSentence(digest_of_units(units), wording, tuple(holders.tolist()))


def _wording(documents: Sequence[PreparedDocument], twins: SentenceTwins, place: int) -> str:
    document = documents[int(twins.documents[place])]
    return document.prepared.sentence_span(int(twins.sentences[place])).of(document.document.text).strip()
