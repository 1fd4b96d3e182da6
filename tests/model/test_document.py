"""Document: lines of a text, and spans in it."""

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.model.document import (
    Anchor,
    BlockKind,
    Document,
    ExtractionReceipt,
    Flag,
    FlagName,
    Span,
    join_blocks,
)

PIECES = st.lists(st.text("天地 ab𠮷é", min_size=1).filter(str.strip), max_size=6)


@given(PIECES)
def test_that_every_block_is_one_line_of_the_text(pieces):
    text, blocks = join_blocks([(BlockKind.PARAGRAPH, piece, Anchor(1)) for piece in pieces])
    assert [block.span.of(text) for block in blocks] == pieces
    assert text.split("\n") == (pieces or [""])


def test_that_blocks_keep_their_kind_and_place():
    anchor = Anchor(paragraph=3, page=2)
    _, [first, second] = join_blocks(
        [(BlockKind.TITLE, "河", Anchor(1)), (BlockKind.QUOTATION, "水", anchor)]
    )
    assert (first.kind, second.kind) == (BlockKind.TITLE, BlockKind.QUOTATION)
    assert second.anchor == anchor


def test_that_a_document_is_sent_between_processes_as_it_is_in_few_bytes_for_each_block():
    kinds = [*BlockKind] * 1_000
    anchors = [Anchor(number, page=number // 9 or None) for number in range(1, len(kinds) + 1)]
    text, blocks = join_blocks([(kind, "河", anchor) for kind, anchor in zip(kinds, anchors, strict=True)])
    receipt = ExtractionReceipt("r", "text", 1, 1)
    document = Document(Path("essay.pdf"), "河", text, blocks, receipt, sha256="", size_bytes=9)
    packed = pickle.dumps(document)
    assert pickle.loads(packed) == document
    assert len(packed) < 25 * len(blocks)


def test_that_very_many_blocks_are_kept_as_they_are_where_they_arrive_and_sent_on():
    count = 50_001
    text, blocks = join_blocks(
        [(BlockKind.PARAGRAPH, "河", Anchor(n, page=n % 3 or None)) for n in range(count)]
    )
    receipt = ExtractionReceipt("r", "text", 1, 1)
    document = Document(Path("essay.pdf"), "河", text, blocks, receipt, sha256="", size_bytes=9)
    arrived = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(document)))).blocks
    assert not isinstance(arrived, tuple)
    assert tuple(arrived) == blocks
    assert (len(arrived), arrived[7], arrived[-1]) == (count, blocks[7], blocks[-1])
    assert tuple(arrived[5:9]) == blocks[5:9]
    with pytest.raises(IndexError):
        arrived[count]


@pytest.mark.parametrize(("span", "covered"), [(Span(0, 1), "𠮷"), (Span(1, 3), "野家"), (Span(2, 2), "")])
def test_that_a_span_counts_code_points_and_leaves_its_end_out(span, covered):
    assert span.of("𠮷野家") == covered
    assert len(span) == len(covered)


def test_that_spans_sort_in_reading_order():
    assert sorted([Span(3, 5), Span(0, 9), Span(0, 2)]) == [Span(0, 2), Span(0, 9), Span(3, 5)]


def test_that_a_flag_makes_an_extraction_doubtful():
    assert not ExtractionReceipt("r", "text", 1, 1).doubtful
    assert ExtractionReceipt("r", "pdf", 1, 1, flags=(Flag(FlagName.GARBLED_PAGE),)).doubtful
