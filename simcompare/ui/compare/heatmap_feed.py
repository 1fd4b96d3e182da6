"""Contents of the heatmap: blocks of scores as they arrive, then matches and passages."""

import time
from collections import deque

from PySide6.QtCore import QObject, QTimer

from simcompare.comparison.comparison_result import Comparison, RowBlock
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.support.i18n import _
from simcompare.ui.access.picture_table import PictureTable, TableAction
from simcompare.ui.compare.heatmap.heatmap_passages import PassageBoxes
from simcompare.ui.compare.heatmap.heatmap_view import HeatmapView
from simcompare.ui.labels import cell_description, cell_judgement, cell_summary
from simcompare.ui.state.changes import ComparisonPart
from simcompare.ui.state.workspace import Workspace

_BATCH_SECONDS = 0.008
_MOST_CHARACTERS_OF_SENTENCE = 20


class HeatmapFeed(QObject):
    """Shows the comparisons of a workspace in a heatmap."""

    def __init__(self, heatmap: HeatmapView, workspace: Workspace) -> None:
        super().__init__(heatmap)
        self._heatmap = heatmap
        self._workspace = workspace
        self._blocks: deque[RowBlock] = deque()
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._put_some_blocks)
        workspace.comparison_started.connect(self._clear)
        workspace.shape_known.connect(self._begin)
        workspace.block_scored.connect(self._put_block)
        heatmap.cell_chosen.connect(workspace.selection.select_cell)
        heatmap.set_describer(self._describe, self._describe_in_short)
        TableAction(heatmap, self._as_table)

    def show(self, comparison: Comparison | None, changed: ComparisonPart) -> None:
        """Show the changed parts of a finished comparison, or nothing."""
        if comparison is None:
            self._clear()
            return
        self._put_all_blocks()
        if ComparisonPart.MATCHES in changed:
            cells = comparison.matches.cells
            self._heatmap.set_matches(cells.rows, cells.columns, comparison.matches.kinds)
        if ComparisonPart.EXCLUSIONS in changed:
            self._heatmap.set_excluded(~comparison.left_excluded.kept, ~comparison.right_excluded.kept)
        if ComparisonPart.PASSAGES in changed:
            self._heatmap.set_passages(PassageBoxes.of(comparison))
        self._heatmap.set_similar_weight(comparison.settings.similar_weight)

    def _begin(self, rows: int, columns: int) -> None:
        self._blocks.clear()
        self._heatmap.begin(rows, columns)

    def _clear(self) -> None:
        self._blocks.clear()
        self._heatmap.clear()

    def _put_block(self, block: RowBlock) -> None:
        self._blocks.append(block)
        self._timer.start()

    def _put_some_blocks(self) -> None:
        """Show blocks for a few milliseconds: hundreds may have arrived at once."""
        end = time.monotonic() + _BATCH_SECONDS
        while self._blocks and time.monotonic() < end:
            block = self._blocks.popleft()
            self._heatmap.put_block(block.rows.start, block.heat)
        if self._blocks:
            self._timer.start()

    def _put_all_blocks(self) -> None:
        while self._blocks:
            self._put_some_blocks()
        self._timer.stop()

    def _describe(self, row: int, column: int) -> str:
        comparison = self._workspace.comparison
        return "" if comparison is None else cell_description(comparison, row, column)

    def _describe_in_short(self, row: int, column: int) -> str:
        comparison = self._workspace.comparison
        return "" if comparison is None else cell_summary(comparison, row, column)

    def _as_table(self) -> PictureTable | None:
        comparison = self._workspace.comparison
        if comparison is None:
            return None
        left, right = comparison.left, comparison.right
        return PictureTable(
            title=_("Comparison matrix"),
            row_count=left.prepared.sentence_count,
            column_count=right.prepared.sentence_count,
            row_name=lambda row: _("left {sentence}").format(sentence=_beginning(left, row)),
            column_name=lambda column: _("right {sentence}").format(sentence=_beginning(right, column)),
            cell=lambda row, column: cell_judgement(comparison, row, column),
            choose=self._heatmap.choose,
            first=self._workspace.selection.cell or (0, 0),
        )


def _beginning(document: PreparedDocument, sentence: int) -> str:
    """Return the number and first words of a sentence."""
    text = " ".join(document.prepared.sentence_span(sentence).of(document.document.text).split())
    is_long = len(text) > _MOST_CHARACTERS_OF_SENTENCE
    return f"{sentence + 1}: {text[:_MOST_CHARACTERS_OF_SENTENCE]}{'…' if is_long else ''}"
