"""The result of checking a library: what is wrong, and what to do."""

from collections.abc import Mapping
from typing import Any

from simcompare.library.checking import CheckedLibrary, Fault, FaultKind
from simcompare.report.library.library_json import FORMAT, VERSION
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_, _, ngettext

_RESTORE = N_("The file is damaged ({detail}). Restore an earlier copy of it.")
_REBUILD = N_("Export the library and import it into a new one, which makes the index again.")
_SENTENCES: Mapping[FaultKind, tuple[str, str]] = {
    FaultKind.DATABASE: (_RESTORE, ""),
    FaultKind.STATE: (N_("The record of changes is lost."), _REBUILD),
    FaultKind.ORPHANS: (N_("There is data that belongs to no entry ({detail})."), _REBUILD),
    FaultKind.FINGERPRINT: (N_("Entry {entry} has no fingerprint, so it may not be found."), _REBUILD),
    FaultKind.TERMS: (
        N_("Entry {entry} is not in the index as it should be ({detail}), so it may not be found."),
        _REBUILD,
    ),
    FaultKind.TEXT: (
        N_("The text of entry {entry} is damaged. Remove the entry, and add its file again."),
        "",
    ),
}


def checked_as_text(checked: CheckedLibrary) -> str:
    """Return a sentence for each fault with what to do, or that nothing is wrong."""
    if not checked.faults:
        sound = ngettext(
            "{count} entry checked: nothing is wrong",
            "{count} entries checked: nothing is wrong",
            checked.entries,
        )
        return f"{sound}\n"
    lines = [_fault(fault) for fault in checked.faults]
    remedies = dict.fromkeys(_SENTENCES[fault.kind][1] for fault in checked.faults)
    return "".join(f"{line}\n" for line in [*lines, *map(_, filter(None, remedies))])


def _fault(fault: Fault) -> str:
    words = _(_SENTENCES[fault.kind][0])
    return words.format(entry=fault.entry, detail=escape_invisible(_(fault.detail) if fault.detail else ""))


def checked_as_dict(checked: CheckedLibrary) -> dict[str, Any]:
    """Return the result as JSON values."""
    faults = [
        {"kind": str(fault.kind), "entry": fault.entry, "detail": fault.detail} for fault in checked.faults
    ]
    return {"format": FORMAT, "version": VERSION, "checked": checked.entries, "faults": faults}
