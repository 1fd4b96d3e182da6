"""Helpers for tests of a single text pane."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QTextEdit
from pytestqt.qtbot import QtBot

from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.model.document import Document, Span
from simcompare.ui.compare.text_pane.text_overview import PassageBars, TextOverview
from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.style.theme import LIGHT
from tests.gui.match_list_samples import LEFT, document, sentences_of
from tests.gui.widgets import show_widget

ESSAY = document("桥.docx", LEFT * 12)
SPANS = [sentences_of(ESSAY).sentence_span(n) for n in range(sentences_of(ESSAY).sentence_count)]


def shown_pane(qtbot: QtBot, document: Document) -> TextPane:
    """Text pane with a text just opened; long ones are not laid out yet."""
    pane = TextPane()
    show_widget(pane, qtbot, 420, 500)
    pane.set_document(document)
    return pane


def page(pane: TextPane) -> QTextEdit:
    """Page of a pane, on which its text is painted."""
    return pane.findChild(QTextEdit)


def overview(pane: TextPane) -> TextOverview:
    return pane.findChild(TextOverview)


def bars(pane: TextPane) -> PassageBars:
    """Margin of a pane, on which bars and numbers of its passages are painted."""
    return pane.findChild(PassageBars)


def show_passages(pane: TextPane, passages: Sequence[tuple[Span, PassageKind]]) -> None:
    """Show passages, numbered in this order."""
    spans = np.array([(span.start, span.end) for span, _kind in passages], np.int32).reshape(-1, 2)
    pane.set_passages(spans, np.array([PASSAGE_KINDS.index(kind) for _span, kind in passages], np.int8))


def show_highlights(pane: TextPane, sentences: Sequence[Span]) -> None:
    """Show sentences as matched."""
    pane.set_highlights(np.array([(span.start, span.end) for span in sentences], np.int32).reshape(-1, 2))


def image_of(pane: TextPane) -> QImage:
    return page(pane).viewport().grab().toImage()


def is_mark(text_overview: TextOverview, y: int, kind: PassageKind) -> bool:
    return text_overview.grab().toImage().pixelColor(7, y).name() == LIGHT.passages[kind].ink
