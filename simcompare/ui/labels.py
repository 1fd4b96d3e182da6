"""Short texts that several views show."""

from collections.abc import Sequence
from dataclasses import replace

from simcompare.i18n import _, ngettext
from simcompare.receipt import ExtractionReceipt
from simcompare.report.phrases import enumerated
from simcompare.report.receipts import flag_in_words
from simcompare.ui.state.documents import Documents
from simcompare.ui.state.workspace import Workspace


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
    assert entry.subject is not None, "what was not read is not doubtful"
    return _("{name} needs a look: {doubts}").format(
        name=documents.name_of(doubtful[0]), doubts=doubts_in_short(entry.subject.document.receipt)
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
