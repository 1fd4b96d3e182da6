"""Search: which entries are found, in which order, and what is said of them."""

import math
import random
from collections import Counter
from itertools import islice

import numpy as np
import pytest

from simcompare.comparison.compare_documents import compare
from simcompare.fingerprint.simhash import Fingerprint
from simcompare.library.changes import merge_recent, remove_entries
from simcompare.library.index_terms import index_terms, winnowed_grams
from simcompare.library.search import search
from simcompare.library.search.search import LibrarySearch, TextComparer, entries_near, find_candidates
from simcompare.library.store.stored_postings import signed
from simcompare.model.errors import EmptyFileError, NoUnitsError
from simcompare.model.settings import ComparisonSettings
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import own_texts, prepared_text_document, unrelated_essays
from tests.library.essays import SENTENCES, add, essay, essays, stored_terms

GOLDEN_TERMS = [
    -8604932024855040598, -5274577570307420490, -4570157094212616238, -4396070594244214996,
    -1037127352377406955, -440973880555209525, 506657279990613843, 887498378504424723,
    3128796780410537796, 4862906020940217508, 7992194410326322008,
]  # fmt: skip


def found(library, query, most=10):
    with library.reading() as connection:
        return list(islice(find_candidates(connection, query), most))


@pytest.fixture
def filled(library):
    """A library with eight unrelated essays, half of them merged."""
    documents = essays(8)
    add(library, *documents[:4], tags="year=2024")
    merge_recent(library)
    add(library, *documents[4:], tags="year=2025")
    return library


def sentences_of(number):
    return unrelated_essays(8, SENTENCES)[number - 1]


def test_that_an_equal_title_alone_makes_no_hit(filled):
    title = "我对我们学校的校服有话要说"
    add(filled, essay(title, " ".join(sentences_of(3)), name="titled.txt"))
    own = own_texts("en")[0].replace("\n", " ")
    assert LibrarySearch(filled).search(essay(title, own, name="new.txt")) == []
    hits = LibrarySearch(filled).search(essay(title, own + sentences_of(3)[4], name="new.txt"))
    assert {hit.entry.entry for hit in hits} == {3, 9}


@pytest.mark.parametrize("number", [2, 7])
def test_that_the_source_of_a_copied_passage_is_the_best_candidate(filled, number):
    copied = sentences_of(number)[3:6]
    query = essay(*own_texts("en")[0].split("\n")[:6], *copied, name="new.txt")
    assert found(filled, query)[0] == number


def test_that_a_reworded_text_is_found_by_its_rare_words(filled):
    draw = random.Random(2)
    prepared = prepared_text_document(*sentences_of(7)).prepared
    words = [prepared.word_vocabulary[number] for number in prepared.word_ids]
    draw.shuffle(words)
    query = prepared_text_document("".join(words))
    assert not set(winnowed_grams(query.prepared)) & set(winnowed_grams(prepared))
    assert found(filled, query)[0] == 7


@pytest.mark.parametrize(("usual_terms", "lengths_at_once"), [(300, 16), (30, 16), (30, 1), (10, 3)])
def test_that_candidates_are_in_the_order_of_their_scores(filled, monkeypatch, usual_terms, lengths_at_once):
    monkeypatch.setattr(search, "_USUAL_TERMS", usual_terms)
    monkeypatch.setattr(search, "_LENGTHS_AT_ONCE", lengths_at_once)
    long = [sentence for number in range(1, 9) for sentence in sentences_of(number)[:number]]
    add(filled, essay(*long, name="long.txt"), essay(*sentences_of(5)[:2], name="short.txt"))
    query = essay(
        *own_texts(), *(sentence for number in (2, 5, 7, 8) for sentence in sentences_of(number)[1:])
    )
    terms = set(index_terms(query.prepared).tolist())
    pairs = set.union(*stored_terms(filled).values())
    counts, sizes = Counter(gram for gram, _ in pairs), Counter(entry for _, entry in pairs)
    scores = Counter()
    for gram, entry in pairs:
        if gram in terms:
            length = max(sizes[entry] / usual_terms, 1)
            scores[entry] += math.log1p(10 / (counts[gram] * length)) ** 3
    assert len(scores) > 5
    assert found(filled, query) == [entry for entry, _ in scores.most_common()]


