"""Lists of matches of repetitive texts, and the picture of a large matrix."""

import struct
import zlib

import numpy as np
import pytest

from simcompare.model.document import Span
from simcompare.report.heat_picture import LIGHT, MOST_CELLS_A_SIDE, heat_levels, png
from simcompare.report.html_sections import page_view
from simcompare.report.text_pieces import shared_pieces
from simcompare.report.wording import MOST_LISTED_MATCHES, listed_matches
from tests.report.essays import BRIDGE, BRIDGE_REWORDED, comparison_of, evidence_of


@pytest.fixture
def repetitive(tmp_path):
    refrain = " ".join(["We walked home over the old stone bridge."] * 50)
    return comparison_of(tmp_path, refrain, refrain, thesaurus="none")


def test_that_all_matches_are_listed_in_an_ordinary_text(tmp_path):
    comparison = comparison_of(tmp_path, BRIDGE, BRIDGE_REWORDED)
    assert listed_matches(comparison.matches) == [0, 1, 2]
    assert page_view(evidence_of(comparison)).matches_left_out == []


def test_that_a_shortened_list_keeps_the_best_match_of_every_sentence_and_says_so(repetitive):
    listed = listed_matches(repetitive.matches)
    assert len(repetitive.matches) == 2500 > MOST_LISTED_MATCHES
    assert {repetitive.matches[i].left for i in listed} == set(range(50))
    assert {repetitive.matches[i].right for i in listed} == set(range(50))
    view = page_view(evidence_of(repetitive))
    assert len(view.matches) == len(listed) < 100
    assert view.matches_count == f"{len(listed)} of 2,500"
    (words,) = view.matches_left_out
    assert words.startswith(f"{2500 - len(listed):,} further matches")


def test_that_a_sentence_leads_to_its_best_match(tmp_path):
    sentence = "The old bridge by the mill was built by my grandfather and his brothers."
    edited = "The old bridge by the mill was built by my grandfather and his cousins."
    comparison = comparison_of(tmp_path, sentence, f"{edited} {sentence}", thesaurus="none")
    page = page_view(evidence_of(comparison))
    ((look,),) = [[piece.sentence for piece in run.pieces] for run in page.sides[0].blocks[0].runs]
    assert [match.right for match in page.matches if match.number == look.match] == [2]
    assert look.kind == "exact"


def test_that_a_single_match_is_kept_when_a_large_matrix_is_pooled(tmp_path):
    lines = [f"Line{n} word{n} thing{n} place{n}." for n in range(1000)]
    comparison = comparison_of(tmp_path, "\n".join(lines), "\n".join([lines[777], "Nothing like it."]))
    levels = heat_levels(comparison)
    assert max(levels.shape) <= MOST_CELLS_A_SIDE
    marked = np.argwhere(levels == levels.max()).tolist()
    assert marked == [[777 // 3, 0]]


def test_that_the_picture_is_a_png_with_one_byte_per_cell():
    levels = np.arange(12, dtype=np.uint8).reshape(3, 4)
    data = png(levels, LIGHT)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (4, 3)
    start = data.index(b"IDAT") + 4
    rows = zlib.decompressobj().decompress(data[start:])
    assert rows == b"\0\0\1\2\3\0\4\5\6\7\0\x08\x09\x0a\x0b"


def test_that_the_pieces_of_a_sentence_join_to_the_sentence():
    text = "xx他们都认为yy"
    pieces = shared_pieces(text, Span(2, 7), common=[Span(2, 5)], synonyms=[Span(5, 7)])
    assert [(piece.text, piece.is_changed, piece.is_synonym) for piece in pieces] == [
        ("他们都", False, False),
        ("认为", False, True),
    ]


def test_that_a_sentence_is_cut_at_the_ends_of_its_marks_in_code_points():
    text = "前😀abc𠮷d后"
    pieces = shared_pieces(
        text, Span(1, 7), [Span(1, 3), Span(0, 1)], [Span(5, 6), Span(6, 99)], numbered=True
    )
    assert [(piece.text, piece.is_changed, piece.pair) for piece in pieces] == [
        ("😀a", False, 0),
        ("bc", True, 0),
        ("𠮷", False, 1),
        ("d", False, 2),
    ]
