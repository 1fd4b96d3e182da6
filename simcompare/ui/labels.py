"""Short texts that several views show."""

from collections.abc import Sequence
from dataclasses import replace

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.explanation import explain_exclusion, near_miss, rounded_for_thresholds
from simcompare.model.receipt import ExtractionReceipt
from simcompare.report.receipts import flag_in_words
from simcompare.report.wording import enumerated, kind_name
from simcompare.session.decisions import Decision, NotedDecision
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.state.document_store import Documents
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.theme import Theme


def waiting_text(workspace: Workspace) -> str:
    """Return what is to be done to see a match; nothing while a comparison is on its way."""
    if len(workspace.documents.entries) == 1:
        return _("Add a second document to compare this one with.")
    if workspace.comparison is None:
        return ""
    if len(workspace.comparison.matches) == 0:
        return _("No two sentences are similar under these thresholds.")
    return _("Choose a match in a text, the heatmap or the list.")


def doubts_in_short(receipt: ExtractionReceipt) -> str:
    """Return why a text is doubtful, without places and excerpts; nothing where all is well."""
    return enumerated(
        flag_in_words(replace(flag, places=(), excerpt="")) for flag in receipt.flags if flag.doubtful
    )


def doubts_notice(documents: Documents, doubtful: Sequence[int]) -> str:
    """Return one line on the documents that have become doubtful: their number, or of one its doubts.

    Where others could not be read it tells their number too.
    """
    count, total = len(doubtful), len(documents.entries)
    if failed := sum(1 for entry in documents.entries.values() if entry.error is not None):
        words = ngettext(
            "{count} of {total} files needs a look, {failed} could not be read.",
            "{count} of {total} files need a look, {failed} could not be read.",
            count,
        )
        return words.format(count=f"{count:,}", total=f"{total:,}", failed=f"{failed:,}")
    if count > 1:
        words = _("{count} of {total} files need a look.")
        return words.format(count=f"{count:,}", total=f"{total:,}")
    entry = documents.entries[doubtful[0]]
    assert entry.prepared_document is not None, "what was not read is not doubtful"
    return _("{name} needs a look: {doubts}").format(
        name=documents.name_of(doubtful[0]), doubts=doubts_in_short(entry.prepared_document.document.receipt)
    )


def percent(share: float) -> str:
    """Return a share as a whole percentage; never 0 % for something, nor 100 % for less than all."""
    whole = round(share * 100)
    if whole == 0 and share > 0:
        return _("<1 %")
    if whole == 100 and share < 1:
        return _(">99 %")
    return _("{number} %").format(number=whole)


def recipe_label(recipe: str) -> str:
    """Return what a person calls a fingerprint recipe, in few words."""
    names = {
        "improved": _("improved Simhash"),
        "traditional": _("traditional Simhash"),
        "tfidf": _("Simhash by TF-IDF"),
        "levels": _("Simhash by levels"),
        "md5-32": _("32 bits of MD5"),
    }
    return names[recipe]


_LONGEST_SENTENCE = 160


def cell_in_words(comparison: Comparison, row: int, column: int) -> str:
    """Return which two sentences meet in a cell, how they were judged, and what they say."""
    left, right = comparison.left, comparison.right
    lines = [
        _("left {row} ↔ right {column}").format(row=row + 1, column=column + 1),
        *_noted_decision(comparison, row, column),
        _shortened(left.prepared.sentence_span(row).of(left.document.text)),
        _shortened(right.prepared.sentence_span(column).of(right.document.text)),
    ]
    return "\n".join(lines)


def cell_in_short(comparison: Comparison, row: int, column: int) -> str:
    """Return which two sentences meet in a cell and how they were judged, in one line to be spoken."""
    words = _("left sentence {row} and right sentence {column}: {judgement}")
    noted_decision = ", ".join(_judgement_in_short(comparison, row, column))
    return words.format(row=row + 1, column=column + 1, judgement=noted_decision)


def _noted_decision(comparison: Comparison, row: int, column: int) -> list[str]:
    index = comparison.matches.index_of(row, column)
    if index is not None:
        return [_of_match(comparison, index)]
    # not from the heat, whose 255 steps would show another number than the inspector
    p = rounded_for_thresholds(near_miss(comparison, row, column, None).p, comparison.settings)
    excluded = explain_exclusion(comparison, row, column)
    if excluded:
        return [_("P = {p} · excluded").format(p=p), *excluded]
    return [_("P = {p} · not similar").format(p=p)]


def _judgement_in_short(comparison: Comparison, row: int, column: int) -> list[str]:
    index = comparison.matches.index_of(row, column)
    if index is None:
        p = rounded_for_thresholds(near_miss(comparison, row, column, None).p, comparison.settings)
        excluded = explain_exclusion(comparison, row, column)
        return [_("excluded") if excluded else _("not similar"), f"P = {p}"]
    match = comparison.matches[index]
    w = [] if match.w is None else [f"w = {rounded_for_thresholds(match.w, comparison.settings)}"]
    return [kind_name(match.kind), f"P = {rounded_for_thresholds(match.p, comparison.settings)}", *w]


def _of_match(comparison: Comparison, index: int) -> str:
    match = comparison.matches[index]
    if match.w is None:
        return _("P = {p} · {kind}").format(
            p=rounded_for_thresholds(match.p, comparison.settings), kind=kind_name(match.kind)
        )
    return _("P = {p}, w = {w} · {kind}").format(
        p=rounded_for_thresholds(match.p, comparison.settings),
        w=rounded_for_thresholds(match.w, comparison.settings),
        kind=kind_name(match.kind),
    )


def _shortened(sentence: str) -> str:
    return sentence if len(sentence) <= _LONGEST_SENTENCE else sentence[: _LONGEST_SENTENCE - 1] + "…"


_NAMES = {None: N_("Undecided"), Decision.FINE: N_("Fine"), Decision.COPIED: N_("Copied")}
DECISION_ICONS = {Decision.FINE: "check", Decision.COPIED: "flag"}
NOTE_ICON = "note"


def decision_name(decision: Decision | None) -> str:
    """Return what a person calls a decision."""
    return _(_NAMES[decision])


def decision_colour(decision: Decision, theme: Theme) -> str:
    """Return the colour of a decision's mark: only what was copied is to catch the eye."""
    return theme.danger if decision is Decision.COPIED else theme.muted


def judgement_in_words(noted_decision: NotedDecision) -> str:
    """Return what was decided and what was noted, a line each; nothing where there is neither."""
    decided = decision_name(noted_decision.decision) if noted_decision.decision else ""
    return "\n".join(part for part in (decided, noted_decision.note.strip()) if part)
