"""Short texts shown by several views."""

import re
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QLocale
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QLineEdit, QMenu, QToolButton

from simcompare.cohort.pair_facts import NO_FACTS
from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.explanation import (
    exclusion_name,
    explain_exclusion,
    near_miss,
    rounded_for_thresholds,
)
from simcompare.loading.workers.isolation import LONG_SECONDS
from simcompare.model.document import ExtractionReceipt, FlagName, Span
from simcompare.model.errors import NotAnEssayError
from simcompare.report.look_alikes import look_alike_in_words
from simcompare.report.receipts import common_author, doubts_summary, slow_files_in_words
from simcompare.report.wording import (
    all_excluded_in_words,
    enumerated,
    kind_name,
    named,
    reason_name,
    unseen_in_words,
)
from simcompare.session.decisions import REASONS, Decision, NotedDecision, outcome_of
from simcompare.session.school_class import DocumentRole
from simcompare.support.i18n import N_, _, current_language, joined_sentences, ngettext
from simcompare.ui.state.document_entry import DocumentEntry
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.document_store import DocumentStore
from simcompare.ui.state.language import translated
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.theme import icon

_SENTENCE_END = re.compile(r"[.](?=\s|$)|。")


def waiting_text(workspace: Workspace) -> str:
    """Hint shown while nothing is selected; empty while a comparison is running."""
    documents = workspace.documents
    if documents.entries and not documents.readable_count:
        return _("Add two documents that can be read.")
    if documents.readable_count == 1:
        return _("Add a second document to compare this one with.")
    if workspace.comparison is None:
        return ""
    if not workspace.passages:
        if searching := searching_text(workspace):
            return searching
        hint = _("No two sentences are similar at this strictness.")
        sentences = [nothing_counts_text(workspace.comparison) or hint]
        if workspace.class_state.shown_facts() != NO_FACTS:
            sentences.append(_("“Details” has what the two files have in common besides their wording."))
        return joined_sentences(sentences)
    return _("Choose a passage in a text, the heatmap or the list.")


def searching_text(workspace: Workspace) -> str:
    """Say that the pair that is shown is still being searched by meaning; empty if it is not."""
    return _("Searching for possibly rewritten passages…") if workspace.is_searching else ""


def nothing_counts_text(comparison: Comparison) -> str:
    """Say what of two texts without passages is excluded; empty if they have nothing in common."""
    share = comparison.share
    has_excluded = share.left_in_right.raw or share.right_in_left.raw
    return all_excluded_in_words(comparison) if has_excluded else ""


def unmatched_text(workspace: Workspace) -> str:
    """Say that the clicked sentence has no match, and which is the nearest; empty without such a sentence."""
    comparison, unmatched = workspace.comparison, workspace.selection.unmatched
    if comparison is None or unmatched is None:
        return ""
    side, sentence = unmatched
    is_left = side is Side.LEFT
    reason = (comparison.left_excluded if is_left else comparison.right_excluded).reason(sentence)
    if reason is not None:
        return _("This sentence is excluded: {reason}.").format(reason=exclusion_name(reason))
    heat = comparison.matrix.heat[sentence] if is_left else comparison.matrix.heat[:, sentence]
    if not heat.any():
        return _("This sentence has no match in the other text, and no character or word in common.")
    nearest = int(heat.argmax())
    miss = near_miss(comparison, *((sentence, nearest) if is_left else (nearest, sentence)), None)
    words = _("This sentence has no match in the other text; the nearest is sentence {number}, {similarity}.")
    return words.format(number=nearest + 1, similarity=_similarity(comparison, miss.p))


def doubts_meaning(receipt: ExtractionReceipt) -> str:
    """Say what invisible characters may mean; empty if a text has none that are doubtful."""
    flags = (flag.name for flag in receipt.flags if flag.doubtful)
    if FlagName.ZERO_WIDTH_CHARACTERS not in flags:
        return ""
    return _(
        "Invisible characters between the letters can hide copied text from programs that compare texts. "
        "They are ignored here."
    )


def disguise_in_words(span: Span, name: FlagName, text: str = "") -> str:
    """Say what is hidden at a place of a text."""
    is_word = name is FlagName.LOOK_ALIKE_LETTERS
    return look_alike_in_words(span.of(text)) if is_word else unseen_in_words(len(span))


