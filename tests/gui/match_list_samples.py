"""Two short essays with hand-made matches, for tests of text and list widgets."""

import gettext
import re
from pathlib import Path

import numpy as np

from simcompare.comparison.comparison_result import (
    SWITCHES,
    Alignment,
    Cells,
    Comparison,
    ComparisonMatrix,
    ExcludedSentences,
    ExclusionCandidates,
    Matches,
    MatchKind,
    PairShares,
    Share,
)
from simcompare.comparison.passages.passage_columns import NO_PASSAGES
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.fingerprint.simhash import Fingerprint
from simcompare.model.document import Anchor, BlockKind, Document, ExtractionReceipt, Span, join_blocks
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import PreparedText

LEFT = [
    "家乡的桥",
    "村口的石桥站了一百多年😀，桥面被磨得发亮。我常坐在栏杆上数过路的船。每到夏天傍晚，老人们来桥头乘凉。",
    "他们都认为这座桥很美丽，因为它连起了𠮷家湾的两岸。那时我并不懂。",
    "老师写下 <b>1 < 2 && 3</b> 给我们看。有些东西旧了，却不会过时。",
]
RIGHT = [
    "石桥记",
    "我的老家在小河边。村口的石桥站了一百多年😀，桥面被磨得发亮。夏天的傍晚，老人们总到桥头来乘凉。",
    "大家都觉得这座桥非常漂亮，因为它连起了𠮷家湾的两岸。",
    "黑板上是 <b>1 < 2 && 3</b> 这一行。",
]
PAIRS = [
    ("村口", "村口", MatchKind.EXACT, 1.0, 0.0),
    ("每到", "夏天的", MatchKind.EDITED, 0.7899, 0.0),
    ("他们", "大家", MatchKind.SYNONYM, 0.64, 0.8333),
    ("老师", "黑板", MatchKind.SYNONYM, 0.56, 0.76),
]


def document(name: str, paragraphs: list[str]) -> Document:
    kinds = [BlockKind.TITLE] + [BlockKind.PARAGRAPH] * (len(paragraphs) - 1)
    pieces = [
        (kind, text, Anchor(n)) for n, (kind, text) in enumerate(zip(kinds, paragraphs, strict=True), 1)
    ]
    text, blocks = join_blocks(pieces)
    receipt = ExtractionReceipt("text", "text", len(text), len(blocks))
    return Document(Path(name), paragraphs[0], text, blocks, receipt, sha256="", size_bytes=0)


def sentences_of(made: Document) -> PreparedText:
    """Make sentences without words, split at full stops; the widgets need nothing else."""
    found = [
        (block.span.start + cut.start(), block.span.start + cut.end(), number)
        for number, block in enumerate(made.blocks)
        for cut in re.finditer("[^。]+。?", block.span.of(made.text))
    ]
    table = np.array(found, np.int32)
    none, steps = np.zeros(0, np.int32), np.zeros(len(found) + 1, np.int32)
    return PreparedText(
        sentence_spans=table[:, :2],
        sentence_blocks=table[:, 2],
        sentence_units=steps,
        sentence_words=steps,
        unit_vocabulary=(),
        unit_ids=none,
        unit_spans=np.zeros((0, 2), np.int32),
        word_vocabulary=(),
        word_tags=(),
        word_ids=none,
        word_units=np.zeros(1, np.int32),
        is_mostly_chinese=False,
    )


def prepared_document(name: str, paragraphs: list[str]) -> PreparedDocument:
    made = document(name, paragraphs)
    return PreparedDocument(made, sentences_of(made), Fingerprint(0x9F3A, 64, "improved"))


def sentence_of(side: PreparedDocument, words: str) -> int:
    sentence = side.prepared.sentence_at(side.document.text.index(words))
    assert sentence is not None
    return sentence


def matches_of(rows: list[tuple[int, int, MatchKind, float, float]]) -> Matches:
    lefts, rights, kinds, p, w = zip(*rows, strict=True)
    cells = Cells(
        np.array(lefts, np.int32),
        np.array(rights, np.int32),
        np.full(len(rows), 9, np.int32),
        np.array(p),
        np.array(w),
    )
    none = np.zeros(0, np.int32)
    return Matches(cells, np.array(kinds, np.int8), best_of_left=none, best_of_right=none)


_SHARES = PairShares(Share(0.62, 0.62), Share(0.51, 0.51))


def comparison_with(matches: Matches, left: PreparedDocument, right: PreparedDocument) -> Comparison:
    heat = np.zeros((left.prepared.sentence_count, right.prepared.sentence_count), np.uint8)
    return Comparison(
        left=left,
        right=right,
        settings=ComparisonSettings(similar_weight=0.5, right_weight=0.75),
        matrix=ComparisonMatrix(heat, matches.cells),
        matches=matches,
        passages=NO_PASSAGES,
        share=_SHARES,
        sentence_share=_SHARES,
        left_excluded=nothing_excluded(left),
        right_excluded=nothing_excluded(right),
        exclusion_candidates=(no_exclusion_candidates(left), no_exclusion_candidates(right)),
    )


def nothing_excluded(side: PreparedDocument) -> ExcludedSentences:
    return ExcludedSentences(np.zeros(side.prepared.sentence_count, np.int8), side.prepared.sentence_lengths)


def no_exclusion_candidates(side: PreparedDocument) -> ExclusionCandidates:
    none = np.zeros(side.prepared.sentence_count, np.bool_)
    return ExclusionCandidates(
        np.zeros(side.prepared.unit_count, np.bool_), none, dict.fromkeys(SWITCHES, none)
    )


def comparison() -> Comparison:
    """Compare the two essays, with their four matches."""
    left, right = prepared_document("桥.docx", LEFT), prepared_document("石桥.pdf", RIGHT)
    rows = [(sentence_of(left, a), sentence_of(right, b), kind, p, w) for a, b, kind, p, w in PAIRS]
    return comparison_with(matches_of(rows), left, right)


def span_of(side: PreparedDocument, words: str) -> Span:
    start = side.document.text.index(words)
    return Span(start, start + len(words))


def alignment(made: Comparison, common: list[str], synonyms: list[tuple[str, str]]) -> Alignment:
    """Alignment of two sentences with these common words and synonym pairs."""
    return Alignment(
        common=tuple((span_of(made.left, words), span_of(made.right, words)) for words in common),
        synonyms=tuple((span_of(made.left, a), span_of(made.right, b)) for a, b in synonyms),
        common_words=len(common),
        left_words=10,
        right_words=10,
    )


class Marked(gettext.NullTranslations):
    """Translation that puts a tilde before every text."""

    def gettext(self, message: str) -> str:
        return f"~{message}"
