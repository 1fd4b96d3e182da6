"""Search a library for the entries that share passages with a text, or that have a sentence."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection

from simcompare.cohort.pair_scores import PairText
from simcompare.comparison.compare_documents import build_comparison
from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.exclusions.excluded_sentences import find_exclusion_candidates
from simcompare.comparison.matrix.comparison_matrix import (
    assemble,
    numbered_matrix_input,
    row_blocks,
    score_rows,
)
from simcompare.comparison.matrix.text_numbering import TextNumbering
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.comparison.passages.passage_detection import find_passages
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.fingerprint.fingerprint_value import Fingerprint
from simcompare.library.entries import StoredEntry, chosen_entries, restored_document, stored_fingerprint
from simcompare.library.new_entry import LIBRARY_RECIPE
from simcompare.library.search.candidates import find_candidates_in
from simcompare.library.search.level_search import find_by_fingerprints, fingerprint_entries
from simcompare.library.store.open_library import Library
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted
from simcompare.model.document import BlockKind, Document
from simcompare.model.settings import ComparisonSettings
from simcompare.support.display_text import display_name
from simcompare.text.text_preparation import prepare
from simcompare.text.thesaurus import Thesaurus, load_thesaurus


class TextComparer:
    """Compares a text with others, with the results of `compare`.

    What the comparisons need of the text alone is computed once, which is half of their time.
    """

    def __init__(
        self, text: PreparedDocument, settings: ComparisonSettings, thesaurus: Thesaurus | None
    ) -> None:
        self._text = text
        self._settings = settings
        self._numbering = TextNumbering(thesaurus)
        self._side = PairText(text.prepared, self._numbering)
        self._exclusion_candidates = find_exclusion_candidates(text)

    def compare(self, other: PreparedDocument) -> Comparison:
        """Compare the text, on the left, with another one."""
        side = PairText(other.prepared, self._numbering)
        matrix_input = numbered_matrix_input(self._side.numbered, side.numbered)
        blocks = map(partial(score_rows, matrix_input), row_blocks(matrix_input))
        passages = self._settings.passages
        return build_comparison(
            self._text,
            other,
            self._settings,
            assemble(matrix_input.shape, blocks),
            (self._exclusion_candidates, find_exclusion_candidates(other)),
            None if passages is None else find_passages(self._side.terms, side.terms, passages),
        )


DEFAULT_MOST = 10
"""Texts that are compared in full."""
_CANDIDATES_PER_TEXT = 20
"""Candidates read for each text to compare, as several entries may have the same one."""

TEXT_SETTINGS = ComparisonSettings()
_SENTENCE_SETTINGS = replace(
    TEXT_SETTINGS,
    exclude_quotations=False,
    exclude_references=False,
    exclude_name_lines=False,
    minimum_units=0,
)

_TextKey = tuple[str, tuple[BlockKind, ...]]
"""What makes two stored texts the same one."""


@dataclass(frozen=True, slots=True)
class LibraryHit:
    """An entry that shares text with what was searched.

    share, entry_share: share of the searched text that is in the entry, and the reverse, after exclusions;
    None if no unit of the text counts. longest_passage_units: as in `PairSummary`. excerpt: the longest
    passage in the entry. is_same_file: the entry is the searched file.
    same_text: a number that all hits with the same text have; in one library the first of their entries.
    library: the place of its library if several were searched, else "".
    """

    entry: StoredEntry
    share: float | None
    entry_share: float | None
    longest_passage_units: int
    excerpt: str
    is_same_file: bool
    same_text: int
    library: str = ""


class StoredText(NamedTuple):
    """A stored document with its fingerprint."""

    document: Document
    fingerprint: Fingerprint


@dataclass(frozen=True, slots=True)
class ComparedText:
    """What a stored text has of the searched one; figures as of `LibraryHit`."""

    share: float | None
    entry_share: float | None
    longest_passage_units: int
    excerpt: str


class FoundEntry(NamedTuple):
    """An entry that has a text, the number of its library among those searched, and its file."""

    library: int
    entry: StoredEntry
    file_sha256: str


@dataclass(frozen=True, slots=True, eq=False)
class FoundText:
    """A stored text, and the entries that have it, the first one first."""

    stored: StoredText
    entries: tuple[FoundEntry, ...]


def compare_texts(
    text: PreparedDocument, stored: Sequence[StoredText], settings: ComparisonSettings
) -> list[ComparedText]:
    """Compare a text with stored ones, in any process."""
    comparer = TextComparer(text, settings, load_thesaurus(settings.thesaurus))
    prepared = (
        PreparedDocument(document, prepare(document), fingerprint) for document, fingerprint in stored
    )
    return [_compared(comparer.compare(each)) for each in prepared]


class LibrarySearch:
    """Search of a library, or of several as if they were one."""

    def __init__(self, *libraries: Library, by_fingerprints: bool = False) -> None:
        """by_fingerprints: find candidates as in `level_search.py`, not by grams and rare words."""
        self._libraries = libraries
        self._by_fingerprints = by_fingerprints

    def search(self, text: PreparedDocument, most: int = DEFAULT_MOST) -> list[LibraryHit]:
        """Return the entries that share most of a text, largest share first.

        The best `most` different texts of the candidates are compared in full; those with nothing in common
        are left out.
        Raises LibraryError.
        """
        return self._search(text, most, TEXT_SETTINGS)

    def search_sentence(self, sentence: str, most: int = DEFAULT_MOST) -> list[LibraryHit]:
        """Return the entries with a sentence, or one like it; of equal shares the entry added first.

        Quotations and short sentences count, unlike in a text. Raises NoUnitsError, LibraryError, and the
        errors of reading a text that was pasted.
        """
        path = Path(display_name(sentence).replace("/", " "))
        text = prepare_document(load_pasted(path, PastedText(sentence)), LIBRARY_RECIPE)
        return self._search(text, most, _SENTENCE_SETTINGS)

    def _search(self, text: PreparedDocument, most: int, settings: ComparisonSettings) -> list[LibraryHit]:
        found = self.find(text, most)
        # after the transaction, as comparing takes longer than reading
        return self.hits(text, found, compare_texts(text, [each.stored for each in found], settings))

    def find(self, text: PreparedDocument, most: int) -> list[FoundText]:
        """Return the best texts to compare, at most `most`, each with all its entries among the candidates.

        Raises LibraryError.
        """
        if self._by_fingerprints:
            fingerprint_entries(self._libraries)
        texts: dict[_TextKey, StoredText] = {}
        files: defaultdict[_TextKey, dict[tuple[int, int], str]] = defaultdict(dict)
        with ExitStack() as stack:
            connections = [stack.enter_context(library.reading()) for library in self._libraries]
            find = find_by_fingerprints if self._by_fingerprints else find_candidates_in
            candidates = find(connections, text)
            for entry, library in islice(candidates, _CANDIDATES_PER_TEXT * most):
                document = restored_document(self._libraries[library], connections[library], entry)
                key = document.text, tuple(block.kind for block in document.blocks)
                if key not in texts:
                    if len(texts) == most:
                        break
                    texts[key] = StoredText(document, stored_fingerprint(connections[library], entry))
                files[key][entry, library] = document.sha256
            entries = _stored_entries(connections, chain.from_iterable(files.values()))
        return [
            FoundText(
                stored,
                tuple(
                    FoundEntry(library, entries[entry, library], file_sha256)
                    for (entry, library), file_sha256 in sorted(files[key].items())
                ),
            )
            for key, stored in texts.items()
        ]

    def hits(
        self, text: PreparedDocument, found: Sequence[FoundText], compared: Sequence[ComparedText]
    ) -> list[LibraryHit]:
        """Return the entries of the texts that share something, largest share first, and log the search.

        Raises LibraryError.
        """
        hits: list[LibraryHit] = []
        counts = [0] * len(self._libraries)
        for stored, figures in zip(found, compared, strict=True):
            if figures.longest_passage_units:
                for each in stored.entries:
                    counts[each.library] += 1
                    hits.append(self._hit(text, stored, each, figures))
        for library, count in zip(self._libraries, counts, strict=True):
            library.log_search(count)
        return sorted(hits, key=lambda hit: (-(hit.share or 0.0), hit.entry.entry, hit.library))

    def _hit(
        self, text: PreparedDocument, stored: FoundText, own: FoundEntry, figures: ComparedText
    ) -> LibraryHit:
        count, first = len(self._libraries), stored.entries[0]
        return LibraryHit(
            own.entry,
            figures.share,
            figures.entry_share,
            figures.longest_passage_units,
            figures.excerpt,
            text.document.sha256 == own.file_sha256,
            first.entry.entry * count + first.library,
            str(self._libraries[own.library].place) if count > 1 else "",
        )


def _stored_entries(
    connections: Sequence[Connection], wanted: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], StoredEntry]:
    """Return entries by their number and that of their library."""
    by_library: defaultdict[int, list[int]] = defaultdict(list)
    for entry, library in wanted:
        by_library[library].append(entry)
    return {
        (entry.entry, library): entry
        for library, numbers in by_library.items()
        for entry in chosen_entries(connections[library], numbers)
    }


def _compared(comparison: Comparison) -> ComparedText:
    passages, text = numbered_passages(comparison), comparison.right.document.text
    units, excerpt = 0, ""
    if len(passages):
        longest = max(passages, key=lambda passage: passage.units)
        units, excerpt = longest.units, longest.right.of(text)
    share = comparison.share
    return ComparedText(
        share.left_in_right.after_exclusions, share.right_in_left.after_exclusions, units, excerpt
    )
