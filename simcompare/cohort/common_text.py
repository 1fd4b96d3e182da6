"""Sentences common to a class: found in the essays of many students, such as the question or a form."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cpdist

from simcompare.cohort.cohort_scoring import connected
from simcompare.comparison.comparison_matrix import as_strings
from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from simcompare.comparison.exclusions.name_lines import equal_form_lines, name_line_sentences
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.settings import DEFAULT_COMMON_SHARE
from simcompare.session.school_class import CommonSentence
from simcompare.support.arrays import BoolArray, Int32Array, Int64Array
from simcompare.text.prepared_text import PreparedText, digest_of_units

_LEAST_FIFTHS = 4
"""Least P of near duplicates, 4/5, in fifths so that no figure is rounded. Given by the method."""
_MOST_PAIRS_PER_BLOCK = 500_000
_MOST_HUBS = 30
"""Number of the texts with a common pair of neighbours that are compared with all others that have it, as
hubs of variants: a line that each of 400 students fills in differently would give 80,000 pairs otherwise.
"""
_NUMBER = "#"
"""Replaces every run of digits: sentences that differ in their numbers alone are equal."""
FILLED_IN = "…"
"""Replaces the text that is filled in after the label of a name line."""


@dataclass(frozen=True, slots=True, eq=False)
class NearDuplicates:
    """The distinct texts of the sentences of a class, and the pairs of near duplicates among them.

    With n sentences in all documents, d distinct texts and e pairs of near duplicates:

    documents (n,)  document of each sentence, ascending; sentences (n,): its number in the document
    texts     (n,)  distinct text of each sentence
    strings   (d,)  each text, with a character for each unit; lengths (d,): its units
    first, second (e,)  pairs of near duplicates, in both orders and each with itself; sorted
    """

    documents: Int64Array
    sentences: Int64Array
    texts: Int64Array
    strings: Sequence[str]
    lengths: Int64Array
    first: Int64Array
    second: Int64Array

    @property
    def text_count(self) -> int:
        return len(self.lengths)

    def with_near_duplicates(self, chosen: BoolArray) -> BoolArray:
        """Mark the chosen texts and their near duplicates, shape (d,)."""
        marked = np.zeros(self.text_count, np.bool_)
        marked[self.second[chosen[self.first]]] = True
        return marked


def compared_units(text: PreparedText, sentence: int, label_units: int) -> list[str]:
    """Return the units of a sentence as they are compared; label_units as in `find_near_duplicates`."""
    units = [_masked(unit) for unit in text.units_of(sentence)]
    return units if label_units < 0 else [*units[:label_units], FILLED_IN]


def _masked(unit: str) -> str:
    return _NUMBER if unit.isdecimal() else unit


def find_near_duplicates(texts: Sequence[PreparedText], label_units: Sequence[Int32Array]) -> NearDuplicates:
    """Find the pairs of sentences with P >= 0.8, numbers aside.

    label_units: of each document (s,) the units of each sentence that are compared, from its first; the rest
    is a value filled in. -1 for a whole sentence.
    """
    ids, bounds, documents, sentences = _joined(texts, label_units)
    strings = as_strings(ids, bounds)
    distinct: dict[str, int] = {}
    numbers = np.array([distinct.setdefault(string, len(distinct)) for string in strings], np.int64)
    kinds = list(distinct)
    first, second = _near(kinds)
    every = np.arange(len(kinds))
    first, second = np.concatenate([every, first, second]), np.concatenate([every, second, first])
    order = np.lexsort((second, first))
    lengths = np.array([len(kind) for kind in kinds], np.int64)
    return NearDuplicates(documents, sentences, numbers, kinds, lengths, first[order], second[order])


def _joined(
    texts: Sequence[PreparedText], label_units: Sequence[Int32Array]
) -> tuple[Int32Array, Int32Array, Int64Array, Int64Array]:
    """Return the units of all sentences under common numbers and their bounds, documents and sentences."""
    joint = {FILLED_IN: 0}
    parts: list[Int32Array] = []
    lengths: list[Int32Array] = []
    for text, kept in zip(texts, label_units, strict=True):
        masked = map(_masked, text.unit_vocabulary)
        known = np.array([joint.setdefault(unit, len(joint)) for unit in masked], np.int32)
        is_label = kept >= 0
        own = text.sentence_lengths
        ends = np.where(is_label, kept, own)
        place = np.arange(text.unit_count) - np.repeat(text.sentence_units[:-1], own)
        chosen = known[text.unit_ids][place < np.repeat(ends, own)]
        parts.append(np.insert(chosen, np.cumsum(ends)[is_label], 0))
        lengths.append((ends + is_label).astype(np.int32))
    counts = [len(length) for length in lengths]
    return (
        np.concatenate(parts),
        np.append(0, np.cumsum(np.concatenate(lengths))).astype(np.int32),
        np.repeat(np.arange(len(texts)), counts),
        np.concatenate([np.arange(count) for count in counts]),
    )


def _near(kinds: Sequence[str]) -> tuple[Int64Array, Int64Array]:
    """Find the pairs of different texts with P >= 0.8, lower number first."""
    lengths = np.array([len(kind) for kind in kinds], np.int64)
    pairs = _candidates(kinds, lengths)
    is_near = np.zeros(pairs.shape[1], np.bool_)
    for start in range(0, len(is_near), _MOST_PAIRS_PER_BLOCK):
        first, second = pairs[:, start : start + _MOST_PAIRS_PER_BLOCK]
        common = cpdist(
            [kinds[i] for i in first.tolist()],
            [kinds[i] for i in second.tolist()],
            scorer=LCSseq.similarity,
            dtype=np.int64,
        )
        longer = np.maximum(lengths[first], lengths[second])
        is_near[start : start + len(first)] = 5 * common >= _LEAST_FIFTHS * longer
    near = pairs[:, is_near]
    return near[0], near[1]


def _candidates(kinds: Sequence[str], lengths: Int64Array) -> Int64Array:
    """Return the pairs of texts that can be near duplicates, shape (2, pairs).

    In near duplicates with n and m units, each unit outside the common subsequence separates at most one of
    the pairs of neighbours in it, so they share at least 0.4 max(n, m) - 1 pairs of neighbours. Therefore the
    rarest of each, all but that many less one, have one in common (prefix filter of similarity joins). They
    are only missed if all their common pairs of neighbours are in more than _MOST_HUBS other texts.
    """
    owners, tokens = _neighbour_pairs(kinds, lengths)
    shared = np.maximum(-(-2 * lengths // 5) - 1, 1)
    order = np.lexsort((tokens, np.bincount(tokens)[tokens], owners))
    owners, tokens = owners[order], tokens[order]
    in_prefix = np.arange(len(owners)) - np.searchsorted(owners, owners) < (lengths - shared)[owners]
    owners, tokens = owners[in_prefix], tokens[in_prefix]
    order = np.lexsort((owners, tokens))
    owners, tokens = owners[order], tokens[order]
    places = np.arange(len(tokens))
    later = np.searchsorted(tokens, tokens, side="right") - places - 1
    later[places - np.searchsorted(tokens, tokens) >= _MOST_HUBS] = 0
    done = np.cumsum(later)
    found = [np.zeros(0, np.int64)]
    start = 0
    while start < len(later):
        before = done[start - 1] if start else 0
        stop = max(int(np.searchsorted(done, before + _MOST_PAIRS_PER_BLOCK, side="right")), start + 1)
        counts = later[start:stop]
        entry = np.repeat(np.arange(start, stop), counts)
        offset = np.arange(len(entry)) - np.repeat(np.cumsum(counts) - counts, counts)
        first, second = owners[entry], owners[entry + offset + 1]
        shorter, longer = np.sort(np.stack([lengths[first], lengths[second]]), axis=0)
        possible = 5 * shorter >= _LEAST_FIFTHS * longer
        found.append(np.unique(first[possible] * len(kinds) + second[possible]))
        start = stop
    return np.stack(np.divmod(np.unique(np.concatenate(found)), len(kinds)))


def _neighbour_pairs(kinds: Sequence[str], lengths: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return text and number of each pair of neighbouring units; repeated ones in a text differ."""
    codes = np.frombuffer("".join(kinds).encode("utf-32-le"), "<u4").astype(np.int64)
    owners = np.repeat(np.arange(len(kinds)), lengths)
    inside = owners[:-1] == owners[1:]
    owners = owners[:-1][inside]
    pairs = (codes[:-1] << 32 | codes[1:])[inside]
    order = np.lexsort((pairs, owners))
    owners, pairs = owners[order], pairs[order]
    new = np.append(True, (owners[1:] != owners[:-1]) | (pairs[1:] != pairs[:-1]))[: len(pairs)]
    places = np.arange(len(pairs))
    repeats = places - np.maximum.accumulate(np.where(new, places, 0))
    distinct = np.unique(pairs, return_inverse=True)[1]
    return owners, distinct * (int(repeats.max(initial=0)) + 1) + repeats


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
    uncompared: Collection[int] = (),
) -> CommonText:
    """Find the sentences with a near duplicate (P >= 0.8, numbers aside) in `least_share` of the essays.

    essays: indices of the documents that count, one of each student; what is common to them is found in all
    documents. Essays that share 30% of their own text count as one: what only a group of similar essays
    shares is evidence. The lines of name, class and number are equal if their labels are.
    With fewer than FEWEST_ESSAYS so counted, no sentence is common. But equal lines of a form always are, as
    in a single pair, unless all but one of the documents that have them are `uncompared`, such as drafts.
    """
    found = CommonText((), tuple(np.full(each.prepared.sentence_count, -1, np.int32) for each in documents))
    if len(essays) >= FEWEST_ESSAYS:
        labels = [_label_units(document) for document in documents]
        duplicates = find_near_duplicates([document.prepared for document in documents], labels)
        common = _common_texts(duplicates, np.array(essays), least_share)
        if common is not None:
            found = _named(duplicates, common, documents, labels)
    return _with_equal_forms(found, documents, frozenset(uncompared))


def _with_equal_forms(
    found: CommonText, documents: Sequence[PreparedDocument], uncompared: frozenset[int]
) -> CommonText:
    """Add the lines of forms that are equal in at least two documents that are compared."""
    places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for document, digests in enumerate(equal_form_lines(documents)):
        for sentence, digest in enumerate(() if digests is None else digests.tolist()):
            if digest and found.numbers[document][sentence] < 0:
                places[digest].append((document, sentence))
    added: list[CommonSentence] = []
    for digest, equal in places.items():
        holders = tuple(dict.fromkeys(document for document, _ in equal))
        if len(set(holders) - uncompared) < 2:
            continue
        for document, sentence in equal:
            found.numbers[document][sentence] = len(found.sentences) + len(added)
        text = left_out_sentence(documents[equal[0][0]], equal[0][1]).text
        added.append(CommonSentence(digest, text, holders))
    return CommonText((*found.sentences, *added), found.numbers)


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
        own = _runs(strings[text])
        if runs.keys().isdisjoint(own):
            continue
        found = list(map(runs.get, own))
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
