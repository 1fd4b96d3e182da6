"""Recognised pages: each is recognised in a separate task, and inserted when its file is read again."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from simcompare.loading.formats.ocr.ocr_engine import available
from simcompare.loading.formats.pdf.pdf_lines import PdfPage
from simcompare.model.document import Flag, FlagName, Place
from simcompare.model.errors import NoTextError, RecognitionMissingError, RecognitionNeededError

# Clean print has 0.998, blurred print 0.98; at 0.95 a few letters in a hundred are wrong.
_RELIABLE_CONFIDENCE = 0.95
_MAX_PLACES = 20


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """A recognised page and the mean `confidence` of its characters, in [0, 1]."""

    page: PdfPage = field(compare=False)
    confidence: float

    @property
    def is_reliable(self) -> bool:
        return bool(self.page.lines) and self.confidence >= _RELIABLE_CONFIDENCE


def recognised_among(
    path: Path, unread: Collection[int], recognised: Mapping[int, RecognisedPage | None] | None
) -> dict[int, RecognisedPage]:
    """Return the recognised pages among `unread`; nothing if recognition is off (`recognised` is None).

    Raises RecognitionNeededError for pages that were not tried yet.
    """
    if recognised is None:
        return {}
    untried = sorted(set(unread) - recognised.keys())
    if untried and available():
        raise RecognitionNeededError(path, pages=len(untried), numbers=untried)
    return {number: page for number in unread if (page := recognised.get(number)) is not None}


def no_text(path: Path, pages: int) -> NoTextError:
    """Return the error for picture pages that were not recognised."""
    return NoTextError(path, pages=pages) if available() else RecognitionMissingError(path, pages=pages)


def recognised_flags(recognised: Iterable[RecognisedPage]) -> list[Flag]:
    """Return the flag with the recognised pages and their mean confidence."""
    read = [recognised_page for recognised_page in recognised if recognised_page.page.lines]
    if not read:
        return []
    characters = sum(recognised_page.page.characters for recognised_page in read)
    confidence = (
        sum(recognised_page.confidence * recognised_page.page.characters for recognised_page in read)
        / characters
    )
    numbers = sorted(recognised_page.page.number for recognised_page in read)
    places = tuple(map(Place, numbers[:_MAX_PLACES]))
    doubtful = confidence < _RELIABLE_CONFIDENCE
    return [Flag(FlagName.RECOGNISED_TEXT, len(read), places, f"{confidence:.0%}", doubtful)]
