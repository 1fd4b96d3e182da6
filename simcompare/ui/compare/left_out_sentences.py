"""Leave sentences out by hand or as common, and count them again; the entries for it in context menus."""

from dataclasses import replace

from PySide6.QtWidgets import QMenu

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from simcompare.model.settings import LeftOutSentence
from simcompare.support.i18n import _
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.workspace import Workspace


def leave_out(workspace: Workspace, sentence: LeftOutSentence) -> None:
    settings = workspace.settings
    workspace.set_settings(replace(settings, left_out=(*settings.left_out, sentence)))


def count_again(workspace: Workspace, sentence: LeftOutSentence) -> None:
    """Count a sentence that was left out, in all documents."""
    settings = workspace.settings
    kept = tuple(other for other in settings.left_out if other != sentence)
    workspace.set_settings(replace(settings, left_out=kept))


def count_all_again(workspace: Workspace) -> None:
    """Count all sentences that were left out."""
    workspace.set_settings(replace(workspace.settings, left_out=()))


def add_exclusion_entry(workspace: Workspace, side: Side, menu: QMenu, offset: int | None) -> None:
    """Add the entry for the sentence at a code point of one side's text; none outside the text."""
    entry = workspace.documents.entry_on(side)
    prepared_document = entry.prepared_document if entry else None
    if prepared_document is None or offset is None:
        return
    number = prepared_document.prepared.sentence_at(offset)
    if number is None:
        return
    sentence = left_out_sentence(prepared_document, number)
    common = _common_digest(workspace, side, number)
    leave, count = _("Leave this sentence out everywhere"), _("Count this sentence again")
    menu.addSeparator()
    if sentence in workspace.settings.left_out:
        menu.addAction(count, lambda: count_again(workspace, sentence))
    elif common and workspace.class_state.is_counted(common):
        menu.addAction(leave, lambda: workspace.class_state.count_common([common], counted=False))
    elif common:
        menu.addAction(count, lambda: workspace.class_state.count_common([common], counted=True))
    else:
        menu.addAction(leave, lambda: leave_out(workspace, sentence))


def add_pair_exclusion_entries(
    workspace: Workspace, comparison: Comparison, cell: tuple[int, int], menu: QMenu
) -> None:
    """Add an entry for each sentence of a match, by cell; one entry if both sentences are the same."""
    left, right = (
        left_out_sentence(document, number)
        for document, number in zip((comparison.left, comparison.right), cell, strict=True)
    )
    menu.addSeparator()
    if left == right:
        menu.addAction(_("Leave this sentence out everywhere"), lambda: leave_out(workspace, left))
    else:
        menu.addAction(_("Leave the left sentence out everywhere"), lambda: leave_out(workspace, left))
        menu.addAction(_("Leave the right sentence out everywhere"), lambda: leave_out(workspace, right))


def _common_digest(workspace: Workspace, side: Side, sentence: int) -> str:
    """Return the digest of the sentence common to the class that a sentence is, "" if none is left out."""
    comparison = workspace.comparison
    if comparison is None or not workspace.settings.exclude_common:
        return ""
    candidates = comparison.exclusion_candidates[0 if side is Side.LEFT else 1]
    return "" if candidates.common is None else str(candidates.common[sentence])
