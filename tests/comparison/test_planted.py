"""Sentences planted into another text are found with their kind, and unrelated texts share nothing."""

import csv
from itertools import combinations

import pytest

from simcompare.comparison.compare_documents import compare
from simcompare.comparison.comparison_result import MatchKind
from simcompare.comparison.passages.passage_columns import NO_PASSAGES
from simcompare.model.settings import ComparisonSettings
from simcompare.text.thesaurus import load_thesaurus
from tests.helpers.documents import DATA, own_texts, prepared_text_document

with (DATA / "planted.tsv").open(encoding="utf-8") as lines:
    PLANTED = list(csv.DictReader(lines, delimiter="\t"))
SETTINGS = ComparisonSettings(minimum_units=0)


def compared(left, right):
    prepared_documents = (prepared_text_document(*text.splitlines()) for text in (left, right))
    return compare(*prepared_documents, SETTINGS, load_thesaurus("starter"))


@pytest.mark.parametrize("row", PLANTED, ids=lambda row: row["version"])
def test_that_a_planted_sentence_is_found_with_its_kind(row):
    left, right, *_ = own_texts(row["language"])
    comparison = compared(f"{row['source']}\n{left}", f"{right}{row['version']}\n")
    matches = [comparison.matches[i] for i in range(len(comparison.matches))]
    planted = {
        right
        for right, span in enumerate(comparison.right.prepared.sentence_spans.tolist())
        if comparison.right.document.text[slice(*span)].strip() in row["version"]
    }
    assert {match.right for match in matches} <= planted
    assert MatchKind[row["kind"].upper()] in {match.kind for match in matches}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_that_unrelated_texts_have_no_match_and_no_passage(language):
    for left, right in combinations(own_texts(language), 2):
        comparison = compared(left, right)
        assert len(comparison.matches) == 0
        assert comparison.passages == NO_PASSAGES
