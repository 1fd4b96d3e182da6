"""Page positions of characters stay aligned while the text is cleaned."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from simcompare.loading.extraction import Piece, clean
from simcompare.loading.shared.character_alignment import aligned_clean, clean_piece, places_in_text
from simcompare.model.document import BlockKind, CharacterBoxes

MESSY = st.text(
    alphabet="ab 字　\t\n\u0301\u0327\u1100\u1161\u11a8\u0958é각\x01\u200b\ufffe\x1f", max_size=30
)


def _piece(text):
    numbers = np.arange(len(text), dtype=np.float32)
    return Piece(
        BlockKind.PARAGRAPH,
        text,
        1,
        CharacterBoxes(np.ones(len(text), dtype=np.int32), np.stack([numbers] * 4, axis=1)),
    )


@given(MESSY | st.text(max_size=30), st.booleans())
def test_that_the_aligned_text_equals_the_clean_text(text, keep_tabs):
    cleaned, origins = aligned_clean(text, keep_tabs=keep_tabs)
    assert cleaned == clean(text, keep_tabs=keep_tabs)
    assert len(origins) == len(cleaned)
    assert all(first <= second for first, second in pairwise(origins))


@given(MESSY | st.text(max_size=30), st.booleans())
def test_that_clean_text_stays_as_it_is(text, keep_tabs):
    once = clean(text, keep_tabs=keep_tabs)
    assert clean(once, keep_tabs=keep_tabs) == once


def test_that_a_letter_composed_with_its_accent_has_the_position_of_the_letter():
    piece = clean_piece(_piece("  cafe\u0301   bar"))
    assert piece.text == "café bar"
    assert piece.places is not None
    assert piece.places.boxes[:, 0].tolist() == [2, 3, 4, 5, 7, 10, 11, 12]


def test_that_line_ends_and_pieces_without_places_have_no_position():
    places = places_in_text([_piece("ab"), Piece(BlockKind.PARAGRAPH, "c")])
    assert places.pages.tolist() == [1, 1, 0, 0]
    assert np.isnan(places.boxes[2:]).all()
