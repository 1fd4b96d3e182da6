"""What the list says of a document, in words."""

from simcompare.comparison.subject import Subject
from simcompare.i18n import N_, _
from simcompare.report.receipts import flag_in_words, format_in_words
from simcompare.report.wording import units_count
from simcompare.ui.labels import doubts_in_short
from simcompare.ui.state.entry import Entry
from simcompare.ui.state.file_watch import FileState
from simcompare.visible import visible

Said = tuple[str, str, str]
"""Of a text that was read: its detail, its doubts in short, and its doubts with their places."""

REMARKS = {
    FileState.SAME: "",
    FileState.CHANGED: N_("changed on disk"),
    FileState.GONE: N_("file gone, text kept"),
}
"""What is said of what became of a file, to be translated."""


def said_of(subject: Subject) -> Said:
    """Return what is said of a text that was read."""
    document = subject.document
    parts = [units_count(subject)]
    if document.receipt.dropped:
        count = sum(dropped.characters for dropped in document.receipt.dropped)
        parts.append(_("{count} left out").format(count=f"{count:,}"))
    if document.title != document.path.stem:
        parts.append(visible(document.title))
    doubts = (flag for flag in document.receipt.flags if flag.doubtful)
    places = "\n".join(visible(flag_in_words(flag)) for flag in doubts)
    return " · ".join(parts), doubts_in_short(document.receipt), places


def reading_words(entry: Entry, is_under_way: bool) -> str:
    """Return how far the reading of a document has come."""
    if entry.recognised is not None:
        done, total = entry.recognised
        words = _("recognising page {number} of {total}")
        return words.format(number=f"{min(done + 1, total):,}", total=f"{total:,}")
    return _("reading…") if is_under_way else _("waiting…")


def where_from(entry: Entry) -> str:
    """Return where a document is."""
    if entry.pasted is not None:
        return _("Pasted; it is in no file.")
    return visible(str(entry.path))


_RESCUES = {
    "tried": N_("LibreOffice, which reads some damaged files, could not read it either."),
    "missing": N_("LibreOffice, which reads some damaged files, is not installed."),
}


def tried_in_words(entry: Entry) -> list[str]:
    """Return what was tried with a file that could not be read, a sentence each."""
    values = entry.error.values if entry.error is not None else {}
    lines = [_("Looked for at {path}.").format(path=where_from(entry))] if entry.pasted is None else []
    if "kind" in values:
        words = _("Read as what its content is, whatever its name says: {format}.")
        lines.append(words.format(format=format_in_words(str(values["kind"]))))
    rescue = _RESCUES.get(str(values.get("rescue")))
    if rescue is not None:
        lines.append(_(rescue))
    if entry.options.password:
        lines.append(_("Opened with the password that was given."))
    if entry.options.whole_page:
        lines.append(_("The whole page was read, not the article alone."))
    return lines
