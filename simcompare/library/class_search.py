"""Search a library for the essays of a class, which are compared in processes like the pairs of the class."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from threading import Event

from sqlalchemy import Connection

from simcompare.cohort.class_check import ClassCheck, ClassHit, ClassHits, NamedEntry
from simcompare.cohort.cohort_scoring import score_pairs
from simcompare.cohort.pair_facts import NO_FACTS, PairFacts
from simcompare.cohort.pair_scores import ExclusionCandidateCache, PairClassifier
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document, with_recipe
from simcompare.library.changes import LIBRARY_RECIPE
from simcompare.library.entries import StoredEntry, chosen_entries, entries_by_file, restored_document
from simcompare.library.search.meaning_search import find_by_meaning, is_searched_by_meaning, stored_meanings
from simcompare.library.search.search import DEFAULT_MOST, find_candidates
from simcompare.library.search.shared_facts import find_shared_facts
from simcompare.library.store.open_library import Library
from simcompare.library.store.stored_documents import stored_name
from simcompare.library.students import tag_values
from simcompare.library.tags import STUDENT, Tag
from simcompare.model.progress import Tick
from simcompare.session.school_class import DocumentRole

_ESSAYS_AT_ONCE = 100
"""Essays whose candidates are in memory at the same time: up to 1,000 texts of 0.1 MB. Processes are started
for each part, so that small parts take longer."""

_OwnEntries = Mapping[int, StoredEntry]
"""Entry of each document that is in the library itself, by its index in the class."""


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Some essays and their candidates: documents to compare, the pairs of them, and what they are.

    places: in the class, of the first documents; entries: of the others; facts: by place and number of the
    entry.
    """

    documents: Sequence[PreparedDocument]
    pairs: Sequence[tuple[int, int]]
    places: Sequence[int]
    entries: Sequence[StoredEntry]
    facts: Mapping[tuple[int, int], PairFacts]


