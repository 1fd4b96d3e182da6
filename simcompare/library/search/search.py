"""Search a library for the entries that share passages with a text, or that have a sentence."""

from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import Connection, select

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.passages.numbered_passages import numbered_passages
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.fingerprint.fingerprint_value import Fingerprint
from simcompare.fingerprint.recipes import RECIPES
from simcompare.fingerprint.weights import BACKGROUND
from simcompare.library.entries import StoredEntry, chosen_entries, restored_document
from simcompare.library.new_entry import LIBRARY_RECIPE
from simcompare.library.search.candidates import find_candidates
from simcompare.library.search.fingerprint_column import FingerprintColumn
from simcompare.library.store.open_library import Library
from simcompare.library.store.schema import FINGERPRINTS
from simcompare.library.store.stored_numbers import unsigned_value
from simcompare.loading.extraction import PastedText
from simcompare.loading.load import load_pasted
from simcompare.model.document import Document
from simcompare.model.settings import ComparisonSettings
from simcompare.support.display_text import display_name
from simcompare.text.text_preparation import prepare
from simcompare.text.thesaurus import load_thesaurus

DEFAULT_MOST = 10
"""Candidates that are compared in full."""

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
    """

    entry: StoredEntry
    share: float | None
    entry_share: float | None
    longest_passage_units: int
    excerpt: str
    is_same_file: bool


class LibrarySearch:
    """Search of one library; keeps what several searches need."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._column = FingerprintColumn(RECIPES[LIBRARY_RECIPE].signature(BACKGROUND))
        self._thesaurus = load_thesaurus(_TEXT_SETTINGS.thesaurus)

    def search(self, text: PreparedDocument, most: int = DEFAULT_MOST) -> list[LibraryHit]:
        """Return the entries that share most of a text, largest share first.

        Of the candidates, the best `most` are compared in full; those with nothing in common are left out.
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
            candidates = find_candidates(connection, self._column, text, most)
            entries = chosen_entries(connection, [candidate.entry for candidate in candidates])
            found = [(entry, self._stored(connection, entry.entry)) for entry in entries]
        # after the transaction, as comparing takes longer than reading
        hits = [
            _hit(entry, compare(text, _prepared(stored), settings, self._thesaurus))
            for entry, stored in found
        ]
        sharing = [hit for hit in hits if hit.longest_passage_units]
        self._library.log_search(len(sharing))
        return sorted(sharing, key=lambda hit: (-(hit.share or 0.0), hit.entry.entry))

    def _stored(self, connection: Connection, entry: int) -> tuple[Document, Fingerprint]:
        columns = FINGERPRINTS.c.document, FINGERPRINTS.c.recipe
        value, recipe = connection.execute(select(*columns).where(FINGERPRINTS.c.entry == entry)).one()
        fingerprint = Fingerprint(unsigned_value(value), RECIPES[LIBRARY_RECIPE].size_bits, recipe)
        return restored_document(self._library, connection, entry), fingerprint


def _prepared(stored: tuple[Document, Fingerprint]) -> PreparedDocument:
    document, fingerprint = stored
    return PreparedDocument(document, prepare(document), fingerprint)


def _hit(entry: StoredEntry, comparison: Comparison) -> LibraryHit:
    passages, text = numbered_passages(comparison), comparison.right.document.text
    units, excerpt = 0, ""
    if len(passages):
        longest = passages[int(passages.left_units.argmax())]
        units, excerpt = longest.left_units, longest.right.of(text)
    return LibraryHit(
        entry,
        comparison.share.left_in_right.after_exclusions,
        comparison.share.right_in_left.after_exclusions,
        units,
        excerpt,
        comparison.left.document.sha256 == comparison.right.document.sha256,
    )
