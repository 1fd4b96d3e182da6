"""What annotating a file gives."""

from dataclasses import dataclass, field

from simcompare.report.annotated.annotation_marks import Mark
from simcompare.support.i18n import N_

SIGNED = N_("{name} is signed: its signature holds for the original alone, not for the annotated copy.")


@dataclass(frozen=True, slots=True)
class AnnotatedCopy:
    """The bytes of a file with its marks; those that found no place in it; what is lost by changing it."""

    data: bytes = field(repr=False)
    placed: int
    unplaced: tuple[Mark, ...]
    remarks: tuple[str, ...] = ()
    """Machine texts, marked for translation; each names the file as {name}."""