def search_class(
    library: Library,
    check: ClassCheck,
    tick: Tick,
    stop: Event,
    tags: Sequence[Tag] = (),
    most: int = DEFAULT_MOST,
) -> ClassHits:
    """Search a library for the current documents of a class, with the settings and exclusions of its check.

    Of the candidates of each, the best `most` are compared, and as many that are found by meaning if they are
    searched so (`is_searched_by_meaning`; `encode_entries` comes before) and the documents were encoded.
    Documents that are entries themselves are recognised, only among the entries that have all of `tags`; such
    entries are no hits of any document, as the class is compared with itself anyway. `tick` counts documents.
    Processes are spawned, so call it under `if __name__ == "__main__"`. Raises Cancelled soon after `stop` is
    set, LibraryError, and what `tick` raises.
    """
    places = [place for place, role in enumerate(check.roles) if role is DocumentRole.CURRENT]
    classifier = PairClassifier(check.cohort.settings, _exclusions(check))
    are_encoded = all(check.cohort.documents[place].prepared.meanings is not None for place in places)
    by_meaning = are_encoded and is_searched_by_meaning(check.cohort.settings.meaning, [library])
    with library.reading() as connection:
        own = _own_entries(connection, check, places, tags)
    hits: list[ClassHit] = []
    failed: list[tuple[int, NamedEntry, str]] = []
    for first in range(0, len(places), _ESSAYS_AT_ONCE):
        some = places[first : first + _ESSAYS_AT_ONCE]
        with library.reading() as connection:
            part = _part(library, connection, check, some, own, most, by_meaning)

        def part_tick(done: int, total: int, first: int = first, count: int = len(some)) -> None:
            tick(first + count * done // total, len(places))

        outcomes = score_pairs(part.documents, classifier, part_tick, stop, part.pairs)
        for (left, right), outcome in outcomes.items():
            place, entry = part.places[left], part.entries[right - len(part.places)].named
            facts = part.facts.get((place, entry.number), NO_FACTS)
            if isinstance(outcome, str):
                failed.append((place, entry, outcome))
            elif outcome.makes_hit or facts != NO_FACTS:
                hits.append(ClassHit(place, entry, outcome, facts))
        tick(first + len(some), len(places))
    library.log_search(len(hits))
    return ClassHits(
        tuple(sorted(hits, key=_rank)),
        tuple((place, entry.named) for place, entry in sorted(own.items())),
        tuple(failed),
        most,
        by_meaning,
    )


def _rank(hit: ClassHit) -> tuple[float, ...]:
    return hit.place, -hit.larger_share, -hit.summary.rewritten_units, hit.entry.number


def _exclusions(check: ClassCheck) -> ExclusionCandidateCache:
    """Return the cache of what does not count: also text that is common to the class, and its templates."""
    cohort = check.cohort
    common = {
        document.prepared: candidates.common
        for document, candidates in zip(cohort.documents, cohort.exclusion_candidates, strict=False)
        if candidates.common is not None
    }
    return ExclusionCandidateCache(cohort.prompt, cohort.settings.thesaurus, common)


def _own_entries(
    connection: Connection, check: ClassCheck, places: Sequence[int], tags: Sequence[Tag]
) -> _OwnEntries:
    """Return the entry of each document: of the same file and student, of several the last one added."""
    documents = {place: check.cohort.documents[place].document for place in places}
    by_file = entries_by_file(connection, {document.sha256 for document in documents.values()}, tags)
    own: dict[int, StoredEntry] = {}
    taken: set[int] = set()
    for place, document in documents.items():
        name = check.school.owners[place].name
        for entry in reversed(by_file[document.sha256]):
            if entry.entry not in taken and _is_of_student(entry, name, stored_name(document.path)):
                own[place] = entry
                taken.add(entry.entry)
                break
    return own


def _is_of_student(entry: StoredEntry, name: str, file_name: str) -> bool:
    """Return whether an entry is of a student; by the name of the file if a student is not known."""
    stored = {tag.value for tag in entry.tags if tag.name == STUDENT}
    return not stored.isdisjoint(tag_values(name)) if stored and name else entry.name == file_name


def _part(
    library: Library,
    connection: Connection,
    check: ClassCheck,
    places: Sequence[int],
    own: _OwnEntries,
    most: int,
    by_meaning: bool,
) -> _Part:
    """Find the candidates of some documents, and restore their texts."""
    own_entries = {entry.entry for entry in own.values()}
    essays = [check.cohort.documents[place] for place in places]
    found = [_candidates(connection, essay, own_entries, most, by_meaning) for essay in essays]
    shared = find_shared_facts(
        [connection],
        {place: check.cohort.documents[place].document for place in places},
        lambda owner: restored_document(library, connection, owner[0]),
        [check.cohort.documents[place].document for place in check.school.with_role(DocumentRole.TEMPLATE)],
        own_entries,
    )
    facts = {(place, entry): each for place in shared for (entry, _library), each in shared[place].items()}
    for place, candidates in zip(places, found, strict=True):
        candidates += [entry for own, entry in facts if own == place and entry not in candidates]
    entries = chosen_entries(connection, {entry for candidates in found for entry in candidates})
    index = {entry.entry: number for number, entry in enumerate(entries, start=len(essays))}
    settings = check.cohort.settings
    prepared = (
        prepare_document(
            restored_document(library, connection, entry.entry),
            settings.recipe,
            settings.user_words,
            meaning=by_meaning,
            kept=stored_meanings(connection, entry.entry) if by_meaning else b"",
        ).as_source()
        for entry in entries
    )
    documents = [*essays, *prepared]
    pairs = [(left, index[entry]) for left, candidates in enumerate(found) for entry in candidates]
    return _Part(documents, pairs, places, entries, facts)


def _candidates(
    connection: Connection,
    essay: PreparedDocument,
    left_out: Collection[int],
    most: int,
    by_meaning: bool,
) -> list[int]:
    text = with_recipe(essay, LIBRARY_RECIPE)  # stored without the words of the user
    searches = [find_candidates(connection, text)]
    if by_meaning:
        searches.append(entry for entry, _library in find_by_meaning([connection], text.prepared))
    found: dict[int, None] = {}
    for candidates in searches:
        new = (entry for entry in candidates if entry not in left_out and entry not in found)
        found |= dict.fromkeys(islice(new, most))
    return list(found)