def test_that_a_long_entry_is_not_before_the_source_as_it_has_more_terms(library):
    sentences = [sentence for (sentence,) in unrelated_essays(100, 1)]
    copied, others, long = sentences[:3], sentences[3:8], sentences[8:]
    add(
        library,
        *map(essay, others),
        essay(*copied, *others[:1], name="source.txt"),
        essay(*long, name="long.txt"),
    )
    assert found(library, essay(*copied, *long[10:15]))[0] == 6


def test_that_terms_of_many_entries_are_ignored(library, monkeypatch):
    monkeypatch.setattr(search, "_MOST_ENTRIES", 2)
    first, second, third, fourth = unrelated_essays(4, SENTENCES)
    add(library, *(essay(*first, *own) for own in (second, third, fourth)))
    assert found(library, essay(*first)) == []
    assert found(library, essay(*first, third[0]))[0] == 2


def test_that_rare_terms_weigh_more(library):
    common, own, rare = unrelated_essays(3, SENTENCES)
    add(library, *(essay(*common, *own[place : place + 2]) for place in range(0, 12, 2)), essay(*rare))
    query = essay(*common[:4], *rare[:4])
    assert found(library, query)[0] == 7


def test_that_an_equal_fingerprint_is_a_candidate_without_common_terms(filled):
    query = essay(*own_texts("en")[0].split("\n")[:6], name="new.txt")
    fingerprint = essays(8)[4].fingerprint
    within_3_bits = Fingerprint(fingerprint.value ^ 0b10101, 64, fingerprint.recipe)
    near = type(query)(query.document, query.prepared, within_3_bits)
    assert 5 in found(filled, near)


def with_other_bits(document, bits, recipe=None):
    """The fingerprint of a document with these bits changed."""
    fingerprint = document.fingerprint
    return Fingerprint(fingerprint.value ^ bits, 64, recipe or fingerprint.recipe)


def near(library, fingerprint):
    with library.reading() as connection:
        return entries_near(connection, fingerprint).tolist()


@pytest.mark.parametrize("bits", [0, 1, 1 << 63, 0b111, 1 << 63 | 1 << 40 | 1, 1 << 47 | 1 << 31 | 1 << 15])
def test_that_fingerprints_within_3_bits_are_found(filled, bits):
    documents = essays(8)
    assert {document.fingerprint.value >> 63 for document in documents} == {0, 1}
    for number, document in enumerate(documents, start=1):
        assert near(filled, with_other_bits(document, bits)) == [number]


@pytest.mark.parametrize("bits", [0b1111, 1 << 63 | 1 << 47 | 1 << 31 | 1 << 15])
def test_that_fingerprints_of_more_bits_or_another_recipe_are_not_found(filled, bits):
    document = essays(8)[4]
    assert near(filled, with_other_bits(document, bits)) == []
    assert near(filled, with_other_bits(document, 0, "levels/background-1")) == []


def test_that_fingerprints_of_removed_entries_are_not_found(filled):
    remove_entries(filled, [2, 7])
    documents = essays(8)
    assert [near(filled, documents[place].fingerprint) for place in (1, 2, 6)] == [[], [3], []]


def test_that_hits_have_shares_of_both_texts_and_the_longest_passage(filled):
    copied = sentences_of(7)[3:6]
    query = essay(*own_texts("en")[0].split("\n")[:6], *copied, name="new.txt")
    (hit,) = LibrarySearch(filled).search(query)
    assert (hit.entry.name, str(hit.entry.tags[0])) == ("essay-7.txt", "year=2025")
    assert hit.summary.longest_passage_units == prepared_text_document(*copied).prepared.unit_count
    assert hit.excerpt == "\n".join(copied)
    stored_units, units = hit.entry.unit_count, query.prepared.unit_count
    assert hit.share == pytest.approx(hit.summary.longest_passage_units / units, abs=0.02)
    assert hit.summary.after_exclusions_right_in_left == pytest.approx(
        hit.summary.longest_passage_units / stored_units, abs=0.02
    )
    assert not hit.is_same_file


