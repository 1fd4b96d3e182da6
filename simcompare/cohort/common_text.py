"""Sentences common to a class: found in the essays of many students, such as the question or a form."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.groups import connected
from simcompare.cohort.near_duplicates import FILLED_IN, NearDuplicates, compared_units, find_near_duplicates
from simcompare.comparison.comparison_result import BoolArray
from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from simcompare.comparison.exclusions.form_lines import equal_form_lines
from simcompare.comparison.exclusions.name_lines import name_line_sentences
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.settings import DEFAULT_COMMON_SHARE
from simcompare.text.prepared_text import Int32Array, PreparedText, digest_of_units

Int64Array = NDArray[np.int64]

FEWEST_ESSAYS = 5
"""Least number of essays of different origin with a common sentence; fewer may be a group of friends."""
_NEARLY_ALL = 0.8
"""Text in this share of the essays says nothing about which of them are similar to each other."""
_LEAST_LINK = 0.3
"""Two essays count once if at least this share of either is in the other, apart from common text."""
_LEAST_OWN = 0.1
"""An essay with a smaller share of text of its own has only the common text."""
_MOST_ROUNDS = 5
_TEXTS_PER_BLOCK = 256
_RUN_UNITS = 4
_LEAST_COVERED = 0.8
"""A sentence is a part of common text, or parts joined, if this share of it is in runs of units of it."""
_LABEL_ENDS = (":", "：")


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
    """Find the sentences with a near duplicate (P >= 0.8, numbers aside) in `least_share` of the essays.

    essays: indices of the documents that count, one of each student; what is common to them is found in all
    documents. Essays that share 30 % of their own text count as one: what only a group of similar essays
    shares is evidence. The lines of name, class and number are equal if their labels are. Of fewer than
    FEWEST_ESSAYS so counted, only equal lines of a form are common.
    """
    if len(essays) >= FEWEST_ESSAYS:
        labels = [_label_units(document) for document in documents]
        duplicates = find_near_duplicates([document.prepared for document in documents], labels)
        common = _common_texts(duplicates, np.array(essays), least_share)
        if common is not None:
            return _named(duplicates, common, documents, labels)
    return _equal_forms(documents)


def _equal_forms(documents: Sequence[PreparedDocument]) -> CommonText:
    """Return the lines of forms that are equal in at least two documents."""
    numbers = [np.full(document.prepared.sentence_count, -1, np.int32) for document in documents]
    places: dict[str, list[tuple[int, int]]] = {}
    for document, digests in enumerate(equal_form_lines(documents)):
        for sentence, digest in enumerate(() if digests is None else digests.tolist()):
            if digest:
                places.setdefault(digest, []).append((document, sentence))
                numbers[document][sentence] = list(places).index(digest)
    return CommonText(
        tuple(
            CommonSentence(
                digest,
                left_out_sentence(documents[found[0][0]], found[0][1]).text,
                tuple(dict.fromkeys(document for document, _sentence in found)),
            )
            for digest, found in places.items()
        ),
        tuple(numbers),
    )


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


def _common_texts(duplicates: NearDuplicates, essays: Int64Array, least_share: float) -> BoolArray | None:
    """Mark the distinct texts that are common, shape (d,); None if too few essays count."""
    presence = _Presence(duplicates, essays)
    common = presence.marked(presence.has_near_duplicate.mean(axis=1) >= _NEARLY_ALL)
    for _round in range(_MOST_ROUNDS):
        before = common
        origins = presence.origins(duplicates.with_near_duplicates(before))
        if origins.max() + 1 < FEWEST_ESSAYS:
            return None
        members = np.zeros((len(essays), int(origins.max()) + 1), np.float32)
        members[np.arange(len(essays)), origins] = 1
        counts = (presence.has_near_duplicate.astype(np.float32) @ members > 0).sum(axis=1)
        common = presence.marked(counts >= max(FEWEST_ESSAYS, least_share * members.shape[1]))
        if np.array_equal(common, before):
            break
    return common & before


class _Presence:
    """Presence of the r repeated texts in the essays; any other is in one document, and never common.

    repeated (d,): marks these texts; has_near_duplicate (r, essays): an essay has a near duplicate of a text;
    units: same shape, the units of a text in an essay; other_units (essays,): of texts not repeated.
    """

    def __init__(self, duplicates: NearDuplicates, essays: Int64Array) -> None:
        number = np.full(int(duplicates.documents.max()) + 1, -1)
        number[essays] = np.arange(len(essays))
        owner = number[duplicates.documents]
        # each text is there at least once, and a near duplicate of itself
        self.repeated: BoolArray = np.bincount(duplicates.texts) + np.bincount(duplicates.first) > 2
        is_row, row = self.repeated[duplicates.texts], np.cumsum(self.repeated) - 1
        other, is_row = (owner >= 0) & ~is_row, (owner >= 0) & is_row
        other_lengths = duplicates.lengths[duplicates.texts[other]]
        self.other_units = np.bincount(owner[other], other_lengths, len(essays)).astype(np.float32)
        counts = np.zeros((np.count_nonzero(self.repeated), len(essays)), np.float32)
        np.add.at(counts, (row[duplicates.texts[is_row]], owner[is_row]), 1)
        self.units = counts * duplicates.lengths[self.repeated, None].astype(np.float32)
        has_text, self.has_near_duplicate = counts > 0, np.empty(counts.shape, np.bool_)
        in_rows = self.repeated[duplicates.first]
        first, second = row[duplicates.first[in_rows]], row[duplicates.second[in_rows]]
        for start in range(0, len(counts), _TEXTS_PER_BLOCK):
            rows = np.arange(start, min(start + _TEXTS_PER_BLOCK, len(counts)))
            begin, stop = np.searchsorted(first, [rows[0], rows[-1] + 1])
            starts = np.searchsorted(first[begin:stop], rows)
            self.has_near_duplicate[rows] = np.logical_or.reduceat(has_text[second[begin:stop]], starts)

    def marked(self, rows: BoolArray) -> BoolArray:
        """Mark some of the repeated texts, shape (r,), among all."""
        marks = np.zeros(len(self.repeated), np.bool_)
        marks[self.repeated] = rows
        return marks

    def origins(self, common: BoolArray) -> Int64Array:
        """Return a number for each essay, the same for essays that share text besides the common text."""
        kept = ~common[self.repeated]
        units = self.units[kept].T
        own, total = units.sum(axis=1) + self.other_units, self.units.sum(axis=0) + self.other_units
        shared = units @ self.has_near_duplicate[kept].astype(np.float32)
        has_own = own >= _LEAST_OWN * total
        is_in = (shared >= _LEAST_LINK * own[:, None]) & has_own[:, None]
        linked = (is_in & is_in.T) | ~(has_own[:, None] | has_own)
        numbers: Int64Array = np.unique(connected(len(linked), *np.nonzero(linked)), return_inverse=True)[1]
        return numbers


def _named(
    duplicates: NearDuplicates,
    common: BoolArray,
    documents: Sequence[PreparedDocument],
    labels: Sequence[Int32Array],
) -> CommonText:
    """Join near duplicates among the common texts, add other ones and parts; each gets its usual wording."""
    both = common[duplicates.first] & common[duplicates.second]
    joined = connected(duplicates.text_count, duplicates.first[both], duplicates.second[both])
    of_text = np.full(duplicates.text_count, -1)
    to_common = np.flatnonzero(common[duplicates.first])[::-1]
    of_text[duplicates.second[to_common]] = joined[duplicates.first[to_common]]
    of_text[common] = joined[common]
    _add_parts(of_text, duplicates.strings)
    of_sentence = of_text[duplicates.texts]
    found: list[tuple[int, int, Int64Array]] = []
    for name in np.unique(of_text[of_text >= 0]).tolist():
        places = np.flatnonzero(of_sentence == name)
        found.append((-len(np.unique(duplicates.documents[places])), int(places[0]), places))
    numbers = np.full(len(of_sentence), -1, np.int32)
    sentences: list[CommonSentence] = []
    for _documents, _first, places in sorted(found, key=lambda each: each[:2]):
        numbers[places] = len(sentences)
        sentences.append(_common_sentence(duplicates, places, documents, labels))
    starts = np.searchsorted(duplicates.documents, np.arange(1, len(documents)))
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
    duplicates: NearDuplicates,
    places: Int64Array,
    documents: Sequence[PreparedDocument],
    labels: Sequence[Int32Array],
) -> CommonSentence:
    text = Counter(duplicates.texts[places].tolist()).most_common(1)[0][0]
    usual = places[duplicates.texts[places] == text]
    wordings = Counter(
        left_out_sentence(documents[int(duplicates.documents[n])], int(duplicates.sentences[n])).text
        for n in usual
    )
    document, sentence = int(duplicates.documents[usual[0]]), int(duplicates.sentences[usual[0]])
    wording = wordings.most_common(1)[0][0]
    if labels[document][sentence] >= 0 and len(wordings) > 1:
        wording = wording[: _label_end(wording) + 1] + FILLED_IN
    units = compared_units(documents[document].prepared, sentence, int(labels[document][sentence]))
    holders = np.unique(duplicates.documents[places])
    return CommonSentence(digest_of_units(units), wording, tuple(holders.tolist()))
