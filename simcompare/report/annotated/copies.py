"""Result of annotating a file."""

from dataclasses import dataclass, field

from simcompare.report.annotated.annotation_marks import Mark
from simcompare.support.i18n import N_

SIGNED = N_("{name} is signed: its signature is valid for the original only, not for the annotated copy.")


@dataclass(frozen=True, slots=True)
class AnnotatedCopy:
    """Content of an annotated copy, the number of marks placed, and the marks that have no position in it."""

    data: bytes = field(repr=False)
    placed: int
    unplaced: tuple[Mark, ...]
    remarks: tuple[str, ...] = ()
    """Untranslated gettext ids about the copy, with {name} for the file."""
