"""Order of the document list: drafts below the essay that counts; templates and earlier work last."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from os.path import commonpath
from pathlib import Path

from simcompare.cohort.class_check import DocumentRole
from simcompare.support.i18n import _, ngettext
from simcompare.ui.documents.document_rows import DocumentRow

_FEWEST_OF_A_YEAR = 3
_ARCHIVE_SUFFIX = ".zip"

Fold = int | str
"""Key of a group that can be folded: id of an essay with other files, or place of earlier work."""


def arranged(rows: Sequence[DocumentRow], unfolded: Collection[Fold]) -> list[DocumentRow]:
    """Return the rows that are visible, in order.

    An essay says how many other files of its student there are; they follow it if they are unfolded. Earlier
    work is below a heading for each place it comes from.
    """
    essays = {row.id for row in rows if not row.is_aside}
    beside: defaultdict[int, list[DocumentRow]] = defaultdict(list)
    earlier: defaultdict[str, list[DocumentRow]] = defaultdict(list)
    first: list[DocumentRow] = []
    last: list[DocumentRow] = []
    for row in rows:
        if row.role is DocumentRole.DRAFT and row.essay in essays:
            beside[row.essay].append(row)
        elif row.role is DocumentRole.OLD:
            earlier[row.place].append(row)
        else:
            (last if row.is_aside else first).append(row)
    shown: list[DocumentRow] = []
    for row in first:
        shown += _with_drafts(row, beside[row.id], is_unfolded=row.id in unfolded)
    shown += sorted(last, key=lambda row: row.role is not DocumentRole.TEMPLATE)
    for number, (place, own) in enumerate(earlier.items(), start=1):
        is_unfolded = place in unfolded
        shown.append(_heading(-number, place, own, is_unfolded=is_unfolded))
        shown += own if is_unfolded else []
    return shown


def _with_drafts(row: DocumentRow, drafts: Sequence[DocumentRow], *, is_unfolded: bool) -> list[DocumentRow]:
    if not drafts:
        return [row]
    count = len(drafts)
    words = ngettext("{count} other file", "{count} other files", count)
    fold = _("Hide {files}").format(files=words) if is_unfolded else _("Show {files}").format(files=words)
    return [replace(row, fold=fold), *(drafts if is_unfolded else ())]


def _heading(id_: int, place: str, rows: Sequence[DocumentRow], *, is_unfolded: bool) -> DocumentRow:
    return DocumentRow(
        id_,
        place,
        "unfolded" if is_unfolded else "folded",
        ngettext("{count} earlier essay", "{count} earlier essays", len(rows)),
        None,
        place,
        role=DocumentRole.OLD,
        place=place,
        members=tuple(row.id for row in rows),
    )


def places_of(paths: Mapping[int, Path]) -> dict[int, str]:
    """Return the name of the folder or archive that each earlier document comes from.

    It is the folder of all of them, or that of a year in it; folders of students hold fewer files.
    """
    if not paths:
        return {}
    try:
        base = Path(commonpath([path.parent for path in paths.values()]))
    except ValueError:  # on several drives, or pasted
        return {key: path.parent.name or _("Earlier work") for key, path in paths.items()}
    base = next((place for place in (base, *base.parents) if place.suffix.lower() == _ARCHIVE_SUFFIX), base)
    folders = {key: path.relative_to(base).parts[:-1][:1] for key, path in paths.items()}
    if len(paths) < _FEWEST_OF_A_YEAR * len(set(folders.values())):
        folders = dict.fromkeys(paths, ())
    return {key: (own or (base.name or _("Earlier work"),))[0] for key, own in folders.items()}