def author_of_pair(documents: DocumentStore) -> str:
    """Return the author named by both compared files; empty if most other files name the same one.

    A file that was handed out is the reason then.
    """
    origins = {
        key: entry.prepared_document.document.receipt.origin
        for key, entry in documents.entries.items()
        if entry.prepared_document is not None
    }
    sides = [origins.pop(key) for key in documents.sides.values() if key in origins]
    author = common_author(*sides) if len(sides) == 2 else ""
    sharing = sum(common_author(sides[0], other) == author for other in origins.values()) if author else 0
    return "" if 2 * sharing > len(origins) else author


def problem_counts(documents: DocumentStore) -> str:
    """Count the files to check, those that could not be read and those that are not essays."""
    entries = documents.entries.values()
    no_essays = sum(isinstance(entry.error, NotAnEssayError) for entry in entries)
    failed = sum(entry.error is not None for entry in entries) - no_essays
    doubtful = sum(entry.is_doubtful for entry in entries)
    counts = {
        ngettext("{count} file to check", "{count} files to check", doubtful): doubtful,
        ngettext("{count} file could not be read", "{count} files could not be read", failed): failed,
        ngettext("{count} file is not an essay", "{count} files are not essays", no_essays): no_essays,
    }
    return enumerated(words for words, count in counts.items() if count)


def problems_notice(documents: DocumentStore, keys: Sequence[int]) -> str:
    """Write one line about new problems of documents: that of a single one, or the counts of all."""
    if len(keys) > 1 or len(documents.problems) > 1:
        return _("{counts}.").format(counts=problem_counts(documents))
    entry = documents.entries[keys[0]]
    if entry.prepared_document is None:
        return str(entry.error)
    return _("Check {name}: {doubts}").format(
        name=documents.name_of(keys[0]), doubts=doubts_summary(entry.prepared_document.document.receipt)
    )


def slow_files_notice(documents: DocumentStore, keys: Sequence[int]) -> str:
    """Name documents that took long to read, with their times."""
    seconds = {documents.name_of(key): documents.entries[key].reading_seconds or 0.0 for key in keys}
    return slow_files_in_words(seconds, LONG_SECONDS)


def problem_in_words(entry: DocumentEntry) -> str:
    """Write what is wrong with a document in one clause, which may go on from its name, or stands alone."""
    if entry.error is None:
        receipt = entry.prepared_document.document.receipt if entry.prepared_document else None
        return named(_("to check"), doubts_summary(receipt)) if receipt else ""
    words = str(entry.error).removeprefix(str(entry.error.values.get("name", "")))
    return _SENTENCE_END.split(words)[0].strip()


def escape_menu_text(text: str) -> str:
    return text.replace("&", "&&").replace("\t", " ")


def rounded_size(size_bytes: int) -> str:
    """Return "348 kB" or "1.5 MB"."""
    locale = QLocale(current_language())
    size = locale.formattedDataSize(size_bytes, 1, QLocale.DataSizeFormat.DataSizeSIFormat)
    return size.replace(f"{locale.decimalPoint()}0 ", " ")


def add_clear_button(field: QLineEdit) -> None:
    """Let a field be cleared by a button, which has no name in Qt."""
    field.setClearButtonEnabled(True)
    for button in field.findChildren(QToolButton):
        translated(button, accessibleName=N_("Clear"))


def recipe_label(recipe: str) -> str:
    names = {
        "improved": _("improved Simhash"),
        "traditional": _("traditional Simhash"),
        "tfidf": _("Simhash by TF-IDF"),
        "levels": _("Simhash by levels"),
        "md5-32": _("32 bits of MD5"),
    }
    return names[recipe]


_MAX_SENTENCE_CHARACTERS = 160


def cell_description(comparison: Comparison, row: int, column: int) -> str:
    """Describe a cell in several lines: sentence numbers, classification, both sentences."""
    left, right = comparison.left, comparison.right
    lines = [
        _("left {row} ↔ right {column}").format(row=row + 1, column=column + 1),
        *_classification_lines(comparison, row, column),
        _shortened(left.prepared.sentence_span(row).of(left.document.text)),
        _shortened(right.prepared.sentence_span(column).of(right.document.text)),
    ]
    return "\n".join(lines)