def test_that_a_short_sentence_that_no_share_counts_makes_no_hit(library):
    stored, query = (
        essay(*own_texts("zh")[number].splitlines(), sentence, name=f"{number}.txt")
        for number, sentence in enumerate(
            ["因此我的答案是：练习，禁止。", "所以我的答案是：允许，但必须公开。"]
        )
    )
    add(library, stored)
    assert len(compare(query, stored, ComparisonSettings(), load_thesaurus("starter")).matches) == 1
    assert LibrarySearch(library).search(query) == []


def test_that_the_entry_with_the_largest_share_is_first(filled):
    query = essay(*sentences_of(3)[:2], *sentences_of(8)[:6], name="new.txt")
    assert [hit.entry.entry for hit in LibrarySearch(filled).search(query)] == [8, 3]


def test_that_a_text_of_the_library_finds_itself_as_the_same_file(filled):
    hit = LibrarySearch(filled).search(essays(8)[4])[0]
    assert (hit.entry.entry, hit.share, hit.is_same_file) == (5, 1.0, True)


def test_that_a_comparison_with_many_texts_is_that_of_each_pair(filled):
    query = essay(*sentences_of(3)[:4], f"“{sentences_of(5)[0]}”", *sentences_of(8)[2:6])
    settings, thesaurus = ComparisonSettings(), load_thesaurus("starter")
    comparer = TextComparer(query, settings, thesaurus)
    for other in essays(8):
        many, pair = comparer.compare(other), compare(query, other, settings, thesaurus)
        assert (many.share, many.sentence_share) == (pair.share, pair.sentence_share)
        assert many.passages == pair.passages
        assert np.array_equal(many.matrix.heat, pair.matrix.heat)
        assert many.exclusion_candidates[0].quoted_shares.tolist() == (
            pair.exclusion_candidates[0].quoted_shares.tolist()
        )


def test_that_only_the_best_candidates_are_compared(filled):
    query = essay(*(sentences_of(number)[0] for number in range(1, 9)), name="new.txt")
    assert len(LibrarySearch(filled).search(query, most=3)) <= 3
    assert LibrarySearch(filled).search(prepared_text_document("Nothing of this is known.")) == []


def test_that_a_sentence_is_found_in_the_first_entry_that_has_it(library):
    first, second, third = unrelated_essays(3, SENTENCES)
    add(library, essay(*first), essay(*second), essay(second[5], *third))
    search = LibrarySearch(library)
    hits = search.search_sentence(second[5])
    assert [hit.entry.entry for hit in hits] == [2, 3]
    assert [hit.share for hit in hits] == [1.0, 1.0]
    assert hits[0].excerpt == second[5]


def test_that_a_quoted_sentence_counts(library):
    first, second = unrelated_essays(2, SENTENCES)
    add(library, essay(*first, f"“{second[0]}”"))
    assert LibrarySearch(library).search_sentence(f"“{second[0]}”")[0].share == 1.0


def test_that_a_sentence_without_words_has_an_error(library):
    search = LibrarySearch(library)
    with pytest.raises(NoUnitsError, match="？！"):
        search.search_sentence("？！")
    with pytest.raises(EmptyFileError):
        search.search_sentence(" ")


def test_that_the_terms_are_those_that_libraries_store():
    prepared = prepared_text_document("雾锁石桥流水东去，the bridges are old.").prepared
    assert index_terms(prepared).tolist() == GOLDEN_TERMS


def test_that_each_passage_has_its_rarest_words():
    text = "\n".join(own_texts())
    prepared = prepared_text_document(text).prepared
    passages = -(-len(prepared.word_ids) // 60)
    words = np.setdiff1d(index_terms(prepared), signed(winnowed_grams(prepared)))
    assert 6 * passages < len(words) <= 12 * passages
