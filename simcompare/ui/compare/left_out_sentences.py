"""Leave sentences out by hand, and count them again; the entry for it in the context menu of a sentence."""

from dataclasses import replace

from PySide6.QtWidgets import QMenu

from simcompare.comparison.exclusions.excluded_sentences import left_out_sentence
from simcompare.model.settings import LeftOutSentence
from simcompare.support.i18n import _
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.workspace import Workspace


def leave_out(workspace: Workspace, sentence: LeftOutSentence) -> None:
    """Exclude a sentence from all documents."""
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
    menu.addSeparator()
    if sentence in workspace.settings.left_out:
        menu.addAction(_("Count this sentence again"), lambda: count_again(workspace, sentence))
    else:
        menu.addAction(_("Leave this sentence out everywhere"), lambda: leave_out(workspace, sentence))
