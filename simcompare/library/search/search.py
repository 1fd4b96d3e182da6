"""Search a library for the entries that share passages with a text, or that have a sentence."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.fingerprint.fingerprint_value import Fingerprint
from simcompare.library.entries import StoredEntry, chosen_entries, restored_document, stored_fingerprint
from simcompare.library.new_entry import LIBRARY_RECIPE
from simcompare.library.search.candidates import find_candidates
from simcompare.library.search.comparing import TextComparer
from simcompare.library.store.open_library import Library
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted
from simcompare.model.document import BlockKind, Document
from simcompare.model.settings import ComparisonSettings
from simcompare.support.display_text import display_name
from simcompare.text.text_preparation import prepare
from simcompare.text.thesaurus import load_thesaurus

DEFAULT_MOST = 10
"""Texts that are compared in full."""
_CANDIDATES_PER_TEXT = 20
"""Candidates read for each text to compare, as several entries may have the same one."""

_TEXT_SETTINGS = ComparisonSettings()
_SENTENCE_SETTINGS = replace(
    _TEXT_SETTINGS,
    exclude_quotations=False,
    exclude_references=False,
    exclude_name_lines=False,
    minimum_units=0,
)


@dataclass(frozen=True, slots=True)
class LibraryHit:
    """An entry that shares text with what was searched.

    share, entry_share: share of the searched text that is in the entry, and the reverse, after exclusions;
    None if no unit of the text counts. longest_passage_units: units of the searched text that count in the
    longest passage. excerpt: that passage in the entry. is_same_file: the entry is the searched file.
    same_text: the first entry that has the same text, this one if no other has it.
    """

    entry: StoredEntry
    share: float | None
    entry_share: float | None
    longest_passage_units: int
    excerpt: str
    is_same_file: bool
    same_text: int


@dataclass(frozen=True, slots=True, eq=False)
class _FoundText:
    """A stored text. files: the SHA-256 of the file of each entry that has it."""

    document: Document
    fingerprint: Fingerprint
    files: dict[int, str]

    def prepared(self) -> PreparedDocument:
        return PreparedDocument(self.document, prepare(self.document), self.fingerprint)


class LibrarySearch:
    """Search of one library; keeps what several searches need."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._thesaurus = load_thesaurus(_TEXT_SETTINGS.thesaurus)

    def search(self, text: PreparedDocument, most: int = DEFAULT_MOST) -> list[LibraryHit]:
        """Return the entries that share most of a text, largest share first.

        The best `most` different texts of the candidates are compared in full; those with nothing in common
        are left out.
        Raises LibraryError.
        """
        return self._search(text, most, _TEXT_SETTINGS)

    def search_sentence(self, sentence: str, most: int = DEFAULT_MOST) -> list[LibraryHit]:
        """Return the entries with a sentence, or one like it; of equal shares the entry added first.

        Quotations and short sentences count, unlike in a text. Raises NoUnitsError, LibraryError, and the
        errors of reading a text that was pasted.
        """
        path = Path(display_name(sentence).replace("/", " "))
        text = prepare_document(load_pasted(path, PastedText(sentence)), LIBRARY_RECIPE)
        return self._search(text, most, _SENTENCE_SETTINGS)

    def _search(self, text: PreparedDocument, most: int, settings: ComparisonSettings) -> list[LibraryHit]:
        with self._library.reading() as connection:
            found = self._distinct_texts(connection, text, most)
            entries = chosen_entries(connection, [entry for each in found for entry in each.files])
        by_number = {entry.entry: entry for entry in entries}
        # after the transaction, as comparing takes longer than reading
        comparer = TextComparer(text, settings, self._thesaurus)
        hits = [hit for each in found for hit in _hits(each, by_number, comparer.compare(each.prepared()))]
        sharing = [hit for hit in hits if hit.longest_passage_units]
        self._library.log_search(len(sharing))
        return sorted(sharing, key=lambda hit: (-(hit.share or 0.0), hit.entry.entry))

    def _distinct_texts(self, connection: Connection, text: PreparedDocument, most: int) -> list[_FoundText]:
        """Return the best texts, at most `most`, each with all its entries among the candidates."""
        found: dict[tuple[str, tuple[BlockKind, ...]], _FoundText] = {}
        for entry in islice(find_candidates(connection, text), _CANDIDATES_PER_TEXT * most):
            document = restored_document(self._library, connection, entry)
            key = document.text, tuple(block.kind for block in document.blocks)
            if key not in found:
                if len(found) == most:
                    break
                found[key] = _FoundText(document, stored_fingerprint(connection, entry), {})
            found[key].files[entry] = document.sha256
        return list(found.values())


def _hits(
    found: _FoundText, entries: Mapping[int, StoredEntry], comparison: Comparison
) -> Iterator[LibraryHit]:
    """Yield the hits of all entries that have a text."""
    passages, text = numbered_passages(comparison), comparison.right.document.text
    units, excerpt = 0, ""
    if len(passages):
        longest = passages[int(passages.left_units.argmax())]
        units, excerpt = longest.left_units, longest.right.of(text)
    for entry, file_sha256 in found.files.items():
        yield LibraryHit(
            entries[entry],
            comparison.share.left_in_right.after_exclusions,
            comparison.share.right_in_left.after_exclusions,
            units,
            excerpt,
            comparison.left.document.sha256 == file_sha256,
            min(found.files),
        )
