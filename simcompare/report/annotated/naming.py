"""What annotated copies are called, and what is told of them."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from simcompare.i18n import _, ngettext
from simcompare.receipt import Place
from simcompare.report.annotated.copies import AnnotatedCopy
from simcompare.report.annotated.marks import Mark, shortened
from simcompare.report.phrases import listed, quoted
from simcompare.report.receipts import places_in_words
from simcompare.visible import visible, visible_name

_MOST_LISTED = 10
_EXCERPT_CHARACTERS = 40


def copy_names(originals: Iterable[Path]) -> list[str]:
    """Return a name for the copy of each file: "essay.annotated.docx", another for each of the same name."""
    names: list[str] = []
    for path in originals:
        name, count = f"{path.stem}.annotated{path.suffix}", 1
        while name in names:
            count += 1
            name = f"{path.stem}.annotated-{count}{path.suffix}"
        names.append(name)
    return names


def placed_in_words(copy: AnnotatedCopy) -> str:
    """Return how many sentences are marked."""
    text = ngettext("{count} sentence marked", "{count} sentences marked", copy.placed)
    return text.format(count=f"{copy.placed:,}")


def remarks_in_words(copy: AnnotatedCopy, original: Path) -> list[str]:
    """Return what must be known of a copy: sentences without a place in it, and what it loses."""
    name = visible_name(original.name)
    told = [_(remark).format(name=name) for remark in copy.remarks]
    if copy.left_out:
        text = _("The anonymous copy of {name} lacks {pages}: names there cannot be found.")
        told.append(text.format(name=name, pages=places_in_words(list(map(Place, copy.left_out)))))
    if copy.unplaced:
        text = _("{count} of {total} sentences could not be placed in {name}: {sentences}")
        count, total = len(copy.unplaced), copy.placed + len(copy.unplaced)
        told.append(text.format(count=count, total=total, name=name, sentences=_excerpts(copy.unplaced)))
    return told


def _excerpts(marks: Sequence[Mark]) -> str:
    shown = [quoted(visible(shortened(mark.text, _EXCERPT_CHARACTERS))) for mark in marks[:_MOST_LISTED]]
    rest = len(marks) - _MOST_LISTED
    return listed([*shown, *([_("and {count} more").format(count=rest)] if rest > 0 else [])])
