"""What a person may want to quote of a comparison: a sentence, or two that match."""

from simcompare.comparison.subject import Subject
from simcompare.comparison.values import Comparison
from simcompare.i18n import _
from simcompare.ui.state.side import Side
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.text_pane.copying import Quotes


def quotes_at(workspace: Workspace, side: Side, offset: int) -> Quotes:
    """Return what can be quoted at a code point of one side's text."""
    entry = workspace.documents.entry_on(side)
    subject = entry.subject if entry else None
    sentence = subject.prepared.sentence_at(offset) if subject else None
    if subject is None or sentence is None:
        return Quotes()
    return Quotes(_sentence(subject, sentence), _pair_of(workspace, side, sentence))


def _pair_of(workspace: Workspace, side: Side, sentence: int) -> str:
    comparison = workspace.comparison
    if comparison is None:
        return ""
    match = _match_of(comparison, side, sentence, workspace.selection.selected)
    return "" if match is None else _pair_in_words(comparison, match)


def _pair_in_words(comparison: Comparison, match: int) -> str:
    left, right = comparison.matches[match].left, comparison.matches[match].right
    names = comparison.names
    return f"{_quoted(names[0], comparison.left, left)}\n\n{_quoted(names[1], comparison.right, right)}"


def _match_of(comparison: Comparison, side: Side, sentence: int, selected: int | None) -> int | None:
    """Return the selected match of a sentence, or its best."""
    matches = comparison.matches
    found = matches.of_left(sentence) if side is Side.LEFT else matches.of_right(sentence)
    if selected in found:
        return selected
    best = matches.best_of_left if side is Side.LEFT else matches.best_of_right
    return int(best[sentence]) if found else None


def _quoted(name: str, subject: Subject, sentence: int) -> str:
    title = _("{name}, sentence {number}:").format(name=name, number=f"{sentence + 1:,}")
    return f"{title}\n{_sentence(subject, sentence)}"


def _sentence(subject: Subject, sentence: int) -> str:
    return subject.prepared.sentence_span(sentence).of(subject.document.text).strip()