def cell_summary(comparison: Comparison, row: int, column: int) -> str:
    """Describe a cell in one line for screen readers: sentence numbers and classification."""
    text = _("left sentence {row} and right sentence {column}: {judgement}")
    return text.format(row=row + 1, column=column + 1, judgement=cell_judgement(comparison, row, column))


def cell_judgement(comparison: Comparison, row: int, column: int) -> str:
    """Classification and scores of a cell: "identical, P = 1.00"."""
    return ", ".join(_classification_terms(comparison, row, column))


def _classification_lines(comparison: Comparison, row: int, column: int) -> list[str]:
    index = comparison.matches.index_of(row, column)
    if index is not None:
        return [_match_text(comparison, index)]
    # P is recomputed: the heatmap stores 255 steps, so it would differ from the inspector
    similarity = _similarity(comparison, near_miss(comparison, row, column, None).p)
    excluded = explain_exclusion(comparison, row, column)
    return [f"{similarity} · {_('excluded') if excluded else _('not similar')}", *excluded]


def _classification_terms(comparison: Comparison, row: int, column: int) -> list[str]:
    index = comparison.matches.index_of(row, column)
    if index is None:
        similarity = _similarity(comparison, near_miss(comparison, row, column, None).p)
        excluded = explain_exclusion(comparison, row, column)
        return [_("excluded") if excluded else _("not similar"), similarity]
    return [kind_name(comparison.matches[index].kind), *_figures(comparison, index)]


def _match_text(comparison: Comparison, index: int) -> str:
    return f"{enumerated(_figures(comparison, index))} · {kind_name(comparison.matches[index].kind)}"


def _figures(comparison: Comparison, index: int) -> list[str]:
    match = comparison.matches[index]
    if match.w is None:
        return [_similarity(comparison, match.p)]
    w = _("words {w} (w)").format(w=rounded_for_thresholds(match.w, comparison.settings))
    return [_similarity(comparison, match.p), w]


def _similarity(comparison: Comparison, p: float) -> str:
    return _("similarity {p} (P)").format(p=rounded_for_thresholds(p, comparison.settings))


def _shortened(sentence: str) -> str:
    return (
        sentence
        if len(sentence) <= _MAX_SENTENCE_CHARACTERS
        else sentence[: _MAX_SENTENCE_CHARACTERS - 1] + "…"
    )


_NAMES = {None: N_("Undecided"), Decision.FINE: N_("No concern"), Decision.COPIED: N_("Copied")}
DECISION_ICONS = {each: "flag" if each is Decision.COPIED else "check" for each in Decision}
DECISION_KEYS = {
    Decision.FINE: "F",
    **{reason: str(1 + place) for place, reason in enumerate(REASONS)},
    Decision.COPIED: "C",
}
DECISION_INKS = {each: "danger" if each is Decision.COPIED else "muted" for each in Decision}
NOTE_ICON = "note"


def decision_name(decision: Decision | None) -> str:
    """Label of a decision; of no concern with a reason, the reason."""
    reason = reason_name(decision)
    return reason[:1].upper() + reason[1:] or _(_NAMES[outcome_of(decision)])


def decision_icon(decision: Decision) -> QIcon:
    """Mark of a decision; only "copied" is conspicuous."""
    return icon(DECISION_ICONS[decision], DECISION_INKS[decision])


def add_decisions(menu: QMenu, actions: Mapping[Decision, QAction]) -> None:
    """Add entries for decisions; those of a reason for no concern are in a menu of their own."""
    menu.addAction(actions[Decision.FINE])
    reasons = translated(menu.addMenu(""), title=N_("Why no concern"))
    reasons.addActions([actions[reason] for reason in REASONS])
    menu.addAction(actions[Decision.COPIED])


def decision_text(noted: NotedDecision) -> str:
    """Write decision and note, one line each; empty without both."""
    decided = decision_name(noted.decision) if noted.decision else ""
    return "\n".join(part for part in (decided, noted.note.strip()) if part)


_ROLE_NAMES = {
    DocumentRole.CURRENT: N_("Essay of the class"),
    DocumentRole.DRAFT: N_("Draft"),
    DocumentRole.OLD: N_("Earlier work"),
    DocumentRole.TEMPLATE: N_("Template"),
}


def role_name(role: DocumentRole) -> str:
    return _(_ROLE_NAMES[role])
