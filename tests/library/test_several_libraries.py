"""Several libraries used as one: what a list names, where entries go, and the same candidates and hits."""

import random
from collections import Counter
from contextlib import ExitStack
from functools import cache
from itertools import chain
from math import log1p

import pytest

from simcompare.library.changes import add_to_libraries, make_new_entry
from simcompare.library.entries import list_entries
from simcompare.library.index_terms import index_terms
from simcompare.library.library_errors import LibraryError
from simcompare.library.search.search import LibrarySearch, find_candidates, find_candidates_in
from simcompare.library.store.library_place import (
    LibraryListError,
    LibraryServer,
    library_places,
    single_place,
)
from simcompare.library.store.open_library import open_library
from tests.helpers.documents import unrelated_essays
from tests.library.essays import essay

LIBRARIES = 3


@cache
def corpus():
    """Essays of sentences of which some are in one and others in many, so that libraries differ in counts."""
    draw = random.Random(5)
    own, common = unrelated_essays(20, 6), unrelated_essays(21, 6)[20]
    texts = [[*sentences, *draw.sample(common, draw.randrange(len(common)))] for sentences in own]
    texts += [[*draw.choice(own)[:4], *draw.choice(own)[2:]] for _ in range(10)]
    return [essay(*text, name=f"essay-{number}.txt") for number, text in enumerate(texts)]


@cache
def terms_of_corpus():
    return {entry.columns["name"]: set(entry.terms.tolist()) for entry in map(make_new_entry, corpus())}


def scores(query):
    """Score of each text of the corpus, as `find_candidates` describes it."""
    terms = terms_of_corpus()
    counts = Counter(chain.from_iterable(terms.values()))
    wanted = set(index_terms(query.prepared).tolist())
    lengths = {name: max(len(own) / 300, 1) for name, own in terms.items()}
    return {
        name: sum(log1p(len(terms) / (counts[term] * lengths[name])) ** 3 for term in own & wanted)
        for name, own in terms.items()
    }


@pytest.fixture
def one_and_several(tmp_path, library):
    """A library with the corpus, and several that have it together, of which one may be on a server."""
    new = [make_new_entry(document) for document in corpus()]
    with ExitStack() as stack:
        files = [f"{number}.sqlite" for number in range(LIBRARIES)]
        one, *others = [stack.enter_context(open_library(tmp_path / name, create=True)) for name in files]
        several = [library, *others]
        assert None not in [*add_to_libraries([one], new), *add_to_libraries(several, new)]
        yield one, several


def test_that_several_libraries_have_the_candidates_of_one(one_and_several):
    one, several = one_and_several
    assert all(len(list_entries(library)) > 3 for library in several)
    with ExitStack() as stack:
        alone, *connections = [stack.enter_context(library.reading()) for library in (one, *several)]
        names = {entry.entry: entry.name for entry in list_entries(one)}
        found_names = [{entry.entry: entry.name for entry in list_entries(library)} for library in several]
        for query in corpus():
            expected = [names[entry] for entry in find_candidates(alone, query)]
            found = [found_names[library][entry] for entry, library in find_candidates_in(connections, query)]
            score = scores(query)
            # equal scores are in the order of adding, which several libraries do not have
            assert [score[name] for name in found] == pytest.approx([score[name] for name in expected])
            assert sorted(found) == sorted(expected)


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_several_libraries_have_the_hits_of_one(one_and_several):
    one, several = one_and_several

    def hits(*libraries):
        found = LibrarySearch(*libraries).search(corpus()[23], most=40)
        return {(hit.entry.name, hit.summary) for hit in found}

    assert hits(*several) == hits(one)
    assert len(hits(one)) > 2
    places = {hit.library for hit in LibrarySearch(*several).search(corpus()[23], most=40)}
    assert places <= {str(library.place) for library in several}


def test_that_a_term_of_too_many_entries_of_all_libraries_is_ignored(tmp_path, monkeypatch):
    monkeypatch.setattr("simcompare.library.search.search._MOST_ENTRIES", 4)
    shared, other = unrelated_essays(2, 6)
    same = [essay(*shared, name=f"{number}.txt") for number in range(6)]
    with ExitStack() as stack:
        places = [tmp_path / f"{number}.sqlite" for number in range(2)]
        libraries = [stack.enter_context(open_library(place, create=True)) for place in places]
        for library, documents in zip(libraries, (same[:3], same[3:]), strict=True):
            list(add_to_libraries([library], map(make_new_entry, documents)))
        connections = [stack.enter_context(library.reading()) for library in libraries]
        assert list(find_candidates_in(connections, essay(*shared[:3], *other))) == []
        assert len(list(find_candidates(connections[0], essay(*shared[:3], *other)))) == 3


@pytest.mark.parametrize("library", ["file"], indirect=True)
def test_that_adding_again_adds_nothing_to_any_library(one_and_several):
    _one, several = one_and_several
    new = [make_new_entry(document) for document in corpus()]
    assert set(add_to_libraries(several, new)) == {None}


def test_that_a_list_names_files_beside_it_and_servers(tmp_path):
    path = tmp_path / "all.libraries"
    lines = ["# of the university", "", "a.sqlite", "/srv/b.sqlite", "postgresql://li@school/essays"]
    path.write_text("\n".join(lines), encoding="utf-8")
    first, second, server = library_places(str(path))
    assert [str(first), str(second)] == [str(tmp_path / "a.sqlite"), "/srv/b.sqlite"]
    assert isinstance(server, LibraryServer)
    assert library_places("a.sqlite") == [single_place("a.sqlite")]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "it does not exist"),
        (b"# nothing\n", "it names no library"),
        (b"a.sqlite\na.sqlite\n", "it names a library twice"),
        (b"\xff\xfe\xfa", "it is not UTF-8 text"),
        (b"postgresql://li:secret@school/essays\n", "it has a password"),
    ],
)
def test_that_a_list_that_cannot_be_used_is_refused(tmp_path, content, words):
    path = tmp_path / "all.libraries"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(LibraryListError) as caught:
        library_places(str(path))
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)


def test_that_a_list_is_refused_where_one_library_is_needed():
    with pytest.raises(LibraryError, match=r"all\.libraries is a list of libraries"):
        single_place("all.libraries")
